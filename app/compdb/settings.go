package compdb

import (
	"fmt"
	"slices"
	"strings"
)

// Settings are what a command says about reading its source.
type Settings struct {
	IncludeDirs []string // in the order in which they are searched
	Defines     []string // NAME=VALUE, each name once
	Undefs      []string // names that are not among those
	Includes    []string // files that are included first
	Std         string   // the standard, such as c99 or gnu17, else ""
	LongDouble  int      // the bits of long double where the command says so (-mlong-double-128), else 0
	Bits        int      // 32 or 64 where the command says so (-m32), else 0
	Language    string   // "c", "c++", … if -x says so, else ""
}

// withValue are the options whose value may be the next argument, beside those
// that Settings looks at: who does not know them takes the value for a file.
var withValue = []string{"-o", "-MF", "-MT", "-MQ", "-MJ", "-arch", "-Xlinker", "-Xclang", "-Xassembler",
	"-isysroot", "--sysroot",
	"-target", "--param", "-L", "-l", "-u", "-z", "-T", "-A", "-B", "-e", "-aux-info", "-dumpbase",
	"-dumpdir", "-framework", "-mllvm"}

// Settings reads the arguments. The later of two contradicting ones counts, as
// with compilers. An error names the option that is not modelled.
func (c Command) Settings() (Settings, error) {
	r := &reader{macros: map[string]string{}}
	args := c.Arguments
	for i := 1; i < len(args); i++ {
		name, value, separate := option(args[i])
		if separate {
			if i+1 == len(args) {
				return Settings{}, fmt.Errorf("%s is followed by nothing", args[i])
			}
			i++
			value = args[i]
		}
		if err := r.option(name, value); err != nil {
			return Settings{}, err
		}
	}
	return r.settings(), nil
}

// attached are the options that Settings looks at whose value may follow
// without a blank, longer names before those that they begin with.
var attached = []string{"-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-I", "-D", "-U", "-x"}

// option parts an argument into an option and its value; separate says that
// the value is the next argument.
func option(arg string) (name, value string, separate bool) {
	if slices.Contains(withValue, arg) {
		return "", "", true
	}
	for _, name := range attached {
		if value, ok := strings.CutPrefix(arg, name); ok {
			return name, value, value == ""
		}
	}
	return arg, "", false
}

// A reader gathers settings.
type reader struct {
	quote, plain, system, after []string // include directories, by when they are searched
	names                       []string // of macros, in the order of their last mention
	macros                      map[string]string
	out                         Settings
}

func (r *reader) option(name, value string) error {
	switch name {
	case "-I":
		r.plain = append(r.plain, value)
	case "-iquote":
		r.quote = append(r.quote, value)
	case "-isystem":
		r.system = append(r.system, value)
	case "-idirafter":
		r.after = append(r.after, value)
	case "-D":
		r.define(value)
	case "-U":
		r.macro(value, undefined)
	case "-include":
		if strings.HasPrefix(value, "-") {
			return fmt.Errorf("-include%s is not modelled", value)
		}
		r.out.Includes = append(r.out.Includes, value)
	case "-x":
		r.out.Language = value
	case "-mlong-double-64":
		r.out.LongDouble = 64
	case "-mlong-double-80":
		r.out.LongDouble = 80
	case "-mlong-double-128":
		r.out.LongDouble = 128
	case "-m32":
		r.out.Bits = 32
	case "-m64":
		r.out.Bits = 64
	case "-imacros":
		return fmt.Errorf("-imacros %s is not modelled", value)
	default:
		return r.other(name)
	}
	return nil
}

func (r *reader) other(arg string) error {
	switch {
	case strings.HasPrefix(arg, "-std="):
		r.out.Std = strings.TrimPrefix(arg, "-std=")
	case arg == "-ansi":
		r.out.Std = "c90"
	case strings.HasPrefix(arg, "-Wp,"):
		for _, a := range strings.Split(arg[len("-Wp,"):], ",") {
			name, value, _ := option(a)
			if value != "" {
				if err := r.option(name, value); err != nil {
					return err
				}
			}
		}
	case strings.HasPrefix(arg, "@"):
		return fmt.Errorf("the response file %s is not read", arg)
	case strings.HasPrefix(arg, "-fplugin"), arg == "-traditional", arg == "-traditional-cpp", arg == "-fpreprocessed",
		arg == "-funsigned-char", arg == "-fshort-enums", strings.HasPrefix(arg,
			"-fpack-struct"), arg == "-fshort-wchar", arg == "-mx32":
		return fmt.Errorf("%s is not modelled", arg)
	}
	return nil
}

// undefined stands for the value of a macro that is undefined; no value of a
// macro has a line break in it.
const undefined = "\n"

func (r *reader) define(d string) {
	name, value, found := strings.Cut(d, "=")
	if !found {
		value = "1"
	}
	r.macro(name, value)
}

func (r *reader) macro(name, value string) {
	if i := slices.Index(r.names, name); i >= 0 {
		r.names = slices.Delete(r.names, i, i+1)
	}
	r.names = append(r.names, name)
	r.macros[name] = value
}

func (r *reader) settings() Settings {
	s := r.out
	s.IncludeDirs = slices.Concat(r.quote, r.plain, r.system, r.after)
	for _, name := range r.names {
		if v := r.macros[name]; v == undefined {
			s.Undefs = append(s.Undefs, name)
		} else {
			s.Defines = append(s.Defines, name+"="+v)
		}
	}
	return s
}
