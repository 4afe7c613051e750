package coverage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/evidence/verdict"
	"magus/specs"
)

// prove checks the only claim, or that error never happens where there is no
// specification.
func prove(t *testing.T, c, spec string, opt magus.Options) *magus.Outcome {
	t.Helper()
	in := magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}}}
	if spec != "" {
		in.Specs = []specs.Source{{Name: "a.spec", Text: []byte(spec)}}
	}
	p, err := magus.Load(t.Context(), in)
	require.NoError(t, err)
	var claim *magus.Claim
	if spec == "" {
		claim, err = p.Property(magus.Property{})
	} else {
		var claims []*magus.Claim
		claims, err = p.Claims(magus.Selection{})
		if err == nil {
			claim = claims[len(claims)-1]
		}
	}
	require.NoError(t, err)
	o, err := magus.Check(t.Context(), claim, opt, nil)
	require.NoError(t, err)
	return o
}

// told is a coverage in one line for each component, and the doubts.
func told(o *magus.Outcome) string {
	var b strings.Builder
	for _, c := range o.Coverage {
		fmt.Fprintf(&b, "%s %d/%d", c.Component, c.Reached, len(c.Statements))
		for _, st := range c.Statements {
			if !st.Reached {
				fmt.Fprintf(&b, " %d<%s:%d", st.Pos.Line, st.Because.Kind, st.Because.Pos.Line)
			}
		}
		b.WriteByte('\n')
	}
	for _, d := range o.Doubts {
		fmt.Fprintf(&b, "%s:%d %s\n", d.Kind, d.Pos.Line, d.Text)
	}
	return b.String()
}

