package lts

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The FSM format .fsm of mCRL2 (its manual, "File formats"): parameters of states with their values,
// states as rows of indices of values, and transitions, parted by lines of three dashes.
//
//	lock(2) Bool "free" "held"
//	---
//	0
//	1
//	---
//	1 2 "lock"
//	2 1 "unlock"
//
// States count from 1. The first one is initial, unless a fourth part has the number of another one.
// Where there are no parameters there need be no states: then they are those of the transitions. A
// label has no double quotes. Distributions over targets are refused; alphabet beyond the labels and
// ERROR states have no place in the format.

// ReadFSM reads an LTS in .fsm form, as [ReadAut] does in its own. A state is named by its values.
func ReadFSM(r io.Reader, file string, t *Actions, opt AutOptions) (*LTS, error) {
	p := &fsmReader{lineReader: newLineReader(r, file, t, opt), b: NewBuilder(t)}
	return p.read()
}

// fsmReader is the state of one call of ReadFSM.
type fsmReader struct {
	*lineReader
	b          *Builder
	parameters []fsmParameter
	states     int // that have a line
	met        int // the largest number of a state in a transition
	edges      int
}

// A fsmParameter is what each state has a value of.
type fsmParameter struct {
	name   string
	values []string // may be none: then the numbers are the values
}

func (p *fsmReader) read() (*LTS, error) {
	for _, part := range []func() error{p.parameter, p.state} {
		if err := p.part(part); err == io.EOF {
			return nil, p.errorAt(0, "expected parameters, states and transitions, parted by lines of three dashes")
		} else if err != nil {
			return nil, err
		}
	}
	end := p.part(p.transition)
	p.b.AddStates(max(p.states, p.met, 1) - p.states)
	if end == nil {
		end = p.initial()
	}
	if end != nil && end != io.EOF {
		return nil, end
	}
	return p.b.Build(), nil
}

// part reads the lines of a part; at the end of the file it returns io.EOF.
func (p *fsmReader) part(line func() error) error {
	for {
		if err := p.nextLine(); err != nil {
			return err
		}
		if string(bytes.TrimSpace(p.line)) == "---" {
			return nil
		}
		if err := line(); err != nil {
			return err
		}
	}
}

// parameter reads: name(2) Sort "value" "value".
func (p *fsmReader) parameter() error {
	start := p.pos
	for p.pos < len(p.line) && p.line[p.pos] != '(' {
		p.pos++
	}
	name := strings.TrimSpace(string(p.line[start:p.pos]))
	if name == "" {
		return p.errorAt(start, "expected a parameter: name(number of values) type \"value\"...")
	}
	if err := p.expect('('); err != nil {
		return err
	}
	n, err := p.integer()
	if err != nil {
		return err
	}
	if err := p.expect(')'); err != nil {
		return err
	}
	for p.pos < len(p.line) && p.line[p.pos] != '"' { // the type
		p.pos++
	}
	param := fsmParameter{name: name}
	for p.blanks(); p.pos < len(p.line); p.blanks() {
		value, err := p.text("value")
		if err != nil {
			return err
		}
		param.values = append(param.values, string(value))
	}
	if k := len(param.values); k > 0 && k != n {
		return p.errorAt(start, fmt.Sprintf("%s has %d values, not %d", name, k, n))
	}
	p.parameters = append(p.parameters, param)
	return nil
}

// text reads what stands between double quotes.
func (p *fsmReader) text(what string) ([]byte, error) {
	p.blanks()
	if p.pos == len(p.line) || p.line[p.pos] != '"' {
		return nil, p.errorAt(p.pos, "expected a "+what+" in double quotes"+p.found())
	}
	start := p.pos + 1
	end := bytes.IndexByte(p.line[start:], '"')
	if end < 0 {
		return nil, p.errorAt(p.pos, "the "+what+"'s closing quote is missing")
	}
	p.pos = start + end + 1
	return p.line[start : start+end], nil
}

// state reads the indices of a state's values.
func (p *fsmReader) state() error {
	var name []string
	for i, param := range p.parameters {
		p.blanks()
		at := p.pos
		n, err := p.integer()
		if err != nil {
			return err
		}
		value := ""
		if len(p.parameters) > 1 {
			value = strconv.Itoa(n)
		}
		if k := len(param.values); k > 0 {
			if n >= k {
				return p.errorAt(at, fmt.Sprintf("value %d of %s, which has 0 to %d", n, param.name, k-1))
			}
			value = param.values[n]
		}
		if len(p.parameters) > 1 {
			value = p.parameters[i].name + "=" + value
		}
		name = append(name, value)
	}
	if err := p.endOfLine(); err != nil {
		return err
	}
	p.b.AddState(strings.Join(name, " "))
	p.states++
	return nil
}

