package lower

// Inline assembly, as GCC has it.
//
// Idea: what the instructions do is not known, but GCC makes the programmer say
// what they may change: the outputs, and with the clobber "memory" everything
// that they can reach. An output therefore gets any value, inputs are values that
// are given away, and "memory" is a call of a routine without a body that is given
// the inputs and knows the names of all static objects. No violation may rest on
// any of these values. Assembly that jumps goes on, or to any of the labels that it
// names.

import (
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"

	"modernc.org/cc/v4"
)

const inlineAssembly = "inline assembly"

func (l *statements) asm(n *cc.Asm) {
	pos := source.Position(n.Position())
	l.Assume(cfa.AboutRoutine, pos, "inline assembly changes its outputs, what it says that it clobbers, and nothing else")
	var parts [][]*cc.AsmExpressionList
	for a := n.AsmArgList; a != nil; a = a.AsmArgList {
		var part []*cc.AsmExpressionList
		for e := a.AsmExpressionList; e != nil; e = e.AsmExpressionList {
			part = append(part, e)
		}
		parts = append(parts, part)
	}
	for len(parts) < 4 {
		parts = append(parts, nil)
	}
	labels, ok := l.asmLabels(n, parts[3])
	if !ok {
		l.refuse(n, "inline assembly that jumps", "what it names are no labels of the function")
		return
	}
	call := memory.UnknownCall{Name: inlineAssembly, Approx: inlineAssembly, Numbers: true}
	var outputs []lvalue
	for _, e := range parts[0] {
		if x := operand(e); x != nil && !l.Dead() {
			outputs = append(outputs, l.accesses.lvalue(x))
		}
	}
	for _, e := range parts[1] {
		x := operand(e)
		if x == nil || l.Dead() {
			continue
		}
		if v := l.expressions.rvalue(x); v.at != nil {
			call.Passed = append(call.Passed, l.accesses.ref(*v.at))
		} else if v.t != nil && l.mayHoldAddress(v.ctype) {
			call.Args = append(call.Args, v.t)
		}
	}
	if l.Dead() {
		return
	}
	for _, p := range outputs {
		if p.v == nil && p.Base != nil {
			call.Passed = append(call.Passed, l.accesses.ref(p)) // what it points to may change too
		}
	}
	if call.All = clobbersMemory(parts[2]); call.All || len(call.Args)+len(call.Passed) > 0 {
		l.Emit(call, pos)
	}
	for _, p := range outputs {
		from := cfa.Loc(l.Len())
		l.anyInto(p, pos)
		l.observing.wrote(from, &p, false, pos)
	}
	l.asmJump(labels, pos)
}

// anyInto gives an lvalue any value.
func (l *statements) anyInto(p lvalue, pos cfa.Pos) {
	switch {
	case p.v != nil:
		l.Emit(cfa.Assign{LHS: p.v, Nondet: inlineAssembly, Approx: inlineAssembly}, pos)
	case p.Base == nil: // floating point
	case p.t.class == classAggregate:
		l.Emit(memory.Fill{To: l.accesses.ref(p), Size: max(l.bytes(p.typ), 0), Nondet: inlineAssembly,
			Approx: inlineAssembly}, pos)
	default:
		l.Emit(memory.Store{To: l.accesses.ref(p), Nondet: inlineAssembly, Approx: inlineAssembly}, pos)
	}
}

// operand is the expression of "=r" (x); nil if there is none.
func operand(e *cc.AsmExpressionList) cc.ExpressionNode {
	c, ok := source.Unparen(e.AssignmentExpression).(*cc.PostfixExpression)
	if !ok || c.Case != cc.PostfixExpressionCall || c.ArgumentExpressionList == nil {
		return nil
	}
	return c.ArgumentExpressionList.AssignmentExpression
}

// clobbersMemory reports whether a list of clobbers has "memory".
func clobbersMemory(list []*cc.AsmExpressionList) bool {
	for _, e := range list {
		if s, ok := source.StringLiteral(e.AssignmentExpression); !ok || strings.TrimSpace(s) == "memory" {
			return true
		}
	}
	return false
}
