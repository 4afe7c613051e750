package predabs

// What a valuation settles of a question.
//
// Idea: abstract post asks which values some atoms may have after an edge, where the atoms before it
// have given ones. These are as many as variables hang together, and each of their valuations would
// be a question of its own. But a valuation says of most variables what they are: where i == 2 and x
// == i + 50 hold, x is 52, and y == x is a statement about y alone. So equations are put into all
// other conditions first. What is settled then needs no question, and the rest falls into pieces that
// share no variable, few of which have to do with what is asked. Pieces recur from one valuation to
// the next, and their answers are remembered: what is asked are pieces, and no more valuations.
//
// The answer is the same as that to the whole question, in the same order: values of the variables
// that are left give those of the variables that are gone, all arithmetic being that of bit-vectors,
// and a piece of which nothing is asked still has to have a model.
//
// Source: elimination of solved equations is the first step of every preprocessor (Brummayer, Biere:
// Boolector, TACAS 2009); splitting by variables: Cadar, Dunbar, Engler: KLEE, OSDI 2008, which keeps
// answers of pieces likewise.
//
// Cost: for each round of equations a substitution in all conditions; a round takes at least one variable away.

import (
	"cmp"
	"context"
	"encoding/binary"
	"math/bits"
	"slices"

	"magus/smt/expr"
)

// A question asks which truth values of terms go together with assumptions.
type question struct {
	pool           *expr.Pool
	terms, assumed []*expr.Expr
}

// A piece is a part of a question that shares no variable with the others.
type piece struct {
	bits           []int // of the terms, in rows of the question
	terms, assumed []*expr.Expr
}

// enumerate says which truth values of terms go together with the assumptions. Each
// row has bit i set iff terms[i] holds.
func (x *oracle) enumerate(ctx context.Context, terms, assumptions []*expr.Expr) ([]uint64, error) {
	if !computes(terms) && !computes(assumptions) {
		return x.recall(ctx, terms, assumptions)
	}
	q := &question{pool: x.terms, terms: slices.Clone(terms)}
	if possible, err := q.settle(ctx, assumptions); !possible || err != nil {
		return []uint64{}, err
	}
	rows := []uint64{q.constants()}
	for _, p := range q.pieces() {
		found, err := x.piece(ctx, p)
		if err != nil {
			return nil, err
		}
		if rows, err = p.combine(ctx, rows, found); len(rows) == 0 || err != nil {
			return rows, err
		}
	}
	slices.SortFunc(rows, func(a, b uint64) int { return cmp.Compare(bits.Reverse64(a), bits.Reverse64(b)) })
	return rows, nil
}

// computes reports whether one of some conditions is more than a comparison of variables and constants, for
// which the decision procedure is quick.
func computes(conds []*expr.Expr) bool {
	return slices.ContainsFunc(conds, func(c *expr.Expr) bool {
		c = positive(c)
		return len(c.Args()) > 0 && !(comparison(c) && len(c.Args()[0].Args())+len(c.Args()[1].Args()) == 0)
	})
}

func comparison(c *expr.Expr) bool { return c.Op() == expr.Eq || c.Op() == expr.Lt }

// positive is a condition without its negation.
func positive(c *expr.Expr) *expr.Expr {
	if c.Op() == expr.Not {
		return c.Args()[0]
	}
	return c
}

// settle puts equations in until there are no more; it reports false if the assumptions cannot hold.
func (q *question) settle(ctx context.Context, assumptions []*expr.Expr) (possible bool, err error) {
	for possible = q.assume(assumptions); possible; {
		if err := context.Cause(ctx); err != nil {
			return false, err
		}
		by := q.solved()
		if len(by) == 0 {
			return true, nil
		}
		possible = q.put(by)
	}
	return false, nil
}

// assume has the question assume conditions besides; it reports false if one of them cannot hold.
func (q *question) assume(conds []*expr.Expr) bool {
	for _, c := range conds {
		switch {
		case c.IsFalse():
			return false
		case c.Op() == expr.Land:
			if !q.assume(c.Args()) {
				return false
			}
		case !c.IsTrue():
			q.assumed = append(q.assumed, c)
		}
	}
	return true
}

