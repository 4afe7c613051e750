package bounded

// Property-directed reachability: invariants as conjunctions of clauses, found from what they
// have to exclude.
//
// Idea: frame i over-approximates, at each cut point, the values with which runs get there in at most i
// layers; it is a conjunction of clauses, and those of a frame are among those of the frame before. A
// state in the last frame from which a layer leaves the specification is an obligation: it has to be
// excluded there. It can be, where no state of the frame before leads to it; else such a state has to
// be excluded first. What excludes it is made as general as the solver's core allows. When two frames
// are the same, their clauses are an invariant.
//
// An obligation is a cube: a conjunction of comparisons of the program's variables, all values of
// which lead to what must not be with the same choices. It is read off the solver's model: the
// weakest precondition over the whole layer for the choices of the model, as far as the model's
// values need it. So it speaks of what the program compares (state == 2, token == local + 3) and not
// of bits, and if the beginning leads to a cube there is a violation.
//
// Source: Bradley: SAT-Based Model Checking without Unrolling, VMCAI 2011; Eén, Mishchenko, Brayton:
// Efficient Implementation of Property Directed Reachability, FMCAD 2011; on programs with a frame
// for each cut point and weakest preconditions: Cimatti, Griggio: Software Model Checking via IC3, CAV
// 2012. Deviations: a step is a layer with all its branches (large blocks: Beyer, Cimatti, Griggio,
// Keremoglu, Sebastiani, FMCAD 2009), and frame 0 is the beginning of the program, so that the first
// layer needs no frame of its own.
//
// Cost: for each clause some queries over one layer, as many as its obligation has comparisons.

import (
	"context"
	"slices"

	"magus/smt/expr"
	"magus/smt/solver"
	"magus/smt/symbolic"
)

// A directed is such a search for invariants.
type directed struct {
	x      *Induction
	first  *frontier // from the beginning
	step   *frontier // from any values at a cut point
	starts []*expr.Expr
	levels []level
	todo   []obligation
	begun  bool // the first layer does nothing that it must not
	pushed bool // what each level excludes is carried on as far as it goes
	work   int64
	over   bool
	proof  [][]*expr.Expr // by cut point
}

// A level is a frame but for what the frames above it exclude as well.
type level struct {
	act    *expr.Expr // has the layer begin with values that these cubes do not have
	blocks []cube
}

// A frontier is one layer with what arrives behind it.
type frontier struct {
	u       *unrolling
	arrives []*expr.Expr // by cut point: the condition; nil where nothing does
	envs    []symbolic.Env
	bad     *expr.Expr // it does what it must not
}

// A cube is a conjunction of conditions on the values at a cut point.
type cube struct {
	point int
	conds []*expr.Expr
}

// An obligation is a cube that is to be excluded at a level.
type obligation struct {
	cube
	level int
}

// newDirected makes the layers.
func newDirected(ctx context.Context, x *Induction) (*directed, error) {
	d := &directed{x: x, levels: make([]level, 1)}
	var u *unrolling
	u, d.starts = x.layer(x.widths())
	var err error
	if d.step, err = x.frontier(ctx, u); err != nil {
		return nil, err
	}
	if d.first, err = x.frontier(ctx, fromInit(x.flow, u.spec)); err != nil {
		return nil, err
	}
	for i, cs := range x.known {
		d.learn(i, cs...)
	}
	d.deepen()
	return d, nil
}

// learn has layers begin at a cut point only with values that satisfy conditions, which are proved.
func (d *directed) learn(point int, cs ...*expr.Expr) {
	for _, c := range cs {
		d.step.u.solver.Assert(d.step.u.implies(d.starts[point], c))
	}
}

// frontier expands an unrolling by one layer.
func (x *Induction) frontier(ctx context.Context, u *unrolling) (*frontier, error) {
	if err := u.sweep(ctx, func() bool { return true }); err != nil {
		return nil, err
	}
	f := &frontier{u: u, arrives: make([]*expr.Expr, len(x.cutPoints)), envs: make([]symbolic.Env, len(x.cutPoints))}
	f.bad = u.holds(u.some(conditions(slices.Concat(u.hits, u.cuts))))
	for _, at := range u.next {
		for _, in := range at {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			u.join(in)
			p := x.index[CutPoint{in.node, in.spec}]
			f.arrives[p], f.envs[p] = u.holds(in.cond.bit), in.env
		}
	}
	return f, nil
}

