package main

import (
	"slices"
	"strconv"
	"strings"

	"magus/cfa/source/lex"
	"magus/specs"
)

// Idea: a fault is a replacement of one statement: a call, all of the statement, that releases an object of a rule
// (free, fclose, pthread_mutex_unlock). Which calls those are follows from the rule: an event that may not come twice,
// and behind which nothing is held. A function of the project that gives one of its parameters to such a call
// releases, too. Statements are found among the tokens of a text, so that preprocessed and other files are changed as
// they stand; lines stay where they are.
//
// What is planted:
//
//	error path   the release is left out where the function returns, or jumps to its end, from within a block
//	lost         it is left out elsewhere
//	second       it is done twice
//	use          what was released is used behind it: memory is read, a stream is flushed, a descriptor synchronised
//
// Left out: releases within conditions or as a part of another statement, those in macros of files that are not
// preprocessed, and whether a fault can happen at all: a release may stand where there is nothing to be released.
//
// Cost: one pass over the tokens for each rule and layer of wrappers.

// A kind of fault.
type kind int

const (
	errorPath kind = iota
	lost
	second
	use
	kinds // so many
)

var kindNames = [kinds]string{"error path", "lost", "second", "use"}

func (k kind) String() string { return kindNames[k] }

// A place is where a fault can be planted.
type place struct {
	file     string // as it was named
	line     int    // of that file
	source   string // file and line before it was preprocessed, FILE:LINE
	function string
	rule     string // that it breaks
	kind     kind
	from, to int // bytes of the file
	text     string
	was      string // the statement
}

// A text is a file's tokens with their places.
type text struct {
	name    string
	bytes   []byte
	tokens  []lex.Token
	offsets []int    // of tokens
	sources []string // of tokens: FILE:LINE before the file was preprocessed
	bodies  []body
}

// A body is that of a function: its tokens between braces.
type body struct {
	function   string
	parameters []string
	from, to   int
}

func newText(name string, bytes []byte) *text {
	t := &text{name: name, bytes: bytes}
	lines := []int{0}
	for i, b := range bytes {
		if b == '\n' {
			lines = append(lines, i+1)
		}
	}
	var directive []lex.Token
	source, shift := name, 0
	l := lex.New(bytes, lex.Dialect{})
	for tok := l.Next(); tok.Kind != lex.EOF; tok = l.Next() {
		switch {
		case tok.First && tok.Is("#"):
			directive = []lex.Token{tok}
		case tok.Kind == lex.Newline:
			if file, first, ok := marker(directive); ok {
				source, shift = file, first-tok.Line-1
			}
			directive = nil
		case directive != nil:
			directive = append(directive, tok)
		default:
			t.tokens = append(t.tokens, tok)
			t.offsets = append(t.offsets, lines[tok.Line-1]+tok.Col-1)
			t.sources = append(t.sources, source+":"+strconv.Itoa(tok.Line+shift))
		}
	}
	t.findBodies()
	return t
}

// marker is the file of which the next line is that number, as preprocessors write it: # 12 "file.c".
func marker(directive []lex.Token) (file string, line int, ok bool) {
	if len(directive) > 1 && directive[1].Is("line") {
		directive = directive[1:]
	}
	if len(directive) < 3 || directive[1].Kind != lex.Number || directive[2].Kind != lex.String {
		return "", 0, false
	}
	line, err := strconv.Atoi(directive[1].Text)
	return strings.Trim(directive[2].Text, `"`), line, err == nil
}

// findBodies finds the functions: a name, parameters in parentheses, and a brace, outside all others.
func (t *text) findBodies() {
	for i := 0; i < len(t.tokens); i++ {
		if !t.tokens[i].Is("{") {
			continue
		}
		end := t.closing(i)
		if i > 0 && t.tokens[i-1].Is(")") {
			open := t.opening(i - 1)
			if open > 0 && t.tokens[open-1].Kind == lex.Name {
				t.bodies = append(t.bodies, body{t.tokens[open-1].Text, t.parameters(open, i-1), i, end})
			}
		}
		i = end
	}
}

