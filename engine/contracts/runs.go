package contracts

// Runs of single procedures, as samples of what they do.
//
// Idea: a procedure is executed with small arguments, and the component from its beginning with small inputs. What
// is chosen is drawn, always in the same way. A call that chose nothing is remembered by what it read, so that
// recursion that calls itself twice is no tree.
//
// Source: Ernst, Cockrell, Griswold, Notkin: Dynamically Discovering Likely Program Invariants (2001). Nothing rests
// on samples but which candidates are tried. Cost: a bounded number of steps.

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"magus/component"
	"magus/smt/expr"
)

const (
	totalSteps = 120_000 // of all runs
	shortSteps = 400     // of one
	longSteps  = 10_000  // of one that does not end within these
	maxDepth   = 1000
	maxSamples = 400 // at a point, half of them of calls within others
	ownRuns    = 60  // of the component
)

// A sample is what variables were at the entry of a call and are at a point.
type sample struct{ entry, now map[*expr.Expr]uint64 }

// value is that of a variable of a contract.
func (p *paths) sampled(s *sample, v *expr.Expr) uint64 {
	if o := p.of[v]; o != nil {
		return s.now[o]
	}
	return s.entry[v]
}

// A runner executes.
type runner struct {
	*paths
	inputs  map[int][]*expr.Expr
	spoken  map[Point][]*expr.Expr // what samples have at a point
	samples map[Point][]sample
	seen    map[string]bool
	called  map[int][]sample // entries of calls in runs of the component
	memo    map[string]map[*expr.Expr]uint64
	rng     *rand.Rand
	values  []uint64 // that are drawn from
	left    int      // steps of all
	run     int      // of this run
	drawn   int      // how often something was chosen
}

// A frame is a call that is executed.
type frame struct {
	procedure int
	values    map[*expr.Expr]uint64
	entry     map[*expr.Expr]uint64
}

// execute runs a procedure to its end, with values that it changes, and reports whether it got there.
func (r *runner) execute(q int, values map[*expr.Expr]uint64, depth int) bool {
	f := &frame{q, values, map[*expr.Expr]uint64{}}
	for _, v := range r.inputs[q] {
		f.entry[v] = values[v]
	}
	r.note(Point{q, Entry, 0}, f, depth)
	n := r.ps.List[q].Entry
	for depth < maxDepth {
		if r.heads[n] {
			r.note(Point{q, Head, n}, f, depth)
		}
		if q > 0 && n == r.ps.List[q].Exit {
			r.note(Point{q, Exit, 0}, f, depth)
			return true
		}
		if r.run--; r.run < 0 {
			return false
		}
		ok := false
		if site := r.ps.Calls[n]; site != nil {
			if ok = site.Past != nil && r.call(f, site, depth); ok {
				n = site.Back
			}
		} else {
			n, ok = r.step(f, n)
		}
		if !ok || n == component.Stop {
			return false
		}
	}
	return false
}

// call executes a call, or remembers what it did.
func (r *runner) call(f *frame, site *component.CallSite, depth int) bool {
	q := site.Callee
	key := strings.Builder{}
	fmt.Fprint(&key, q)
	for _, v := range r.inputs[q] {
		fmt.Fprint(&key, " ", f.values[v])
	}
	if known, ok := r.memo[key.String()]; ok {
		for v, x := range known {
			f.values[v] = x
		}
		return known != nil
	}
	drawn, inner := r.drawn, map[*expr.Expr]uint64{}
	for v, x := range f.values {
		inner[v] = x
	}
	ok := r.execute(q, inner, depth+1)
	var effect map[*expr.Expr]uint64
	if ok {
		effect = map[*expr.Expr]uint64{}
		for _, v := range r.ps.List[q].Writes {
			effect[v], f.values[v] = inner[v], inner[v]
		}
	}
	if drawn == r.drawn && (ok || r.run >= 0) {
		r.memo[key.String()] = effect
	}
	return ok
}

// step takes a step that is possible.
func (r *runner) step(f *frame, n component.Node) (component.Node, bool) {
	var ways []int32
	var chosen []map[*expr.Expr]uint64
	for _, id := range r.ps.Graph.Out(n) {
		e := &r.ps.Graph.Edges[id]
		if r.ps.Kinds[id] != component.Within {
			continue
		}
		if by, ok := r.possible(f, e); ok {
			ways, chosen = append(ways, id), append(chosen, by)
		}
	}
	if len(ways) == 0 {
		return 0, false
	}
	i := 0
	if len(ways) > 1 {
		r.drawn++
		i = r.rng.IntN(len(ways))
	}
	e := &r.ps.Graph.Edges[ways[i]]
	news := make([]uint64, len(e.Update))
	for k, u := range e.Update {
		news[k] = expr.Eval(u.Term, r.reader(f, chosen[i]))
	}
	for k, u := range e.Update {
		f.values[u.Var] = news[k]
	}
	return e.To, true
}

