package bounded

// Unrolling.
//
// Idea: all runs that close at most k loops (pass at most k edges that go back in the
// order of the nodes) are one formula. Layer by layer, each point (a node of the
// graph with a state of the specification) has at most one instance: the condition
// under which a run gets there, and the values that the variables then have, as terms
// over initial values and choices. Where branches join, values become conditional
// terms; branches without another effect leave none. So a layer's size is that of
// the program, however many paths it has.
//
// Where several edges can be taken at once, a choice says which one is, so that under
// one valuation there is one run, and a model of the formula is a path.
//
// Source: Biere, Cimatti, Clarke, Zhu: Symbolic Model Checking without BDDs, TACAS 1999;
// on C, with joins: Clarke, Kroening, Lerda: A Tool for Checking ANSI-C Programs,
// TACAS 2004. Deviations: loops are not unrolled one by one, each to a bound of its own,
// but all together, layer by layer, so that one number is the bound; and layers are
// added to one incremental solver.
//
// Cost: per layer, the edges and, at joins, the live variables that differ.

import (
	"context"
	"fmt"

	"magus/component"
	"magus/lts"
	"magus/smt/bitblast"
	"magus/smt/expr"
	"magus/smt/symbolic"
)

// An unrolling is the formula so far.
type unrolling struct {
	*flow
	pool          *expr.Pool
	solver        *bitblast.Solver
	spec          *lts.LTS
	passed        int64                              // edges
	rewritten     int64                              // operations on floating-point values that made terms
	taken         [][]*expr.Expr                     // by edge: the conditions under which it is taken, by layer
	serial        int                                // of choices
	now           [][]*instance                      // by rank: of this layer
	next          [][]*instance                      // of the next one
	rank          int                                // the first that is not expanded yet
	depth         int                                // the number of this layer
	hits          []arrival                          // of this layer, by which the specification is left
	cuts          []arrival                          // of all layers: what is not followed any further
	barred        func(*component.Edge) bool         // edges that are not taken; nil for none
	accelerations map[component.Node][]*acceleration // of heads of loops; nil to go round by round
	accelerated   []layerAcceleration                // by number of an edge beyond the graph's
	visit         func(*instance)                    // sees each instance before it is expanded; nil for none
}

// An instance is a point in one layer.
type instance struct {
	node component.Node
	spec lts.State
	in   []arrival
	cond *cond // where all have arrived
	env  symbolic.Env
}

// An arrival leads to an instance: over an edge from another one.
type arrival struct {
	from *instance
	edge int32 // -1 for the beginning; beyond the graph's, an acceleration
	cond *cond
	env  symbolic.Env // nil once it is merged with the others
}

func newUnrolling(f *flow, spec *lts.LTS) *unrolling {
	pool := f.graph.Comp.CFA.Pool
	u := &unrolling{flow: f, pool: pool, solver: bitblast.New(pool), spec: spec, taken: make([][]*expr.Expr, len(f.edges))}
	u.now, u.next = make([][]*instance, len(f.order)), make([][]*instance, len(f.order))
	return u
}

// start has runs begin at a point under a condition, with any values.
func (u *unrolling) start(n component.Node, q lts.State, c *cond) {
	initial := symbolic.New(len(u.vars))
	u.arrive(u.now, n, q, arrival{edge: -1, cond: c, env: initial})
}

// arrive adds an arrival to the instance of a point.
func (u *unrolling) arrive(layer [][]*instance, n component.Node, q lts.State, a arrival) {
	r := u.flow.rank[n]
	for _, in := range layer[r] {
		if in.spec == q {
			in.in = append(in.in, a)
			return
		}
	}
	layer[r] = append(layer[r], &instance{node: n, spec: q, in: []arrival{a}})
}

