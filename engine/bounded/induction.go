package bounded

// Induction: proofs about runs that do not end.
//
// Idea: every run is a sequence of layers, each of which ends where it closes a loop. All runs stay within
// the specification, if two things hold. The base: the first k+1 layers of all runs stay within it. The
// step: k layers that stay within it, whatever values they begin with, are never followed by one that does not.
// Invariants restrict the values at the beginning of the step. They are proved in the same way: each holds
// where the first k+1 layers end, and behind k+1 layers from values for which all of them hold.
//
// Invariants come from seven sources, the cheap ones first.
//
//   - Bounds of variables (package invariants), and that no run comes to a cut point.
//   - Where threads interleave, orders: how the few variables that matter at a cut point compare with
//     constants and with each other. What one thread has counted is often a bound for another.
//   - There, before all that takes longer, clauses of one or two comparisons with constants that hold in sampled states
//     (clauses.go): who excludes whom. The linear equations of these states are looked for beside them: who is within
//     says what a lock is, and how many are within what a counter is.
//   - Linear equations: states at the end of a layer are added to hulls until the solver finds no further one.
//   - The program's own comparisons, without those that some layer does not keep.
//   - What holds of an element that loops have passed (chosen.go).
//   - Goals. Where the step fails, the solver's model says with which choices the values at its beginning
//     lead to what must not be. All values that these choices lead there are excluded: the negation of their
//     condition becomes an invariant to be proved.
//
// In shares with the goals, property-directed reachability looks for clauses (property_directed.go).
//
// Source: Sheeran, Singh, Stålmarck: Checking Safety Properties Using Induction and a SAT-Solver,
// FMCAD 2000; with invariants beside it: Beyer, Dangl, Wendler: Boosting k-Induction with Continuously-Refined
// Invariants, CAV 2015. Dropping candidates: Flanagan, Leino: Houdini, FME 2001. Equations from a
// solver: King, Søndergaard, CAV 2008. Deviations: the hypothesis of k-induction is about the one run that
// fails; goals say it of all runs from the same values, and so are stronger.
//
// Cost: one query for each candidate dropped, for each point of a hull and for each goal, over k+1
// layers of the program.

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"magus/component"
	"magus/internal/bitset"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/smt/symbolic"
)

// A CutPoint is a control point that closes a loop, with a state of the specification.
type CutPoint struct {
	Node component.Node
	Spec lts.State
}

// A Proof shows by induction that all runs stay within the specification.
type Proof struct {
	K          int // layers that are assumed
	CutPoints  []CutPoint
	Invariants [][]*expr.Expr // by cut point: what holds whenever an edge closes a loop there
}

// An Induction looks for a proof. It is used by one goroutine at a time.
type Induction struct {
	*flow
	pool      *expr.Pool
	cutPoints []CutPoint
	index     map[CutPoint]int
	base      *unrolling // from the beginning
	step      *unrolling // from any values at a cut point
	starts    []*expr.Expr
	ends      [][]end // of the step, by layer
	left      []*expr.Expr
	first     [][]end        // of the base
	known     [][]*expr.Expr // by cut point: proved
	goals     [][]*expr.Expr // by cut point: to be proved
	k         int
	stage     inductionStage
	trial     *houdini
	hulls     *hulls
	equated   bool // the equations are known
	bounds    map[component.Node][]*expr.Expr
	work      int64
	failed    bool
	tried     int // goals for this k
	most      int // of them, before another layer is assumed

	means   Means             // to a proof
	threads bool              // the component is made of threads whose steps interleave
	matters []bitset.Set[int] // by cut point: the variables that matter there

	began    int64                      // effort before clauses
	arrivals int                        // ends so far
	thens    map[conditionAt]*expr.Expr // see then
	sums     *sums                      // see apart

	directed *directed // beside the goals; nil before it begins
	before   int64     // effort until then
}

// An end is an arrival at a cut point, behind a layer.
type end struct {
	number int // tells it from others
	point  int
	cond   *expr.Expr
	env    symbolic.Env
}

// A conditionAt is a condition at an end of a number.
type conditionAt struct {
	condition *expr.Expr
	end       int
}

// An inductionStage is what comes next.
type inductionStage int

