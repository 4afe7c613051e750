package specs

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
	"magus/lts"
)

// A second meaning of processes, straight from the syntax tree: terms and
// their transitions, nothing shared, nothing built ahead. It is compared with
// the built LTSs by strong traces.

type term interface{}

type (
	atBody struct { // at the beginning of a body
		proc *process
		body *body
	}
	inBranch struct { // before step i of a branch
		proc   *process
		branch *branch
		i      int
	}
	inParallel struct {
		parts     []term
		alphabets []map[string]bool
	}
	underOperators struct {
		inner term
		ops   []operator
	}
)

type move struct {
	label string
	to    term
}

type naive struct {
	f *File
	l *linker // for the alphabets of composed processes only
}

// follow leads a name to a term that is no name.
func (n naive) follow(from *process, r ref) term {
	if d := from.local(r.name); d != nil {
		return n.body(from, &d.body)
	}
	p := n.f.processes[r.name]
	inner := n.body(p, &p.defs[0].body)
	if p.relabels {
		return underOperators{inner, p.ops}
	}
	return inner
}

func (n naive) body(p *process, b *body) term {
	switch b.kind {
	case bodyName:
		return n.follow(p, ref{name: b.name})
	case bodyParallel:
		var t inParallel
		for _, r := range b.operands {
			var g *graph
			if d := p.local(r.name); d != nil {
				g = n.l.rooted(d)
			} else {
				g = n.l.process(n.f.processes[r.name], Pos{})
			}
			alphabet := map[string]bool{}
			for _, e := range g.edges {
				alphabet[e.label] = e.label != tau
			}
			for _, a := range g.extra {
				alphabet[a] = a != tau
			}
			t.parts, t.alphabets = append(t.parts, n.follow(p, r)), append(t.alphabets, alphabet)
		}
		return t
	}
	return atBody{p, b}
}

func (n naive) moves(t term) []move {
	switch t := t.(type) {
	case atBody:
		var ms []move
		for i := range t.body.branches {
			ms = append(ms, n.moves(inBranch{t.proc, &t.body.branches[i], 0})...)
		}
		return ms
	case inBranch:
		var next term = inBranch{t.proc, t.branch, t.i + 1}
		if t.i+1 == len(t.branch.steps) {
			next = n.body(t.proc, &t.branch.to)
		}
		var ms []move
		for _, l := range t.branch.steps[t.i].labels {
			ms = append(ms, move{l.name, next})
		}
		return ms
	case inParallel:
		return n.together(t)
	case underOperators:
		ms := n.moves(t.inner)
		for _, o := range t.ops {
			ms = operate(ms, o)
		}
		for i := range ms {
			ms[i].to = underOperators{ms[i].to, t.ops}
		}
		return ms
	}
	panic("no such term")
}

func (n naive) together(t inParallel) []move {
	var ms []move
	labels := map[string]bool{}
	for i, part := range t.parts {
		for _, m := range n.moves(part) {
			labels[m.label] = true
			if m.label == tau {
				parts := slices.Clone(t.parts)
				parts[i] = m.to
				ms = append(ms, move{tau, inParallel{parts, t.alphabets}})
			}
		}
	}
	delete(labels, tau)
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		tuples := [][]term{nil}
		for i, part := range t.parts {
			var longer [][]term
			for _, tuple := range tuples {
				if !t.alphabets[i][label] {
					longer = append(longer, append(slices.Clone(tuple), part))
					continue
				}
				for _, m := range n.moves(part) {
					if m.label == label {
						longer = append(longer, append(slices.Clone(tuple), m.to))
					}
				}
			}
			tuples = longer
		}
		for _, parts := range tuples {
			ms = append(ms, move{label, inParallel{parts, t.alphabets}})
		}
	}
	return ms
}

func operate(ms []move, o operator) []move {
	var after []move
	for _, m := range ms {
		listed := slices.ContainsFunc(o.labels, func(l label) bool { return l.name == m.label })
		renamed := false
		for _, p := range o.pairs {
			if p.old.name == m.label {
				renamed = true
				after = append(after, move{p.new.name, m.to})
			}
		}
		switch {
		case renamed:
		case o.sign == '\\' && listed, o.sign == '@' && !listed:
			after = append(after, move{tau, m.to})
		default:
			after = append(after, m)
		}
	}
	return after
}

// isError says whether a term, or a part of it, is ERROR.
func isError(t term) bool {
	switch t := t.(type) {
	case atBody:
		return t.body.kind == bodyError
	case inParallel:
		return slices.ContainsFunc(t.parts, isError)
	case underOperators:
		return isError(t.inner)
	}
	return false
}

// traces collects what happens within depth steps; "!" marks ERROR and "."
// a state without transitions.
func traces[S any](found map[string]bool, trace string, s S, depth int, isError func(S) bool,
	next func(S, func(label string, to S))) {
	any := false
	if depth > 0 {
		next(s, func(label string, to S) {
			any = true
			traces(found, trace+label+" ", to, depth-1, isError, next)
		})
		if !any {
			found[trace+"."] = true
		}
	}
	if isError(s) {
		found[trace+"!"] = true
	}
	found[trace] = true
}

func TestNaiveMeaning(t *testing.T) {
	compared, composed := 0, 0
	sample.Check(t, func(t *rapid.T) {
		f := genFile(t)
		for _, p := range f.order {
			m, err := f.LTS(context.Background(), p.name(), lts.NewActions())
			if err != nil {
				continue
			}
			compared++
			want, got := map[string]bool{}, map[string]bool{}
			n := naive{f, &linker{ctx: context.Background(), file: f, actions: lts.NewActions(),
				active: map[any]bool{}, done: map[*process]*graph{}}}
			start := n.body(p, &p.defs[0].body)
			start = underOperators{start, p.ops}
			if _, ok := start.(underOperators).inner.(inParallel); ok {
				composed++
			}
			const depth = 3
			traces(want, "", start, depth, isError, func(s term, visit func(string, term)) {
				for _, m := range n.moves(s) {
					visit(m.label, m.to)
				}
			})
			traces(got, "", m.Init(), depth, m.IsError, func(s lts.State, visit func(string, lts.State)) {
				for _, e := range m.Out(s) {
					visit(m.Actions().Name(e.Action), e.To)
				}
			})
			require.Equal(t, want, got, "%s in\n%s", p.name(), f)
		}
	})
	if !testing.Short() { // of few specifications there may be none
		require.Greater(t, compared, 20)
		require.Positive(t, composed)
	}
}
