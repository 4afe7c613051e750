package source

// Names of constants that #define gives.
//
// Idea: a macro without parameters whose body is a number, or an expression of numbers
// and such macros, is a constant. An expression is known to be one if it is the only
// token of the body, which the library tells, or if it was written where only a macro
// can have put it (all its tokens have one place) and one constant has that body.
// Constants belong together, like the enumerators of an enumeration, if they are
// defined on consecutive lines and begin with the same word: OPEN_READ, OPEN_WRITE.
//
// Cost: one walk over the macros.

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"magus/cfa"
	"magus/cfa/source/preprocess"
)

// A constant is what a macro stands for.
type constant struct {
	name  string
	value int64
	pos   cfa.Pos
	body  string
	union bool // of others
}

// constants are those of all files.
type constants struct {
	byName map[string]*constant // nil for a name that files do not agree on
	byBody map[string][]*constant
	group  map[*constant][]*constant
	made   map[madeToken]string
}

// A madeToken is a token that a macro without parameters stands for, in its place.
type madeToken struct {
	pos  cfa.Pos
	text string
}

// madeTokens are those among tokens, with the macro; "" where several make the same.
func madeTokens(tokens []preprocess.Token) map[madeToken]string {
	all := map[madeToken]string{}
	for _, t := range tokens {
		if t.From == "" {
			continue
		}
		key := madeToken{t.Pos(), t.Text}
		if had, met := all[key]; met && had != t.From {
			all[key] = ""
		} else {
			all[key] = t.From
		}
	}
	return all
}

func (p *Program) constants() *constants {
	c := &constants{byName: map[string]*constant{}, byBody: map[string][]*constant{}, group: map[*constant][]*constant{},
		made: map[madeToken]string{}}
	for _, f := range p.Files {
		maps.Copy(c.made, f.made)
		for _, name := range slices.Sorted(maps.Keys(f.macros)) {
			if k := constantOf(f.macros, name); k != nil {
				if had, met := c.byName[name]; met && (had == nil || *had != *k) {
					k = nil
				}
				c.byName[name] = k
			}
		}
	}
	var all []*constant
	for _, name := range slices.Sorted(maps.Keys(c.byName)) {
		if k := c.byName[name]; k != nil {
			all = append(all, k)
			c.byBody[k.body] = append(c.byBody[k.body], k)
		}
	}
	slices.SortStableFunc(all, func(a, b *constant) int {
		return cmp.Or(strings.Compare(a.pos.File, b.pos.File), a.pos.Line-b.pos.Line)
	})
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end-1].next(all[end]) {
			end++
		}
		for _, k := range all[i:end] {
			c.group[k] = all[i:end]
		}
		i = end
	}
	return c
}

// next reports whether two constants belong together, of which one is defined on the
// line behind the other.
func (k *constant) next(m *constant) bool {
	a, _, some := strings.Cut(strings.TrimLeft(k.name, "_"), "_")
	b, _, _ := strings.Cut(strings.TrimLeft(m.name, "_"), "_")
	return some && a == b && k.pos.File == m.pos.File && k.pos.Line+1 == m.pos.Line
}

// constantOf is the constant that a macro of a program is, or nil.
func constantOf(all map[string]preprocess.Macro, name string) *constant {
	m := all[name]
	if m.Function || m.Builtin || strings.HasPrefix(m.Pos.File, "<") {
		return nil
	}
	e := &evaluator{macros: all, left: new(int)}
	*e.left, e.tokens = mostOperands, m.Body
	body := strings.Join(e.tokens, " ")
	v, ok := e.sum(0)
	if !ok || len(e.tokens) > 0 {
		return nil
	}
	return &constant{name: name, value: v, pos: m.Pos, body: body, union: strings.Contains(body, "|")}
}

const (
	deepest      = 20  // how deep macros of macros are followed, and parentheses
	mostOperands = 200 // in what one macro stands for
)

// An evaluator computes what tokens stand for, from the left.
type evaluator struct {
	macros map[string]preprocess.Macro
	tokens []string
	left   *int // operands that may still come
}

