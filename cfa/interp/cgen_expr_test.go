package interp_test

// Random C expressions.

import (
	"fmt"
	"regexp"
	"strings"
)

// value is an expression of any integer type; its effects are the function's.
func (g *cgen) value(depth int) string {
	text, eff := g.expr(depth, newEffects())
	g.eff.add(eff)
	return text
}

// constant is a constant expression.
func (g *cgen) constant(depth int) string {
	if depth == 0 {
		return g.literal()
	}
	switch g.Intn(6) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", g.constant(depth-1),
			g.pick("+", "-", "*", "&", "|", "^", "<", "==", "&&", "||", "<=", "!="), g.constant(depth-1))
	case 1:
		return fmt.Sprintf("(%s)%s", g.ctype(), g.constant(depth-1))
	case 2:
		return fmt.Sprintf("%s%s", g.pick("-", "~", "!", "+"), g.paren(g.constant(depth-1)))
	case 3:
		return fmt.Sprintf("(%s ? %s : %s)", g.constant(depth-1), g.constant(depth-1), g.constant(depth-1))
	case 4:
		return fmt.Sprintf("(%s %s %d)", g.constant(depth-1), g.pick("<<", ">>", "/", "%"), 1+g.Intn(9))
	}
	return g.literal()
}

func (g *cgen) paren(s string) string { return "(" + s + ")" }

func (g *cgen) literal() string {
	switch g.Intn(9) {
	case 0:
		return g.pick("'a'", "'\\377'", "'\\0'", "'\\n'", "'\\x7f'", "'\\\\'")
	case 1:
		return g.pick("RED", "GREEN", "BLUE", "LOW", "MID", "HIGH")
	case 2:
		return g.pick("2147483647", "2147483648", "0x7fffffff", "0x80000000", "0xffffffff", "4294967296",
			"0x7fffffffffffffff", "0xffffffffffffffff", "037777777777", "0b1011")
	case 3:
		return fmt.Sprintf("%d%s", g.Intn(300), g.pick("U", "L", "UL", "LL", "ull", "u"))
	case 4:
		return strings.ReplaceAll(g.pick("sizeof(%)", "_Alignof(%)", "sizeof(% *)", "sizeof \"abc\""), "%", g.ctype())
	case 5:
		return fmt.Sprint(g.Intn(70000))
	}
	return fmt.Sprint(g.Intn(10))
}

// expr is an expression that may stand unsequenced beside what has the given
// effects. It comes back in parentheses where needed.
func (g *cgen) expr(depth int, beside effects) (string, effects) {
	if depth <= 0 {
		return g.leaf(beside)
	}
	switch g.Intn(18) {
	case 0, 1, 2, 3:
		return g.binary(depth, beside)
	case 4:
		return g.division(depth, beside)
	case 5:
		return g.shift(depth, beside)
	case 6, 7:
		a, eff := g.expr(depth-1, beside)
		return g.pick("-", "~", "!", "+", "("+g.ctype()+")", "("+g.ctype()+")") + g.paren(a), eff
	case 8, 9:
		a, eff := g.expr(depth-1, beside)
		b, effb := g.expr(depth-1, beside)
		eff.add(effb)
		return fmt.Sprintf("(%s %s %s)", a, g.pick("&&", "||", ",", "&&", "||"), b), eff
	case 10:
		a, eff := g.expr(depth-1, beside)
		b, effb := g.expr(depth-1, beside)
		c, effc := g.expr(depth-1, beside)
		eff.add(effb)
		eff.add(effc)
		return fmt.Sprintf("(%s ? %s : %s)", a, b, c), eff
	case 11:
		if text, eff, ok := g.assignment(depth-1, beside); ok {
			return g.paren(text), eff
		}
	case 12:
		if text, eff, ok := g.call(depth-1, beside, false); ok {
			return text, eff
		}
	case 13:
		if a, _ := g.expr(depth-1, beside); !strings.Contains(a, "({") { // which gcc does not survive everywhere
			return fmt.Sprintf("sizeof(%s)", a), newEffects() // not evaluated
		}
	case 14:
		if g.Intn(3) == 0 {
			return g.statementExpr(depth, beside)
		}
	case 15:
		return g.extension(depth, beside)
	}
	return g.leaf(beside)
}

func (g *cgen) leaf(beside effects) (string, effects) {
	eff := newEffects()
	if g.Intn(12) == 0 {
		return "__VERIFIER_nondet_" + g.pick("int", "uint", "char", "uchar", "short", "ushort", "long",
			"ulong", "longlong", "ulonglong", "bool") + "()", eff
	}
	if len(g.scope) > 0 && g.Intn(4) > 0 {
		v := g.scope[g.Intn(len(g.scope))]
		eff.reads[v.id] = true
		if eff.apart(beside) {
			return v.name, eff
		}
	}
	return g.literal(), newEffects()
}

// pair is two operands whose order is open.
func (g *cgen) pair(depth int, beside effects) (a, b string, eff effects) {
	a, eff = g.expr(depth-1, beside)
	all := newEffects()
	all.add(beside)
	all.add(eff)
	b, effb := g.expr(depth-1, all)
	eff.add(effb)
	return a, b, eff
}

func (g *cgen) binary(depth int, beside effects) (string, effects) {
	a, b, eff := g.pair(depth, beside)
	return fmt.Sprintf("(%s %s %s)", a, g.pick("+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==",
		"!=", "+", "-"), b), eff
}

