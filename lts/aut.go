package lts

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The Aldebaran format .aut of CADP and mCRL2 (CADP's manual page "aut"): a header, then one
// transition a line.
//
//	des (0, 2, 2)
//	(0, "lock", 1)
//	(1, unlock(x, 1), 0)
//
// The header gives initial state, number of transitions, number of states; both counts are verified.
// A label is written with or without quotes. Without, it extends to the last comma of the line. Within
// quotes \" \\ \n \r stand for the characters they name (this is ours: CADP has no escapes), and a
// backslash before anything else for itself. Blanks around tokens, empty lines and CRLF are read.
// Alphabet beyond the labels, state names and ERROR states have no place in the format.

// AutOptions says how to read .aut text. The zero value is the default.
type AutOptions struct {
	Tau []string // the labels that stand for τ; nil means "tau" alone. CADP writes "i"
}

// SyntaxError is a fault in a text that is read.
type SyntaxError struct {
	File         string
	Line, Column int // from 1; the column counts bytes
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// ReadAut reads an LTS in .aut form; file is the name that errors begin with. It reads line by line
// and keeps nothing but the LTS. The error is a *SyntaxError, or what r returned with the file's name.
func ReadAut(r io.Reader, file string, t *Actions, opt AutOptions) (*LTS, error) {
	p := &autReader{in: bufio.NewReaderSize(r, 64<<10), file: file, actions: t, known: map[string]Action{}}
	if mark, _ := p.in.Peek(3); string(mark) == "\ufeff" {
		_, _ = p.in.Discard(3)
	}
	tau := opt.Tau
	if tau == nil {
		tau = []string{tauName}
	}
	for _, label := range tau {
		p.known[label] = Tau
	}
	return p.read()
}

// autReader is the state of one call of ReadAut: the current line and the position in it.
type autReader struct {
	in      *bufio.Reader
	file    string
	actions *Actions
	known   map[string]Action // labels met, as a cache in front of actions

	line   []byte
	number int
	pos    int
}

func (p *autReader) read() (*LTS, error) {
	if err := p.nextLine(); err == io.EOF {
		return nil, p.errorAt(0, "empty file, expected des (initial state, transitions, states)")
	} else if err != nil {
		return nil, err
	}
	init, edges, states, err := p.header()
	if err != nil {
		return nil, err
	}
	headerLine := p.number
	b := NewBuilder(p.actions)
	for err = p.nextLine(); err == nil; err = p.nextLine() {
		if len(b.edges) == edges {
			return nil, p.errorAt(p.pos, fmt.Sprintf("more than the %d transitions of the header", edges))
		}
		if err := p.transition(b, states); err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	if len(b.edges) != edges {
		p.number = headerLine
		return nil, p.errorAt(0, fmt.Sprintf("the header announces %d transitions, the file has %d", edges, len(b.edges)))
	}
	b.AddStates(states)
	b.SetInit(State(init))
	return b.Build(), nil
}

// maxFreeStates is how many states a header may declare whatever the number of transitions; beyond
// it, at most two a transition, so that a short file cannot ask for much memory.
const maxFreeStates = 1 << 16

// header reads: des (init, edges, states).
func (p *autReader) header() (init, edges, states int, err error) {
	p.blanks()
	if !bytes.HasPrefix(p.line[p.pos:], []byte("des")) {
		return 0, 0, 0, p.errorAt(p.pos, "expected des (initial state, transitions, states)")
	}
	p.pos += len("des")
	var at [3]int
	var values [3]int
	for i, open := range []byte("(,,") {
		if err := p.expect(open); err != nil {
			return 0, 0, 0, err
		}
		p.blanks()
		at[i] = p.pos
		if values[i], err = p.integer(); err != nil {
			return 0, 0, 0, err
		}
	}
	if err := p.closeLine(); err != nil {
		return 0, 0, 0, err
	}
	init, edges, states = values[0], values[1], values[2]
	switch {
	case states == 0:
		err = p.errorAt(at[2], "an LTS has at least one state")
	case init >= states:
		err = p.errorAt(at[0], fmt.Sprintf("initial state %d, but only %d states", init, states))
	case states > maxFreeStates && states > 2*edges+1:
		err = p.errorAt(at[2], fmt.Sprintf("%d states, but %d transitions can mention at most %d", states, edges, 2*edges+1))
	}
	return init, edges, states, err
}

// transition reads: (from, label, to).
func (p *autReader) transition(b *Builder, states int) error {
	if err := p.expect('('); err != nil {
		return err
	}
	from, err := p.state(states)
	if err != nil {
		return err
	}
	if err := p.expect(','); err != nil {
		return err
	}
	a, err := p.label()
	if err != nil {
		return err
	}
	if err := p.expect(','); err != nil {
		return err
	}
	to, err := p.state(states)
	if err != nil {
		return err
	}
	if err := p.closeLine(); err != nil {
		return err
	}
	b.AddEdge(from, a, to)
	return nil
}

func (p *autReader) state(states int) (State, error) {
	p.blanks()
	at := p.pos
	s, err := p.integer()
	if err == nil && s >= states {
		err = p.errorAt(at, fmt.Sprintf("state %d, but only %d states", s, states))
	}
	return State(s), err
}

func (p *autReader) integer() (int, error) {
	start, n := p.pos, 0
	for p.pos < len(p.line) && p.line[p.pos] >= '0' && p.line[p.pos] <= '9' {
		n = 10*n + int(p.line[p.pos]-'0')
		if n > math.MaxInt32 {
			return 0, p.errorAt(start, fmt.Sprintf("number too large (the limit is %d)", math.MaxInt32))
		}
		p.pos++
	}
	if p.pos == start {
		return 0, p.errorAt(start, "expected a number"+p.found())
	}
	return n, nil
}

// label reads a quoted or unquoted label up to the comma before the target.
func (p *autReader) label() (Action, error) {
	p.blanks()
	start := p.pos
	if p.pos < len(p.line) && p.line[p.pos] == '"' {
		text, err := p.quoted()
		if err != nil {
			return Tau, err
		}
		return p.intern(text), nil
	}
	comma := bytes.LastIndexByte(p.line, ',')
	if comma < start {
		return Tau, p.errorAt(start, "expected a label, a comma and a state")
	}
	text := bytes.TrimRight(p.line[start:comma], " \t")
	if len(text) == 0 {
		return Tau, p.errorAt(start, "expected a label"+p.found())
	}
	p.pos = comma
	return p.intern(text), nil
}

// quoted reads a label in quotes and returns it without them.
func (p *autReader) quoted() ([]byte, error) {
	start := p.pos
	var unescaped []byte // nil while there is no escape
	for p.pos++; p.pos < len(p.line); p.pos++ {
		c := p.line[p.pos]
		if c == '"' {
			text := unescaped
			if text == nil {
				text = p.line[start+1 : p.pos]
			}
			p.pos++
			return text, nil
		}
		if c == '\\' && p.pos+1 < len(p.line) {
			if i := strings.IndexByte(`"\nr`, p.line[p.pos+1]); i >= 0 {
				if unescaped == nil {
					unescaped = append([]byte{}, p.line[start+1:p.pos]...)
				}
				unescaped = append(unescaped, "\"\\\n\r"[i])
				p.pos++
				continue
			}
		}
		if unescaped != nil {
			unescaped = append(unescaped, c)
		}
	}
	return nil, p.errorAt(start, "the label's closing quote is missing")
}

func (p *autReader) intern(label []byte) Action {
	if a, ok := p.known[string(label)]; ok {
		return a
	}
	a := p.actions.Intern(string(label))
	p.known[string(label)] = a
	return a
}

// closeLine reads a closing parenthesis and nothing else.
func (p *autReader) closeLine() error {
	if err := p.expect(')'); err != nil {
		return err
	}
	p.blanks()
	if p.pos < len(p.line) {
		return p.errorAt(p.pos, "unexpected text at the end of the line")
	}
	return nil
}

func (p *autReader) expect(c byte) error {
	p.blanks()
	if p.pos == len(p.line) || p.line[p.pos] != c {
		return p.errorAt(p.pos, fmt.Sprintf("expected %q", c)+p.found())
	}
	p.pos++
	return nil
}

func (p *autReader) found() string {
	if p.pos >= len(p.line) {
		return ", found the end of the line"
	}
	r, _ := utf8.DecodeRune(p.line[p.pos:])
	return fmt.Sprintf(", found %q", r)
}

func (p *autReader) blanks() {
	for p.pos < len(p.line) && (p.line[p.pos] == ' ' || p.line[p.pos] == '\t') {
		p.pos++
	}
}

// maxAutLine bounds the length of a line, in bytes.
const maxAutLine = 1 << 20

// nextLine reads up to the next line that is not empty; at the end of the input it returns io.EOF.
func (p *autReader) nextLine() error {
	for {
		p.pos = 0
		p.number++
		line, err := p.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			line, err = p.longLine(line)
		}
		p.line = bytes.TrimRight(line, "\r\n")
		switch {
		case len(p.line) > maxAutLine:
			return p.errorAt(0, fmt.Sprintf("line longer than %d bytes", maxAutLine))
		case err != nil && err != io.EOF:
			return fmt.Errorf("%s: %w", p.file, err)
		case !utf8.Valid(p.line):
			return p.errorAt(firstInvalid(p.line), "not UTF-8")
		case len(bytes.TrimSpace(p.line)) > 0:
			p.blanks()
			return nil
		case err == io.EOF:
			return io.EOF
		}
	}
}

// longLine continues a line that did not fit the buffer, up to a little more than maxAutLine.
func (p *autReader) longLine(start []byte) ([]byte, error) {
	line := slices.Clone(start)
	for len(line) <= maxAutLine+2 {
		more, err := p.in.ReadSlice('\n')
		line = append(line, more...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
	return line, nil
}

func firstInvalid(line []byte) int {
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(line)
}

func (p *autReader) errorAt(pos int, message string) error {
	return &SyntaxError{File: p.file, Line: p.number, Column: pos + 1, Message: message}
}

var autEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`)

// WriteAut writes m in .aut form, with all labels in quotes, τ as "tau", and transitions in the order
// of their sources. What [ReadAut] makes of it equals m up to alphabet without transitions, state
// names and ERROR states, which the format cannot express.
func WriteAut(w io.Writer, m *LTS) error {
	out := newAutWriter(w, m.actions, m.alphabet)
	fmt.Fprintf(out, "des (%d, %d, %d)\n", m.init, m.NumEdges(), m.NumStates())
	for s := range State(m.NumStates()) {
		for _, e := range m.Out(s) {
			if err := out.transition(s, e.Action, e.To); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// WriteAut writes the composition in .aut form, as [WriteAut] writes its LTS.
func (c *Composition) WriteAut(w io.Writer) error {
	out := newAutWriter(w, c.components[0].actions, c.alphabet)
	fmt.Fprintf(out, "des (0, %d, %d)\n", c.NumEdges(), c.NumStates())
	if err := c.each(out.transition); err != nil {
		return err
	}
	return out.Flush()
}

// autWriter writes transitions.
type autWriter struct {
	*bufio.Writer
	labels []string // by action
	line   []byte
}

func newAutWriter(w io.Writer, actions *Actions, alphabet []Action) *autWriter {
	out := &autWriter{Writer: bufio.NewWriterSize(w, 64<<10), labels: make([]string, actions.Len())}
	for _, a := range append([]Action{Tau}, alphabet...) {
		out.labels[a] = `,"` + autEscapes.Replace(actions.Name(a)) + `",`
	}
	return out
}

func (w *autWriter) transition(from State, a Action, to State) error {
	w.line = append(w.line[:0], '(')
	w.line = strconv.AppendUint(w.line, uint64(from), 10)
	w.line = append(w.line, w.labels[a]...)
	w.line = strconv.AppendUint(w.line, uint64(to), 10)
	w.line = append(w.line, ')', '\n')
	_, err := w.Write(w.line)
	return err
}
