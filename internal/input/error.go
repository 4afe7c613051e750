package input

import (
	"errors"
	"fmt"
	"io/fs"
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

// Cause is what the system says about a file, without the operation and the
// path.
func Cause(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
