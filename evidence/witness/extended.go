package witness

// Numbers of two words in runs that are shown: a variable of the source is two of the automaton, its words, which get
// their values one after the other. Where both have one, of one place of the source, the number is shown.

import (
	"strings"

	"magus/cfa"
	"magus/evidence/verdict"
	"magus/smt/expr"
	"magus/smt/softfloat"
)

// longDoubles are the numbers of one component, by name.
type longDoubles map[string]*longDouble

// A longDouble is what is known of one, of 80 bits or of 128: of each word, the high one first, its value, whether that
// matters nothing, and whether it was given here.
type longDouble struct {
	typ   expr.Type
	pos   cfa.Pos
	words [2]uint64
	idle  [2]bool
	given [2]bool
	shown string
}

// wordOf is the name of the number whose word a variable is, its type, and which word.
func wordOf(name string) (of string, t expr.Type, word int, ok bool) {
	for _, t = range []expr.Type{expr.Float80, expr.Float128} {
		high, low := expr.WordNames(t)
		if of, ok = strings.CutSuffix(name, high); ok {
			return of, t, 0, true
		}
		if of, ok = strings.CutSuffix(name, low); ok {
			return of, t, 1, true
		}
	}
	return name, t, 0, false
}

// otherWord is the name of the other word of a number; none if a variable is no word.
func otherWord(name string) string {
	of, t, word, ok := wordOf(name)
	if !ok {
		return ""
	}
	high, low := expr.WordNames(t)
	return of + [2]string{low, high}[word]
}

// resultOf is how many bits the number has that a function gives, of which a value is a word; 0 if it is none.
func (c recorded) resultOf(stmt cfa.Assign) int {
	v, ok := variable(c.Component, stmt.LHS)
	if !ok || v.Kind != cfa.Temp || !c.gives(stmt) {
		return 0
	}
	if of, t, _, isWord := wordOf(v.Name); isWord && of == stmt.Nondet {
		return int(t.Width)
	}
	return 0
}

// joined makes the value of a word that of the number, once both words have one; false before.
func (all longDoubles) joined(val *verdict.Value, bits uint64, pos cfa.Pos) bool {
	name, t, word, ok := wordOf(val.Name)
	if !ok {
		return true
	}
	n := all[name]
	if n == nil {
		n = &longDouble{typ: t}
		all[name] = n
	}
	if n.pos != pos {
		n.pos, n.given = pos, [2]bool{}
	}
	n.words[word], n.idle[word], n.given[word] = bits, val.Idle, true
	if n.given != [2]bool{true, true} {
		return false
	}
	n.given = [2]bool{}
	val.Name, val.Before = name, n.shown
	val.Value = expr.PairText(n.typ, softfloat.Pair{High: n.words[0], Low: n.words[1]})
	val.Idle = n.idle[0] && n.idle[1]
	n.shown = val.Value
	return true
}
