package source

// Names for the values of variables.
//
// Idea: a variable of an enumeration's type has the names of its enumerators, and so
// has an integer that the text assigns enumerators to or compares with them, as C
// programmers write states and messages; constants of #define (constants.go) are used in
// the same way, and in unions. A member of a structure has the names of all members of that name. If
// several names of what a variable is used with have one value, it has no name. A value that is none
// of them is named as a union of flags if all are powers of two, but for those that are
// written as unions themselves.
//
// Cost: one walk over the text of the procedures that are asked for.

import (
	"math/bits"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"magus/cfa"
)

// An Enumeration is names for values.
type Enumeration struct {
	names  map[int64][]string
	values []int64 // in the order of the text
	unions []int64 // those of names that are unions of others
}

// Name is the name of a value, "" if it has none, or several.
func (e *Enumeration) Name(v int64) string {
	switch names := e.names[v]; len(names) {
	case 0:
		return e.flags(v)
	case 1:
		return names[0]
	}
	return ""
}

// flags is a value as a union of enumerators that are powers of two.
func (e *Enumeration) flags(v int64) string {
	var parts []string
	rest := v
	for _, f := range e.values {
		if f == 0 || slices.Contains(e.unions, f) {
			continue
		}
		if f < 0 || bits.OnesCount64(uint64(f)) != 1 || len(e.names[f]) != 1 {
			return ""
		}
		if v&f != 0 {
			parts, rest = append(parts, e.names[f][0]), rest&^f
		}
	}
	if rest != 0 || len(parts) < 2 {
		return ""
	}
	return strings.Join(parts, " | ")
}

func (e *Enumeration) add(name string, v int64) {
	if slices.Contains(e.names[v], name) {
		return
	}
	if e.names[v] == nil {
		e.values = append(e.values, v)
	}
	e.names[v] = append(e.names[v], name)
}

// Enumerations are names for the values of variables: by the places of their
// declarations, and of members by their names.
type Enumerations struct {
	variables map[cfa.Pos]*Enumeration
	members   map[string]*Enumeration
}

// Of are the names for the values of a variable, or of a part of one, such as s.flags or
// a[3].state, that is declared at a place; nil if there are none.
func (e *Enumerations) Of(name string, declared cfa.Pos) *Enumeration {
	if i := strings.LastIndexAny(name, ".>"); i >= 0 {
		member, _, _ := strings.Cut(name[i+1:], "[")
		return e.members[member]
	}
	return e.variables[declared]
}

// Enumerations are the names for the values of the variables that some procedures
// mention.
func (p *Program) Enumerations(procedures []string) *Enumerations {
	p.Lock()
	defer p.Unlock()
	all := &Enumerations{variables: map[cfa.Pos]*Enumeration{}, members: map[string]*Enumeration{}}
	n := &naming{all: all, siblings: map[*cc.Enumerator][]*cc.Enumerator{}, constants: p.constants()}
	for _, f := range p.Files {
		for u := f.ast.TranslationUnit; u != nil; u = u.TranslationUnit {
			n.declared(u.ExternalDeclaration)
		}
	}
	for _, name := range procedures {
		if pr := p.byName[name]; pr != nil {
			Inspect(pr.Def, func(x any) bool { n.look(x); return true })
		}
	}
	return all
}

// A naming gathers enumerations.
type naming struct {
	all       *Enumerations
	siblings  map[*cc.Enumerator][]*cc.Enumerator // those of its enumeration
	constants *constants
}

// declared notes which enumerators belong together, of enumerations of file scope.
func (n *naming) declared(d *cc.ExternalDeclaration) {
	Inspect(d, func(x any) bool {
		switch x := x.(type) {
		case *cc.CompoundStatement, *cc.ParameterTypeList, *cc.Initializer:
			return false
		case *cc.EnumSpecifier:
			var all []*cc.Enumerator
			for l := x.EnumeratorList; l != nil; l = l.EnumeratorList {
				all = append(all, l.Enumerator)
			}
			for _, e := range all {
				n.siblings[e] = all
			}
		}
		return true
	})
}

