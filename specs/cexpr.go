package specs

import (
	"slices"
	"strings"
)

type exprKind uint8

const (
	exprName   exprKind = iota
	exprArg             // $n, text with the $
	exprInt             // an integer literal, canonical
	exprChar            // a character constant, with its quotes
	exprUnary           // text is the operator
	exprBinary          // text is the operator
	exprCond            // ?:
	exprCast            // text is the canonical type name
	exprSizeof          // of a type (text) or of args[0]
	exprMember          // text is . or -> and the member's name
	exprIndex           // a[i]
	exprFloat           // a floating-point literal, as it is written
)

// A CExpr is a C expression without side effects over variables, arguments
// ($1, $2, …) and the returned value ($0).
type CExpr struct {
	kind exprKind
	text string
	args []*CExpr
	pos  Pos // of the operator, or of the first character of a leaf
	src  *source
}

// Pos is where the expression stands: its operator, or its first character if
// it has none.
func (e *CExpr) Pos() Pos { return e.pos }

// IsName reports whether e is a name and nothing else.
func (e *CExpr) IsName() bool { return e.kind == exprName }

// Names are the variables and constants that e mentions, sorted, each once.
func (e *CExpr) Names() []string { return e.leaves(exprName) }

// Args are the arguments that e mentions, as "$1", sorted, each once.
func (e *CExpr) Args() []string { return e.leaves(exprArg) }

// Members are the members and elements with a constant index that e mentions,
// as "s.f", "a[2].x", "$1->f", sorted, each once.
func (e *CExpr) Members() []string {
	var found []string
	e.walk(func(x *CExpr) {
		if x.kind == exprMember || x.kind == exprIndex {
			if path := x.path(); path != "" {
				found = append(found, path)
			}
		}
	})
	slices.Sort(found)
	return slices.Compact(found)
}

// path is a member or element as in C, or empty.
func (e *CExpr) path() string {
	switch e.kind {
	case exprName, exprArg:
		return e.text
	case exprMember:
		if p := e.args[0].path(); p != "" {
			return p + e.text
		}
	case exprIndex:
		if p := e.args[0].path(); p != "" && e.args[1].kind == exprInt {
			return p + "[" + e.args[1].text + "]"
		}
	}
	return ""
}

// place is a path with * or & before it, or without; else empty.
func (e *CExpr) place() string {
	if e.kind == exprUnary && (e.text == "*" || e.text == "&") {
		if p := e.args[0].path(); p != "" {
			return e.text + p
		}
		return ""
	}
	return e.path()
}

// Places are the paths that e mentions, with * or & where they stand before one, but for arguments alone: "d",
// "&d->m1", "*$2", "s.f", in the order of the text, each once.
func (e *CExpr) Places() []string {
	var found []string
	var in func(x *CExpr)
	in = func(x *CExpr) {
		if p := x.place(); p != "" {
			if x.kind != exprArg && !slices.Contains(found, p) {
				found = append(found, p)
			}
			return
		}
		for _, a := range x.args {
			in(a)
		}
	}
	in(e)
	return found
}

func (e *CExpr) leaves(kind exprKind) []string {
	var found []string
	e.walk(func(x *CExpr) {
		if x.kind == kind {
			found = append(found, x.text)
		}
	})
	slices.Sort(found)
	return slices.Compact(found)
}

func (e *CExpr) walk(f func(*CExpr)) {
	f(e)
	for _, a := range e.args {
		a.walk(f)
	}
}

// find is the first subexpression in the order of the text that satisfies ok,
// or nil.
func (e *CExpr) find(ok func(*CExpr) bool) (found *CExpr) {
	e.walk(func(x *CExpr) {
		if found == nil && ok(x) {
			found = x
		}
	})
	return found
}

// fail is an error at e.
func (e *CExpr) fail(format string, args ...any) *Error {
	return e.src.errorAt(e.pos, format, args...)
}

// Binding strengths, the stronger the greater.
const (
	precCond    = 1
	precUnary   = 12
	precPostfix = 13
	precLeaf    = 14
)

// binaryPrec gives the binary operators' strengths.
var binaryPrec = map[string]int{
	"||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7,
	"<": 8, ">": 8, "<=": 8, ">=": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
}

// String prints e in one canonical way: single blanks around binary
// operators, parentheses only where the grammar needs them.
func (e *CExpr) String() string {
	var b strings.Builder
	e.print(&b, 0)
	return b.String()
}

func (e *CExpr) prec() int {
	switch e.kind {
	case exprCond:
		return precCond
	case exprBinary:
		return binaryPrec[e.text]
	case exprUnary, exprCast, exprSizeof:
		return precUnary
	case exprMember, exprIndex:
		return precPostfix
	}
	return precLeaf
}

// print writes e, in parentheses if it binds weaker than outer.
func (e *CExpr) print(b *strings.Builder, outer int) {
	prec := e.prec()
	if prec < outer {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch e.kind {
	case exprCond:
		e.args[0].print(b, precCond+1)
		b.WriteString(" ? ")
		e.args[1].print(b, precCond)
		b.WriteString(" : ")
		e.args[2].print(b, precCond)
	case exprBinary:
		e.args[0].print(b, prec)
		b.WriteString(" " + e.text + " ")
		e.args[1].print(b, prec+1)
	case exprUnary:
		b.WriteString(e.text)
		// - -x must not become --x, nor & &x become &&x.
		if a := e.args[0]; a.kind == exprUnary && a.text == e.text && strings.Contains("-+&", e.text) {
			b.WriteByte(' ')
		}
		e.args[0].print(b, precUnary)
	case exprCast:
		b.WriteString("(" + e.text + ")")
		e.args[0].print(b, precUnary)
	case exprSizeof:
		e.printSizeof(b)
	case exprMember:
		e.args[0].print(b, precPostfix)
		b.WriteString(e.text)
	case exprIndex:
		e.args[0].print(b, precPostfix)
		b.WriteByte('[')
		e.args[1].print(b, 0)
		b.WriteByte(']')
	default:
		b.WriteString(e.text)
	}
}

func (e *CExpr) printSizeof(b *strings.Builder) {
	b.WriteString("sizeof(")
	if len(e.args) == 0 {
		b.WriteString(e.text)
	} else {
		e.args[0].print(b, 0)
	}
	b.WriteByte(')')
}