// solved are variables with the terms that the assumptions say they are: constants, and where there
// are none, other variables with constants added. None of the terms has one of these variables, so
// that they are gone when the terms are put in.
func (q *question) solved() map[*expr.Expr]*expr.Expr {
	by, read := map[*expr.Expr]*expr.Expr{}, map[*expr.Expr]bool{}
	for _, c := range q.assumed {
		switch v := positive(c); {
		case v.Op() == expr.Var:
			by[v] = q.pool.Bool(v == c)
		case c.Op() == expr.Eq && c.Args()[0].Op() == expr.Var && c.Args()[1].IsConst():
			by[c.Args()[0]] = c.Args()[1]
		}
	}
	if len(by) > 0 {
		return by
	}
	for _, c := range q.assumed {
		if c.Op() != expr.Eq || c.Args()[0].Op() != expr.Var {
			continue
		}
		v, t := c.Args()[0], c.Args()[1]
		from := t
		if t.Op() == expr.Add && t.Args()[1].IsConst() {
			from = t.Args()[0]
		}
		if from.Op() == expr.Var && by[v] == nil && by[from] == nil && !read[v] {
			by[v], read[from] = t, true
		}
	}
	return by
}

// put substitutes terms for variables; it reports false if no assumption can hold any more.
func (q *question) put(by map[*expr.Expr]*expr.Expr) bool {
	q.pool.SubstAll(q.terms, by)
	assumed := q.assumed
	q.pool.SubstAll(assumed, by)
	slices.SortFunc(assumed, func(a, b *expr.Expr) int { return cmp.Compare(a.ID(), b.ID()) })
	q.assumed = nil
	return q.assume(slices.Compact(assumed))
}

// constants is a row with the terms that always hold.
func (q *question) constants() uint64 {
	var row uint64
	for i, t := range q.terms {
		if t.IsTrue() {
			row |= 1 << i
		}
	}
	return row
}

// pieces takes the question apart, without the terms that are constants.
func (q *question) pieces() []*piece {
	u := newUnionFind(len(q.assumed) + len(q.terms))
	for i, c := range slices.Concat(q.assumed, q.terms) {
		u.touch(i, expr.Vars(c))
	}
	var all []*piece
	of := map[int]*piece{}
	at := func(i int) *piece {
		root := u.find(i)
		if of[root] == nil {
			of[root] = &piece{}
			all = append(all, of[root])
		}
		return of[root]
	}
	for i, c := range q.assumed {
		p := at(i)
		p.assumed = append(p.assumed, c)
	}
	for i, t := range q.terms {
		if !t.IsConst() {
			p := at(len(q.assumed) + i)
			p.terms, p.bits = append(p.terms, t), append(p.bits, i)
		}
	}
	return all
}

// piece is the answer to a piece, asked for or remembered.
func (x *oracle) piece(ctx context.Context, p *piece) ([]uint64, error) {
	key := binary.AppendUvarint(nil, uint64(len(p.terms)))
	for _, c := range slices.Concat(p.terms, p.assumed) {
		key = binary.AppendUvarint(key, uint64(c.ID()))
	}
	if rows, known := x.pieces[string(key)]; known {
		return rows, nil
	}
	rows, err := x.recall(ctx, p.terms, p.assumed)
	if err != nil {
		return nil, err
	}
	x.pieces[string(key)] = rows
	return rows, nil
}

// combine joins each of some rows with each of the piece's.
func (p *piece) combine(ctx context.Context, rows, found []uint64) ([]uint64, error) {
	all := make([]uint64, 0, len(rows)*len(found))
	for _, f := range found {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		var row uint64
		for i, b := range p.bits {
			row |= f >> i & 1 << b
		}
		for _, r := range rows {
			all = append(all, r|row)
		}
	}
	return all, nil
}
