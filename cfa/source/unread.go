package source

// What the C library cannot type, and where that stands.
//
// The library says of some declarations only that it failed to type them, without a place. Then the
// place is found from outside: the shortest row of whole declarations from the beginning of the text
// on with which it fails too, by bisection. Conditions of the preprocessor around half a declaration
// may hide an end; the place is then that of an earlier one. Within a function it is found once more
// in the same way, by statements, each row of which is closed by the braces that it leaves open.
//
// Cost: as often as the declarations can be halved, the text is read once more.

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"magus/cfa"
	"magus/internal/pattern"

	"modernc.org/cc/v4"
)

// reSpecifiers are the type specifiers that the library names in such a message.
var reSpecifiers = pattern.New(`\[((?:TypeSpecifier\w+ ?)+)\]`)

// reConfession is what the library says of itself in such a message.
var reConfession = pattern.New(`\bTODO\b:?|\*?cc\.\w+|missed/failed type check|internal error|\s-:|\s:\s*$`)

// misused marks what the library cannot read because it is no C.
const misused = "no C"

// twoTypes is said of a structure without a semicolon behind it, above all.
const twoTypes = "two types stand behind each other; is a semicolon missing behind a }?"

// incomplete is said of the condition of an #if that ends too early, or has what is none.
const incomplete = "the condition of this #if or #elif is not complete, or holds what is no integer"

// misuses are messages of the library that stand for faults of the input, with what these are.
var misuses = []struct {
	message pattern.Pattern
	says    string
}{
	{pattern.New(`^(-: )?internal error$`), incomplete},
	{pattern.New(
		`internal error: (PrimaryExpression(Int|Float|Char|LChar|String|LString)|PostfixExpression(Call|Inc|Dec)|` +
			`UnaryExpression(Addrof|Inc|Dec|Plus|Minus|Cpl|Not|SizeofExpr|SizeofType)|CastExpressionCast|\*cc\.(Enumerator|ExpressionList|CastExpression|ConditionalExpression|` +
			`(LogicalOr|LogicalAnd|InclusiveOr|ExclusiveOr|And|Equality|Relational|Shift|Additive|Multiplicative)Expression))$`),
		"a value stands where a variable must stand: nothing can be assigned to it, and it has no address"},
	{pattern.New(`TODO ConditionalExpressionCond, t1 `), "the two values of ?: do not go together"},
	{pattern.New(`t pointer to .*, exprT (long )?(float|double)$`), "a floating-point number initialises a pointer"},
	{pattern.New(`t pointer to .*, exprT (struct|union) `), "a structure or union initialises a pointer"},
	{pattern.New(`PrimaryExpressionFloat \S+ FERR strconv`),
		"a number is none: its digits, dots or letters do not go together"},
}

// arithmetic are the words that types of C are made of, each at most so often in one.
var arithmetic = map[string]bool{"void": true, "char": true, "short": true, "int": true, "long": true,
	"float": true, "double": true,
	"signed": true, "unsigned": true, "bool": true}

// misuse says what fault of the input a message stands for, "" if for none that is known.
func (s Source) misuse(msg string) string {
	for _, m := range misuses {
		if m.message().MatchString(msg) {
			return m.says
		}
	}
	if strings.HasSuffix(msg, "TODO *cc.LabeledStatement") && !bytes.Contains(s.Text, []byte("__label__")) {
		return "a label is defined a second time" // and no block has its own
	}
	m := reSpecifiers().FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(m[1], "TypeSpecifier", "")))
	other := 0
	for _, w := range words {
		switch {
		case w == "structorunion", w == "enum":
			return twoTypes
		case !arithmetic[w]:
			other++
		}
	}
	if other > 0 {
		return ""
	}
	return strings.Join(words, " ") + " is no type"
}

// unread is the error for something that the library cannot read.
func (s Source) unread(pos cfa.Pos, msg string) *cfa.UnsupportedError {
	if says := s.misuse(msg); says != "" {
		return cfa.Unsupported(pos, misused, says)
	}
	if m := reSpecifiers().FindStringSubmatch(msg); m != nil {
		words := strings.ToLower(strings.ReplaceAll(m[1], "TypeSpecifier", ""))
		return cfa.Unsupported(pos, "the type specifiers "+words+" together", "no type that is read has all of them")
	}
	hint := "write the declaration in another way, or leave it out with -D and #ifdef"
	if says := strings.TrimLeft(strings.Join(strings.Fields(reConfession().ReplaceAllString(msg, " ")), " "),
		": "); says != "" {
		hint += "; the front end says: " + says
	}
	return cfa.Unsupported(pos, "a declaration that the C front end cannot type", hint)
}

