package input

// A compilation database as far as it concerns C files.
//
// A file may be compiled several times: for several targets, or for a static and
// a shared library. The first command of a file that can be read is taken, and
// where another one reads the file differently a note says so; Settings.Output
// keeps the commands that write what has a name. What is wrong with a command
// matters only if its file is read.

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"magus/app/compdb"
	"magus/cfa"
	"magus/cfa/source"
	"magus/internal/phrase"
)

// A database holds the commands that compile C. Names in it are relative to the
// working directory where they lie in it.
type database struct {
	dir    Dir
	file   string
	output string // what the commands were selected by, or ""
	units  []compiled
	faulty []compdb.Command       // entries that cannot be used
	byPath map[string][]*compiled // in their order
}

// A compiled unit is one entry.
type compiled struct {
	file     string // as messages show it
	path     string
	dir      string // what names in the settings are relative to
	command  compdb.Command
	settings compdb.Settings
	err      error // why there are no settings
}

// openDatabase reads the database that a file or a folder holds, as far as its
// commands write what is asked for, if it is not "".
func openDatabase(dir Dir, s Settings) (*database, error) {
	name, output, seen := s.CompileCommands, s.Output, s.Seen
	if dir.IsDir(name) {
		name = filepath.Join(name, "compile_commands.json")
	}
	text, err := s.Overlay.read(dir.Absolute(name))
	if errors.Is(err, fs.ErrNotExist) && filepath.Base(name) == "compile_commands.json" {
		return nil,
			Errorf(
				"%s: %s; CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always, Bear for other tools",
				name, Cause(err))
	} else if err != nil {
		return nil, Errorf("%s: %s", name, Cause(err))
	}
	commands, err := compdb.Parse(text)
	if err != nil {
		return nil, Errorf("%s:%v", name, err)
	}
	db := &database{dir: dir, file: name, output: output}
	src := NewSources(dir)
	src.Seen = seen
	src.see(dir.Absolute(name))
	read := src.Within([]string{".", filepath.Dir(name)},
		"the working directory and the compilation database's")
	for _, c := range commands {
		if c.Err != nil {
			db.faulty = append(db.faulty, c)
			continue
		}
		at := join(filepath.Dir(name), c.Directory)
		u := compiled{file: dir.Short(join(at, c.File)), dir: at, command: c}
		u.path = dir.Absolute(u.file)
		u.err = u.command.Expand(func(name string) ([]byte, error) {
			text, err := read(join(at, name))
			if errors.Is(err, fs.ErrNotExist) {
				return nil, errors.New(Cause(err))
			}
			return text, err
		})
		if u.err == nil {
			u.settings, u.err = u.command.Settings()
		}
		if u.isC() {
			db.units = append(db.units, u)
		}
	}
	if err := db.selectOutput(); err != nil {
		return nil, err
	}
	db.byPath = map[string][]*compiled{}
	for i := range db.units {
		u := &db.units[i]
		db.byPath[u.path] = append(db.byPath[u.path], u)
	}
	return db, nil
}

// selectOutput keeps the commands that write what is asked for.
func (db *database) selectOutput() error {
	if db.output == "" {
		return nil
	}
	var kept []compiled
	for _, u := range db.units {
		if u.command.Writes(db.output) || u.command.Output != "" &&
			db.dir.Absolute(db.output) == db.dir.Absolute(join(u.dir, u.command.Output)) {
			kept = append(kept, u)
		}
	}
	if kept == nil {
		targets := db.targets()
		hint := phrase.Suggest(db.output, append(slices.Clone(targets), db.outputs()...))
		if hint == "" && len(targets) > 0 {
			hint = "; there are the targets " + phrase.Few(targets, shownTargets)
		}
		return Errorf("%s: no C file is compiled into %s%s", db.file, db.output, hint)
	}
	db.units = kept
	return nil
}

// shownTargets is how many targets a message names.
const shownTargets = 8

