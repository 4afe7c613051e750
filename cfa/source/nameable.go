package source

// Which functions code outside of the sources may know without being told.
//
// Idea: those with external linkage, and static ones whose name stands somewhere else than before
// the parentheses of a call: their address may have gone anywhere. A cast says what else a function may be called as.
// Cost: one pass over the
// syntax, when it is first asked for.

import (
	"slices"

	"magus/cfa/source/libc"

	"modernc.org/cc/v4"
)

// Nameable are the procedures that a pointer to functions of a type may lead to which code outside of the sources
// has set: those of that type whose address is taken somewhere, or that outside code can name if it does; and
// those that a cast makes pointers of that type, or pointers without one of a function.
func (p *Program) Nameable(t *cc.FunctionType, outside bool) []*Procedure {
	p.findAllValued()
	var all []*Procedure
	for _, pr := range p.procs {
		v := p.valued[pr]
		if (outside && !pr.Static || v != nil) && p.compared.types(pr.Type, t) == "" || v != nil && v.as(p, pr, t) {
			all = append(all, pr)
		}
	}
	return all
}

// A valuation is what the address of a procedure is taken for.
type valuation struct {
	types   []*cc.FunctionType // that it is cast to
	untyped bool               // it is cast to what is no pointer to a function
}

// as reports whether a procedure is cast to a type.
func (v *valuation) as(p *Program, pr *Procedure, t *cc.FunctionType) bool {
	return v.untyped && Takes(pr.Type, t) ||
		slices.ContainsFunc(v.types, func(c *cc.FunctionType) bool { return p.compared.types(c, t) == "" })
}

// findAllValued notes the procedures whose names are used as values, if that was not done before.
func (p *Program) findAllValued() {
	if p.valued != nil {
		return
	}
	p.valued = map[*Procedure]*valuation{}
	for _, f := range p.Files {
		p.findValued(f)
	}
}

// findValued notes the procedures whose names a file uses as values.
func (p *Program) findValued(f *File) {
	called := map[cc.ExpressionNode]bool{} // names, and casts of names
	Inspect(f.ast.TranslationUnit, func(n any) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionCall {
				called[Unparen(x.PostfixExpression)] = true
				p.calledByLibrary(f, x, called)
			}
		case *cc.CastExpression:
			if x.Case == cc.CastExpressionCast && !called[x] {
				p.cast(f, x)
			}
		case *cc.PrimaryExpression:
			if d := Declarator(x); d != nil && !called[x] {
				p.value(f, d)
			}
		}
		return true
	})
}

// OnlyCalls reports whether all that a function of the C library, declared with a type, does with an argument, from 0,
// is to call it: qsort with its comparison, pthread_create with what the thread does. Nobody else learns its address.
func (p *Program) OnlyCalls(name string, t *cc.FunctionType, arg int) bool {
	row, ok := libc.Known(name)
	if !ok || p.Stranger(name) != "" || arg >= len(t.Parameters()) {
		return false
	}
	pointer, ok := t.Parameters()[arg].Type().(*cc.PointerType)
	return ok && pointer.Elem().Kind() == cc.Function &&
		slices.ContainsFunc(row.Accesses, func(a libc.Access) bool { return a.Kind == libc.Calls && a.Arg == arg })
}

// calledByLibrary notes the names among the arguments of a call that a function of the C library only calls.
func (p *Program) calledByLibrary(f *File, call *cc.PostfixExpression, called map[cc.ExpressionNode]bool) {
	name, ok := Unparen(call.PostfixExpression).(*cc.PrimaryExpression)
	if !ok {
		return
	}
	d := Declarator(name)
	if d == nil || d.Type().Kind() != cc.Function || p.Body(f, d.Name()) != nil {
		return
	}
	for i, n := range Arguments(call) {
		if !p.OnlyCalls(d.Name(), d.Type().(*cc.FunctionType), i) {
			continue
		}
		n = Unparen(n)
		for cast, ok := n.(*cc.CastExpression); ok && cast.Case == cc.CastExpressionCast; cast, ok = n.(*cc.CastExpression) {
			called[n] = true
			n = Unparen(cast.CastExpression)
		}
		called[designated(n)] = true
	}
}

// designated is what an expression is the address of, or the expression.
func designated(n cc.ExpressionNode) cc.ExpressionNode {
	if u, ok := n.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof {
		return Unparen(u.CastExpression)
	}
	return n
}

// value is what the procedure is used for that a name means, if it is one; noted as used.
func (p *Program) value(f *File, d *cc.Declarator) *valuation {
	if d.Type().Kind() != cc.Function {
		return nil
	}
	pr := p.Body(f, d.Name())
	if pr != nil && p.valued[pr] == nil {
		p.valued[pr] = &valuation{}
	}
	return p.valued[pr]
}

// cast notes what a procedure is cast to.
func (p *Program) cast(f *File, x *cc.CastExpression) {
	name, ok := designated(Unparen(x.CastExpression)).(*cc.PrimaryExpression)
	if !ok {
		return
	}
	d := Declarator(name)
	if d == nil {
		return
	}
	v := p.value(f, d)
	if v == nil {
		return
	}
	if t, ok := x.Type().(*cc.PointerType); ok {
		if to, ok := t.Elem().(*cc.FunctionType); ok {
			v.types = append(v.types, to)
			return
		}
	}
	v.untyped = true
}

// Takes reports whether a function takes as many parameters as a call of a type gives, each of the same kind: pointers
// for pointers, numbers for numbers; of the results neither is a structure, or both. By the standard the
// types have to be compatible (C11 6.5.2.2p9); that pointers to other types are taken for these is common.
func Takes(of, call *cc.FunctionType) bool {
	if call.MaxArgs() < 0 || of.MaxArgs() < 0 { // variadic, or without a prototype
		return true
	}
	if call.MaxArgs() != of.MaxArgs() || (kindOf(call.Result()) == cc.Struct) != (kindOf(of.Result()) == cc.Struct) {
		return false
	}
	for i := range of.MaxArgs() {
		if kindOf(call.Parameters()[i].Type()) != kindOf(of.Parameters()[i].Type()) {
			return false
		}
	}
	return true
}

// kindOf is the kind of a type, one for all pointers, for all integers, for all other numbers, and for all records.
func kindOf(t cc.Type) cc.Kind {
	switch {
	case t.Kind() == cc.Array || t.Kind() == cc.Function:
		return cc.Ptr
	case cc.IsIntegerType(t):
		return cc.Int
	case cc.IsArithmeticType(t):
		return cc.Double
	case t.Kind() == cc.Union:
		return cc.Struct
	}
	return t.Kind()
}
