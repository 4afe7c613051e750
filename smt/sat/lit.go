package sat

import "strconv"

// A Var is a variable; variables count from 0.
type Var int32

// A Lit is a variable or its negation: 2v or 2v+1.
type Lit int32

// Pos is the literal that is true when v is.
func Pos(v Var) Lit { return Lit(v) << 1 }

// MkLit is v, or its negation if neg.
func MkLit(v Var, neg bool) Lit {
	if neg {
		return Lit(v)<<1 | 1
	}
	return Lit(v) << 1
}

// Not is the opposite literal.
func (l Lit) Not() Lit { return l ^ 1 }

// Var is the literal's variable.
func (l Lit) Var() Var { return Var(l >> 1) }

// Neg reports whether l is a negated variable.
func (l Lit) Neg() bool { return l&1 != 0 }

// Dimacs is the literal as DIMACS files write it: variable v is v+1.
func (l Lit) Dimacs() int {
	if l.Neg() {
		return -int(l.Var()) - 1
	}
	return int(l.Var()) + 1
}

// String is the DIMACS form.
func (l Lit) String() string { return strconv.Itoa(l.Dimacs()) }

// litUndef is no literal.
const litUndef Lit = -1

// An lbool is the value of a literal under the current assignment.
type lbool int8

const (
	unassigned lbool = iota
	isTrue
	isFalse
)

// Result is the answer of [Solver.Solve].
type Result int8

// The answers. Unknown comes with an error only.
const (
	Unknown Result = iota
	Unsat
	Sat
)

// String is "unknown", "unsat" or "sat".
func (r Result) String() string { return [...]string{"unknown", "unsat", "sat"}[r] }
