package specs

import (
	"context"

	"magus/lts"
)

// From definitions to an explicit LTS.
//
// Idea: the states of a process are its definitions and the places between
// the actions of a branch; a name leads to the state of the definition it
// names, first within its own process, then among all processes' names. A
// process that is composed, imported or relabelled cannot share states with
// the one that names it: it is built for itself and a copy put in. So only
// such a process that leads back to itself is refused.
//
// Operators apply to the process as a whole, in the order in which they stand
// (in FSP they can stand only behind the last definition). The alphabet of a
// process is every action that its definitions mention, reachable or not, and
// the alphabets of the processes it leads to, after its operators.
//
// Source: Magee and Kramer's FSP as MAGIC reads it; Chaki et al., "Efficient
// Verification of Sequential and Concurrent C Programs" (2004), definition 1
// and section 3.4. STOP is a state without transitions. Cost: linear in the
// result, but for parallel compositions, whose reachable product is built.

// LTS is the explicit LTS of the process of that name over the actions of t.
// Names that nothing defines, and composed or relabelled processes that
// contain themselves, are errors with their place; another says that ctx ended.
func (f *File) LTS(ctx context.Context, name string, t *lts.Actions) (m *lts.LTS, err error) {
	err = f.link(ctx, name, t, func(l *linker, g *graph) { m = g.lts(t, l.look) })
	return m, err
}

// graph is the process of that name as a graph.
func (f *File) graph(ctx context.Context, name string, t *lts.Actions) (g *graph, err error) {
	err = f.link(ctx, name, t, func(_ *linker, built *graph) { g = built })
	return g, err
}

// link builds the process of that name and lets use have it.
func (f *File) link(ctx context.Context, name string, t *lts.Actions, use func(*linker, *graph)) (err error) {
	r := ref{name, f.uses[name]}
	p := f.processes[name]
	if p == nil {
		return f.undefined(nil, r)
	}
	if !r.pos.IsValid() {
		r.pos = p.defs[0].pos
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		case interrupted:
			err = r.error
		default:
			panic(r)
		}
	}()
	l := &linker{ctx: ctx, file: f, actions: t, active: map[any]bool{}, done: map[*process]*graph{}}
	use(l, l.process(p, r.pos))
	return nil
}

// A linker builds graphs of processes. It unwinds with an *Error, or interrupted.
type linker struct {
	ctx     context.Context
	file    *File
	actions *lts.Actions
	active  map[any]bool // *process and *def being built for themselves
	done    map[*process]*graph
}

// interrupted unwinds a linker whose context has ended.
type interrupted struct{ error }

// look unwinds if the context has ended.
func (l *linker) look() {
	if err := l.ctx.Err(); err != nil {
		panic(interrupted{err})
	}
}

// enter marks what is built for itself; the caller calls the result at the
// end.
func (l *linker) enter(what any, name string, pos Pos) func() {
	if l.active[what] {
		panic(l.file.errorAt(pos,
			"%s would contain itself: a process that is composed or relabelled cannot lead back to itself", name))
	}
	l.active[what] = true
	return func() { delete(l.active, what) }
}

// process builds p with its operators; pos is where it is named.
func (l *linker) process(p *process, pos Pos) *graph {
	if g := l.done[p]; g != nil {
		return g
	}
	defer l.enter(p, p.name(), pos)()
	g := l.rooted(p.defs[0])
	g.extra = append(g.extra, p.mentions()...)
	for _, o := range p.ops {
		g = g.apply(o, l.look)
	}
	l.done[p] = g
	return g
}

// rooted builds what is reachable from d, without the operators of its
// process.
func (l *linker) rooted(d *def) *graph {
	r := &rooted{linker: l, g: &graph{}, states: map[*def]int{}, copies: map[*process]int{},
		touched: map[*process]bool{d.proc: true}, stop: -1, err: -1}
	r.g.init = r.def(d)
	for len(r.todo) > 0 {
		l.look()
		next := r.todo[0]
		r.todo = r.todo[1:]
		r.choice(next.proc, r.states[next], next.body)
	}
	return r.g
}

type rooted struct {
	*linker
	g         *graph
	states    map[*def]int
	todo      []*def // choices whose transitions are still to be added
	copies    map[*process]int
	touched   map[*process]bool // processes whose alphabet is in
	stop, err int               // the states STOP and ERROR, or -1
}

