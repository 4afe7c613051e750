package source

// Faults of the input, for people.
//
// Idea: the library reports where its parser got stuck, and goes on as well as it
// can. So one mistake is often several errors, and the place of a missing semicolon
// is the next line. The first error of each declaration is right; what comes before
// the next line on which a declaration begins may follow from it and is left out. So
// is a second error on a line, and an unknown name that was reported before. What is
// missing is reported behind what stands before it.
//
// Cost: linear in the texts with errors.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/internal/pattern"
	"magus/internal/phrase"
)

// maxFaults is how many faults are reported at once.
const maxFaults = 20

// explained are the faults of the input without those that follow from others, each
// with its line.
func explained(sources []Source, opt Options, err error) error {
	var list cfa.Errors
	if !errors.As(err, &list) {
		return err
	}
	f := &faults{sources: sources, opt: opt, lines: map[string][]string{}, unknown: map[string]bool{}}
	var kept cfa.Errors
	for _, e := range inOrder(list) {
		e = f.reworded(e)
		if !f.follows(kept, e) {
			e.Text = f.line(e.Pos)
			kept = append(kept, e)
		}
	}
	if more := len(kept) - maxFaults; more > 0 {
		kept = append(kept[:maxFaults:maxFaults], cfa.Error{Msg: fmt.Sprintf("and %d more", more)})
	}
	return kept
}

// inOrder are faults in the order of the text: files as they come, in each by its lines.
func inOrder(list cfa.Errors) cfa.Errors {
	files := map[string]int{}
	for _, e := range list {
		if _, known := files[e.Pos.File]; !known {
			files[e.Pos.File] = len(files)
		}
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b cfa.Error) int {
		return cmp.Or(cmp.Compare(files[a.Pos.File], files[b.Pos.File]), cmp.Compare(a.Pos.Line, b.Pos.Line))
	})
	return list
}

// faults are what is known of the texts.
type faults struct {
	sources []Source
	opt     Options
	lines   map[string][]string
	unknown map[string]bool // names that were reported
}

// text are the lines of a file, nil if they are not known, or positions are those
// of another text.
func (f *faults) text(file string) []string {
	if all, known := f.lines[file]; known {
		return all
	}
	var all []string
	i := slices.IndexFunc(f.sources, func(s Source) bool { return s.Name == file })
	switch {
	case i >= 0 && (f.sources[i].Preprocessed || f.sources[i].Marked()):
	case i >= 0:
		all = validLines(f.sources[i].Text)
	case f.opt.ReadFile != nil && !slices.ContainsFunc(f.sources, func(s Source) bool { return s.Preprocessed }):
		if text, err := f.opt.ReadFile(file); err == nil {
			all = validLines(text)
		}
	}
	f.lines[file] = all
	return all
}

// validLines are the lines of a text as they are shown.
func validLines(text []byte) []string {
	return strings.Split(strings.ToValidUTF8(string(text), "\uFFFD"), "\n")
}

// line is the text of the line of a place, or "".
func (f *faults) line(p cfa.Pos) string {
	all := f.text(p.File)
	if p.Line < 1 || p.Line > len(all) {
		return ""
	}
	return strings.TrimRight(all[p.Line-1], "\r")
}

// before is what stands on the line before a place.
func (f *faults) before(p cfa.Pos) string {
	line := f.line(p)
	return line[:min(max(p.Col-1, 0), len(line))]
}

