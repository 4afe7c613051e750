package interp_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/smt/expr"
)

func TestReplayFollowsScript(t *testing.T) {
	b, x := guarded()
	script := interp.Script{Steps: []interp.ScriptStep{
		{Loc: 0, Choices: []interp.Binding{{Var: x, Value: 7}}},
		{Loc: 1},
		{Loc: 2, Actions: []string{"error"}},
		{Loc: 3},
	}}
	run, err := b.machine().Replay(ctx(), script)
	require.NoError(t, err)
	require.Equal(t, []string{"error"}, run.Trace)
	require.Len(t, run.Steps, 4)
	require.Equal(t, []interp.Binding{{Var: x, Value: 7}}, run.Steps[0].Changed)
	require.Equal(t, "nondet", run.Steps[0].Chosen)
	require.Equal(t, interp.Returned{Value: 8, Has: true}, run.Steps[3].Event)
	require.True(t, run.End.Ended())
	require.Nil(t, run.Tainted)
}

func TestReplayDivergences(t *testing.T) {
	b, x := guarded()
	y := b.p.Var("elsewhere", expr.Int32)
	chosen := func(v uint64) []interp.Binding { return []interp.Binding{{Var: x, Value: v}} }
	for name, c := range map[string]struct {
		script interp.Script
		step   int
		why    string
	}{
		"other branch": {interp.Script{Steps: []interp.ScriptStep{{Loc: 0, Choices: chosen(6)}, {Loc: 1},
			{Loc: 2, Actions: []string{"error"}}}},
			2, "step 2: f.c:4:1: the component is at location 3, the script at 2"},
		"wrong entry": {interp.Script{Steps: []interp.ScriptStep{{Loc: 1}}}, 0, "location 0, the script at 1"},
		"silent action": {interp.Script{Steps: []interp.ScriptStep{{Loc: 0, Choices: chosen(7)}, {Loc: 1}, {Loc: 2}}},
			2, `the component performs ["error"], the script []`},
		"other action": {interp.Script{Steps: []interp.ScriptStep{{Loc: 0, Choices: chosen(7)}, {Loc: 1},
			{Loc: 2, Actions: []string{"lock"}}}},
			2, `performs ["error"], the script ["lock"]`},
		"invented action": {interp.Script{Steps: []interp.ScriptStep{{Loc: 0, Actions: []string{"lock"}}}},
			0, "without a visible action"},
		"closed choice": {interp.Script{Steps: []interp.ScriptStep{{Loc: 0}, {Loc: 1, Choices: chosen(7)}}},
			1, "does not leave open"},
		"unknown variable": {interp.Script{Init: []interp.Binding{{Var: y}}}, 0, "does not have"},
		"inside no call":   {interp.Script{Steps: []interp.ScriptStep{{Loc: 0, Inside: true}}}, 0, "no call is made"},
		"after the end": {interp.Script{Steps: []interp.ScriptStep{{Loc: 0}, {Loc: 1}, {Loc: 3}, {Loc: 3}}},
			3, "has ended before"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.machine().Replay(ctx(), c.script)
			var d *interp.Divergence
			require.ErrorAs(t, err, &d)
			require.Equal(t, c.step, d.Step)
			require.ErrorContains(t, err, c.why)
		})
	}
}

func TestReplayStopsWithContext(t *testing.T) {
	b, _ := guarded()
	done, cancel := context.WithCancel(ctx())
	cancel()
	_, err := b.machine().Replay(done, interp.Script{Steps: []interp.ScriptStep{{Loc: 0}}})
	require.ErrorIs(t, err, context.Canceled)
}

// Initial values reach the first statement, cut to the variable's width.
func TestReplayInitialValues(t *testing.T) {
	b := newBuilder()
	c := b.variable("c", expr.Uint8, cfa.Param)
	b.add(cfa.Return{Value: b.p.Cast(expr.Int32, c)})
	run, err := b.machine().Replay(ctx(), interp.Script{Init: []interp.Binding{{Var: c, Value: 0x1ff}},
		Steps: []interp.ScriptStep{{Loc: 0}}})
	require.NoError(t, err)
	require.Equal(t, interp.Returned{Value: 255, Has: true}, run.Steps[0].Event)
}

