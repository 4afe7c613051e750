package input

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Dir is the folder that relative names are relative to; "" is the working
// directory. Messages show names as they were given.
type Dir string

// Path is where a named file is.
func (d Dir) Path(name string) string {
	if d == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(string(d), name)
}

// Absolute is the absolute path of a named file.
func (d Dir) Absolute(name string) string {
	path, err := filepath.Abs(d.Path(name))
	if err != nil {
		return filepath.Clean(name)
	}
	return path
}

// Short is the name of a file within the folder if it lies there.
func (d Dir) Short(name string) string {
	rel, err := filepath.Rel(d.Absolute("."), d.Absolute(name))
	if err == nil && (filepath.IsLocal(rel) || !filepath.IsAbs(name) && strings.HasPrefix(rel, "..")) {
		return rel
	}
	return name
}

// Read reads a regular file. The error is what the system says; see [Named].
func (d Dir) Read(name string) ([]byte, error) { return ReadFile(d.Path(name)) }

// IsDir reports whether a folder has that name.
func (d Dir) IsDir(name string) bool {
	info, err := os.Stat(d.Path(name))
	return err == nil && info.IsDir()
}

// Names are the names of files that begin with prefix, folders with a slash
// behind; hidden ones only if the prefix says so.
func (d Dir) Names(prefix string) []string {
	dir, base := filepath.Split(prefix)
	where := dir
	if where == "" {
		where = "."
	}
	entries, err := os.ReadDir(d.Path(where))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || strings.HasPrefix(name, ".") && !strings.HasPrefix(base, ".") {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		names = append(names, dir+name)
	}
	return names
}

// roots are absolute names of folders, as they are given and without symbolic
// links.
func (d Dir) roots(dirs []string) (given, real []string) {
	for _, dir := range dirs {
		root := d.Absolute(dir)
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

// isIn reports whether a path lies in one of the folders.
func isIn(roots []string, path string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		rel, err := filepath.Rel(root, path)
		return err == nil && filepath.IsLocal(rel)
	})
}