// reEnumeration is an enumeration as the library names its type.
var reEnumeration = pattern.New(`enum \w* ?\{[^{}]*\}`)

// integerWords match the integer types by the names that the library has for them, and enumerations.
const integerWords = `(?:(?:signed |unsigned )?(?:char|short|int|long long|long)|unsigned|enum \w* ?\{[^{}]*\})`

// mixedEnumeration is the error for a message that a name has two types which differ in nothing but that one has an
// enumeration where the other one has an integer type; nil for other ones. Whether it is that of the enumeration the
// library does not say.
func mixedEnumeration(e cfa.Error) *cfa.UnsupportedError {
	m := reConflict().FindStringSubmatch(e.Msg)
	if m == nil {
		return nil
	}
	for _, types := range [][2]string{{m[3], m[4]}, {m[4], m[3]}} {
		if parts := reEnumeration().Split(types[0], -1); len(parts) > 1 {
			for i := range parts {
				parts[i] = regexp.QuoteMeta(parts[i])
			}
			if regexp.MustCompile("^" + strings.Join(parts, integerWords) + "$").MatchString(types[1]) {
				return cfa.Unsupported(e.Pos, m[1]+", declared with an enumeration in one place and an integer type in another",
					"write the same type; the other one is at "+strings.TrimSuffix(m[2], ":"))
			}
		}
	}
	return nil
}

// asFault is an error as the fault of the input that it stands for, if it does.
func asFault(err error) error {
	var u *cfa.UnsupportedError
	if errors.As(err, &u) && u.What == misused {
		return cfa.Fault(u.Pos, u.Hint)
	}
	return err
}

