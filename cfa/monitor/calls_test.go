package monitor_test

// What a woven call does against what the routine's abstraction says.

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/monitor"
	"magus/internal/sample"
	"magus/smt/expr"
)

// A called is a call with its abstraction, as both sides read it: the result of a return is below mostResult, and a
// condition says which one it is.
type called struct {
	holds   []bool    // the guards of the choices, of which the last one counts always
	choices [][][]way // by choice and state
	init    []int
	used    bool // the result
	clobber bool
}

// A way leads to a state with an action, or returns a value, any if it is negative.
type way struct {
	action  string
	returns bool
	value   int
	to      int
}

const mostResult = 3

// randomCall is a call after whose ways a return comes from each state.
func randomCall(rnd *rand.Rand) called {
	c := called{used: rnd.Intn(3) > 0, clobber: rnd.Intn(2) == 0}
	for range 1 + rnd.Intn(3) {
		states := make([][]way, 1+rnd.Intn(3))
		for s := range states {
			for range 1 + rnd.Intn(3) {
				w := way{action: []string{"", "a", "b", "x", cfa.ErrorAction}[rnd.Intn(5)], to: rnd.Intn(len(states))}
				if w.returns = rnd.Intn(3) == 0; w.returns {
					w.action, w.value, w.to = "", rnd.Intn(mostResult+1)-1, len(states)
				}
				states[s] = append(states[s], w)
			}
		}
		c.holds = append(c.holds, rnd.Intn(2) == 0)
		c.choices, c.init = append(c.choices, append(states, nil)), append(c.init, rnd.Intn(len(states)))
	}
	return c
}

// means are the values that main may return behind the call, sorted, whether it may do what is forbidden, which it
// survives, and whether it may do what nobody observes.
func (c called) means(r rule) (results []uint64, forbidden, other bool) {
	k := slices.Index(c.holds[:len(c.holds)-1], true)
	if k < 0 {
		k = len(c.holds) - 1
	}
	type at struct{ state, monitor int }
	met := map[at]bool{}
	for work := []at{{c.init[k], r.init}}; len(work) > 0; {
		m := work[len(work)-1]
		if work = work[:len(work)-1]; met[m] {
			continue
		}
		met[m] = true
		for _, w := range c.choices[k][m.state] {
			next, _ := r.after(m.monitor, w.action)
			other = other || w.action == "x"
			if next == monitor.Forbidden {
				forbidden, next = true, m.monitor
			}
			if !w.returns {
				work = append(work, at{w.to, next})
				continue
			}
			for value := range uint64(mostResult) {
				if c.used && w.value >= 0 && int(value) != w.value {
					continue
				}
				for _, sum := range c.sums(value) {
					if !slices.Contains(results, sum) {
						results = append(results, sum)
					}
				}
			}
		}
	}
	slices.Sort(results)
	return results, forbidden, other
}

// sums are what main returns where the call returns a value: ten times the result, 7 if that is not used, and what the
// call may change, which was 1.
func (c called) sums(value uint64) []uint64 {
	if !c.used {
		value = 7
	}
	if !c.clobber {
		return []uint64{10*value + 1}
	}
	return []uint64{10 * value, 10*value + 1, 10*value + 2}
}

// build is a main with the call.
func (c called) build() (*cfa.CFA, *monitor.Call) {
	pool := expr.NewPool()
	pos := cfa.Pos{File: "f.c", Line: 1, Col: 1}
	result, other := pool.Var("result", expr.Int32), pool.Var("other", expr.Int32)
	value, ten := pool.Var("$0", expr.Int32), pool.Int(expr.Int32, 10)
	stmt := cfa.Call{Callee: "g", Ret: expr.Int32}
	if c.used {
		stmt.LHS = result
	}
	if c.clobber {
		stmt.Clobbers = []*expr.Expr{other}
		if c.used {
			stmt.Clobbers = []*expr.Expr{result, other}
		}
	}
	auto := &cfa.CFA{Name: "f", Pool: pool, Ret: expr.Int32, Frames: []cfa.Frame{{Proc: "f", Parent: -1}},
		Vars: []cfa.Var{{Expr: result, Name: "result", Frame: -1, Pos: pos}, {Expr: other, Name: "other", Frame: -1, Pos: pos}},
		Locs: []cfa.Location{
			{Stmt: cfa.Assign{LHS: result, RHS: pool.Int(expr.Int32, 7)}, Succ: []cfa.Loc{1}, Pos: pos},
			{Stmt: cfa.Assign{LHS: other, RHS: pool.Int(expr.Int32, 1)}, Succ: []cfa.Loc{2}, Pos: pos},
			{Stmt: stmt, Succ: []cfa.Loc{3}, Pos: pos},
			{Stmt: cfa.Return{Value: pool.Add(pool.Mul(result, ten), other)}, Pos: pos}}}
	auto.SetThreads([]cfa.Thread{{Name: "main", Proc: "f"}})
	call := &monitor.Call{Result: value}
	for k, states := range c.choices {
		choice := monitor.Choice{Guard: pool.False(), Init: c.init[k], Edges: make([][]monitor.Edge, len(states))}
		if c.holds[k] {
			choice.Guard = pool.True()
		}
		for s, ways := range states {
			for _, w := range ways {
				e := monitor.Edge{Action: w.action, Returns: w.returns, To: w.to}
				if w.returns && c.used && w.value >= 0 {
					e.When = pool.Eq(value, pool.Int(expr.Int32, int64(w.value)))
				}
				choice.Edges[s] = append(choice.Edges[s], e)
			}
		}
		call.Choices = append(call.Choices, choice)
	}
	return auto, call
}

// TestWovenCallsMeanTheAbstraction: of random abstractions, what calls perform and give.
func TestWovenCallsMeanTheAbstraction(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	broken, returned := 0, 0
	for n := range sample.Count(300) {
		c := randomCall(rnd)
		_, r := random(rnd)
		results, forbidden, other := c.means(r)
		auto, call := c.build()
		woven := interleave(t, monitor.New(r.actions, r.next, r.init).Weave(auto,
			monitor.Observed{Calls: map[cfa.Loc]*monitor.Call{2: call}}), mostResult)
		text := fmt.Sprintf("%d: %+v %+v\n%s", n, c, r, auto)
		require.Equal(t, forbidden, woven.Performs(cfa.ErrorAction), text)
		require.Equal(t, results, woven.Results, text)
		require.Equal(t, other, woven.Performs("x"), text)
		if forbidden {
			broken++
		}
		if len(results) > 0 {
			returned++
		}
	}
	if sample.Whole() {
		require.Greater(t, broken, 25)
		require.Greater(t, returned, 50)
	}
}
