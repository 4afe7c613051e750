package source

// Names for the values of variables.
//
// Idea: a variable of an enumeration's type has the names of its enumerators, and so
// has an integer that the text assigns enumerators to or compares with them, as C
// programmers write states and messages. If several enumerators of what a variable is
// used with have one value, it has no name. A value that is none of them is named as
// a union of flags if all are powers of two.
//
// Cost: one walk over the text of the procedures that are asked for.

import (
	"math/bits"
	"reflect"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"magus/cfa"
)

// An Enumeration is names for values.
type Enumeration struct {
	names  map[int64][]string
	values []int64 // in the order of the text
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
		if f == 0 {
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

// Enumerations are the names for the values of the variables that some procedures
// mention, by the places of their declarations.
func (p *Program) Enumerations(procedures []string) map[cfa.Pos]*Enumeration {
	p.Lock()
	defer p.Unlock()
	n := &naming{all: map[cfa.Pos]*Enumeration{}, siblings: map[*cc.Enumerator][]*cc.Enumerator{}}
	for _, f := range p.Files {
		for u := f.ast.TranslationUnit; u != nil; u = u.TranslationUnit {
			n.declared(u.ExternalDeclaration)
		}
	}
	for _, name := range procedures {
		if pr := p.byName[name]; pr != nil {
			Inspect(reflect.ValueOf(pr.Def), func(x any) bool { n.look(x); return true })
		}
	}
	return n.all
}

// A naming gathers enumerations.
type naming struct {
	all      map[cfa.Pos]*Enumeration
	siblings map[*cc.Enumerator][]*cc.Enumerator // those of its enumeration
}

// declared notes which enumerators belong together, of enumerations of file scope.
func (n *naming) declared(d *cc.ExternalDeclaration) {
	Inspect(reflect.ValueOf(d), func(x any) bool {
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
		if t, ok := x.Type().(*cc.EnumType); ok {
			n.ofType(x, t)
		}
	case *cc.PrimaryExpression:
		if d, ok := x.ResolvedTo().(*cc.Declarator); ok {
			if t, ok := d.Type().(*cc.EnumType); ok {
				n.ofType(d, t)
			}
		}
	case *cc.EqualityExpression:
		if x.Case != cc.EqualityExpressionRel {
			n.pair(x.EqualityExpression, x.RelationalExpression)
		}
	case *cc.RelationalExpression:
		if x.Case != cc.RelationalExpressionShift {
			n.pair(x.RelationalExpression, x.ShiftExpression)
		}
	case *cc.AssignmentExpression:
		if x.Case == cc.AssignmentExpressionAssign {
			n.pair(x.UnaryExpression, x.AssignmentExpression)
		}
	case *cc.InitDeclarator:
		if x.Case == cc.InitDeclaratorInit && x.Initializer.Case == cc.InitializerExpr {
			if e := enumeratorOf(x.Initializer.AssignmentExpression); e != nil {
				n.use(x.Declarator, e)
			}
		}
	case *cc.SelectionStatement:
		if x.Case == cc.SelectionStatementSwitch {
			n.cases(x)
		}
	}
}

// cases are the labels of a switch over a variable.
func (n *naming) cases(s *cc.SelectionStatement) {
	d := variableOf(s.ExpressionList)
	if d == nil {
		return
	}
	Inspect(reflect.ValueOf(s.Statement), func(x any) bool {
		switch x := x.(type) {
		case *cc.SelectionStatement:
			return x.Case != cc.SelectionStatementSwitch // its labels are its own
		case *cc.LabeledStatement:
			if x.Case == cc.LabeledStatementCaseLabel {
				if e := enumeratorOf(x.ConstantExpression); e != nil {
					n.use(d, e)
				}
			}
		}
		return true
	})
}

// pair notes that a variable is assigned or compared with an enumerator.
func (n *naming) pair(a, b cc.ExpressionNode) {
	if d, e := variableOf(a), enumeratorOf(b); d != nil && e != nil {
		n.use(d, e)
	}
	if d, e := variableOf(b), enumeratorOf(a); d != nil && e != nil {
		n.use(d, e)
	}
}

// use notes the enumerators of e's enumeration for a variable.
func (n *naming) use(d *cc.Declarator, e *cc.Enumerator) {
	all := n.siblings[e]
	if all == nil {
		all = []*cc.Enumerator{e}
	}
	for _, e := range all {
		if v, ok := enumValue(e); ok {
			n.of(d).add(e.Token.SrcStr(), v)
		}
	}
}

func (n *naming) ofType(d *cc.Declarator, t *cc.EnumType) {
	for _, e := range t.Enumerators() {
		if v, ok := enumValue(e); ok {
			n.of(d).add(e.Token.SrcStr(), v)
		}
	}
}

// of is the enumeration of a variable.
func (n *naming) of(d *cc.Declarator) *Enumeration {
	pos := Position(d.NameTok().Position())
	e := n.all[pos]
	if e == nil {
		e = &Enumeration{names: map[int64][]string{}}
		n.all[pos] = e
	}
	return e
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
