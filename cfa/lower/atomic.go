package lower

// Which lvalues are _Atomic.
//
// Idea: the types of the library do not say so, but declarations do. What a declarator declares has
// levels: what the name is itself, what it points to or has as elements or returns, what that points
// to, and so on. Each level is _Atomic or not: * _Atomic says so of a pointer, specifiers and
// typedefs of what all else is derived from. An expression has the levels of the declarator or of the
// type name that it comes from, without those that * and [] and calls take away.
//
// Deviation: typeof, _Generic and statement expressions have no levels: what they name is taken for not _Atomic.
//
// Cost: linear in the expression and its declarations.

import (
	"magus/cfa/source"

	"modernc.org/cc/v4"
)

// isAtomic reports whether a scalar lvalue is _Atomic. It matters with threads only.
func (l *accesses) isAtomic(n cc.ExpressionNode) bool {
	return l.threading.concurrent() && l.ctypeOf(n.Type()).class != classAggregate &&
		(first(l.levels(n)) || l.keptByLibrary(n))
}

// keptByLibrary reports whether data races are looked for and an lvalue is a part of what models of the C library keep:
// whether two threads may call them at once is for the table of package libc to say.
func (l *accesses) keptByLibrary(n cc.ExpressionNode) bool {
	if !l.opt.Races || !l.prog.IsModel(l.fr.proc.File) {
		return false
	}
	x, ok := source.Unparen(n).(*cc.PostfixExpression)
	if ok && (x.Case == cc.PostfixExpressionSelect ||
		x.Case == cc.PostfixExpressionIndex && source.IsArray(x.PostfixExpression)) {
		return l.keptByLibrary(x.PostfixExpression)
	}
	d := source.Declarator(source.Unparen(n))
	if d == nil {
		return false
	}
	o := l.prog.Object(d)
	return o != nil && o.Library && !d.IsThreadLocal()
}

// noAtomicCopy refuses an access to a structure that is _Atomic: a copy in parts is none that is atomic.
func (l *accesses) noAtomicCopy(n cc.Node) {
	e, ok := n.(cc.ExpressionNode)
	if ok && l.threading.concurrent() && l.ctypeOf(e.Type()).class == classAggregate && e.Type().Kind() != cc.Array &&
		first(l.levels(e)) {
		l.refuse(n, "access to "+source.Text(n)+", an _Atomic structure", "its parts are accessed one by one here")
	}
}

func first(levels []bool) bool { return len(levels) > 0 && levels[0] }

func rest(levels []bool) []bool {
	if len(levels) == 0 {
		return nil
	}
	return levels[1:]
}

// levels says of each level of an expression's type whether it is _Atomic; those that are missing are not.
func (l *facts) levels(n cc.ExpressionNode) []bool {
	switch x := source.Unparen(n).(type) {
	case *cc.PrimaryExpression:
		if d := source.Declarator(x); d != nil {
			return levelsOf(d)
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			if d := x.Field().Declarator(); d != nil {
				return levelsOf(d)
			}
		case cc.PostfixExpressionIndex:
			if source.IsAddress(x.PostfixExpression) {
				return rest(l.levels(x.PostfixExpression))
			}
			return rest(l.levels(x.ExpressionList))
		case cc.PostfixExpressionCall:
			levels := l.levels(x.PostfixExpression)
			if x.PostfixExpression.Type().Kind() == cc.Ptr && !namesFunction(x.PostfixExpression) {
				levels = rest(levels)
			}
			return rest(levels)
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return l.levels(x.PostfixExpression)
		case cc.PostfixExpressionComplit:
			return levelsOfName(x.TypeName)
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionDeref:
			return rest(l.levels(x.CastExpression))
		case cc.UnaryExpressionAddrof:
			return append([]bool{false}, l.levels(x.CastExpression)...)
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			return l.levels(x.UnaryExpression)
		}
	case *cc.CastExpression:
		return levelsOfName(x.TypeName)
	case *cc.AdditiveExpression:
		if source.IsAddress(x.AdditiveExpression) {
			return l.levels(x.AdditiveExpression)
		}
		return l.levels(x.MultiplicativeExpression)
	case *cc.ConditionalExpression:
		return l.levels(x.ConditionalExpression)
	case *cc.AssignmentExpression:
		return l.levels(x.UnaryExpression)
	}
	return nil
}

