package source

// What a name means at a statement: for those who write conditions that C should
// read there. Cost: linear in the function's body.

import (
	"magus/cfa"

	"modernc.org/cc/v4"
)

// A Named is an object that a name stands for.
type Named struct {
	Pos     cfa.Pos // of its declarations the one that the name was looked up in
	Integer bool    // it is an integer that is not volatile
	Parts   bool    // it is a structure or an array, whose parts may be
	Global  bool    // of file scope
}

// Visible tells what names mean before a loop's condition is looked at, or at a label,
// by the position of that statement; nil if there is none. A loop's own variables are visible in it.
func (p *Program) Visible(at cfa.Pos) func(name string) (Named, bool) {
	p.Lock()
	defer p.Unlock()
	for _, pr := range p.procs {
		if pr.Pos.File != at.File || pr.Pos.Line > at.Line {
			continue
		}
		if in, seq := scopeAt(pr.Def.CompoundStatement, at); in != nil {
			return func(name string) (Named, bool) {
				p.Lock()
				defer p.Unlock()
				return lookUp(in, name, seq)
			}
		}
	}
	return nil
}

// scopeAt is the scope of the statement at a place, and the number of the token up to which names
// have been declared.
func scopeAt(body *cc.CompoundStatement, at cfa.Pos) (in *cc.Scope, seq int) {
	Inspect(body, func(x any) bool {
		switch x := x.(type) {
		case *cc.IterationStatement:
			if Position(x.Position()) == at {
				in, seq = x.LexicalScope(), x.Token.Seq()
				if x.Case == cc.IterationStatementForDecl {
					seq = x.Token3.Seq()
					if d := firstDeclarator(x.Declaration); d != nil {
						in = d.LexicalScope()
					}
				}
			}
		case *cc.LabeledStatement:
			if Position(x.Position()) == at {
				in, seq = x.LexicalScope(), x.Token.Seq()
			}
		}
		return in == nil
	})
	return in, seq
}

func firstDeclarator(n *cc.Declaration) *cc.Declarator {
	if n == nil || n.InitDeclaratorList == nil {
		return nil
	}
	return n.InitDeclaratorList.InitDeclarator.Declarator
}

// lookUp is what a name stands for; false if it is no object.
func lookUp(in *cc.Scope, name string, seq int) (Named, bool) {
	for ; in != nil; in = in.Parent {
		for _, n := range in.Nodes[name] {
			var d *cc.Declarator
			switch x := n.(type) {
			case *cc.Declarator:
				d = x
			case *cc.Parameter:
				d = x.Declarator
			case *cc.Enumerator:
				return Named{}, false
			}
			if d == nil || d.Visible() > seq {
				continue
			}
			if d.IsTypename() || d.Type().Kind() == cc.Function {
				return Named{}, false
			}
			t := d.Type()
			kind := t.Kind()
			named := Named{Pos: Position(d.NameTok().Position())}
			named.Integer = cc.IsIntegerType(t) && !d.IsVolatile()
			named.Global = in.Parent == nil || d.IsExtern()
			named.Parts = (kind == cc.Struct || kind == cc.Array && !d.IsParam()) && !d.IsVolatile()
			return named, true
		}
	}
	return Named{}, false
}

// NamedAt is the object that a name stands for in a specification at a call: the one of file scope or, if
// there is none, what the name means where the call stands; nil for none.
func NamedAt(call *cc.PostfixExpression, name string) *cc.Declarator {
	in, seq := scopeOf(call)
	if in == nil {
		return nil
	}
	file := in
	for file.Parent != nil {
		file = file.Parent
	}
	if d := objectIn(file, name, seq); d != nil {
		return d
	}
	for ; in != nil; in = in.Parent {
		if d := objectIn(in, name, seq); d != nil {
			return d
		}
	}
	return nil
}

// scopeOf is the scope in which a call stands, and the number of its first token.
func scopeOf(call *cc.PostfixExpression) (in *cc.Scope, seq int) {
	WalkExpr(call, func(n cc.ExpressionNode) {
		if x, ok := n.(*cc.PrimaryExpression); ok && in == nil && x.Case == cc.PrimaryExpressionIdent {
			in, seq = x.LexicalScope(), x.Token.Seq()
		}
	})
	return in, seq
}

// objectIn is the object that a scope itself declares under a name up to a token.
func objectIn(in *cc.Scope, name string, seq int) *cc.Declarator {
	for _, n := range in.Nodes[name] {
		d, _ := n.(*cc.Declarator)
		if q, ok := n.(*cc.Parameter); ok {
			d = q.Declarator
		}
		if d != nil && d.Visible() <= seq && !d.IsTypename() && d.Type().Kind() != cc.Function {
			return d
		}
	}
	return nil
}
