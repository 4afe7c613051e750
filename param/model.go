package param

import (
	"magus/param/syntax"
)

// A Model is a parameterised system. It is not changed once it is made.
type Model struct {
	Names []Name
	Rules []Rule
	Init  Formula    // of the initial configurations, beside what parameters assume
	Given Formula    // what is assumed of parameters
	Bad   []Property // at least one

	InitPos syntax.Pos
}

// Kind says what a name stands for.
type Kind uint8

// The kinds of names.
const (
	Local     Kind = iota // a local state; its value is how many processes are in it
	Nat                   // a shared variable that is a natural number
	Range                 // a shared variable within Lo..Hi
	Bool                  // a shared variable that is 0 or 1
	Parameter             // a natural number that no rule changes
)

// A Name is a local state, a shared variable or a parameter.
type Name struct {
	Text   string
	Kind   Kind
	Lo, Hi int64 // of a Range, 0 ≤ Lo ≤ Hi; of a Bool 0 and 1
	Pos    syntax.Pos
}

// A Rule moves a process from From[i] to To[i] for every i that both have. What is more in From leaves
// the system, what is more in To enters it. Then all remaining processes of each transfer move.
type Rule struct {
	Name      string
	Pos       syntax.Pos
	From, To  []int // local states
	Transfers []Transfer
	Guard     Formula // over the configuration before the move
	Updates   []Update
}

// A Transfer moves all processes of a local state, but those that the rule moves one by one.
type Transfer struct{ From, To int }

// An Update gives a shared variable a value that is computed before the move. A rule whose update
// would leave the range of the variable cannot be taken.
type Update struct {
	Var   int
	Value Linear
}

// A Property is a set of bad configurations.
type Property struct {
	Name    string // may be empty
	Pos     syntax.Pos
	Formula Formula
}

// Linear is Σ Coef·Var + Const. Invariant: variables ascend and no coefficient is 0.
type Linear struct {
	Terms []Term
	Const int64
}

// A Term is Coef·Var.
type Term struct {
	Var  int
	Coef int64
}

// Add is l + k·m.
func (l Linear) Add(k int64, m Linear) Linear {
	sum := Linear{Const: l.Const + k*m.Const}
	i, j := 0, 0
	for i < len(l.Terms) || j < len(m.Terms) {
		var t Term
		switch {
		case j == len(m.Terms) || i < len(l.Terms) && l.Terms[i].Var < m.Terms[j].Var:
			t = l.Terms[i]
			i++
		case i == len(l.Terms) || m.Terms[j].Var < l.Terms[i].Var:
			t = Term{m.Terms[j].Var, k * m.Terms[j].Coef}
			j++
		default:
			t = Term{l.Terms[i].Var, l.Terms[i].Coef + k*m.Terms[j].Coef}
			i++
			j++
		}
		if t.Coef != 0 {
			sum.Terms = append(sum.Terms, t)
		}
	}
	return sum
}

// Variable is 1·v.
func Variable(v int) Linear { return Linear{Terms: []Term{{v, 1}}} }

// Value of a linear expression in a configuration.
func (l Linear) Value(c Config) int64 {
	n := l.Const
	for _, t := range l.Terms {
		n += t.Coef * c[t.Var]
	}
	return n
}

// A Formula is a set of configurations: Compare, And, Or, Not, Truth or Deadlock.
type Formula interface{ isFormula() }

type (
	// Compare relates two linear expressions.
	Compare struct {
		Op          Op
		Left, Right Linear
	}
	// And is true if all are; the empty one is true.
	And []Formula
	// Or is true if one is; the empty one is false.
	Or []Formula
	// Not is true if F is not.
	Not struct{ F Formula }
	// Truth is the same everywhere.
	Truth bool
	// Deadlock is true if no rule can be taken.
	Deadlock struct{}
)

func (Compare) isFormula()  {}
func (And) isFormula()      {}
func (Or) isFormula()       {}
func (Not) isFormula()      {}
func (Truth) isFormula()    {}
func (Deadlock) isFormula() {}

// Op is a comparison.
type Op uint8

// The comparisons.
const (
	Eq Op = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

// String is the sign.
func (o Op) String() string { return [...]string{"=", "!=", "<", "<=", ">", ">="}[o] }

func (o Op) holds(a, b int64) bool {
	switch o {
	case Eq:
		return a == b
	case Ne:
		return a != b
	case Lt:
		return a < b
	case Le:
		return a <= b
	case Gt:
		return a > b
	}
	return a >= b
}

// Locals are the local states in the order of their declaration.
func (m *Model) Locals() []int {
	var ids []int
	for i, n := range m.Names {
		if n.Kind == Local {
			ids = append(ids, i)
		}
	}
	return ids
}

// RuleName is the name of a rule, or its number, from 1, where it has none.
func (m *Model) RuleName(i int) string {
	if m.Rules[i].Name != "" {
		return m.Rules[i].Name
	}
	return "#" + itoa(i+1)
}
