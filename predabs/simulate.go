package predabs

// The simulation of one cluster along a path; see cluster.go.

import (
	"context"

	"magus/component"
	"magus/smt/expr"
)

// A clusterEdge says how the cluster's valuations pass an edge when all its
// predicates are tracked.
type clusterEdge struct {
	touch        bool
	keep         mask // atoms that are their own weakest precondition
	consts, ones mask // atoms with a constant one, and where it is true
	moves        []maskMove
	open         mask // atoms that need the decision procedure
	guard        []clusterGuard
}

type maskMove struct {
	src, dst int
	negated  bool
}

// A clusterGuard is a conjunct of the guard that mentions the cluster.
type clusterGuard struct {
	cond    *expr.Expr
	bit     int // its atom if it is one of the cluster's, else -1
	negated bool
	// peer is an atom that compares the same term with a constant, or -1;
	// then bound is the comparison.
	peer  int
	bound bound
}

// edge prepares an edge.
func (k *cluster) edge(id int32) *clusterEdge {
	if ce := k.edges[id]; ce != nil {
		return ce
	}
	e := &k.x.Graph.Edges[id]
	ce := &clusterEdge{}
	for _, u := range e.Update {
		ce.touch = ce.touch || k.vars[u.Var]
	}
	for i, after := range k.at(e.To) { // atoms that begin to be tracked, where inference was cut short
		ce.touch = ce.touch || !after.minus(k.at(e.From)[i]).empty()
	}
	for _, g := range e.Guard {
		if cg, ok := k.guard(g); ok {
			ce.guard, ce.touch = append(ce.guard, cg), true
		}
	}
	for i, a := range k.atoms {
		w := k.x.planner.wp(e, a)
		src, negated, ok := k.x.atoms.find(w)
		j, mine := k.bit[src]
		switch {
		case w == k.x.atoms.terms[a]:
			ce.keep.add(i)
			continue
		case w.IsConst():
			ce.consts.add(i)
			if w.IsTrue() {
				ce.ones.add(i)
			}
		case ok && mine:
			ce.moves = append(ce.moves, maskMove{j, i, negated})
		default:
			ce.open.add(i)
		}
	}
	k.edges[id] = ce
	return ce
}

// guard reads a conjunct; false if it has nothing to do with the cluster.
func (k *cluster) guard(g *expr.Expr) (clusterGuard, bool) {
	mentions := false
	for _, v := range k.x.Graph.Concerned(g) {
		mentions = mentions || k.vars[v]
	}
	cg := clusterGuard{cond: g, bit: -1, peer: -1}
	a, negated, ok := k.x.atoms.find(g)
	cg.negated = negated
	if i, mine := k.bit[a]; ok && mine {
		cg.bit = i
	}
	lit := g
	if negated {
		lit = g.Args()[0]
	}
	if t := group(lit); t != lit {
		for i, b := range k.atoms {
			if s := k.x.atoms.terms[b]; group(s) == t && s != t {
				cg.peer, cg.bound = i, boundOf(lit)
				break
			}
		}
	}
	return cg, mentions
}

// A maskFactor is a part of the valuation: some atoms and the values they may
// have together. Within an edge, pre and post are the atoms before and after.
type maskFactor struct {
	pre, post mask
	rows      []passage
}

// A passage is one row on its way over an edge.
type passage struct{ pre, post mask }

// simulation carries factors along a path. Between edges, the rows' post is
// empty.
type simulation struct {
	k       *cluster
	part    []int
	known   mask // the atoms that are tracked; see tracked.go
	factors []maskFactor
	not     []uint64 // scratch
}

// run carries the part's valuations along the path. The error is errEmpty if
// none is left at some point, errRows if there are too many.
func (s *simulation) run(ctx context.Context, path []int32) error {
	for i, id := range path {
		if i&0x3ff == 0x3ff && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		ce := s.k.edge(id)
		if !ce.touch {
			continue
		}
		if err := s.pass(ctx, &s.k.x.Graph.Edges[id], ce); err != nil {
			return err
		}
	}
	return nil
}

// at is P_s of the part at a node.
func (s *simulation) at(n component.Node) mask {
	var m mask
	preds := s.k.at(n)
	for _, c := range s.part {
		m = m.or(preds[c])
	}
	return m
}

// pass carries the factors over an edge.
func (s *simulation) pass(ctx context.Context, e *component.Edge, ce *clusterEdge) error {
	src, dst := s.at(e.From).and(s.known), s.at(e.To)
	s.project(src) // what edges that do not touch the cluster have dropped
	open := dst.and(ce.open).or(dst.and(ce.keep).minus(src))
	for _, m := range ce.moves {
		if dst.has(m.dst) && !src.has(m.src) {
			open.add(m.dst)
		}
	}
	hard, err := s.easyGuards(ce, src, open)
	if err != nil {
		return err
	}
	s.known = dst
	if len(hard) > 0 || !open.empty() {
		free, err := s.hardParts(ctx, e, hard, src, open)
		if err != nil {
			return err
		}
		s.known = dst.minus(free)
	}
	s.move(ce, dst.minus(open))
	if fixed := dst.and(ce.consts); !fixed.empty() {
		s.factors = append(s.factors, maskFactor{pre: fixed, rows: []passage{{pre: ce.ones.and(fixed)}}})
	}
	return nil
}

