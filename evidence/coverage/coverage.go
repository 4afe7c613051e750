package coverage

// Idea: the edges taken say where the automaton goes; the automaton's locations are
// parts of points of the draft that lowering made it of (see cfa.Sight), so they say
// which points control leaves, and by which end. A point whose locations have all been
// dropped does nothing and is left by every end. Following these ends from the entry
// gives the points reached; a statement is reached if one of its points is.
//
// An end that is not taken, of a point that is reached, has an blocker. Conditions of
// the program that always have one value are normal. The others are stops: a check of
// a pointer, an assumption, a call, a wait that nothing passes; and a condition if all
// that it leaves to do is to stop, as in
//
//	if (!ready()) exit(1); // always
//
// What cannot be reached but through stops is lost. A stop does not count where the
// program goes on for ever on the other side: a server has no end to get to.
//
// Source: none; the vacuity of a specification (Beer, Ben-David, Eisner, Rodeh,
// "Efficient detection of vacuity in temporal model checking", 2001) is another
// question, answered for actions in warnings.go.
//
// Cost: linear in the automaton and in the draft.

import (
	"cmp"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/graph"
	"magus/lts"
)

// Moves are what an abstraction does, by edge of the control graph.
type Moves struct {
	// Taken are the edges that it takes.
	Taken []bool
	// Refused are those that it would take, if other components ever joined in.
	Refused []bool
}

// Of says what was reached of the component, and why not all.
func Of(g *component.Graph, m Moves) *verdict.Coverage {
	s := newSurvey(g, m)
	s.reach()
	s.obstruct()
	return s.result()
}

// A survey works out the coverage of one component.
type survey struct {
	g     *component.Graph
	sight *cfa.Sight
	moves Moves
	parts [][]cfa.Loc // by point: its locations, in order
	// By point:
	reached []bool
	taken   []uint8 // the ends by which control leaves it, as bits
	because []int32 // of one not reached: its blocker; -1: none known
	met     []blocker
}

// An blocker of one or several points.
type blocker struct {
	cfa.Blocker
	stop bool
}

func newSurvey(g *component.Graph, m Moves) *survey {
	c := g.Comp.CFA
	n := len(c.Sight.Points)
	s := &survey{g: g, sight: &c.Sight, moves: m, reached: make([]bool, n), taken: make([]uint8, n),
		because: make([]int32, n)}
	s.parts = group(c.Sight.Origin, n)
	for i := range s.because {
		s.because[i] = -1
	}
	return s
}

// group lists the locations by their points, one array for all.
func group(origin []int32, points int) [][]cfa.Loc {
	count := make([]int32, points+1)
	for _, p := range origin {
		count[p+1]++
	}
	for p := range points {
		count[p+1] += count[p]
	}
	all := make([]cfa.Loc, len(origin))
	at := append([]int32{}, count[:points]...)
	for l, p := range origin {
		all[at[p]] = cfa.Loc(l)
		at[p]++
	}
	parts := make([][]cfa.Loc, points)
	for p := range parts {
		parts[p] = all[count[p]:count[p+1]]
	}
	return parts
}

// reach follows the ends that are taken.
func (s *survey) reach() {
	if len(s.sight.Points) == 0 || !s.begins() {
		return
	}
	s.reached = graph.Reachable(graph.Func{Nodes: len(s.reached), Succ: func(p int, yield func(int)) {
		s.taken[p] = s.ends(int32(p))
		s.goesTo(p, yield)
	}}, int(s.sight.Entry))
}

// goesTo calls yield with the points that the ends of a point which are taken lead to.
func (s *survey) goesTo(p int, yield func(int)) {
	for k, to := range s.sight.Points[p].Succ {
		if s.taken[p]>>k&1 == 1 {
			yield(int(to))
		}
	}
}

// begins reports whether a run may begin at all.
func (s *survey) begins() bool {
	for _, e := range s.g.Out(component.Init) {
		if s.moves.Taken[e] {
			return true
		}
	}
	return false
}

