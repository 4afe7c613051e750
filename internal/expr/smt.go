package expr

import (
	"fmt"
	"strings"
)

var smtOps = map[Op][2]string{ // unsigned, signed
	Add: {"bvadd", "bvadd"}, Sub: {"bvsub", "bvsub"}, Mul: {"bvmul", "bvmul"}, Div: {"bvudiv", "bvsdiv"}, Rem: {"bvurem", "bvsrem"},
	And: {"bvand", "bvand"}, Or: {"bvor", "bvor"}, Xor: {"bvxor", "bvxor"}, Shl: {"bvshl", "bvshl"}, Shr: {"bvlshr", "bvashr"},
	Eq: {"=", "="}, Lt: {"bvult", "bvslt"}, Land: {"and", "and"}, Lor: {"or", "or"}, Not: {"not", "not"}, Ite: {"ite", "ite"},
	Neg: {"bvneg", "bvneg"}, Compl: {"bvnot", "bvnot"},
}

// SMTLIB writes e as a term of SMT-LIB 2's logic QF_BV. name gives the symbol
// of a variable.
func (e *Expr) SMTLIB(name func(v *Expr) string) string {
	var b strings.Builder
	e.smt(&b, name)
	return b.String()
}

func (e *Expr) smt(b *strings.Builder, name func(v *Expr) string) {
	switch e.op {
	case Const:
		if e.typ.IsBool() {
			fmt.Fprint(b, e.val == 1)
		} else {
			fmt.Fprintf(b, "(_ bv%d %d)", e.val, e.typ.Width)
		}
		return
	case Var:
		b.WriteString(name(e))
		return
	}
	b.WriteString("(" + e.smtHead())
	for _, a := range e.args {
		b.WriteByte(' ')
		a.smt(b, name)
	}
	b.WriteByte(')')
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
