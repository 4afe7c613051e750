package lower

// Numbers of two words: long double as x86 has it, 80 bits, and quad.
//
// Idea: a value is both words of the number, in one term of the operator XPair. An object is memory with two
// leaves, the significand at its beginning and the word of sign and exponent behind it, or both halves of quad; what
// is left of its size is padding, which has no leaf. Temporaries are two variables. So nothing behind the lowering
// knows of values that have more than 64 bits.
//
// Left out: parameters of the procedure that is checked as arguments of a compiled program that replays a violation.
//
// Source: System V ABI, AMD64 supplement, 3.1.2; i386 supplement. Cost: two assignments for each store.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"
	"magus/smt/softfloat"

	"modernc.org/cc/v4"
)

// The types of numbers of two words: long double of the x87, and quad (_Float128, or long double).
var (
	ctExtended = ctype{class: classExtended, typ: expr.Float80}
	ctQuad     = ctype{class: classExtended, typ: expr.Float128}
)

// longDouble is the type long double.
func (l *facts) longDouble() ctype {
	switch l.prog.LongDouble {
	case cfa.AsDouble:
		return ctype{class: classFloat, typ: expr.Float64}
	case cfa.Quad:
		return ctQuad
	}
	return ctExtended
}

// ofSuffix is the type of a function by the suffix of its name, for which the l of long double stands as Float80.
func (l *facts) ofSuffix(t expr.Type) expr.Type {
	if t == expr.Float80 {
		return l.longDouble().typ
	}
	return t
}

// numberType is the type of a term that is a number.
func numberType(t expr.Type) ctype {
	if t.Width > 64 {
		return ctype{class: classExtended, typ: t}
	}
	return ctype{class: classFloat, typ: t}
}

// A numberWord is one of a number: a scalar of an object, at an offset in bytes.
type numberWord struct {
	t    ctype
	at   int64
	name string
}

// numberWords are the high word and the low one of a type.
func numberWords(t expr.Type) [2]numberWord {
	high, low := expr.WordTypes(t)
	highName, lowName := expr.WordNames(t)
	return [2]numberWord{{ctype{class: classInt, typ: high}, 8, highName}, {ctype{class: classInt, typ: low}, 0, lowName}}
}

func (w numberWord) size() int64 { return int64(w.t.typ.Width / 8) }

// termed reports whether values of the type are terms.
func (c ctype) termed() bool { return c.scalar() || c.class == classExtended }

// wordMembers are the leaves of a number as memory has them.
func wordMembers(t expr.Type) []memory.Member {
	words := numberWords(t)
	members := make([]memory.Member, 0, len(words))
	for _, w := range slices.Backward(words[:]) {
		cell := w.t.cell()
		members = append(members, memory.Member{At: 8 * w.at, Type: &memory.Type{Size: w.size(), Scalar: &cell},
			Suffix: w.name})
	}
	return members
}

// parts are the scalars that a part of an object is, with the terms of its value.
func (it item) parts() []memory.Initial {
	if it.t.class != classExtended {
		return nil
	}
	words := numberWords(it.t.typ)
	parts := make([]memory.Initial, len(words))
	for i, w := range words {
		parts[i].Extent = extentOf(w.t, w.size(), it.at+8*w.at)
	}
	if it.val != nil {
		parts[0].Value, parts[1].Value = it.val.Words()
	}
	return parts
}

// word is a word of the number that an lvalue is.
func (l *accesses) word(p lvalue, w numberWord) memory.Ref {
	a := p.Address
	a.Off += w.at
	return memory.Ref{Address: a, Extent: extentOf(w.t, w.size(), 0), Scalar: w.t.cell(), Size: w.size(),
		Loose: p.loose || l.prog.Layouts.IsLoose(p.typ)}
}

// readExtended is the number that an lvalue is.
func (l *accesses) readExtended(p lvalue, n cc.Node) value {
	pos, words := source.Position(n.Position()), [2]*expr.Expr{}
	for i, w := range numberWords(p.t.typ) {
		words[i] = l.readWord(p, w, n, pos)
	}
	return value{p.t, l.Pool.XPair(words[0], words[1]), nil}
}

func (l *accesses) readWord(p lvalue, w numberWord, n cc.Node, pos cfa.Pos) *expr.Expr {
	r := l.word(p, w)
	if c, ok := l.mem.Direct(r); ok {
		as := lvalue{t: w.t}
		if v := l.startValue(c); v != nil {
			return l.readAs(as, v, pos).t
		}
		v := l.readAs(as, l.mem.Var(c), pos)
		if !l.threading.private(p) {
			v = l.threading.readNow(v, tempName(n), pos)
		}
		return v.t
	}
	lhs := l.Temp(tempName(n)+w.name, w.t.typ, pos)
	l.Emit(memory.Load{LHS: lhs, From: r, Text: source.Text(n)}, pos)
	return lhs
}

