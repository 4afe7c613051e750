package lex

// A Kind is what a token is to the preprocessor.
type Kind uint8

// The kinds of C11 6.4, the end of a line and that of the text.
const (
	EOF Kind = iota
	Newline
	Name
	Number
	Char   // with its prefix and quotes
	String // with its prefix and quotes
	Header // <name> or "name", where the preprocessor asks for one
	Punct
	Other // a character that is no token of C, such as a lone backslash or quote
)

// A Token is a preprocessing token.
type Token struct {
	Kind  Kind
	Text  string // without splices; of a name, universal character names are the characters
	As    string // as it was written, where Text is not; "" elsewhere
	Line  int    // of its first byte, from 1
	Col   int    // in bytes, from 1
	Space bool   // white space stands before it
	First bool   // nothing but white space stands before it in its line
}

// Spelling is the token as it was written, but for splices and trigraphs.
func (t Token) Spelling() string {
	if t.As != "" {
		return t.As
	}
	return t.Text
}

// Is reports whether the token is a punctuator or a name. Digraphs are the punctuators that they stand for.
func (t Token) Is(s string) bool { return t.Text == s && (t.Kind == Punct || t.Kind == Name) }

// Prefix is the encoding prefix of a character constant or string, with the R of a raw one.
func (t Token) Prefix() string {
	for i := range len(t.Text) {
		if c := t.Text[i]; c == '"' || c == '\'' {
			return t.Text[:i]
		}
	}
	return ""
}

// A Dialect is what standards of C differ in here. The zero value is GNU C with everything that does not change
// the meaning of older texts.
type Dialect struct {
	Trigraphs bool // ??= is #
	NoRaw     bool // R"(a)" is a name and a string
	NoUnicode bool // u8"a", u"a" and U"a" are names and strings
	NoDigraph bool // <: is no bracket
}
