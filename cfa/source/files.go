package source

// The files that the preprocessor sees: our own headers, and what the caller's
// function reads. Which files that may be is the caller's to say.

import (
	"errors"
	"io/fs"
	"strings"

	"magus/cfa"
)

// A fileSystem reads the files of one unit.
type fileSystem struct {
	read   func(string) ([]byte, error)
	own    bool  // a header that comes with magus was read
	err    error // the first file read that is no C source text
	unread error // why the first file that is there was not read
}

// text is the text of a file.
func (f *fileSystem) text(name string) ([]byte, error) {
	if own, found := strings.CutPrefix(name, headerDir+"/"); found {
		if text, ok := ownHeader(own); ok {
			f.own = true
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
	if err = checkText(name, text); err != nil {
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

// noFiles is for the library, which includes nothing.
type noFiles struct{}

// Open implements fs.FS.
func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