// writeExtended stores a number in an lvalue.
func (l *accesses) writeExtended(p lvalue, v value, n cc.Node, pos cfa.Pos) {
	if p.v != nil {
		l.storeValue(target{p.v, p.t}, v, n, pos)
		return
	}
	if v = l.expressions.convert(v, p.t, n); v.t == nil || l.Dead() {
		return
	}
	if (p.d == nil || p.d.AddressTaken()) && !l.prog.IsModel(l.fr.proc.File) {
		if _, constant := v.t.XValue(); !constant {
			l.Assume(cfa.AboutFloats, pos, memory.BitsOfNaN)
		}
	}
	words := [2]*expr.Expr{}
	words[0], words[1] = v.t.Words()
	if read := expr.Vars(words[1]); len(read) > 0 { // the store of the high word may change the other one's term
		if c, ok := l.mem.Direct(l.word(p, numberWords(p.t.typ)[0])); !ok || slices.Contains(read, l.mem.Var(c)) {
			kept := l.Temp("significand", expr.Uint64, pos)
			l.Assign(kept, words[1], pos)
			words[1] = kept
		}
	}
	for i, w := range numberWords(p.t.typ) {
		r := l.word(p, w)
		if c, ok := l.mem.Direct(r); ok && !c.Object.Const() {
			l.Assign(l.mem.Var(c), l.Pool.As(c.Scalar().Type, words[i]), pos)
			continue
		}
		l.Emit(memory.Store{To: r, Val: words[i]}, pos)
	}
}

// declareExtended declares an automatic number.
func (l *objects) declareExtended(d *cc.Declarator, init *cc.Initializer, pos cfa.Pos) {
	b := l.localObject(d)
	l.statements.declared(nil, b, pos)
	e := source.ScalarInit(init)
	if e == nil || source.Uses(e, d) {
		l.statements.uninitialised(b, pos)
	}
	if e != nil {
		p := l.accesses.objectLvalue(b, d.Type())
		p.d = d
		v := l.expressions.rvalue(e)
		l.observing.quietly(func() { l.accesses.write(p, v, e, pos) })
	}
}

// extendedParameter is a parameter of a procedure whose arguments are not known: any number.
func (l *calls) extendedParameter(d *cc.Declarator) {
	pos := source.Position(d.NameTok().Position())
	b := l.objects.localObject(d)
	if l.fr.parent == nil {
		to := l.accesses.ref(l.accesses.objectLvalue(b, d.Type()))
		l.Emit(memory.Fill{To: to, Size: b.Size(), Nondet: "long double argument"}, pos)
	}
}

// toExtended is a value as a number of two words of a type.
func (l *expressions) toExtended(v value, t ctype, n cc.Node) value {
	l.nans.made = true // a conversion leaves the sign of a NaN open
	switch {
	case v.class == classExtended && v.typ == t.typ:
		return v
	case v.class == classExtended && t == ctQuad: // exact
		return value{t, l.mayMakeNaN(l.Pool.XConvert(l.Pool.Rounding(softfloat.NearestEven), t.typ, v.t)), nil}
	case v.class == classExtended:
		r := l.mayMakeNaN(l.rounded(func(m *expr.Expr) *expr.Expr { return l.Pool.XConvert(m, t.typ, v.t) }))
		return value{t, l.looked(r, n, v.t), nil}
	case v.class == classOpaque && v.constant != nil && !v.constant.IsInf():
		r, _ := v.constant.Rat(nil)
		f := pairedFormat(t.typ)
		x, flags := f.FromRat(softfloat.NearestEven, r)
		if v.constant.Signbit() && r.Sign() == 0 {
			x = f.Neg(x)
		}
		if flags == 0 {
			return value{t, l.Pool.XConst(t.typ, x), nil}
		}
		fallthrough
	case v.class == classOpaque:
		return value{t, l.Any(t.typ, "float", "floating point", source.Position(n.Position())), nil}
	case v.t == nil:
		if !l.Dead() {
			return l.refuse(n, "the value of a void expression", "")
		}
		return value{t, l.Pool.XConst(t.typ, softfloat.Pair{}), nil}
	case v.class != classInt && v.class != classFloat:
		return l.refuse(n, "an address where a floating-point number is expected", "")
	}
	return value{t, l.mayMakeNaN(l.Pool.XFrom(t.typ, v.t)), nil}
}

// fromExtended is a number of two words as a value of another type.
func (l *expressions) fromExtended(v value, t ctype, n cc.Node) value {
	l.nans.made = true // a conversion leaves the sign of a NaN open
	switch {
	case t.class == classFloat:
		r := l.mayMakeNaN(l.rounded(func(m *expr.Expr) *expr.Expr { return l.Pool.XToF(m, t.typ, v.t) }))
		return value{t, l.looked(r, n, v.t), nil}
	case t.class == classInt && t.typ == bool1 && !t.cut:
		return value{t, l.Pool.FromBool(bool1, l.isTrue(v.t)), nil}
	case t.class != classInt:
		return l.refuse(n, "a floating-point number where an address is expected", "")
	}
	return l.toInteger(t, l.Pool.XToInt(l.toZero(), t.typ, v.t), l.Pool.XInRange(l.toZero(), t.typ, v.t), n)
}
