package predabs

// Elimination of a spurious path, the plain way: the reference for the clusters
// of cluster.go, which fall back on it where their limits are reached.
//
// Idea: a set of candidates eliminates a path if MP built from it has no run
// along the same control points. That is decided on the path alone: carry the
// set of possible valuations of P_s along it by abstract post, and see whether
// it becomes empty.
//
// The set is kept as a product of factors: groups of atoms with their own set
// of rows, which are merged only where an edge relates them. Unrelated
// predicates therefore cost their sum and not their product.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 6.2, algorithm CEEliminate (figure 8), "on the fly
// without constructing the full MP". The factors are ours; they represent the
// same set exactly, since the parts of an abstract post are independent.
//
// Laws: monotone in the candidates (more predicates split regions, and a chain
// of regions splits only into chains that it covers). Two limits can break the
// law towards "not eliminated", never the other way: a factor of more than
// maxKey atoms or maxRows rows gives up.
//
// Cost: edges of the path × factors touched × rows.

import (
	"context"
	"slices"
)

const maxRows = 1 << 14

type row [maskWords]uint64

func (r row) bit(i int) uint64 { return r[i/64] >> (i % 64) & 1 }

func (r *row) set(i int, b uint64) { r[i/64] |= b << (i % 64) }

// A factor is a set of valuations of some atoms.
type factor struct {
	atoms []atom // sorted
	rows  []row  // bit i is the value of atoms[i]
}

// follow carries the valuations of P_s, for the candidates of set, along the
// path. The error is errEmpty if none is left at some point: the set then
// eliminates the path. It is errRows if there are too many to follow.
func (x *eliminator) follow(ctx context.Context, path []int32, set []int) error {
	var src []atom
	var fs []factor
	for i, id := range path {
		if i&0xff == 0xff && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e := &x.Graph.Edges[id]
		dst, err := x.inferrer.predicates(ctx, e.To, set)
		if err != nil {
			return err
		}
		p := x.planner.plan(e, src, dst)
		src = p.after
		if p.never {
			return errEmpty
		}
		if p.same {
			continue
		}
		if fs, err = x.pass(ctx, p, fs); err != nil {
			return err
		}
	}
	return nil
}

type sentinel string

func (e sentinel) Error() string { return string(e) }

const (
	errEmpty = sentinel("no valuation is left")
	errRows  = sentinel("too many valuations")
)

// passing is one edge's work on factors: clusters of factors that a table
// joins, each with the parts of the plan that concern it.
type passing struct {
	factors []int
	require []setBit
	moves   []move
	tables  []*table
}

// pass carries factors over an edge.
func (x *eliminator) pass(ctx context.Context, p *plan, fs []factor) ([]factor, error) {
	clusters := clusters(p, fs)
	var next []factor
	for i := range clusters {
		c := &clusters[i]
		if c.factors == nil && c.tables == nil {
			continue
		}
		f, err := x.passCluster(ctx, c, fs)
		if err != nil {
			return nil, err
		}
		if len(f.atoms) > 0 {
			next = append(next, f)
		}
	}
	return append(next, x.constants(p.consts)...), nil
}

// clusters groups the parts of a plan by the factors that they touch.
func clusters(p *plan, fs []factor) []passing {
	u := newUnionFind(len(fs) + len(p.tables))
	owner := map[atom]int{}
	for i, f := range fs {
		for _, a := range f.atoms {
			owner[a] = i
		}
	}
	for i, t := range p.tables {
		for _, a := range t.src {
			if j, ok := owner[a]; ok {
				u.join(len(fs)+i, j)
			}
		}
	}
	cs := make([]passing, len(fs)+len(p.tables))
	for i := range fs {
		c := &cs[u.find(i)]
		c.factors = append(c.factors, i)
	}
	for i, t := range p.tables {
		c := &cs[u.find(len(fs)+i)]
		c.tables = append(c.tables, t)
	}
	for _, r := range p.require {
		if j, ok := owner[r.atom]; ok {
			c := &cs[u.find(j)]
			c.require = append(c.require, r)
		}
	}
	for _, m := range p.moves {
		if j, ok := owner[m.src]; ok {
			c := &cs[u.find(j)]
			c.moves = append(c.moves, m)
		}
	}
	return cs
}

// passCluster merges the cluster's factors and carries them over the edge.
func (x *eliminator) passCluster(ctx context.Context, c *passing, fs []factor) (factor, error) {
	f := factor{rows: []row{{}}}
	for _, i := range c.factors {
		var err error
		if f, err = merge(f, fs[i]); err != nil {
			return f, err
		}
	}
	if c.unchanged(f) {
		return f, nil
	}
	out := factor{}
	for _, m := range c.moves {
		out.atoms = append(out.atoms, m.dst)
	}
	for _, t := range c.tables {
		out.atoms = append(out.atoms, t.dst...)
	}
	slices.Sort(out.atoms)
	if len(out.atoms) > maxKey {
		return out, errRows
	}
	for _, r := range f.rows {
		if err := x.passRow(ctx, c, &f, r, &out); err != nil {
			return out, err
		}
	}
	out.rows = dedupe(out.rows)
	if len(out.rows) == 0 {
		return out, errEmpty
	}
	return out, nil
}

