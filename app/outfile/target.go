package outfile

// Where a name leads.

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// A target is the file that a name leads to, which may not be there.
type target struct {
	path string      // without links
	info fs.FileInfo // nil if nothing is there
}

// maxLinks is how many links are followed.
const maxLinks = 40

// follow finds the target of a path. A link that leads nowhere leads to the file that is not there.
func follow(path string) (t target, err error) {
	if t.path, err = filepath.Abs(path); err != nil {
		return t, err
	}
	if t.path, err = resolve(t.path); err != nil {
		return t, err
	}
	if t.info, err = os.Stat(t.path); os.IsNotExist(err) {
		err = nil
	}
	return t, err
}

// resolve follows links from an absolute path, as far as to an open file of the process or to what is no link.
func resolve(path string) (string, error) {
	for range maxLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return path, err
		}
		path = filepath.Join(dir, filepath.Base(path))
		to, isLink := linked(path)
		if _, own := descriptorAt(path); own || !isLink {
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return path, &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}

// linked is where a link leads.
func linked(path string) (to string, ok bool) {
	to, err := os.Readlink(path)
	return to, err == nil
}

// same reports whether two targets are one file.
func (t target) same(u target) bool {
	return t.path == u.path || t.info != nil && u.info != nil && os.SameFile(t.info, u.info)
}

// Descriptor is the number of an open file of the process, if that is what an absolute path names, as /dev/stdout does.
func Descriptor(path string) (n int, ok bool) {
	path, err := resolve(path)
	if err != nil {
		return 0, false
	}
	return descriptorAt(path)
}

// descriptorAt is the number of an open file of the process, if a path without links names it.
func descriptorAt(path string) (n int, ok bool) {
	dir, base := filepath.Split(path)
	if dir != "/dev/fd/" && dir != fmt.Sprintf("/proc/%d/fd/", os.Getpid()) {
		return 0, false
	}
	n, err := strconv.Atoi(base)
	return n, err == nil
}