var (
	reStuck    = pattern.New(`^unexpected (.*), expected (.*)$`)
	reWord     = pattern.New(`(?:^|[;{}])\s*([A-Za-z_]\w*)\s*$`)
	reUnknown  = pattern.New(`^undefined: (\w+)(?:;.*)?$`)
	reBegins   = pattern.New(`^[A-Za-z_]`)
	reLabel    = pattern.New(`^\w+\s*:`)
	reComment  = pattern.New(`\s*(//.*|/\*([^*]|\*[^/])*\*/\s*)$`)
	reNumber   = pattern.New(`^strconv\.Parse\w+: parsing "(.*)": `)
	reOctal    = pattern.New(`^0[0-7]*[89]`)
	reRecord   = pattern.New(`\b(struct|union) ?(\w*) \{[^{}]*\}`)
	reAgain    = pattern.New(`^redeclaration of '(\w+)' at (.+):(\d+):(\d+):?$`)
	reProduct  = pattern.New(`(?:^|[;{}])\s*([A-Za-z_]\w*)\s*\*+\s*[A-Za-z_]\w*\s*$`)
	reParam    = pattern.New(`[(,]\s*(?:const\s+)?([A-Za-z_]\w*)\s*$`)
	reConflict = pattern.New(`^conflicting types for '(\w+)', previous declaration at (\S+), (.+) and (.+)$`)
	reInclude  = pattern.New(`^\s*#\s*include\b`)
	reIncluded = pattern.New(`^include file not found: (<[^>]*>|"[^"]*")$`) // and no reason why
)

// misspelt are the words of C that a statement or a declaration begins with.
var misspelt = []string{"break", "case", "char", "const", "continue", "default", "double", "else", "enum",
	"extern", "float", "goto",
	"inline", "long", "register", "return", "short", "signed", "static", "struct", "switch", "typedef",
	"union", "unsigned",
	"void", "volatile", "while"}

// reworded is a fault in the words of who wrote the text, at the place to look at.
func (f *faults) reworded(e cfa.Error) cfa.Error {
	if m := reIncluded().FindStringSubmatch(e.Msg); m != nil {
		if !slices.ContainsFunc(f.sources, func(s Source) bool { return s.Preprocessed && s.Name == e.Pos.File }) {
			e.Msg += f.howToFind(m[1])
		}
		return e
	}
	if m := reNumber().FindStringSubmatch(e.Msg); m != nil {
		switch e.Msg = m[1] + " is no number"; {
		case m[1] == "":
			e.Msg = "a number without digits"
		case reOctal().MatchString(m[1]):
			e.Msg = m[1] + " is no number: what begins with 0 is octal"
		}
		return e
	}
	if m := reUnknown().FindStringSubmatch(e.Msg); m != nil {
		e.Msg += included(m[1])
		return e
	}
	if at := f.unclosed(e.Pos.File); e.Msg == endOfFile && at.IsValid() {
		e.Msg += fmt.Sprintf("; the { at %v is not closed", at)
		return e
	}
	e.Msg = strings.TrimSuffix(e.Msg, ":") // behind a place
	e, done := f.inOtherWords(e)
	if done {
		return e
	}
	m := reStuck().FindStringSubmatch(e.Msg)
	if m == nil {
		e.Msg = worded(e.Msg)
		return e
	}
	if w := reWord().FindStringSubmatchIndex(f.before(e.Pos)); w != nil &&
		(m[2] == "';'" || m[2] == "external declaration") {
		word := f.before(e.Pos)[w[2]:w[3]]
		at := e
		at.Pos.Col = w[2] + 1
		if hint := phrase.Misspelt(word, misspelt); hint != "" && !slices.Contains(misspelt, word) &&
			!strings.HasSuffix(word, "_t") {
			at.Msg = "unknown word " + word + hint
			return at
		}
		if m[1] == "identifier" && !slices.Contains(misspelt, word) {
			at.Msg = "unknown type " + word + included(word)
			return at
		}
	}
	if w := reParam().FindStringSubmatchIndex(f.before(e.Pos)); w != nil && m[1] == "identifier" &&
		reBegins().MatchString(f.line(e.Pos)) {
		word := f.before(e.Pos)[w[2]:w[3]]
		e.Pos.Col = w[2] + 1
		e.Msg = "unknown type " + word + included(word)
		return e
	}
	if behind, ok := f.endBefore(e.Pos); ok && (m[2] == "';'" || m[2] == "')'" || m[2] == "']'" || m[2] == "'}'") {
		return cfa.Error{Pos: behind, Msg: fmt.Sprintf("expected %s before %s", m[2], m[1])}
	}
	e.Msg = fmt.Sprintf("unexpected %s, expected %s", m[1], inWords(m[2]))
	return e
}

