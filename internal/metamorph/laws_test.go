package metamorph

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"magus/specs"
)

// A program is the arguments of a `magus check` and the files of its folder.
type program struct {
	args  []string
	files map[string]text
}

func (p program) clone() program {
	return program{slices.Clone(p.args), maps.Clone(p.files)}
}

// names are the arguments that are files of a kind, and files all of that kind.
func (p program) names(suffix string) []string {
	return slices.DeleteFunc(slices.Clone(p.args), func(a string) bool { return !strings.HasSuffix(a, suffix) })
}

func (p program) all(suffixes ...string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(p.files)), func(name string) bool {
		return !slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(name, s) })
	})
}

// An effect is what a change does to the verdict.
type effect int

const (
	same     effect = iota // the verdict, and the length of a shortest trace
	cautious               // the same, or unknown
	weaker                 // the specification allows more: what conforms conforms
	stronger               // it allows less: what violates it violates it
)

// A law makes variants of a program. None means that it has nothing to change.
type law struct {
	name   string
	effect effect
	apply  func(p program) []program
}

var laws = []law{
	{"rename variables", same, renameVariables},
	{"reorder components", same, reorderComponents},
	{"swap statements", same, swapStatements},
	{"dead code", same, func(p program) []program { return deadCode(p, "") }},
	// An abstraction has to mention what its routine's body performs, be it never;
	// else callers that rely on it are unknown.
	{"dead error", cautious, func(p program) []program { return deadCode(p, "reach_error(); ") }},
	{"split files", same, splitFiles},
	{"property as specification", same, func(p program) []program { return asSpecification(p, "Safe = STOP + {error}.") }},
	{"weaken", weaker, weaken},
	{"strengthen", stronger, strengthen},
}

var baseTypes = []string{"int", "char", "short", "long", "unsigned", "signed", "_Bool"}

// renameVariables gives all variables and parameters other names, in all
// files, such that their alphabetical order is turned round. Names that a
// specification has are left alone.
func renameVariables(p program) []program {
	taken := map[string]bool{}
	for _, name := range p.all(".spec") {
		for _, token := range p.files[name] {
			for part := range strings.SplitSeq(token, ".") {
				taken[part] = true
			}
		}
	}
	var variables []string
	for _, name := range p.all(".c", ".h") {
		for _, v := range p.files[name].variables() {
			if !taken[v] && !slices.Contains(variables, v) {
				variables = append(variables, v)
			}
		}
	}
	if len(variables) == 0 {
		return nil
	}
	slices.Sort(variables)
	to := map[string]string{}
	for i, v := range variables {
		to[v] = fmt.Sprintf("v%03d_%s", len(variables)-i, v)
	}
	q := p.clone()
	for _, name := range p.all(".c", ".h") {
		q.files[name] = rename(q.files[name], to)
	}
	return []program{q}
}

// rename renames tokens, in directives too.
func rename(t text, to map[string]string) text {
	renamed := slices.Clone(t)
	for i, token := range t {
		if directive := strings.TrimLeft(token, " \t"); strings.HasPrefix(directive, "#") {
			if !strings.HasPrefix(directive, "#include") {
				renamed[i] = "#" + rename(cToken.FindAllString(directive[1:], -1), to).String()
			}
		} else if name, ok := to[token]; ok {
			renamed[i] = name
		}
	}
	return renamed
}

// variables are names that a declaration with a base type introduces and that
// are no functions.
func (t text) variables() []string {
	var names []string
	for i := range t {
		if !slices.Contains(baseTypes, t[i]) || slices.Contains(baseTypes, t.at(t.next(i+1))) {
			continue
		}
		for k := i + 1; ; k++ {
			for k = t.next(k); t.at(k) == "*"; k = t.next(k + 1) {
			}
			if !isName(t.at(k)) || !slices.Contains([]string{",", ";", ")", "=", "["}, t.at(t.next(k+1))) {
				break // a function, or the type of the next parameter
			}
			names = append(names, t[k])
			for !slices.Contains([]string{",", ";", ")", ""}, t.at(k)) {
				if slices.Contains([]string{"(", "{", "["}, t[k]) {
					k = t.closing(k)
				}
				k++
			}
			if t.at(k) != "," || slices.Contains(baseTypes, t.at(t.next(k+1))) {
				break
			}
		}
	}
	return names
}

