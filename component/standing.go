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
	"strconv"
	"strings"

	"magus/cfa"
	"magus/lts"
	"magus/smt/expr"
)

// A Stand is a way in which a component stands still at a node, under a condition.
type Stand struct {
	lts.Standing
	Guard []*expr.Expr // conjuncts
}

// Stands are the ways in which the component stands still at a node of [Graph.Base]; none where it does not. A return
// that is observed is offered as the action that the value stands for.
func (g *Graph) Stands(n Node) []Stand {
	if n == Stop {
		return []Stand{{Standing: lts.Standing{Ended: true}}}
	}
	var stmt cfa.Stmt
	if g.IsLocation(n) {
		stmt = g.Comp.CFA.Locs[g.nodes[n].loc].Stmt
	}
	if h, isHalt := stmt.(cfa.Halt); isHalt {
		if !h.Ends && !h.Waits {
			return nil
		}
		return []Stand{{Standing: lts.Standing{Ended: h.Ends}}}
	}
	_, returns := stmt.(cfa.Return)
	var all []Stand
	var offers []lts.Action
	for _, id := range g.out[n] {
		e := &g.Edges[id]
		switch {
		case g.says(e.Action):
		case e.Action == lts.Tau || g.Comp.IsCut(e.Action) || len(e.Guard) > 0 && !returns:
			return nil
		case returns:
			all = append(all, Stand{lts.Standing{Offers: []lts.Action{e.Action}}, e.Guard})
		default:
			offers = append(offers, e.Action)
		}
	}
	switch {
	case returns:
		return all
	case offers == nil: // within a routine that has ended the component, or where no run goes on
		if n == Init || g.IsLocation(n) {
			return nil
		}
		return []Stand{{Standing: lts.Standing{Ended: true}}}
	}
	slices.Sort(offers)
	return []Stand{{Standing: lts.Standing{Offers: slices.Compact(offers)}}}
}

// checkStanding refuses calls of routines of which it is not known whether they stand still: they offer actions, or
// return where the values before the call allow a result.
func (c *Component) checkStanding() error {
	for l := range c.CFA.Locs {
		call, ok := c.Calls[cfa.Loc(l)]
		if !ok {
			continue
		}
		for _, ch := range call.Choices {
			for st := range lts.State(ch.LTS.NumStates()) {
				if ch.mayWait(st, call.Result) {
					return &cfa.UnsupportedError{Pos: c.CFA.Locs[l].Pos,
						What: "a routine that offers actions, or returns under a condition",
						Hint: "whether it stands still depends on values: returns beside actions have conditions on the result alone"}
				}
			}
		}
	}
	return nil
}

// mayWait reports whether a state offers actions, and returns only where values before the call allow it.
func (ch *Choice) mayWait(st lts.State, result *expr.Expr) bool {
	acts, depends := false, false
	isOther := func(v *expr.Expr) bool { return v != result }
	for _, e := range ch.LTS.Out(st) {
		cond, returns := ch.Returns[e.Action]
		switch {
		case e.Action == lts.Tau:
			return false
		case !returns:
			acts = true
		case cond == nil || !cond.IsFalse() && !slices.ContainsFunc(expr.Vars(cond), isOther):
			return false // it can always return
		case !cond.IsFalse():
			depends = true
		}
	}
	return acts && depends
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
		loc, _ := g.Loc(n)
		for _, s := range g.Stands(n) {
			a := g.Comp.Actions.Intern(g.Comp.StandingName(s.Standing))
			g.standing[a] = s.Standing
			g.add(Edge{From: n, To: n, Action: a, Guard: s.Guard, Loc: loc})
		}
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
	var offers []string
	for _, name := range c.Actions.Names(s.Offers) { // quoted, so that no two ways have one name
		offers = append(offers, strconv.Quote(name))
	}
	return fmt.Sprintf("%s%d: waits for %s}", cfa.StandsPrefix, c.Stands, strings.Join(offers, " or "))
}

// Standing are the actions by which the component says where it stands, with what they say; nil if it says nothing.
func (g *Graph) Standing() map[lts.Action]lts.Standing { return maps.Clone(g.Base().standing) }