// namesFunction reports whether an expression names a function, which is one level and not a pointer to it.
func namesFunction(n cc.ExpressionNode) bool {
	d := source.Declarator(n)
	return d != nil && d.Type().Kind() == cc.Function
}

// levelsOf are the levels of what is declared.
func levelsOf(d *cc.Declarator) []bool {
	derived := derivations(d)
	base := d.Type()
	for range derived {
		if base = element(base); base == nil {
			return derived
		}
	}
	return append(derived, levelsOfBase(base, d, d.IsAtomic())...)
}

// levelsOfBase are those of the type that specifiers give to what is named, or to nothing that is.
func levelsOfBase(t cc.Type, named *cc.Declarator, atomic bool) []bool {
	var levels []bool
	if d := t.Typedef(); d != nil && d != named {
		levels = levelsOf(d)
	}
	if len(levels) == 0 {
		return []bool{atomic}
	}
	levels[0] = levels[0] || atomic
	return levels
}

// levelsOfName are those of a type name.
func levelsOfName(n *cc.TypeName) []bool {
	var derived []bool
	if n.AbstractDeclarator != nil {
		derived = abstractDerivations(n.AbstractDeclarator)
	}
	atomic := false
	for s := n.SpecifierQualifierList; s != nil; s = s.SpecifierQualifierList {
		atomic = atomic || s.TypeQualifier != nil && s.TypeQualifier.Case == cc.TypeQualifierAtomic ||
			s.TypeSpecifier != nil && s.TypeSpecifier.Case == cc.TypeSpecifierAtomic
	}
	base := n.Type()
	for range derived {
		if base = element(base); base == nil {
			return derived
		}
	}
	return append(derived, levelsOfBase(base, nil, atomic)...)
}

// element is what a type is derived from, or nil.
func element(t cc.Type) cc.Type {
	switch t := t.(type) {
	case *cc.PointerType:
		return t.Elem()
	case *cc.ArrayType:
		return t.Elem()
	case *cc.FunctionType:
		return t.Result()
	}
	return nil
}

// derivations are the levels that a declarator adds to what specifiers give, from the name on.
func derivations(d *cc.Declarator) []bool {
	return append(directDerivations(d.DirectDeclarator), pointers(d.Pointer)...)
}

func directDerivations(d *cc.DirectDeclarator) []bool {
	switch {
	case d == nil || d.Case == cc.DirectDeclaratorIdent:
		return nil
	case d.Case == cc.DirectDeclaratorDecl:
		return derivations(d.Declarator)
	}
	return append(directDerivations(d.DirectDeclarator), false)
}

func abstractDerivations(d *cc.AbstractDeclarator) []bool {
	return append(directAbstractDerivations(d.DirectAbstractDeclarator), pointers(d.Pointer)...)
}

func directAbstractDerivations(d *cc.DirectAbstractDeclarator) []bool {
	switch {
	case d == nil:
		return nil
	case d.Case == cc.DirectAbstractDeclaratorDecl:
		return abstractDerivations(d.AbstractDeclarator)
	}
	return append(directAbstractDerivations(d.DirectAbstractDeclarator), false)
}

// pointers are the levels of stars, the last one first.
func pointers(p *cc.Pointer) []bool {
	if p == nil {
		return nil
	}
	atomic := false
	for q := p.TypeQualifiers; q != nil; q = q.TypeQualifiers {
		atomic = atomic || q.TypeQualifier.Case == cc.TypeQualifierAtomic
	}
	return append(pointers(p.Pointer), atomic)
}
