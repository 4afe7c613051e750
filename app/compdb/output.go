package compdb

// What a command writes, and for which target. The format names the output of an
// entry; where an entry does not, -o of its command does. Build tools put the
// object files of a target into a folder of its own: CMake into
// CMakeFiles/NAME.dir, Meson into NAME.p.

import (
	"path"
	"slices"
	"strings"
)

// output is what the arguments say is written, "" if they do not.
func output(arguments []string) (out string) {
	for i, arg := range arguments {
		switch {
		case i == 0:
		case arg == "-o" && i+1 < len(arguments):
			out = arguments[i+1]
		case strings.HasPrefix(arg, "-o") && len(arg) > 2 && arguments[i-1] != "-o":
			out = arg[2:]
		}
	}
	return out
}

// Target is the name of the target that an output is for, where its folder says
// so, else "".
func (c Command) Target() string {
	folders := elements(path.Dir(c.Output))
	for i, folder := range folders {
		if name, ok := strings.CutSuffix(folder, ".dir"); ok && i > 0 && folders[i-1] == "CMakeFiles" {
			return name
		}
		if name, ok := strings.CutSuffix(folder, ".p"); ok && name != "" {
			return name
		}
	}
	return ""
}

// Writes reports whether the command writes what has that name: an object file, a
// folder around it, or the target that it is for. Parts of paths count from any
// folder on: obj/pump.o is written by -o build/obj/pump.o.
func (c Command) Writes(name string) bool {
	want, have := elements(name), elements(c.Output)
	if len(want) == 0 || name == c.Target() {
		return len(want) > 0
	}
	for len(have) >= len(want) {
		if slices.Equal(have[:len(want)], want) {
			return true
		}
		have = have[1:]
	}
	return false
}

// elements are the names that a path consists of.
func elements(name string) []string {
	return slices.DeleteFunc(strings.Split(path.Clean(name), "/"), func(s string) bool { return s == "" || s == "." })
}