// possible reports whether an edge can be taken, and with which choices.
func (r *runner) possible(f *frame, e *component.Edge) (map[*expr.Expr]uint64, bool) {
	tries := 1
	for try := 0; try < tries; try++ {
		by := map[*expr.Expr]uint64{}
		holds := true
		for _, c := range e.Guard {
			holds = holds && expr.Eval(c, r.reader(f, by)) == 1
		}
		if holds {
			return by, true
		}
		if len(by) > 0 {
			tries = 8
		}
	}
	return nil, false
}

// reader gives values, and draws those that are chosen.
func (r *runner) reader(f *frame, chosen map[*expr.Expr]uint64) func(v *expr.Expr) uint64 {
	return func(v *expr.Expr) uint64 {
		if !r.ps.Graph.IsFresh(v) {
			return f.values[v]
		}
		x, known := chosen[v]
		if !known {
			r.drawn++
			x = r.draw(v.Type())
			chosen[v] = x
		}
		return x
	}
}

// draw draws a value.
func (r *runner) draw(t expr.Type) uint64 {
	if t.IsBool() {
		return r.rng.Uint64N(2)
	}
	return t.Trunc(r.values[r.rng.IntN(len(r.values))])
}

// note keeps a sample.
func (r *runner) note(at Point, f *frame, depth int) {
	if n := len(r.samples[at]); n >= maxSamples || depth > 0 && n >= maxSamples/2 {
		return
	}
	s := sample{f.entry, map[*expr.Expr]uint64{}}
	key := strings.Builder{}
	fmt.Fprint(&key, at)
	for _, v := range r.inputs[f.procedure] {
		fmt.Fprint(&key, " ", f.entry[v])
	}
	for _, v := range r.spoken[at] {
		s.now[v] = f.values[v]
		fmt.Fprint(&key, " ", s.now[v])
	}
	if k := key.String(); !r.seen[k] {
		r.seen[k] = true
		r.samples[at] = append(r.samples[at], s)
	}
}

// start runs a procedure within a number of steps, and reports whether it came to its end.
func (r *runner) start(q int, values map[*expr.Expr]uint64, steps int) bool {
	if r.left <= 0 {
		return false
	}
	r.run = steps
	ends := r.execute(q, values, 0)
	r.left -= steps - max(r.run, 0)
	return ends
}

// component runs the component from its beginning.
func (r *runner) component() {
	for range ownRuns {
		if r.left < totalSteps/2 {
			return // the rest is for procedures
		}
		values := map[*expr.Expr]uint64{}
		for _, v := range r.ps.Graph.Comp.CFA.Vars {
			if !v.Expr.Type().IsBool() {
				values[v.Expr] = r.draw(v.Expr.Type())
			}
		}
		r.start(0, values, longSteps/4)
	}
}

// procedure runs a procedure with small arguments: the first ones all, the others drawn. Runs that are not over soon
// are taken up again afterwards.
func (r *runner) procedure(q int, params []*expr.Expr) {
	grid := r.grid(len(params))
	total := 1
	for range min(2, len(params)) {
		total *= len(grid)
	}
	var long []map[*expr.Expr]uint64
	for i := range total {
		values := map[*expr.Expr]uint64{}
		for _, v := range r.inputs[q] {
			values[v] = r.small(v.Type())
		}
		for k, v := range params {
			x := grid[r.rng.IntN(len(grid))]
			if k == 0 {
				x = grid[i%len(grid)]
			} else if k == 1 {
				x = grid[i/len(grid)]
			}
			values[v] = v.Type().Trunc(uint64(x))
		}
		if again := maps.Clone(values); !r.start(q, values, shortSteps) {
			long = append(long, again)
		}
	}
	for _, values := range long {
		r.start(q, values, longSteps)
	}
}

// small draws a small value of what is no parameter.
func (r *runner) small(t expr.Type) uint64 {
	if t.IsBool() {
		return r.rng.Uint64N(2)
	}
	return t.Trunc(r.rng.Uint64N(12))
}

// grid are the arguments that are tried.
func (r *runner) grid(params int) []int64 {
	var all []int64
	most, least := int64(8), int64(-2)
	if params == 1 {
		most, least = 16, -4
		for _, c := range r.values {
			if int64(c) > most && int64(c) <= maxTable {
				most = int64(c)
			}
		}
	}
	for x := least; x <= most; x++ {
		all = append(all, x)
	}
	return all
}

// constants are those of the component, and small numbers, in their order.
func (p *paths) constants() []uint64 {
	all := []int64{-1, 0, 1, 2, 3, 4, 5, 7, 10}
	add := func(t *expr.Expr) {
		if t.IsConst() && !t.Type().IsBool() && !t.Type().IsFloat() {
			all = append(all, t.Int()-1, t.Int(), t.Int()+1)
		}
	}
	for _, e := range p.ps.Graph.Edges {
		expr.Walk(add, e.Guard...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	out := make([]uint64, len(all))
	for i, x := range all {
		out[i] = uint64(x)
	}
	return out
}
