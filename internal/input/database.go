package input

import (
	"path/filepath"
	"reflect"
	"slices"

	"magus/cfa"
	"magus/cfa/source"
	"magus/internal/compdb"
)

// A database is a compilation database as far as it concerns C files. Names in
// it are relative to the working directory where they lie in it.
type database struct {
	dir   Dir
	file  string
	units []compiled
}

// A compiled unit is one entry.
type compiled struct {
	file     string // as messages show it
	path     string
	dir      string // what names in the settings are relative to
	settings compdb.Settings
	line     int
}

// openDatabase reads the database that a file or a folder holds.
func openDatabase(dir Dir, name string) (*database, error) {
	if dir.IsDir(name) {
		name = filepath.Join(name, "compile_commands.json")
	}
	text, err := dir.Read(name)
	if err != nil {
		return nil, Errorf("%s: %s", name, Cause(err))
	}
	commands, err := compdb.Parse(text)
	if err != nil {
		return nil, Errorf("%s:%v", name, err)
	}
	db := &database{dir: dir, file: name}
	for _, c := range commands {
		at := join(filepath.Dir(name), c.Directory)
		u := compiled{file: dir.Short(join(at, c.File)), dir: at, line: c.Line}
		u.path = dir.Absolute(u.file)
		if u.settings, err = c.Settings(); err != nil {
			return nil, Errorf("%s:%d: %s: %v", name, c.Line, u.file, err)
		}
		if u.isC() {
			db.units = append(db.units, u)
		}
	}
	return db, nil
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
	if len(all) == 0 {
		return nil, Errorf("%s: no C file is compiled there", db.file)
	}
	return append(all, names...), nil
}

// apply gives the units their settings.
func (db *database) apply(units []source.Source) error {
	for i := range units {
		u, err := db.unit(units[i].Name)
		if err != nil {
			return err
		}
		for _, dir := range u.settings.IncludeDirs {
			units[i].IncludeDirs = append(units[i].IncludeDirs, db.dir.Short(join(u.dir, dir)))
		}
		for _, name := range u.settings.Includes {
			units[i].Includes = append(units[i].Includes, db.dir.Short(join(u.dir, name)))
		}
		units[i].Defines, units[i].Undefs, units[i].Std = u.settings.Defines, u.settings.Undefs, u.settings.Std
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

// unit finds the entry of a file.
func (db *database) unit(name string) (*compiled, error) {
	var found *compiled
	path := db.dir.Absolute(name)
	for i := range db.units {
		u := &db.units[i]
		switch {
		case u.path != path:
		case found == nil:
			found = u
		case u.dir != found.dir || !reflect.DeepEqual(u.settings, found.settings):
			return nil, Errorf("%s:%d: %s is compiled in another way than in line %d: leave one of them", db.file, u.line, name, found.line)
		}
	}
	if found == nil {
		return nil, Errorf("%s: not compiled in %s; give it without, with -I and -D", name, db.file)
	}
	return found, nil
}
