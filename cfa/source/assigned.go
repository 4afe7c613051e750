package source

// Which procedures assign to which members.
//
// Idea: an assignment to a member names it; one of a structure, and a call of a function that writes bytes,
// is one to all members in it. A store through a pointer to a scalar may be to any member of the scalar's
// type whose address is taken somewhere. Bytes that are written one by one, or behind a pointer to void, are
// not found.
//
// Cost: linear in the syntax, and in the members of what is assigned.

import (
	"slices"

	"modernc.org/cc/v4"
)

// AssignedPrefix stands before the name of a member in a [Use] that is an assignment to it.
const AssignedPrefix = "="

// AssignedMembers are the assignments to members in all units, in the order of the text.
func (p *Program) AssignedMembers() []Use {
	p.Lock()
	defer p.Unlock()
	taken := map[string][]string{}
	p.eachBody(func(_ *File, fn *cc.FunctionDefinition) {
		Inspect(fn, func(n any) bool {
			u, ok := n.(*cc.UnaryExpression)
			if !ok || u.Case != cc.UnaryExpressionAddrof {
				return true
			}
			if m := selection(u.CastExpression); m != nil {
				t := m.Type().String()
				taken[t] = append(taken[t], selectedNames(m)...)
			}
			return true
		})
	})
	var all []Use
	p.eachBody(func(f *File, fn *cc.FunctionDefinition) {
		u := users{program: p, file: f}
		within := u.unique(fn.Declarator.Name())
		var found []string
		Inspect(fn, func(n any) bool {
			found = append(found, assignedIn(n, taken)...)
			return true
		})
		slices.Sort(found)
		for _, name := range slices.Compact(found) {
			all = append(all, Use{Within: within, Name: AssignedPrefix + name, Called: true})
		}
	})
	return all
}

// eachBody visits the function definitions of all units but the library's.
func (p *Program) eachBody(visit func(*File, *cc.FunctionDefinition)) {
	for _, f := range p.Files {
		if f == p.library {
			continue
		}
		for tu := f.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			if x := tu.ExternalDeclaration; x.Case == cc.ExternalDeclarationFuncDef {
				visit(f, x.FunctionDefinition)
			}
		}
	}
}

// assignedIn are the members to which an expression may assign itself.
func assignedIn(n any, taken map[string][]string) []string {
	switch x := n.(type) {
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			return assignedTo(x.UnaryExpression, taken)
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
			return assignedTo(x.UnaryExpression, taken)
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return assignedTo(x.PostfixExpression, taken)
		case cc.PostfixExpressionCall:
			var all []string
			if d := Callee(x); d != nil && WritesBytes(d.Name()) {
				for _, a := range Arguments(x) {
					all = append(all, partsOf(PointeeUncast(a))...)
				}
			}
			return all
		}
	}
	return nil
}

// bytewise are functions that write the bytes of what they are given.
var bytewise = []string{"memset", "memcpy", "memmove", "mempcpy", "bzero", "explicit_bzero", "bcopy", "memccpy", "swab",
	"fread", "read", "recv", "recvfrom", "pread", "getrandom"}

// WritesBytes reports whether a function of the library writes bytes, whatever their type.
func WritesBytes(name string) bool {
	const prefix = "__builtin_"
	if len(name) > len(prefix) && name[:len(prefix)] == prefix {
		name = name[len(prefix):]
	}
	return slices.Contains(bytewise, name)
}

// assignedTo are the members that an assignment to an expression writes, or may write.
func assignedTo(n cc.ExpressionNode, taken map[string][]string) []string {
	all := partsOf(n.Type())
	if m := selection(n); m != nil {
		return append(all, selectedNames(m)...)
	}
	switch x := Unparen(n).(type) {
	case *cc.PrimaryExpression:
		return all
	case *cc.UnaryExpression, *cc.PostfixExpression:
		if t := x.Type(); t != nil {
			all = append(all, taken[t.String()]...)
		}
	}
	return all
}

// selection is the selection of a member that an expression is, or is an element of; nil if it is none.
func selection(n cc.ExpressionNode) *cc.PostfixExpression {
	x, ok := Unparen(n).(*cc.PostfixExpression)
	switch {
	case !ok:
	case (x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionPSelect) && x.Field() != nil:
		return x
	case x.Case == cc.PostfixExpressionIndex && IsArray(x.PostfixExpression):
		return selection(x.PostfixExpression)
	}
	return nil
}

// selectedNames are the names of the member that is selected.
func selectedNames(m *cc.PostfixExpression) []string {
	return MemberNames(selectedFrom(m), m.Field())
}

// partsOf are the names of all members in a type.
func partsOf(t cc.Type) []string {
	var all []string
	if t == nil {
		return nil
	}
	if a, ok := t.(*cc.ArrayType); ok {
		return partsOf(a.Elem())
	}
	for _, f := range Members(t) {
		all = append(all, MemberNames(t, f)...)
		all = append(all, partsOf(f.Type())...)
	}
	return all
}

// PointeeUncast is what a pointer points to by the type that its expression has without casts; nil for nothing.
func PointeeUncast(n cc.ExpressionNode) cc.Type {
	n = Unparen(n)
	for x, ok := n.(*cc.CastExpression); ok && x.Case == cc.CastExpressionCast; x, ok = n.(*cc.CastExpression) {
		n = Unparen(x.CastExpression)
	}
	if n.Type() == nil {
		return nil
	}
	if p, ok := n.Type().Decay().(*cc.PointerType); ok {
		return p.Elem()
	}
	return nil
}
