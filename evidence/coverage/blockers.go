package coverage

// What keeps control from where it is not.

import (
	"slices"
	"strings"

	"magus/cfa"
	"magus/internal/graph"
	"magus/lts"
)

// An end of a point.
type end struct {
	point int32
	slot  int
}

// obstruct finds the blockers, and what is behind them: stops first, in the order
// of the draft, and then conditions.
func (s *survey) obstruct() {
	if len(s.sight.Points) == 0 {
		return
	}
	if !s.reached[s.sight.Entry] {
		s.met = append(s.met, blocker{cfa.Blocker{Kind: cfa.NeverTrue, Pos: s.position(s.g.Comp.CFA.Entry),
			What: "the guard of the claim"}, true})
		s.lose(s.sight.Entry, 0)
		return
	}
	goesOn := s.goesOn()
	var conditions []end
	for p := range s.reached {
		for k, to := range s.sight.Points[p].Succ {
			e := end{int32(p), k}
			switch {
			case to < 0 || !s.reached[p] || s.taken[p]>>k&1 == 1:
			case s.isCondition(e, goesOn):
				conditions = append(conditions, e)
			default:
				s.meet(e, s.stop(e), true)
			}
		}
	}
	for _, e := range conditions {
		s.meet(e, s.condition(e), false)
	}
}

// meet loses what is behind an end that is not taken.
func (s *survey) meet(e end, o cfa.Blocker, stop bool) {
	to := s.sight.Points[e.point].Succ[e.slot]
	if s.reached[to] || s.because[to] >= 0 {
		return
	}
	n := slices.Index(s.met, blocker{o, stop})
	if n < 0 {
		n = len(s.met)
		s.met = append(s.met, blocker{o, stop})
	}
	s.lose(to, int32(n))
}

// lose lets everything from a point on that is not reached have an blocker.
func (s *survey) lose(from, o int32) {
	for _, p := range graph.Closure(func(p int32, yield func(int32)) {
		for _, to := range s.sight.Points[p].Succ {
			if to >= 0 && !s.reached[to] && s.because[to] < 0 {
				yield(to)
			}
		}
	}, from) {
		s.because[p] = o
	}
}

// isCondition reports whether an end is one of a condition of the program whose
// other end leads on: to a return, or to a loop that does something.
func (s *survey) isCondition(e end, goesOn []bool) bool {
	succ := s.sight.Points[e.point].Succ
	if succ[1] < 0 {
		return false
	}
	other := 1 - e.slot
	return s.taken[e.point]>>other&1 == 0 || goesOn[succ[other]]
}

// condition is the blocker that a condition is which always has one value.
func (s *survey) condition(e end) cfa.Blocker {
	o := cfa.Blocker{Kind: cfa.NeverHolds, What: "false"}
	if e.slot == 1 {
		o.What = "true"
	}
	if l, ok := s.last(e.point); ok {
		o.Pos = s.position(l)
	}
	return o
}

// stop is the blocker at an end of a point: what all ways that are taken from the
// point on come to, the first of them.
func (s *survey) stop(e end) cfa.Blocker {
	seen := map[int32]bool{e.point: true}
	for work := []int32{e.point}; len(work) > 0; work = work[1:] {
		p := work[0]
		if s.taken[p] == 0 {
			return s.halted(p)
		}
		for k, to := range s.sight.Points[p].Succ {
			if s.taken[p]>>k&1 == 1 && !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	o := cfa.Blocker{Kind: cfa.NeverLeft}
	if l, ok := s.last(e.point); ok {
		o.Pos = s.position(l)
	}
	return o
}

// halted is why control leaves a point by no end.
func (s *survey) halted(p int32) cfa.Blocker {
	auto := s.g.Comp.CFA
	for _, l := range slices.Backward(s.parts[p]) {
		at := auto.Locs[l]
		switch stmt := at.Stmt.(type) {
		case cfa.Halt:
			if s.enters(l) {
				return stmt.Blocker(at.Pos)
			}
		case cfa.Call:
			if names := s.refused(l); names != "" {
				return cfa.Blocker{Kind: cfa.NeverMet, Pos: at.Pos, What: names}
			}
			return cfa.Blocker{Kind: cfa.NeverReturns, Pos: at.Pos, What: stmt.Callee}
		case cfa.Act:
			return cfa.Blocker{Kind: cfa.NeverMet, Pos: at.Pos, What: stmt.Action}
		}
	}
	o := cfa.Blocker{Kind: cfa.NeverLeft}
	if l, ok := s.last(p); ok {
		o.Pos = s.position(l)
	}
	return o
}

// enters reports whether control comes to a location.
func (s *survey) enters(l cfa.Loc) bool {
	for _, id := range s.g.In(s.g.At(l)) {
		if s.moves.Taken[id] {
			return true
		}
	}
	return false
}

// refused names the actions at a location that nobody joins in, or is empty.
func (s *survey) refused(l cfa.Loc) string {
	var names []string
	for id, e := range s.g.Edges {
		if e.Loc == l && e.Action != lts.Tau && s.moves.Refused[id] && !s.moves.Taken[id] {
			if name := s.g.Comp.Actions.Name(e.Action); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return strings.Join(names, " or ")
}

// goesOn says from which points control may come to a return, or to a loop that
// does something.
func (s *survey) goesOn() []bool {
	g := graph.Func{Nodes: len(s.reached), Succ: s.goesTo}
	c := graph.SCC(g)
	onCycle := c.OnCycle(g)
	var goals []int
	for _, members := range c.Members() {
		if p := members[0]; !onCycle[p] && !s.sight.Points[p].Returns {
			continue
		}
		if slices.ContainsFunc(members, func(p int) bool {
			return s.reached[p] && (s.sight.Points[p].Returns || s.acts(p))
		}) {
			goals = append(goals, members...)
		}
	}
	return graph.Reachable(graph.Reverse(g), goals...)
}

// acts reports whether a point does something, and not only asks.
func (s *survey) acts(p int) bool {
	return slices.ContainsFunc(s.parts[p], func(l cfa.Loc) bool {
		switch s.g.Comp.CFA.Locs[l].Stmt.(type) {
		case cfa.Goto, cfa.Branch:
			return false
		}
		return true
	})
}

// last is the last location of a point, if it has one.
func (s *survey) last(p int32) (cfa.Loc, bool) {
	if n := len(s.parts[p]); n > 0 {
		return s.parts[p][n-1], true
	}
	return 0, false
}

func (s *survey) position(l cfa.Loc) cfa.Pos { return s.g.Comp.CFA.Locs[l].Pos }
