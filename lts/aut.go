package lts

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
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

// ReadAut reads an LTS in .aut form; file is the name that errors begin with. It reads line by line
// and keeps nothing but the LTS. The error is a *SyntaxError, or what r returned with the file's name.
func ReadAut(r io.Reader, file string, t *Actions, opt AutOptions) (*LTS, error) {
	p := &autReader{newLineReader(r, file, t, opt)}
	return p.read()
}

// autReader is the state of one call of ReadAut.
type autReader struct{ *lineReader }

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