// targets are the names of the targets, in the order of the database.
func (db *database) targets() (names []string) {
	for _, u := range db.units {
		if name := u.command.Target(); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// outputs are what is written.
func (db *database) outputs() (names []string) {
	for _, u := range db.units {
		if u.command.Output != "" {
			names = append(names, u.command.Output)
		}
	}
	return names
}

// join is a name that is relative to a directory unless it is absolute.
func join(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// isC leaves out assembler and other languages.
func (u *compiled) isC() bool {
	return KindOf(u.file) == C && slices.Contains([]string{"", "none", "c", "cpp-output"}, u.settings.Language)
}

// choose adds all C files that are compiled where none is named.
func (db *database) choose(names []string) ([]string, error) {
	if slices.ContainsFunc(names, func(name string) bool { return KindOf(name) == C }) {
		return names, nil
	}
	var all []string
	seen := map[string]bool{}
	for _, u := range db.units {
		if !seen[u.path] {
			seen[u.path] = true
			all = append(all, u.file)
		}
	}
	switch {
	case len(all) == 0 && len(db.faulty) > 0:
		return nil, Errorf("%s:%d: no C file is compiled there: %v", db.file, db.faulty[0].Line, db.faulty[0].Err)
	case len(all) == 0:
		return nil, Errorf("%s: no C file is compiled there", db.file)
	}
	return append(all, names...), nil
}

// apply gives the units their settings. All mistakes are reported at once.
func (db *database) apply(units []source.Source) error {
	var wrong []string
	for i := range units {
		u, err := db.unit(units[i].Name)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		for _, dir := range u.settings.IncludeDirs {
			units[i].IncludeDirs = append(units[i].IncludeDirs, db.dir.Short(join(u.dir, dir)))
		}
		for _, name := range u.settings.Includes {
			units[i].Includes = append(units[i].Includes, db.dir.Short(join(u.dir, name)))
		}
		units[i].Defines, units[i].Undefs, units[i].Std = u.settings.Defines, u.settings.Undefs, u.settings.Std
	}
	if len(wrong) > 0 {
		return Errorf("%s", strings.Join(wrong, "\n"))
	}
	return nil
}

// model is the data model that the units are compiled for: LP64 unless all of
// them say -m32.
func (db *database) model(units []source.Source) (cfa.DataModel, error) {
	narrow, wide := "", ""
	for _, s := range units {
		u, err := db.unit(s.Name)
		switch {
		case err != nil:
			return 0, err
		case u.settings.Bits == 32:
			narrow = s.Name
		default:
			wide = s.Name
		}
	}
	switch {
	case narrow == "":
		return cfa.LP64, nil
	case wide == "":
		return cfa.ILP32, nil
	}
	return 0, Errorf("%s: %s is compiled with -m32, %s is not: choose one with --data-model", db.file, narrow, wide)
}

// longDouble is the format of long double that the units are compiled for.
func (db *database) longDouble(units []source.Source) (cfa.LongDouble, error) {
	by := map[int]cfa.LongDouble{64: cfa.AsDouble, 128: cfa.Quad}
	var first cfa.LongDouble
	for i, s := range units {
		u, err := db.unit(s.Name)
		if err != nil {
			return 0, err
		}
		of := by[u.settings.LongDouble]
		if i == 0 {
			first = of
		} else if of != first {
			return 0, Errorf("%s: long double is %v in %s and %v in %s: choose one with --long-double", db.file, first,
				units[0].Name, of, s.Name)
		}
	}
	return first, nil
}

// entries are those of a file.
func (db *database) entries(name string) []*compiled { return db.byPath[db.dir.Absolute(name)] }

// faultyEntry is the first entry that cannot be used and names a file, or nil.
func (db *database) faultyEntry(name string) *compdb.Command {
	at := db.dir.Absolute(name)
	for i, c := range db.faulty {
		if c.File != "" && db.dir.Absolute(join(join(filepath.Dir(db.file), c.Directory), c.File)) == at {
			return &db.faulty[i]
		}
	}
	return nil
}

// unit is the entry of a file that counts: the first one that can be read.
func (db *database) unit(name string) (*compiled, error) {
	all := db.entries(name)
	switch i := slices.IndexFunc(all, func(u *compiled) bool { return u.err == nil }); {
	case i >= 0:
		return all[i], nil
	case len(all) > 0:
		return nil, Errorf("%s:%d: %s: %v", db.file, all[0].command.Line, name, all[0].err)
	case db.faultyEntry(name) != nil:
		c := db.faultyEntry(name)
		return nil, Errorf("%s:%d: the entry of %s cannot be used: %v; give it without, with -I and -D",
			db.file, c.Line, name, c.Err)
	case db.output != "":
		return nil, Errorf("%s: not compiled into %s in %s; give it without, with -I and -D", name, db.output, db.file)
	}
	return nil, Errorf("%s: not compiled in %s; give it without, with -I and -D", name, db.file)
}

// notes say which entries are passed over, and which files are compiled in another way
// as well.
func (db *database) notes(units []source.Source) (notes []cfa.Warning) {
	for _, c := range db.faulty {
		notes = append(notes, cfa.Warning{Pos: cfa.Pos{File: db.file, Line: c.Line, Col: 1},
			Text: fmt.Sprintf("the entry is passed over: %v", c.Err)})
	}
	for _, s := range units {
		taken, err := db.unit(s.Name)
		if err != nil {
			continue
		}
		for _, u := range db.entries(s.Name) {
			if u != taken && (u.err != nil || u.dir != taken.dir || !reflect.DeepEqual(u.settings, taken.settings)) {
				notes = append(notes, cfa.Warning{Pos: cfa.Pos{File: db.file, Line: taken.command.Line, Col: 1},
					Text: fmt.Sprintf(
						"%s is read as it is compiled here%s; line %d compiles it in another way%s", s.Name, into(taken),
						u.command.Line, into(u))})
				break
			}
		}
	}
	return notes
}

// into says how --output names a command, if it can.
func into(u *compiled) string {
	if u.command.Output == "" {
		return ""
	}
	return ", with --output " + u.command.Output
}