// server is: r = serve(n); if (r < 0) halt; act done; return.
func server() (b *builder, n, r, g *expr.Expr) {
	b = newBuilder()
	n, r = b.param("n"), b.local("r")
	g = b.variable("g", expr.Int32, cfa.Global)
	b.add(cfa.Call{Callee: "serve", Args: []*expr.Expr{b.p.Add(n, b.int(1))}, LHS: r, Ret: expr.Int32,
		Clobbers: []*expr.Expr{g}}) // 0
	b.branch(b.p.Lt(r, b.int(0)), 2, 3) // 1
	b.add(cfa.Halt{Reason: "abort"})    // 2
	b.act("done")                       // 3
	b.add(cfa.Return{})                 // 4
	return b, n, r, g
}

// serveEnv is the routine of server: for a positive argument, after an
// internal move, req and then rep any number of times, returning a value that is not negative;
// for others, fail, returning -1. Returns are the action "return {}".
type serveEnv struct{}

func (serveEnv) Start(c *interp.Site) []int {
	if int32(c.Args[0]) > 0 {
		return []int{0}
	}
	return []int{10}
}

func (serveEnv) Moves(_ *interp.Site, state int) []interp.Move {
	switch state {
	case 0:
		return []interp.Move{{To: 1}}
	case 1:
		return []interp.Move{{Action: "req", To: 2}}
	case 2:
		return []interp.Move{{Action: "rep", To: 2}, {Returns: true, Admits: func(v uint64) bool { return int32(v) >= 0 }}}
	case 10:
		return []interp.Move{{Action: "fail", To: 11}}
	case 11:
		return []interp.Move{{Returns: true, Admits: func(v uint64) bool { return int32(v) == -1 }}}
	}
	return nil
}

func (serveEnv) Return(interp.Returned, *interp.Site) []string { return []string{"return {}"} }

func TestReplayCall(t *testing.T) {
	b, n, r, g := server()
	m := b.machine()
	script := interp.Script{
		Init: []interp.Binding{{Var: n, Value: 4}},
		Steps: []interp.ScriptStep{
			{Loc: 0, Actions: []string{"req", "rep", "rep"}, Result: 3, Choices: []interp.Binding{{Var: g, Value: 9}}},
			{Loc: 1}, {Loc: 3, Actions: []string{"done"}}, {Loc: 4, Actions: []string{"return {}"}},
		},
		Env: serveEnv{},
	}
	run, err := m.Replay(ctx(), script)
	require.NoError(t, err)
	require.Equal(t, []string{"req", "rep", "rep", "done", "return {}"}, run.Trace)
	require.Len(t, run.Steps, 7)
	ret := run.Steps[3]
	require.Equal(t, 0, ret.Step)
	require.Empty(t, ret.Action)
	require.Equal(t, []interp.Binding{{Var: g, Value: 9}, {Var: r, Value: 3}}, ret.Changed)
	require.Equal(t, "serve", ret.Chosen)
	require.Equal(t, interp.Called{Callee: "serve", Args: []uint64{5}}, ret.Event)
}

func TestReplayCallDivergences(t *testing.T) {
	b, n, _, _ := server()
	m := b.machine()
	for name, c := range map[string]struct {
		n    uint64
		step interp.ScriptStep
		why  string
	}{
		"guard does not hold": {4, interp.ScriptStep{Actions: []string{"fail"}, Result: 0xffffffff},
			`serve may not perform ["fail"] when called with [5]`},
		"not a trace":           {4, interp.ScriptStep{Actions: []string{"rep"}}, "may not perform"},
		"cannot return yet":     {4, interp.ScriptStep{}, "may not return"},
		"value is not admitted": {4, interp.ScriptStep{Actions: []string{"req"}, Result: 0xffffffff}, "may not return"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := m.Replay(ctx(), interp.Script{Init: []interp.Binding{{Var: n, Value: c.n}},
				Steps: []interp.ScriptStep{c.step}, Env: serveEnv{}})
			require.ErrorContains(t, err, c.why)
		})
	}
	inside := interp.Script{Init: []interp.Binding{{Var: n, Value: 4}},
		Steps: []interp.ScriptStep{{Actions: []string{"req"}, Inside: true}}, Env: serveEnv{}}
	run, err := m.Replay(ctx(), inside)
	require.NoError(t, err)
	require.Equal(t, []string{"req"}, run.Trace)
	inside.Steps = append(inside.Steps, interp.ScriptStep{Loc: 1})
	_, err = m.Replay(ctx(), inside)
	require.ErrorContains(t, err, "has not returned")
}