// unchanged recognises the common case: every atom is carried over from
// itself and nothing is asked.
func (c *passing) unchanged(f factor) bool {
	if len(c.require)+len(c.tables) > 0 || len(c.moves) != len(f.atoms) {
		return false
	}
	return !slices.ContainsFunc(c.moves, func(m move) bool { return m.src != m.dst || m.negated })
}

// passRow adds to out what one row becomes.
func (x *eliminator) passRow(ctx context.Context, c *passing, f *factor, r row, out *factor) error {
	for _, q := range c.require {
		if i, ok := slices.BinarySearch(f.atoms, q.atom); ok && (r.bit(i) == 1) != q.value {
			return nil
		}
	}
	var base row
	for _, m := range c.moves {
		i, from := slices.BinarySearch(f.atoms, m.src)
		j, to := slices.BinarySearch(out.atoms, m.dst)
		if from && to {
			b := r.bit(i)
			if m.negated {
				b ^= 1
			}
			base.set(j, b)
		}
	}
	results := []row{base}
	for _, t := range c.tables {
		rows, err := x.tableRows(ctx, t, f, r)
		if err != nil {
			return err
		}
		if results = dedupe(filledIn(results, rows, t.dst, out.atoms)); len(results) > maxRows {
			return errRows
		}
	}
	if out.rows = append(out.rows, results...); len(out.rows) > maxRows {
		if out.rows = dedupe(out.rows); len(out.rows) > maxRows {
			return errRows
		}
	}
	return nil
}

// filledIn are all combinations of a row and the values of dst that a table
// gives, as rows over atoms.
func filledIn(bases []row, values []uint64, dst, atoms []atom) []row {
	all := make([]row, 0, len(bases)*len(values))
	for _, base := range bases {
		for _, bits := range values {
			r := base
			for k, d := range dst {
				if j, ok := slices.BinarySearch(atoms, d); ok {
					r.set(j, bits>>k&1)
				}
			}
			all = append(all, r)
		}
	}
	return all
}

// tableRows looks up a table for one row of a factor.
func (x *eliminator) tableRows(ctx context.Context, t *table, f *factor, r row) ([]uint64, error) {
	var key [maskWords]uint64
	for k, a := range t.src {
		if i, ok := slices.BinarySearch(f.atoms, a); ok {
			key[k/64] |= r.bit(i) << (k % 64)
		}
	}
	return x.planner.lookup(ctx, t, key)
}

// constants makes factors of atoms with fixed values, one for each group of
// atoms over one term.
func (x *eliminator) constants(cs []setBit) []factor {
	var fs []factor
	where := map[any]int{}
	for _, c := range cs {
		g := group(x.atoms.terms[c.atom])
		i, ok := where[g]
		if !ok || len(fs[i].atoms) == maxKey {
			i = len(fs)
			where[g] = i
			fs = append(fs, factor{rows: []row{{}}})
		}
		var b uint64
		if c.value {
			b = 1
		}
		fs[i].rows[0].set(len(fs[i].atoms), b) // constants come in order of their atoms
		fs[i].atoms = append(fs[i].atoms, c.atom)
	}
	return fs
}

// merge is the product of two factors.
func merge(a, b factor) (factor, error) {
	if len(a.atoms) == 0 {
		return b, nil
	}
	if len(a.rows)*len(b.rows) > maxRows {
		return a, errRows
	}
	m := factor{atoms: mergeAtoms(a.atoms, b.atoms)}
	if len(m.atoms) > maxKey {
		return a, errRows
	}
	for _, ra := range a.rows {
		for _, rb := range b.rows {
			var r row
			for i, t := range m.atoms {
				if j, ok := slices.BinarySearch(a.atoms, t); ok {
					r.set(i, ra.bit(j))
				} else if j, ok := slices.BinarySearch(b.atoms, t); ok {
					r.set(i, rb.bit(j))
				}
			}
			m.rows = append(m.rows, r)
		}
	}
	m.rows = dedupe(m.rows)
	return m, nil
}

func dedupe(rows []row) []row {
	slices.SortFunc(rows, func(a, b row) int {
		for i := range a {
			if a[i] != b[i] {
				if a[i] < b[i] {
					return -1
				}
				return 1
			}
		}
		return 0
	})
	return slices.Compact(rows)
}
