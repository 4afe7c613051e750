package cfa

// What lowering saw of the sources.
//
// Idea: an automaton is made in two passes. The first writes a draft, statement by
// statement; the second writes every location of the draft anew, without accesses to
// memory, and compaction drops what does nothing and where control cannot come. So
// the automaton alone does not tell which statements there are, nor where control
// would go if it got any further. The draft does: its locations are kept as points,
// each with its successors and the statement of the source that it belongs to, and
// every location of the automaton has the point that it was made of. A statement
// without a point was met where control cannot come as the text stands, and has the
// reason.
//
// What a proof reached is worked out from this by package coverage.
//
// Cost: linear in the draft, 16 bytes a location of it.

// A Sight is what lowering saw of the sources. It is immutable.
type Sight struct {
	Statements []Statement
	Points     []Point
	Entry      int32   // the point where control begins
	Origin     []int32 // by location of the automaton: its point
	Heads      []Head
}

// A Head is where control comes each time before the condition of a loop is looked at, or to
// a label. Each inlined copy has its own.
type Head struct {
	Point int32
	Frame int
	Pos   Pos // of the statement: the keyword of the loop, or the label
	Loop  bool
}

// At are the locations that control comes to from a point before it does anything, and
// perhaps others: those made of the point, or of the one that it goes on to. There may be
// none where control is not followed any further.
func (s *Sight) At(point int32) []Loc {
	for range s.Points {
		var at []Loc
		for l, of := range s.Origin {
			if of == point {
				at = append(at, Loc(l))
			}
		}
		p := s.Points[point]
		if at != nil || p.Succ[0] < 0 || p.Succ[1] >= 0 {
			return at
		}
		point = p.Succ[0]
	}
	return nil
}

// A Statement of the sources does something: it is an expression, an
// initialiser, a condition or a return. Inlined copies of it are one.
type Statement struct {
	Pos  Pos
	Proc string
	// Excluded says why control cannot come here whatever the values are; its kind
	// is empty where it may. After is the point that ends what is before, -1 if it is
	// no such point.
	Excluded Blocker
	After    int32
}

// A Point is a location of the draft.
type Point struct {
	Succ      [2]int32 // -1: none
	Statement int32    // -1: it belongs to none
	Returns   bool     // the component returns here
}

// A Blocker is why control gets no further.
type Blocker struct {
	Kind BlockerKind
	Pos  Pos
	What string // what stops: "exit"; the value of a condition: "true"; actions
}

// A BlockerKind says of what kind a blocker is.
type BlockerKind string

// The kinds of blockers.
const (
	NeverHolds   BlockerKind = "condition"  // a condition of the program always has the value What
	NeverTrue    BlockerKind = "assumption" // an assumption is never true
	NeverValid   BlockerKind = "pointer"    // a pointer is never valid, or an index never within its array
	NeverOn      BlockerKind = "end"        // What ends every run
	NeverReturns BlockerKind = "call"       // the call of What never returns
	NeverLeft    BlockerKind = "loop"       // a loop that does nothing has no end
	NeverMet     BlockerKind = "wait"       // the component waits for ever for What
	NoWay        BlockerKind = "jump"       // only jumps and returns are before it
)

// String says what is the matter, without the place.
func (o Blocker) String() string {
	switch o.Kind {
	case NeverHolds:
		return "this condition is always " + o.What
	case NeverTrue:
		return "this assumption is never true"
	case NeverValid:
		return "the pointer or index used here is never valid"
	case NeverOn:
		return o.What + " ends every run here"
	case NeverReturns:
		return "the call of " + o.What + " never returns"
	case NeverLeft:
		return "this loop does nothing and has no end"
	case NeverMet:
		return "nobody joins in " + o.What + " here: the component waits for ever"
	case NoWay:
		return "no way leads there from here"
	}
	return ""
}

// The reasons of a [Halt] that are told from others.
const (
	AssumptionFails = "assume"
	InvalidPointer  = "invalid pointer"
	SignedOverflow  = "signed overflow"
)

// Blocker is what a halt is to those who wanted to go on.
func (h Halt) Blocker(pos Pos) Blocker {
	switch h.Reason {
	case AssumptionFails:
		return Blocker{NeverTrue, pos, ""}
	case InvalidPointer:
		return Blocker{NeverValid, pos, ""}
	}
	return Blocker{NeverOn, pos, h.Reason}
}

