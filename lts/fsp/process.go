package fsp

import (
	"slices"
	"strconv"
	"strings"

	"magus/lts"
)

// Primitive processes: their local processes are written out for all values of their indices, then each has
// its transitions. END is a state with a transition "tick" to STOP as long as processes are built, as
// termination in CSP; so it survives minimisation, and P; Q replaces it by the beginning of Q.
// Cost: linear in what is written out.

// primitive is one construction of a primitive process.
type primitive struct {
	*builder
	def    *definition
	b      *lts.Builder
	states map[string]*localInstance // by name with indices, as BUFFER[3]
	order  []*localInstance
	fixed  map[string]lts.State // STOP, END, ERROR
}

// A localInstance is a local process with values of its indices.
type localInstance struct {
	name  string
	in    *env
	body  *body // a choice or a reference
	state lts.State
	known bool // state is
	open  bool // state is being found out
}

// primitive builds a process with arguments.
func (b *builder) primitive(d *definition, in *env) *lts.LTS {
	p := &primitive{builder: b, def: d, b: lts.NewBuilder(b.table), states: map[string]*localInstance{},
		fixed: map[string]lts.State{}}
	for i := range d.locals {
		p.declare(&d.locals[i], in)
	}
	p.b.SetInit(p.resolve(p.order[0]))
	for _, at := range p.order {
		if at.body.kind == bodyChoice {
			p.choices(p.resolve(at), at.body, at.in)
		}
	}
	if d.extra != nil {
		for _, text := range b.elements(d.extra, in) {
			p.b.Alphabet(b.table.Intern(text))
		}
	}
	m := b.relabelled(p.b.Build(), d.relabels, in)
	m = b.hide(m, d, in)
	if d.property {
		m = b.property(m, d)
	}
	m = b.quotient(lts.Reachable(m), d)
	return m
}

// declare writes out a local process.
func (p *primitive) declare(l *local, in *env) {
	p.parts("", l.indices, in, func(text string, in *env) {
		p.step()
		name := indexed(l.name, text)
		if p.states[name] != nil {
			p.src.fail(l.at, "%s is defined twice", name)
		}
		at := &localInstance{name: name, in: in, body: p.decide(l.body, in)}
		p.states[name] = at
		p.order = append(p.order, at)
	})
	if l.name == p.def.name && len(p.order) == 0 {
		p.src.fail(l.at, "%s has no state: there are no values for its indices", l.name)
	}
}

// indexed is the name of a local process with its indices.
func indexed(name, indices string) string {
	if indices == "" {
		return name
	}
	return name + "[" + indices + "]"
}

var stop = &body{kind: bodyRef, name: "STOP"}

// decide follows if to what is done.
func (p *primitive) decide(b *body, in *env) *body {
	for b.kind == bodyIf {
		switch {
		case p.holds(b.cond, in):
			b = b.then
		case b.otherwise == nil:
			return stop
		default:
			b = b.otherwise
		}
	}
	return b
}

// resolve is the state of a local process, which is that of another one if nothing else is said.
func (p *primitive) resolve(at *localInstance) lts.State {
	switch {
	case at.known:
		return at.state
	case at.open:
		p.src.fail(at.body.at, "%s is defined by itself", at.name)
	}
	at.open = true
	if p.depth++; p.depth > maxAliases {
		p.src.fail(at.body.at, "more than %d local processes that are others", maxAliases)
	}
	switch some := p.sequence(at.body, at.in); {
	case at.body.kind == bodyChoice:
		at.state = p.b.AddState(at.name)
	case len(some) > 0: // which may lead back here
		at.state, at.known = p.b.AddState(at.name), true
		p.insertAll(some, p.named(at.body, at.in), &at.state)
	default:
		at.state = p.named(at.body, at.in)
	}
	p.depth--
	at.known = true
	return at.state
}

// sequence are the processes that come before the name of a reference, without those that end at once.
func (p *primitive) sequence(b *body, in *env) (some []*lts.LTS) {
	for _, ref := range b.seq {
		if m := p.part(ref, in); !p.ends(m, m.Init()) {
			some = append(some, m)
		}
	}
	return some
}

// ends says whether a state of a process is END.
func (p *primitive) ends(m *lts.LTS, s lts.State) bool {
	out := m.Out(s)
	return len(out) == 1 && out[0].Action == p.tick
}

// maxAliases bounds local processes that are one another.
const maxAliases = 100_000

// target is the state that a reference leads to.
func (p *primitive) target(b *body, in *env) lts.State {
	return p.insertAll(p.sequence(b, in), p.named(b, in), nil)
}

// insertAll puts processes before a state and gives the beginning, which is start if that is not nil.
func (p *primitive) insertAll(some []*lts.LTS, to lts.State, start *lts.State) lts.State {
	for i, m := range slices.Backward(some) {
		if i > 0 {
			to = p.insert(m, to, nil)
		} else {
			to = p.insert(m, to, start)
		}
	}
	return to
}

