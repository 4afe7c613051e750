package interp_test

import (
	"context"
	"fmt"
	"math/rand"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/smt/expr"
)

// A builder makes automata by hand: statements are appended in a row, each one
// going on to the next unless it says otherwise.
type builder struct {
	c *cfa.CFA
	p *expr.Pool
}

func newBuilder() *builder {
	p := expr.NewPool()
	return &builder{c: &cfa.CFA{Name: "f", Pool: p, Ret: expr.Int32, Frames: []cfa.Frame{{Proc: "f", Parent: -1}}}, p: p}
}

func (b *builder) variable(name string, t expr.Type, k cfa.VarKind) *expr.Expr {
	v := b.p.Var(name, t)
	b.c.Vars = append(b.c.Vars, cfa.Var{Expr: v, Name: name, Kind: k})
	if k == cfa.Param {
		b.c.Params = append(b.c.Params, v)
	}
	return v
}

func (b *builder) local(name string) *expr.Expr { return b.variable(name, expr.Int32, cfa.Local) }
func (b *builder) param(name string) *expr.Expr { return b.variable(name, expr.Int32, cfa.Param) }
func (b *builder) int(v int64) *expr.Expr       { return b.p.Int(expr.Int32, v) }

func (b *builder) add(s cfa.Stmt, succ ...cfa.Loc) {
	n := cfa.Loc(len(b.c.Locs))
	switch s.(type) {
	case cfa.Return, cfa.Halt:
	default:
		if len(succ) == 0 {
			succ = []cfa.Loc{n + 1}
		}
	}
	b.c.Locs = append(b.c.Locs, cfa.Location{Stmt: s, Succ: succ, Pos: cfa.Pos{File: "f.c", Line: int(n) + 1, Col: 1}})
}

func (b *builder) assign(v, e *expr.Expr)                   { b.add(cfa.Assign{LHS: v, RHS: e}) }
func (b *builder) havoc(v *expr.Expr)                       { b.add(cfa.Assign{LHS: v, Nondet: "nondet"}) }
func (b *builder) branch(c *expr.Expr, then, other cfa.Loc) { b.add(cfa.Branch{Cond: c}, then, other) }
func (b *builder) act(a string)                             { b.add(cfa.Act{Action: a}) }

func (b *builder) machine() *interp.Machine { return interp.New(b.c) }

// guarded is: x = any; if (x == 7) error; return x + 1.
func guarded() (*builder, *expr.Expr) {
	b := newBuilder()
	x := b.local("x")
	b.havoc(x)                          // 0
	b.branch(b.p.Eq(x, b.int(7)), 2, 3) // 1
	b.act("error")                      // 2
	b.add(cfa.Return{Value: b.p.Add(x, b.int(1))})
	return b, x
}

func ctx() context.Context { return context.Background() }

func seeded(seed int64) *rand.Rand { return rand.New(rand.NewSource(seed)) }

// walk makes a random run and demands that its own script leads to it again.
func walk(t require.TestingT, m *interp.Machine, rnd *rand.Rand, steps int, env interp.Env) *interp.Run {
	run, err := m.Walk(ctx(), rnd, steps, env)
	require.NoError(t, err)
	again, err := m.Replay(ctx(), run.Script)
	require.NoError(t, err)
	require.Equal(t, show(run), show(again))
	last := ""
	for i, s := range run.States {
		last = valuation(s)
		if i < len(run.Script.Steps) {
			require.Equal(t, run.Script.Steps[i].Loc, s.Loc())
		}
	}
	require.Equal(t, valuation(run.End), last)
	return run
}

// show writes all that a run says.
func show(run *interp.Run) string {
	text := ""
	for _, s := range run.Steps {
		text += fmt.Sprintf("%d %d %v %d %s %v %v %q %q\n", s.Step, s.Loc, s.Pos, s.Frame, s.Stmt, s.Event,
			s.Changed, s.Chosen, s.Action)
	}
	return text + fmt.Sprintf("%q %v\n%s", run.Trace, run.Tainted, valuation(run.End))
}

// valuation writes a state's location and all values.
func valuation(s interp.State) string {
	text := fmt.Sprint(s.Loc(), s.Ended())
	for _, v := range s.Vars() {
		val, _ := s.Value(v)
		text += fmt.Sprint(" ", val)
	}
	return text
}