// look takes what a node says.
func (n *naming) look(x any) {
	switch x := x.(type) {
	case *cc.Declarator:
		n.typed(n.of(x), x.Type())
	case *cc.PrimaryExpression:
		if d, ok := x.ResolvedTo().(*cc.Declarator); ok {
			n.typed(n.of(d), d.Type())
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionPSelect {
			n.typed(n.place(x), x.Type())
		}
	case *cc.EqualityExpression:
		if x.Case != cc.EqualityExpressionRel {
			n.pair(x.EqualityExpression, x.RelationalExpression)
		}
	case *cc.RelationalExpression:
		if x.Case != cc.RelationalExpressionShift {
			n.ordered(x.RelationalExpression, x.ShiftExpression)
			n.ordered(x.ShiftExpression, x.RelationalExpression)
		}
	case *cc.AndExpression:
		if x.Case == cc.AndExpressionAnd {
			n.pair(x.AndExpression, x.EqualityExpression)
		}
	case *cc.AssignmentExpression:
		switch x.Case {
		case cc.AssignmentExpressionAssign, cc.AssignmentExpressionOr, cc.AssignmentExpressionAnd, cc.AssignmentExpressionXor:
			n.pair(x.UnaryExpression, x.AssignmentExpression)
		}
	case *cc.InitDeclarator:
		if x.Case == cc.InitDeclaratorInit && x.Initializer.Case == cc.InitializerExpr {
			n.use(n.of(x.Declarator), x.Initializer.AssignmentExpression)
		}
	case *cc.SelectionStatement:
		if x.Case == cc.SelectionStatementSwitch {
			n.cases(x)
		}
	}
}

// cases are the labels of a switch over a variable.
func (n *naming) cases(s *cc.SelectionStatement) {
	e := n.place(s.ExpressionList)
	if e == nil {
		return
	}
	Inspect(s.Statement, func(x any) bool {
		switch x := x.(type) {
		case *cc.SelectionStatement:
			return x.Case != cc.SelectionStatementSwitch // its labels are its own
		case *cc.LabeledStatement:
			if x.Case == cc.LabeledStatementCaseLabel {
				n.use(e, x.ConstantExpression)
			}
		}
		return true
	})
}

// ordered notes what a variable is compared with by order: a constant on its own is a
// limit, and no name of a value.
func (n *naming) ordered(a, b cc.ExpressionNode) {
	if k := n.constants.written(b); k != nil && len(n.constants.group[k]) < 2 {
		return
	}
	if e := n.place(a); e != nil {
		n.use(e, b)
	}
}

// pair notes that a variable is assigned or compared with what has a name.
func (n *naming) pair(a, b cc.ExpressionNode) {
	if e := n.place(a); e != nil {
		n.use(e, b)
	}
	if e := n.place(b); e != nil {
		n.use(e, a)
	}
}

// use notes the names of the enumerations and constants that an expression is made of.
func (n *naming) use(to *Enumeration, x cc.ExpressionNode) {
	if e := enumeratorOf(x); e != nil {
		all := n.siblings[e]
		if all == nil {
			all = []*cc.Enumerator{e}
		}
		n.enumerators(to, all)
		return
	}
	some, _ := n.constants.of(x)
	for _, k := range some {
		for _, k := range n.constants.group[k] {
			to.add(k.name, k.value)
			if k.union {
				to.unions = append(to.unions, k.value)
			}
		}
	}
}

func (n *naming) typed(to *Enumeration, t cc.Type) {
	if e, ok := t.(*cc.EnumType); ok && to != nil {
		n.enumerators(to, e.Enumerators())
	}
}

func (n *naming) enumerators(to *Enumeration, all []*cc.Enumerator) {
	for _, e := range all {
		if v, ok := enumValue(e); ok {
			to.add(e.Token.SrcStr(), v)
		}
	}
}

// of is the enumeration of a variable.
func (n *naming) of(d *cc.Declarator) *Enumeration {
	return entry(n.all.variables, Position(d.NameTok().Position()))
}

func entry[K comparable](all map[K]*Enumeration, key K) *Enumeration {
	e := all[key]
	if e == nil {
		e = &Enumeration{names: map[int64][]string{}}
		all[key] = e
	}
	return e
}

// place is the enumeration of the variable that an expression is, or is an element or a
// member of; nil if it is none.
func (n *naming) place(x cc.ExpressionNode) *Enumeration {
	x = Unparen(x)
	if d := variableOf(x); d != nil {
		return n.of(d)
	}
	p, ok := x.(*cc.PostfixExpression)
	if !ok {
		return nil
	}
	switch p.Case {
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		return entry(n.all.members, p.Token2.SrcStr())
	case cc.PostfixExpressionIndex:
		return n.place(p.PostfixExpression)
	}
	return nil
}

// variableOf is the variable that an expression is, or nil.
func variableOf(n cc.ExpressionNode) *cc.Declarator {
	if x, ok := Unparen(n).(*cc.PrimaryExpression); ok && x.Case == cc.PrimaryExpressionIdent {
		d, _ := x.ResolvedTo().(*cc.Declarator)
		return d
	}
	return nil
}

// enumeratorOf is the enumerator that an expression is, or nil.
func enumeratorOf(n cc.ExpressionNode) *cc.Enumerator {
	if x, ok := Unparen(n).(*cc.PrimaryExpression); ok && x.Case == cc.PrimaryExpressionIdent {
		e, _ := x.ResolvedTo().(*cc.Enumerator)
		return e
	}
	return nil
}

func enumValue(e *cc.Enumerator) (int64, bool) {
	switch v := e.Value().(type) {
	case cc.Int64Value:
		return int64(v), true
	case cc.UInt64Value:
		return int64(v), true
	}
	return 0, false
}