// project drops atoms that are no longer tracked.
func (s *simulation) project(src mask) {
	fs := s.factors[:0]
	for _, f := range s.factors {
		if gone := f.pre.minus(src); !gone.empty() {
			if f.pre = f.pre.and(src); f.pre.empty() {
				continue
			}
			for i := range f.rows {
				f.rows[i].pre = f.rows[i].pre.and(src)
			}
			f.rows = dedupePassages(f.rows)
		}
		fs = append(fs, f)
	}
	s.factors = fs
}

// easyGuards filters rows by the guards that are tracked atoms, and, if no
// atom is open, by one that compares a term of which all that is tracked are
// comparisons with constants. It returns the others.
func (s *simulation) easyGuards(ce *clusterEdge, src, open mask) (hard []int, err error) {
	for i := range ce.guard {
		g := &ce.guard[i]
		if g.bit < 0 || !src.has(g.bit) {
			hard = append(hard, i)
			continue
		}
		if err := s.filter(g.bit, func(r mask) bool { return r.has(g.bit) != g.negated }); err != nil {
			return nil, err
		}
	}
	if len(hard) != 1 || !open.empty() {
		return hard, nil
	}
	g := &ce.guard[hard[0]]
	if g.peer < 0 || s.k.other[g.peer].meets(src) {
		return hard, nil
	}
	tracked := s.k.group[g.peer]
	tracked.add(g.peer)
	if tracked = tracked.and(src); tracked.empty() {
		return nil, nil // nothing is known of the term, and some value satisfies the guard
	}
	f := s.factorOf(tracked)
	if f < 0 {
		return hard, nil
	}
	return nil, s.filterFactor(f, func(r mask) bool { return s.consistent(g, tracked, r) })
}

// consistent decides a comparison by intervals.
func (s *simulation) consistent(g *clusterGuard, tracked, r mask) bool {
	c := newCell(group(s.k.x.atoms.terms[s.k.atoms[g.peer]]).Type(), s.not)
	c.add(g.bound, !g.negated)
	tracked.each(func(i int) { c.add(s.k.bound[i], r.has(i)) })
	s.not = c.not
	return c.inhabited()
}

// factorOf is the factor that holds all the given atoms, -1 if none does.
func (s *simulation) factorOf(atoms mask) int {
	for i := range s.factors {
		if s.factors[i].pre.meets(atoms) {
			if !atoms.minus(s.factors[i].pre).empty() {
				return -1
			}
			return i
		}
	}
	return -1
}

func (s *simulation) filter(bit int, keep func(r mask) bool) error {
	for i := range s.factors {
		if s.factors[i].pre.has(bit) {
			return s.filterFactor(i, keep)
		}
	}
	return nil
}

func (s *simulation) filterFactor(i int, keep func(r mask) bool) error {
	f := &s.factors[i]
	rows := f.rows[:0]
	for _, r := range f.rows {
		if keep(r.pre) {
			rows = append(rows, r)
		}
	}
	if f.rows = rows; len(rows) == 0 {
		return errEmpty
	}
	return nil
}

// move takes the atoms that are carried over to the far side of the edge.
func (s *simulation) move(ce *clusterEdge, dst mask) {
	keep := dst.and(ce.keep)
	fs := s.factors[:0]
	for _, f := range s.factors {
		post := f.post.or(f.pre.and(keep))
		moved := false
		for _, m := range ce.moves {
			if f.pre.has(m.src) && dst.has(m.dst) {
				post.add(m.dst)
				moved = true
			}
		}
		if !moved && f.post.empty() && post == f.pre {
			fs = append(fs, f)
			continue
		}
		for i := range f.rows {
			r := &f.rows[i]
			next := r.post.or(r.pre.and(keep))
			for _, m := range ce.moves {
				if f.pre.has(m.src) && dst.has(m.dst) && r.pre.has(m.src) != m.negated {
					next.add(m.dst)
				}
			}
			*r = passage{pre: next}
		}
		if f.pre, f.post = post, (mask{}); post.empty() {
			continue
		}
		f.rows = dedupePassages(f.rows)
		fs = append(fs, f)
	}
	s.factors = fs
}

// dedupePassages removes repeated rows; the order of first appearance stays.
func dedupePassages(rows []passage) []passage {
	out := rows[:0]
	if len(rows) > 16 {
		seen := make(map[passage]struct{}, len(rows))
		for _, r := range rows {
			if _, ok := seen[r]; !ok {
				seen[r] = struct{}{}
				out = append(out, r)
			}
		}
		return out
	}
next:
	for _, r := range rows {
		for _, o := range out {
			if o == r {
				continue next
			}
		}
		out = append(out, r)
	}
	return out
}
