package cli

// What magus.toml says, as options of a command.

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"magus/app/input"
	"magus/app/options"
	"magus/app/project"
)

// projectSettings sets the options that the command line does not set as the project's file says. It returns the files
// that are looked at, and the project's file, "" for none.
func (w *World) projectSettings(s *options.Settings, args []string) (files []string, name string, err error) {
	name = s.Options.Settings
	if name == "" {
		if len(args) > 0 || s.IsSet("compile-commands") {
			return args, "", nil
		}
		path, ok := project.Find(w.Dir.Absolute("."), isFile, isThere)
		if !ok {
			return args, "", &options.UsageError{Message: "no C file given, and no magus.toml here or above: magus init writes one"}
		}
		if name = w.fromHere(path); name == "" {
			return args, "", nil
		}
	}
	text, err := w.read(name)
	if err != nil {
		return args, name, err
	}
	p, err := project.Parse(name, text)
	if err != nil {
		return args, name, input.Errorf("%s", err)
	}
	if err := w.apply(s, p, name); err != nil || len(args) > 0 {
		return args, name, err
	}
	for _, file := range p.Files {
		args = append(args, w.beside(name, file))
	}
	return args, name, nil
}

// isFile reports whether there is a regular file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// isThere reports whether there is anything.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// apply sets the options of a file that nobody has set.
func (w *World) apply(s *options.Settings, p *project.Settings, name string) error {
	given := s.Assigned()
	set := func(o project.Option, value string) error {
		paths := []string{"compile-commands", "include", "baseline", "sarif", "junit", "report", "cache"}
		if slices.Contains(paths, o.Name) {
			value = w.beside(name, value)
		}
		return s.Set(o.Name, value)
	}
	for _, o := range p.Options {
		r, err := s.Row(o.Name)
		switch {
		case err != nil:
			return input.Errorf("%s:%d: %s", name, o.Line, err)
		case slices.Contains([]string{"settings", "write-baseline", "force"}, o.Name):
			return input.Errorf("%s:%d: %s is said on the command line only", name, o.Line, o.Name)
		case r.Kind != options.List && len(o.Values) != 1:
			return input.Errorf("%s:%d: %s has one value", name, o.Line, o.Name)
		case slices.ContainsFunc(given, func(one [2]string) bool { return one[0] == o.Name }):
			continue
		}
		for _, value := range o.Values {
			var wrong *options.ValueError
			if err := set(o, value); errors.As(err, &wrong) {
				return input.Errorf("%s:%d: %s: %s %s", name, o.Line, o.Name, value, wrong.Err)
			} else if err != nil {
				return input.Errorf("%s:%d: %s", name, o.Line, err)
			}
		}
	}
	return nil
}

// beside is a name that stands in a file, as it is seen from here.
func (w *World) beside(file, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(file), name)
}

// fromHere is the name of a file, as it is seen from here; "" if there is none.
func (w *World) fromHere(path string) string {
	rel, err := filepath.Rel(w.Dir.Absolute("."), path)
	if err != nil {
		return ""
	}
	return rel
}