// inWords is what the library's grammar calls a part of a program, as people do.
func inWords(part string) string {
	switch part {
	case "direct declarator", "direct-declarator", "declarator or abstract declarator":
		return "a name"
	case "unary expression", "cast expression", "primary expression":
		return "an expression"
	case "external declaration":
		return "a declaration"
	case "block item":
		return "a statement"
	}
	return part
}

// inOtherWords is a fault that the library tells in the words of its own grammar and types.
func (f *faults) inOtherWords(e cfa.Error) (cfa.Error, bool) {
	if m := reAgain().FindStringSubmatch(e.Msg); m != nil {
		first := e.Pos
		e.Pos.File = m[2]
		e.Pos.Line, _ = strconv.Atoi(m[3])
		e.Pos.Col, _ = strconv.Atoi(m[4])
		e.Msg = fmt.Sprintf("%s is declared a second time, first at %v", m[1], first)
		return e, true
	}
	if m := reConflict().FindStringSubmatch(e.Msg); m != nil {
		e.Msg = fmt.Sprintf("%s is declared as %s, and at %s as %s", m[1], m[4], strings.TrimSuffix(m[2], ":"), m[3])
	}
	switch {
	case e.Msg == "unexpected rune: '\\n'" && reInclude().MatchString(f.line(e.Pos)):
		e.Msg = "the name of the file has no end: \" or > is missing"
		return e, true
	case e.Msg == "LHS must be unary-expression":
		e.Msg = "what stands before = cannot be assigned to"
		if m := reProduct().FindStringSubmatch(f.before(e.Pos)); m != nil {
			e.Msg = fmt.Sprintf("a product cannot be assigned to; or is %s to be a type? It is not declared",
				m[1]) + included(m[1])
		}
		return e, true
	case strings.HasPrefix(e.Msg, "invalid specifier(s) for"):
		e.Msg = "a parameter cannot be static, extern, auto or inline"
		return e, true
	case strings.HasPrefix(strings.TrimLeft(strings.TrimLeft(f.line(e.Pos), " \t"), "# \t"), "error") &&
		strings.HasPrefix(strings.TrimSpace(f.line(e.Pos)), "#"):
		e.Msg = "#error " + e.Msg
		return e, true
	}
	for short := reRecord().ReplaceAllString(e.Msg,
		"$1 $2"); short != e.Msg; short = reRecord().ReplaceAllString(e.Msg, "$1 $2") {
		e.Msg = short
	}
	return e, false
}

// headersOf are the headers of names that are often used without.
var headersOf = []struct {
	names  pattern.Pattern
	header string
}{
	{pattern.New(`^(u?int(8|16|32|64|ptr|max)_t|U?INT(8|16|32|64)_(MAX|MIN))$`), "stdint.h"},
	{pattern.New(`^(size_t|ptrdiff_t|NULL)$`), "stddef.h"},
	{pattern.New(`^(bool|true|false)$`), "stdbool.h"},
	{pattern.New(`^(FILE|stdin|stdout|stderr|EOF)$`), "stdio.h"},
	{pattern.New(`^(U?INT_MAX|INT_MIN|U?LONG_MAX|LONG_MIN|U?CHAR_MAX|CHAR_BIT)$`), "limits.h"},
	{pattern.New(`^(ssize_t|pid_t|off_t)$`), "sys/types.h"},
	{pattern.New(`^pthread_\w+$`), "pthread.h"},
}

// included says which header has a name that is not known, or nothing.
func included(name string) string {
	for _, h := range headersOf {
		if h.names().MatchString(name) {
			return "; #include <" + h.header + "> has it"
		}
	}
	return ""
}

