package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"magus/cfa"
	"magus/specs"
)

// sources are the files on a command line, and what is read later on behalf of
// them. They give the report its source lines.
type sources struct {
	world  *World
	lines  map[string][]string // by file name
	opened map[string][]byte   // what was read on behalf of them
	// marked are the lines of preprocessed files, by where they came from.
	marked map[cfa.Pos]string
}

func newSources(w *World) *sources {
	return &sources{world: w, lines: map[string][]string{}, opened: map[string][]byte{}, marked: map[cfa.Pos]string{}}
}

// sort reads the named files and parts them into C and specifications. All
// mistakes are reported at once.
func (s *sources) sort(names []string) (c []cfa.Source, spec []specs.Source, err error) {
	var wrong []string
	seen := map[string]bool{}
	for _, name := range names {
		isC, isSpec := kind(name)
		switch {
		case !isC && !isSpec && !s.isDir(name):
			wrong = append(wrong, name+": neither C (.c, .i, .pp, .h) nor a specification (.spec)")
			continue
		case seen[filepath.Clean(name)]:
			wrong = append(wrong, name+": named twice")
			continue
		}
		seen[filepath.Clean(name)] = true
		text, err := s.read(name)
		switch {
		case err != nil:
			wrong = append(wrong, err.Error())
		case isC:
			c = append(c, s.unit(name, text))
		default:
			spec = append(spec, specs.Source{Name: name, Text: text})
		}
	}
	if len(wrong) > 0 {
		return nil, nil, &inputError{strings.Join(wrong, "\n")}
	}
	return c, spec, nil
}

func kind(name string) (isC, isSpec bool) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".c", ".h", ".i", ".pp":
		return true, false
	case ".spec":
		return false, true
	}
	return false, false
}

// unit is a C file as the library takes it. Of what a preprocessor wrote, the
// report shows the lines under the names that its line markers give them.
func (s *sources) unit(name string, text []byte) cfa.Source {
	ext := strings.ToLower(filepath.Ext(name))
	u := cfa.Source{Name: name, Text: text, Preprocessed: ext == ".i" || ext == ".pp"}
	if !u.Preprocessed {
		return u
	}
	for i, at := range cfa.Origins(u) {
		line := strings.TrimSpace(s.lines[name][i])
		if line == "" || !at.IsValid() {
			continue
		}
		if before := s.marked[at]; before != "" {
			line = before + " " + line
		}
		s.marked[at] = line
	}
	return u
}

// read reads a text file that must say something. The error is one line.
func (s *sources) read(name string) ([]byte, error) {
	if s.isDir(name) {
		return nil, fmt.Errorf("%s: is a directory", name)
	}
	text, err := s.world.readFile(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, cause(err))
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if err := checkText(name, text); err != nil {
		return nil, err
	}
	s.lines[name] = strings.Split(string(text), "\n")
	return text, nil
}

func (s *sources) isDir(name string) bool {
	info, err := os.Stat(s.world.path(name))
	return err == nil && info.IsDir()
}

// cause is what the system says, without the operation and the path.
func cause(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// checkText refuses an empty file and one that is not UTF-8.
func checkText(name string, text []byte) error {
	if len(text) == 0 {
		return fmt.Errorf("%s: empty file", name)
	}
	if utf8.Valid(text) {
		return nil
	}
	offset, line, column := 0, 1, 1
	for offset < len(text) {
		r, n := utf8.DecodeRune(text[offset:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		offset += n
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return fmt.Errorf("%s:%d:%d: not UTF-8: byte 0x%02x at offset %d", name, line, column, text[offset], offset)
}

// included gives the function that reads what C files include and what
// specifications import: files in the working directory, beside the files that
// are named, and in the include directories, or in folders of these. Neither
// "../" nor a symbolic link leads elsewhere.
func (f *checkFlags) included(w *World, src *sources, c []cfa.Source, spec []specs.Source) func(string) ([]byte, error) {
	dirs := append([]string{"."}, f.include...)
	for _, s := range c {
		dirs = append(append(dirs, filepath.Dir(s.Name)), s.IncludeDirs...)
	}
	for _, s := range spec {
		dirs = append(dirs, filepath.Dir(s.Name))
	}
	if f.hostHeaders {
		dirs = append(dirs, cfa.HostDirs()...)
	}
	return src.within(dirs, "the working directory, the sources' and the include directories; name its directory with -I")
}

// within gives a function that reads regular files in the given directories;
// what says which they are, and perhaps how to add others.
func (s *sources) within(dirs []string, what string) func(string) ([]byte, error) {
	w := s.world
	roots, real := w.roots(dirs)
	return func(name string) ([]byte, error) {
		path := w.absolute(name)
		if !isIn(roots, path) {
			return nil, fmt.Errorf("%s lies outside of %s", name, what)
		}
		at, err := filepath.EvalSymlinks(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOENT}
		case err != nil:
			return nil, fmt.Errorf("%s: %s", name, cause(err))
		case !isIn(real, at):
			return nil, fmt.Errorf("%s is a link that leads outside of %s", name, what)
		}
		if info, err := os.Stat(at); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no regular file", name)
		}
		text, err := os.ReadFile(at)
		if err == nil {
			s.opened[name] = text
		}
		return text, err
	}
}

// roots are absolute names of directories, as they are given and without
// symbolic links.
func (w *World) roots(dirs []string) (given, real []string) {
	for _, dir := range dirs {
		root := w.absolute(dir)
		if slices.Contains(given, root) {
			continue
		}
		given = append(given, root)
		if at, err := filepath.EvalSymlinks(root); err == nil {
			real = append(real, at)
		}
	}
	return given, real
}

// isIn reports whether a path lies in one of the directories.
func isIn(roots []string, path string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		rel, err := filepath.Rel(root, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// Line is line n of a file, for the report.
func (s *sources) Line(file string, n int) string {
	if line, ok := s.marked[cfa.Pos{File: file, Line: n, Col: 1}]; ok {
		return line
	}
	lines, known := s.lines[file]
	if text, ok := s.opened[file]; ok && !known {
		lines = strings.Split(string(text), "\n")
		s.lines[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSuffix(lines[n-1], "\r")
}
