package cfa

// Bodies that stand once, whichever calls lead there: see package lower, shared.go.

import "magus/smt/expr"

// A Body is a procedure whose statements stand once in an automaton. A call of it assigns its number to Site,
// and behind the body branches compare Site with numbers: the first end of such a branch is where the call of
// that number goes on.
type Body struct {
	Proc string
	// Frame is the procedure's instance, and Frames are those of what is inlined in it, itself included.
	Frame  int
	Frames []int
	Site   *expr.Expr
	// Own are variables of Frames that no pointer leads to, and that nothing but the text of Frames' procedures assigns.
	Own []*expr.Expr
	// Passing are the variables that calls give arguments to, and the one that has the result.
	Passing []*expr.Expr
	Calls   []BodyCall // by number, from 1
	// Cycle is the number of the cycle of calls that the body is in; -1 of one that does not call itself. The
	// variables of Frames are those of the last call that has not returned: behind a call within the cycle they
	// are again what they were before it. No statement says so.
	Cycle int
	// Addressed is a local variable, or what else there is once in Frames and has an address; "" for none. Of a
	// body in a cycle there would have to be several.
	Addressed string
}

// A BodyCall is a call of a body that stands once.
type BodyCall struct {
	Frame int // of the call
	Pos   Pos
	// Past is, of a call within a cycle, the variable of a branch behind the assignment to Site, whose second
	// end leads to where the call goes on. No run takes it. It is there for analyses of the automaton, which
	// then find what is so of variables that the call leaves alone. nil for none.
	Past *expr.Expr
}

// Recursive reports whether a body that stands once calls itself. Such an automaton has no meaning but by its Bodies.
func (c *CFA) Recursive() bool {
	for _, b := range c.Bodied {
		if b.Cycle >= 0 {
			return true
		}
	}
	return false
}

// Fork2 puts a branch behind a location with one successor: its first end leads where that led, the second elsewhere.
func (b *Builder) Fork2(n Loc, s Branch, to Loc) {
	at := Loc(len(b.locs))
	of := b.locs[n]
	b.locs = append(b.locs, Location{Stmt: s, Succ: []Loc{of.Succ[0], to}, Pos: of.Pos, Frame: of.Frame})
	b.sight.marks = append(b.sight.marks, b.sight.marks[n])
	b.locs[n].Succ = []Loc{at}
}