func (g *cgen) division(depth int, beside effects) (string, effects) {
	op := g.pick("/", "%")
	switch g.Intn(3) {
	case 0:
		a, eff := g.expr(depth-1, beside)
		return fmt.Sprintf("(%s %s %s)", a, op, g.pick("3", "-3", "7u", "10L", "-2LL", "'a'", "sizeof(int)")), eff
	case 1:
		a, b, eff := g.pair(depth, beside)
		return fmt.Sprintf("(%s %s ((%s & 7) + 1))", a, op, b), eff
	}
	a, b, eff := g.pair(depth, beside)
	return fmt.Sprintf("(%s %s ((%s)%s | 1u))", a, op, g.pick("unsigned", "unsigned long"), g.paren(b)), eff
}

func (g *cgen) shift(depth int, beside effects) (string, effects) {
	a, b, eff := g.pair(depth, beside)
	op := g.pick("<<", ">>")
	if g.Intn(3) == 0 {
		return fmt.Sprintf("((%s)%s %s (%s & 63))", g.pick("long long", "unsigned long long"), g.paren(a), op, b), eff
	}
	return fmt.Sprintf("(%s %s (%s & %s))", a, op, b, g.pick("31", "7")), eff
}

// assignment writes to an object; it says false if there is none to write to.
func (g *cgen) assignment(depth int, beside effects) (string, effects, bool) {
	var open []cvar
	for _, v := range g.scope {
		if v.set && (effects{map[int]bool{v.id: true}, map[int]bool{v.id: true}}).apart(beside) {
			open = append(open, v)
		}
	}
	if len(open) == 0 {
		return "", effects{}, false
	}
	v := open[g.Intn(len(open))]
	eff := newEffects()
	eff.reads[v.id], eff.writes[v.id] = true, true
	switch k := g.Intn(10); {
	case k < 2:
		return strings.ReplaceAll(g.pick("++%", "%++", "--%", "%--"), "%", v.name), eff, true
	case k < 6:
		// The value is computed before v is set, but the right side must not set v.
		all := effects{map[int]bool{v.id: true}, map[int]bool{}}
		all.add(beside)
		a, effa := g.expr(depth, all)
		eff.add(effa)
		return fmt.Sprintf("%s = %s", v.name, a), eff, true
	}
	all := effects{map[int]bool{v.id: true}, map[int]bool{}}
	all.add(beside)
	a, effa := g.expr(depth, all)
	eff.add(effa)
	switch op := g.pick("+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="); op {
	case "<<=", ">>=":
		return fmt.Sprintf("%s %s (%s & %s)", v.name, op, a, g.pick("7", "31")), eff, true
	case "/=", "%=":
		return fmt.Sprintf("%s %s ((%s & 7) + 1)", v.name, op, a), eff, true
	default:
		return fmt.Sprintf("%s %s %s", v.name, op, a), eff, true
	}
}

// call calls a helper; arguments are unsequenced among each other, the call
// comes after them.
func (g *cgen) call(depth int, beside effects, void bool) (string, effects, bool) {
	if len(g.funcs) == 0 || g.repeat > 1 {
		return "", effects{}, false
	}
	f := g.funcs[g.Intn(len(g.funcs))]
	if !f.eff.apart(beside) || f.result == "void" && !void {
		return "", effects{}, false
	}
	eff, all := newEffects(), newEffects()
	all.add(beside)
	var args []string
	for range f.params {
		a, effa := g.expr(depth-1, all)
		args = append(args, a)
		all.add(effa)
		eff.add(effa)
	}
	eff.add(f.eff)
	return fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", ")), eff, true
}

// typeless finds enumerators, to which the parser gives another type than
// gcc does, which only typeof and _Generic see; and statement expressions, for
// gcc does not survive them in every typeof.
var typeless = regexp.MustCompile(`\b(RED|GREEN|BLUE|LOW|MID|HIGH)\b|\(\{`)

// extension is an expression that only GCC or newer C has.
func (g *cgen) extension(depth int, beside effects) (string, effects) {
	a, eff := g.expr(depth-1, beside)
	switch g.Intn(4) {
	case 2: // the parser does not read this with a constant in front
		if v, effv := g.leaf(beside); len(effv.reads) > 0 {
			eff.add(effv)
			return fmt.Sprintf("(%s ?: %s)", v, a), eff
		}
	case 0:
		return fmt.Sprintf("__builtin_expect(!!%s, 1)", g.paren(a)), eff
	case 1:
		if b, _ := g.expr(depth-1, beside); !typeless.MatchString(b) {
			return fmt.Sprintf("((__typeof__(%s))%s)", b, g.paren(a)), eff
		}
	}
	if typeless.MatchString(a) {
		return a, eff
	}
	return fmt.Sprintf("_Generic(%s + 0, int: 1, unsigned: 2, long: 3, unsigned long: 4, long long: 5, "+
		"unsigned long long: 6, default: 7)", g.paren(a)), newEffects()
}

// statementExpr is GCC's ({ … }).
func (g *cgen) statementExpr(depth int, beside effects) (string, effects) {
	a, eff := g.expr(depth-1, beside)
	v := g.object("e", true)
	b, effb := g.expr(depth-1, beside)
	g.scope = g.scope[:len(g.scope)-1]
	eff.add(effb)
	return fmt.Sprintf("({ %s %s = %s; %s; })", v.typ, v.name, a, b), eff
}
