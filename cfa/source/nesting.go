package source

// How deep the syntax tree of a text can be.
//
// The library and the lowering follow the tree by recursion, and a stack that
// overflows ends a Go program at once. So before a text is parsed its tokens
// are counted on the way from the root of the tree: those before a place that
// neither a closing bracket nor the end of a statement or of an element of a
// list has taken back. That is at least the depth of the tree there, but for a
// factor, without a grammar: an else goes back to its if, a list's element to
// the last keyword or label that it belongs to.
//
// What macros make is counted as well. Cost: linear in the tokens.

import (
	"errors"
	"fmt"

	"magus/cfa"
	"magus/cfa/source/preprocess"
)

const (
	maxBrackets = 2000    // open at one place
	maxPath     = 20_000  // tokens, roughly, from the root of the tree to a leaf
	maxElements = 500_000 // of one list: the library's lists are linked, and what prints them is recursive
)

var (
	errDeep = errors.New("nested too deeply")
	errLong = fmt.Errorf("a list of more than %d elements", maxElements)
)

// A nesting is what has been met of a text, token by token.
type nesting struct {
	path  int       // tokens on the way to here
	open  []bracket // with a first one for the text as a whole
	ifs   []int     // paths of the ifs that an else may still belong to
	ended bool      // by ; or }: the statement, unless an else goes on with it
	brace bool      // by }
}

// A bracket is an open one.
type bracket struct {
	path  int // where it was opened
	floor int // where the parts of a list begin
	ifs   int // before it
	asked int // question marks without their colon
	// elements counts commas, and within parentheses, where a list may be part
	// of an expression, semicolons.
	elements int
	within   bool
}

func newNesting() nesting { return nesting{open: []bracket{{}}} }

// token counts a token. The error is errDeep or errLong.
func (n *nesting) token(text string) error {
	top := &n.open[len(n.open)-1]
	if n.ended {
		n.next(top, text)
	}
	n.path++
	switch text[0] {
	case '(', '[', '{':
		n.push(text[0] != '{')
	case ')', ']', '}':
		n.pop(text[0] == '}')
	case ':':
		if top.asked == 0 { // a label
			top.floor++
			n.path = top.floor
		}
		top.asked = max(0, top.asked-1)
	case '?':
		top.asked++
	case ',':
		n.path = top.floor
		top.elements++
	case ';':
		n.end(top)
		n.ended, n.brace = true, false
	case 'c', 'd', 'f', 'i', 's', 'w':
		switch text {
		case "if":
			n.ifs = append(n.ifs, n.path)
			top.floor = n.path
		case "case", "default", "do", "for", "switch", "while":
			top.floor = n.path
		}
	}
	switch {
	case n.path > maxPath, len(n.open) > maxBrackets+1:
		return errDeep
	case top.elements > maxElements:
		return errLong
	}
	return nil
}

// end is the end of a statement or declaration.
func (n *nesting) end(top *bracket) {
	n.path, top.floor, top.asked = top.path, top.path, 0
	if top.elements++; !top.within {
		top.elements = 0
	}
}

// next is the token after the end of a statement, or of what may be one.
func (n *nesting) next(top *bracket, text string) {
	n.ended = false
	switch {
	case text == "else" && len(n.ifs) > top.ifs:
		n.path = n.ifs[len(n.ifs)-1]
		n.ifs = n.ifs[:len(n.ifs)-1]
		top.floor = n.path
	case !n.brace || isWord(text[0]) || text[0] == '{' || text[0] == '}' || text[0] == ';':
		n.ifs = n.ifs[:top.ifs]
		n.end(top)
	}
}

func (n *nesting) push(paren bool) {
	n.open = append(n.open, bracket{path: n.path, floor: n.path, ifs: len(n.ifs), within: paren ||
		n.open[len(n.open)-1].within})
}

// pop goes back to where the innermost bracket was opened.
func (n *nesting) pop(brace bool) {
	if len(n.open) == 1 {
		return
	}
	b := n.open[len(n.open)-1]
	n.open = n.open[:len(n.open)-1]
	n.path, n.ifs = b.path, n.ifs[:b.ifs]
	n.ended, n.brace = brace, brace
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// tooDeep finds the first token at which a unit exceeds the limits.
func tooDeep(tokens []preprocess.Token) error {
	n := newNesting()
	for _, t := range tokens {
		if err := n.token(t.Text); err != nil {
			how := ""
			if t.Macro {
				how = " once its macros are expanded"
			}
			return cfa.Fault(t.Pos(), err.Error()+how)
		}
	}
	return nil
}
