package source

// Where C names functions, variables and actions: for editors.
//
// Idea: one pass over the syntax of each unit that was given. Deviation: what a macro makes has the place of the
// macro's use; headers, preprocessed files, members and types are left out.
//
// Cost: linear in the syntax.

import (
	"magus/cfa"

	"modernc.org/cc/v4"
)

// A MentionKind is what a name in C stands for.
type MentionKind uint8

// What names stand for.
const (
	MentionFunction MentionKind = iota
	MentionVariable
	MentionEnumerator
	MentionAction // the argument of an intrinsic that performs it; the place is that of its quotation mark
)

// A Mention is a place where C names something.
type Mention struct {
	Kind MentionKind
	Name string
	Pos  cfa.Pos // of its first byte; columns count bytes
	// Declared is where what is named is declared: of a function its definition, if there is one.
	Declared cfa.Pos
	Defines  bool   // it is declared here
	Within   string // the function; "" at file scope
}

// Mentions are the names in the units of a program, in no particular order.
func (p *Program) Mentions() []Mention {
	p.Lock()
	defer p.Unlock()
	m := mentioner{program: p}
	for _, f := range p.Files {
		if f == p.library {
			continue
		}
		for tu := f.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			if Position(tu.ExternalDeclaration.Position()).File != f.Name {
				continue // of a header
			}
			m.within = ""
			switch x := tu.ExternalDeclaration; x.Case {
			case cc.ExternalDeclarationFuncDef:
				m.within = x.FunctionDefinition.Declarator.Name()
				Inspect(x.FunctionDefinition, m.visit)
			case cc.ExternalDeclarationDecl:
				Inspect(x.Declaration, m.visit)
			}
		}
	}
	return m.all
}

type mentioner struct {
	program *Program
	within  string
	all     []Mention
}

// visit keeps what a node names.
func (m *mentioner) visit(n any) bool {
	switch x := n.(type) {
	case *cc.Declarator:
		if !x.IsTypename() && x.Name() != "" {
			m.add(x, place(x), true)
		}
	case *cc.Enumerator:
		at := Position(x.Token.Position())
		m.all = append(m.all, Mention{Kind: MentionEnumerator, Name: x.Token.SrcStr(), Pos: at, Declared: at, Defines: true})
	case *cc.PrimaryExpression:
		if x.Case != cc.PrimaryExpressionIdent {
			break
		}
		if e, ok := x.ResolvedTo().(*cc.Enumerator); ok {
			m.all = append(m.all, Mention{Kind: MentionEnumerator, Name: x.Token.SrcStr(), Pos: Position(x.Token.Position()),
				Declared: Position(e.Token.Position()), Within: m.within})
		} else if d := Declarator(x); d != nil {
			m.add(d, Position(x.Token.Position()), false)
		}
	case *cc.PostfixExpression:
		if x.Case != cc.PostfixExpressionCall || !PerformsAction(CalleeName(x)) {
			break
		}
		if name, at, ok := ActionOf(x); ok {
			m.all = append(m.all, Mention{Kind: MentionAction, Name: name, Pos: Position(at.Position()), Within: m.within})
		}
	}
	return true
}

// add keeps that something that has a declarator is named at a place.
func (m *mentioner) add(d *cc.Declarator, at cfa.Pos, defines bool) {
	x := Mention{Kind: MentionVariable, Name: d.Name(), Pos: at, Declared: place(d), Defines: defines, Within: m.within}
	if d.Type().Kind() == cc.Function {
		x.Kind = MentionFunction
		if pr := m.program.byName[x.Name]; pr != nil {
			x.Declared = pr.Pos
		}
		x.Defines = defines && x.Declared == at
	}
	if x.Name != "__func__" {
		m.all = append(m.all, x)
	}
}
