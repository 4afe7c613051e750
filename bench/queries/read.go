package main

// The lines of package record's files as terms.
//
// Idea: a term is built as it is read. SMT-LIB's words have no sign, ours have one by type: all words are read as
// signed, and the operators of unsigned ones have theirs cast, which costs nothing in bits.

import (
	"fmt"
	"strconv"
	"strings"

	"magus/smt/expr"
)

// A reader has the variables, and the place in a line.
type reader struct {
	pool  *expr.Pool
	names map[string]*expr.Expr // variables, and what let binds
	rest  string
	err   error
}

func newReader() *reader { return &reader{pool: expr.NewPool(), names: map[string]*expr.Expr{}} }

// line is the condition that a line asserts, nil if it does something else.
func (r *reader) line(s string) *expr.Expr {
	r.rest = s
	r.next() // (
	switch r.next() {
	case "declare-const":
		name := r.next()
		t := expr.Bool
		if r.next() == "(" {
			r.next() // _
			r.next() // BitVec
			t = word(r.number())
		}
		r.names[name] = r.pool.Var(name, t)
	case "assert":
		return r.term()
	}
	return nil
}

func word(width int) expr.Type { return expr.Type{Width: uint8(width), Signed: true} }

// next is a bracket, a quoted symbol or a word; "" at the end.
func (r *reader) next() string {
	r.rest = strings.TrimLeft(r.rest, " \n")
	n := strings.IndexAny(r.rest, " ()\n")
	switch {
	case strings.HasPrefix(r.rest, "|"):
		n = strings.Index(r.rest[1:], "|") + 2
	case n == 0:
		n = 1
	case n < 0:
		n = len(r.rest)
	}
	t := r.rest[:n]
	r.rest = r.rest[n:]
	return t
}

func (r *reader) number() int {
	n, err := strconv.Atoi(r.next())
	if err != nil {
		r.err = err
	}
	return n
}

func (r *reader) term() *expr.Expr {
	switch t := r.next(); t {
	case "true", "false":
		return r.pool.Bool(t == "true")
	case "(":
		return r.application()
	default:
		if x := r.names[t]; x != nil {
			return x
		}
		r.err = fmt.Errorf("%q is not known", t)
		return r.pool.True()
	}
}

// application is a term in brackets, of which the first is read.
func (r *reader) application() *expr.Expr {
	head := r.next()
	switch head {
	case "_": // a constant
		v, err := strconv.ParseUint(strings.TrimPrefix(r.next(), "bv"), 10, 64)
		if err != nil {
			r.err = err
		}
		t := word(r.number())
		r.next()
		return r.pool.Const(t, v)
	case "let":
		r.next()
		r.next()
		name := r.next()
		r.names[name] = r.term()
		r.next()
		r.next()
		body := r.term()
		r.next()
		return body
	case "(": // ((_ op n …) x)
		r.next()
		op, n := r.next(), r.number()
		for r.next() != ")" {
		}
		x := r.term()
		r.next()
		return r.resized(op, n, x)
	}
	var args []*expr.Expr
	for r.err == nil && !strings.HasPrefix(r.rest, ")") {
		args = append(args, r.term())
		r.rest = strings.TrimLeft(r.rest, " ")
	}
	r.next()
	if r.err != nil {
		return r.pool.True()
	}
	return r.apply(head, args)
}

func (r *reader) resized(op string, n int, x *expr.Expr) *expr.Expr {
	switch op {
	case "extract":
		return r.pool.Cast(word(n+1), x)
	case "sign_extend":
		return r.pool.Cast(word(int(x.Type().Width)+n), x)
	}
	return r.pool.Cast(word(int(x.Type().Width)+n), r.unsigned(x))
}

func (r *reader) unsigned(x *expr.Expr) *expr.Expr {
	return r.pool.Cast(expr.Type{Width: x.Type().Width}, x)
}

func (r *reader) apply(op string, a []*expr.Expr) *expr.Expr {
	p := r.pool
	switch op {
	case "and":
		return p.Land(a...)
	case "or":
		return p.Lor(a...)
	case "not":
		return p.Not(a[0])
	case "ite":
		return p.Ite(a[0], a[1], a[2])
	case "=":
		return p.Eq(a[0], a[1])
	case "bvslt":
		return p.Lt(a[0], a[1])
	case "bvult":
		return p.Lt(r.unsigned(a[0]), r.unsigned(a[1]))
	case "bvneg":
		return p.Neg(a[0])
	case "bvnot":
		return p.Compl(a[0])
	}
	signed := map[string]func(a, b *expr.Expr) *expr.Expr{"bvadd": p.Add, "bvsub": p.Sub, "bvmul": p.Mul,
		"bvsdiv": p.Div, "bvsrem": p.Rem,
		"bvand": p.And, "bvor": p.Or, "bvxor": p.Xor, "bvshl": p.Shl, "bvashr": p.Shr}
	unsigned := map[string]func(a, b *expr.Expr) *expr.Expr{"bvudiv": p.Div, "bvurem": p.Rem, "bvlshr": p.Shr}
	switch {
	case signed[op] != nil:
		return signed[op](a[0], a[1])
	case unsigned[op] != nil:
		return p.Cast(a[0].Type(), unsigned[op](r.unsigned(a[0]), r.unsigned(a[1])))
	}
	r.err = fmt.Errorf("operator %s", op)
	return p.True()
}
