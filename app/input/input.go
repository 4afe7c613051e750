package input

import (
	"path/filepath"
	"slices"

	"magus/cfa"
	"magus/cfa/source"
	"magus/specs"
)

// Settings say how C is read, for all files alike.
type Settings struct {
	// CompileCommands is a compilation database, or the folder with it; "" for
	// none. With one, C files are compiled as it says, all that are in it if none
	// is named.
	CompileCommands string
	// Output, if not "", keeps of the database what is compiled into an object file,
	// a folder or a target of that name.
	Output      string
	Model       *cfa.DataModel  // nil: what the compilation database says, or LP64
	Evaluation  int             // of floating point, see [source.Options]
	LongDouble  *cfa.LongDouble // nil: what the compilation database says, or that of the x87
	IncludeDirs []string
	Defines     []string // NAME or NAME=VALUE
	Undefs      []string // after all definitions
	Headers     string   // builtin, host, or auto: builtin where that suffices; "" is auto
	NoLibc      bool     // without models of the C library
	Overlay     Overlay
	// Seen is called with the path of each file that is read; nil: nobody wants to know.
	Seen func(path string)
}

// An Overlay gives the texts of files that are being edited by their absolute names;
// false where the file is as it is on disk. nil: all are.
type Overlay func(path string) (text []byte, edited bool)

// read is the text of a file, edited or not.
func (o Overlay) read(path string) ([]byte, error) {
	if o != nil {
		if text, edited := o(path); edited {
			return text, nil
		}
	}
	return ReadFile(path)
}

// A Program is what was read.
type Program struct {
	C       []source.Source
	Specs   []specs.Source
	Options source.Options // how C is read
	Sources *Sources
	Notes   []cfa.Warning // on how it was read
	// Targets are those of the compilation database, where all of them are read.
	Targets []string
}

// Read reads the named files. Headers and imports are read later, by
// Options.ReadFile.
func Read(dir Dir, s Settings, names []string) (*Program, error) {
	p := &Program{Sources: NewSources(dir)}
	p.Sources.overlay, p.Sources.Seen = s.Overlay, s.Seen
	var db *database
	var err error
	if s.CompileCommands != "" {
		if db, err = openDatabase(dir, s); err != nil {
			return nil, err
		}
		if names, err = db.choose(names); err != nil {
			return nil, err
		}
	}
	if p.C, p.Specs, err = p.Sources.Parts(names); err != nil {
		return nil, err
	}
	p.Options = source.Options{Evaluation: s.Evaluation, IncludeDirs: s.IncludeDirs, Defines: s.Defines, Undefs: s.Undefs,
		Headers: headers(s.Headers), HostDirs: source.HostDirs(), CompilerDirs: CompilerDirs(), NoLibrary: s.NoLibc}
	if db != nil {
		if err := db.apply(p.C); err != nil {
			return nil, err
		}
		p.Notes = db.notes(p.C)
		if s.Output == "" {
			p.Targets = db.targets()
		}
	}
	switch {
	case s.Model != nil:
		p.Options.Model = *s.Model
	case db != nil:
		if p.Options.Model, err = db.model(p.C); err != nil {
			return nil, err
		}
	}
	switch {
	case s.LongDouble != nil:
		p.Options.LongDouble = *s.LongDouble
	case db != nil:
		if p.Options.LongDouble, err = db.longDouble(p.C); err != nil {
			return nil, err
		}
	}
	p.Options.ReadFile = p.Sources.Within(p.folders(s),
		"the working directory, the sources' and the include directories; name its directory with -I")
	return p, nil
}

// folders are those in which headers and imports are looked for.
func (p *Program) folders(s Settings) []string {
	dirs := append([]string{"."}, s.IncludeDirs...)
	for _, u := range p.C {
		dirs = append(append(dirs, filepath.Dir(u.Name)), u.IncludeDirs...)
	}
	for _, u := range p.Specs {
		dirs = append(dirs, filepath.Dir(u.Name))
	}
	if p.Options.Headers != source.BuiltinHeaders {
		dirs = slices.Concat(dirs, p.Options.HostDirs, p.Options.CompilerDirs)
	}
	return dirs
}

// headers is where standard headers come from, by its name.
func headers(name string) source.Headers {
	switch name {
	case "builtin":
		return source.BuiltinHeaders
	case "host":
		return source.HostHeaders
	}
	return source.AutoHeaders
}

// CompilerDirs is where GCC keeps the headers of its own: of the last version by
// name, if there are several.
func CompilerDirs() []string {
	dirs, err := filepath.Glob("/usr/lib/gcc/*/*/include")
	if err != nil || len(dirs) == 0 {
		return nil
	}
	slices.Sort(dirs)
	return dirs[len(dirs)-1:]
}
