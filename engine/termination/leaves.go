package termination

// One loop only, for who searches a product of components.

import (
	"context"
	"fmt"

	"magus/component"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

// A Loop is a part of a component's control graph, and what is known of it.
type Loop struct {
	Graph *component.Graph
	// Within says of an edge whether a run that stays in the loop may take it.
	Within func(edge int32) bool
	// Holds are conditions that whoever asks has proved, at control points; nil if there are none.
	Holds map[component.Node][]*expr.Expr
}

// An Argument shows that no run stays in a loop for ever.
type Argument struct {
	Ranks []Rank
	// Holds are what the argument uses: what holds at heads whenever a run of the component comes there.
	Holds map[component.Node][]*expr.Expr
}

// Leaves looks for an argument that each run which takes edges of a loop only comes to its end. nil says that none was
// found, and nothing of the loop. What is chosen on edges may be any value. s decides terms of the
// component's pool; the error is ctx's or s's.
func Leaves(ctx context.Context, l Loop, s solver.Full) (*Argument, error) {
	if l.Graph.Base() != l.Graph {
		return nil, fmt.Errorf("a loop of a graph of large blocks")
	}
	r, err := newRelation(ctx, l.Graph, []lts.Action{l.Graph.Comp.Cut}, nil)
	if err != nil {
		return nil, err
	}
	x, err := prepare(ctx, r, newProver(s), l.Holds)
	if err != nil {
		return nil, err
	}
	if cut, err := x.cutOff(ctx); err != nil || cut != nil {
		return nil, err
	}
	var steps []*remaining
	for _, m := range x.all() {
		if l.has(m.step) {
			steps = append(steps, m)
		}
	}
	if err := x.rank(ctx, steps); err != nil || len(x.left) > 0 {
		return nil, err
	}
	return &Argument{Ranks: x.ranks, Holds: x.inv}, nil
}

// has reports whether a run that stays in the loop may take a step: of several ways that have become one, it may.
func (l Loop) has(s *step) bool {
	for _, id := range s.path {
		if !l.Within(id) {
			return false
		}
	}
	return true
}
