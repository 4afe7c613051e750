package lower

// sprintf, snprintf, vsprintf and vsnprintf with a format that is a string literal, or a pointer to one: how many
// characters they make, and what they store.
//
// Idea: each part of the format makes a number of characters that is a term over the
// arguments: a text as many as it has, a number as many as it has digits. Where all of
// these are constants and the characters known, they are stored one by one; else what is
// stored is any text of that length, which no violation may rest on.
//
// Left out: floating point, pointers, wide characters, a va_list of which the code before does not say where it
// stands; what such a call does is any value. Cost: linear in the format and what it makes.

import (
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"
)

// formatted is sprintf and snprintf.
func formatted(l *lowerer, c *callSite) value {
	otherwise := func() value {
		l.library.changesErrno(c)
		return l.calls.unknown(c, notModelled(c.name))
	}
	row, _ := knownFunction(c.name)
	at := row.Format()
	limited := limitsRoom(c.name)
	if len(c.args) <= at || l.opt.StrictCalls || !c.ret.scalar() {
		return otherwise()
	}
	if c.vals == nil {
		c.vals = l.calls.evalArgs(c)
	}
	if c.vals[0].t == nil || limited && c.vals[1].t == nil || l.Dead() {
		return l.dead(c)
	}
	parts, ok := l.library.formatOf(c, at)
	if !ok {
		return otherwise()
	}
	with := c
	if takesValues(c.name) {
		with, ok = l.library.withListed(c, at+1)
		if !ok {
			return otherwise()
		}
	}
	length, text, ok := l.library.made(with, parts, at+1)
	if !ok {
		return otherwise()
	}
	if !l.Dead() {
		var size *expr.Expr
		if limited {
			size = l.library.length(c.vals[1])
			if n := l.library.size(c.vals[1]); n >= 0 {
				size = l.Pool.Int(l.pointer, n)
			}
		}
		l.library.storeMade(c, c.vals[0].t, size, length, text)
	}
	return l.library.numberResult(c, length)
}

// formatOf takes the format that an argument is apart: a string literal, or a pointer to a text that never changes.
func (l *texts) formatOf(c *callSite, at int) ([]conversion, bool) {
	if parts, ok := conversions(c.args[at]); ok || c.vals[at].t == nil {
		return parts, ok
	}
	from := l.library.justSet(l.Pool.Subst(c.vals[at].t, l.fr.constants))
	var s []byte
	for i := range int64(maxSteps) {
		ch := l.mem.TextAt(from, i)
		switch {
		case ch == nil || !ch.IsConst():
			return nil, false
		case ch.Value() == 0:
			return conversionsOf(string(s))
		}
		s = append(s, byte(ch.Value()))
	}
	return nil, false
}

// withListed is a call with the arguments in the place of a va_list that it leads to; false if they are not known.
func (l *texts) withListed(c *callSite, list int) (*callSite, bool) {
	if list >= len(c.vals) || c.vals[list].t == nil || l.calls.sharedAround(l.fr) >= 0 {
		return nil, false
	}
	with := *c
	with.vals = slices.Clone(c.vals[:list])
	at := l.library.justSet(l.Pool.Subst(c.vals[list].t, l.fr.constants))
	for fr := l.fr; fr != nil; fr = fr.parent {
		if fr.variadic == nil {
			continue
		}
		behind := false
		for _, s := range fr.variadic.slots {
			here := memory.Address{Base: l.mem.AddressIn(fr.variadic.object, s.at)}
			behind = behind || l.Pool.Eq(at, here.Base).IsTrue()
			if behind {
				with.vals = append(with.vals, l.calls.slotValue(s, here, c))
			}
		}
		if behind || l.Pool.Eq(at, l.mem.AddressIn(fr.variadic.object, fr.variadic.object.Size())).IsTrue() {
			return &with, !l.Dead()
		}
	}
	return nil, false
}

