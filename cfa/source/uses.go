package source

// Which functions use which.
//
// Idea: one pass over the bodies and initialisers of all units. Headers count, unlike for editors.
//
// Cost: linear in the syntax.

import "modernc.org/cc/v4"

// A FunctionUse says that a procedure, or an initialiser of file scope, names a function.
type FunctionUse struct {
	Within string // the procedure; "" at file scope
	Name   string
	Called bool // it is called there, and not only its address taken
}

// FunctionUses are the uses in the order of the text.
func (p *Program) FunctionUses() []FunctionUse {
	p.Lock()
	defer p.Unlock()
	var all []FunctionUse
	for _, f := range p.Files {
		if f == p.library {
			continue
		}
		for tu := f.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			switch x := tu.ExternalDeclaration; x.Case {
			case cc.ExternalDeclarationFuncDef:
				all = append(all, usesIn(x.FunctionDefinition, x.FunctionDefinition.Declarator.Name())...)
			case cc.ExternalDeclarationDecl:
				all = append(all, usesIn(x.Declaration, "")...)
			}
		}
	}
	return all
}

// usesIn are the uses in a part of the text.
func usesIn(n any, within string) (all []FunctionUse) {
	callees := map[*cc.PrimaryExpression]bool{}
	Inspect(n, func(n any) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			if x.Case != cc.PostfixExpressionCall {
				break
			}
			if id, ok := Unparen(x.PostfixExpression).(*cc.PrimaryExpression); ok {
				callees[id] = true
			}
		case *cc.PrimaryExpression:
			if d := Declarator(x); x.Case == cc.PrimaryExpressionIdent && d != nil && d.Type().Kind() == cc.Function {
				all = append(all, FunctionUse{within, d.Name(), callees[x]})
			}
		}
		return true
	})
	return all
}
