package lower

// Functions within functions, of GNU C.
//
// Idea: a call of one is inlined like any other. Its instance has besides its caller the instance around it, the one
// of the procedure in whose text it stands, as activation records have static links: what the text around it declares
// is looked for there. Such a function is called by its name only: where its address is taken, or where it jumps out
// of its body, that is refused, as is one where there are threads.
//
// Source: Randell, Russell: ALGOL 60 Implementation (1964), for static links. Cost: as inlining.

import (
	"magus/cfa/source"

	"modernc.org/cc/v4"
)

// A nested is a function within another one.
type nested struct {
	proc   *source.Procedure
	within *source.Procedure
}

// findNested notes the functions within a procedure.
func (l *calls) findNested(pr *source.Procedure) {
	if l.searched[pr] {
		return
	}
	l.searched[pr] = true
	source.Inspect(pr.Def.CompoundStatement, func(n any) bool {
		x, ok := n.(*cc.BlockItem)
		if !ok || x.Case != cc.BlockItemFuncDef {
			return true
		}
		typ, ok := x.Declarator.Type().(*cc.FunctionType)
		if ok {
			l.nested[x.Declarator] = &nested{within: pr, proc: &source.Procedure{Name: x.Declarator.Name(), File: pr.File,
				Def: &cc.FunctionDefinition{DeclarationSpecifiers: x.DeclarationSpecifiers, Declarator: x.Declarator,
					CompoundStatement: x.CompoundStatement},
				Type: typ, Pos: source.Position(x.Declarator.NameTok().Position()), Static: true}}
		}
		return false
	})
}

// nestedOf is the function within another one that a declarator declares, nil if it is none.
func (l *calls) nestedOf(d *cc.Declarator) *nested {
	if n := l.nested[d]; n != nil || len(l.nested) == 0 {
		return n
	}
	for other, n := range l.nested { // auto int f(int); declares one before
		if other.Name() == d.Name() && other.LexicalScope() == d.LexicalScope() {
			return n
		}
	}
	return nil
}

// callNested calls a function within another one.
func (l *calls) callNested(c *callSite, n *nested) value {
	around := l.fr
	for around != nil && around.proc != n.within {
		around = around.around
	}
	if around == nil || l.threading.concurrent() {
		return l.refuse(c.n, "call of "+c.name+", a function within a function, here", "define it outside")
	}
	outer := l.around
	l.around = around
	c.body = n.proc
	v := l.inline(c, n.proc)
	l.around = outer
	return v
}

// defines refuses a function within another one that is not followed.
func (l *calls) defines(n *cc.BlockItem) {
	if l.nested[n.Declarator] == nil || l.threading.concurrent() {
		l.refuse(n, "nested function "+n.Declarator.Name(),
			"a function within a function is not followed here: define it outside")
	}
}

// owner is the instance that has the variable or object of a declarator: the current one, or one around it.
func (fr *instance) owner(d *cc.Declarator) *instance {
	for f := fr; f != nil; f = f.around {
		if f.locals[d] != nil || f.objects[d] != nil || f.variable[d] != nil {
			return f
		}
	}
	return fr
}

// hasNested reports whether functions stand within a procedure, or it stands within one.
func (l *calls) hasNested(pr *source.Procedure) bool {
	l.findNested(pr)
	for _, n := range l.nested {
		if n.within == pr || n.proc == pr {
			return true
		}
	}
	return false
}

// nestedAddress refuses the address of a function within another one.
func (l *accesses) nestedAddress(d *cc.Declarator, n cc.Node) (lvalue, bool) {
	if l.calls.nestedOf(d) == nil {
		return lvalue{}, false
	}
	l.refuse(n, "the address of "+d.Name()+", a function within a function", "define it outside")
	return l.unmodelled(d.Type()), true
}