// made is how many characters the parts of a format make of the arguments from next
// on, and which, nil if that is not known; false if that is not modelled.
func (l *texts) made(c *callSite, parts []conversion, next int) (length *expr.Expr, text []*expr.Expr, ok bool) {
	length, text = l.Pool.Const(l.pointer, 0), []*expr.Expr{}
	for _, p := range parts {
		if p.verb == 0 {
			length = l.Pool.Add(length, l.Pool.Int(l.pointer, p.length))
			for i := 0; text != nil && i < len(p.text); i++ {
				text = append(text, l.Pool.Const(expr.Int8, uint64(p.text[i])))
			}
			continue
		}
		room, at, fits := l.library.roomOf(c, p, next)
		if next = at; !fits || !p.known || p.verb == 'm' || next >= len(c.vals) || c.vals[next].t == nil {
			return nil, nil, false
		}
		v := c.vals[next]
		next++
		var n *expr.Expr
		switch {
		case p.verb == 's' && v.class == classPtr && p.mods == "":
			n = l.library.textOf(c, room, v)
			text = l.appendText(text, v.t, n)
		case p.verb == 'c' && v.class == classInt && p.mods == "":
			n = l.Pool.Int(l.pointer, 1)
			if text != nil {
				text = append(text, l.Pool.Cast(expr.Int8, v.t))
			}
		case strings.ContainsRune("diuxXo", rune(p.verb)) && v.class == classInt:
			n = l.Pool.Cast(l.pointer, l.digits(p, room, v.t))
			text = l.appendNumber(text, p, v.t, n)
		default:
			return nil, nil, false
		}
		if width := l.Pool.Cast(l.pointer, room.width); !width.IsConst() || width.Value() > 0 {
			if !n.IsConst() || !width.IsConst() || n.Int() < width.Int() {
				text = nil
			}
			n = l.Pool.Ite(l.Pool.Lt(n, width), width, n)
		}
		length = l.Pool.Add(length, n)
	}
	return length, text, true
}

// appendText appends the characters of a text that never changes; nil if it is no such.
func (l *texts) appendText(text []*expr.Expr, from, n *expr.Expr) []*expr.Expr {
	if text == nil || !n.IsConst() || n.Int() > maxSteps {
		return nil
	}
	if b, _ := l.mem.ObjectOf(from); b != nil {
		l.objects.readConstant(b)
	}
	for i := range n.Int() {
		ch := l.mem.TextAt(from, i)
		if ch == nil {
			return nil
		}
		text = append(text, ch)
	}
	return text
}

// appendNumber appends what a conversion without flags and precision makes of a number that is known, which are n
// characters; nil if it is no such.
func (l *texts) appendNumber(text []*expr.Expr, p conversion, x, n *expr.Expr) []*expr.Expr {
	x = l.Pool.Subst(x, l.fr.constants)
	if text == nil || !x.IsConst() || p.flags != "" || p.precision >= 0 || p.precisionGiven {
		return nil
	}
	x = l.Pool.Cast(p.number(x.Type()), x)
	base := map[byte]int{'x': 16, 'X': 16, 'o': 8, 'u': 10}[p.verb]
	made := strconv.FormatInt(x.Int(), 10)
	switch {
	case p.verb == 'X':
		made = strings.ToUpper(strconv.FormatUint(x.Value(), base))
	case !x.Type().Signed:
		made = strconv.FormatUint(x.Value(), base)
	}
	if n = l.Pool.Subst(n, l.fr.constants); !n.IsConst() || n.Int() != int64(len(made)) {
		return nil
	}
	for i := range len(made) {
		text = append(text, l.Pool.Const(expr.Int8, uint64(made[i])))
	}
	return text
}

// number is the type of the number that a conversion makes text of.
func (p conversion) number(t expr.Type) expr.Type {
	width := t.Width
	switch {
	case strings.HasPrefix(p.mods, "hh"):
		width = 8
	case strings.HasPrefix(p.mods, "h"):
		width = 16
	}
	return expr.Type{Width: width, Signed: p.verb == 'd' || p.verb == 'i'}
}

// digits is how many characters a conversion makes of a number.
func (l *texts) digits(p conversion, r room, x *expr.Expr) *expr.Expr {
	x = l.Pool.Cast(p.number(x.Type()), x)
	signed := x.Type().Signed
	unsigned := expr.Type{Width: x.Type().Width}
	base := map[byte]uint64{'x': 16, 'X': 16, 'o': 8}[p.verb]
	if base == 0 {
		base = 10
	}
	count := func(y *expr.Expr) *expr.Expr {
		var bounds []uint64
		for b := base; ; b *= base {
			bounds = append(bounds, b)
			if b > unsigned.Mask()/base {
				break
			}
		}
		n := l.Pool.Const(expr.Int32, uint64(len(bounds)+1))
		for i := len(bounds) - 1; i >= 0; i-- {
			n = l.Pool.Ite(l.Pool.Lt(y, l.Pool.Const(unsigned, bounds[i])), l.Pool.Const(expr.Int32, uint64(i+1)), n)
		}
		return n
	}
	one, none := l.Pool.Const(expr.Int32, 1), l.Pool.Const(expr.Int32, 0)
	zero := l.Pool.Eq(x, l.Pool.Int(x.Type(), 0))
	if !signed {
		n := l.precise(r, count(x), zero)
		if strings.Contains(p.flags, "#") && base == 16 {
			n = l.Pool.Add(n, l.Pool.Ite(zero, none, l.Pool.Const(expr.Int32, 2)))
		}
		if strings.Contains(p.flags, "#") && base == 8 { // a zero before, unless there is one
			padded := l.Pool.Ite(zero, l.Pool.Not(l.Pool.Eq(n, none)), l.Pool.Lt(count(x), n))
			extra := l.Pool.Ite(padded, none, one)
			n = l.Pool.Add(n, extra)
		}
		return n
	}
	negative := l.Pool.Lt(x, l.Pool.Int(x.Type(), 0))
	size := l.Pool.Ite(negative, l.Pool.Neg(x), x)
	sign := l.Pool.Ite(negative, one, none)
	if strings.ContainsAny(p.flags, "+ ") {
		sign = one
	}
	return l.Pool.Add(l.precise(r, count(l.Pool.Cast(unsigned, size)), zero), sign)
}

