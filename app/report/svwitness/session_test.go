package svwitness

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/smt/expr"
)

const externs = `extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);
`

// checked is a session about the error of a program at its end. The program's first line is what the externs are.
func checked(t *testing.T, engine cegar.Engine, text string) (cegar.View, *magus.Claim, []source.Source) {
	t.Helper()
	units := []source.Source{{Name: "a.c", Text: []byte(externs + text)}}
	view, claim := checkedUnits(t, engine, units)
	return view, claim, units
}

func checkedUnits(t *testing.T, engine cegar.Engine, units []source.Source) (cegar.View, *magus.Claim) {
	t.Helper()
	project, err := magus.Load(context.Background(), magus.Input{C: units})
	require.NoError(t, err)
	claim, err := project.Property(magus.Property{})
	require.NoError(t, err)
	s, err := magus.NewLoop(context.Background(), claim, magus.Options{Loop: magus.Loop{Engine: engine}})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	s.Run(context.Background(), nil)
	return s.View(), claim
}

// short is a place as line:column function.
func short(l Location) string { return fmt.Sprintf("%d:%d %s", l.Line, l.Column, l.Function) }

func TestWaypoints(t *testing.T) {
	for what, test := range map[string]struct {
		text   string
		want   []string
		called string
	}{
		"values and decisions": {`int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == -3) {
    while (x < 0) { x = __VERIFIER_nondet_uchar(); if (x != 200) return 1; }
    if (x == 200) reach_error();
  }
}
`, []string{
			`function_return 3:33 main \result == (-3)`, `branching 4:3 main true`, `branching 5:5 main true`,
			`function_return 5:49 main \result == 200`, `branching 5:52 main false`, `branching 5:5 main false`,
			`branching 6:5 main true`,
			`target 6:19 main `}, "reach_error"},
		"a call in another function, " +
			"as a part of a return": {`int bad(int y) { if (y > 1) return 0; return reach_error(), 1; }
int main(void) { return bad(0); }
`, []string{`branching 2:18 bad false`, `target 2:46 bad `}, "reach_error"},
		"a value within a condition": {`int main(void) { for (; __VERIFIER_nondet_int() != 7; ) return 0; reach_error(); }
`, []string{`function_return 2:47 main \result == 7`, `branching 2:18 main false`, `target 2:67 main `}, "reach_error"},
		"no word for a conditional " +
			"expression": {`int main(void) { int x = __VERIFIER_nondet_int(); x == 5 ? reach_error() : (void)0; }
`, []string{`function_return 2:48 main \result == 5`, `target 2:51 main `}, "reach_error"},
		"a macro's value has no place": {`#define ANY __VERIFIER_nondet_int()
int main(void) { int x = ANY; if (x == 5) reach_error(); }
`, []string{`branching 3:31 main true`, `target 3:43 main `}, "reach_error"},
	} {
		view, _, units := checked(t, cegar.AutoEngine, test.text)
		require.NotNil(t, view.Replayed, what)
		points, called := Violation(view.Components[0].CFA, view.Replayed.Runs[0], units)
		var got []string
		for _, w := range points {
			got = append(got, w.Kind+" "+short(w.Location)+" "+w.Value)
			assert.Equal(t, "a.c", w.Location.File)
		}
		assert.Equal(t, test.want, got, what)
		assert.Equal(t, test.called, called, what)
		assert.False(t, Lacks(view.Components[0].CFA, view.Replayed.Runs[0]), what)
	}
}

// invariants are those of a program that conforms, as "line:column function: text".
func invariants(t *testing.T, engine cegar.Engine, text string) (got []string) {
	t.Helper()
	view, claim, units := checked(t, engine, text)
	require.Equal(t, magus.Conforms, view.Outcome.Verdict)
	c := view.Components[0]
	proof := Proof{CFA: c.CFA, Graph: c.Graph, Layers: view.Layers}
	if view.Layers == nil {
		proof.MP = c.MP
	}
	all, err := Correctness(context.Background(), proof, claim.Program, units)
	require.NoError(t, err)
	for _, v := range all {
		kind := "label"
		if v.Loop {
			kind = "loop"
		}
		got = append(got, kind+" "+short(v.Location)+": "+v.Value)
	}
	if len(all) > 0 {
		stopped, stop := context.WithCancel(context.Background())
		stop()
		_, err = Correctness(stopped, proof, claim.Program, units)
		assert.ErrorIs(t, err, context.Canceled)
	}
	return got
}