// locate gives an error without a place that of the declaration at fault.
func (s Source) locate(ctx context.Context, opt Options, err error) error {
	var fault *cfa.UnsupportedError
	if !errors.As(err, &fault) || fault.Pos.File != s.Name {
		return err
	}
	if fault.Hint == incomplete && fault.Pos.Line == 0 {
		line, err := s.bisect(ctx, func(part Source) bool { return part.confesses(ctx, opt) })
		if fault.Pos = s.place(line); err != nil {
			return err
		}
		return fault
	}
	ends := declarationEnds(s.Text)
	if fault.Pos.Line > 0 {
		if fault.Hint == twoTypes {
			fault.Pos = s.behindBrace(fault.Pos, ends)
		}
		return err
	}
	try := func(n int) error {
		part := s
		part.Text = s.Text[:ends[n]]
		_, err := translate(ctx, part, opt)
		return err
	}
	good, bad := 0, len(ends)
	for good < bad && ctx.Err() == nil {
		var other *cfa.UnsupportedError
		if n := (good + bad) / 2; errors.As(try(n), &other) && other.Pos.Line == 0 {
			bad = n
		} else {
			good = n + 1
		}
	}
	first := 0
	for n := bad - 1; n >= 0 && first == 0 && ctx.Err() == nil; n-- {
		if try(n) == nil { // else it ends within the declaration, behind a structure
			first = ends[n]
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if bad >= len(ends) {
		fault.Pos = s.tokenAt(first)
		return fault
	}
	fault.Pos = s.tokenAt(s.statement(ctx, opt, first, ends[bad]))
	return fault
}

// behindBrace is the place behind the first brace that ends a declaration from a place on, or that place.
func (s Source) behindBrace(p cfa.Pos, ends []int) cfa.Pos {
	if s.Marked() {
		return p
	}
	for _, end := range ends {
		if at := s.at(end); s.Text[end-1] == '}' && at.Line >= p.Line {
			return at
		}
	}
	return p
}

// statement is where the first statement between two offsets begins at which the library fails, or the first offset if
// it is none of a function.
func (s Source) statement(ctx context.Context, opt Options, from, to int) int {
	ends := statementEnds(s.Text[from:to])
	fails := func(n int) bool {
		part := s
		row := s.Text[from : from+ends[n].behind]
		part.Text = slices.Concat(s.Text[:from], row, []byte("\n"+strings.TrimSuffix(ends[n].closing, "}")+
			missingLabels(row)+"}\n"))
		return part.confesses(ctx, opt)
	}
	good, bad := 0, len(ends)
	for good < bad && ctx.Err() == nil {
		if n := (good + bad) / 2; fails(n) {
			bad = n
		} else {
			good = n + 1
		}
	}
	if bad == 0 || bad >= len(ends) {
		return from
	}
	return from + ends[bad-1].behind
}

// confesses reports whether the library says of the source that it cannot read it, whatever else it says.
func (s Source) confesses(ctx context.Context, opt Options) bool {
	u, err := newUnit(ctx, s, opt)
	if err != nil {
		return false
	}
	_, err = cc.Translate(u.cfg, u.sources)
	return err != nil && reUnread().MatchString(err.Error())
}

// missingLabels defines the labels that statements go to and that are not among them.
func missingLabels(statements []byte) (labels string) {
	defined := map[string]bool{}
	for _, m := range reLabelled().FindAllSubmatch(statements, -1) {
		defined[string(m[1])] = true
	}
	for _, m := range reGoto().FindAllSubmatch(statements, -1) {
		if name := string(m[1]); !defined[name] {
			defined[name] = true
			labels += name + ":;"
		}
	}
	return labels
}

var (
	reGoto     = pattern.New(`\bgoto\s+(\w+)`)
	reLabelled = pattern.New(`[;{}:]\s*(\w+)\s*:`)
	reDo       = pattern.New(`\bdo\s*\{$`)
)

// A statementEnd is the end of a statement, or the brace before one, with what closes the statements around it.
type statementEnd struct {
	behind  int
	closing string
}

// statementEnds are those of a declaration.
func statementEnds(text []byte) (ends []statementEnd) {
	open, parens := []string{""}, 0 // what closes the braces that are open, at each depth
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i = skipLiteral(text, i)
		case '/':
			i = skipComment(text, i)
		case '#':
			i = skipDirective(text, i)
		case '(', '[':
			parens++
		case ')', ']':
			parens--
		case '{', '}', ';':
			switch innermost := open[len(open)-1]; {
			case parens > 0:
				continue
			case text[i] == '{' && reDo().Match(text[max(0, i-16):i+1]):
				open = append(open, "} while (0);"+innermost)
			case text[i] == '{':
				open = append(open, "}"+innermost)
			case text[i] == '}' && len(open) > 1:
				if open = open[:len(open)-1]; strings.HasPrefix(innermost, "} while") {
					continue // its condition follows
				}
			}
			if len(open) > 1 {
				ends = append(ends, statementEnd{i + 1, open[len(open)-1]})
			}
		}
	}
	return ends
}

// declarationEnds are the offsets behind the semicolons and braces that end a
// declaration of file scope.
func declarationEnds(text []byte) (ends []int) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'':
			i = skipLiteral(text, i)
		case '/':
			i = skipComment(text, i)
		case '#':
			i = skipDirective(text, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth = max(depth-1, 0); depth == 0 && text[i] == '}' {
				ends = append(ends, i+1)
			}
		case ';':
			if depth == 0 {
				ends = append(ends, i+1)
			}
		}
	}
	return ends
}

// skipDirective is the end of the line that the directive at i ends with.
func skipDirective(text []byte, i int) int {
	for i < len(text) {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return len(text)
		}
		i += n
		if !bytes.HasSuffix(bytes.TrimSuffix(text[:i], []byte("\r")), []byte("\\")) {
			return i
		}
		i++
	}
	return i
}

// tokenAt is the place of the first token from an offset on.
func (s Source) tokenAt(i int) cfa.Pos {
	for ; i < len(s.Text); i++ {
		switch c := s.Text[i]; c {
		case ' ', '\t', '\r', '\n', ';':
			continue
		case '/', '#':
			end := skipDirective(s.Text, i)
			if c == '/' {
				end = skipComment(s.Text, i)
			}
			if end > i {
				i = end
				continue
			}
		}
		break
	}
	return s.at(i)
}

// at is the place of an offset.
func (s Source) at(i int) cfa.Pos {
	before := s.Text[:min(i, len(s.Text))]
	pos := s.place(bytes.Count(before, []byte("\n")) + 1)
	pos.Col = len(before) - bytes.LastIndexByte(before, '\n')
	return pos
}
