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
	if path, err = filepath.Abs(path); err != nil {
		return t, err
	}
	for range maxLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return target{path: path}, err
		}
		path = filepath.Join(dir, filepath.Base(path))
		to, isLink := linked(path)
		if _, own := descriptorAt(path); own || !isLink {
			t.path = path
			t.info, err = os.Stat(path)
			if os.IsNotExist(err) {
				err = nil
			}
			return t, err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return target{path: path}, &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
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

// Descriptor is the number of an open file of the process, if that is what a path names, as /dev/stdout does.
func Descriptor(path string) (n int, ok bool) {
	for range maxLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return 0, false
		}
		path = filepath.Join(dir, filepath.Base(path))
		if n, ok := descriptorAt(path); ok {
			return n, true
		}
		to, isLink := linked(path)
		if !isLink {
			return 0, false
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return 0, false
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
