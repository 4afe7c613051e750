package cegar

// The methods over the layers of a component: the bounded search and the induction.
//
// Idea: both are methods of a portfolio (package bounded) that go on for a share of effort. A session can go
// back and take a step again, and they cannot; so their answers are kept by the effort that they had been
// given in all, and a step that is taken again finds the same one.
//
// Cost: an answer for each share.

import (
	"context"
	"errors"

	"magus/engine/bounded"
	"magus/engine/invariants"
	"magus/engine/portfolio"
	"magus/lts"
)

// layers are the methods of a question, made when they have their first share.
type layers struct {
	spec      *lts.LTS // what a proof has to show, deterministic
	search    *bounded.Search
	searching *kept
	induction *bounded.Induction
	inducing  *kept
}

// A kept method remembers what it did, by the effort that it had been given in all.
type kept struct {
	method  bounded.Method
	made    func() [2]int64 // what its parts have made so far
	granted portfolio.Effort
	known   map[portfolio.Effort]layersAnswer
	last    layersAnswer
}

// A layersAnswer is what a method did with a share, and what effort its parts have made for it.
type layersAnswer struct {
	event portfolio.Event[bounded.Finding]
	made  [2]int64
}

func keep(m bounded.Method, made func() [2]int64) *kept {
	worked := portfolio.Worked[bounded.Finding]{What: bounded.Answer{}}
	return &kept{method: m, made: made, known: map[portfolio.Effort]layersAnswer{}, last: layersAnswer{event: worked}}
}

// upTo is what the method does once it has been given an effort in all. The error is ctx's, or that of a
// decision procedure.
func (k *kept) upTo(ctx context.Context, all portfolio.Effort) (layersAnswer, error) {
	if a, known := k.known[all]; known {
		return a, nil
	}
	if all <= k.granted {
		return k.last, nil
	}
	before := k.made()
	a := layersAnswer{event: k.method.Advance(ctx, all-k.granted)}
	switch e := a.event.(type) {
	case portfolio.Worked[bounded.Finding]:
		if e.What == nil { // interrupted
			return a, context.Cause(ctx)
		}
	case portfolio.GaveUp[bounded.Finding]:
		var none *bounded.NoViolation
		if !errors.As(e.Why, &none) && !errors.Is(e.Why, bounded.ErrNoProof) {
			return a, e.Why
		}
	}
	after := k.made()
	a.made = [2]int64{after[0] - before[0], after[1] - before[1]}
	k.granted, k.last, k.known[all] = all, a, a
	return a, nil
}

// boundedSearch is the search of the session's question.
func (s *question) boundedSearch(ctx context.Context) (*kept, error) {
	l := s.layers
	if l.search != nil {
		return l.searching, nil
	}
	spec, err := lts.Determinize(ctx, s.system.Followed, lts.Limits{})
	if err != nil {
		return nil, err
	}
	search, err := bounded.New(ctx, s.comps[0].program(), spec)
	if err != nil {
		return nil, err
	}
	if s.opt.Written != 0 {
		search.Written(s.opt.Written)
	}
	l.spec, l.search = spec, search
	l.searching = keep(search.Method(s.opt.Bound), func() [2]int64 { return [2]int64{search.Effort()} })
	return l.searching, nil
}

// inductionOver is the induction of the session's question, over the layers of the search.
func (s *question) inductionOver(ctx context.Context) (*kept, error) {
	if _, err := s.boundedSearch(ctx); err != nil {
		return nil, err
	}
	l := s.layers
	if l.induction != nil {
		return l.inducing, nil
	}
	g := s.comps[0].program()
	found, err := invariants.Bounds(ctx, g, l.search.Order())
	if err != nil {
		return nil, err
	}
	x, err := bounded.NewInduction(ctx, g, l.spec, found)
	if err != nil {
		return nil, err
	}
	if s.opt.Product != nil {
		x.Interleaves()
	}
	x.Only(s.opt.Engine.methods().means)
	l.induction = x
	l.inducing = keep(x.Method(), func() [2]int64 {
		own, directed := x.Efforts()
		return [2]int64{own, directed}
	})
	return l.inducing, nil
}