// A cut is why control did not go on, and the location that ended it, or -1.
type cut struct {
	Blocker
	at int32
}

// A deadEnd is a location that was written where control does not come.
type deadEnd struct {
	at  int32
	why cut
}

// A sighting is the part of a builder that notes what is seen.
type sighting struct {
	statements []Statement
	numbers    map[Pos]int32 // of the statements
	current    int32         // the statement that is written, or the point that is written anew; -1: none
	marks      []int32       // by location: the statement, or the point, that it belongs to
	cut        cut           // why control did not go on the last time that it did not
	dead       []deadEnd     // locations where control does not come
	blind      bool          // nothing is noted: code out of line
	points     []Point       // of the draft, once it is written anew
	heads      []Head        // of the draft
	entry      int32
}

// BeginStatement makes a statement the one that what follows belongs to, and gives
// what [Builder.EndStatement] wants.
func (b *Builder) BeginStatement(pos Pos, proc string) (before int32) {
	s := &b.sight
	before = s.current
	if s.blind {
		return before
	}
	n, known := s.numbers[pos]
	if !known {
		n = int32(len(s.statements))
		s.numbers[pos] = n
		s.statements = append(s.statements, Statement{Pos: pos, Proc: proc, After: -1})
	}
	s.current = n
	if b.Dead() {
		s.exclude(n, s.cut)
	} else {
		b.Emit(Goto{}, pos)
	}
	return before
}

// Head notes that a location is the head of a loop, or a label.
func (b *Builder) Head(at Loc, pos Pos, loop bool) {
	if !b.sight.blind {
		b.sight.heads = append(b.sight.heads, Head{int32(at), b.frame, pos, loop})
	}
}

// Statement is the statement that what follows belongs to.
func (b *Builder) Statement() int32 { return b.sight.current }

// EndStatement ends a statement.
func (b *Builder) EndStatement(before int32) { b.sight.current = before }

// Because notes why control does not go on, for the code that follows and is dead.
func (b *Builder) Because(kind BlockerKind, pos Pos, what string) {
	b.sight.cut = cut{Blocker{kind, pos, what}, -1}
}

// Rewrite makes a location that [Builder.Restart] gave out the one that what
// follows is written for.
func (b *Builder) Rewrite(at Loc, of Location) {
	b.frame, b.sight.current = of.Frame, int32(at)
}

// exclude notes why control does not come to a statement; the first reason counts.
func (s *sighting) exclude(n int32, why cut) {
	if st := &s.statements[n]; st.Excluded.Kind == "" {
		st.Excluded, st.After = why.Blocker, why.at
	}
}

// keep keeps the locations that are there as the points of the draft.
func (s *sighting) keep(locs []Location, entry Loc) {
	s.entry = int32(entry)
	s.points = make([]Point, len(locs))
	for i, loc := range locs {
		p := Point{Succ: [2]int32{-1, -1}, Statement: s.marks[i]}
		for k, to := range loc.Succ {
			p.Succ[k] = int32(to)
		}
		_, p.Returns = loc.Stmt.(Return)
		s.points[i] = p
	}
	s.marks, s.current = nil, -1
}

// sight is what was seen, for an automaton whose locations were made of those with
// the given numbers.
func (s *sighting) sight(made []Loc) Sight {
	g := Sight{Points: s.points, Entry: s.entry, Origin: make([]int32, len(made)), Heads: s.heads}
	for i, n := range made {
		g.Origin[i] = s.marks[n]
	}
	met := make([]bool, len(s.statements))
	seen := make([]bool, len(s.points))
	s.each(s.entry, seen, func(n int32) { met[n] = true })
	for _, d := range s.dead {
		if !seen[d.at] {
			s.each(d.at, seen, func(n int32) { s.exclude(n, d.why) })
		}
	}
	for i := range s.statements {
		if met[i] {
			s.statements[i].Excluded, s.statements[i].After = Blocker{}, -1
		}
	}
	g.Statements = s.statements
	return g
}

// each calls f for the statements of all points that control may come to from one
// on, but for those seen before.
func (s *sighting) each(from int32, seen []bool, f func(statement int32)) {
	seen[from] = true
	for work := []int32{from}; len(work) > 0; {
		p := &s.points[work[len(work)-1]]
		work = work[:len(work)-1]
		if p.Statement >= 0 {
			f(p.Statement)
		}
		for _, to := range p.Succ {
			if to >= 0 && !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
}