// endBefore is the place behind the code before a place that is the first on its
// line.
func (f *faults) endBefore(p cfa.Pos) (cfa.Pos, bool) {
	if f.line(p) == "" || strings.TrimSpace(f.before(p)) != "" {
		return p, false
	}
	for p.Line--; p.Line > 0; p.Line-- {
		code := reComment().ReplaceAllString(f.line(p), "")
		if trimmed := strings.TrimSpace(code); trimmed == "" {
			continue
		} else if trimmed[0] == '#' || strings.HasSuffix(trimmed, "*/") || strings.HasSuffix(trimmed, "\\") {
			return p, false
		}
		p.Col = len(strings.TrimRight(code, " \t\r")) + 1
		return p, true
	}
	return p, false
}

// unclosed is the place of a brace of a file that is not closed: the first one whose } is the
// beginning of a line further to the left than its own line, or else the innermost that is left.
// Where braces depend on conditions nobody can tell.
func (f *faults) unclosed(file string) (at cfa.Pos) {
	text := []byte(strings.Join(f.text(file), "\n"))
	if reAlternative().Match(text) {
		return at
	}
	var open []int
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i = skipLiteral(text, i)
		case '/':
			i = skipComment(text, i)
		case '{':
			open = append(open, i)
		case '}':
			if len(open) == 0 {
				return at
			}
			last := open[len(open)-1]
			if indent, first := indentation(text, i); first {
				if opened, _ := indentation(text, last); indent < opened {
					return Source{Name: file, Text: text}.at(last)
				}
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		at = Source{Name: file, Text: text}.at(open[len(open)-1])
	}
	return at
}

// reAlternative is a condition of the preprocessor with several branches.
var reAlternative = pattern.New(`(?m)^[ \t]*#[ \t]*el(se|if)`)

// indentation is that of the line of an offset, and whether only blanks stand before the offset.
func indentation(text []byte, i int) (width int, first bool) {
	line := text[bytes.LastIndexByte(text[:i], '\n')+1:]
	width = len(line) - len(bytes.TrimLeft(line, " \t"))
	return width, len(text)-len(line)+width == i
}

// howToFind says what to do about a header that was not found.
func (f *faults) howToFind(name string) string {
	switch {
	case name[0] == '"':
		return "; -I DIR says where it is"
	case f.opt.Headers == BuiltinHeaders:
		return "; it does not come with magus: --headers=auto takes this machine's, -I DIR says where another one is"
	}
	return "; it comes neither with magus nor with this machine: -I DIR says where it is"
}

// follows reports whether a fault may follow from one before.
func (f *faults) follows(kept cfa.Errors, e cfa.Error) bool {
	if m := reUnknown().FindStringSubmatch(e.Msg); m != nil {
		known := f.unknown[m[1]]
		f.unknown[m[1]] = true
		return known
	}
	for _, k := range slices.Backward(kept) {
		if !e.Pos.IsValid() || k.Pos.File != e.Pos.File {
			continue
		}
		if k.Pos.Line == e.Pos.Line {
			return true
		}
		return isSyntax(k) && isSyntax(e) && k.Pos.Line < e.Pos.Line && !f.beginsAnew(k.Pos, e.Pos)
	}
	return false
}

// isSyntax reports whether a fault is the parser's.
func isSyntax(e cfa.Error) bool {
	for _, begin := range []string{"unexpected ", "expected ", "unknown word ", "unknown type "} {
		if strings.HasPrefix(e.Msg, begin) {
			return true
		}
	}
	return false
}

// beginsAnew reports whether a declaration seems to begin on a line behind one place
// and up to another.
func (f *faults) beginsAnew(from, to cfa.Pos) bool {
	all := f.text(from.File)
	if all == nil {
		return true // nobody can tell
	}
	for n := from.Line + 1; n <= min(to.Line, len(all)); n++ {
		if line := all[n-1]; reBegins().MatchString(line) && !reLabel().MatchString(line) {
			return true
		}
	}
	return false
}
