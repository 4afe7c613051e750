package component

// Where a component stands still.
//
// Idea: a deadlock cannot be told from traces, but it can from traces that say at their end where each component
// stands. So where that is asked for, a point at which a component only waits for others performs one more action,
// of the component alone, that says what is offered there, and stays where it is; one at which the component has
// ended says that. All else - both levels of abstraction, what refutes a counterexample, the replay - treats it
// as any action. A point is stable if nothing silent leads from it: an action's, or a state within a routine's LTS that
// offers actions only. From a failing assumption no run goes on: it says nothing.
//
// Source: stable failures of Roscoe, Understanding Concurrent Systems (2010), section 11.1, as in Chaki, Clarke,
// Ouaknine, Sharygina: Automated, compositional and iterative deadlock detection (MEMOCODE 2004). Deviation: these add
// refusals to traces; here what is refused is the rest of the alphabet, and written as an action.
//
// Cost: linear in the edges.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"magus/cfa"
	"magus/lts"
)

// Offers says what is offered at a node of [Graph.Base] where the component stands still: nothing where it has ended. ok is
// false where it does not stand.
func (g *Graph) Offers(n Node) (s lts.Standing, ok bool) {
	if n == Stop {
		return lts.Standing{Ended: true}, true
	}
	if g.IsLocation(n) {
		if h, isHalt := g.Comp.CFA.Locs[g.nodes[n].loc].Stmt.(cfa.Halt); isHalt {
			return lts.Standing{Ended: h.Ends}, h.Ends || h.Waits
		}
	}
	leaves := func(id int32) bool { return !g.says(g.Edges[id].Action) }
	if !slices.ContainsFunc(g.out[n], leaves) { // within a routine that has ended the component, or where no run goes on
		return lts.Standing{Ended: true}, n != Init && !g.IsLocation(n)
	}
	for _, id := range g.out[n] {
		e := &g.Edges[id]
		if g.says(e.Action) {
			continue
		}
		if e.Action == lts.Tau || g.Comp.IsCut(e.Action) || len(e.Guard) > 0 {
			return lts.Standing{}, false
		}
		s.Offers = append(s.Offers, e.Action)
	}
	slices.Sort(s.Offers)
	s.Offers = slices.Compact(s.Offers)
	return s, true
}

// says reports whether an action only says where the component stands.
func (g *Graph) says(a lts.Action) bool {
	_, ok := g.standing[a]
	return ok
}

// stand adds the actions that say where the component stands.
func (g *Graph) stand() {
	g.standing = map[lts.Action]lts.Standing{}
	for n := range Node(len(g.nodes)) {
		s, ok := g.Offers(n)
		if !ok {
			continue
		}
		a := g.Comp.Actions.Intern(g.Comp.StandingName(s))
		g.standing[a] = s
		loc, _ := g.Loc(n)
		g.add(Edge{From: n, To: n, Action: a, Loc: loc})
	}
}

// StandingName is what the action is called by which the component says where it stands.
func (c *Component) StandingName(s lts.Standing) string {
	if s.Ended {
		return fmt.Sprintf("%s%d: ended}", cfa.StandsPrefix, c.Stands)
	}
	if s.Offers == nil {
		return fmt.Sprintf("%s%d: waits for ever}", cfa.StandsPrefix, c.Stands)
	}
	return fmt.Sprintf("%s%d: waits for %s}", cfa.StandsPrefix, c.Stands, strings.Join(c.Actions.Names(s.Offers), " or "))
}

// Standing are the actions by which the component says where it stands, with what they say; nil if it says nothing.
func (g *Graph) Standing() map[lts.Action]lts.Standing { return maps.Clone(g.Base().standing) }
