package lower

// What functions of the C library access, where pointers are checked.
//
// Idea: a function uses so many bytes from its arguments on, or a text up to the
// character that ends it. Where that is too much for the object, or where a text
// does not end in its object, the access is invalid; where a function may stop
// earlier, or what it accesses is not known, it is not decided. What the
// functions store is copied where its length is constant, and any value else.

import (
	"strconv"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/cfa/source/libc"
	"magus/internal/pattern"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// checkLibrary checks the arguments of a function of the C library. If ok, v is
// the value of the call and its effects are written; else both are left to the
// caller, with the arguments in c.vals.
func (l *library) checkLibrary(c *callSite, row libc.Function) (v value, ok bool) {
	c.vals = l.calls.evalArgs(c)
	for _, v := range c.vals {
		if v.t == nil && v.class == classPtr || l.Dead() {
			return l.dead(c), true
		}
	}
	if len(c.vals) < row.Arity() {
		return value{}, false
	}
	arg := func(i int) value { return c.vals[i] }
	switch row.Name {
	case "strlen":
		return l.numberResult(c, l.textLength(c, arg(0), nil, true)), true
	case "strnlen":
		return l.numberResult(c, l.textLength(c, arg(0), l.length(arg(1)), false)), true
	case "strcpy", "stpcpy":
		n := l.textLength(c, arg(1), nil, true)
		l.copyText(c, arg(0).t, arg(1).t, n)
		if row.Name == "stpcpy" {
			return value{arg(0).ctype, l.Pool.Add(arg(0).t, n), nil}, true
		}
		return arg(0), true
	case "strcat":
		at := l.textLength(c, arg(0), nil, true)
		n := l.textLength(c, arg(1), nil, true)
		l.copyText(c, l.Pool.Add(arg(0).t, at), arg(1).t, n)
		return arg(0), true
	case "strncat":
		at := l.textLength(c, arg(0), nil, true)
		n := l.textLength(c, arg(1), l.length(arg(2)), true)
		l.scribble(c, l.Pool.Add(arg(0).t, at), l.plusOne(n))
		return arg(0), true
	case "strncpy":
		l.textLength(c, arg(1), l.length(arg(2)), false)
		l.scribble(c, arg(0).t, l.length(arg(2)))
		return arg(0), true
	case "bzero":
		l.Emit(memory.Fill{To: at(arg(0).t), Size: l.size(arg(1)),
			Length: l.lengthUnless(l.size(arg(1)), arg(1)), Val: l.Pool.Const(expr.Uint8, 0)}, c.pos)
		return value{ctype: ctVoid}, true
	case "printf", "fprintf", "dprintf", "sprintf", "snprintf",
		"__printf_chk", "__fprintf_chk", "__sprintf_chk", "__snprintf_chk":
		if l.opt.CheckPointers {
			l.checkFormat(c, row)
		} else {
			l.printed(c, row.Format())
		}
	case "vsprintf", "vsnprintf", "__vsprintf_chk", "__vsnprintf_chk":
		if with, known := l.withListed(c, row.Format()+1); known && l.opt.CheckPointers {
			l.checkFormat(with, row)
			break
		}
		l.Emit(memory.Undecided{What: "whether what " + c.name + " accesses is valid"}, c.pos)
		l.notKnownRead(c, c.vals)
	default:
		if row.Has(libc.Writes) && l.writesNumbers(c, row) {
			l.checkAccesses(c, row)
			break
		}
		if row.Has(libc.Writes) || row.Has(libc.Prints) {
			l.Emit(memory.Undecided{What: "whether what " + c.name + " accesses is valid"}, c.pos)
			l.notKnownRead(c, c.vals)
		}
		l.uses(c, row, func(libc.Access) bool { return !row.Has(libc.Writes) })
	}
	return value{}, false
}

// numberResult is a number as the value of a call.
func (l *library) numberResult(c *callSite, t *expr.Expr) value {
	if !c.ret.scalar() {
		return value{ctype: c.ret}
	}
	return value{c.ret, l.Pool.Cast(c.ret.typ, t), nil}
}

func (l *library) plusOne(n *expr.Expr) *expr.Expr { return l.Pool.Add(n, l.Pool.Int(n.Type(), 1)) }

// touch uses a pointer to so many bytes; maybe says that it may be fewer.
func (l *library) touch(c *callSite, p value, n *expr.Expr, store, maybe bool) {
	l.emitTouch(memory.Touch{At: at(p.t), Store: store, Maybe: maybe}, n, c.pos)
}

// emitTouch is the use of n bytes.
func (l *library) emitTouch(s memory.Touch, n *expr.Expr, pos cfa.Pos) {
	s.Size, s.Length = -1, n
	if n.IsConst() {
		s.Size, s.Length = n.Int(), nil
	}
	if s.Size != 0 {
		l.Emit(s, pos)
	}
}

// scribble gives any value to so many bytes.
func (l *library) scribble(c *callSite, to, n *expr.Expr) {
	f := memory.Fill{To: l.charsAt(to), Size: -1, Length: n, Nondet: c.name, Approx: notModelled(c.name)}
	if n.IsConst() {
		f.Size, f.Length = n.Int(), nil
	}
	l.Emit(f, c.pos)
}

// copyText copies a text of n characters and its end.
func (l *library) copyText(c *callSite, to, from, n *expr.Expr) {
	s := memory.Copy{To: l.charsAt(to), From: l.charsAt(from), Size: -1, Length: l.plusOne(n), Apart: true}
	if s.Length.IsConst() {
		s.Size, s.Length = s.Length.Int(), nil
	}
	l.Emit(s, c.pos)
}

// charsAt are the characters at an address, which is taken apart if it is a known
// one plus a number, or another one plus a constant: a member of what a pointer leads to.
func (l *library) charsAt(t *expr.Expr) memory.Ref {
	if t.Op() == expr.Add {
		for i, a := range t.Args() {
			if b, _ := l.mem.ObjectOf(a); b != nil {
				return memory.Ref{Address: memory.Address{Base: a, Idx: []memory.Index{{I: t.Args()[1-i], Stride: 1}}}}
			}
		}
		for i, a := range t.Args() {
			if a.IsConst() {
				signed := expr.Type{Width: a.Type().Width, Signed: true}
				return memory.Ref{Address: memory.Address{Base: t.Args()[1-i], Off: signed.Sext(a.Value())}}
			}
		}
	}
	return at(t)
}

// textLength is the number of characters of a text, at most limit. Unless it is
// strict, whether a text that does not end is used so far is not decided.
func (l *library) textLength(c *callSite, text value, limit *expr.Expr, strict bool) *expr.Expr {
	t := l.pointer
	if n, ok := l.objects.textLength(text.t); ok {
		length := l.Pool.Int(t, n)
		if limit != nil {
			length = l.Pool.Ite(l.Pool.Lt(limit, length), limit, length)
		}
		return length
	}
	v := l.Temp("length", t, c.pos)
	m := memory.Measure{LHS: v, At: memory.CharacterAt(memory.Address{Base: text.t}), Limit: limit, Strict: strict}
	if limit == nil {
		l.Emit(m, c.pos)
		return v
	}
	some, none := l.Branch(l.Pool.Truth(limit), c.pos)
	l.Continue(none)
	if len(none) > 0 {
		l.Assign(v, l.Pool.Const(t, 0), c.pos)
	}
	ends := l.Ends()
	if l.Continue(some); len(some) > 0 {
		l.Emit(m, c.pos)
	}
	l.Join(ends)
	return v
}

// duplicate is strdup and strndup.
func duplicate(l *lowerer, c *callSite) value {
	limited := strings.HasSuffix(c.name, "strndup")
	if len(c.args) != 1 && !(limited && len(c.args) == 2) {
		return l.calls.unknown(c, notModelled(c.name))
	}
	vals := l.calls.evalArgs(c)
	if vals[0].t == nil || l.Dead() {
		return l.dead(c)
	}
	var limit *expr.Expr
	if limited {
		limit = l.library.length(vals[1])
	}
	n := l.library.textLength(c, vals[0], limit, true)
	size := int64(-1)
	if n.IsConst() {
		size = n.Int() + 1
	}
	v := l.library.allocated(c, size, l.library.plusOne(n), nil, true, nil)
	yes, failed := l.Branch(l.Pool.Truth(v.t), c.pos)
	if l.Continue(yes); size >= 0 && !limited {
		l.library.copyText(c, v.t, vals[0].t, n)
	} else {
		l.library.scribble(c, v.t, l.library.plusOne(n))
	}
	l.Join(failed)
	return v
}

// checkFormat checks what printf and its like read, and where they write to.
func (l *library) checkFormat(c *callSite, row libc.Function) {
	format := row.Format()
	parts, ok := l.formatOf(c, format)
	least, most := l.Pool.Const(l.pointer, 0), true
	next := format + 1
	for _, p := range parts {
		room, at, fits := l.roomOf(c, p, next)
		next = at
		switch {
		case p.verb == 0:
			least = l.Pool.Add(least, l.Pool.Int(least.Type(), p.length))
		case p.verb == 'm': // the text of errno, of any length
			ok = ok && fits && !fillsRoom(row)
		case !fits || next >= len(c.vals):
			ok = false
		case p.verb == 's' && p.known && p.mods == "" && c.vals[next].class == classPtr:
			least = l.Pool.Add(least, l.textOf(c, room, c.vals[next]))
			next++
		case p.verb == 'c' && p.known && p.mods == "":
			least = l.plusOne(least)
			next++
		case p.known && strings.ContainsRune("diuxXo", rune(p.verb)) || p.plain && p.verb == 'p':
			least, most = l.plusOne(least), false
			next++
		default:
			ok = false
		}
	}
	if !ok {
		l.Emit(memory.Undecided{What: "whether what " + c.name + " accesses is valid"}, c.pos)
		l.notKnownRead(c, c.vals[format+1:])
		return
	}
	switch {
	case limitsRoom(row.Name):
		l.touch(c, c.vals[0], l.length(c.vals[1]), true, true)
	case fillsRoom(row):
		if length, _, ok := l.made(c, parts, format+1); ok {
			if !l.Dead() {
				l.touch(c, c.vals[0], l.plusOne(length), true, false)
			}
			return
		}
		l.touch(c, c.vals[0], l.plusOne(least), true, false)
		if !most {
			numbers := int64(0)
			for _, p := range parts {
				if p.widthGiven || p.precisionGiven {
					l.Emit(memory.Undecided{What: "whether what " + c.name + " accesses is valid"}, c.pos)
					return
				}
				if strings.ContainsRune("diuxXop", rune(p.verb)) && p.verb != 0 {
					numbers += 1 + (p.width+max(p.precision, 0))/21
				}
			}
			l.touch(c, c.vals[0], l.Pool.Add(l.plusOne(least), l.Pool.Int(least.Type(), 21*numbers)), true, true)
		}
	}
}

// limitsRoom reports whether a function takes the room for what it prints as its second argument.
func limitsRoom(name string) bool { return strings.Contains(name, "snprintf") }

// fillsRoom reports whether a function stores all that it prints behind its first argument.
func fillsRoom(row libc.Function) bool {
	return row.Has(libc.Writes) && !row.Allocates() && !limitsRoom(row.Name)
}

// textOf is how many characters a conversion takes of a text.
func (l *library) textOf(c *callSite, r room, text value) *expr.Expr {
	if !r.precision.IsConst() || r.precision.Int() >= 0 {
		none := l.Pool.Lt(r.precision, l.Pool.Int(expr.Int32, 0))
		most := l.Pool.Const(l.pointer, l.pointer.Mask()>>1)
		return l.textLength(c, text, l.Pool.Ite(none, most, l.Pool.Cast(l.pointer, r.precision)), false)
	}
	return l.textLength(c, text, nil, true)
}

// A room is how many characters a conversion makes at least of an argument, and of a number how
// many digits, of a text how many characters at most: a negative precision is none.
type room struct{ width, precision *expr.Expr }

// roomOf is the room of a conversion whose arguments begin at next, and which is the
// argument behind the numbers that say it; false if there is none.
func (l *library) roomOf(c *callSite, p conversion, next int) (room, int, bool) {
	r := room{l.Pool.Int(expr.Int32, p.width), l.Pool.Int(expr.Int32, p.precision)}
	given := func() *expr.Expr {
		if next >= len(c.vals) || c.vals[next].t == nil || c.vals[next].class != classInt {
			return nil
		}
		next++
		return l.Pool.Cast(expr.Int32, l.Pool.Subst(c.vals[next-1].t, l.fr.constants))
	}
	if p.widthGiven {
		if r.width = given(); r.width == nil {
			return r, next, false
		}
		r.width = l.Pool.Ite(l.Pool.Lt(r.width, l.Pool.Int(expr.Int32, 0)), l.Pool.Neg(r.width), r.width) // to the left
	}
	if p.precisionGiven {
		if r.precision = given(); r.precision == nil {
			return r, next, false
		}
	}
	return r, next, true
}

// A conversion is a part of a format: text of some length, or what becomes of
// the next argument, or of errno (%m).
type conversion struct {
	verb  byte
	plain bool // without flags, width, precision
	mods  string
	// flags, width and precision are those of the format, if they are known: precision is
	// negative where there is none.
	known            bool
	flags            string
	width, precision int64
	// or arguments say them
	widthGiven, precisionGiven bool
	text                       string
	length                     int64
}

// conversions takes a format apart; false if it is no string literal.
func conversions(n cc.ExpressionNode) (all []conversion, ok bool) {
	s, ok := source.StringLiteral(n)
	if !ok {
		return nil, false
	}
	return conversionsOf(s)
}

// conversionsOf takes the text of a format apart.
func conversionsOf(s string) (all []conversion, ok bool) {
	s, _, _ = strings.Cut(s, "\x00")
	for len(s) > 0 {
		text, rest, found := strings.Cut(s, "%")
		all = append(all, conversion{text: text, length: int64(len(text))})
		if s = rest; !found {
			break
		}
		if strings.HasPrefix(s, "%") {
			all, s = append(all, conversion{text: "%", length: 1}), s[1:]
			continue
		}
		k := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("-+ #0'123456789.*lhzjtqL", r) })
		if k < 0 || !strings.ContainsRune("diuxXopscfFeEgGaAnm", rune(s[k])) {
			return nil, false
		}
		plain := strings.Trim(s[:k], "lhzjtq") == ""
		if k > 0 && (s[k] == 's' || s[k] == 'c') {
			plain = false
		}
		all, s = append(all, layOut(conversion{verb: s[k], plain: plain, mods: s[:k]})), s[k+1:]
	}
	return all, true
}

var reLayout = pattern.New(`^([-+ #0]*)([0-9]{0,4}|\*)(\.(?:[0-9]{0,4}|\*))?([lhzjtq]*)$`)

// layOut reads flags, width and precision, which stand in mods.
func layOut(p conversion) conversion {
	m := reLayout().FindStringSubmatch(p.mods)
	if p.known = m != nil; !p.known {
		return p
	}
	p.flags, p.mods, p.precision = m[1], m[4], -1
	p.widthGiven, p.precisionGiven = m[2] == "*", m[3] == ".*"
	p.width, _ = strconv.ParseInt("0"+m[2], 10, 64)
	if m[3] != "" && !p.precisionGiven {
		p.precision, _ = strconv.ParseInt("0"+m[3][1:], 10, 64)
	}
	return p
}
