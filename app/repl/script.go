package repl

// Scripts: the commands of the shell with conditions, loops and expectations.
//
// A line is a statement. if, elif, else, foreach and define open or continue a
// block, end closes it. Parsing looks at the first word of each line only, so
// what is wrong with blocks is known before anything runs; the rest of a line is
// read when it is executed, with the values that variables have then.

import (
	"fmt"
	"strings"
)

// A position in a script; the zero value stands for the prompt.
type position struct {
	file      string
	line, col int
}

// String is file:line:column.
func (p position) String() string { return fmt.Sprintf("%s:%d:%d", p.file, p.line, p.col) }

// A node is a statement of a script.
type node struct {
	pos  position
	text string // the line
	arms []arm  // of if and foreach
	body string // of define
}

// An arm is a block with the line that opens it.
type arm struct {
	pos  position
	text string
	body []node
}

// A syntaxError is what is wrong with a script, with its place.
type syntaxError struct {
	pos   position
	msg   string
	cause error // may be nil
}

func (e *syntaxError) Error() string { return e.pos.String() + ": " + e.msg }

func (e *syntaxError) Unwrap() error { return e.cause }

// maxDepth bounds blocks within blocks.
const maxDepth = 100

// parseScript parses the lines of a script.
func parseScript(file, text string) ([]node, error) {
	p := &blockParser{file: file, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	nodes, err := p.block(0)
	if err == nil && p.at < len(p.lines) {
		err = p.fail(firstWord(p.lines[p.at]) + " without if or foreach")
	}
	return nodes, err
}

type blockParser struct {
	file  string
	lines []string
	at    int
}

// pos is where the present line begins.
func (p *blockParser) pos() position {
	line := p.lines[p.at]
	return position{p.file, p.at + 1, 1 + len(line) - len(strings.TrimLeft(line, " \t"))}
}

// fail is an error at the present line.
func (p *blockParser) fail(msg string) error { return &syntaxError{pos: p.pos(), msg: msg} }

// firstWord is the word that decides what a line is.
func firstWord(line string) string {
	line = strings.TrimSpace(line)
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		line = line[:i]
	}
	return line
}

// opens reports whether a first word begins a block.
func opens(word string) bool { return word == "if" || word == "foreach" || word == "define" }

// block parses up to the line that closes or continues the block.
func (p *blockParser) block(depth int) ([]node, error) {
	var nodes []node
	for p.at < len(p.lines) {
		line := p.lines[p.at]
		first := firstWord(line)
		switch {
		case first == "" || first[0] == '#':
			p.at++
		case first == "end" || first == "elif" || first == "else":
			return nodes, nil
		case !opens(first):
			nodes = append(nodes, node{pos: p.pos(), text: line})
			p.at++
		case depth == maxDepth:
			return nil, p.fail("blocks within blocks too deep")
		default:
			n, err := p.compound(first, depth)
			if err != nil {
				return nil, err
			}
			nodes = append(nodes, n)
		}
	}
	return nodes, nil
}

// compound parses a statement that has blocks, to its end.
func (p *blockParser) compound(first string, depth int) (node, error) {
	n := node{pos: p.pos(), text: p.lines[p.at]}
	if first == "define" {
		return p.definition(n)
	}
	last := false // after else
	for {
		a := arm{pos: p.pos(), text: p.lines[p.at]}
		p.at++
		var err error
		if a.body, err = p.block(depth + 1); err != nil {
			return n, err
		}
		n.arms = append(n.arms, a)
		if p.at == len(p.lines) {
			return n, &syntaxError{pos: n.pos, msg: first + " without end"}
		}
		switch next := firstWord(p.lines[p.at]); {
		case next == "end":
			if strings.TrimSpace(p.lines[p.at]) != "end" {
				return n, p.fail("end stands alone")
			}
			p.at++
			return n, nil
		case first == "foreach" || last:
			return n, p.fail(next + " without if")
		default:
			last = next == "else"
			if last && strings.TrimSpace(p.lines[p.at]) != "else" {
				return n, p.fail("else stands alone; a further condition is elif")
			}
		}
	}
}

// definition takes the lines up to end as they are.
func (p *blockParser) definition(n node) (node, error) {
	var b strings.Builder
	fmt.Fprintln(&b, strings.TrimPrefix(strings.TrimSpace(p.lines[p.at]), "define"))
	for p.at++; p.at < len(p.lines); p.at++ {
		if strings.TrimSpace(p.lines[p.at]) == "end" {
			p.at++
			n.body = b.String()
			return n, nil
		}
		fmt.Fprintln(&b, p.lines[p.at])
	}
	return n, &syntaxError{pos: n.pos, msg: "define without end"}
}

// complete reports whether lines typed so far need no further ones.
func complete(lines []string) bool {
	depth, define := 0, false
	for _, line := range lines {
		first := firstWord(line)
		switch {
		case define:
			if strings.TrimSpace(line) == "end" {
				define = false
				depth--
			}
		case opens(first):
			depth++
			define = first == "define"
		case first == "end":
			depth--
		}
	}
	return depth <= 0
}
