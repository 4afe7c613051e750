package compdb

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A Command is one entry: how one file is compiled.
type Command struct {
	Directory string   // what names in it are relative to
	File      string   // the source
	Arguments []string // the compiler, then what it is told
	Output    string   // what is written, "" if nothing says so
	Line      int      // where the entry begins
	Err       error    // why the entry cannot be used; the rest may be missing then
}

// entry is an entry as it is written.
type entry struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Arguments []string `json:"arguments"`
	Command   string   `json:"command"`
	Output    string   `json:"output"`
}

// Parse reads a database. An entry that is not as it must be has an error of its own;
// text that is no JSON, or no array, is one of the database. That says the line, without
// the file's name.
func Parse(text []byte) ([]Command, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil {
		return nil, wrong(text, d, err)
	} else if t != json.Delim('[') {
		return nil, fmt.Errorf("%d: a compilation database is a JSON array of objects", line(text, d.InputOffset()))
	}
	var all []Command
	for d.More() {
		at := line(text, begin(text, d.InputOffset()))
		var e entry
		err := d.Decode(&e)
		var mistyped *json.UnmarshalTypeError
		if err != nil && !errors.As(err, &mistyped) {
			return nil, wrong(text, d, err)
		}
		c, err := e.command()
		if mistyped != nil {
			err = unlike(mistyped)
		}
		c.Line, c.Err = at, err
		all = append(all, c)
	}
	if _, err := d.Token(); err != nil {
		return nil, wrong(text, d, err)
	}
	if d.More() {
		return nil, fmt.Errorf("%d: something follows the array", line(text, begin(text, d.InputOffset())))
	}
	return all, nil
}

// command checks an entry and takes its command apart. If there are both, the
// arguments are what counts, as in the specification.
func (e entry) command() (Command, error) {
	c := Command{Directory: e.Directory, File: e.File, Arguments: e.Arguments, Output: e.Output}
	switch {
	case e.File == "":
		return c, errors.New(`the entry has no "file"`)
	case e.Directory == "":
		return c, fmt.Errorf(`the entry of %s has no "directory"`, e.File)
	case len(e.Arguments) > 0:
		c.Output = cmp.Or(c.Output, output(c.Arguments))
		return c, nil
	case strings.TrimSpace(e.Command) == "":
		return c, fmt.Errorf(`the entry of %s has neither "arguments" nor "command"`, e.File)
	}
	var err error
	if c.Arguments, err = Split(e.Command); err != nil {
		return c, fmt.Errorf("the command of %s: %w", e.File, err)
	}
	c.Output = cmp.Or(c.Output, output(c.Arguments))
	return c, nil
}

// wrong says in which line the JSON is wrong, and what in it.
func wrong(text []byte, d *json.Decoder, err error) error {
	at := d.InputOffset()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = syntax.Offset
	}
	msg := strings.TrimPrefix(err.Error(), "json: ")
	if strings.HasSuffix(msg, "EOF") || msg == "unexpected end of JSON input" {
		at, msg = int64(len(text)), "the file ends within the array"
	}
	return fmt.Errorf("%d: %s", line(text, at), msg)
}

// unlike says what a part of an entry is that has the wrong type.
func unlike(err *json.UnmarshalTypeError) error {
	if err.Field == "" {
		return fmt.Errorf("an entry is an object, not a JSON %s", err.Value)
	}
	return fmt.Errorf("%q is a %s, not a %v", err.Field, err.Value, err.Type)
}

// begin is where the next value begins, at or behind an offset.
func begin(text []byte, offset int64) int64 {
	rest := text[min(offset, int64(len(text))):]
	return offset + int64(len(rest)-len(bytes.TrimLeft(rest, ", \t\r\n")))
}

func line(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(offset, int64(len(text)))], []byte("\n"))
}
