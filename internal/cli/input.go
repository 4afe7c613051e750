package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"magus/cfa"
	"magus/specs"
)

// sources are the files on a command line, and what is read later on behalf of
// them. They give the report its source lines.
type sources struct {
	world *World
	lines map[string][]string // by file name; nil for a file that cannot be read
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
			wrong = append(wrong, name+": neither C (.c, .i, .h) nor a specification (.spec)")
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
			c = append(c, cfa.Source{Name: name, Text: text})
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
	case ".c", ".i", ".h":
		return true, false
	case ".spec":
		return false, true
	}
	return false, false
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

// Line is line n of a file, for the report.
func (s *sources) Line(file string, n int) string {
	lines, known := s.lines[file]
	if !known {
		if text, err := s.world.readFile(file); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		s.lines[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSuffix(lines[n-1], "\r")
}