const (
	layers      inductionStage = iota // unroll both once
	bounds                            // keep the bounds that are inductive
	narrow                            // unroll the step with variables as narrow as these
	enough                            // ask whether that is enough
	pairs                             // keep the clauses of two literals that are inductive
	enoughFirst                       // ask again
	equations                         // find linear equations
	enoughThen                        // ask again
	orders                            // keep the comparisons of what matters at a cut point that are inductive
	enoughNow                         // and again
	comparisons                       // keep the program's comparisons that are inductive
	elements                          // keep what is inductive of chosen elements
	decide                            // ask, and add goals
	proved
)

// goalsPerK are tried before another layer is assumed; maxGoalSize is how large one gets; shareEffort
// is what the goals or the directed search may do at least before the other has a share; pairEffort is what is made for
// clauses of several comparisons before they are given up.
const (
	pairEffort  = 1 << 23
	goalsPerK   = 24
	shareEffort = 1 << 18
	maxGoalSize = 1 << 15
)

// NewInduction looks for a proof that the runs of the graph's component stay within spec, which is
// deterministic and without τ. bounds are conditions that are tried at control points.
// The error is ctx's.
func NewInduction(ctx context.Context, g *component.Graph, spec *lts.LTS,
	bounds map[component.Node][]*expr.Expr) (*Induction, error) {
	f, err := newFlow(ctx, g)
	if err != nil {
		return nil, err
	}
	x := &Induction{flow: f, pool: g.Comp.CFA.Pool, index: map[CutPoint]int{}, base: fromInit(f, spec),
		step: newUnrolling(f, spec), bounds: bounds, most: goalsPerK, thens: map[conditionAt]*expr.Expr{},
		sums: newSums(g.Comp.CFA.Pool)}
	x.findCutPoints(spec)
	x.keepAlive()
	x.starts = x.anywhere(x.step)
	x.known, x.goals = make([][]*expr.Expr, len(x.cutPoints)), make([][]*expr.Expr, len(x.cutPoints))
	return x, nil
}

// Interleaves says that the component is made of threads whose steps interleave. What one of them has counted is
// often a bound for another, so it is asked first which variables are at most which.
func (x *Induction) Interleaves() { x.threads = true }

// anywhere has an unrolling begin at any cut point, and says by which bits.
func (x *Induction) anywhere(u *unrolling) []*expr.Expr {
	var starts []*expr.Expr
	rest := u.always()
	for i, p := range x.cutPoints {
		this := rest
		if i < len(x.cutPoints)-1 {
			choice := u.choice("start", expr.Bool)
			this, rest = u.and(rest, choice), u.and(rest, u.pool.Not(choice))
		}
		starts = append(starts, this.bit)
		u.start(p.Node, p.Spec, this)
	}
	return starts
}