// reorderComponents turns the order of all components round, that of the C
// files too.
func reorderComponents(p program) []program {
	q, changed := p.clone(), false
	for _, name := range p.names(".spec") {
		t := q.files[name]
		for i := range t {
			switch {
			case t[i] == "program":
				end := i
				for t.at(end) != "{" && end < len(t) {
					end++
				}
				r := reversed(t, t.next(i+1), end)
				changed = changed || !slices.Equal(r, t)
				t = r
			case t[i] == "specification":
				open := i
				for t.at(open) != "{" && open < len(t) {
					open++
				}
				t = reversed(t, open+1, t.closing(open))
			}
		}
		q.files[name] = t
	}
	if !changed {
		return nil
	}
	c := p.names(".c")
	for i, a := range q.args {
		if strings.HasSuffix(a, ".c") {
			q.args[i], c = c[len(c)-1], c[:len(c)-1]
		}
	}
	return []program{q}
}

// reversed turns the order of the items between commas round, from…to-1.
func reversed(t text, from, to int) text {
	var items []text
	start := from
	for i := from; i < to; i++ {
		if t[i] == "(" {
			i = t.closing(i)
		} else if t[i] == "," {
			items, start = append(items, t[start:i]), i+1
		}
	}
	items = append(items, t[start:to])
	var with text
	for i := len(items) - 1; i >= 0; i-- {
		with = append(with, items[i]...)
		if i > 0 {
			with = append(with, ",")
		}
	}
	return t.replaced(from, to, with...)
}

// An assignment is a statement `name = expression;`, perhaps with a base type
// before it, where the expression reads variables and does nothing else.
type assignment struct {
	from, to int // of its tokens, the semicolon is at to-1
	writes   string
	reads    []string
}

// assignment is the one that begins at i.
func (t text) assignment(i int) (a assignment, ok bool) {
	a.from = i
	if slices.Contains(baseTypes, t.at(i)) {
		i = t.next(i + 1)
	}
	if !isName(t.at(i)) || t.at(t.next(i+1)) != "=" {
		return a, false
	}
	a.writes = t[i]
	operators := []string{"+", "-", "<", ">", "<=", ">=", "==", "!=", "!", "&&", "||", "(", ")"}
	before := "="
	for i = t.next(t.next(i+1) + 1); t.at(i) != ";"; i = t.next(i + 1) {
		token := t.at(i)
		switch {
		case isName(token) && t.at(t.next(i+1)) != "(":
			a.reads = append(a.reads, token)
		case token == "" || !slices.Contains(operators, token) && !('0' <= token[0] && token[0] <= '9'):
			return a, false
		}
		before = token
	}
	a.to = i + 1
	return a, before != "="
}

// swapStatements swaps neighbouring assignments that have nothing to do with
// each other.
func swapStatements(p program) []program {
	q, changed := p.clone(), false
	for _, name := range p.names(".c") {
		t := q.files[name]
		for _, f := range t.functions() {
			depth := 0 // of parentheses: the head of a for loop has no statements
			for i := f.open; i < f.end; i++ {
				switch t[i] {
				case "(":
					depth++
				case ")":
					depth--
				}
				if depth > 0 || !slices.Contains([]string{"{", "}", ";"}, t[i]) {
					continue
				}
				a, ok := t.assignment(t.next(i + 1))
				if !ok {
					continue
				}
				b, ok := t.assignment(t.next(a.to))
				if !ok || a.writes == b.writes || slices.Contains(a.reads, b.writes) || slices.Contains(b.reads, a.writes) {
					continue
				}
				swapped := slices.Concat(t[b.from:b.to], t[a.to:b.from], t[a.from:a.to])
				t, changed = t.replaced(a.from, b.to, swapped...), true
				i = b.to - 2 // before the second semicolon
			}
		}
		q.files[name] = t
	}
	if !changed {
		return nil
	}
	return []program{q}
}

