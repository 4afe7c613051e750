package repl

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode"

	"github.com/chzyer/readline"
)

// Terminal reads lines from a terminal with a history, completion by complete
// and incremental search (ctrl-R). The history is kept in a file, unless its
// name is empty.
func Terminal(in io.ReadCloser, out, err io.Writer, historyFile string,
	complete func(text string) ([]string, string)) (Lines, error) {
	l, e := readline.NewEx(&readline.Config{
		HistoryFile:       historyFile,
		HistorySearchFold: true,
		InterruptPrompt:   "^C",
		EOFPrompt:         "exit",
		Stdin:             &interrupting{ReadCloser: in},
		Stdout:            out,
		Stderr:            err,
		FuncGetWidth: func() int { // the library cannot complete on a width of 0
			if w := readline.GetScreenWidth(); w > 0 {
				return w
			}
			return 80
		},
		AutoComplete: completer(complete),
	})
	if e != nil {
		return nil, e
	}
	return terminal{l}, nil
}

// interrupting puts a bell before each control-C: it closes a list of candidates or
// a search, of which the library would otherwise take control-C to be the end, and
// keep the line.
type interrupting struct {
	io.ReadCloser
	pending []byte
}

const (
	bell     = 0x07
	controlC = 0x03
)

// Read implements [io.Reader].
func (i *interrupting) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(i.pending) == 0 {
		n, err := i.ReadCloser.Read(p)
		if n == 0 {
			return 0, err
		}
		for _, b := range p[:n] {
			if b == controlC {
				i.pending = append(i.pending, bell)
			}
			i.pending = append(i.pending, b)
		}
	}
	n := copy(p, i.pending)
	i.pending = i.pending[n:]
	return n, nil
}

// ScreenWidth is the number of columns of the terminal at standard output, 0 if there
// is none.
func ScreenWidth() int { return max(0, readline.GetScreenWidth()) }

// ScreenHeight is the number of rows of the terminal at a file's descriptor, 0 if there is none.
func ScreenHeight(descriptor uintptr) int {
	_, height, err := readline.GetSize(int(descriptor))
	if err != nil {
		return 0
	}
	return max(0, height)
}

// OnTerminal reports whether standard input and output are a terminal.
func OnTerminal() bool { return readline.DefaultIsTerminal() }

type terminal struct{ l *readline.Instance }

// Line implements [Lines].
func (t terminal) Line(prompt string) (string, error) {
	t.l.SetPrompt(prompt)
	line, err := t.l.Readline()
	if errors.Is(err, readline.ErrInterrupt) {
		return "", ErrInterrupted
	}
	return line, err
}

// Above implements [Printer].
func (t terminal) Above() io.Writer { return t.l.Stdout() }

// Close implements [Lines].
func (t terminal) Close() error { return t.l.Close() }

// completer adapts Complete to the library, which wants what is missing of each
// candidate.
type completer func(text string) ([]string, string)

// Do gives what can follow, in the form that readline wants.
func (c completer) Do(line []rune, pos int) ([][]rune, int) {
	candidates, last := c(string(line[:pos]))
	var missing [][]rune
	for _, s := range candidates {
		if strings.ContainsFunc(s, unicode.IsControl) { // it would not be typed but obeyed
			continue
		}
		rest := []rune(s)[len([]rune(last)):]
		if n := len(s); n == 0 || s[n-1] != '/' {
			rest = append(rest, ' ')
		}
		missing = append(missing, rest)
	}
	return missing, len([]rune(last))
}

// Pipe reads lines from what is no terminal. A last line without an end counts.
func Pipe(in io.Reader) Lines { return pipe{bufio.NewReader(in)} }

type pipe struct{ r *bufio.Reader }

// Line implements [Lines].
func (p pipe) Line(string) (string, error) {
	line, err := p.r.ReadString('\n')
	if err != nil && line == "" {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// Close implements [Lines].
func (p pipe) Close() error { return nil }
