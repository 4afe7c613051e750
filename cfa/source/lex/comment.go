package lex

// Comments, which are no tokens.
//
// Idea: the lexer passes comments where it passes white space. Whoever wants them gets the place and the text of each,
// and how it stands to the tokens around. So what looks like a comment within a string or a header name is none.
// Source: C11 6.4.9.
// Cost: linear in the text.

// A Comment is a comment of a text.
type Comment struct {
	Line, Col int    // where it begins
	Last      int    // the line in which it ends
	Text      string // with its marks; spliced lines are joined
	// Alone says that no token stands in the lines of the comment, but for other comments; Next is then the line of the
	// first token behind it, 0 if there is none.
	Alone bool
	Next  int
}

// Comments are the comments of a text, in their order.
func Comments(text []byte, d Dialect) []Comment {
	l := New(text, d)
	var all []Comment
	l.comment = func(from, to int) {
		c := Comment{Text: l.text[from:to], Alone: true}
		c.Line, c.Col = l.at(from)
		c.Last, _ = l.at(to)
		all = append(all, c)
	}
	known := 0  // of the comments, whose next token was met
	before := 0 // the line of the last token
	directive, header := false, false
	for {
		t := l.next(header)
		if t.Kind == Newline {
			directive, header = false, false
			continue
		}
		for ; known < len(all); known++ {
			c := &all[known]
			if t.Kind != EOF {
				c.Next = t.Line
			}
			c.Alone = c.Line != before && c.Last != c.Next
		}
		if t.Kind == EOF {
			return all
		}
		header = directive && (t.Text == "include" || t.Text == "include_next" || t.Text == "embed")
		directive = t.First && t.Text == "#"
		before = t.Line
	}
}

// next is the next token, which may be a header name where one is expected.
func (l *Lexer) next(header bool) Token {
	if header {
		return l.NextHeader()
	}
	return l.Next()
}
