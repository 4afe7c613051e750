package threads

// The proof that a Safe outcome rests on.
//
// Idea: the last bounds are searched once more, by the theory, for an error or a cut. The conflicts of the order
// become the proof's lemmas. A closure in which each fact has a literal of its own says which facts a lemma needs.
// The core of one more query, without the order, says which lemmas the proof needs.
//
// Cost: that of the last search, and one query.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/cfa/events"
	"magus/cfa/events/order"
	"magus/evidence/threadcert"
	"magus/smt/bitblast"
	"magus/smt/expr"
	"magus/smt/sat"
	"magus/smt/solver"
)

// Proof is a proof of a Safe outcome. The error is ctx's, or says that there is none.
func (s *Search) Proof(ctx context.Context) (*threadcert.Proof, error) {
	switch {
	case s.stage != finished || s.out.Answer != Safe:
		return nil, errors.New("threads: a proof of what is not known")
	}
	var stats Stats
	f, err := newFormula(ctx, s.p, nil, &stats)
	if err != nil {
		return nil, err
	}
	t, err := newTheory(ctx, f)
	if err != nil {
		return nil, err
	}
	t.record = true
	sought := s.c.Pool.Lor(s.goal(), s.some(s.cuts()))
	found, _, err := t.decide(ctx, sought)
	if err == nil && found {
		err = errors.New("threads: what was proved is not proved again")
	}
	if err != nil {
		return nil, err
	}
	w, err := newLemmas(ctx, t.formula)
	if err != nil {
		return nil, err
	}
	needed, err := w.needed(ctx, sought)
	if err != nil {
		return nil, err
	}
	return &threadcert.Proof{Loops: s.bounds.Loops, Count: s.bounds.Count, Lemmas: needed}, nil
}

// Reasons are the clauses of the order at the present bound, if [Options].Record asks for them, as facts that do not go
// together. The error is ctx's.
func (s *Search) Reasons(ctx context.Context) ([]threadcert.Lemma, error) {
	if s.formula == nil || !s.opts.Record {
		return nil, nil
	}
	w, err := newLemmas(ctx, s.formula)
	if err != nil {
		return nil, err
	}
	return w.lemmas, nil
}

// Program is what is unrolled at the present bound; nil before.
func (s *Search) Program() *events.Program { return s.p }

// lemmas writes reasons as facts.
type lemmas struct {
	enc     *events.Encoding
	closure *order.Closure // of what always holds
	ofLit   map[sat.Lit][]order.Fact
	names   [][]threadcert.Fact // by the number of a fact of the encoding: what it is together
	lemmas  []threadcert.Lemma
}

// newLemmas writes the recorded reasons of a formula, and the one that there is no order at all, if that is so.
func newLemmas(ctx context.Context, f *formula) (*lemmas, error) {
	w := &lemmas{enc: f.enc, closure: order.NewClosure(f.enc.Graph), ofLit: map[sat.Lit][]order.Fact{}}
	w.name()
	for i, fact := range f.enc.Facts {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		fact.Lit = order.Lit(i)
		switch l := f.solver.Literal(fact.When); l {
		case bitblast.True:
			w.closure.Add(fact.Fact)
		case bitblast.True.Not():
		default:
			w.ofLit[l] = append(w.ofLit[l], fact.Fact)
		}
	}
	reason, err := w.closure.Close(ctx)
	if reason != nil {
		w.keep(reason)
	}
	for _, reason := range f.recorded {
		if err == nil {
			err = w.add(ctx, reason)
		}
	}
	return w, err
}

// name says what the facts are called in a proof.
func (w *lemmas) name() {
	p := w.enc.Program
	writes, reads := map[order.Access]int{}, map[order.Access]int{}
	for i, a := range w.enc.Access {
		if p.Events[i].Write {
			writes[a] = i
		} else {
			reads[a] = i
		}
	}
	between := func(f events.Fact) int {
		return slices.IndexFunc(p.Edges, func(e events.Edge) bool {
			return e.From == f.A && e.To == f.B && e.When != nil && e.When.Term() == f.When
		})
	}
	var link threadcert.Fact
	for _, f := range w.enc.Facts {
		name := threadcert.Fact{Kind: threadcert.Sees, A: writes[f.W], B: reads[f.R]}
		switch f.Kind {
		case order.Happens:
			name = threadcert.Fact{Kind: threadcert.Happens, A: writes[f.W]}
		case order.Ordered:
			name = threadcert.Fact{Kind: threadcert.Ordered, A: between(f)}
		default:
			link = name
		}
		w.names = append(w.names, []threadcert.Fact{name})
		// of the link before: a write of the read's own thread comes before the read
		if name.Kind == threadcert.Ordered && name.A < 0 {
			own := slices.IndexFunc(p.Events, func(e events.Event) bool {
				return e.Write && e.Node == f.A && e.Cell == p.Events[link.B].Cell
			})
			w.names[len(w.names)-1] = []threadcert.Fact{{Kind: threadcert.Happens, A: own}, link}
		}
	}
}

// add makes a reason a lemma. The error is ctx's.
func (w *lemmas) add(ctx context.Context, reason []order.Lit) error {
	mark := w.closure.Mark()
	defer w.closure.Undo(mark)
	for _, l := range reason {
		for _, f := range w.ofLit[sat.Lit(l)] {
			w.closure.Add(f)
		}
	}
	facts, err := w.closure.Close(ctx)
	if facts == nil && err == nil {
		facts, err = w.closure.Complete(ctx)
	}
	if err == nil {
		w.keep(facts)
	}
	return err
}

func (w *lemmas) keep(facts []order.Lit) {
	var l threadcert.Lemma
	for _, f := range facts {
		for _, name := range w.names[f] {
			if !slices.Contains(l, name) {
				l = append(l, name)
			}
		}
	}
	w.lemmas = append(w.lemmas, l)
}

// needed are the lemmas by which no execution is left that has what is sought.
func (w *lemmas) needed(ctx context.Context, sought *expr.Expr) ([]threadcert.Lemma, error) {
	pool := w.enc.Program.Pool
	s := bitblast.New(pool)
	enc, err := events.Encode(ctx, w.enc.Program, s, nil)
	if err != nil {
		return nil, err
	}
	conds := map[threadcert.Fact]*expr.Expr{}
	for i, f := range enc.Facts {
		if len(w.names[i]) == 1 {
			conds[w.names[i][0]] = f.When
		}
	}
	asked := []*expr.Expr{sought}
	for i, l := range w.lemmas {
		on := pool.Var(fmt.Sprintf("lemma!%d", i), expr.Bool)
		clause := []*expr.Expr{pool.Not(on)}
		for _, f := range l {
			clause = append(clause, pool.Not(conds[f]))
		}
		s.AssertAny(clause...)
		asked = append(asked, on)
	}
	r, err := s.Check(ctx, asked...)
	if err != nil {
		return nil, err
	}
	if r != solver.Unsat {
		return nil, errors.New("threads: the lemmas are no proof")
	}
	var needed []threadcert.Lemma
	for _, i := range s.Core() {
		if i > 0 {
			needed = append(needed, w.lemmas[i-1])
		}
	}
	return needed, nil
}