// TestReasons: each kind of blocker, with what is warned of and what is not. Line 1
// of the source is the declarations.
func TestReasons(t *testing.T) {
	const head = "int nd(void); void reach_error(void); void exit(int); void abort(void); " +
		"void __VERIFIER_assume(int); struct s { int x; struct s *n; };\n"
	tests := []struct{ name, c, want string }{
		{"all", `int main(void) {
if (nd() == 3) return 1;
if (0 > 1) reach_error();
return 0; }`, "main 4/5 4<condition:4\n"},
		{"a condition", `int main(void) { int x = 1;
if (x > 2)
 reach_error();
return 0; }`, "main 3/4 4<condition:3\n"},
		{"an uninitialised pointer", `int main(void) { struct s *p;
p->x = 1;
if (p->x == 2) reach_error();
return 0; }`, "main 1/4 4<pointer:3 4<pointer:3 5<pointer:3\n" +
			"end:3 no run gets to the end of main: the pointer or index used here is never valid\n"},
		{"an index", `int main(void) { int a[4], i = 7;
a[i] = 1;
if (a[1] == 2) reach_error();
return 0; }`, "main 2/5 4<pointer:3 4<pointer:3 5<pointer:3\n" +
			"end:3 no run gets to the end of main: the pointer or index used here is never valid\n"},
		{"a pointer in one branch", `int main(void) { struct s *p;
if (nd()) {
 p->x = 1;
 p->x = 2; }
if (nd() == 2 && nd() == 3 && 0) reach_error();
return 0; }`, "main 4/6 5<pointer:4 6<condition:6\n" +
			"pointer:4 the pointer or index used here is never valid: 1 statement behind it is never reached\n"},
		{"a pointer in allocated memory",
			`struct node { struct node *next; int v; }; extern void *malloc(unsigned long); int main(void) { struct node *p = malloc(sizeof *p);
if (!p) return 1;
if (p->next->v) reach_error();
return 0; }`, "main 4/6 4<pointer:4 5<pointer:4\n" +
				"pointer:4 the pointer or index used here is never valid: 2 statements behind it are never reached\n"},
		{"a callee that loops for ever", `static void spin(void) { for (;;) ; } int main(void) { int x = nd();
spin();
if (x) reach_error();
return 0; }`, "main 3/6 4<jump:2 4<jump:2 5<jump:2\ncall:3 no run comes back from this call of spin, " +
			"which loops for ever: 3 statements behind it are never reached\n"},
		{"a callee that loops for ever in a callee",
			`static void spin(int k) { while (k != 3) k = k > 9 ? 0 : k + 2; } static void run(void) {
spin(4);
nd(); }
int main(void) { nd();
run();
reach_error(); }`, "main 5/7 4<condition:2 7<condition:2\n" +
				"call:3 no run comes back from this call of spin, which loops for ever: 2 statements behind it " +
				"are never reached\n"},
		{"a callee that ends the program", `static void die(void) { while (!nd()) ; exit(1); } int main(void) { int x = 1;
if (nd()) die();
if (x > 1) reach_error(); }`, "main 6/7 4<condition:4\n"},
		{"a callee that goes round and comes back", `static void turn(void) { while (nd()) nd(); } int main(void) { int x = 1;
turn();
if (x > 1) reach_error(); }`, "main 5/6 4<condition:4\n"},
		{"a loop of its own", `int main(void) { for (;;)
nd();
reach_error(); }`, "main 2/3 4<jump:2\n"},
		{"an assumption", `int main(void) { int x = 1;
__VERIFIER_assume(x > 2);
if (nd()) reach_error();
return 0; }`, "main 2/5 4<assumption:3 4<assumption:3 5<assumption:3\n" +
			"end:3 no run gets to the end of main: this assumption is never true\n"},
		{"two halves of an assumption", `int main(void) { int x = nd();
__VERIFIER_assume(x > 2 && x < 1);
if (nd()) reach_error();
return 0; }`, "main 2/5 4<assumption:3 4<assumption:3 5<assumption:3\n" +
			"end:3 no run gets to the end of main: this assumption is never true\n"},
		{"a constant assumption", `int main(void) {
__VERIFIER_assume(0);
if (nd()) reach_error();
return 0; }`, "main 1/4 4<assumption:3 4<assumption:3 5<assumption:3\n" +
			"little:3 most of main is never reached: this assumption is never true\n"},
		{"exit, always", `int main(void) { int ready = 0;
if (!ready)
 exit(1);
if (nd()) reach_error();
return 0; }`, "main 3/6 5<end:4 5<end:4 6<end:4\nend:4 no run gets to the end of main: exit ends every run here\n"},
		{"exit in a procedure", `static void die(void) { nd(); exit(1); }
int main(void) {
die();
nd(); nd(); nd(); nd();
reach_error();
return 0; }`, "main 3/9 5<end:2 5<end:2 5<end:2 5<end:2 6<end:2 7<end:2\n" +
			"little:2 most of main is never reached: exit ends every run here\n"},
		{"exit at the end", `int main(void) {
if (nd() == 1 && nd() == 2 && 0) reach_error();
exit(0); }`, "main 2/3 3<condition:3\n"},
		{"abort where something fails", `int main(void) { int x = nd();
if (x < 0) abort();
if (x < 0) reach_error();
return 0; }`, "main 5/6 4<condition:4\n"},
		{"an empty loop", `int main(void) { int x = 0;
while (x == 0) ;
nd();
if (nd()) reach_error();
return 0; }`, "main 2/6 4<loop:3 5<loop:3 5<loop:3 6<loop:3\n" +
			"end:3 no run gets to the end of main: this loop does nothing and has no end\n"},
		{"a server", `int main(void) { int run = 1;
while (run) {
 if (nd() == 9) nd(); }
reach_error();
return 0; }`, "main 4/6 5<condition:3 6<condition:3\n"},
		{"a server without an end", `int main(void) {
for (;;) {
 if (nd() == 9) exit(1); }
reach_error();
return 0; }`, "main 3/5 5<jump:3 6<jump:3\n"},
		{"behind a return", `int main(void) {
return 0;
reach_error(); }`, "main 1/2 4<jump:3\n"},
		{"nobody goes to a label", `int main(void) {
return 0;
l: nd(); nd(); goto l; }`, "main 1/3 4<jump:3 4<jump:3\n" +
			"unobserved:0 nothing in main, or in what it calls, performs error; " +
			"--error-function and --error-label say what does\n"},
		{"a case that never is", `int main(void) { int x = 1;
switch (x) {
case 1: nd(); break;
case 2: reach_error(); }
return 0; }`, "main 4/5 5<condition:4\n"},
		{"nothing can go wrong", `int main(void) { return nd(); }`,
			"main 1/1\nunobserved:0 nothing in main, or in what it calls, performs error; " +
				"--error-function and --error-label say what does\n"},
		{"one copy of two", `static int half(int x) {
if (x)
 return 1;
return 0; }
int main(void) {
if (half(0) + half(1) > 4) reach_error();
return 0; }`, "main 5/6 7<condition:7\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := prove(t, head+test.c, "", magus.Options{})
			require.Equal(t, magus.Conforms, o.Verdict, "%v", o.Reason)
			require.Equal(t, test.want, told(o))
		})
	}
}