// A value of the wrong kind for an observed return is not accepted.
func TestReplayReturnAction(t *testing.T) {
	b, n, _, _ := server()
	steps := []interp.ScriptStep{{Loc: 0, Actions: []string{"req"}}, {Loc: 1},
		{Loc: 3, Actions: []string{"done"}}, {Loc: 4, Actions: []string{"return {other}"}}}
	_, err := b.machine().Replay(ctx(), interp.Script{Init: []interp.Binding{{Var: n, Value: 1}},
		Steps: steps, Env: serveEnv{}})
	require.ErrorContains(t, err, `the component performs ["return {}"], the script ["return {other}"]`)
}

// tainting is: f = floating point; g = f + 1; x = 1; if (<cond>) a; return.
func tainting(cond func(b *builder, f, g, x *expr.Expr) *expr.Expr) *builder {
	b := newBuilder()
	f, g, x := b.local("f"), b.local("g"), b.local("x")
	b.add(cfa.Assign{LHS: f, Nondet: "float", Approx: "floating point"}) // 0
	b.assign(g, b.p.Add(f, b.int(1)))                                    // 1
	b.assign(x, b.int(1))                                                // 2
	b.branch(cond(b, f, g, x), 4, 5)                                     // 3
	b.act("a")                                                           // 4
	b.add(cfa.Return{Value: x})                                          // 5
	return b
}

func TestTaint(t *testing.T) {
	steps := []interp.ScriptStep{{Loc: 0}, {Loc: 1}, {Loc: 2}, {Loc: 3}}
	b := tainting(func(b *builder, f, g, x *expr.Expr) *expr.Expr { return b.p.Lt(g, x) })
	run, err := b.machine().Replay(ctx(), interp.Script{Steps: steps})
	require.NoError(t, err)
	require.Equal(t, &interp.Taint{Reason: "floating point", Pos: cfa.Pos{File: "f.c", Line: 1, Col: 1},
		Loc: 3, At: cfa.Pos{File: "f.c", Line: 4, Col: 1}}, run.Tainted)
	require.Equal(t, "f.c:4:1: depends on floating point at f.c:1:1", run.Tainted.String())

	b = tainting(func(b *builder, f, g, x *expr.Expr) *expr.Expr { return b.p.Lt(x, b.int(2)) })
	run, err = b.machine().Replay(ctx(), interp.Script{Steps: steps})
	require.NoError(t, err)
	require.Nil(t, run.Tainted)
}

// Taint ends where the variable is set again, comes back from routines that
// were given it, and counts at a return only if the return is observed.
func TestTaintEndsAndPasses(t *testing.T) {
	b := newBuilder()
	f, r := b.local("f"), b.local("r")
	b.add(cfa.Assign{LHS: f, Approx: "floating point"})                          // 0
	b.add(cfa.Call{Callee: "g", Args: []*expr.Expr{f}, LHS: r, Ret: expr.Int32}) // 1
	b.assign(f, b.int(0))                                                        // 2
	b.branch(b.p.Eq(f, b.int(0)), 4, 4)                                          // 3
	b.add(cfa.Return{Value: r})                                                  // 4
	m := b.machine()
	s := m.Initial(nil)
	zero := interp.ChoiceFunc(func(cfa.Loc, *expr.Expr) uint64 { return 0 })
	var tainted []bool
	for !s.Ended() {
		res := m.Step(s, zero)
		tainted = append(tainted, res.Tainted != nil)
		s = res.Next
	}
	require.Equal(t, []bool{false, true, false, false, true}, tainted)

	b = newBuilder()
	f = b.local("f")
	b.add(cfa.Assign{LHS: f, Approx: "floating point"})
	b.add(cfa.Return{Value: f})
	run, err := b.machine().Replay(ctx(), interp.Script{Steps: []interp.ScriptStep{{Loc: 0}, {Loc: 1}}})
	require.NoError(t, err)
	require.Nil(t, run.Tainted)
	run, err = b.machine().Replay(ctx(),
		interp.Script{Steps: []interp.ScriptStep{{Loc: 0}, {Loc: 1, Actions: []string{"return {0}"}}}})
	require.NoError(t, err)
	require.NotNil(t, run.Tainted)
}

