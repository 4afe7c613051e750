package lower

// scanf, fscanf and sscanf with a format that is a string literal.
//
// Idea: the result is EOF or how many conversions have been stored, up to all of them; as
// many of the arguments, in their order, get any value of the type that the format says: a number of
// its width, so many characters, a text that ends. What scanf and fscanf read comes from the
// surroundings, and a violation may rest on it; what sscanf stores is determined by
// its text, so none may, but for decimal numbers that the text begins with
// (memory/textprefix.go). Where a conversion fails, its argument keeps its value.
//
// Source: ISO C11, 7.21.6.2. Left out: positions (%1$d), memory that is allocated (%ms), formats
// that are no literal: such a call may do anything with what it is given. Cost: linear in the format.

import (
	"strconv"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/internal/pattern"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// A scan is a conversion of a format that reads and stores.
type scan struct {
	verb  byte
	width int64 // 0: none
	size  int64 // of a number, or of a character of a text, in bytes
	count bool  // %n, which is no conversion that counts
}

// scanned is scanf, fscanf and sscanf.
func scanned(l *lowerer, c *callSite) value {
	row, _ := knownFunction(c.name)
	at := row.Format()
	otherwise := func() value { return l.calls.unknown(c, "") }
	if len(c.args) <= at || l.opt.StrictCalls || !c.ret.scalar() {
		return otherwise()
	}
	scans, ok := l.scans(c.args[at])
	if !ok || len(c.args) < at+1+len(scans) {
		return otherwise()
	}
	c.vals = l.calls.evalArgs(c)
	targets := c.vals[at+1:][:len(scans)]
	for _, v := range targets {
		switch {
		case v.t == nil || l.Dead():
			return l.dead(c)
		case v.class != classPtr:
			return otherwise()
		}
	}
	approx := ""
	if n := l.decimals(c, at); n > 0 {
		return l.library.scanDecimals(c, scans, targets, n)
	}
	if c.name == "sscanf" {
		approx = notModelled(c.name)
		l.Assume(cfa.AboutLibrary, c.pos,
			"%s gives, and stores, any values that the format allows, whatever the text", c.name)
	} else {
		l.Assume(cfa.AboutLibrary, c.pos, "%s gives any result that C allows", c.name)
	}
	if c.name == "sscanf" {
		l.library.touch(c, c.vals[0], l.Pool.Int(l.pointer, 1), false, false)
	}
	l.library.changesErrno(c)
	return l.library.scanInto(c, scans, targets, approx)
}

// maxDecimals is the most numbers that are looked for in one text.
const maxDecimals = 4

// reDecimals are formats of nothing but decimal numbers that are no less than an int.
var reDecimals = pattern.New(`^\s*(%(l|ll|j|z|t|q)?[du]\s*)+$`)

// decimals is how many numbers sscanf reads, if its format has nothing else; or 0.
func (l *facts) decimals(c *callSite, at int) int {
	s, ok := source.StringLiteral(c.args[at])
	n := strings.Count(s, "%")
	if !ok || at == 0 || !strings.HasSuffix(c.name, "sscanf") || c.vals[0].class != classPtr ||
		n > maxDecimals || !reDecimals().MatchString(s) {
		return 0
	}
	return n
}

// scanDecimals is sscanf of numbers only.
func (l *texts) scanDecimals(c *callSite, scans []scan, targets []value, n int) value {
	l.library.touch(c, c.vals[0], l.Pool.Int(l.pointer, 1), false, false)
	l.library.changesErrno(c)
	count := l.Temp("text", expr.Int32, c.pos)
	g := memory.ScanText{At: textAt(c.vals[0].t), Says: []memory.Said{{LHS: count, Fact: memory.Numbers, Of: n}},
		Approx: notModelled(c.name)}
	for i, s := range scans {
		v := l.Temp("text", expr.Type{Width: uint8(8 * s.size), Signed: true}, c.pos)
		g.Says = append(g.Says, memory.Said{LHS: v, Fact: memory.Number, Of: i})
	}
	l.Emit(g, c.pos)
	number := func(k int) *expr.Expr { return l.Pool.Int(expr.Int32, int64(k)) }
	in, out := l.Branch(l.Pool.Land(l.Pool.Le(number(-1), count), l.Pool.Le(count, number(n))), c.pos)
	l.Continue(out)
	l.Halt("assume", c.pos)
	l.Continue(in)
	var ends cfa.Ends
	for i, s := range scans {
		yes, no := l.Branch(l.Pool.Le(number(i+1), count), c.pos)
		ends = append(ends, no...)
		l.Continue(yes)
		v := g.Says[i+1].LHS
		number := memory.Scalar{Type: v.Type()}
		l.Emit(memory.Store{To: memory.Ref{Address: memory.Address{Base: targets[i].t},
			Extent: memory.ExtentOf(number, s.size, 0), Scalar: number, Size: s.size}, Val: v}, c.pos)
	}
	l.Join(ends)
	return value{c.ret, l.Pool.Cast(c.ret.typ, count), nil}
}

// scanInto gives values to what the conversions store, as many as the result says.
func (l *texts) scanInto(c *callSite, scans []scan, targets []value, approx string) value {
	all := 0
	for _, s := range scans {
		if !s.count {
			all++
		}
	}
	n := l.Any(c.ret.typ, c.name, approx, c.pos)
	number := func(k int) *expr.Expr { return l.Pool.Int(n.Type(), int64(k)) }
	in, out := l.Branch(l.Pool.Land(l.Pool.Le(number(-1), n), l.Pool.Le(n, number(all))), c.pos)
	l.Continue(out)
	l.Halt("assume", c.pos)
	l.Continue(in)
	var ends cfa.Ends
	stored := 0
	for i, s := range scans {
		if s.count { // stored if all before it were, and what comes before it in the text
			some, none := l.Branch(l.Pool.Truth(l.Any(expr.Int32, "what C leaves open of "+c.name, approx, c.pos)), c.pos)
			l.Continue(some)
			l.scanOne(c, s, targets[i].t, approx)
			l.Join(none)
			continue
		}
		stored++
		yes, no := l.Branch(l.Pool.Le(number(stored), n), c.pos)
		ends = append(ends, no...)
		l.Continue(yes)
		l.scanOne(c, s, targets[i].t, approx)
	}
	l.Join(ends)
	return value{c.ret, n, nil}
}

// scanOne gives a value to what one conversion stores.
func (l *texts) scanOne(c *callSite, s scan, to *expr.Expr, approx string) {
	fill := func(size int64) {
		l.Emit(memory.Fill{To: at(to), Size: size, Nondet: c.name, Approx: approx}, c.pos)
	}
	switch s.verb {
	case 'c':
		fill(max(s.width, 1) * s.size)
	case 's', '[':
		l.scanText(c, s, to, approx)
	default:
		fill(s.size)
	}
}

// scanText stores a text that ends: of so many characters at most, if there is a width.
func (l *texts) scanText(c *callSite, s scan, to *expr.Expr, approx string) {
	length := l.Any(l.pointer, "what C leaves open of "+c.name, approx, c.pos)
	least, most := l.Pool.Int(l.pointer, 1), l.Pool.Int(l.pointer, s.width)
	if s.width == 0 {
		most = l.Pool.Int(l.pointer, 1<<30)
	}
	in, out := l.Branch(l.Pool.Land(l.Pool.Le(least, length), l.Pool.Le(length, most)), c.pos)
	l.Continue(out)
	l.Halt("assume", c.pos)
	l.Continue(in)
	f := memory.Fill{To: at(to), Size: -1, Length: l.Pool.Mul(length, l.Pool.Int(l.pointer, s.size)),
		Nondet: c.name, Approx: approx}
	l.Emit(f, c.pos)
	if s.size == 1 {
		l.storeCharacter(c, to, length, l.Pool.Const(expr.Int8, 0))
	} else {
		l.Emit(memory.Fill{To: memory.Ref{Address: memory.Address{Base: to,
			Idx: []memory.Index{{I: length, Stride: s.size}}}}, Size: s.size, Val: l.Pool.Const(expr.Uint8, 0)}, c.pos)
	}
}

// scans are the conversions of a format that store; false if not all is known of it.
func (l *facts) scans(n cc.ExpressionNode) (all []scan, ok bool) {
	s, ok := source.StringLiteral(n)
	for ok && s != "" {
		_, rest, found := strings.Cut(s, "%")
		if !found {
			break
		}
		if strings.HasPrefix(rest, "%") {
			s = rest[1:]
			continue
		}
		var one scan
		var stores bool
		one, s, stores, ok = l.scan(rest)
		if stores {
			all = append(all, one)
		}
	}
	return all, ok
}

// scan reads one conversion behind its %, and says whether it stores.
func (l *facts) scan(s string) (one scan, rest string, stores, ok bool) {
	s, quiet := strings.CutPrefix(s, "*")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	one.width, _ = strconv.ParseInt("0"+s[:min(digits, 9)], 10, 64)
	s = s[digits:]
	mods := s[:len(s)-len(strings.TrimLeft(s, "hlLqjzt"))]
	if s = s[len(mods):]; s == "" {
		return one, "", false, false
	}
	one.verb, rest = s[0], s[1:]
	word := int64(l.pointer.Width / 8)
	switch {
	case strings.ContainsRune("diouxXn", rune(one.verb)):
		one.size, ok = map[string]int64{"": 4, "hh": 1, "h": 2, "l": word, "ll": 8, "q": 8, "L": 8, "j": 8,
			"z": word, "t": word}[mods], true
		one.count = one.verb == 'n'
	case strings.ContainsRune("aefgAEFG", rune(one.verb)):
		long := l.prog.Model.LongDoubleSize(l.prog.LongDouble)
		one.size, ok = map[string]int64{"": 4, "l": 8, "L": long}[mods], true
	case one.verb == 'p' && mods == "":
		one.size, ok = word, true
	case one.verb == 'c' || one.verb == 's' || one.verb == '[':
		one.size, ok = map[string]int64{"": 1, "l": 4}[mods], true
	}
	if one.verb == '[' {
		rest, ok = afterSet(rest, ok)
	}
	return one, rest, !quiet, ok && one.size > 0
}

// afterSet is what follows the set of characters of a conversion %[.
func afterSet(s string, ok bool) (string, bool) {
	s = strings.TrimPrefix(s, "^")
	if s == "" {
		return "", false
	}
	end := strings.IndexByte(s[1:], ']') // a ] that comes first belongs to the set
	if end < 0 {
		return "", false
	}
	return s[end+2:], ok
}
