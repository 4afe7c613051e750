package compdb

// Commands that compile C among what make prints.
//
// Idea: a dry run of make (make -n -w) prints the lines of its recipes as the shell would get them, and which folder it
// enters. Each line is parted into simple commands, as far as that goes without a shell: operators, quotes, cd,
// subshells. A command counts if its program is a C compiler, perhaps behind programs that only start others
// (ccache, libtool), and a C file is among its arguments. What a shell would have to compute (variables, results of
// commands) is not known, and a command with it is passed over, which is said; but for the one computation
// that Automake puts before every file: test -f 'a.c' || echo 'src/'.
//
// Source: Shell Command Language (POSIX.1-2017, 2.3 Token Recognition, 2.7 Redirection, 2.9 Shell Commands); GNU make's
// manual, 9.7, for -n and -w.
//
// Cost: linear.

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"magus/internal/pattern"
)

// A Passed is a line with a command that compiles C and cannot be known.
type Passed struct {
	Line int // of the text
	Text string
	Why  string
}

// FromMake are the commands that compile C among what make prints that was started in a folder, one for each file. The
// names of folders are as make and cd have them. There says whether a file is there.
func FromMake(text, folder string, there func(path string) bool) (all []Command, passed []Passed) {
	dirs := []string{folder}
	n := 0
	lines := strings.Split(text, "\n")
	for n < len(lines) {
		first, line := n, lines[n]
		for n++; strings.HasSuffix(line, "\\") && n < len(lines); n++ {
			line = line[:len(line)-1] + lines[n]
		}
		if enters, dir := entered(line); dir != "" {
			if enters {
				dirs = append(dirs, dir)
			} else if len(dirs) > 1 {
				dirs = dirs[:len(dirs)-1]
			}
			continue
		}
		r := &recipe{dir: dirs[len(dirs)-1], there: there}
		if err := r.run(line); err != nil && compilesSomewhere(line) {
			passed = append(passed, Passed{first + 1, strings.TrimSpace(line), err.Error()})
		}
		all = append(all, r.commands...)
	}
	return all, passed
}

// folderLine is what make -w says of folders.
var folderLine = pattern.New("^[^ ]*make[^ ]*: (Entering|Leaving) directory [`'](.*)'$")

// compilerName is the name of a program that compiles C, perhaps for another machine, perhaps with a version.
var compilerName = pattern.New(`^([\w.+]+-)*(gcc|cc|clang|tcc|icc|icx|xlc|armclang|c89|c99|c11|c17)(-[\d.]+)?$`)

// assignment is the beginning of one.
var assignment = pattern.New(`^[A-Za-z_]\w*=`)

// entered reports whether make says in a line that it enters a folder, or leaves it; "" if it says neither.
func entered(line string) (enters bool, dir string) {
	m := folderLine().FindStringSubmatch(line)
	if m == nil {
		return false, ""
	}
	return m[1] == "Entering", m[2]
}

// compilesSomewhere reports whether a line looks as if it compiled C.
func compilesSomewhere(line string) bool {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t;&|()`\"'", r) })
	return slices.ContainsFunc(words, isCompiler) && slices.ContainsFunc(words, isSource)
}

// isCompiler reports whether a program compiles C, by its name.
func isCompiler(program string) bool {
	return compilerName().MatchString(filepath.Base(program))
}

// isSource reports whether an argument is a C file, by its name.
func isSource(arg string) bool { return strings.HasSuffix(arg, ".c") && !strings.HasPrefix(arg, "-") }

// A recipe is a line that the shell is given.
type recipe struct {
	dir      string
	lost     string // what only a shell knows of the folder
	there    func(path string) bool
	commands []Command
}

// A word of a line is an operator, or a part of a command. Unknown says what of it only a shell knows.
type word struct {
	text     string
	operator bool
	unknown  string
}

// run takes a line's commands one after the other.
func (r *recipe) run(line string) (err error) {
	words, err := r.words(line)
	if err != nil {
		return err
	}
	var command []word
	var outer []string // folders of the shells around this one
	for _, w := range append(words, word{text: ";", operator: true}) {
		if !w.operator || strings.ContainsAny(w.text, "<>") {
			command = append(command, w)
			continue
		}
		if e := r.simple(command); err == nil {
			err = e
		}
		command = nil
		switch {
		case w.text == "(":
			outer = append(outer, r.dir)
		case w.text == ")" && len(outer) > 0:
			r.dir, outer = outer[len(outer)-1], outer[:len(outer)-1]
		}
	}
	return err
}

// simple takes one command.
func (r *recipe) simple(command []word) error {
	words := withoutRedirections(withoutPrefix(command))
	switch {
	case len(words) == 0:
		return nil
	case words[0].text == "cd" && len(words) == 2:
		r.dir, r.lost = join(r.dir, words[1].text), r.lost+words[1].unknown
		return nil
	case !isCompiler(words[0].text) || words[0].unknown != "":
		return nil
	}
	var args []string
	for _, w := range append([]word{{unknown: r.lost}}, words...) {
		if w.unknown != "" {
			return fmt.Errorf("%s is not known", w.unknown)
		}
		args = append(args, w.text)
	}
	args = args[1:]
	files := sources(args)
	for _, file := range files {
		isOther := func(arg string) bool { return arg != file && slices.Contains(files, arg) }
		own := slices.DeleteFunc(slices.Clone(args), isOther)
		r.commands = append(r.commands, Command{Directory: r.dir, File: file, Arguments: own, Output: output(own)})
	}
	return nil
}

// sources are the C files that a command compiles; none if it only looks at them.
func sources(args []string) []string {
	var files []string
	for i := 1; i < len(args); i++ {
		if slices.Contains([]string{"-E", "-M", "-MM", "-fsyntax-only"}, args[i]) {
			return nil
		}
		_, _, separate := option(args[i])
		switch {
		case separate:
			i++
		case isSource(args[i]) && !slices.Contains(files, args[i]):
			files = append(files, args[i])
		}
	}
	return files
}

// withoutPrefix is a command without what stands before its program: words of the shell, assignments, and programs that
// start others.
func withoutPrefix(command []word) []word {
	starters := []string{"if", "then", "else", "elif", "do", "while", "until", "!", "{", "time", "exec", "env", "command",
		"ccache", "distcc", "sccache", "sh", "bash", "nice"}
	libtool := false
	for len(command) > 0 {
		name := filepath.Base(command[0].text)
		switch {
		case strings.HasSuffix(name, "libtool"):
			libtool = true
		case libtool && strings.HasPrefix(name, "--"):
		case assignment().MatchString(command[0].text), slices.Contains(starters, name):
		default:
			return command
		}
		command = command[1:]
	}
	return nil
}

// withoutRedirections is a command without those, and their files.
func withoutRedirections(command []word) []word {
	var kept []word
	for i := 0; i < len(command); i++ {
		if !command[i].operator {
			kept = append(kept, command[i])
			continue
		}
		i++ // the file
	}
	return kept
}

// join is a name as seen from a folder.
func join(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}