// findCutPoints follows edges, whatever their guards are.
func (x *Induction) findCutPoints(spec *lts.LTS) {
	first := CutPoint{component.Init, spec.Init()}
	seen := map[CutPoint]bool{first: true}
	for todo := []CutPoint{first}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, id := range x.graph.Out(at.Node) {
			e := &x.edges[id]
			to := CutPoint{e.To, at.Spec}
			if e.Action != lts.Tau && spec.HasAction(e.Action) {
				out := spec.OutBy(at.Spec, e.Action)
				if len(out) == 0 {
					continue
				}
				to.Spec = out[0].To
			}
			if _, known := x.index[to]; !known && x.rank[e.To] <= x.rank[e.From] {
				x.index[to] = len(x.cutPoints)
				x.cutPoints = append(x.cutPoints, to)
			}
			if !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
}

// keepAlive has every node keep the variables that matter at some cut point: what a loop has counted
// says something of its results behind it.
func (x *Induction) keepAlive() {
	kept := bitset.New[int](len(x.vars))
	for _, p := range x.cutPoints {
		x.matters = append(x.matters, slices.Clone(x.live[p.Node]))
		kept.Unite(x.live[p.Node])
	}
	for _, live := range x.live {
		live.Unite(kept)
	}
}

// Prove goes on until it has a proof, or has made an effort, as [Search.Deepen] counts it. It
// returns nil without a proof; over says that there will be none. The error is ctx's.
func (x *Induction) Prove(ctx context.Context, effort int64) (p *Proof, over bool, err error) {
	more := func() bool { return x.effort() < effort }
	for x.stage != proved && !x.over() && more() {
		err := x.share(ctx, more)
		if errors.Is(err, errSpent) {
			break
		}
		if err != nil {
			return nil, false, err
		}
	}
	switch {
	case x.stage == proved:
		return x.proof(x.k, x.goals), false, nil
	case x.directed != nil && x.directed.proof != nil:
		return x.proof(0, x.directed.proof), false, nil
	}
	return nil, x.over(), nil
}

// proof is one with some layers assumed, by what is known and further invariants.
func (x *Induction) proof(k int, further [][]*expr.Expr) *Proof {
	p := &Proof{K: k, CutPoints: x.cutPoints}
	for i := range x.cutPoints {
		p.Invariants = append(p.Invariants, slices.Concat(x.known[i], further[i]))
	}
	return p
}

// over reports whether neither the goals nor the directed search go on.
func (x *Induction) over() bool {
	switch {
	case x.directed != nil && x.directed.proof != nil:
		return true
	case x.directed == nil && x.directs():
		return false
	}
	return x.goalsOver() && (x.directed == nil || x.directed.over)
}

// directs reports whether property-directed reachability is among the means.
func (x *Induction) directs() bool { return x.means == All || x.means == PropertyDirected }

// goalsOver reports whether k-induction does not go on: it has failed, or what it leaves to property-directed
// reachability has begun.
func (x *Induction) goalsOver() bool {
	return x.failed || x.means == PropertyDirected && x.directed != nil
}

// share goes on with the goals or with the directed search, whichever has made less effort since there are two, and
// not for much longer than the other.
func (x *Induction) share(ctx context.Context, more func() bool) error {
	if x.directed == nil && x.directs() && (x.stage > narrow || x.failed) {
		d, err := newDirected(ctx, x)
		if err != nil {
			return err
		}
		x.directed, x.before = d, x.own()
	}
	d := x.directed
	switch {
	case d == nil || d.over:
		return x.next(ctx, more)
	case x.goalsOver():
		return d.next(ctx, more)
	}
	mine, its := x.own()-x.before, d.effort()
	err := error(nil)
	if its <= mine {
		err = d.next(ctx, func() bool { return more() && d.effort() < 2*mine+shareEffort })
	} else {
		err = x.next(ctx, func() bool { return more() && x.own()-x.before < 2*its+shareEffort })
	}
	if errors.Is(err, errSpent) && more() {
		return nil
	}
	return err
}

// effort is what was done so far, own without the directed search.
func (x *Induction) effort() int64 {
	if x.directed == nil {
		return x.own()
	}
	return x.own() + x.directed.effort()
}

func (x *Induction) own() int64 { return x.base.effort() + x.step.effort() + x.work }

func (x *Induction) next(ctx context.Context, more func() bool) error {
	switch x.stage {
	case layers:
		return x.deepen(ctx, more)
	case bounds, pairs, orders, comparisons, elements:
		if (x.stage == orders || x.stage == pairs) && !x.threads {
			x.stage++
			return nil
		}
		if err := x.begins(ctx); err != nil {
			return err
		}
		return x.try(ctx, more)
	case narrow:
		return x.narrow(ctx)
	case enough, enoughFirst, enoughThen, enoughNow:
		return x.settle(ctx, more)
	case equations:
		if x.equated {
			x.stage++
			return nil
		}
		if x.hulls == nil {
			x.hulls = newHulls(x)
		}
		over, err := x.hulls.run(ctx, more, x)
		if err != nil || !over {
			return err
		}
		for i := range x.cutPoints {
			x.learn(i, x.hulls.equations(i)...)
		}
		x.stage++
	case decide:
		return x.decide(ctx, more)
	}
	return nil
}

// try goes on with the candidates of a stage, and then takes what is left of them as proved, or gives them up if they
// have taken too much: then equations that were looked for beside them are looked for alone.
func (x *Induction) try(ctx context.Context, more func() bool) error {
	over, err := x.trial.run(ctx, more, x)
	switch {
	case err == nil && over:
		for i := range x.trial.alive {
			x.learn(i, x.trial.conditions(i)...)
		}
		x.equated = x.equated || x.trial.hulls != nil
	case (x.stage == pairs || x.stage == elements) && x.own()-x.began > pairEffort: // others come first
		x.hulls = cmp.Or(x.trial.hulls, x.hulls)
	default:
		return err
	}
	x.trial = nil
	x.stage++
	return nil
}

// begins makes the candidates of a stage.
func (x *Induction) begins(ctx context.Context) (err error) {
	switch {
	case x.trial != nil:
	case x.stage == pairs:
		x.began = x.own()
		x.trial, err = x.clauses(ctx)
	case x.stage == elements:
		x.began = x.own()
		x.trial = x.chosen()
	default:
		x.trial = x.candidates(x.stage)
	}
	return err
}

// settle asks whether what is known is enough for a proof, where steps of threads interleave or
// bounds are the only means.
func (x *Induction) settle(ctx context.Context, more func() bool) error {
	alone := x.means == Intervals
	if !x.threads && !alone {
		x.stage++
		return nil
	}
	possible, err := x.ask(ctx, more, x.step, x.step.some(x.left))
	if err != nil {
		return err
	}
	if x.stage++; !possible {
		x.stage = proved
	}
	x.failed = x.failed || possible && alone
	return nil
}

// deepen adds a layer to both unrollings.
func (x *Induction) deepen(ctx context.Context, more func() bool) error {
	if err := x.base.sweep(ctx, more); err != nil {
		return err
	}
	hit, err := x.ask(ctx, more, x.base, x.base.some(conditions(slices.Concat(x.base.hits, x.base.cuts))))
	if err != nil {
		return err
	}
	if hit { // which the bounded search finds as well
		x.failed = true
		return nil
	}
	if err := x.step.sweep(ctx, more); err != nil {
		return err
	}
	x.first = append(x.first, x.endsOf(x.base))
	x.base.deeper()
	if len(x.ends) > 0 { // what had to be shown of the last layer is assumed now
		x.step.solver.Assert(x.pool.Not(x.step.holds(x.step.some(x.left))))
		for _, e := range x.ends[len(x.ends)-1] {
			x.assume(e, slices.Concat(x.known[e.point], x.goals[e.point])...)
		}
	}
	x.close()
	if x.stage = decide; len(x.ends) == 1 {
		x.stage = bounds
	}
	return nil
}

// close goes on to the step's next layer.
func (x *Induction) close() {
	x.left = conditions(slices.Concat(x.step.hits, x.step.cuts))
	x.step.cuts = nil
	x.ends = append(x.ends, x.endsOf(x.step))
	x.step.deeper()
}

// conditions are those of arrivals, as words.
func conditions(as []arrival) []*expr.Expr {
	var bs []*expr.Expr
	for _, a := range as {
		bs = append(bs, a.cond.bit)
	}
	return bs
}

// endsOf are the arrivals in an unrolling's next layer.
func (x *Induction) endsOf(u *unrolling) []end {
	var ends []end
	for _, at := range u.next {
		for _, in := range at {
			for _, a := range in.in {
				ends = append(ends, end{x.arrivals, x.index[CutPoint{in.node, in.spec}], a.cond.bit, a.env})
				x.arrivals++
			}
		}
	}
	return ends
}

// ask asks whether a word of one bit may be 1.
func (x *Induction) ask(ctx context.Context, more func() bool, u *unrolling, bit *expr.Expr,
	assumed ...*expr.Expr) (bool, error) {
	if bit.IsConst() {
		return bit.Value() != 0, nil
	}
	r, err := u.solver.Check(allowance{ctx, more}, append(assumed, u.holds(bit))...)
	return r == solver.Sat, err
}

// learn takes conditions at a cut point as proved.
func (x *Induction) learn(point int, cs ...*expr.Expr) {
	x.known[point] = append(x.known[point], cs...)
	x.begin(point, cs...)
	if x.directed != nil {
		x.directed.learn(point, cs...)
	}
}

// begin has the step begin at a cut point only with values that satisfy conditions.
func (x *Induction) begin(point int, cs ...*expr.Expr) {
	for _, c := range cs {
		x.step.solver.Assert(x.step.implies(x.starts[point], x.sums.apart(c)))
	}
}

// assume has the step pass an end only with values that satisfy conditions.
func (x *Induction) assume(e end, cs ...*expr.Expr) {
	for _, c := range cs {
		x.step.solver.Assert(x.step.implies(e.cond, x.then(c, e)))
	}
}

// implies says that a condition holds if a word of one bit is 1.
func (u *unrolling) implies(bit, c *expr.Expr) *expr.Expr {
	return u.pool.Lor(u.pool.Not(u.holds(bit)), c)
}

// then is a condition at a cut point as one about the values of an end there. It is kept, for candidates are
// asked for again and again.
func (x *Induction) then(c *expr.Expr, e end) *expr.Expr {
	key := conditionAt{c, e.number}
	t, known := x.thens[key]
	if !known {
		t = x.thenNow(c, e)
		x.thens[key] = t
	}
	return t
}

func (x *Induction) thenNow(c *expr.Expr, e end) *expr.Expr {
	by := map[*expr.Expr]*expr.Expr{}
	for _, v := range expr.Vars(c) {
		if t := e.env.Get(x.flow.index[v]); t != nil {
			by[v] = t
		}
	}
	x.work += passEffort
	return x.sums.apart(x.pool.Subst(c, by))
}

// fails says that at an end one of some conditions does not hold.
func (x *Induction) fails(e end, cs []*expr.Expr) *expr.Expr {
	some := x.pool.Const(bitType, 0)
	for _, c := range cs {
		some = x.pool.Or(some, x.pool.FromBool(bitType, x.pool.Not(x.then(c, e))))
	}
	return x.pool.And(e.cond, some)
}

// broken says that at one of some ends a condition of its point does not hold.
func (x *Induction) broken(ends []end, conds [][]*expr.Expr) *expr.Expr {
	some := x.pool.Const(bitType, 0)
	for _, e := range ends {
		some = x.pool.Or(some, x.fails(e, conds[e.point]))
	}
	return some
}

// decide asks whether the last layer of the step may do what it must not, and excludes how.
func (x *Induction) decide(ctx context.Context, more func() bool) error {
	bad := x.pool.Or(x.step.some(x.left), x.broken(x.ends[x.k], x.goals))
	possible, err := x.ask(ctx, more, x.step, bad)
	if err != nil {
		return err
	}
	if possible && x.tried < x.most {
		return x.exclude(ctx, more, bad)
	}
	for _, ends := range x.first { // are the goals true at first?
		wrong, err := x.ask(ctx, more, x.base, x.broken(ends, x.goals))
		if err != nil {
			return err
		}
		if wrong {
			x.failed = true
			return nil
		}
	}
	if !possible {
		x.stage = proved
		return nil
	}
	x.k, x.tried, x.stage = x.k+1, 0, layers
	return nil
}

// exclude adds a goal: that the choices of the solver's model do not lead to what must not be.
func (x *Induction) exclude(ctx context.Context, more func() bool, bad *expr.Expr) error {
	model := expr.NewValuation(x.step.solver.Value)
	point := slices.IndexFunc(x.starts, func(c *expr.Expr) bool { return model.Of(c) != 0 })
	by := map[*expr.Expr]*expr.Expr{}
	for _, v := range expr.Vars(bad) {
		if _, variable := x.flow.index[v]; variable {
			continue
		}
		if v.Type().IsBool() {
			by[v] = x.pool.Bool(model.Of(v) != 0)
		} else {
			by[v] = x.pool.Const(v.Type(), model.Of(v))
		}
	}
	goal := x.pool.Not(x.step.holds(x.pool.Subst(bad, by)))
	size := 0
	expr.Walk(func(*expr.Expr) { size++ }, goal)
	x.work += int64(size)
	x.tried++
	if size > maxGoalSize {
		x.failed = true
		return nil
	}
	x.goals[point] = append(x.goals[point], goal)
	x.begin(point, goal)
	for _, ends := range x.ends[:x.k] {
		for _, e := range ends {
			if e.point == point {
				x.assume(e, goal)
			}
		}
	}
	return nil
}

// Taken says of each edge whether a run may take it, as far as the proof tells and the effort suffices to
// find out. The error is ctx's.
func (x *Induction) Taken(ctx context.Context, effort int64) ([]bool, error) {
	taken := make([]bool, len(x.edges))
	if err := x.base.findTaken(ctx, effort/2, taken); err != nil {
		return nil, err
	}
	return taken, x.step.findTaken(ctx, effort/2, taken)
}
