package interp

// Evaluation of terms.
//
// Idea: a term is a directed acyclic graph; it is laid out once as a straight
// line of instructions, one for each different subterm, operands first. An
// instruction's result stands in the register with the instruction's number.
// All operators are total, so that nothing need be skipped.
//
// The operators are written anew here rather than taken from expr.Eval, which
// makes a replay an independent check of what the abstraction believes; a
// property test compares the two. Cost: linear in the number of different
// subterms, without allocation for up to smallCode of them.

import (
	"fmt"
	"slices"

	"magus/smt/expr"
)

// smallCode is the number of registers that are kept on the stack.
const smallCode = 32

// An instr computes one subterm. Operands are registers.
type instr struct {
	op      expr.Op
	typ     expr.Type // of the operands; of the result where there are none
	to      expr.Type // of the result
	a, b, c int32     // operands; a is the variable's number for Var
	words   []int32   // operands of an operator of 80 bits
	val     uint64    // Const; of floating point the rounding mode
}

// A code computes a term from the values of the variables.
type code struct {
	ins  []instr
	vars []int32 // the variables that occur, by number, increasing
}

// compile lays out e; number numbers its variables.
func compile(e *expr.Expr, number func(v *expr.Expr) int32) *code {
	c := &code{}
	regs := map[*expr.Expr]int32{}
	emit := func(in instr) int32 {
		c.ins = append(c.ins, in)
		return int32(len(c.ins) - 1)
	}
	expr.Walk(func(e *expr.Expr) {
		mode, args := modeOf(e)
		in := instr{op: e.Op(), typ: e.Type(), to: e.Type(), val: mode}
		switch e.Op() {
		case expr.Const:
			in.val = e.Value()
		case expr.Var:
			in.a = number(e)
			c.vars = append(c.vars, in.a)
		case expr.Land, expr.Lor: // two at a time
			acc := regs[args[0]]
			for _, a := range args[1:] {
				acc = emit(instr{op: e.Op(), typ: expr.Bool, to: expr.Bool, a: acc, b: regs[a]})
			}
			regs[e] = acc
			return
		default:
			in.typ = args[0].Type()
			if e.Op().IsExtended() {
				for _, a := range args {
					in.words = append(in.words, regs[a])
				}
				break
			}
			for i, r := range []*int32{&in.a, &in.b, &in.c} {
				if i < len(args) {
					*r = regs[args[i]]
				}
			}
		}
		regs[e] = emit(in)
	}, e)
	slices.Sort(c.vars)
	return c
}

// eval is the term's value; vals has the variables' values by number.
func (c *code) eval(vals []uint64) uint64 {
	var small [smallCode]uint64
	regs := small[:]
	if len(c.ins) > smallCode {
		regs = make([]uint64, len(c.ins))
	}
	for i := range c.ins {
		in := &c.ins[i]
		switch in.op {
		case expr.Const:
			regs[i] = in.val
		case expr.Var:
			regs[i] = vals[in.a]
		default:
			if in.words != nil {
				regs[i] = in.applyExtended(regs, in.words)
				continue
			}
			regs[i] = in.apply(regs[in.a], regs[in.b], regs[in.c])
		}
	}
	return regs[len(c.ins)-1]
}

// apply is the instruction's result for the values of its operands.
func (in *instr) apply(a, b, c uint64) uint64 {
	if in.op.IsFloat() {
		return in.applyFloat(a, b, c)
	}
	switch in.op {
	case expr.Ite:
		if a != 0 {
			return b
		}
		return c
	case expr.Not:
		return 1 - a
	case expr.Neg, expr.Compl, expr.Cast:
		return cut(in.to, unary(in.op, widen(in.typ, a)))
	}
	return cut(in.to, operate(in.op, in.typ, a, b))
}

// cut keeps the bits of v that a value of type t has.
func cut(t expr.Type, v uint64) uint64 {
	if t.IsBool() {
		return v & 1
	}
	if t.Width >= 64 {
		return v
	}
	return v & (1<<t.Width - 1)
}

// widen reads the bit pattern v of type t as a number and gives its 64-bit
// pattern.
func widen(t expr.Type, v uint64) uint64 {
	if t.Signed && v>>(t.Width-1)&1 == 1 && t.Width < 64 {
		return v | ^uint64(0)<<t.Width
	}
	return v
}

// unary applies an operator to a number; a Cast changes nothing but the type.
func unary(op expr.Op, v uint64) uint64 {
	switch op {
	case expr.Neg:
		return ^v + 1
	case expr.Compl:
		return ^v
	}
	return v
}

// operate applies an operator to two bit patterns of type t. The result is yet
// to be cut to the result's type.
func operate(op expr.Op, t expr.Type, a, b uint64) uint64 {
	switch op {
	case expr.Add:
		return a + b
	case expr.Sub:
		return a - b
	case expr.Mul:
		return a * b
	case expr.And, expr.Land:
		return a & b
	case expr.Or, expr.Lor:
		return a | b
	case expr.Xor:
		return a ^ b
	case expr.Eq:
		return truth(a == b)
	case expr.Lt:
		if t.Signed {
			return truth(int64(widen(t, a)) < int64(widen(t, b)))
		}
		return truth(a < b)
	case expr.Shl:
		if b >= uint64(t.Width) {
			return 0
		}
		return a << b
	case expr.Shr: // 63 places do what more would do, for a sign or zeros fill up
		return shiftRight(t, widen(t, a), min(b, 63), b > 63)
	case expr.Div:
		return quotient(t, widen(t, a), widen(t, b))
	case expr.Rem:
		return remainder(t, widen(t, a), widen(t, b))
	}
	panic(fmt.Sprintf("interp: operator %d is not binary", op))
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// shiftRight shifts the number a by n ≤ 63 places, or by more if all is set.
func shiftRight(t expr.Type, a, n uint64, all bool) uint64 {
	switch {
	case t.Signed:
		return uint64(int64(a) >> n)
	case all:
		return 0
	}
	return a >> n
}

// quotient is a / b for numbers; by zero it is SMT-LIB's: all ones, but 1 for
// a negative dividend.
func quotient(t expr.Type, a, b uint64) uint64 {
	switch {
	case b == 0 && t.Signed && int64(a) < 0:
		return 1
	case b == 0:
		return ^uint64(0)
	case !t.Signed:
		return a / b
	}
	return uint64(int64(a) / int64(b)) // Go wraps the least value divided by -1
}

// remainder is a % b for numbers, with a's sign; by zero it is a.
func remainder(t expr.Type, a, b uint64) uint64 {
	switch {
	case b == 0:
		return a
	case !t.Signed:
		return a % b
	}
	return uint64(int64(a) % int64(b))
}
