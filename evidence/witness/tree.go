package witness

// A tree of runs that the specification cannot follow.
//
// Idea: each branch is executed like any counterexample. Where a branch leaves the one before it, all parts
// have made the same steps with the same values, from the same initial values; so they are in one state, from
// which both branches go on. Then it is asked once more, from the branches' actions alone, whether the
// specification can follow: before an action it is lost in the states in which each answer leads to where it
// is lost behind that action.
//
// Source: weak simulation, Chaki, Clarke, Groce, Jha, Veith: Modular verification of software components in C (IEEE TSE
// 30, 2004), section 3. Cost: linear in the runs, times the specification's states.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/lts"
)

// A Branch is a run of a tree. Up to where it leaves the branch before it, its parts do what those do there.
type Branch struct {
	Parts    []Part
	Schedule []Joint
	Visible  int   // so many of the first actions are those of the branch before it
	Shared   []int // by part: so many of the first edges
}

// ReplayTree executes the branches of a tree. The error is as of [Replay].
func ReplayTree(ctx context.Context, sys *component.System, branches []Branch) (*Violation, error) {
	var all []*Violation
	for b, br := range branches {
		if err := br.leaves(branches, b); err != nil {
			return nil, err
		}
		v, err := execute(ctx, sys, br.Parts, br.Schedule)
		if err != nil {
			return nil, err
		}
		if err := v.begins(); err != nil {
			return nil, noTree(err)
		}
		if err := v.tainted(); err != nil {
			return nil, err
		}
		v.isBranch = true
		all = append(all, v)
	}
	t := &Choices{}
	for b, v := range all {
		t.add(lts.Project(v.Trace, sys.Spec.Alphabet()),
			len(lts.Project(v.Trace[:branches[b].Visible], sys.Spec.Alphabet())), b)
	}
	if t.close(sys.Spec); !t.Lost[sys.Spec.Init()] {
		return nil, noTree(fmt.Errorf("the specification can follow"))
	}
	all[0].Choices, all[0].Branches = t, all[1:]
	return all[0], nil
}

func noTree(err error) error {
	return verdict.Because(verdict.Fault, "the replayed tree is no violation, which is a fault of this tool: %v", err)
}

// leaves checks that a branch does up to where it leaves the one before it what that does.
func (br *Branch) leaves(branches []Branch, b int) error {
	if b == 0 {
		return nil
	}
	before := branches[b-1]
	if br.Visible > min(len(br.Schedule), len(before.Schedule)) ||
		!slices.EqualFunc(br.Schedule[:br.Visible], before.Schedule[:br.Visible], func(x, y Joint) bool {
			return x.Action == y.Action && slices.Equal(x.Parts, y.Parts)
		}) {
		return noTree(fmt.Errorf("branch %d begins with other actions", b+1))
	}
	for i, p := range br.Parts {
		n, x, y := br.Shared[i], p.Execution, before.Parts[i].Execution
		if n > min(len(x.Edges), len(y.Edges)) || !slices.Equal(x.Edges[:n], y.Edges[:n]) ||
			!slices.EqualFunc(x.Step[:n], y.Step[:n], slices.Equal) || !slices.Equal(x.Init, y.Init) {
			return noTree(fmt.Errorf("branch %d begins with other steps", b+1))
		}
		if p.performs(n) != br.takesPart(i) {
			return noTree(fmt.Errorf("branch %d does not share its first actions", b+1))
		}
		for _, earlier := range branches[:b] {
			if place, both := p.readsWith(n, earlier.Parts[i]); both {
				return &verdict.Reason{Kind: verdict.NotModelled, Place: place,
					Text: "a tree was found that the specification cannot follow, but two of its branches read " +
						"memory of which nothing is known"}
			}
		}
	}
	return nil
}

// takesPart is in how many of the actions that are shared a part takes part.
func (br *Branch) takesPart(i int) (n int) {
	for _, j := range br.Schedule[:br.Visible] {
		if slices.Contains(j.Parts, i) {
			n++
		}
	}
	return n
}

// performs is how many visible actions the first edges perform.
func (p *Part) performs(edges int) (n int) {
	for _, id := range p.Execution.Edges[:edges] {
		if p.Graph.Edges[id].Action != lts.Tau {
			n++
		}
	}
	return n
}

// readsWith reports whether a part reads memory without variables after its first n edges, and another part
// does so at all.
func (p *Part) readsWith(n int, other Part) (cfa.Pos, bool) {
	place, reads := p.reads(n)
	_, too := other.reads(0)
	return place, reads && too
}

// reads reports whether a part reads memory without variables after its first n edges, and where.
func (p *Part) reads(n int) (cfa.Pos, bool) {
	for _, id := range p.Execution.Edges[n:] {
		e := &p.Graph.Edges[id]
		if e.Loc < 0 {
			continue
		}
		l := p.Graph.Comp.CFA.Locs[e.Loc]
		if a, ok := l.Stmt.(cfa.Assign); ok && a.Memory != nil && a.Memory.Kind == cfa.Read {
			return l.Pos, true
		}
	}
	return cfa.Pos{}, false
}

// Choices are the observed actions of the branches of a tree, one below the other.
type Choices struct {
	Action lts.Action // τ at the root
	// Branch is the first one that goes here.
	Branch int
	Then   []*Choices
	// Lost are the specification's states that cannot follow from here on.
	Lost map[lts.State]bool
}

// add adds a branch, the first actions of which are those of the branch before it.
func (c *Choices) add(trace []lts.Action, shared, branch int) {
	at := c
	for k, a := range trace {
		if k < shared {
			at = at.Then[len(at.Then)-1]
			continue
		}
		next := &Choices{Action: a, Branch: branch}
		at.Then = append(at.Then, next)
		at = next
	}
}

// close finds the states that are lost, from the leaves on.
func (c *Choices) close(spec *lts.LTS) {
	c.Lost = map[lts.State]bool{}
	for _, next := range c.Then {
		next.close(spec)
		for s := range lts.State(spec.NumStates()) {
			if !slices.ContainsFunc(followers(spec, s, next.Action), func(t lts.State) bool { return !next.Lost[t] }) {
				c.Lost[s] = true
			}
		}
	}
}

// followers are the states in which a specification is right after an action from a state on.
func followers(spec *lts.LTS, s lts.State, a lts.Action) (all []lts.State) {
	before := []lts.State{s}
	for k := 0; k < len(before); k++ {
		for _, e := range spec.OutBy(before[k], lts.Tau) {
			if !slices.Contains(before, e.To) {
				before = append(before, e.To)
			}
		}
		for _, e := range spec.OutBy(before[k], a) {
			if !slices.Contains(all, e.To) {
				all = append(all, e.To)
			}
		}
	}
	return all
}

// report writes the choices behind these for people, where the specification may be in some states.
func (c *Choices) report(sys *component.System, states []lts.State) (all []verdict.Choice) {
	for _, next := range c.Then {
		var from, to []lts.State
		for _, s := range states {
			after := followers(sys.Spec, s, next.Action)
			if slices.ContainsFunc(after, func(t lts.State) bool { return !next.Lost[t] }) {
				continue
			}
			from = append(from, s)
			for _, t := range after {
				if !slices.Contains(to, t) {
					to = append(to, t)
				}
			}
		}
		slices.Sort(to)
		all = append(all, verdict.Choice{Action: sys.Spec.Actions().Name(next.Action), Run: next.Branch,
			From: specStates(sys.States(from)), To: specStates(sys.States(to)), Then: next.report(sys, to)})
	}
	return all
}
