package source

// What the C library cannot type, and where that stands.
//
// The library says of some declarations only that it failed to type them, without a
// place. Then the place is found from outside: the shortest row of whole declarations
// from the beginning of the text on with which it fails too, by bisection. Conditions
// of the preprocessor around half a declaration may hide an end; the place is then that of
// an earlier one.
//
// Cost: as often as the declarations can be halved, the text is read once more.

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"

	"magus/cfa"
)

// reSpecifiers are the type specifiers that the library names in such a message.
var reSpecifiers = regexp.MustCompile(`\[((?:TypeSpecifier\w+ ?)+)\]`)

// reConfession is what the library says of itself in such a message.
var reConfession = regexp.MustCompile(`\bTODO\b:?|\*?cc\.\w+|missed/failed type check|internal error|\s-:|\s:\s*$`)

// misused marks what the library cannot read because it is no C.
const misused = "no C"

// misuses are messages of the library that stand for faults of the input, with what these are.
var misuses = []struct {
	message *regexp.Regexp
	says    string
}{
	{regexp.MustCompile(`internal error: (PrimaryExpression(Int|Float|Char|LChar|String|LString)|\*cc\.(ExpressionList|CastExpression|ConditionalExpression|` +
		`(LogicalOr|LogicalAnd|InclusiveOr|ExclusiveOr|And|Equality|Relational|Shift|Additive|Multiplicative)Expression))$`),
		"a value stands where a variable must stand: nothing can be assigned to it, and it has no address"},
	{regexp.MustCompile(`TODO ConditionalExpressionCond, t1 `), "the two values of ?: do not go together"},
	{regexp.MustCompile(`t pointer to .*, exprT (long )?(float|double)$`), "a floating-point number initialises a pointer"},
}

// arithmetic are the words that types of C are made of, each at most so often in one.
var arithmetic = map[string]bool{"void": true, "char": true, "short": true, "int": true, "long": true, "float": true, "double": true,
	"signed": true, "unsigned": true, "bool": true}

// misuse says what fault of the input a message stands for, "" if for none that is known.
func (s Source) misuse(msg string) string {
	for _, m := range misuses {
		if m.message.MatchString(msg) {
			return m.says
		}
	}
	if strings.HasSuffix(msg, "TODO *cc.LabeledStatement") && !bytes.Contains(s.Text, []byte("__label__")) {
		return "a label is defined a second time" // and no block has its own
	}
	m := reSpecifiers.FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(m[1], "TypeSpecifier", "")))
	other := 0
	for _, w := range words {
		switch {
		case w == "structorunion", w == "enum":
			return "two types stand behind each other; is a semicolon missing behind a }?"
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
	if m := reSpecifiers.FindStringSubmatch(msg); m != nil {
		words := strings.ToLower(strings.ReplaceAll(m[1], "TypeSpecifier", ""))
		return cfa.Unsupported(pos, "the type specifiers "+words+" together", "no type that is read has all of them")
	}
	hint := "write the declaration in another way, or leave it out with -D and #ifdef"
	if says := strings.TrimLeft(strings.Join(strings.Fields(reConfession.ReplaceAllString(msg, " ")), " "), ": "); says != "" {
		hint += "; the front end says: " + says
	}
	return cfa.Unsupported(pos, "a declaration that the C front end cannot type", hint)
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
	if !errors.As(err, &fault) || fault.Pos.Line > 0 || fault.Pos.File != s.Name {
		return err
	}
	ends := declarationEnds(s.Text)
	try := func(n int) error {
		part := s
		part.Text = s.Text[:ends[n]]
		_, err := translate(part, opt)
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
	fault.Pos = s.tokenAt(first)
	return fault
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
	before := s.Text[:min(i, len(s.Text))]
	pos := s.place(bytes.Count(before, []byte("\n")) + 1)
	pos.Col = len(before) - bytes.LastIndexByte(before, '\n')
	return pos
}
