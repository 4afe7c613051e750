package source

// Which functions code outside of the sources may know without being told.
//
// Idea: those with external linkage, and static ones whose name stands somewhere else than before
// the parentheses of a call: their address may have gone anywhere. Cost: one pass over the
// syntax, when it is first asked for.

import (
	"modernc.org/cc/v4"
)

// Nameable are the procedures of a function type that code outside of the sources
// may know without being told: those that it can name, and those whose address is
// taken somewhere.
func (p *Program) Nameable(t *cc.FunctionType) []*Procedure {
	if p.valued == nil {
		p.valued = map[*Procedure]bool{}
		for _, f := range p.Files {
			p.findValued(f)
		}
	}
	var all []*Procedure
	for _, pr := range p.procs {
		if (!pr.Static || p.valued[pr]) && p.compared.types(pr.Type, t) == "" {
			all = append(all, pr)
		}
	}
	return all
}

// findValued notes the procedures whose names a file uses as values.
func (p *Program) findValued(f *File) {
	called := map[cc.ExpressionNode]bool{}
	Inspect(f.ast.TranslationUnit, func(n any) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionCall {
				called[Unparen(x.PostfixExpression)] = true
			}
		case *cc.PrimaryExpression:
			if d := Declarator(x); d != nil && d.Type().Kind() == cc.Function && !called[x] {
				if pr := p.Body(f, d.Name()); pr != nil {
					p.valued[pr] = true
				}
			}
		}
		return true
	})
}