// What is said of heads has been read beside the program, and holds.
func TestInvariantsOfProofs(t *testing.T) {
	const toggled = "if (on) reach_error(); on = 1; on = 0;"
	for what, test := range map[string]struct {
		engine cegar.Engine
		text   string
		want   []string
	}{
		"two loops and a label, by induction": {cegar.InductionEngine, `int n;
static int up(int k) { while (k < 4) k++; return k; }
int main(void) {
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100) n = 0;
  int i = 0, on = 0;
  for (i = 0; i < n; i++) { ` + toggled + ` }
again: if (i > 3) { i--; goto again; }
  { int n = up(i); if (n < 4) reach_error(); }
  if (on) reach_error();
}
`, []string{"loop 3:24 up: (!(k < 0) && (k < 5))",
			"loop 8:3 main: (!(i < 0) && !(n < 0) && (i < 101) && (n < 101) && (on == 0))",
			"label 9:1 main: (!(i < 0) && (i < 101) && (on == 0))"}},
		"a local flag": {cegar.LoopEngine, `int main(void) { int on = 0; while (__VERIFIER_nondet_int()) { ` + toggled + ` } }
`, []string{"loop 2:30 main: ((on == 0))"}},
		"a global one, which a local one hides at the second loop": {cegar.LoopEngine, `int on;
int main(void) {
  while (__VERIFIER_nondet_int()) { ` + toggled + ` }
  int on = 3;
  for (;;) { if (__VERIFIER_nondet_int()) break; }
  { extern int on; ` + toggled + ` }
}
`, []string{"loop 4:3 main: ((on == 0))"}},
		"a static one of a function": {cegar.LoopEngine,
			`int main(void) { static int on; while (__VERIFIER_nondet_int()) { ` + toggled + ` } }
`, nil},
		"two calls of a function with a loop": {cegar.LoopEngine,
			`static void f(int on) { while (__VERIFIER_nondet_int()) { if (on == 2) reach_error(); } }
int main(void) { f(0); f(1); }
`, []string{"loop 2:25 f: (!(on == 2))"}},
		"parts of a structure": {cegar.LoopEngine, `struct s { int on; int *p; } g;
int main(void) { struct s *q = &g; while (__VERIFIER_nondet_int()) { if (g.on) reach_error(); g.on = 1; q->on = 0; } }
`, []string{"loop 3:36 main: ((g.on == 0))"}},
		"an element": {cegar.LoopEngine, `int a[2];
int main(void) { while (__VERIFIER_nondet_int()) { if (a[1]) reach_error(); a[1] = 1; a[1] = 0; } }
`, []string{"loop 3:18 main: ((a[1] == 0))"}},
		"what is volatile is not said": {cegar.LoopEngine,
			`int main(void) { int on = 0; volatile int v = 0; while (__VERIFIER_nondet_int()) { if (v) v = 1; ` + toggled + ` } }
`, []string{"loop 2:50 main: ((on == 0))"}},
		"a macro for the loop": {cegar.LoopEngine, `#define EVER while (__VERIFIER_nondet_int())
int main(void) { int on = 0; EVER { ` + toggled + ` } }
`, nil},
		"a loop at its end": {cegar.LoopEngine, `int main(void) { int on = 0; do { ` + toggled +
			` } while (__VERIFIER_nondet_int()); }
`, nil},
		"a loop that is not reached": {cegar.LoopEngine,
			`int main(void) { int on = 0; if (on) while (__VERIFIER_nondet_int()) { on = 2; } if (on) reach_error(); }
`, nil},
		"nothing to say": {cegar.LoopEngine, `int main(void) { while (__VERIFIER_nondet_int()) { } }
`, nil},
	} {
		t.Run(what, func(t *testing.T) { assert.Equal(t, test.want, invariants(t, test.engine, test.text)) })
	}
}

// An error in a file that was not named has no place, and no function's name.
func TestErrorInAnotherFile(t *testing.T) {
	view, _, _ := checked(t, cegar.AutoEngine, "int main(void) { if (__VERIFIER_nondet_int() == 3) reach_error(); }\n")
	points, called := Violation(view.Components[0].CFA, view.Replayed.Runs[0], nil)
	assert.Empty(t, called)
	require.Len(t, points, 1, "the target alone is always there")
	assert.Equal(t, "target", points[0].Kind)
	assert.Empty(t, points[0].Location.File)
}

// A run lacks values where a round that is repeated chooses one; other assignments are none.
func TestLacks(t *testing.T) {
	p := expr.NewPool()
	c := &cfa.CFA{Locs: []cfa.Location{
		{Stmt: cfa.Assign{}},
		{Stmt: cfa.Assign{RHS: p.Int(expr.Int32, 1)}},
		{Stmt: cfa.Branch{}},
	}}
	for _, test := range []struct {
		steps []interp.RunStep
		want  bool
	}{
		{nil, false},
		{[]interp.RunStep{{Loc: 0}}, false},
		{[]interp.RunStep{{Event: interp.Repeated{Round: []cfa.Loc{1, 2}}}}, false},
		{[]interp.RunStep{{Loc: 1}, {Event: interp.Repeated{Round: []cfa.Loc{1, 0, 2}}}}, true},
	} {
		assert.Equal(t, test.want, Lacks(c, &interp.Run{Steps: test.steps}))
	}
}

// Of two static variables of one name in two files nothing is said by that name; of one beside another name's
// something is.
func TestStaticVariablesOfTwoFiles(t *testing.T) {
	const loop = "int main(void) { while (__VERIFIER_nondet_int()) { if (on) reach_error(); on = 1; " +
		"on = 0; } return other(); }\n"
	for text, want := range map[string]string{"static int on = 3; int other(void) { return on; }\n": "",
		"static int off; int other(void) { return off; }\n": "((on == 0))"} {
		units := []source.Source{{Name: "a.c", Text: []byte(externs + "int other(void); static int on; " + loop)},
			{Name: "b.c", Text: []byte(text)}}
		view, claim := checkedUnits(t, cegar.LoopEngine, units)
		require.Equal(t, magus.Conforms, view.Outcome.Verdict)
		c := view.Components[0]
		all, err := Correctness(context.Background(), Proof{CFA: c.CFA, Graph: c.Graph, MP: c.MP}, claim.Program, units)
		require.NoError(t, err)
		said := ""
		for _, v := range all {
			said += v.Value
		}
		assert.Equal(t, want, said, text)
	}
}