func (e *evaluator) is(text string) bool {
	if len(e.tokens) > 0 && e.tokens[0] == text {
		e.tokens = e.tokens[1:]
		return true
	}
	return false
}

// sum is a chain of operands with one kind of operator between; mixtures are left out
// but for what parentheses part.
func (e *evaluator) sum(depth int) (int64, bool) {
	v, ok := e.operand(depth)
	before := ""
	for ok && len(e.tokens) > 0 {
		op := e.tokens[0]
		if op != "|" && op != "+" && op != "<<" || before != "" && op != before {
			return v, true
		}
		before, e.tokens = op, e.tokens[1:]
		var w int64
		if w, ok = e.operand(depth); !ok {
			break
		}
		switch op {
		case "|":
			v |= w
		case "+":
			v += w
		case "<<":
			if w < 0 || w > 62 {
				return 0, false
			}
			v <<= w
		}
	}
	return v, ok
}

func (e *evaluator) operand(depth int) (int64, bool) {
	if *e.left--; *e.left < 0 || depth > deepest || len(e.tokens) == 0 {
		return 0, false
	}
	switch {
	case e.is("-"):
		v, ok := e.operand(depth + 1)
		return -v, ok
	case e.is("~"):
		v, ok := e.operand(depth + 1)
		return ^v, ok
	case e.is("("):
		v, ok := e.sum(depth + 1)
		return v, ok && e.is(")")
	}
	text := e.tokens[0]
	e.tokens = e.tokens[1:]
	if m, defined := e.macros[text]; defined && !m.Function && !m.Builtin {
		inner := &evaluator{macros: e.macros, tokens: m.Body, left: e.left}
		v, ok := inner.sum(depth + 1)
		return v, ok && len(inner.tokens) == 0
	}
	v, err := strconv.ParseInt(strings.TrimRight(text, "uUlL"), 0, 64)
	return v, err == nil && !strings.Contains(text, "_")
}

// of are the constants that an expression is, or that it may be a union or a
// complement of; ok says that it is nothing else.
func (c *constants) of(n cc.ExpressionNode) (all []*constant, ok bool) {
	if k := c.written(n); k != nil {
		return []*constant{k}, true
	}
	var parts []cc.ExpressionNode
	switch x := Unparen(n).(type) {
	case *cc.InclusiveOrExpression:
		parts = []cc.ExpressionNode{x.InclusiveOrExpression, x.ExclusiveOrExpression}
	case *cc.ConditionalExpression:
		if x.Case != cc.ConditionalExpressionCond {
			return nil, false
		}
		parts = []cc.ExpressionNode{x.ExpressionList, x.ConditionalExpression}
	case *cc.UnaryExpression:
		if x.Case != cc.UnaryExpressionCpl {
			return nil, false
		}
		parts = []cc.ExpressionNode{x.CastExpression}
	default:
		return nil, false
	}
	for _, p := range parts {
		some, ok := c.of(p)
		if !ok {
			return nil, false
		}
		all = append(all, some...)
	}
	return all, true
}

// written is the constant whose name stands where an expression is, or nil.
func (c *constants) written(n cc.ExpressionNode) *constant {
	for {
		switch y := n.(type) {
		case *cc.ConstantExpression:
			n = y.ConditionalExpression
			continue
		case *cc.ExpressionList:
			if y.ExpressionList == nil {
				n = y.AssignmentExpression
				continue
			}
		}
		break
	}
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		if name := c.made[madeToken{Position(x.Token.Position()), x.Token.SrcStr()}]; name != "" {
			return c.byName[name]
		}
		if x.Case != cc.PrimaryExpressionExpr {
			return nil
		}
	case *cc.UnaryExpression:
		if x.Case != cc.UnaryExpressionMinus && x.Case != cc.UnaryExpressionCpl {
			return nil
		}
	default:
		return nil
	}
	var texts []string
	at, one := Position(n.Position()), true
	for _, t := range cc.NodeTokens(n) {
		texts = append(texts, t.SrcStr())
		one = one && Position(t.Position()) == at
	}
	if same := c.byBody[strings.Join(texts, " ")]; one && len(same) == 1 {
		return same[0]
	}
	return nil
}