// TestClaims: what is asked of a claim's actions and guards, and what components
// wait for, with one level of abstraction and with two.
func TestClaims(t *testing.T) {
	tests := []struct{ name, c, spec, want string }{
		{"a mistyped action", "void a(void); void f(void) { a(); }",
			"procedure a { abstract { true, A }; } A = ( commit -> return {} -> STOP ).\n" +
				"procedure f { abstract { true, F }; } F = ( commit -> return {} -> STOP | comit -> F ).",
			"f 1/1\naction:2 the claim mentions comit, which no component performs; did you mean commit?\n"},
		{"nothing observed", "void a(void); void f(void) { a(); }",
			"procedure a { abstract { true, A }; } A = ( commit -> return {} -> STOP ).\n" +
				"procedure f { abstract { true, F }; } F = ( comit -> F ).",
			"f 1/1\nunobserved:2 the claim observes nothing that f does: its actions are comit; did you mean commit?\n"},
		{"what must never happen", "void __MAGUS_ACTION__(const char *); void f(int x) { " +
			"if (x > 1 && x < 1) __MAGUS_ACTION__(\"b\"); }",
			"procedure f { abstract { true, F }; } F = STOP + {b}.", "f 1/2 1<condition:1\n"},
		{"a guard that never holds", "void __MAGUS_ACTION__(const char *); int f(int x) { " +
			"__MAGUS_ACTION__(\"a\"); return 1; }",
			"procedure f { abstract { ($1 > 1 && $1 < 1), F }; } F = ( a -> F ).",
			"f 0/2 1<assumption:1 1<assumption:1\nend:1 no run gets to the end of f: this assumption is never true\n"},
		{"a call that never returns", "void a(void); void f(void) { a();\na(); }",
			"procedure a { abstract { true, A }; } A = ( x -> A ).\nprocedure f { abstract { true, F }; } F = ( x -> F ).",
			"f 1/2 2<call:1\nend:1 no run gets to the end of f: the call of a never returns\n"},
		{"a component that waits for ever", "void __MAGUS_ACTION__(const char *);\n" +
			"void p(void) { __MAGUS_ACTION__(\"a\");\n__MAGUS_ACTION__(\"a\");\n__MAGUS_ACTION__(\"b\"); }\n" +
			"void q(void) { __MAGUS_ACTION__(\"a\");\n__MAGUS_ACTION__(\"c\"); }",
			"program p, q { specification s, {true, true}, S; } S = ( a -> S | b -> S | c -> S ).",
			"p 2/3 4<wait:3\nq 2/2\nend:3 no run gets to the end of p: nobody joins in a here: the component waits for ever\n"},
		{"a routine that waits for ever", "void __MAGUS_ACTION__(const char *); void send(void);\n" +
			"void p(void) { send();\nsend(); }\nvoid q(void) { __MAGUS_ACTION__(\"a\"); }",
			"procedure send { abstract { true, Send }; } Send = ( a -> return {} -> STOP ).\n" +
				"program p, q { specification s, {true, true}, S; } S = ( a -> S ).",
			"p 2/2\nq 1/1\nend:3 no run gets to the end of p: nobody joins in a here: the component waits for ever\n"},
	}
	for _, test := range tests {
		for _, opt := range []magus.Options{{}, {Loop: magus.Loop{ActionAbstraction: 2}},
			{Loop: magus.Loop{LargeBlocks: 1}}, {Loop: magus.Loop{ActionAbstraction: 1, LargeBlocks: 1}}} {
			t.Run(fmt.Sprint(test.name, opt.Loop.ActionAbstraction, opt.Loop.LargeBlocks), func(t *testing.T) {
				o := prove(t, test.c, test.spec, opt)
				require.Equal(t, magus.Conforms, o.Verdict, "%v", o.Reason)
				require.Equal(t, test.want, told(o))
			})
		}
	}
}

// TestUnset: globals that an initialiser which is never called would have set are told
// of, where a component does not begin with main; others are not.
func TestUnset(t *testing.T) {
	const c = `void reach_error(void); struct q { int n; };
int limit, depth = 3, own, total[2]; static struct q queue; const int none;
void init(void) { limit = 8; depth = 4; queue.n = 2; own = 1; }
void more(void) { limit++; total[1] = 2; }
int step(int x) { own = x; if (depth < none && x > limit + queue.n + total[0] + own) reach_error(); return 0; }
int main(void) { init(); return step(1); }
`
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}}})
	require.NoError(t, err)
	for entry, want := range map[string]string{
		"step": "initialiser:3 limit, queue are zero throughout: init, which sets them, is never called\n" +
			"initialiser:4 total is zero throughout: more, which sets it, is never called\n",
		"main": "",
	} {
		claim, err := p.Property(magus.Property{Entry: entry})
		require.NoError(t, err)
		o, err := magus.Check(t.Context(), claim, magus.Options{}, nil)
		require.NoError(t, err)
		require.Equal(t, magus.Conforms, o.Verdict)
		o.Coverage = nil
		require.Equal(t, want, told(o))
	}
}

// TestRefused: with RefuseVacuous a proof with a doubt is no proof, and one without
// is.
func TestRefused(t *testing.T) {
	const c = "void reach_error(void); int main(void) { int *p; *p = 1; reach_error(); return 0; }"
	o := prove(t, c, "", magus.Options{Loop: magus.Loop{RefuseVacuous: true}})
	require.Equal(t, magus.Unknown, o.Verdict)
	require.Equal(t, verdict.Vacuous, o.Reason.Kind)
	require.Equal(t, 1, o.Reason.Place.Line)
	o = prove(t, strings.Replace(c, "*p = 1; reach_error()", "if (0) reach_error()", 1), "",
		magus.Options{Loop: magus.Loop{RefuseVacuous: true}})
	require.Equal(t, magus.Conforms, o.Verdict)
}