// A guard that reads a tainted global makes the call a tainted decision.
func TestTaintedGuard(t *testing.T) {
	b := newBuilder()
	g := b.variable("g", expr.Int32, cfa.Global)
	b.add(cfa.Assign{LHS: g, Approx: "floating point"})
	b.add(cfa.Call{Callee: "serve", Ret: expr.Bool})
	b.add(cfa.Return{})
	run, err := b.machine().Replay(ctx(), interp.Script{Steps: []interp.ScriptStep{{Loc: 0}, {Loc: 1}}, Env: globalEnv{g}})
	require.NoError(t, err)
	require.NotNil(t, run.Tainted)
}

// globalEnv is a routine that can be called if g is 0, and returns at once.
type globalEnv struct{ g *expr.Expr }

func (e globalEnv) Start(c *interp.Site) []int {
	if c.Value(e.g) == 0 {
		return []int{0}
	}
	return nil
}
func (globalEnv) Moves(*interp.Site, int) []interp.Move         { return []interp.Move{{Returns: true}} }
func (globalEnv) Return(interp.Returned, *interp.Site) []string { return nil }

func TestStepIsPure(t *testing.T) {
	b, x := guarded()
	m := b.machine()
	s := m.Initial(nil)
	r := m.Step(s, interp.ChoiceFunc(func(cfa.Loc, *expr.Expr) uint64 { return 5 }))
	before, _ := s.Value(x)
	after, _ := r.Next.Value(x)
	require.Equal(t, []uint64{0, 5}, []uint64{before, after})
	require.Equal(t, []cfa.Loc{0, 1}, []cfa.Loc{s.Loc(), r.Next.Loc()})
	require.Equal(t, uint64(6), r.Next.Eval(b.p.Add(x, b.int(1))))
	_, known := s.Value(b.p.Var("elsewhere", expr.Int32))
	require.False(t, known)
}

func TestBadAutomatonPanics(t *testing.T) {
	b, _ := guarded()
	b.c.Locs[1].Succ = b.c.Locs[1].Succ[:1]
	require.PanicsWithValue(t, "interp: location 1 (if (x == 7)) has 1 successors", func() { b.machine() })
}

func TestBindingString(t *testing.T) {
	p := expr.NewPool()
	require.Equal(t, "x = -1", interp.Binding{Var: p.Var("x", expr.Int32), Value: 0xffffffff}.String())
	require.Equal(t, "u = 4294967295", interp.Binding{Var: p.Var("u", expr.Uint32), Value: 0xffffffff}.String())
}

// What a routine may have changed and did not is what it was: a decision may
// rest on it.
func TestKeptValueIsNoTaint(t *testing.T) {
	for _, c := range []struct {
		value   uint64
		tainted bool
	}{{5, false}, {6, true}} {
		b := newBuilder()
		x := b.local("x")
		b.assign(x, b.int(5))                                                              // 0
		b.add(cfa.Assign{LHS: x, Nondet: "f", Approx: "what f may reach", Keeps: true}, 2) // 1
		b.branch(b.p.Eq(x, b.int(int64(c.value))), 3, 4)                                   // 2
		b.act("error")                                                                     // 3
		b.add(cfa.Return{Value: b.int(0)})                                                 // 4
		run, err := b.machine().Replay(ctx(),
			interp.Script{Steps: []interp.ScriptStep{{Loc: 0}, {Loc: 1, Choices: []interp.Binding{{Var: x, Value: c.value}}},
				{Loc: 2}, {Loc: 3, Actions: []string{"error"}}}})
		require.NoError(t, err)
		require.Equal(t, c.tainted, run.Tainted != nil, "%d", c.value)
	}
}
