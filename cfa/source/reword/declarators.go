package reword

// Attributes of single names, in declarations of several (GCC's manual, "Attribute Syntax").
//
// Idea: the parser reads an attribute of a member only behind the last one, passes over those behind an asterisk, and
// reads none behind qualifiers there.
// So a declaration of members becomes one for each name where a name has an attribute of its own; of what is no
// member only where that stands before the name, or is mode, whose type is chosen for one name. What the specifiers
// define (struct s { … }) the later declarations name, by a tag of our own if it has none. What is behind the
// last asterisk moves behind the declarator, which means the same. Of an alignment among the specifiers and one of the
// name the greater one counts, and is left alone: the parser takes two for a contradiction.
//
// Cost: linear in the tokens.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// tagPrefix begins the tags of structures that have none in the text.
const tagPrefix = "__magus_tag_"

// ofTypes are the attributes that change a type.
var ofTypes = []string{"aligned", "packed", "mode", "vector_size"}

// behindAsterisks moves attributes of a type from behind the last asterisk of a declarator behind the declarator.
func behindAsterisks(r *rewriter) {
	for i := 0; i < len(r.in); i++ {
		star := i - 1
		for r.isOneOf(star, qualifiers...) {
			star--
		}
		if !r.isAttribute(i) || !r.is(star, "*") && !r.is(i-1, "(") || star == i-1 && !r.hasAttribute(i, ofTypes...) {
			continue
		}
		end := r.closing(i+1) + 1
		name := end
		for r.isOneOf(name, qualifiers...) || r.isAttribute(name) {
			if name++; !r.isName(name-1) || r.isAttribute(name-1) {
				name = r.closing(name) + 1
			}
		}
		switch {
		case r.is(i-1, "(") && r.is(end, "*"):
			r.refuse(r.in[i], "an attribute of a type here", "write it behind the declarator")
			return
		case r.is(i-1, "(") || !r.isName(name):
			continue // of a parameter, or of a type's name
		}
		behind := name + 1
		for r.is(behind, "[") || r.is(behind, "(") {
			behind = r.closing(behind) + 1
		}
		if !r.isOneOf(behind, ",", ";", "=", ":") && !r.isAttribute(behind) {
			r.refuse(r.in[i], "an attribute of a type here", "write it behind the declarator")
			return
		}
		attribute := moved(r.in[i:end])
		r.replace(i, end)
		r.replace(behind, behind, attribute...)
		i = behind - 1
	}
}

// hasAttribute reports whether the attribute at i has one of some names.
func (r *rewriter) hasAttribute(i int, names ...string) bool {
	end := r.closing(i + 1)
	return slices.ContainsFunc(parts(r.in[i+3:max(i+3, end-1)]), func(a []preprocess.Token) bool {
		return len(a) > 0 && slices.Contains(names, plain(a[0].Text))
	})
}

// severalNames writes a declaration for each name where one has an attribute of its own.
func severalNames(r *rewriter) {
	s := separator{r: r}
	if out := s.list(make([]preprocess.Token, 0, len(r.in)), r.in, notMembers); s.changed {
		r.in = out
	}
}

// A separator goes over tokens.
type separator struct {
	r       *rewriter // which refuses
	tags    int
	changed bool
}

// What stands between two brackets.
type within uint8

const (
	notMembers within = iota // declarations and statements
	ofMembers
	noDeclarations // or such that have to stay together
)

// list appends what is between two brackets, or all, to what was written before.
func (s *separator) list(out, tokens []preprocess.Token, in within) []preprocess.Token {
	from := len(out) // of the declaration or statement
	for r := (rewriter{in: tokens}); len(r.in) > 0; r.in = r.in[1:] {
		t := r.in[0]
		if out = append(out, t); t.Kind != lex.Punct {
			continue
		}
		switch t.Text {
		case ";":
			if in != noDeclarations {
				out = s.declaration(out, from, in == ofMembers)
			}
			from = len(out)
		case "(", "[", "{":
			end := r.closing(0)
			inner := noDeclarations
			if t.Is("{") {
				inner = notMembers
				if isRecord(out[from : len(out)-1]) {
					inner = ofMembers
				}
			}
			out = s.list(out, r.in[1:max(1, end)], inner)
			if end < len(r.in) {
				out = append(out, r.in[end])
			}
			if r.in = r.in[min(end, len(r.in)-1):]; t.Is("{") && r.isBlock(out[from:]) {
				from = len(out)
			}
		}
	}
	return out
}

