package input

// Only regular files are read: what is none may never end, or wait for ever, or do something.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Limit is how large a file may be that is read as a whole.
const Limit = 1 << 30

// Open opens a regular file. What is another kind of file is refused at once, and not opened.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may have become another one
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// ReadFile reads a regular file of no more than [Limit] bytes.
func ReadFile(path string) ([]byte, error) { return readUpTo(path, Limit) }

// readUpTo reads a regular file of no more than limit bytes.
func readUpTo(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	tooLarge := &fs.PathError{Op: "read", Path: path,
		Err: fmt.Errorf("the file is larger than %d MiB, and not read", limit>>20)}
	if info, err := file.Stat(); err == nil && info.Size() > limit {
		return nil, tooLarge
	}
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = tooLarge
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

// regular is the error of what is no regular file.
func regular(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "read", Path: path, Err: errors.New(KindOfFile(info) + ", and only regular files are read")}
	}
	return nil
}

// KindOfFile says what is no regular file.
func KindOfFile(info fs.FileInfo) string {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return "a folder"
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeSocket != 0:
		return "a socket"
	case mode&os.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}
