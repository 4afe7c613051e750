package syntax

// A Cursor goes through tokens. A copy of it remembers a place to return to.
type Cursor struct {
	src    *Source
	tokens []Token
	at     int
}

// NewCursor stands before the first token of what Scan returned.
func NewCursor(src *Source, tokens []Token) Cursor { return Cursor{src: src, tokens: tokens} }

// Peek is the next token.
func (c *Cursor) Peek() Token { return c.PeekAt(0) }

// PeekAt is the token that stands n behind the next one.
func (c *Cursor) PeekAt(n int) Token { return c.tokens[min(c.at+n, len(c.tokens)-1)] }

// Next is the next token, and goes past it unless it is the end.
func (c *Cursor) Next() Token {
	t := c.Peek()
	if t.Kind != End {
		c.at++
	}
	return t
}

// Is reports whether the next token is one of the words or signs.
func (c *Cursor) Is(texts ...string) bool {
	t := c.Peek()
	for _, text := range texts {
		if t.Kind != End && t.Kind != Number && t.Text == text {
			return true
		}
	}
	return false
}

// Accept goes past the next token if it is one of the words or signs.
func (c *Cursor) Accept(texts ...string) bool {
	if !c.Is(texts...) {
		return false
	}
	c.at++
	return true
}

// Expect goes past a word or sign that must stand here.
func (c *Cursor) Expect(text string) error {
	if c.Accept(text) {
		return nil
	}
	return c.Unexpected("expected " + text)
}

// Unexpected is an error at the next token; what says what is wrong, without what stands there.
func (c *Cursor) Unexpected(what string) error {
	t := c.Peek()
	found := "the end of the file"
	if t.Kind != End {
		found = t.Text
	}
	return c.src.Errorf(t.Offset, "%s, found %s", what, found)
}

// Errorf is an error at a token.
func (c *Cursor) Errorf(t Token, format string, args ...any) error {
	return c.src.Errorf(t.Offset, format, args...)
}

// Pos is the place of a token.
func (c *Cursor) Pos(t Token) Pos { return c.src.Pos(t.Offset) }

// Name goes past a name that must stand here; what says what it is the name of.
func (c *Cursor) Name(what string) (Token, error) {
	if t := c.Peek(); t.Kind == Name {
		return c.Next(), nil
	}
	return Token{}, c.Unexpected("expected " + what)
}

// Number goes past a number that must stand here.
func (c *Cursor) Number() (Token, error) {
	if t := c.Peek(); t.Kind == Number {
		return c.Next(), nil
	}
	return Token{}, c.Unexpected("expected a number")
}