// deepen adds a level.
func (d *directed) deepen() {
	d.levels = append(d.levels, level{act: d.step.u.choice("level", expr.Bool)})
	d.pushed = true
}

func (d *directed) effort() int64 { return d.first.u.effort() + d.step.u.effort() + d.work }

// top is the last level.
func (d *directed) top() int { return len(d.levels) - 1 }

// frame are the assumptions under which a layer begins in a frame.
func (d *directed) frame(i int) []*expr.Expr {
	var acts []*expr.Expr
	for _, l := range d.levels[i:] {
		acts = append(acts, l.act)
	}
	return acts
}

// next asks about the first layer, excludes an obligation, carries on what is excluded, or looks for
// an obligation, in this order; or fails and has not done it.
func (d *directed) next(ctx context.Context, more func() bool) error {
	a := allowance{ctx, more}
	switch {
	case !d.begun:
		r, err := d.first.u.solver.Check(a, d.first.bad)
		d.over, d.begun = r == solver.Sat, err == nil
		return err
	case len(d.todo) > 0:
		return d.exclude(a)
	case !d.pushed:
		return d.carryOn(a)
	}
	r, err := d.step.u.solver.Check(a, append(d.frame(d.top()), d.step.bad)...)
	switch {
	case err != nil:
		return err
	case r == solver.Sat:
		return d.oblige(a, d.step.bad, d.top())
	}
	d.deepen()
	d.pushed = false
	return nil
}

// oblige adds the obligation to exclude, at a level, the values with which the choices of the solver's model lead
// to what conditions say.
func (d *directed) oblige(ctx context.Context, goal *expr.Expr, level int) error {
	r := newReader(d.x.flow, d.step.u)
	r.require(goal)
	c := cube{slices.IndexFunc(d.starts, func(c *expr.Expr) bool { return r.model.Of(c) != 0 }), r.cube()}
	d.work += r.work
	begins, err := d.begins(ctx, c.point, c.conds)
	if err != nil {
		return err
	}
	if begins { // a violation, which the bounded search finds as well
		d.over = true
		return nil
	}
	d.todo = append(d.todo, obligation{c, level})
	return nil
}

// begins reports whether the first layer leads to a cube.
func (d *directed) begins(ctx context.Context, point int, conds []*expr.Expr) (bool, error) {
	if d.first.arrives[point] == nil {
		return false, nil
	}
	r, err := d.first.u.solver.Check(ctx, d.behind(d.first, point, conds)...)
	return r == solver.Sat, err
}

// behind says that a layer leads to a cube: one assumption for each condition, and one for the cut point.
func (d *directed) behind(f *frontier, point int, conds []*expr.Expr) []*expr.Expr {
	all := make([]*expr.Expr, 0, len(conds)+1)
	for _, c := range conds {
		all = append(all, d.after(f, point, c))
	}
	return append(all, f.arrives[point])
}

// after is a condition at a cut point as one about a layer that leads there.
func (d *directed) after(f *frontier, point int, c *expr.Expr) *expr.Expr {
	by := map[*expr.Expr]*expr.Expr{}
	for _, v := range expr.Vars(c) {
		if t := f.envs[point].Get(d.x.flow.index[v]); t != nil {
			by[v] = t
		}
	}
	d.work += passEffort
	return d.x.pool.Subst(c, by)
}