// deadCode begins every function with code that is never executed, which data
// alone says: it would loop, do what is given, and return what no specification has.
func deadCode(p program, do string) []program {
	q := p.clone()
	for _, name := range p.names(".c") {
		t := q.files[name]
		fs := t.functions()
		slices.Reverse(fs)
		for _, f := range fs {
			leave := ""
			switch t.at(t.previous(f.name - 1)) {
			case "int":
				leave = "return -12345; "
			case "void":
				leave = "return; "
			}
			t = t.replaced(f.open+1, f.open+1,
				"\n\tint dead = 1;\n\tif (dead < 1) { while (dead < 0) dead = dead + 1; "+do+leave+"}")
		}
		q.files[name] = append(text{"void reach_error(void);\n"}, t...)
	}
	if len(q.names(".c")) == 0 {
		return nil
	}
	return []program{q}
}

// splitFiles parts every file of several functions in two, each with the
// declarations of the whole.
func splitFiles(p program) []program {
	q, changed := p.clone(), false
	for _, name := range p.names(".c") {
		first, second, ok := split(q.files[name])
		if !ok {
			continue
		}
		other := strings.TrimSuffix(name, ".c") + "_2.c"
		q.files[name], q.files[other], changed = first, second, true
		at := slices.Index(q.args, name)
		q.args = slices.Insert(q.args, at+1, other)
	}
	if !changed {
		return nil
	}
	return []program{q}
}

// split parts a file. What is static becomes visible; variables are defined in
// the first part. A file that has anything but functions, their prototypes and
// variables of base types, outside of directives, is left alone.
func split(t text) (first, second text, ok bool) {
	t = slices.Clone(t)
	for i := range t {
		if t[i] == "static" {
			t[i] = ""
		}
	}
	fs := t.functions()
	if len(fs) < 2 {
		return nil, nil, false
	}
	start, n := 0, 0
	for start < len(t) {
		if isSpace(t[start]) {
			first, second, start = append(first, t[start]), append(second, t[start]), start+1
			continue
		}
		end := start
		for end < len(t) && t[end] != ";" && t[end] != "{" {
			end++
		}
		switch {
		case n < len(fs) && end == fs[n].open:
			prototype := append(slices.Clone(t[start:end]), ";")
			end = fs[n].end
			if n < len(fs)/2 {
				first, second = append(first, t[start:end+1]...), append(second, prototype...)
			} else {
				first, second = append(first, prototype...), append(second, t[start:end+1]...)
			}
			n++
		case t.at(end) != ";" || slices.Contains([]string{"typedef", "struct", "union", "enum"}, t[start]):
			return nil, nil, false
		case slices.Contains(t[start:end], "(") || t[start] == "extern":
			first, second = append(first, t[start:end+1]...), append(second, t[start:end+1]...)
		default:
			first = append(first, t[start:end+1]...)
			if k := slices.Index(t[start:end], "="); k >= 0 {
				second = slices.Concat(second, text{"extern "}, t[start:start+k], text{";"})
			} else {
				second = slices.Concat(second, text{"extern "}, t[start:end+1])
			}
		}
		start = end + 1
	}
	return first, second, true
}

// A definition of a specification: the name of a state, and its parentheses.
type definition struct {
	name      string
	open, end int
}

// claimed are the definitions of the one claim that a program has, in the file
// where they stand, if nothing else uses them. Those with ERROR states are
// left out: they ask the opposite question.
func claimed(p program) (file string, defs []definition) {
	var sources []specs.Source
	for _, name := range p.names(".spec") {
		sources = append(sources, specs.Source{Name: name, Text: []byte(p.files[name].String())})
	}
	f, err := specs.Parse(context.Background(), sources, nil)
	if err != nil {
		return "", nil // it imports something
	}
	lts, uses := "", map[string]int{}
	for _, program := range f.Programs {
		for _, s := range program.Specs {
			lts = s.LTS
			uses[lts]++
		}
	}
	for _, proc := range f.Procedures {
		for _, a := range proc.Abstracts {
			uses[a.LTS]++
			if slices.ContainsFunc(p.names(".c"), func(name string) bool { return hasBody(p.files[name], proc.Name) }) {
				lts = a.LTS
			}
		}
	}
	if lts == "" || uses[lts] != 1 {
		return "", nil
	}
	for _, name := range p.names(".spec") {
		if defs := definitions(p.files[name], lts); defs != nil {
			return name, defs
		}
	}
	return "", nil
}

func hasBody(t text, name string) bool {
	return slices.ContainsFunc(t.functions(), func(f function) bool { return t[f.name] == name })
}

