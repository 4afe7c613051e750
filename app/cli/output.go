package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"unicode"
	"unicode/utf8"
)

// An output is standard output or standard error as commands write to it. Names,
// comments and messages in the input may contain anything: what could move the
// cursor, change colours or turn the direction of text round is written as an
// escape, \u001b. In JSON, where such characters stand in strings only, that is
// the same text. The first error of writing is kept.
type output struct {
	w       io.Writer
	partial []byte // of a character
	palette *palette
	err     error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	text := append(o.partial, p...)
	end := len(text)
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ { // the last character may not be complete
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-n:]) {
				end -= n
			}
			break
		}
	}
	o.partial = bytes.Clone(text[end:])
	return len(p), o.flush(text[:end])
}

// close writes what has been kept, and returns the first error.
func (o *output) close() error {
	rest := o.partial
	o.partial = nil
	_ = o.flush(rest)
	return o.err
}

// flush writes whole characters; after the first error, nothing.
func (o *output) flush(text []byte) error {
	if o.err == nil && len(text) > 0 {
		_, o.err = o.w.Write(o.palette.colours(visible(text)))
	}
	return o.err
}

// visible is a text with escapes for what does not only print.
func visible(text []byte) []byte {
	if bytes.IndexFunc(text, movesTerminal) < 0 && utf8.Valid(text) {
		return text
	}
	var b bytes.Buffer
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case movesTerminal(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(text[:n])
		}
		text = text[n:]
	}
	return b.Bytes()
}

// movesTerminal reports whether a terminal may take a character for something to do.
func movesTerminal(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}

// guard puts outputs before the world's.
func (w *World) guard() (out, err *output) {
	w.palette = newPalette()
	out, err = &output{w: w.Stdout, palette: w.palette}, &output{w: w.Stderr}
	w.rawOut, w.rawErr = w.Stdout, w.Stderr
	w.Stdout, w.Stderr = out, err
	w.watchFiles()
	return out, err
}

// data is standard output for what programs read: byte by byte, unless it is a
// terminal.
func (w *World) data() io.Writer {
	if f, ok := w.rawOut.(*os.File); ok && isTerminal(f) {
		return w.Stdout
	}
	return w.rawOut
}
