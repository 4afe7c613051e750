package smtlib

// S-expressions, as far as solvers answer in them: atoms, lists, strings and
// quoted symbols, comments.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// An sexpr is an atom or, if atom is "", a list.
type sexpr struct {
	atom string // a string literal is kept as it is written
	list []sexpr
}

// String is the expression as one line.
func (s sexpr) String() string {
	if s.atom != "" {
		return s.atom
	}
	parts := make([]string, len(s.list))
	for i, x := range s.list {
		parts[i] = x.String()
	}
	return "(" + strings.Join(parts, " ") + ")"
}

const (
	maxAnswer = 1 << 22 // bytes of one answer
	maxDepth  = 1000
)

var errAnswer = errors.New("not an s-expression")

// A reader reads s-expressions one by one.
type reader struct {
	r    *bufio.Reader
	left int // bytes that this answer may still have
}

func (r *reader) readByte() (byte, error) {
	if r.left--; r.left < 0 {
		return 0, fmt.Errorf("%w: longer than %d bytes", errAnswer, maxAnswer)
	}
	return r.r.ReadByte()
}

// next reads one s-expression. At the end of the input it is io.EOF, and
// io.ErrUnexpectedEOF inside an expression.
func (r *reader) next() (sexpr, error) {
	r.left = maxAnswer
	c, err := r.skip()
	if err != nil {
		return sexpr{}, err
	}
	s, err := r.parse(c, 0)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return s, err
}

// skip reads up to the first byte that is neither space nor comment.
func (r *reader) skip() (byte, error) {
	for {
		c, err := r.readByte()
		switch {
		case err != nil:
			return 0, err
		case c == ';':
			for c != '\n' {
				if c, err = r.readByte(); err != nil {
					return 0, err
				}
			}
		case !isSpace(c):
			return c, nil
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// parse reads the expression that begins with c.
func (r *reader) parse(c byte, depth int) (sexpr, error) {
	switch {
	case c == ')':
		return sexpr{}, fmt.Errorf("%w: unexpected )", errAnswer)
	case c == '"' || c == '|':
		return r.quoted(c)
	case c != '(':
		return r.bareAtom(c)
	case depth == maxDepth:
		return sexpr{}, fmt.Errorf("%w: nested too deeply", errAnswer)
	}
	list := sexpr{list: []sexpr{}}
	for {
		c, err := r.skip()
		if err != nil {
			return sexpr{}, err
		}
		if c == ')' {
			return list, nil
		}
		x, err := r.parse(c, depth+1)
		if err != nil {
			return sexpr{}, err
		}
		list.list = append(list.list, x)
	}
}

// quoted reads a string, in which "" stands for a quote, or a |symbol|.
func (r *reader) quoted(q byte) (sexpr, error) {
	b := []byte{q}
	for {
		c, err := r.readByte()
		if err != nil {
			return sexpr{}, err
		}
		b = append(b, c)
		if c != q {
			continue
		}
		if next, err := r.r.Peek(min(1, r.r.Buffered())); q == '"' && err == nil && len(next) == 1 && next[0] == '"' {
			if c, err = r.readByte(); err != nil {
				return sexpr{}, err
			}
			b = append(b, c)
			continue
		}
		return sexpr{atom: string(b)}, nil
	}
}

func (r *reader) bareAtom(c byte) (sexpr, error) {
	b := []byte{c}
	for {
		c, err := r.readByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return sexpr{}, err
		}
		if isSpace(c) || c == '(' || c == ')' || c == ';' || c == '"' {
			if err := r.r.UnreadByte(); err != nil {
				return sexpr{}, err
			}
			break
		}
		b = append(b, c)
	}
	return sexpr{atom: string(b)}, nil
}

// value reads a constant: true, false, #b…, #x… or (_ bvN width).
func (s sexpr) value() (uint64, error) {
	a := s.atom
	switch {
	case a == "true":
		return 1, nil
	case a == "false":
		return 0, nil
	case strings.HasPrefix(a, "#b"):
		return strconv.ParseUint(a[2:], 2, 64)
	case strings.HasPrefix(a, "#x"):
		return strconv.ParseUint(a[2:], 16, 64)
	case len(s.list) == 3 && s.list[0].atom == "_" && strings.HasPrefix(s.list[1].atom, "bv"):
		return strconv.ParseUint(s.list[1].atom[2:], 10, 64)
	}
	return 0, fmt.Errorf("%v is not a value", s)
}
