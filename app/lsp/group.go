package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"magus/app/options"
	"magus/app/suite"
	"magus/internal/pattern"
)

// A group is files that are checked together, by absolute names.
//
// Which files these are is said, in this order, by
//
//  1. the suites in the file's folder and the folders above it, within the workspace;
//  2. comments "// magus: check FILES AND OPTIONS" in the first lines of the files
//     of the folder;
//  3. names: lock.c belongs to lock.spec.
//
// Else a file is alone.
type group struct {
	files   []string
	options []suite.Option
	said    string // the file that says so, "" for names
}

// key tells groups apart.
func (g group) key() string { return fmt.Sprint(g.files, g.options) }

// contains reports whether a file is in the group.
func (g group) contains(path string) bool { return slices.Contains(g.files, path) }

// settings are the options of the group's checks.
func (g group) settings(t options.Table) (*options.Options, error) {
	s := t.For(options.Shell)
	for _, o := range g.options {
		if err := s.Set(o.Name, o.Value); err != nil {
			return nil, err
		}
	}
	return s.Options, nil
}

// groups are those that a file is in; at least one.
func (s *server) groups(path string) []group {
	all := s.suites(path)
	if len(all) == 0 {
		all = s.commented(path)
	}
	if len(all) == 0 {
		all = []group{s.named(path)}
	}
	var distinct []group
	for _, g := range all {
		if !slices.ContainsFunc(distinct, func(h group) bool { return h.key() == g.key() }) {
			distinct = append(distinct, g)
		}
	}
	return distinct
}

// suites are the groups that suites say.
func (s *server) suites(path string) (all []group) {
	for dir := range s.above(path) {
		files, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "*.toml"))
		for _, file := range files {
			t := s.docs.text(file)
			if t == nil {
				continue
			}
			st, err := suite.Parse(file, []byte(t.s))
			if err != nil {
				continue // another kind of file, perhaps
			}
			for _, part := range st.Groups {
				for _, c := range part.Claims {
					g := group{files: absolute(dir, c.Files), said: file}
					for _, o := range c.Options {
						if o.Name != "procedure" && o.Name != "specification" {
							g.options = append(g.options, o)
						}
					}
					if g.contains(path) {
						all = append(all, g)
					}
				}
			}
		}
	}
	return all
}

// above are the folder of a file and those above it that are in the workspace.
func (s *server) above(path string) func(yield func(dir string) bool) {
	return func(yield func(dir string) bool) {
		dir := filepath.Dir(path)
		for yield(dir) && slices.ContainsFunc(s.folders, func(root string) bool {
			rel, err := filepath.Rel(root, filepath.Dir(dir))
			return err == nil && filepath.IsLocal(rel)
		}) {
			dir = filepath.Dir(dir)
		}
	}
}

// comment is a line that says what is checked together.
var comment = pattern.New(`(?m)^[ \t]*(?://|\*|/\*)[ \t]*magus:[ \t]*check[ \t]+(.*?)[ \t]*(?:\*/)?[ \t]*\r?$`)

// maxHead is how much of a file may say what it is checked with, in bytes.
const maxHead = 4096

// commented are the groups that comments say, in the file or in others of its folder.
func (s *server) commented(path string) (all []group) {
	dir := filepath.Dir(path)
	files := append([]string{path}, siblings(dir)...)
	for _, file := range files {
		t := s.docs.text(file)
		if t == nil {
			continue
		}
		for _, m := range comment().FindAllStringSubmatch(t.s[:min(maxHead, len(t.s))], -1) {
			if g, ok := arguments(s.settings.Host.Options(), dir, strings.Fields(m[1])); ok && g.contains(path) {
				g.said = file
				all = append(all, g)
			}
		}
	}
	return all
}

// siblings are the C files and specifications of a folder.
func siblings(dir string) (files []string) {
	for _, pattern := range []string{"*.c", "*.spec"} {
		some, _ := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
		files = append(files, some...)
	}
	return files
}

// arguments are those of a command line; false if an option is not known.
func arguments(t options.Table, dir string, words []string) (g group, ok bool) {
	s := t.For(options.Shell)
	rows := s.Rows()
	var names []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		if !strings.HasPrefix(word, "-") {
			names = append(names, word)
			continue
		}
		name, value, given := strings.Cut(word, "=")
		name = "--" + s.Present(strings.TrimPrefix(name, "--"))
		at := slices.IndexFunc(rows, func(r options.Option) bool {
			return name == "--"+r.Name || r.Short != "" && strings.HasPrefix(word, "-"+r.Short) && !strings.HasPrefix(word, "--")
		})
		switch {
		case at < 0:
			return group{}, false
		case !strings.HasPrefix(word, "--") && len(word) > 2: // -Idir
			value = word[2:]
		case given:
		case rows[at].Kind == options.Bool:
			value = "true"
		case i+1 < len(words):
			i++
			value = words[i]
		default:
			return group{}, false
		}
		if rows[at].Name != "procedure" && rows[at].Name != "specification" {
			g.options = append(g.options, suite.Option{Name: rows[at].Name, Value: value})
		}
	}
	g.files = absolute(dir, names)
	return g, true
}

// named is the group of the files that have the name of a file but for its end.
func (s *server) named(path string) group {
	base := strings.TrimSuffix(path, filepath.Ext(path))
	g := group{files: []string{path}}
	for _, other := range []string{base + ".c", base + ".spec"} {
		if other != path && s.docs.text(other) != nil {
			g.files = append(g.files, other)
		}
	}
	slices.Sort(g.files)
	return g
}

// absolute are names as a folder sees them.
func absolute(dir string, names []string) []string {
	var all []string
	for _, name := range names {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		all = append(all, filepath.Clean(name))
	}
	return all
}

// escapeGlob is a name as a pattern that matches only itself.
func escapeGlob(name string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(name)
}
