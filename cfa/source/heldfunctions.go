package source

// Which functions a member of structures holds.
//
// Idea: a member that points to functions gets its values by initialisers and assignments. If all of these are names of
// procedures of the program, null pointers, or the same member of others, it holds no other procedure but by code outside.
// Structures are copied as a whole, members with them.
//
// Left out: bytes that are written one by one, and pointers of another type to the structure.
//
// Cost: linear in the syntax, once.

import (
	"slices"

	"modernc.org/cc/v4"
)

// A holding is what a member gets.
type holding struct {
	procs []*Procedure
	other bool // and something else
}

// HeldBy are the procedures that the program stores in a member of these names, each with that of its type and a point
// before it; known is false where it stores something else too, or nothing. The program is locked.
func (p *Program) HeldBy(names []string) (procs []*Procedure, known bool) {
	p.findAllHeld()
	for _, name := range names {
		h := p.held[name]
		if h == nil {
			continue
		}
		if h.other {
			return nil, false
		}
		for _, pr := range h.procs {
			if !slices.Contains(procs, pr) {
				procs = append(procs, pr)
			}
		}
	}
	return procs, len(procs) > 0
}

// findAllHeld notes what the program stores in members, once.
func (p *Program) findAllHeld() {
	if p.held != nil {
		return
	}
	p.held = map[string]*holding{}
	for _, f := range p.Files {
		p.findHeld(f)
	}
}

// findHeld notes what the text of a file stores in members.
func (p *Program) findHeld(f *File) {
	Inspect(f.ast.TranslationUnit, func(n any) bool {
		switch x := n.(type) {
		case *cc.AssignmentExpression:
			if m := selection(x.UnaryExpression); x.Case != cc.AssignmentExpressionCond && m != nil {
				p.holds(f, selectedNames(m), x.AssignmentExpression)
			}
		case *cc.UnaryExpression:
			if m := selection(x.UnaryExpression); (x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec) && m != nil {
				p.holds(f, selectedNames(m), nil)
			}
			if x.Case != cc.UnaryExpressionAddrof {
				break
			}
			if m := selection(x.CastExpression); m != nil && pointsToFunction(m.Type()) { // whoever has it may store there
				p.holds(f, selectedNames(m), nil)
			}
		case *cc.InitDeclarator:
			if x.Initializer != nil {
				parts, err := p.Layouts.Initialise(x.Initializer, x.Declarator.Type())
				p.holdsParts(f, x.Declarator.Type(), parts, err)
			}
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionComplit {
				parts, err := p.Layouts.InitialiseList(x.InitializerList, x.TypeName.Type())
				p.holdsParts(f, x.TypeName.Type(), parts, err)
			}
		}
		return true
	})
}

// holdsParts notes what an initialiser of an object of a type stores in members of it.
func (p *Program) holdsParts(f *File, t cc.Type, parts []InitPart, err error) {
	if err != nil {
		for _, name := range partsOf(t) {
			p.holds(f, []string{name}, nil)
		}
		return
	}
	for _, part := range parts {
		if part.Expr != nil && part.Type.Kind() == cc.Ptr {
			p.holdsAt(f, t, part.At, part.Expr)
		}
	}
}

// holdsAt notes that an expression is stored at a place of a type.
func (p *Program) holdsAt(f *File, t cc.Type, at int64, e cc.ExpressionNode) {
	if a, ok := t.(*cc.ArrayType); ok {
		if size := 8 * p.Layouts.Size(a.Elem()); size > 0 {
			p.holdsAt(f, a.Elem(), at%size, e)
		}
		return
	}
	for _, m := range Members(t) {
		from, known := p.Layouts.Member(t, m)
		if !known || m.IsBitfield() || at < from || at >= from+8*max(1, p.Layouts.Size(m.Type())) {
			continue
		}
		if m.Type().Kind() == cc.Ptr {
			p.holds(f, MemberNames(t, m), e)
		}
		p.holdsAt(f, m.Type(), at-from, e)
	}
}

// holds notes that an expression is stored in a member; nil stands for anything.
func (p *Program) holds(f *File, names []string, e cc.ExpressionNode) {
	for _, name := range names {
		h := p.held[name]
		if h == nil {
			h = &holding{}
			p.held[name] = h
		}
		switch pr, is := p.procedureNamed(f, e); {
		case is && !slices.Contains(h.procs, pr):
			h.procs = append(h.procs, pr)
		case is, storesNull(e), isMember(e, names):
		default:
			h.other = true
		}
	}
}

// procedureNamed is the procedure whose address an expression is, by its name.
func (p *Program) procedureNamed(f *File, e cc.ExpressionNode) (*Procedure, bool) {
	if e == nil {
		return nil, false
	}
	e = Unparen(e)
	switch x := e.(type) {
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast {
			return p.procedureNamed(f, x.CastExpression)
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionAddrof {
			return p.procedureNamed(f, x.CastExpression)
		}
	case *cc.PrimaryExpression:
		if d := Declarator(x); d != nil && d.Type().Kind() == cc.Function {
			pr := p.Body(f, d.Name())
			return pr, pr != nil
		}
	}
	return nil, false
}

// storesNull reports whether an expression is a constant 0, of any type.
func storesNull(e cc.ExpressionNode) bool {
	if e == nil {
		return false
	}
	v := valuesOf([]cc.ExpressionNode{e})[0]
	return v != nil && *v == 0
}

// isMember reports whether an expression is a member of one of these names.
func isMember(e cc.ExpressionNode, names []string) bool {
	if e == nil {
		return false
	}
	m, ok := Unparen(e).(*cc.PostfixExpression)
	return ok && (m.Case == cc.PostfixExpressionSelect || m.Case == cc.PostfixExpressionPSelect) && m.Field() != nil &&
		slices.ContainsFunc(selectedNames(m), func(name string) bool { return slices.Contains(names, name) })
}

// pointsToFunction reports whether a type is a pointer to functions.
func pointsToFunction(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	return ok && p.Elem().Kind() == cc.Function
}
