package monitor_test

// What a woven automaton does against the meaning of the specification.
//
// Idea: small random threads, of which all interleavings are enumerated here, without automata: each with what the
// monitor says of its trace, and with what is offered where all stand. The woven automaton, whose interleavings the
// interpreter enumerates, has to perform an error just if some trace is forbidden, and to stand just if some
// trace is behind which too much is refused.

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/monitor"
	"magus/internal/sample"
	"magus/smt/expr"
)

// An op is one step of a thread: it performs an action, takes or releases the lock, goes on here or further on, joins
// all others, or may end the process.
type op struct {
	kind   string // act, lock, unlock, either, join, exit
	action string
	to     int // of either
}

// A team is what all threads do, the main one first, which begins the others. It returns behind its last step, and
// others end.
type team [][]op

// build is the team as an automaton, with its return.
func (p team) build() (c *cfa.CFA, back cfa.Loc) {
	pool := expr.NewPool()
	pos := cfa.Pos{File: "f.c", Line: 1, Col: 1}
	lock := pool.Var("lock", expr.Int32)
	c = &cfa.CFA{Name: "f", Pool: pool, Ret: expr.Bool, Frames: []cfa.Frame{{Proc: "f", Parent: -1}}}
	c.Vars = append(c.Vars, cfa.Var{Expr: lock, Name: "lock", Frame: -1, Pos: pos})
	add := func(s cfa.Stmt, succ ...cfa.Loc) cfa.Loc {
		c.Locs = append(c.Locs, cfa.Location{Stmt: s, Succ: succ, Pos: pos})
		return cfa.Loc(len(c.Locs) - 1)
	}
	threads, entries := []cfa.Thread{{Name: "main", Proc: "f"}}, make([]cfa.Loc, len(p))
	for t, ops := range p {
		last := cfa.Stmt(cfa.End{})
		if t == 0 {
			last = cfa.Return{}
		} else {
			threads = append(threads, cfa.Thread{Name: fmt.Sprint("t", t), Proc: "t", Copy: 1})
		}
		at := make([]cfa.Loc, len(ops)+1)
		if at[len(ops)] = add(last); t == 0 {
			back = at[len(ops)]
		}
		for i, o := range slices.Backward(ops) {
			next := at[i+1]
			switch o.kind {
			case "act":
				at[i] = add(cfa.Act{Action: o.action}, next)
			case "lock":
				taken := add(cfa.Assign{LHS: lock, RHS: pool.Int(expr.Int32, 1)}, add(cfa.Atomic{}, next))
				free := pool.Eq(lock, pool.Int(expr.Int32, 0))
				at[i] = add(cfa.Atomic{Begin: true},
					add(cfa.Branch{Cond: free}, taken, add(cfa.Halt{Reason: cfa.Waiting})))
			case "unlock":
				at[i] = add(cfa.Atomic{Begin: true},
					add(cfa.Assign{LHS: lock, RHS: pool.Int(expr.Int32, 0)}, add(cfa.Atomic{}, next)))
			case "either", "exit":
				mine := pool.Var(fmt.Sprint("way", t), expr.Int32)
				if !slices.ContainsFunc(c.Vars, func(v cfa.Var) bool { return v.Expr == mine }) {
					c.Vars = append(c.Vars, cfa.Var{Expr: mine, Name: "way", Frame: -1, Pos: pos})
				}
				one := pool.Eq(mine, pool.Int(expr.Int32, 1))
				if o.kind == "either" {
					next = add(cfa.Branch{Cond: one}, at[o.to], next)
				} else {
					next = add(cfa.Branch{Cond: one}, add(cfa.Halt{Reason: "exit", Ends: true}), next)
				}
				at[i] = add(cfa.Assign{LHS: mine, Nondet: "any"}, next)
			case "join":
				for u := len(p) - 1; u > 0; u-- {
					next = add(cfa.Join{Thread: u, Name: fmt.Sprint("t", u)}, next)
				}
				at[i] = next
			}
		}
		entries[t] = at[0]
	}
	c.Entry = entries[0]
	for t := len(p) - 1; t > 0; t-- {
		c.Entry = add(cfa.Spawn{Thread: t, Name: fmt.Sprint("t", t)}, c.Entry, entries[t])
	}
	c.SetThreads(threads)
	return c, back
}

// A rule is a monitor with what it wants, as both sides read it.
type rule struct {
	actions []string
	next    [][]int
	init    int
	enough  [][][]string
	// back is what the return of main is observed as, "" for nothing.
	back string
}

// A moment is a state of a team.
type moment struct {
	at    string // of each thread a byte
	lock  bool
	state int
}

// seen is what happens in some run of a team.
type seen struct{ forbidden, unmet, refused bool }

// runs enumerates the interleavings.
func (p team) runs(r rule) (out seen) {
	met := map[moment]bool{}
	work := []moment{{at: string(make([]byte, len(p))), state: r.init}}
	for len(work) > 0 {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		if met[m] {
			continue
		}
		met[m] = true
		stands, offered := true, []string{}
		for t := range p {
			next, action := p.step(m, t)
			state, seen := r.after(m.state, action)
			if seen {
				offered = append(offered, action)
			} else if len(next) > 0 {
				stands = false
			}
			out.forbidden = out.forbidden || state == monitor.Forbidden
			for _, n := range next {
				n.state = state
				switch {
				case state == monitor.Forbidden:
				case n.at != "":
					work = append(work, n)
				case action == "":
					state, _ = r.after(state, r.back)
					out.forbidden = out.forbidden || state == monitor.Forbidden
					fallthrough
				default:
					out.unmet = out.unmet || state != monitor.Forbidden && r.wants(state, nil)
				}
			}
		}
		out.refused = out.refused || stands && r.wants(m.state, offered)
	}
	return out
}