// named is the state of a local process by its name and indices.
func (p *primitive) named(b *body, in *env) lts.State {
	indices := make([]string, len(b.indices))
	for i, e := range b.indices {
		indices[i] = p.eval(e, in).String()
	}
	name := indexed(b.name, strings.Join(indices, "."))
	if at := p.states[name]; at != nil {
		return p.resolve(at)
	}
	if isState(b.name) && len(b.indices) == 0 {
		return p.fixedState(b.name)
	}
	isLocal := func(l local) bool { return l.name == b.name }
	if !slices.ContainsFunc(p.def.locals, isLocal) {
		if p.processes[b.name] != nil {
			p.src.fail(b.at,
				"%s is no local process of %s; what is to go on as the process %s is written %s;END", b.name,
				p.def.name, b.name, b.name)
		}
		p.src.fail(b.at, "there is no local process %s in %s", b.name, p.def.name)
	}
	p.warnOnce(b.at, name+" is declared by no values of indices: it is ERROR")
	return p.fixedState("ERROR")
}

// maxWarnings bounds what is said about one construction.
const maxWarnings = 20

// warnOnce warns about a position.
func (b *builder) warnOnce(at int, text string) {
	if !b.warned[at] && len(b.warned) < maxWarnings {
		b.warned[at] = true
		b.warnings = append(b.warnings, b.src.errorAt(at, "%s", text))
	}
}

// fixedState is STOP, END or ERROR.
func (p *primitive) fixedState(name string) lts.State {
	s, ok := p.fixed[name]
	if !ok {
		s = p.b.AddState(name)
		p.fixed[name] = s
		switch name {
		case "ERROR":
			p.b.SetError(s)
		case "END":
			p.b.AddEdge(s, p.tick, p.fixedState("STOP"))
		}
	}
	return s
}

// part is a process that is a part of a sequence.
func (p *primitive) part(ref procRef, in *env) *lts.LTS {
	d := p.processes[ref.name]
	if d == nil {
		p.src.fail(ref.at, "there is no process %s", ref.name)
	}
	if d.body != nil {
		p.src.fail(ref.at, "%s is a composition, which cannot be a part of a sequence", ref.name)
	}
	return p.instance(d, ref, in)
}

// insert puts a copy of a process, which does not end at once, before a state and gives its beginning.
func (p *primitive) insert(m *lts.LTS, to lts.State, start *lts.State) lts.State {
	state := make([]lts.State, m.NumStates())
	for s := range lts.State(m.NumStates()) {
		switch {
		case p.ends(m, s):
			state[s] = to
		case m.IsError(s):
			state[s] = p.fixedState("ERROR")
		case s == m.Init() && start != nil:
			state[s] = *start
		default:
			state[s] = p.b.AddStates(1)
		}
	}
	for s := range lts.State(m.NumStates()) {
		p.step()
		if p.ends(m, s) {
			continue
		}
		for _, e := range m.Out(s) {
			if e.Action == p.tick { // what END does is one of several things: some τ leads to it
				p.b.AddEdge(state[s], lts.Tau, to)
			} else {
				p.b.AddEdge(state[s], e.Action, state[e.To])
			}
		}
	}
	for _, a := range m.Alphabet() {
		if a != p.tick {
			p.b.Alphabet(a)
		}
	}
	return state[m.Init()]
}

// choices adds the transitions of a choice.
func (p *primitive) choices(from lts.State, b *body, in *env) {
	for _, c := range b.choices {
		if c.guard == nil || p.holds(c.guard, in) {
			p.actions(from, c.labels, c.to, in)
		}
	}
}

// actions adds transitions for actions one after the other.
func (p *primitive) actions(from lts.State, labels []label, to *body, in *env) {
	p.expand(labels[0], in, func(text string, in *env) {
		p.step()
		p.b.AddEdge(from, p.table.Intern(text), p.after(labels[1:], to, in))
	})
}

// after is the state in which labels come next and then a body.
func (p *primitive) after(labels []label, to *body, in *env) lts.State {
	if len(labels) > 0 {
		s := p.b.AddStates(1)
		p.actions(s, labels, to, in)
		return s
	}
	to = p.decide(to, in)
	if to.kind == bodyRef {
		return p.target(to, in)
	}
	s := p.b.AddStates(1)
	p.choices(s, to, in)
	return s
}

// property leads to ERROR by all actions that are not allowed.
func (b *builder) property(m *lts.LTS, d *definition) *lts.LTS {
	m = lts.Restrict(m, []lts.Action{b.tick})
	r := lts.NewBuilder(b.table)
	r.Alphabet(m.Alphabet()...)
	copyStates(r, m)
	wrong := r.AddState("ERROR")
	r.SetError(wrong)
	for s := range lts.State(m.NumStates()) {
		b.step()
		if m.IsError(s) {
			continue
		}
		for i, e := range m.Out(s) {
			if e.Action == lts.Tau || i > 0 && m.Out(s)[i-1].Action == e.Action {
				b.src.fail(d.at, "the property %s has to be deterministic: %s leads from one state to several",
					d.name, b.table.Name(e.Action))
			}
			r.AddEdge(s, e.Action, e.To)
		}
		for _, a := range m.Alphabet() {
			if len(m.OutBy(s, a)) == 0 {
				r.AddEdge(s, a, wrong)
			}
		}
	}
	return r.Build()
}

// copyStates adds the states of m to an empty builder, without transitions.
func copyStates(r *lts.Builder, m *lts.LTS) {
	for s := range lts.State(m.NumStates()) {
		name := m.StateName(s)
		if name == strconv.Itoa(int(s)) {
			name = ""
		}
		r.AddState(name)
		if m.IsError(s) {
			r.SetError(s)
		}
	}
	r.SetInit(m.Init())
}
