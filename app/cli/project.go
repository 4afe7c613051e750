package cli

// What magus.toml says, as options of a command.

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"magus/app/input"
	"magus/app/options"
	"magus/app/project"
)

// projectSettings sets the options that the command line does not set as the project's file says. It returns the files
// that are looked at, and the project's file, "" for none. own are keys that only the command has.
func (w *World) projectSettings(s *options.Settings, args []string, own ownKeys) (files []string,
	name string, err error) {
	name = s.Options.Settings
	if name == "" {
		if len(args) > 0 || s.IsSet("compile-commands") {
			return args, "", nil
		}
		path, ok := project.Find(w.Dir.Absolute("."), isFile, isThere)
		if !ok {
			return args, "", &options.UsageError{Message: "no C file given, and no magus.toml here or above: " +
				"magus init writes one"}
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
	if err := w.apply(s, p, name, own); err != nil || len(args) > 0 {
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

// isFolder reports whether there is a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isThere reports whether there is anything.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// ownKeys are keys of the project's file that are flags of some commands, and no options of all.
type ownKeys map[string]pflag.Value

// keysOf is the key cache with the flag of a command, if that is not given; without a flag of that name what the
// key says does not count.
func keysOf(flags *pflag.FlagSet) ownKeys {
	own := ownKeys{"cache": nil}
	for name := range own {
		if f := flags.Lookup(name); f != nil && !f.Changed {
			own[name] = f.Value
		}
	}
	return own
}

// setOwn sets a key that is a flag of the command, and reports whether it is one.
func (w *World) setOwn(o project.Option, file string, own ownKeys) (isOwn bool, err error) {
	value, isOwn := own[o.Name]
	switch {
	case !isOwn:
		return false, nil
	case len(o.Values) != 1:
		return true, input.Errorf("%s:%d: %s has one value", file, o.Line, o.Name)
	case value == nil:
		return true, nil
	}
	text := o.Values[0]
	if o.Name == "cache" && text != "" {
		text = w.beside(file, text)
	}
	if err := value.Set(text); err != nil {
		return true, input.Errorf("%s:%d: %s: %s %s", file, o.Line, o.Name, text, err)
	}
	return true, nil
}

// apply sets the options of a file that nobody has set.
func (w *World) apply(s *options.Settings, p *project.Settings, name string, own ownKeys) error {
	given := s.Assigned()
	set := func(o project.Option, value string) error {
		paths := []string{"compile-commands", "include", "baseline", "sarif", "junit", "report"}
		if slices.Contains(paths, o.Name) {
			value = w.beside(name, value)
		}
		return s.Set(o.Name, value)
	}
	for _, o := range p.Options {
		if isOwn, err := w.setOwn(o, name, own); err != nil {
			return err
		} else if isOwn {
			continue
		}
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