// unresolved marks a definition that is a name and is being followed.
const unresolved = -1

// def is the state of a definition.
func (r *rooted) def(d *def) int {
	s, ok := r.states[d]
	switch {
	case ok && s == unresolved:
		panic(r.file.errorAt(d.pos, "%s is defined by itself only", d.name))
	case ok:
		return s
	}
	switch d.body.kind {
	case bodyChoice:
		s = r.g.state(d.name, false, named(d.name, d.pos))
		r.todo = append(r.todo, d)
	case bodyParallel:
		s = r.g.graft(r.compose(d), r.look)
	case bodyImport:
		s = r.g.graft(d.body.imported, r.look)
	default:
		r.states[d] = unresolved
		s = r.target(d.proc, d.body, named(d.name, d.body.pos))
	}
	r.states[d] = s
	return s
}

// target is the state that STOP, ERROR, a name or a nested choice leads to; a
// nested choice is called what is given.
func (r *rooted) target(from *process, b body, called *origin) int {
	switch b.kind {
	case bodyStop:
		if r.stop < 0 {
			r.stop = r.g.state("STOP", false, named("STOP", b.pos))
		}
		return r.stop
	case bodyError:
		if r.err < 0 {
			r.err = r.g.state("ERROR", true, named("ERROR", b.pos))
		}
		return r.err
	case bodyName:
		return r.name(from, ref{b.name, b.pos})
	}
	s := r.g.state("", false, called)
	r.choice(from, s, b)
	return s
}

// name is the state that a name in the process from leads to.
func (r *rooted) name(from *process, n ref) int {
	if d := from.local(n.name); d != nil {
		return r.def(d)
	}
	p := r.file.processes[n.name]
	if p == nil {
		panic(r.file.undefined(from, n))
	}
	if !p.relabels {
		if !r.touched[p] {
			r.touched[p] = true
			r.g.extra = append(r.g.extra, p.mentions()...)
			for _, o := range p.ops {
				r.g.extra = append(r.g.extra, names(o.labels)...)
			}
		}
		return r.def(p.defs[0])
	}
	s, ok := r.copies[p]
	if !ok {
		s = r.g.graft(r.process(p, n.pos), r.look)
		r.copies[p] = s
	}
	return s
}

// choice adds the branches of b to state s.
func (r *rooted) choice(from *process, s int, b body) {
	for _, br := range b.branches {
		at := s
		for i, st := range br.steps {
			var to int
			var end Pos
			if i+1 < len(br.steps) {
				end = br.steps[i+1].labels[0].pos
				to = r.g.state("", false, r.g.origins[at].after(st, end))
			} else {
				end = br.to.pos
				to = r.target(from, br.to, r.g.origins[at].after(st, br.to.pos))
			}
			for _, l := range st.labels {
				r.g.edges = append(r.g.edges, edge{at, to, l.name, l.pos, end})
			}
			at = to
		}
	}
}

// compose builds the parallel composition that defines d.
func (r *rooted) compose(d *def) *graph {
	defer r.enter(d, d.name, d.pos)()
	var operands []*lts.LTS
	for _, n := range d.body.operands {
		var g *graph
		if local := d.proc.local(n.name); local == nil {
			p := r.file.processes[n.name]
			if p == nil {
				panic(r.file.undefined(d.proc, n))
			}
			g = r.process(p, n.pos)
		} else {
			if len(local.ops) > 0 && local != d {
				panic(r.file.errorAt(n.pos,
					"%s has operators, which would apply to all of %s: define it as a process of its own, "+
						"with '.' before and after", n.name, d.proc.name()))
			}
			g = r.linker.rooted(local)
		}
		operands = append(operands, g.lts(r.actions, r.look))
	}
	whole, err := lts.Compose(r.ctx, operands, lts.Limits{})
	if err != nil {
		panic(interrupted{err}) // there are parts, and they have one table
	}
	return graphOf(whole, d.pos)
}

// mentions are the visible actions of p's branches, each once, in the order of
// the text.
func (p *process) mentions() []string {
	var found []string
	seen := map[string]bool{tau: true}
	p.eachLabel(func(l label) {
		if !seen[l.name] {
			seen[l.name] = true
			found = append(found, l.name)
		}
	})
	return found
}
