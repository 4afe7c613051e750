package input

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"

	"magus/cfa"
	"magus/cfa/source"
	"magus/specs"
)

// Sources are the texts that were read: the files that were named, and what was
// read later on their behalf. They give reports their source lines.
type Sources struct {
	// Seen is called with the path of each file that is read; nil: nobody wants to know.
	Seen func(path string)

	dir     Dir
	overlay Overlay
	named   map[string][]byte // by file name
	later   map[string][]byte // by the name under which it was asked for
	// standings are by name what stood there when it was looked for; missed are the names under which nothing was read.
	standings map[string]Standing
	missed    map[string]bool
	cutting   sync.Mutex
	lines     map[string][]string // of both, where they were asked for; whoever looks at them holds cutting
	// marked are the lines of preprocessed files, by the places that their line
	// markers give.
	marked map[cfa.Pos]string
}

// NewSources has read nothing yet.
func NewSources(dir Dir) *Sources {
	return &Sources{dir: dir, named: map[string][]byte{}, later: map[string][]byte{},
		standings: map[string]Standing{}, missed: map[string]bool{}, lines: map[string][]string{},
		marked: map[cfa.Pos]string{}}
}

// see tells that a file is read.
func (s *Sources) see(path string) {
	if s.Seen != nil {
		s.Seen(path)
	}
}

// A Kind is what a file is by its name.
type Kind int

// Other is a file that is neither.
const (
	Other Kind = iota
	C
	Spec
)

// KindOf is the kind of a file by the end of its name.
func KindOf(name string) Kind {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".c", ".h", ".i", ".pp":
		return C
	case ".spec":
		return Spec
	}
	return Other
}

// isPreprocessed reports whether a C file is what a preprocessor wrote.
func isPreprocessed(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".i" || ext == ".pp"
}

// Parts reads the named files and parts them into C and specifications. All
// mistakes are reported at once.
func (s *Sources) Parts(names []string) (c []source.Source, spec []specs.Source, err error) {
	var wrong []string
	seen := map[string]bool{}
	for _, name := range names {
		kind := KindOf(name)
		switch {
		case kind == Other && !s.dir.IsDir(name):
			wrong = append(wrong, name+": neither C (.c, .i, .pp, .h) nor a specification (.spec)")
			continue
		case seen[filepath.Clean(name)]:
			wrong = append(wrong, name+": named twice")
			continue
		}
		seen[filepath.Clean(name)] = true
		text, err := s.Text(name)
		switch {
		case s.dir.IsDir(name):
			wrong = append(wrong, err.Error()+": name its files, or take a compilation database by -p")
		case err != nil:
			wrong = append(wrong, err.Error())
		case kind == C:
			c = append(c, s.unit(name, text))
		default:
			spec = append(spec, specs.Source{Name: name, Text: text})
		}
	}
	if len(wrong) > 0 {
		return nil, nil, Errorf("%s", strings.Join(wrong, "\n"))
	}
	return c, spec, nil
}

// unit is a C file as package cfa takes it. Where it has line directives, reports show
// the lines under the names that these give them.
func (s *Sources) unit(name string, text []byte) source.Source {
	u := source.Source{Name: name, Text: text, Preprocessed: isPreprocessed(name)}
	if !u.Marked() {
		return u
	}
	lines := s.linesOf(name)
	for i, at := range source.Origins(u) {
		line := strings.TrimSpace(lines[i])
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

// Text reads a text file that must say something. The error is one line.
func (s *Sources) Text(name string) ([]byte, error) {
	if s.dir.IsDir(name) {
		return nil, fmt.Errorf("%s: is a directory", name)
	}
	s.standings[name] = s.dir.Standing(name)
	s.see(s.dir.Absolute(name))
	text, err := s.overlay.read(s.dir.Absolute(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, Cause(err))
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if err := checkText(name, text); err != nil {
		return nil, err
	}
	s.named[name] = text
	return text, nil
}

// checkText refuses an empty file, and a specification that is not UTF-8. In C, bytes that are not may stand
// in comments and strings.
func checkText(name string, text []byte) error {
	if len(text) == 0 {
		return fmt.Errorf("%s: empty file", name)
	}
	if KindOf(name) == C || utf8.Valid(text) {
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

// Within gives a function that reads regular files in the given folders, or in
// folders of these. Neither "../" nor a symbolic link leads elsewhere. what says
// which folders they are, and perhaps how to add others.
func (s *Sources) Within(dirs []string, what string) func(name string) ([]byte, error) {
	roots, real := s.dir.roots(dirs)
	return func(name string) ([]byte, error) {
		path := s.dir.Absolute(name)
		if !isIn(roots, path) {
			return nil, fmt.Errorf("%s lies outside of %s", name, what)
		}
		s.standings[name] = s.dir.Standing(name)
		text, err := s.regular(name, path, real, what)
		if err != nil {
			s.missed[name] = true
			return nil, err
		}
		s.later[name] = text
		return text, nil
	}
}

// regular reads a regular file that lies in one of the real folders, which what names.
func (s *Sources) regular(name, path string, real []string, what string) ([]byte, error) {
	at, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &unreadable{name, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOENT}}
	case err != nil:
		if _, says := os.Stat(path); says != nil { // in the system's words
			err = says
		}
		return nil, &unreadable{name, err}
	case !isIn(real, at):
		return nil, fmt.Errorf("%s is a link that leads outside of %s", name, what)
	}
	if info, err := os.Stat(at); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	s.see(at)
	text, err := s.overlay.read(at)
	if err != nil {
		return nil, &unreadable{name, err}
	}
	return text, nil
}

// A Text is a file that was read.
type Text struct {
	Path     string // clean, but relative if its name was
	Text     []byte
	Standing Standing // when it was read
}

// Texts are the files that were read so far, each once, in the order of their
// paths.
func (s *Sources) Texts() []Text {
	all := map[string]Text{}
	for _, read := range []map[string][]byte{s.named, s.later} {
		for name, text := range read {
			path := filepath.Clean(name)
			all[path] = Text{path, text, s.standings[name]}
		}
	}
	var texts []Text
	for _, path := range slices.Sorted(maps.Keys(all)) {
		texts = append(texts, all[path])
	}
	return texts
}

// A Missed is a name under which nothing was read that was looked for.
type Missed struct {
	Path     string
	Standing Standing // when it was looked for
}

// Missed are the names under which nothing was read, in their order.
func (s *Sources) Missed() []Missed {
	var all []Missed
	for _, name := range slices.Sorted(maps.Keys(s.missed)) {
		all = append(all, Missed{name, s.standings[name]})
	}
	return all
}

// Line is line n of a file that was read or comes with magus, "" where there is none. Several may ask at a time.
func (s *Sources) Line(file string, n int) string {
	if line, ok := s.marked[cfa.Pos{File: file, Line: n, Col: 1}]; ok {
		return line
	}
	s.cutting.Lock()
	lines := s.linesOf(file)
	s.cutting.Unlock()
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSuffix(lines[n-1], "\r")
}

// linesOf are the lines of a file that was read.
func (s *Sources) linesOf(file string) []string {
	if lines, ok := s.lines[file]; ok {
		return lines
	}
	text, ok := s.named[file]
	if !ok {
		text, ok = s.later[file]
	}
	if !ok {
		if text, ok = source.OwnText(file); !ok {
			return nil
		}
	}
	lines := strings.Split(strings.ToValidUTF8(string(text), "\uFFFD"), "\n")
	s.lines[file] = lines
	return lines
}
