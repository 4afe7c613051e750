package input

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A Standing is what stands under a name: what is read under it can be other only if that or the text is other.
type Standing struct {
	Kind string // "file" (a regular one), "nothing", another kind, or the system's reason why it is not known
	// At is the place behind all links, and Folder that of the name's folder, both seen from the folder that names are
	// relative to.
	At, Folder string
}

// IsFile reports whether a regular file stands there.
func (s Standing) IsFile() bool { return s.Kind == "file" }

// Standing is what stands under a name now.
func (d Dir) Standing(name string) Standing {
	path := d.Absolute(name)
	at, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Standing{Kind: whyNot(err)}
	}
	info, err := os.Stat(at)
	if err != nil {
		return Standing{Kind: whyNot(err)}
	}
	kind := info.Mode().Type().String()
	switch {
	case info.Mode().IsRegular():
		kind = "file"
	case info.IsDir():
		kind = "folder"
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return Standing{Kind: whyNot(err)}
	}
	return Standing{kind, d.seen(at), d.seen(folder)}
}

// seen is a real path as it is seen from the folder, so that it is the same where the folder is moved with all in it.
func (d Dir) seen(path string) string {
	root, err := filepath.EvalSymlinks(d.Absolute("."))
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(root, path); err == nil {
		return rel
	}
	return path
}

// whyNot is the system's reason why a place is not known, without the path.
func whyNot(err error) string {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "nothing"
	case errors.As(err, &p):
		return p.Err.Error()
	}
	return err.Error()
}