// isBlock reports whether what ends with a brace is a statement, or the definition of a function.
func (r *rewriter) isBlock(tokens []preprocess.Token) bool {
	b := rewriter{in: tokens}
	open := b.opening(len(tokens) - 1)
	return open <= 0 || b.isOneOf(open-1, ")", "else", "do", ":") && !b.is(open-2, "=")
}

// isRecord reports whether the body of a structure or union follows some tokens.
func isRecord(tokens []preprocess.Token) bool {
	r := rewriter{in: tokens}
	i := len(tokens) - 1
	for r.is(i, ")") && r.isAttribute(r.opening(i)-1) {
		i = r.opening(i) - 2
	}
	if r.isName(i) && !r.isOneOf(i, "struct", "union") {
		i--
	}
	for r.is(i, ")") && r.isAttribute(r.opening(i)-1) {
		i = r.opening(i) - 2
	}
	return r.isOneOf(i, "struct", "union")
}

// declaration writes the declaration that begins at a token as one for each name, where a name has an
// attribute that asks for it.
func (s *separator) declaration(all []preprocess.Token, from int, members bool) []preprocess.Token {
	tokens := all[from:]
	r := rewriter{in: tokens}
	end := r.specifiers()
	if end == 0 {
		return all
	}
	names := parts(tokens[end : len(tokens)-1])
	aligned := s.aligned(tokens[:end])
	if !slices.ContainsFunc(names, func(n []preprocess.Token) bool {
		return aligned && s.aligned(n) || len(names) > 1 && asks(n, members)
	}) {
		return all
	}
	s.changed = true
	semicolon := tokens[len(tokens)-1:]
	first, others := s.named(tokens[:end])
	var out []preprocess.Token
	for i, n := range names {
		specifiers := first
		if i > 0 {
			specifiers = moved(others)
		}
		specifiers, n = s.greater(specifiers, n)
		out = append(append(append(out, specifiers...), n...), semicolon...)
	}
	return append(all[:from], out...)
}

// alignment is where an attribute that aligns begins and ends, outside braces and brackets; end 0 if none does.
func (r *rewriter) alignment() (from, end int) {
	for i := 0; i < len(r.in); i++ {
		switch {
		case r.isAttribute(i):
			to := r.closing(i+1) + 1
			if r.hasAttribute(i, "aligned") && !r.is(i-1, "}") { // else of the type
				return i, to
			}
			i = to - 1
		case r.is(i, "="):
			return 0, 0
		case r.is(i, "("), r.is(i, "["), r.is(i, "{"):
			i = r.closing(i)
		}
	}
	return 0, 0
}

// aligned reports whether an attribute among specifiers, or of a name, aligns what is declared.
func (s *separator) aligned(tokens []preprocess.Token) bool {
	_, end := (&rewriter{in: tokens}).alignment()
	return end > 0
}

// greater leaves out the lesser one of two alignments.
func (s *separator) greater(specifiers, name []preprocess.Token) (ofAll, ofName []preprocess.Token) {
	a, b := rewriter{in: specifiers}, rewriter{in: name}
	i, iEnd := a.alignment()
	k, kEnd := b.alignment()
	if iEnd == 0 || kEnd == 0 {
		return specifiers, name
	}
	x, first := a.alignedTo(i, iEnd)
	y, second := b.alignedTo(k, kEnd)
	switch {
	case !first || !second:
		s.r.refuse(name[k], "an alignment beside that of all names", "write one for this name")
	case x < y:
		specifiers = slices.Concat(specifiers[:i], specifiers[iEnd:])
	default:
		name = slices.Concat(name[:k], name[kEnd:])
	}
	return specifiers, name
}