// precise is the number of digits with those that the precision asks for besides: none of
// them for a zero if that is 0.
func (l *texts) precise(r room, n, zero *expr.Expr) *expr.Expr {
	none := l.Pool.Int(expr.Int32, 0)
	n = l.Pool.Ite(l.Pool.Land(zero, l.Pool.Eq(r.precision, none)), none, n)
	return l.Pool.Ite(l.Pool.Lt(n, r.precision), r.precision, n)
}

// storeMade stores what was made and its end, in so many bytes; nil: as many as it takes.
func (l *texts) storeMade(c *callSite, to, size, length *expr.Expr, text []*expr.Expr) {
	if size == nil || size.IsConst() && text != nil {
		if text != nil && len(text) <= maxSteps {
			l.storeText(c, to, size, text)
			return
		}
		size = l.library.plusOne(length)
	}
	if size.IsConst() && l.hasRoom(c, to, size.Int()) {
		l.storeWithin(c, to, size.Int(), length)
		return
	}
	some, none := l.Branch(l.Pool.Truth(size), c.pos)
	if l.Continue(some); len(some) > 0 {
		last := l.lastOf(size, length)
		l.library.scribble(c, to, l.library.plusOne(last))
		l.storeCharacter(c, to, last, l.Pool.Const(expr.Int8, 0))
	}
	l.Join(none)
}

// lastOf is where the end of a text of some length stands that has so many bytes.
func (l *texts) lastOf(size, length *expr.Expr) *expr.Expr {
	last := l.Pool.Sub(size, l.Pool.Int(l.pointer, 1))
	return l.Pool.Ite(l.Pool.Lt(length, last), length, last)
}

// hasRoom reports whether there are so many bytes at an address, which is the first argument: in its object, or in the
// array that the argument is. With fewer a call is right as long as what it makes fits.
func (l *texts) hasRoom(c *callSite, to *expr.Expr, size int64) bool {
	if a, ok := c.args[0].Type().Undecay().(*cc.ArrayType); ok && source.IsArray(c.args[0]) {
		return l.prog.Layouts.Len(a) >= size && a.Elem().Size() == 1
	}
	b, off := l.mem.ObjectOf(to)
	return b != nil && !b.IsFunction() && off >= 0 && b.Size()-off >= size
}

// storeWithin stores any text of some length, cut off at a number of bytes, and nothing behind these. Bytes that have
// variables get the end without a decision about the length, on which no violation could rest.
func (l *texts) storeWithin(c *callSite, to *expr.Expr, size int64, length *expr.Expr) {
	if size <= 0 {
		return
	}
	if size > l.library.arrayLimit() { // whatever is read of them is any value
		l.library.scribble(c, to, l.Pool.Int(l.pointer, size))
		return
	}
	last, end := l.lastOf(l.Pool.Int(l.pointer, size), length), l.Pool.Const(expr.Int8, 0)
	for i := range size {
		at, ch := l.Pool.Int(l.pointer, i), l.Temp("character", expr.Int8, c.pos)
		l.Emit(cfa.Assign{LHS: ch, Nondet: c.name, Approx: notModelled(c.name)}, c.pos)
		l.storeCharacter(c, to, at, l.Pool.Ite(l.Pool.Eq(last, at), end, ch))
	}
}

// storeText stores characters that are known.
func (l *texts) storeText(c *callSite, to, size *expr.Expr, text []*expr.Expr) {
	n := int64(len(text))
	if size != nil {
		if size.Value() == 0 {
			return
		}
		if size.Value() <= uint64(n) {
			n = int64(size.Value()) - 1
		}
	}
	for i := range n {
		l.storeCharacter(c, to, l.Pool.Int(l.pointer, i), text[i])
	}
	l.storeCharacter(c, to, l.Pool.Int(l.pointer, n), l.Pool.Const(expr.Int8, 0))
}

// storeCharacter stores a character so many behind an address.
func (l *texts) storeCharacter(c *callSite, to, at, ch *expr.Expr) {
	a := memory.Address{Base: to}
	if at.IsConst() {
		a.Off = at.Int()
	} else {
		a.Idx = []memory.Index{{I: at, Stride: 1}}
	}
	l.Emit(memory.Store{To: memory.CharacterAt(a), Val: ch}, c.pos)
}