// excluded reports whether neither the beginning nor any state of a frame without the cube leads to it, and
// if so, which of the conditions suffice.
func (d *directed) excluded(ctx context.Context, frame int, c cube) (core []*expr.Expr, ok bool, err error) {
	needed := make([]bool, len(c.conds)+1)
	for _, f := range [2]*frontier{d.first, d.step} {
		if f.arrives[c.point] == nil || f == d.step && frame == 0 {
			continue
		}
		ask := d.behind(f, c.point, c.conds)
		if f == d.step {
			ask = append(append(ask, d.without(c)), d.frame(frame)...)
		}
		r, err := f.u.solver.Check(ctx, ask...)
		if r != solver.Unsat {
			return nil, false, err
		}
		for _, i := range f.u.solver.Core() {
			needed[min(i, len(c.conds))] = true
		}
	}
	for i, cond := range c.conds {
		if needed[i] {
			core = append(core, cond)
		}
	}
	return core, true, nil
}

// without says that a layer does not begin in a cube.
func (d *directed) without(c cube) *expr.Expr {
	return d.x.pool.Lor(d.x.pool.Not(d.step.u.holds(d.starts[c.point])), d.exclusion(c))
}

// exclusion is the opposite of a cube.
func (d *directed) exclusion(c cube) *expr.Expr { return d.x.pool.Not(d.x.pool.Land(c.conds...)) }

// exclude excludes the obligation of the lowest level, or adds one that has to be excluded before.
func (d *directed) exclude(ctx context.Context) error {
	at := len(d.todo) - 1
	for i, o := range d.todo {
		if o.level < d.todo[at].level {
			at = i
		}
	}
	o := d.todo[at]
	core, ok, err := d.excluded(ctx, o.level-1, o.cube)
	if err != nil {
		return err
	}
	if !ok {
		goal := d.x.pool.Land(d.behind(d.step, o.point, o.conds)...)
		return d.oblige(ctx, goal, o.level-1)
	}
	c, err := d.generalize(ctx, o.level-1, cube{o.point, core})
	if err != nil {
		return err
	}
	level := o.level
	for ; level < d.top(); level++ {
		if _, ok, err := d.excluded(ctx, level, c); err != nil {
			return err
		} else if !ok {
			break
		}
	}
	d.block(c, level)
	d.todo = slices.Delete(d.todo, at, at+1)
	if level < d.top() {
		d.todo = append(d.todo, obligation{o.cube, level + 1})
	}
	return nil
}

// generalize leaves out conditions as long as the cube stays excluded behind a frame.
func (d *directed) generalize(ctx context.Context, frame int, c cube) (cube, error) {
	for i := len(c.conds) - 1; i >= 0; i-- {
		if i >= len(c.conds) {
			continue
		}
		fewer := cube{c.point, slices.Delete(slices.Clone(c.conds), i, i+1)}
		core, ok, err := d.excluded(ctx, frame, fewer)
		if err != nil {
			return c, err
		}
		if ok {
			c.conds = core
		}
	}
	return c, nil
}

// block excludes a cube at a level and below.
func (d *directed) block(c cube, level int) {
	d.step.u.solver.Assert(d.x.pool.Lor(d.x.pool.Not(d.levels[level].act), d.without(c)))
	for i := range d.levels[:level+1] {
		l := &d.levels[i]
		l.blocks = slices.DeleteFunc(l.blocks, func(b cube) bool { return b.point == c.point && within(c.conds, b.conds) })
	}
	d.levels[level].blocks = append(d.levels[level].blocks, c)
}

// within reports whether all conditions of a are among those of b.
func within(a, b []*expr.Expr) bool {
	for _, c := range a {
		if !slices.Contains(b, c) {
			return false
		}
	}
	return true
}

// carryOn excludes at the next level what can be, and has a proof if that is all of one level.
func (d *directed) carryOn(ctx context.Context) error {
	for i := 1; i < d.top(); i++ {
		for _, c := range slices.Clone(d.levels[i].blocks) {
			if _, ok, err := d.excluded(ctx, i, c); err != nil {
				return err
			} else if ok {
				d.block(c, i+1)
			}
		}
		if len(d.levels[i].blocks) == 0 {
			d.proof = make([][]*expr.Expr, len(d.x.cutPoints))
			for _, l := range d.levels[i+1:] {
				for _, c := range l.blocks {
					d.proof[c.point] = append(d.proof[c.point], d.exclusion(c))
				}
			}
			d.over = true
			return nil
		}
	}
	d.pushed = true
	return nil
}
