package input

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"magus/internal/phrase"
)

// An Error is a mistake in the input. Its message says where it belongs, and
// may have several lines.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

// Errorf is an [Error] with a message.
func Errorf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Named makes an error about a file one line that begins with its name. What is
// an [Error] already stays as it is.
func Named(name string, err error) error {
	var input *Error
	if err == nil || errors.As(err, &input) {
		return err
	}
	return Errorf("%s: %s", name, Cause(err))
}

// unreadable says why a file that another one names was not read: its name and the [Cause].
type unreadable struct {
	name string
	err  error
}

func (e *unreadable) Error() string { return e.name + ": " + Cause(e.err) }
func (e *unreadable) Unwrap() error { return e.err }

// Cause is what the system says about a file, without the operation and the
// path. Of a file that is not there it tells which of its folder may have been meant,
// and where a link of that name leads.
func Cause(err error) string {
	var p *fs.PathError
	var l *os.LinkError
	named := errors.As(err, &p)
	switch {
	case errors.As(err, &l):
		return l.Err.Error()
	case errors.Is(err, fs.ErrNotExist) && named:
		if to, err := os.Readlink(p.Path); err == nil {
			return "no such file: a link to " + to + ", which is not there"
		}
		return "no such file" + phrase.Misspelt(filepath.Base(p.Path), similar(p.Path))
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case named:
		return p.Err.Error()
	}
	return err.Error()
}

// similar are the files in a file's folder that end as it does and are called nearly as it is before that.
func similar(path string) (names []string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(filepath.Base(path), ext)
	for _, e := range entries {
		other, same := strings.CutSuffix(e.Name(), ext)
		if same && !e.IsDir() && phrase.Misspelt(stem, []string{other}) != "" {
			names = append(names, e.Name())
		}
	}
	return names
}
