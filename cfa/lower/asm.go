package lower

// Inline assembly, as GCC has it.
//
// Idea: what the instructions do is not known, but GCC makes the programmer say
// what they may change: the outputs, and with the clobber "memory" everything
// that they can reach. An output therefore gets any value, inputs are values that
// are given away, and "memory" is a call of a routine without a body that is given
// the inputs and knows the names of all static objects. No violation may rest on
// any of these values. Assembly that jumps goes on, or to any of the labels that it
// names. Assembly without instructions, which keeps compilers from knowing a value, does nothing: what is read and
// written ("+r") keeps its value, and an output in the place of an input gets that of the input.

import (
	"strconv"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/internal/pattern"

	"modernc.org/cc/v4"
)

const inlineAssembly = "inline assembly"

func (l *statements) asm(n *cc.Asm) {
	pos := source.Position(n.Position())
	if l.noInstructions(n) {
		return
	}
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

// noInstructions lowers assembly without instructions, and reports whether it is that. Threads may see the outputs
// written, so that there only assembly without any is.
func (l *statements) noInstructions(n *cc.Asm) bool {
	if a := n.AsmArgList; reInstruction().MatchString(n.Token3.SrcStr()) ||
		a != nil && a.AsmExpressionList != nil && l.threading.concurrent() {
		return false
	}
	pos := source.Position(n.Position())
	var outputs []lvalue
	var parts [2][]*cc.AsmExpressionList
	for i, a := 0, n.AsmArgList; a != nil && i < len(parts); i, a = i+1, a.AsmArgList {
		for e := a.AsmExpressionList; e != nil; e = e.AsmExpressionList {
			parts[i] = append(parts[i], e)
		}
	}
	for _, e := range parts[0] {
		if x := operand(e); x != nil && !l.Dead() {
			outputs = append(outputs, l.accesses.lvalue(x))
		} else {
			outputs = append(outputs, lvalue{})
		}
	}
	inputs := map[string]value{}
	for _, e := range parts[1] {
		if x := operand(e); x != nil && !l.Dead() {
			inputs[strings.TrimLeft(constraint(e), "%")] = l.expressions.rvalue(x)
		}
	}
	for i, e := range parts[0] {
		if p := outputs[i]; !l.Dead() && p.typ != nil && !strings.HasPrefix(constraint(e), "+") {
			l.output(p, e, i, inputs, pos)
		}
	}
	return true
}

// reInstruction finds a text with more than blanks and ends of lines between its quotation marks.
var reInstruction = pattern.New(`"( |\\[nt])*[^" \\]|\\[^nt]`)

// output gives an output of assembly without instructions the value of the input in its place, or any.
func (l *statements) output(p lvalue, e *cc.AsmExpressionList, i int, inputs map[string]value, pos cfa.Pos) {
	v, ok := inputs[strconv.Itoa(i)]
	if e.AsmIndex != nil && !ok {
		v, ok = inputs["["+source.Text(e.AsmIndex.ExpressionList)+"]"]
	}
	from := cfa.Loc(l.Len())
	if x := operand(e); ok && v.t != nil && v.scalar() && p.t.scalar() && v.t.Type().Width == p.t.typ.Width &&
		v.t.Type().IsFloat() == p.t.typ.IsFloat() && p.field == nil {
		l.accesses.write(p, v, x, pos)
	} else {
		l.anyInto(p, pos)
	}
	l.observing.wrote(from, &p, false, pos)
}

// constraint says where an operand is to be: "=r", "0".
func constraint(e *cc.AsmExpressionList) string {
	c, ok := source.Unparen(e.AssignmentExpression).(*cc.PostfixExpression)
	if !ok || c.Case != cc.PostfixExpressionCall {
		return ""
	}
	s, _ := source.StringLiteral(c.PostfixExpression)
	return s
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
