package web

// Branches: what was done before something else was done instead, beside each other.

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"magus/app/draw"
	"magus/app/repl"
	"magus/lts"
)

// Limits of what is told of a branch.
const (
	mostSince = 50 // moments
	mostTrace = 50 // actions of the counterexample
)

// branchesOf are the ways that a session has gone; none if there is only one.
func branchesOf(all []repl.Branch) (told []Branch) {
	if len(all) < 2 {
		return nil
	}
	for _, b := range all {
		told = append(told, branchOf(b))
	}
	return told
}

// branchOf is one way.
func branchOf(b repl.Branch) Branch {
	v := &b.View
	x := Branch{Number: b.Number, Of: b.Of, From: b.From, Present: b.Present, Moments: len(b.Moments) - 1,
		Next: v.Phase.String(), Iteration: v.Stats.Iterations, Product: v.Stats.ProductStates}
	if v.Outcome != nil {
		x.Verdict = v.Outcome.Verdict.String()
	}
	x.Trace = actionNames(v.Actions, v.Trace, mostTrace)
	for _, c := range v.Components {
		p := BranchedPart{Name: c.Name, States: -1, Blocks: -1}
		for _, i := range c.Chosen {
			p.Predicates = append(p.Predicates, c.Candidates[i].Text)
		}
		if c.MP != nil {
			p.States = c.MP.LTS.NumStates()
		}
		if c.MA != nil {
			p.Blocks = c.MA.NumBlocks()
		}
		x.Components = append(x.Components, p)
	}
	since := b.Moments[min(len(b.Moments), b.From+1):]
	for _, m := range since[:min(mostSince, len(since))] {
		text := m.By
		if m.By == "step" {
			text = m.Head
		}
		x.Since = append(x.Since, text)
	}
	if n := len(since) - mostSince; n > 0 {
		x.Since = append(x.Since, fmt.Sprintf("and %d more", n))
	}
	return x
}

// actionNames are the names of the first of some actions.
func actionNames(a *lts.Actions, trace []lts.Action, most int) (names []string) {
	for _, x := range trace[:min(most, len(trace))] {
		names = append(names, a.Name(x))
	}
	if n := len(trace) - most; n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	return names
}

// branchDrawing draws an object as it is at the end of a branch. Who calls has the shell.
func (s *Shared) branchDrawing(ctx context.Context, object, component, number string, sel draw.Selection) (*Picture, error) {
	n, err := strconv.Atoi(number)
	if err != nil || s.now == nil {
		return nil, fmt.Errorf("no branch %s", number)
	}
	k := slices.IndexFunc(s.now.Branches, func(b repl.Branch) bool { return b.Number == n })
	if k < 0 {
		return nil, fmt.Errorf("no branch %d", n)
	}
	p := s.pictureBefore(&s.now.Branches[k].View, object, component)
	if p == nil {
		return nil, fmt.Errorf("%s of %s is not built in branch %d", object, component, n)
	}
	return s.drawn(ctx, fmt.Sprintf("%s %s of branch %d", object, component, n), nil, p, sel)
}