// ends are the ends by which control leaves a point that is reached.
func (s *survey) ends(p int32) uint8 {
	succ := s.sight.Points[p].Succ
	var all uint8
	for k, to := range succ {
		if to >= 0 {
			all |= 1 << k
		}
	}
	locs := s.g.Comp.CFA.Locs
	var left uint8
	for i, l := range s.parts[p] {
		if _, isBranch := locs[l].Stmt.(cfa.Branch); isBranch && succ[1] >= 0 && i == len(s.parts[p])-1 {
			return all & s.sides(l)
		}
		if s.leaves(l, p) {
			left = 1
		}
	}
	if len(s.parts[p]) == 0 {
		return all
	}
	return all & left
}

// sides are the ends of a branch that are taken.
func (s *survey) sides(l cfa.Loc) uint8 {
	var taken uint8
	for _, id := range s.g.Out(s.g.At(l)) {
		for k, to := range s.g.Comp.CFA.Locs[l].Succ {
			if s.moves.Taken[id] && s.g.Edges[id].To == s.g.At(to) {
				taken |= 1 << k
			}
		}
	}
	return taken
}

// leaves reports whether control goes from a location of a point to what follows
// the point. Within a point it only goes on to later locations.
func (s *survey) leaves(l cfa.Loc, p int32) bool {
	for _, to := range s.g.Comp.CFA.Locs[l].Succ {
		if s.sight.Origin[to] == p && to > l {
			continue
		}
		for _, id := range s.g.In(s.g.At(to)) {
			if s.moves.Taken[id] && s.g.Edges[id].Loc == l {
				return true
			}
		}
	}
	return false
}

// cutOff reports whether the proof lets recursion go deeper than is followed: what may
// come then is not excluded.
func (s *survey) cutOff() bool {
	for id, taken := range s.moves.Taken {
		if a := s.g.Edges[id].Action; taken && a != lts.Tau && s.g.Comp.IsCut(a) {
			return true
		}
	}
	return false
}

// result sums up.
func (s *survey) result() *verdict.Coverage {
	c := &verdict.Coverage{Component: s.g.Comp.Name}
	reached, because := s.statements()
	open := s.cutOff()
	for i, st := range s.sight.Statements {
		covered := verdict.Covered{Pos: st.Pos, Proc: st.Proc, Reached: reached[i] || open}
		switch {
		case covered.Reached:
			c.Reached++
		case st.Excluded.Kind != "":
			covered.Because, covered.Lost = s.excluded(st)
		case because[i] >= 0:
			o := s.met[because[i]]
			covered.Because, covered.Lost = o.Blocker, o.stop
		}
		c.Statements = append(c.Statements, covered)
	}
	slices.SortStableFunc(c.Statements, func(a, b verdict.Covered) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	for p, point := range s.sight.Points {
		if point.Returns && (s.reached[p] || s.because[p] >= 0) {
			c.Returns = true
			c.ReturnReached = c.ReturnReached || s.reached[p]
			if o := s.because[p]; o >= 0 && s.met[o].stop && c.EndLost.Kind == "" {
				c.EndLost = s.met[o].Blocker
			}
		}
	}
	c.ReturnReached = c.ReturnReached || c.Returns && open
	if c.ReturnReached || open {
		c.EndLost = cfa.Blocker{}
	}
	if !open {
		c.Endless = s.endless(c.Statements)
	}
	return c
}

// excluded is why a statement is not reached that control cannot come to whatever the
// values are: what ends the runs before it, if runs come to that.
func (s *survey) excluded(st cfa.Statement) (why cfa.Blocker, lost bool) {
	if st.After < 0 || s.reached[st.After] {
		return st.Excluded, st.After >= 0
	}
	if o := s.because[st.After]; o >= 0 {
		return s.met[o].Blocker, s.met[o].stop
	}
	return st.Excluded, false
}

// statements says of each whether it is reached, and else what its first blocker
// is.
func (s *survey) statements() (reached []bool, because []int32) {
	n := len(s.sight.Statements)
	reached, because = make([]bool, n), make([]int32, n)
	for i := range because {
		because[i] = -1
	}
	for p, point := range s.sight.Points {
		if i := point.Statement; i >= 0 {
			reached[i] = reached[i] || s.reached[p]
			if o := s.because[p]; o >= 0 && (because[i] < 0 || o < because[i]) {
				because[i] = o
			}
		}
	}
	return reached, because
}
