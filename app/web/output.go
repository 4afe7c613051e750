package web

// What commands print, and how far they are: at the terminal and for pages.

import (
	"bytes"
	"io"
	"strings"

	"magus/app/repl"
	"magus/internal/pattern"
)

// running is a command that runs.
type running struct {
	command, from string
	text          strings.Builder
	cut           bool
	seconds       float64 // when it began
}

// The log is as long as a person may want to look back.
const (
	mostEntries = 500
	mostText    = 100_000 // of an entry
)

// tee is where the shell prints: the terminal, and the entry of the command that runs.
type tee struct {
	s  *Shared
	to io.Writer
}

// Write implements [io.Writer].
func (t *tee) Write(p []byte) (int, error) {
	t.s.mu.Lock()
	to := t.to
	if r := t.s.current; r != nil {
		r.add(string(p))
		if r.from == fromPage && t.s.above != nil {
			to = t.s.above
		}
	}
	t.s.mu.Unlock()
	return to.Write(p)
}

// add adds to what a command has printed, up to a limit.
func (r *running) add(text string) {
	text = colours().ReplaceAllString(text, "")
	if left := mostText - r.text.Len(); len(text) > left {
		if !r.cut {
			r.text.WriteString(strings.ToValidUTF8(text[:max(0, left)], "") + "\n... the terminal has the rest\n")
		}
		r.cut = true
		return
	}
	r.text.WriteString(text)
}

// colours are what terminals are told colours by.
var colours = pattern.New("\x1b\\[[0-9;]*m")

// echo shows the terminal what a page does.
func (s *Shared) echo(line string) {
	var to io.Writer = s.outer.Out
	if s.above != nil {
		to = s.above
	}
	_, _ = io.WriteString(to, "page> "+strings.TrimSpace(line)+"\n")
}

// complain shows the terminal what is wrong.
func (s *Shared) complain(text string) {
	var to io.Writer = s.outer.Err
	if s.above != nil {
		to = s.above
	}
	_, _ = io.WriteString(to, text+"\n")
}

// watch is [repl.Host.Watch]: the line of the terminal, and the pages'.
func (s *Shared) watch() repl.Watch {
	w := &watch{s: s}
	s.mu.Lock()
	byPage := s.current != nil && s.current.from == fromPage
	s.mu.Unlock()
	if s.outer.Watch != nil && !byPage {
		w.outer = s.outer.Watch()
	}
	return w
}

type watch struct {
	s     *Shared
	outer repl.Watch // nil if there is none
}

// Say implements [repl.Watch].
func (w *watch) Say(text string) {
	if w.outer != nil {
		w.outer.Say(text)
	}
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	if w.s.current == nil {
		return
	}
	next := *w.s.state
	next.Busy = &Busy{Command: w.s.current.command, From: w.s.current.from, Progress: text}
	w.s.publish(&next)
}

// Erase implements [repl.Watch].
func (w *watch) Erase() {
	if w.outer != nil {
		w.outer.Erase()
	}
}

// End implements [repl.Watch].
func (w *watch) End() {
	if w.outer != nil {
		w.outer.End()
	}
}

// whole writes whole lines.
type whole struct {
	to   io.Writer
	line []byte // that has not ended
}

// Write implements [io.Writer].
func (w *whole) Write(p []byte) (int, error) {
	w.line = append(w.line, p...)
	end := bytes.LastIndexByte(w.line, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	_, err := w.to.Write(w.line[:end])
	w.line = append([]byte(nil), w.line[end:]...)
	return len(p), err
}

// flush writes a line that has not ended.
func (w *whole) flush() error {
	if len(w.line) == 0 {
		return nil
	}
	_, err := w.Write([]byte("\n"))
	return err
}
