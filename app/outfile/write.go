package outfile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"magus/app/input"
)

// special is the error of what is there and neither regular nor a device that takes characters.
func (t target) special() error {
	if t.info.IsDir() {
		return syscall.EISDIR
	}
	return refusal("there is " + input.KindOfFile(t.info))
}

// opens looks whether what is there opens for writing. It is never waited for.
func (t target) opens() error {
	file, err := os.OpenFile(t.path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

// isOld reports whether there is a regular file with something in it.
func (t target) isOld() bool {
	if t.path == "" {
		return false
	}
	info, err := os.Stat(t.path)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

// has reports whether there is a regular file with a text, which is not nil.
func (t target) has(text []byte) bool {
	if text == nil || t.info == nil || t.info.Size() != int64(len(text)) {
		return false
	}
	there, err := input.ReadFile(t.path)
	return err == nil && bytes.Equal(there, text)
}

// write writes the target: what is no regular file as it comes, a regular one beside and then in its place.
func (t target) write(text func(io.Writer) error) error {
	if t.info != nil && !t.info.Mode().IsRegular() {
		file, err := os.OpenFile(t.path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		return writeTo(file, text)
	}
	mode := os.FileMode(0o666) // less the user's mask
	if t.info != nil {
		mode = t.info.Mode().Perm()
	}
	file, err := temporary(t.path, mode)
	if err != nil {
		return err
	}
	if t.info != nil {
		err = file.Chmod(mode) // no mask
	}
	err = errors.Join(err, writeTo(file, text))
	if err == nil {
		err = os.Rename(file.Name(), t.path)
	}
	if err != nil {
		_ = os.Remove(file.Name()) // what stands in its way is told
	}
	return err
}

// writeTo writes to a file and closes it; the first error counts.
func writeTo(file *os.File, text func(io.Writer) error) error {
	err := text(file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// WriteOpen writes to an open file of the process by its path, as it comes.
func WriteOpen(path string, text func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	return writeTo(file, text)
}

// Keep writes a file of a cache, and its folder if there is none. Nobody sees a part of it. A link is replaced, and
// what it leads to stays. What is no file stays.
func Keep(path string, text []byte) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return input.Named(folder, err)
	}
	t := target{path: path}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() && info.Mode()&os.ModeSymlink == 0 {
		t.info = info
		return input.Named(path, t.special())
	}
	return input.Named(path, t.write(func(out io.Writer) error { _, err := out.Write(text); return err }))
}