// after is the monitor's state behind an action, and whether it observes that.
func (r rule) after(state int, action string) (next int, seen bool) {
	i := slices.Index(r.actions, action)
	if i < 0 {
		return state, false
	}
	return r.next[state][i], true
}

// wants reports whether what is offered is not enough.
func (r rule) wants(state int, offered []string) bool {
	return !slices.ContainsFunc(r.enough[state], func(set []string) bool {
		return !slices.ContainsFunc(set, func(a string) bool { return !slices.Contains(offered, a) })
	})
}

// exit is what the end of the process by a thread is called here.
const exit = "exit"

// step are the moments behind the next step of a thread, but for the monitor, and the action that it performs. The end
// of the process is one of no threads, with the action exit unless it is the return.
func (p team) step(m moment, t int) (next []moment, action string) {
	at := []byte(m.at)
	i := int(at[t])
	if i == len(p[t]) {
		if t == 0 {
			return []moment{{}}, ""
		}
		return nil, ""
	}
	o := p[t][i]
	at[t]++
	to := moment{at: string(at), lock: m.lock}
	switch o.kind {
	case "act":
		return []moment{to}, o.action
	case "lock":
		if m.lock {
			return nil, ""
		}
		to.lock = true
	case "unlock":
		to.lock = false
	case "join":
		for u := 1; u < len(p); u++ {
			if int(at[u]) < len(p[u]) {
				return nil, ""
			}
		}
	case "exit":
		return []moment{to, {}}, exit
	case "either":
		at[t] = byte(o.to)
		return []moment{to, {at: string(at), lock: m.lock}}, ""
	}
	return []moment{to}, ""
}

// random is a team of one to three threads with a rule about it.
func random(rnd *rand.Rand) (team, rule) {
	actions := []string{"a", "b", "c"}
	p := make(team, 1+rnd.Intn(3))
	for t := range p {
		p[t] = make([]op, rnd.Intn(5))
		for i := range p[t] {
			o := op{kind: []string{"act", "act", "act", "lock", "unlock", "either"}[rnd.Intn(6)]}
			o.action, o.to = actions[rnd.Intn(3)], i+1+rnd.Intn(len(p[t])-i)
			p[t][i] = o
		}
	}
	if rnd.Intn(2) == 0 && len(p[0]) > 0 {
		p[0][len(p[0])-1].kind = []string{"join", "exit", "lock"}[rnd.Intn(3)]
	}
	r := rule{actions: actions[:1+rnd.Intn(3)], back: []string{"", "a", "c"}[rnd.Intn(3)]}
	states := 1 + rnd.Intn(4)
	r.init = rnd.Intn(states)
	for range states {
		var next []int
		for range r.actions {
			next = append(next, max(monitor.Forbidden, rnd.Intn(2*states)-states/2)%states)
		}
		var enough [][]string
		for range rnd.Intn(3) {
			set := []string{}
			for _, a := range r.actions {
				if rnd.Intn(2) == 0 {
					set = append(set, a)
				}
			}
			enough = append(enough, set)
		}
		r.next, r.enough = append(r.next, next), append(r.enough, enough)
	}
	return p, r
}

// mostWanted is how many sets of actions may be wanted.
const mostWanted = 12

// interleave are all runs of a woven automaton in which what is open is below some number.
func interleave(t *testing.T, c *cfa.CFA, most uint64) *interp.Interleavings {
	t.Helper()
	var few []uint64
	for v := range most {
		few = append(few, v)
	}
	for _, fault := range c.Check() {
		require.Contains(t, fault, "is not reachable")
	}
	all, err := interp.New(c).Interleave(t.Context(), func(*expr.Expr) []uint64 { return few }, 200_000)
	require.NoError(t, err)
	return all
}

// TestWovenRunsMeanTheSpecification: of random threads, against all interleavings.
func TestWovenRunsMeanTheSpecification(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	count := map[string]int{}
	for n := range sample.Count(150) {
		p, r := random(rnd)
		want := p.runs(r)
		text := fmt.Sprintf("%d: %v %+v: %+v", n, p, r, want)
		c, back := p.build()
		returns := map[cfa.Loc][]monitor.Return{}
		if r.back != "" {
			returns[back] = []monitor.Return{{Action: r.back}}
		}
		silent := r
		silent.back = "" // what must be offered is not asked together with returns
		refusals := p.runs(silent)
		m, must := monitor.New(r.actions, r.next, r.init), monitor.NewMust(r.enough, mostWanted)
		require.NotNil(t, must)

		woven := interleave(t, m.Weave(c, monitor.Observed{Returns: returns}), 2)
		require.Equal(t, want.forbidden, woven.Performs(cfa.ErrorAction), text)
		woven = interleave(t, m.Weave(c, monitor.Observed{Must: must}), 2)
		require.Equal(t, refusals.forbidden || refusals.unmet, woven.Performs(cfa.ErrorAction), text)
		woven = interleave(t, m.Weave(c, monitor.Observed{Must: must, Stands: true}), mostWanted+1)
		require.Equal(t, refusals.refused, woven.Deadlock, text)
		require.False(t, woven.Performs(cfa.ErrorAction), text)
		for what, holds := range map[string]bool{"forbidden": want.forbidden, "unmet": refusals.unmet,
			"refused": refusals.refused} {
			if holds {
				count[what]++
			}
		}
		count["all"]++
	}
	t.Log(count)
	if sample.Whole() {
		for _, what := range []string{"forbidden", "unmet", "refused"} {
			require.Greater(t, count[what], count["all"]/10)
			require.Less(t, count[what], count["all"]*9/10)
		}
	}
}
