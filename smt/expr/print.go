package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// Binding strengths of C's operators, the stronger the greater.
const (
	precIte = iota + 1
	precLor
	precLand
	precOr
	precXor
	precAnd
	precEq
	precLt
	precShift
	precAdd
	precMul
	precUnary
	precLeaf
)

// String prints e as C. The text, read as C with e's variables declared by
// their types, has e's value, but for division by zero, shifts by the width
// and the types of literals.
func (e *Expr) String() string {
	var b strings.Builder
	e.print(&b, 0)
	return b.String()
}

var binary = map[Op]struct {
	sign string
	prec int
}{
	Add: {" + ", precAdd}, Sub: {" - ", precAdd}, Mul: {" * ", precMul}, Div: {" / ", precMul}, Rem: {" % ", precMul},
	And: {" & ", precAnd}, Or: {" | ", precOr}, Xor: {" ^ ", precXor}, Shl: {" << ", precShift}, Shr: {" >> ", precShift},
	Eq: {" == ", precEq}, Lt: {" < ", precLt}, Land: {" && ", precLand}, Lor: {" || ", precLor},
}

// print writes e, in parentheses if its operator binds weaker than outer.
func (e *Expr) print(b *strings.Builder, outer int) {
	if e.op.IsFloat() || e.op == Eq && e.args[0].typ.IsFloat() {
		e.printFloat(b, outer)
		return
	}
	if e.op.IsExtended() {
		e.printExtended(b, outer)
		return
	}
	if e.op == Not && len(e.args[0].args) == 2 {
		if a := e.args[0]; a.op == FEq {
			printChain(b, outer, precEq, " != ", a.args)
			return
		} else if a.op == Eq && !a.args[0].typ.IsFloat() {
			printChain(b, outer, precEq, " != ", a.args)
			return
		} else if a.op == Lt {
			printChain(b, outer, precLt, " >= ", a.args)
			return
		}
	}
	if op, ok := binary[e.op]; ok {
		if n := e.args[1]; e.op == Add && n.op == Neg {
			printChain(b, outer, precAdd, " - ", []*Expr{e.args[0], n.args[0]})
		} else if name, negative := strings.CutPrefix(n.name, "-"); e.op == Add && n.op == Const && negative {
			paren(b, outer > precAdd, func() {
				e.args[0].print(b, precAdd)
				b.WriteString(" - " + name)
			})
		} else if e.op == Add && n.op == Const && n.typ.Signed && n.Int() < 0 && n.val != n.typ.Min() {
			paren(b, outer > precAdd, func() {
				e.args[0].print(b, precAdd)
				b.WriteString(" - " + strconv.FormatInt(-n.Int(), 10))
			})
		} else {
			printChain(b, outer, op.prec, op.sign, e.args)
		}
		return
	}
	e.printRest(b, outer)
}

func (e *Expr) printRest(b *strings.Builder, outer int) {
	prefix := func(sign string) {
		paren(b, outer > precUnary, func() { b.WriteString(sign); e.args[0].print(b, precUnary) })
	}
	switch e.op {
	case Const:
		b.WriteString(e.literal())
	case Var:
		b.WriteString(e.name)
	case Neg:
		prefix("-")
	case Compl:
		prefix("~")
	case Not:
		prefix("!")
	case Cast:
		prefix("(" + e.typ.String() + ")")
	case Ite:
		paren(b, outer > precIte, func() {
			e.args[0].print(b, precLor)
			b.WriteString(" ? ")
			e.args[1].print(b, precIte)
			b.WriteString(" : ")
			e.args[2].print(b, precIte)
		})
	default:
		panic(fmt.Sprintf("expr: operator %d", e.op))
	}
}

// literal writes a constant, by its name if it has one; a negative one stands in parentheses only where
// C would read another operator into it, which no operator here allows.
func (e *Expr) literal() string {
	switch {
	case e.name != "":
		return e.name
	case e.typ.IsBool():
		return strconv.FormatUint(e.val, 10)
	case e.typ.IsFloat():
		return floatLiteral(e.typ, e.val)
	case e.typ.Signed:
		return strconv.FormatInt(e.Int(), 10)
	case e.typ.Width >= 32:
		return strconv.FormatUint(e.val, 10) + "U"
	}
	return strconv.FormatUint(e.val, 10)
}

func paren(b *strings.Builder, need bool, f func()) {
	if need {
		b.WriteByte('(')
	}
	f()
	if need {
		b.WriteByte(')')
	}
}

func printChain(b *strings.Builder, outer, prec int, sign string, args []*Expr) {
	paren(b, outer > prec, func() {
		for i, a := range args {
			if i > 0 {
				b.WriteString(sign)
				a.print(b, prec+1)
			} else {
				a.print(b, prec)
			}
		}
	})
}
