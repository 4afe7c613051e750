package reword

// Enumerations with the attribute packed, which are as narrow as their values allow (GCC's manual, "Common Type
// Attributes").
//
// Idea: they get the type, as enumerations of C23 have one (enum e : T { … }), by a name that says that the
// attribute was there, since constants are ints as ever. The values are evaluated here: of numbers, and of ints
// computed from ints and constants before. Another one is refused.
//
// Cost: linear in the tokens.

import (
	"strconv"
	"strings"

	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// PackedPrefix begins the names of the types that stand for the attribute.
const PackedPrefix = "__magus_packed_"

// packedTypes are the integer types by their names behind the prefix.
var packedTypes = []struct {
	name, is  string
	low, high int64
}{
	{"u8", "unsigned char", 0, 1<<8 - 1}, {"u16", "unsigned short", 0, 1<<16 - 1}, {"u32", "unsigned", 0, 1<<32 - 1},
	{"u64", "unsigned long long", 0, 1<<63 - 1}, {"s8", "signed char", -1 << 7, 1<<7 - 1},
	{"s16", "short", -1 << 15, 1<<15 - 1},
	{"s32", "int", -1 << 31, 1<<31 - 1}, {"s64", "long long", -1 << 63, 1<<63 - 1},
}

// An enumeration is being read.
type enumeration struct {
	word, open, end int  // the places of enum, {, and what is behind it all
	packed          bool // an attribute says so
	typed           bool // a type is given
}

// packedEnumerations gives enumerations with the attribute packed their types.
func packedEnumerations(r *rewriter) {
	known, declared := constants{ints: map[string]int64{}}, map[string]bool{}
	for i := 0; i < len(r.in) && r.err == nil; i++ {
		if !r.is(i, "enum") {
			continue
		}
		e := r.enumeration(i)
		if e.open == 0 {
			continue
		}
		low, high, ok := known.add(parts(r.in[e.open+1 : r.closing(e.open)]))
		if !e.packed || e.typed {
			continue
		}
		if !ok {
			r.refuse(r.in[i], "a value of an enumeration with the attribute packed", "write the number")
			return
		}
		r.narrow(e, low, high, declared)
		i = e.end - 1
	}
}

// enumeration reads the one whose word is at i.
func (r *rewriter) enumeration(i int) enumeration {
	e := enumeration{word: i}
	for i++; r.isAttribute(i) || r.isName(i); {
		i = r.pastPacked(i, &e.packed)
	}
	if r.is(i, ":") {
		for e.typed = true; i < len(r.in) && (r.is(i, ":") || r.isName(i)); i++ {
		}
	}
	if !r.is(i, "{") {
		return e
	}
	e.open = i
	for i = r.closing(i) + 1; r.isAttribute(i); {
		i = r.pastPacked(i, &e.packed)
	}
	e.end = i
	return e
}

// pastPacked is the place behind an attribute or a name.
func (r *rewriter) pastPacked(i int, packed *bool) int {
	if !r.isAttribute(i) {
		return i + 1
	}
	if r.hasAttribute(i, "packed") {
		*packed = true
		if len(parts(r.in[i+3:r.closing(i+1)-1])) > 1 {
			r.refuse(r.in[i], "an enumeration with the attribute packed and others", "")
		}
	}
	return r.closing(i+1) + 1
}

// narrow gives an enumeration the smallest type for some values.
func (r *rewriter) narrow(e enumeration, low, high int64, declared map[string]bool) {
	for _, t := range packedTypes {
		if low < t.low || high > t.high {
			continue
		}
		if !declared[t.name] {
			declared[t.name] = true
			r.before = append(r.before, made("typedef "+t.is+" "+PackedPrefix+t.name+";", r.in[e.word])...)
		}
		open, end := e.open, r.closing(e.open)
		for i := e.word + 1; i < open; i++ {
			if r.isAttribute(i) {
				r.replace(i, r.closing(i+1)+1)
				i = r.closing(i + 1)
			}
		}
		r.replace(open, open, made(" : "+PackedPrefix+t.name+" ", r.in[open])...)
		r.replace(end+1, e.end)
		return
	}
}

// chosenEnumerations writes an enumeration among the types of a _Generic as typeof (enum e), since a colon behind it
// is read as the beginning of its own type.
func chosenEnumerations(r *rewriter) {
	for i := range r.in {
		if !r.is(i, "enum") || !r.isName(i+1) {
			continue
		}
		colon := i + 2
		for r.isOneOf(colon, qualifiers...) {
			colon++
		}
		comma := i - 1
		for r.isOneOf(comma, qualifiers...) {
			comma--
		}
		if !r.is(colon, ":") || !r.is(comma, ",") || !r.inGeneric(comma) {
			continue
		}
		by := append(made("__typeof__(", r.in[i]), r.in[i:i+2]...)
		r.replace(i, i+2, append(by, made(")", r.in[i])...)...)
	}
}

// inGeneric reports whether a comma stands between the associations of a _Generic.
func (r *rewriter) inGeneric(i int) bool {
	for ; i >= 0; i-- {
		switch {
		case r.is(i, ")"), r.is(i, "]"), r.is(i, "}"):
			i = r.opening(i)
		case r.is(i, "("):
			return r.is(i-1, "_Generic")
		case r.is(i, "["), r.is(i, "{"), r.is(i, ";"):
			return false
		}
	}
	return false
}

// constants are the enumeration constants of a unit that are known, and whether all of their names are of one.
type constants struct {
	ints  map[string]int64
	twice map[string]bool
}

// add evaluates those of an enumeration, and gives the least and the greatest; not ok where one is not known.
func (c *constants) add(all [][]preprocess.Token) (low, high int64, ok bool) {
	next, known := int64(0), true
	ok = true
	for _, a := range all {
		if len(a) == 0 {
			continue // behind the last comma
		}
		r := rewriter{in: a}
		i := 1
		for r.isAttribute(i) {
			i = r.closing(i+1) + 1
		}
		if r.is(i, "=") {
			next, known = c.value(a[i+1:])
		}
		c.define(a[0].Text, next, known)
		low, high, ok = min(low, next), max(high, next), ok && known
		next++
	}
	return low, high, ok
}

// value is that of a number, or of an int.
func (c *constants) value(tokens []preprocess.Token) (int64, bool) {
	digits, sign := tokens, ""
	if len(tokens) == 2 && tokens[0].Is("-") {
		digits, sign = tokens[1:], "-"
	}
	if len(digits) == 1 && digits[0].Kind == lex.Number {
		bare := strings.TrimRight(strings.ReplaceAll(digits[0].Text, "'", ""), "uUlL")
		if v, err := strconv.ParseInt(sign+bare, 0, 64); err == nil && !strings.ContainsAny(sign+bare, "_oO") &&
			(sign == "" || !strings.ContainsAny(digits[0].Text, "uU")) {
			return v, true
		}
	}
	return preprocess.Int(tokens, c.ints)
}

// define notes a constant. One whose name another enumeration has too is not known any more.
func (c *constants) define(name string, v int64, known bool) {
	if c.twice == nil {
		c.twice = map[string]bool{}
	}
	if c.twice[name] {
		delete(c.ints, name)
		return
	}
	c.twice[name] = true
	if known && v == int64(int32(v)) {
		c.ints[name] = v
	}
}
