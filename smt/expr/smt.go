package expr

import (
	"fmt"
	"strings"
)

var smtOps = map[Op][2]string{ // unsigned, signed
	Add: {"bvadd", "bvadd"}, Sub: {"bvsub", "bvsub"}, Mul: {"bvmul", "bvmul"}, Div: {"bvudiv",
		"bvsdiv"}, Rem: {"bvurem", "bvsrem"},
	And: {"bvand", "bvand"}, Or: {"bvor", "bvor"}, Xor: {"bvxor", "bvxor"}, Shl: {"bvshl",
		"bvshl"}, Shr: {"bvlshr", "bvashr"},
	Eq: {"=", "="}, Lt: {"bvult", "bvslt"}, Land: {"and", "and"}, Lor: {"or", "or"}, Not: {"not",
		"not"}, Ite: {"ite", "ite"},
	Neg: {"bvneg", "bvneg"}, Compl: {"bvnot", "bvnot"},
}

// SMTSort is the sort of SMT-LIB 2 that a type is.
func (t Type) SMTSort() string {
	if t.IsBool() {
		return "Bool"
	}
	return fmt.Sprintf("(_ BitVec %d)", t.Width)
}

// SMTLIB writes e as a term of SMT-LIB 2's logic QF_BV, or QF_BVFP if there is
// floating point in it. name gives the symbol of a variable, and of a term of
// [Defined], which must be declared and defined; symbols that begin with "?" are left to shared subterms,
// which are written once and bound by let. The text is linear in the number
// of different subterms.
func (e *Expr) SMTLIB(name func(e *Expr) string) string {
	w := smtWriter{name: name, uses: map[*Expr]int{}, bound: map[*Expr]string{}}
	lets := w.let(e)
	w.write(e)
	w.b.WriteString(strings.Repeat(")", lets))
	return w.b.String()
}

// let binds the shared subterms of what is written next, and is how many parentheses it opens.
func (w *smtWriter) let(es ...*Expr) int {
	many := w.shared(es...)
	for i, s := range many {
		symbol := fmt.Sprintf("?%d", i)
		w.b.WriteString("(let ((" + symbol + " ")
		w.write(s)
		w.b.WriteString(")) ")
		w.bound[s] = symbol
	}
	return len(many)
}

type smtWriter struct {
	b     strings.Builder
	name  func(e *Expr) string
	uses  map[*Expr]int    // by subterm: how many operands it is
	bound map[*Expr]string // the symbols of shared subterms written so far
}

// walkWritten is [Walk] without what is below terms that are written as symbols.
func walkWritten(f func(e *Expr), es ...*Expr) {
	seen := map[*Expr]bool{}
	var walk func(e *Expr)
	walk = func(e *Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		if !e.defined() {
			for _, a := range e.args {
				walk(a)
			}
		}
		f(e)
	}
	for _, e := range es {
		walk(e)
	}
}

// shared are the applications below e that occur more than once, operands
// before the terms that use them.
func (w *smtWriter) shared(es ...*Expr) []*Expr {
	for _, e := range es {
		w.uses[e]++
	}
	walkWritten(func(s *Expr) {
		for _, a := range s.args {
			w.uses[a]++
		}
	}, es...)
	var many []*Expr
	walkWritten(func(s *Expr) {
		if len(s.args) > 0 && w.uses[s] > 1 && !s.defined() {
			many = append(many, s)
		}
	}, es...)
	return many
}

func (w *smtWriter) write(e *Expr) {
	if symbol, ok := w.bound[e]; ok {
		w.b.WriteString(symbol)
		return
	}
	switch e.op {
	case Const:
		if e.typ.IsBool() {
			fmt.Fprint(&w.b, e.val == 1)
		} else {
			fmt.Fprintf(&w.b, "(_ bv%d %d)", e.val, e.typ.Width)
		}
		return
	case Var:
		w.b.WriteString(w.name(e))
		return
	}
	switch {
	case e.isWord():
		w.word(e)
		return
	case e.defined():
		w.b.WriteString(w.name(e))
		return
	case e.op == XToInt:
		w.extendedToInt(e)
		return
	case e.op.IsExtended():
		w.extendedOperation(e)
		return
	}
	if e.op.IsFloat() {
		w.float(e)
		return
	}
	w.b.WriteString("(" + e.smtHead())
	for _, a := range e.args {
		w.b.WriteByte(' ')
		w.write(a)
	}
	w.b.WriteByte(')')
}

// smtHead is the operator, chosen by the signedness of the operands.
func (e *Expr) smtHead() string {
	from := e.args[0].typ
	if e.op != Cast {
		if from.Signed {
			return smtOps[e.op][1]
		}
		return smtOps[e.op][0]
	}
	switch {
	case from.Width >= e.typ.Width:
		return fmt.Sprintf("(_ extract %d 0)", e.typ.Width-1)
	case from.Signed:
		return fmt.Sprintf("(_ sign_extend %d)", e.typ.Width-from.Width)
	}
	return fmt.Sprintf("(_ zero_extend %d)", e.typ.Width-from.Width)
}
