package reword

import (
	"slices"

	"magus/cfa"
	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// A Rewording is a row of the table.
type Rewording struct {
	Name string
	// Why says what the parser does with the construct.
	Why string
	// Words are names and punctuators one of which is in every construct; none: it is looked for in every text.
	Words []string
	apply func(r *rewriter)
}

// Table are the rewordings in the order in which they are done.
func Table() []Rewording {
	return []Rewording{
		{"standard attributes", "brackets are read as an index", []string{"["}, standardAttributes},
		{"attributes without meaning", "they stand where the grammar of the parser has none",
			[]string{"__attribute__", "__attribute"}, plainAttributes},
		{"typeof_unqual", "it is a name", []string{"typeof_unqual", "__typeof_unqual__", "__typeof_unqual"}, unqualified},
		{"compound literals with storage classes", "they are not read", []string{"static", "register", "constexpr"},
			storedLiterals},
		{"constexpr", "it is a name", []string{"constexpr"}, constexprs},
		{"nullptr", "it is a name", []string{"nullptr", "nullptr_t"}, nullPointers},
		{"bool, true and false", "they are names", []string{"bool", "true", "false"}, booleans},
		{"null pointers before others", "a choice has the type of its first side", []string{"?"}, nullSides},
		{"constants that choose", "one before ?: stops the parser", []string{"?"}, constantChoices},
		{"auto", "an object without a type is an int", []string{"auto", "__auto_type"}, autoTypes},
		{"attributes behind asterisks", "those of a type are passed over", []string{"__attribute__", "__attribute"},
			behindAsterisks},
		{"attributes of single names",
			"of a member they are read behind the last one only, and mode chooses the type of one name",
			[]string{"__attribute__", "__attribute"}, severalNames},
		{"order of bytes", "the attribute is not heeded", []string{"scalar_storage_order", "__scalar_storage_order__"},
			byteOrders},
		{"another layout", "the attribute is not heeded", []string{"ms_struct", "__ms_struct__"}, otherLayouts},
		{"bit-precise integers", "they are taken for calls", []string{"_BitInt"}, bitPrecise},
		{"decimal floating point", "its conversions end in errors of the parser",
			[]string{"_Decimal32", "_Decimal64", "_Decimal128"}, decimals},
		{"other floating point of 16 bits", "the parser refuses it, and does not say where",
			[]string{"__fp16", "__bf16"}, otherHalves},
		{"_Float16", "the parser computes with it beside no integer", []string{"_Float16"}, halves},
		{"floating types of widths", "constants of them are computed with other precision", widthNames(), typesOfWidths},
		{"packed enumerations", "the attribute is not heeded", []string{"enum"}, packedEnumerations},
		{"enumerations in _Generic", "the colon behind one begins its type", []string{"_Generic"}, chosenEnumerations},
		{"any numbers that nothing declares", "they are taken to be integers", anyNumberNames(), undeclaredNumbers},
		{"numbers", "digits are not separated, and complex constants get other types", nil, numbers},
		{"characters", "constants of several characters, or with a prefix other than L, are not read", nil,
			characterConstants},
		{"literals that a string fills", "they are taken for arrays of one character", []string{"["}, filledLiterals},
		{"strings", "prefixes other than L are names, raw strings are none, and \\x ends behind two digits",
			nil, stringLiterals},
		{"definitions that another one replaces", "a function cannot be defined twice",
			[]string{"gnu_inline", "__gnu_inline__"}, replacedDefinitions},
		{"labels at the end of a block", "a statement has to follow", []string{":"}, labelEnds},
		{"labels before values of blocks", "the block has no value", []string{":"}, labelledValues},
		{"labels around functions", "those behind a function within another one are taken for its own",
			[]string{"goto"}, labelsAround},
		{"labels of blocks", "two of a function may not have one name", []string{"__label__"}, localLabels},
		{"inline assembly", "asm inline is not read", []string{"asm", "__asm", "__asm__"}, inlineAssembly},
		{"qualifiers in typeof", "a type is not read that begins with one",
			[]string{"typeof", "__typeof", "__typeof__"}, typeofQualifiers},
		{"designators without =", "an expression does not begin with a bracket", []string{"["}, olderDesignators},
		{"ranges beside designators", "they are refused", []string{"..."}, ranges},
		{"parameters of returned functions", "they are in the scope of the function's own", []string{"("},
			returnedParameters},
		{"lengths of parameters without names", "static is not read", []string{"static"}, leastLengths},
		{"lengths that are not said", "the asterisk is read as an operator", []string{"*"}, unknownLengths},
		{"alignments of expressions", "parentheses have to stand around one",
			[]string{"_Alignof", "__alignof__", "__alignof"}, alignments},
		{"the attribute mode", "it is not heeded", []string{"__attribute__", "__attribute"}, modes},
	}
}

// Run rewords the tokens of a unit.
func Run(tokens []preprocess.Token, long cfa.LongDouble) ([]preprocess.Token, error) {
	words := wordsOf(tokens)
	for _, row := range Table() {
		if !row.in(words) {
			continue
		}
		r := rewriter{in: tokens, long: long}
		row.apply(&r)
		if r.err != nil {
			return nil, r.err
		}
		if out := r.result(); len(out) != len(tokens) || len(out) > 0 && &out[0] != &tokens[0] {
			tokens, words = out, wordsOf(out)
		}
	}
	return tokens, nil
}

// wordsOf are the names and punctuators in a text.
func wordsOf(tokens []preprocess.Token) map[string]bool {
	words := map[string]bool{}
	for i := range tokens { // which are large
		if t := &tokens[i]; t.Kind == lex.Name || t.Kind == lex.Punct {
			words[t.Text] = true
		}
	}
	return words
}

// in reports whether the construct may be in a text with some words.
func (row Rewording) in(words map[string]bool) bool {
	for _, w := range row.Words {
		if words[w] {
			return true
		}
	}
	return row.Words == nil
}

// A rewriter goes over tokens and replaces some.
type rewriter struct {
	in   []preprocess.Token
	out  []preprocess.Token
	from int // what is behind it is not in out yet
	err  error
	long cfa.LongDouble

	before []preprocess.Token // declarations that go before everything
}

// replace puts tokens in the place of those from i to end.
func (r *rewriter) replace(i, end int, by ...preprocess.Token) {
	r.out = append(append(r.out, r.in[r.from:i]...), by...)
	r.from = end
}

// result are the tokens with what was replaced.
func (r *rewriter) result() []preprocess.Token {
	if r.out == nil && r.from == 0 && r.before == nil {
		return r.in
	}
	return append(append(r.before, r.out...), r.in[r.from:]...)
}

// refuse says that a construct is not supported.
func (r *rewriter) refuse(at preprocess.Token, what, hint string) {
	if r.err == nil {
		r.err = cfa.Unsupported(at.Pos(), what, hint)
	}
}

// fault says that a construct is none.
func (r *rewriter) fault(at preprocess.Token, what string) {
	if r.err == nil {
		r.err = cfa.Fault(at.Pos(), what)
	}
}

// is reports whether the tokens at i are some words.
func (r *rewriter) is(i int, words ...string) bool {
	if i < 0 || i+len(words) > len(r.in) {
		return false
	}
	for n, w := range words {
		if !r.in[i+n].Is(w) {
			return false
		}
	}
	return true
}

// isOneOf reports whether the token at i is one of some words.
func (r *rewriter) isOneOf(i int, words ...string) bool {
	for _, w := range words {
		if r.is(i, w) {
			return true
		}
	}
	return false
}

// closing is the place of what closes the bracket at i; the end of the text if nothing does.
func (r *rewriter) closing(i int) int {
	for depth := 0; i < len(r.in); i++ {
		if r.in[i].Kind != lex.Punct {
			continue
		}
		switch r.in[i].Text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth <= 0 {
				return i
			}
		}
	}
	return i
}

// opening is the place of what opens the bracket that closes at i; negative if nothing does.
func (r *rewriter) opening(i int) int {
	for depth := 0; i >= 0; i-- {
		if r.in[i].Kind != lex.Punct {
			continue
		}
		switch r.in[i].Text {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth--; depth <= 0 {
				return i
			}
		}
	}
	return i
}

// moved are tokens that stand elsewhere from now on.
func moved(tokens []preprocess.Token) []preprocess.Token {
	tokens = slices.Clone(tokens)
	for i := range tokens {
		tokens[i].Space, tokens[i].Macro = tokens[i].Space || i == 0, true
	}
	return tokens
}

// made are the tokens of a text, at a place.
func made(text string, at preprocess.Token) (tokens []preprocess.Token) {
	for l := lex.New([]byte(text), lex.Dialect{}); ; {
		t := l.Next()
		if t.Kind == lex.EOF {
			return tokens
		}
		if len(tokens) == 0 {
			t.Space = at.Space
		}
		t.Line, t.Col, t.First = at.Line, at.Col, false
		tokens = append(tokens, preprocess.Token{Token: t, File: at.File, Macro: true})
	}
}