// definitions are those of the process that defines name, as far as they are
// choices.
func definitions(t text, name string) []definition {
	var defs []definition
	found := false
	for i := 0; i < len(t); i++ {
		switch {
		case t[i] == ".":
			if found {
				return defs
			}
			defs = nil
		case t[i] == "{":
			i = t.closing(i)
		case t[i] == "ERROR" && found:
			return nil
		case isName(t[i]) && t.at(t.next(i+1)) == "=":
			found = found || t[i] == name
			if open := t.next(t.next(i+1) + 1); t.at(open) == "(" {
				defs = append(defs, definition{t[i], open, t.closing(open)})
				if slices.Contains(t[open:defs[len(defs)-1].end], "ERROR") {
					return nil
				}
				i = defs[len(defs)-1].end
			}
		}
	}
	return nil
}

var action = regexp.MustCompile(`^[a-z]\w*(\.\w+)*$`)

// asSpecification says the built-in property in the specification language,
// with the process Safe, which is what main is checked against. A label that
// is an error performs the action.
func asSpecification(p program, safe string) []program {
	if !slices.Contains(p.args, "unreach-call") || slices.Contains(p.args, "--entry") ||
		slices.Contains(p.args, "--error-function") {
		return nil
	}
	q := p.clone()
	q.args = nil
	for i := 0; i < len(p.args); i++ {
		switch p.args[i] {
		case "--property":
			i++
		case "--error-label":
			i++
			for _, name := range p.names(".c") {
				q.files[name] = labelled(q.files[name], p.args[i])
			}
		default:
			q.args = append(q.args, p.args[i])
		}
	}
	q.args = append(q.args, "property.spec")
	q.files["property.spec"] = specToken.FindAllString(safe+"\nprogram main { specification safe, {(1)}, Safe; }\n", -1)
	return []program{q}
}

// labelled performs the action error at a label.
func labelled(t text, label string) text {
	for i := range t {
		if colon := t.next(i + 1); t[i] == label && t.at(colon) == ":" &&
			slices.Contains([]string{";", "{", "}", ":"}, t.at(t.previous(i-1))) {
			t = t.replaced(colon+1, colon+1, " __MAGUS_ACTION__(\"error\");")
		}
	}
	return append(text{"void __MAGUS_ACTION__(const char *);\n"}, t...)
}

// weaken adds to one state after the other that an action of the process
// leaves it where it is. The built-in property becomes that error happens no
// more than once.
func weaken(p program) []program {
	if variants := asSpecification(p, "Safe = ( error -> STOP )."); variants != nil {
		return variants
	}
	file, defs := claimed(p)
	var variants []program
	for k, d := range defs {
		t := p.files[file]
		name := ""
		for _, other := range slices.Concat(defs[k+1:], defs[:k+1]) { // preferably one that d does not have
			if first := t.at(t.next(other.open + 1)); name == "" && action.MatchString(first) &&
				first != "return" && t.at(t.next(t.next(other.open+1)+1)) == "->" {
				name = first
			}
		}
		if name != "" {
			q := p.clone()
			q.files[file] = t.replaced(d.open+1, d.open+1, fmt.Sprintf(" %s -> %s |", name, d.name))
			variants = append(variants, q)
		}
	}
	return variants
}

// strengthen lets everything that leaves one state after the other lead to
// STOP. The built-in property becomes that main does not end, either.
func strengthen(p program) []program {
	if variants := asSpecification(p, "Safe = STOP + {error, "+returnOf(p)+"}."); variants != nil {
		return variants
	}
	file, defs := claimed(p)
	var variants []program
	for _, d := range defs {
		t, changed := slices.Clone(p.files[file]), false
		for i := d.open; i < d.end; i++ {
			if isName(t[i]) && t[i] != "STOP" && t.at(t.previous(i-1)) == "->" &&
				slices.Contains([]string{"|", ")"}, t.at(t.next(i+1))) {
				t[i], changed = "STOP", true
			}
		}
		if changed {
			q := p.clone()
			q.files[file] = t
			variants = append(variants, q)
		}
	}
	return variants
}

// returnOf is the action of every return of main.
func returnOf(p program) string {
	for _, name := range p.names(".c") {
		t := p.files[name]
		for _, f := range t.functions() {
			if t[f.name] == "main" && t.at(t.previous(f.name-1)) == "void" {
				return "return {}"
			}
		}
	}
	return "return {$0 == $0}"
}
