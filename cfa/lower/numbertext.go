package lower

// Texts that are floating-point numbers, for the models of strtod and its like.
//
// Idea: where a text never changes, a string literal say, the number that it begins with is read when the call is
// lowered: how long it is, which number, and whether it is out of range are constants. Of other texts nothing is said.
//
// Source: C11 7.22.1.3; correctly rounded, as F.5 has it. Cost: linear in the text.

import (
	"strings"

	"magus/internal/pattern"
	"magus/smt/expr"
	"magus/smt/softfloat"
)

var reNumberText = pattern.New(`^[ \t\n\v\f\r]*([+-]?(?:` +
	`0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?|` +
	`(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|` +
	`[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN](?:\([0-9A-Za-z_]*\))?))`)

// numberText is the number that a text begins with: where it ends, 0 if there is none, and what it is in a format.
func numberText[V any](parse func(text string, m softfloat.Mode) (V, softfloat.Flags, error), text string) (end int,
	v V, flags softfloat.Flags) {
	m := reNumberText().FindStringSubmatch(text)
	if m == nil {
		return 0, v, 0
	}
	number := strings.ToLower(m[1])
	number, _, _ = strings.Cut(number, "(")
	if strings.Contains(number, "0x") && !strings.Contains(number, "p") {
		number += "p0"
	}
	v, flags, err := parse(number, softfloat.NearestEven)
	if err != nil {
		return 0, v, 0
	}
	return len(m[0]), v, flags
}

// The results of a model's __magus_text_error.
const (
	inRange = iota
	tooLarge
	tooSmall
)

// textNumber is what a model asks of a text: where the number ends, which it is, whether it is out of range.
func textNumber(l *lowerer, c *callSite) value {
	vals := l.calls.evalArgs(c)
	if l.Dead() || vals[0].t == nil {
		return l.dead(c)
	}
	text, known := l.objects.constantText(l.Pool.Subst(vals[0].t, l.fr.constants))
	what, of := numberOf(strings.TrimPrefix(c.name, modelPrefix+"text_"))
	end, number, flags := l.readNumber(l.ofSuffix(of), text)
	switch {
	case what == "end" && (!known || l.prog.LibraryObject(libraryRounding) != nil):
		end = -1
		fallthrough
	case what == "end":
		return value{c.ret, l.Pool.Int(c.ret.typ, int64(end)), nil}
	case what == "number":
		return value{c.ret, number, nil}
	}
	r := inRange
	if flags&softfloat.Overflow != 0 {
		r = tooLarge
	} else if flags&softfloat.Underflow != 0 {
		r = tooSmall
	}
	return value{c.ret, l.Pool.Int(c.ret.typ, int64(r)), nil}
}

// readNumber is the number of a type that a text begins with, as [numberText] has it.
func (l *terms) readNumber(t expr.Type, text string) (end int, number *expr.Expr, flags softfloat.Flags) {
	if t.Width > 64 {
		end, v, flags := numberText(pairedFormat(t).Parse, text)
		return end, l.Pool.XConst(t, v), flags
	}
	end, bits, flags := numberText(t.Format().Parse, text)
	return end, l.Pool.Const(t, bits), flags
}

// constantText is a text that never changes.
func (l *objects) constantText(at *expr.Expr) (string, bool) {
	n, ok := l.textLength(at)
	if !ok {
		return "", false
	}
	var b strings.Builder
	for i := range n {
		b.WriteByte(byte(l.mem.TextAt(at, i).Value()))
	}
	return b.String(), true
}