// transition reads: source target "label".
func (p *fsmReader) transition() error {
	from, err := p.stateNumber()
	if err != nil {
		return err
	}
	to, err := p.stateNumber()
	if err != nil {
		return err
	}
	if p.blanks(); p.pos < len(p.line) && p.line[p.pos] == '[' {
		return p.errorAt(p.pos, "distributions over targets are not read")
	}
	label, err := p.text("label")
	if err != nil {
		return err
	}
	p.b.AddEdge(from, p.intern(label), to)
	p.edges++
	return p.endOfLine()
}

// stateNumber reads the number of a state, from 1. Where no state has a line, at most two are met with each
// transition, beyond a number that is free, so that a short file cannot ask for much memory.
func (p *fsmReader) stateNumber() (State, error) {
	p.blanks()
	at := p.pos
	n, err := p.integer()
	most := p.states
	if p.states == 0 {
		most = max(maxFreeStates, 2*(p.edges+1))
	}
	switch {
	case err != nil:
		return 0, err
	case n == 0:
		return 0, p.errorAt(at, "states count from 1")
	case n > most && p.states > 0:
		return 0, p.errorAt(at, fmt.Sprintf("state %d, but only %d states", n, most))
	case n > most:
		return 0, p.errorAt(at, fmt.Sprintf("state %d, but %d transitions so far", n, p.edges))
	}
	p.met = max(p.met, n)
	return State(n - 1), nil
}

// initial reads the fourth part: the number of the initial state.
func (p *fsmReader) initial() error {
	if err := p.nextLine(); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	at := p.pos
	n, err := p.integer()
	if err != nil {
		return err
	}
	if n == 0 || n > p.b.states {
		return p.errorAt(at, fmt.Sprintf("initial state %d; there are 1 to %d", n, p.b.states))
	}
	p.b.SetInit(State(n - 1))
	if err := p.endOfLine(); err != nil {
		return err
	}
	if err := p.nextLine(); err != io.EOF {
		if err == nil {
			err = p.errorAt(p.pos, "unexpected text behind the initial state")
		}
		return err
	}
	return nil
}

// endOfLine refuses what is left of a line.
func (p *fsmReader) endOfLine() error {
	if p.blanks(); p.pos < len(p.line) {
		return p.errorAt(p.pos, "unexpected text at the end of the line")
	}
	return nil
}

// mostNamed is of how many states WriteFSM writes the names, which stand in one line.
const mostNamed = 1 << 13

// WriteFSM writes m in .fsm form, τ as "tau", with its initial state first. There is one parameter, of which each
// state has a value of its own: its name, where states have names and are not many. The error says so if a label
// has what the format has not.
func WriteFSM(w io.Writer, m *LTS) error {
	for _, a := range m.alphabet {
		if name := m.actions.Name(a); strings.ContainsAny(name, "\"\n\r") {
			return fmt.Errorf("the form .fsm has no quotes and no ends of lines in labels: %q", name)
		}
	}
	number := func(s State) State { // the initial state is the first
		switch {
		case s == m.init:
			return 1
		case s < m.init:
			return s + 2
		}
		return s + 1
	}
	order := make([]State, m.NumStates())
	for s := range State(m.NumStates()) {
		order[number(s)-1] = s
	}
	out := bufio.NewWriterSize(w, 64<<10)
	fmt.Fprintf(out, "state(%d) State", m.NumStates())
	if m.name != nil && m.NumStates() <= mostNamed {
		for _, s := range order {
			fmt.Fprintf(out, " \"%s\"", fsmValue.Replace(m.StateName(s)))
		}
	}
	fmt.Fprintf(out, "\n---\n")
	for i := range order {
		fmt.Fprintf(out, "%d\n", i)
	}
	fmt.Fprintf(out, "---\n")
	for _, s := range order {
		for _, e := range m.Out(s) {
			if _, err := fmt.Fprintf(out, "%d %d \"%s\"\n", number(s), number(e.To),
				m.actions.Name(e.Action)); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// fsmValue takes from a name what a value cannot have.
var fsmValue = strings.NewReplacer(`"`, `'`, "\n", " ", "\r", " ")