// sweep expands the layer's instances in the order of their nodes, as long as more
// agrees.
func (u *unrolling) sweep(ctx context.Context, more func() bool) error {
	for ; u.rank < len(u.now); u.rank++ {
		if len(u.now[u.rank]) == 0 {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !more() {
			return errSpent
		}
		before := u.pool.Work()
		for _, in := range u.now[u.rank] {
			u.join(in)
			if u.visit != nil {
				u.visit(in)
			}
			u.expand(in)
		}
		u.rewritten += u.pool.Work() - before
	}
	return nil
}

// deeper goes on to the next layer, and reports whether there is one.
func (u *unrolling) deeper() bool {
	some := false
	for _, at := range u.next {
		some = some || len(at) > 0
	}
	clear(u.now)
	u.now, u.next = u.next, u.now
	u.rank, u.hits = 0, nil
	u.depth++
	return some
}

// passEffort is the effort of passing an edge, in propagations.
const passEffort = 32

// operations are as many on floating-point values as take the time of a propagation.
const operations = 4

// effort is what was done so far.
func (u *unrolling) effort() int64 {
	return u.solver.Effort() + passEffort*u.passed + u.rewritten/operations
}

// arrivals are those in the present layer.
func (u *unrolling) arrivals() []arrival {
	var all []arrival
	for _, at := range u.now {
		for _, in := range at {
			all = append(all, in.in...)
		}
	}
	return all
}

// expand follows the edges that leave an instance.
func (u *unrolling) expand(in *instance) {
	u.accelerateFrom(in)
	out := u.graph.Out(in.node)
	switch {
	case u.fork[in.node]:
		u.branch(in, out[0], out[1])
	case len(out) == 1:
		u.take(in, out[0], in.cond)
	default:
		rest := in.cond
		for i, id := range out {
			this := rest
			if i < len(out)-1 {
				choice := u.choice("choice", expr.Bool)
				this, rest = u.and(rest, choice), u.and(rest, u.pool.Not(choice))
			}
			u.take(in, id, this)
		}
	}
	in.env = nil
}

// branch follows two edges of which exactly one can be taken.
func (u *unrolling) branch(in *instance, yes, no int32) {
	guard := u.value(u.edges[yes].guard, &u.edges[yes], in.env, nil)
	a, b := u.and(in.cond, guard), u.and(in.cond, u.pool.Not(guard))
	if a == nil {
		b = in.cond
	} else if b == nil {
		a = in.cond
	}
	u.pass(in, yes, a, nil)
	u.pass(in, no, b, nil)
}

// take follows an edge under a condition, if its guard allows it.
func (u *unrolling) take(in *instance, id int32, c *cond) {
	e := &u.edges[id]
	chosen := u.choices(e)
	if c != nil {
		c = u.and(c, u.value(e.guard, e, in.env, chosen))
	}
	u.pass(in, id, c, chosen)
}

// pass goes to where an edge leads, under a condition that includes its guard; nil if it
// cannot be taken.
func (u *unrolling) pass(in *instance, id int32, c *cond, chosen map[*expr.Expr]*expr.Expr) {
	if c == nil || u.barred != nil && u.barred(u.edges[id].Edge) {
		return
	}
	u.passed++
	u.taken[id] = append(u.taken[id], c.bit)
	e := &u.edges[id]
	q := in.spec
	if e.Action != lts.Tau && u.spec.HasAction(e.Action) {
		to := u.spec.OutBy(q, e.Action)
		if len(to) == 0 {
			left := arrival{from: in, edge: id, cond: c}
			if u.graph.Comp.IsCut(e.Action) {
				u.cuts = append(u.cuts, left)
			} else {
				u.hits = append(u.hits, left)
			}
			return
		}
		q = to[0].To
	}
	terms := make([]*expr.Expr, len(e.Update))
	for i, up := range e.Update {
		terms[i] = u.value(up.Term, e, in.env, chosen)
	}
	layer := u.now
	if u.flow.rank[e.To] <= u.flow.rank[e.From] {
		layer = u.next
	}
	u.arrive(layer, e.To, q, arrival{in, id, c, in.env.With(e.writes, terms)})
}

// choices are variables of their own for the new values that an edge chooses.
func (u *unrolling) choices(e *edge) map[*expr.Expr]*expr.Expr {
	if len(e.fresh) == 0 {
		return nil
	}
	chosen := map[*expr.Expr]*expr.Expr{}
	for _, f := range e.fresh {
		chosen[f] = u.choice(f.Name(), f.Type())
	}
	return chosen
}

// choice is a new variable.
func (u *unrolling) choice(name string, t expr.Type) *expr.Expr {
	u.serial++
	return u.pool.Var(fmt.Sprintf("%s#%d", name, u.serial), t)
}

// value rewrites a term of an edge over initial values and choices.
func (u *unrolling) value(t *expr.Expr, e *edge, now symbolic.Env, chosen map[*expr.Expr]*expr.Expr) *expr.Expr {
	if t.IsConst() {
		return t
	}
	by := chosen
	if len(e.reads) > 0 {
		by = make(map[*expr.Expr]*expr.Expr, len(e.reads)+len(chosen))
		for f, c := range chosen {
			by[f] = c
		}
		for _, v := range e.reads {
			if x := now.Get(v); x != nil {
				by[u.vars[v]] = x
			}
		}
	}
	if len(by) == 0 {
		return t
	}
	return u.pool.Subst(t, by)
}
