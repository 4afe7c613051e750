package source

// The files that the preprocessor sees: our own headers, and what the caller's
// function reads. Which files that may be is the caller's to say.

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"magus/cfa"
)

// A fileSystem implements fs.FS for one unit.
type fileSystem struct {
	read   func(string) ([]byte, error)
	err    error // the first file read that is no C source text
	unread error // why the first file that is there was not read

	conditions conditions // of the texts read
}

// Open implements fs.FS.
func (f *fileSystem) Open(name string) (fs.File, error) {
	text, err := f.text(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &openFile{Reader: bytes.NewReader(frame(text, "")), name: path.Base(name)}, nil
}

// text is the text of a file.
func (f *fileSystem) text(name string) ([]byte, error) {
	if own, found := strings.CutPrefix(name, headerDir+"/"); found {
		if text, ok := ownHeader(own); ok {
			return text, nil
		}
		return nil, fs.ErrNotExist
	}
	if f.read == nil {
		return nil, fs.ErrNotExist
	}
	text, err := f.read(name)
	if err != nil {
		if f.unread == nil && !errors.Is(err, fs.ErrNotExist) {
			f.unread = err
		}
		return nil, err
	}
	text = withoutMark(text)
	err = checkText(name, text)
	if err == nil {
		err = f.conditions.add(name, text)
	}
	if err != nil {
		if f.err == nil {
			f.err = err
		}
		return nil, err
	}
	return text, nil
}

// explain adds to a header that was not found why it was not read.
func (f *fileSystem) explain(err error) error {
	var list cfa.Errors
	if f.unread == nil || !errors.As(err, &list) {
		return err
	}
	for i, e := range list {
		if strings.HasPrefix(e.Msg, "include file not found") {
			list[i].Msg += " (" + f.unread.Error() + ")"
		}
	}
	return list
}

// An openFile is an fs.File over bytes.
type openFile struct {
	*bytes.Reader
	name string
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *openFile) Close() error               { return nil }
func (f *openFile) Name() string               { return f.name }
func (f *openFile) Mode() fs.FileMode          { return 0o444 }
func (f *openFile) ModTime() time.Time         { return time.Time{} }
func (f *openFile) IsDir() bool                { return false }
func (f *openFile) Sys() any                   { return nil }

var _ io.ReadCloser = (*openFile)(nil)