// parameters are the names before commas and the end of a list in parentheses.
func (t *text) parameters(open, end int) (names []string) {
	for i := open + 1; i <= end; i++ {
		if (t.tokens[i].Is(",") || i == end) && t.tokens[i-1].Kind == lex.Name {
			names = append(names, t.tokens[i-1].Text)
		}
	}
	return names
}

var closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// closing is the token that closes the bracket at i, the last one if there is none.
func (t *text) closing(i int) int {
	first, depth := t.tokens[i].Text, 0
	for ; i < len(t.tokens); i++ {
		switch {
		case t.tokens[i].Is(first):
			depth++
		case t.tokens[i].Is(closers[first]):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(t.tokens) - 1
}

// opening is the parenthesis that the one at i closes, -1 if there is none.
func (t *text) opening(i int) int {
	for depth := 0; i >= 0; i-- {
		switch {
		case t.tokens[i].Is(")"):
			depth++
		case t.tokens[i].Is("("):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// between is the text of some tokens.
func (t *text) between(from, to int) string {
	return string(t.bytes[t.offsets[from] : t.offsets[to]+len(t.tokens[to].Spelling())])
}

// A release is a statement of a call that releases.
type release struct {
	body
	callee   string
	from, to int // tokens, with the semicolon
	argument string
	named    []string // in the arguments
}

// statementEnds are the tokens behind which a statement begins.
var statementEnds = []string{";", "{", "}", ")", ":", "else", "do"}

// releases are the statements that call one of some functions.
func (t *text) releases(callees []string) (all []release) {
	for _, b := range t.bodies {
		for i := b.from + 1; i+1 < b.to; i++ {
			if t.tokens[i].Kind != lex.Name || !t.tokens[i+1].Is("(") || !slices.Contains(callees, t.tokens[i].Text) ||
				!slices.ContainsFunc(statementEnds, t.tokens[i-1].Is) {
				continue
			}
			end := t.closing(i + 1)
			if end+1 >= b.to || !t.tokens[end+1].Is(";") {
				continue
			}
			r := release{body: b, callee: t.tokens[i].Text, from: i, to: end + 1}
			if end > i+2 {
				r.argument = t.between(i+2, end-1)
			}
			for _, tok := range t.tokens[i+2 : end] {
				if tok.Kind == lex.Name {
					r.named = append(r.named, tok.Text)
				}
			}
			all = append(all, r)
		}
	}
	return all
}

// onErrorPath reports whether a statement is within a block that ends by leaving the function, or by a jump.
func (t *text) onErrorPath(r release) bool {
	depth := 0
	for i := r.body.from + 1; i < r.from; i++ {
		switch {
		case t.tokens[i].Is("{"):
			depth++
		case t.tokens[i].Is("}"):
			depth--
		}
	}
	for i := r.to + 1; depth > 0 && i < r.body.to && !t.tokens[i].Is("}"); i++ {
		if t.tokens[i].Is("{") {
			i = t.closing(i)
		} else if t.tokens[i].Is("return") || t.tokens[i].Is("goto") {
			return true
		}
	}
	return false
}

// releasing are the functions whose calls release an object of a rule; none of a rule by which nothing can be lost or
// held.
func releasing(r *specs.Rule) (callees []string) {
	if !slices.Contains(r.Forbidden, specs.Leaks) &&
		!slices.ContainsFunc(r.Events, func(e *specs.RuleEvent) bool { return e.Kind != specs.CallEvent }) {
		return nil
	}
	for _, e := range r.Events {
		if e.Kind != specs.CallEvent ||
			!slices.ContainsFunc(r.States, func(s *specs.RuleState) bool { return releases(r, s, e.Name) }) {
			continue
		}
		for _, callee := range e.Callees {
			if !strings.ContainsAny(callee, "*.") {
				callees = append(callees, callee)
			}
		}
	}
	return callees
}

// releases reports whether an event leads from a state to one in which it is forbidden, and ending is not.
func releases(r *specs.Rule, s *specs.RuleState, event string) bool {
	to, ok := after(s, event)
	next := r.State(to)
	if !ok || next == nil {
		return false
	}
	if again, ok := after(next, event); ok && again != specs.Broken {
		return false
	}
	for _, e := range r.Events {
		if e.Kind == specs.CallEvent {
			continue
		}
		if to, ok := after(next, e.Name); ok && to == specs.Broken {
			return false
		}
	}
	return true
}

// after is the state behind an event; of a number that leaves its range, that behind it.
func after(s *specs.RuleState, event string) (string, bool) {
	for _, m := range s.Moves {
		if m.Event == event {
			if m.Or != "" && m.Change < 0 {
				return m.Or, true
			}
			return m.To, true
		}
	}
	return "", false
}

// uses are statements that use what a function has released, with its argument as %.
var uses = map[string]string{
	"free":     "if (*(const volatile char *)(%)) { }",
	"fclose":   "{ extern int fflush(FILE *); fflush(%); }",
	"close":    "{ extern int fsync(int); fsync(%); }",
	"closedir": "{ extern void rewinddir(DIR *); rewinddir(%); }",
}

// usesRule is the rule that what was released is not used.
const usesRule = "use-after-close"

// faults are all that can be planted in a text for a rule, in the order of the text.
func (t *text) faults(rule string, callees []string, wraps map[string]string) (all []place) {
	for _, r := range t.releases(callees) {
		statement := t.between(r.from, r.to)
		add := func(k kind, rule, text string) {
			text += strings.Repeat("\n", max(strings.Count(statement, "\n")-strings.Count(text, "\n"), 0))
			all = append(all, place{t.name, t.tokens[r.from].Line, t.sources[r.from], r.function, rule, k, t.offsets[r.from],
				t.offsets[r.to] + 1, text, strings.Join(strings.Fields(statement), " ")})
		}
		left := lost
		if t.onErrorPath(r) {
			left = errorPath
		}
		add(left, rule, ";")
		joined := strings.Join(strings.Fields(statement), " ")
		add(second, rule, "{ "+joined+" "+joined+" }")
		if by, ok := uses[wraps[r.callee]]; ok && r.argument != "" && !strings.Contains(r.argument, ",") {
			add(use, usesRule, "{ "+joined+" "+strings.ReplaceAll(by, "%", strings.Join(strings.Fields(r.argument), " "))+" }")
		}
	}
	return all
}

// withWrappers adds the functions that give a parameter, or what it points to, to one that releases. wraps says to
// which of the callees each one gives the parameter itself, "" for none.
func withWrappers(texts []*text, callees []string) (all []string, wraps map[string]string) {
	all, wraps = slices.Clone(callees), map[string]string{}
	for _, c := range callees {
		wraps[c] = c
	}
	for grown := true; grown; {
		grown = false
		for _, t := range texts {
			for _, r := range t.releases(all) {
				gives := slices.ContainsFunc(r.parameters, func(p string) bool { return slices.Contains(r.named, p) })
				if _, known := wraps[r.function]; gives && !known {
					all, wraps[r.function], grown = append(all, r.function), wraps[r.callee], true
					if strings.Contains(r.argument, "->") || strings.Contains(r.argument, ".") || strings.HasPrefix(r.argument, "*") {
						wraps[r.function] = "" // what the parameter points to has what is released
					}
				}
			}
		}
	}
	return all, wraps
}

func (p place) String() string {
	return p.file + ":" + strconv.Itoa(p.line) + ": " + p.kind.String() + ": " + p.rule + " in " +
		p.function + ": " + p.was
}