// alignedTo is the number of an attribute that only aligns.
func (r *rewriter) alignedTo(from, end int) (n uint64, ok bool) {
	if end-from != 9 || !r.is(from+4, "(") { // __attribute__((aligned(n)))
		return 0, false
	}
	n, err := strconv.ParseUint(r.in[from+5].Text, 0, 32)
	return n, err == nil
}

// asks reports whether a name in a declaration has an attribute that asks for a declaration of its own.
func asks(name []preprocess.Token, member bool) bool {
	r := rewriter{in: name}
	for i := 0; i < len(name); i++ {
		switch {
		case r.isAttribute(i):
			if member || i == 0 || r.hasAttribute(i, "mode") {
				return true
			}
			i = r.closing(i + 1)
		case r.is(i, "("), r.is(i, "["), r.is(i, "{"):
			i = r.closing(i)
		}
	}
	return false
}

// specifierWords may stand among the specifiers of a declaration; true says that one is a type.
var specifierWords = map[string]bool{"typedef": false, "extern": false, "static": false, "auto": false,
	"register":      false,
	"_Thread_local": false, "__thread": false, "inline": false, "__inline": false, "__inline__": false, "_Noreturn": false,
	"__extension__": false, "void": true, "_Bool": true, "__int128": true, "_Complex": true, "__complex__": true}

// statementWords begin statements and operands, and are no types.
var statementWords = strings.Fields("asm __asm __asm__ break case continue default do else for goto if return " +
	"sizeof switch while _Alignof __alignof __alignof__ _Generic _Static_assert static_assert __label__ __real__ __imag__")

// specifiers is where the specifiers that a declaration begins with end; 0 if it begins with none.
func (r *rewriter) specifiers() int {
	typed := false
	for i := 0; i < len(r.in); {
		isType, known := specifierWords[r.in[i].Text]
		switch {
		case r.isAttribute(i), r.isOneOf(i, "_Alignas") && r.is(i+1, "("):
			i = r.closing(i+1) + 1
		case r.isOneOf(i, "typeof", "__typeof", "__typeof__", "_Atomic") && r.is(i+1, "("):
			typed, i = true, r.closing(i+1)+1
		case r.isOneOf(i, qualifiers...):
			i++
		case known:
			typed, i = typed || isType, i+1
		case r.isOneOf(i, "struct", "union", "enum"):
			typed, i = true, r.tagged(i)
		case !typed && slices.Contains(statementWords, r.in[i].Text):
			return 0
		case r.isName(i) && typeWords[r.in[i].Text], r.isName(i) && !typed:
			typed, i = true, i+1
		case typed:
			return i
		default:
			return 0
		}
	}
	return 0
}

// tagged is the place behind a structure, union or enumeration that begins at i.
func (r *rewriter) tagged(i int) int {
	for i++; r.isAttribute(i); {
		i = r.closing(i+1) + 1
	}
	if r.isName(i) {
		i++
	}
	if r.is(i, ":") { // the type of an enumeration
		for i++; r.isName(i); i++ {
		}
	}
	if r.is(i, "{") {
		i = r.closing(i) + 1
	}
	return i
}

// named are specifiers for the first name, and for those that follow: what the first ones define these name.
func (s *separator) named(specifiers []preprocess.Token) (first, others []preprocess.Token) {
	r := rewriter{in: specifiers}
	open := slices.IndexFunc(specifiers, func(t preprocess.Token) bool { return t.Is("{") })
	if open < 0 {
		return specifiers, specifiers
	}
	word := open - 1
	for !r.isOneOf(word, "struct", "union", "enum") {
		word--
	}
	tag := word + 1
	for r.isAttribute(tag) {
		tag = r.closing(tag+1) + 1
	}
	first = specifiers
	name := specifiers[tag : tag+1]
	if !r.isName(tag) || r.is(tag, "{") {
		name = made(fmt.Sprintf("%s%d", tagPrefix, s.tags), specifiers[word])
		name[0].Space = true
		first = slices.Concat(specifiers[:tag], name, specifiers[tag:])
		s.tags++
	}
	end := r.closing(open) + 1
	for r.isAttribute(end) { // of the definition
		end = r.closing(end+1) + 1
	}
	return first, slices.Concat(specifiers[:word+1], name, specifiers[end:])
}
