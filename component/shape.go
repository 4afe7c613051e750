package component

// What copies of one procedure have in common.
//
// Idea: programs have many components that were written, or generated, from one text: they differ in the
// names of variables and actions, and in constants. The control graphs of such components are equal up to
// these, edge by edge, for lowering numbers what it makes in the order of the text. So a path of one is a path of the
// other, by the numbers of its edges. If they differ in names only, one can be taken if the other can; with other
// constants that has to be asked.
//
// Cost: linear in the graph and its terms.

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"magus/smt/expr"
)

// A Shape is the same for graphs that are equal but for the names of variables and actions, and for constants that
// are numbers.
type Shape [sha256.Size]byte

// Shape is the shape of the graph.
func (g *Graph) Shape() Shape {
	w := shapeWriter{hash: sha256.New(), terms: map[*expr.Expr]int{}}
	w.number(len(g.nodes), len(g.Edges))
	for i := range g.Edges {
		e := &g.Edges[i]
		w.number(int(e.From), int(e.To), int(e.Loc), len(e.Guard), len(e.Update))
		for _, c := range e.Guard {
			w.term(c)
		}
		for _, u := range e.Update {
			w.term(u.Var)
			w.term(u.Term)
		}
	}
	return Shape(w.hash.Sum(nil))
}

// A shapeWriter numbers terms in the order in which they are met; a variable is its number. Numbers that are constants
// are not numbered, since one term may have two that are equal where the other has two that are not.
type shapeWriter struct {
	hash  hash.Hash
	terms map[*expr.Expr]int
	buf   []byte
}

func (w *shapeWriter) number(ns ...int) {
	w.buf = w.buf[:0]
	for _, n := range ns {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(n))
	}
	w.hash.Write(w.buf) // never fails
}

func (w *shapeWriter) term(t *expr.Expr) {
	if n, known := w.terms[t]; known {
		w.number(n)
		return
	}
	signed := 0
	if t.Type().Signed {
		signed = 1
	}
	if isNumber(t) {
		w.number(-2, int(t.Type().Width), signed, int(t.Type().Exp))
		return
	}
	for _, a := range t.Args() {
		w.term(a)
	}
	w.terms[t] = len(w.terms)
	w.number(-1, int(t.Op()), int(t.Type().Width), signed, int(t.Type().Exp), int(t.Value()), len(t.Args()))
	for _, a := range t.Args() {
		if isNumber(a) {
			w.number(-2)
		} else {
			w.number(w.terms[a])
		}
	}
}

// isNumber reports whether the term is a constant, but for what is true or false.
func isNumber(t *expr.Expr) bool { return t.IsConst() && !t.Type().IsBool() && t.Type() != expr.Mode }
