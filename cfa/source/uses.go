package source

// Which functions use which.
//
// Idea: one pass over the bodies and initialisers of all units. Headers count, unlike for editors.
//
// Cost: linear in the syntax.

import "modernc.org/cc/v4"

// A Use says that a procedure, which has its unique name, or the initialiser of a variable of file scope, names a
// function or such a variable.
type Use struct {
	Within string // the procedure or variable; "" elsewhere
	Name   string // "" for a call through a pointer
	Called bool   // it is a function that is called there, and not only its address taken
	Object bool   // it is a variable
	To     string // the function that is given the address at once, as an argument of a call; "" elsewhere
}

// Uses are the uses of all units in the order of the text.
func (p *Program) Uses() []Use {
	p.Lock()
	defer p.Unlock()
	u := users{program: p}
	for _, f := range p.Files {
		if f == p.library {
			continue
		}
		u.file = f
		for tu := f.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			switch x := tu.ExternalDeclaration; x.Case {
			case cc.ExternalDeclarationFuncDef:
				u.in(x.FunctionDefinition, u.unique(x.FunctionDefinition.Declarator.Name()))
			case cc.ExternalDeclarationDecl:
				for l := x.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
					u.in(l.InitDeclarator, l.InitDeclarator.Declarator.Name())
				}
			}
		}
	}
	return u.all
}

type users struct {
	program *Program
	file    *File
	all     []Use
}

// unique is the unique name of the procedure that a name means in the present unit, if it is one.
func (u *users) unique(name string) string {
	if pr := u.program.Body(u.file, name); pr != nil {
		return u.program.UniqueName(pr)
	}
	return name
}

// in finds the uses in a part of the text.
func (u *users) in(n any, within string) {
	callees, given := map[*cc.PrimaryExpression]bool{}, map[*cc.PrimaryExpression]string{}
	Inspect(n, func(n any) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			if x.Case != cc.PostfixExpressionCall {
				break
			}
			if id, ok := Unparen(x.PostfixExpression).(*cc.PrimaryExpression); ok {
				callees[id] = true
			}
			for _, a := range Arguments(x) {
				if id := designator(a); id != nil {
					given[id] = CalleeName(x)
				}
			}
			if Callee(x) == nil {
				u.all = append(u.all, Use{Within: within, Called: true})
				for _, member := range CalleeMembers(x) {
					u.all = append(u.all, Use{Within: within, Name: member, Called: true})
				}
			}
		case *cc.PrimaryExpression:
			d := Declarator(x)
			switch {
			case x.Case != cc.PrimaryExpressionIdent || d == nil:
			case d.Type().Kind() == cc.Function:
				u.all = append(u.all, Use{Within: within, Name: u.unique(d.Name()), Called: callees[x], To: given[x]})
			case u.program.objects[d] != nil:
				u.all = append(u.all, Use{Within: within, Name: d.Name(), Object: true})
			}
		}
		return true
	})
}

// designator is the name in f, &f, *f and (T)f, or nil.
func designator(n cc.ExpressionNode) *cc.PrimaryExpression {
	for {
		switch x := Unparen(n).(type) {
		case *cc.PrimaryExpression:
			return x
		case *cc.UnaryExpression:
			if x.Case != cc.UnaryExpressionAddrof && x.Case != cc.UnaryExpressionDeref {
				return nil
			}
			n = x.CastExpression
		case *cc.CastExpression:
			if x.Case != cc.CastExpressionCast {
				return nil
			}
			n = x.CastExpression
		default:
			return nil
		}
	}
}

// Size is a measure of the text of a procedure: its statements, assignments, calls and accesses to parts.
func (p *Program) Size(pr *Procedure) int {
	n := 0
	Inspect(pr.Def, func(x any) bool {
		switch x.(type) {
		case *cc.Statement, *cc.AssignmentExpression, *cc.PostfixExpression:
			n++
		}
		return true
	})
	return n
}
