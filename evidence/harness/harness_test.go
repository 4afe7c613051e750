package harness_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/source"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/harness"
	"magus/evidence/witness"
	"magus/internal/sample"
	"magus/specs"
)

// A violation is a program that violates its claim.
type violation struct {
	name     string
	c        []string // units a.c, b.c, …
	spec     string
	property magus.Property
	model    cfa.DataModel
	defines  []string
}

var violations = []violation{
	{name: "values of functions, in order",
		c: []string{`int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);
int main(void) { int x = __VERIFIER_nondet_int(); unsigned char c = __VERIFIER_nondet_uchar(); long y = __VERIFIER_nondet_int();
	if (x == -7 && y == 8 && c == 200) reach_error(); return 0; }`}},
	{name: "turns of a loop that are not written out, with values that they ask for",
		c: []string{`void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned x = 0, y = 0, n = __VERIFIER_nondet_uint();
	while (__VERIFIER_nondet_int() > 3) { if (__VERIFIER_nondet_uint() == 7 && __VERIFIER_nondet_int() == -2) x += 5; else x += 2; y++; }
	if (__VERIFIER_nondet_uint() == 77 && x == 1000000 && y == 200000 && n == 5) reach_error(); return 0; }`}},
	{name: "an unknown function", c: []string{`char unknown(int n); void reach_error(void);
int main(void) { if (unknown(1) == -3 && unknown(2) == 4) reach_error(); return 0; }`}},
	{name: "a function that nobody declares",
		c: []string{`int main(void) { if (mystery(1) == 5) __VERIFIER_error(); return 0; }`}},
	{name: "uninitialised variables", c: []string{`void reach_error(void);
int main(void) { int a, b; char c; int *p ; for (int i = 0; i < 2; i++) { short s; if (s != 10 + i) return 0; }
	if (a == 3 && b == 4 && c == 'x' && !p) reach_error(); return 0; }`}},
	{name: "assert", c: []string{`#include <assert.h>
extern unsigned __VERIFIER_nondet_uint();
int main() { unsigned u = __VERIFIER_nondet_uint(); assert(u < 4000000000u); }`}},
	{name: "reach_error with a body", c: []string{`void reach_error(void) { }
int main(void) { int x; if (x) { reach_error(); } return 0; }`}},
	{name: "an error label", property: magus.Property{ErrorLabels: []string{"ERROR"}},
		c: []string{`int __VERIFIER_nondet_int(void);
int main(void) { if (__VERIFIER_nondet_int() != 12) goto out; ERROR: return 1; out: return 0; }`}},
	{name: "an error function", property: magus.Property{Entry: "run", ErrorFunctions: []string{"oops"}},
		c: []string{`void oops(int why);
static int run(unsigned n) { if (n == 77) oops(3); return 0; } int main(void) { return 0; }`}},
	{name: "assumptions", c: []string{`void __VERIFIER_assume(int); void __VERIFIER_assert(int); int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 5); __VERIFIER_assert(x != 9); return 0; }`}},
	{name: "nondeterministic functions with bodies",
		c: []string{`int __VERIFIER_nondet_int(void) { int x; return x; } void reach_error(void);
int main(void) { if (__VERIFIER_nondet_int() == 3) reach_error(); return 0; }`}},
	{name: "a variable that nobody defines", c: []string{`extern int limit; void reach_error(void);
int main(void) { if (limit == 5) reach_error(); return 0; }`}},
	{name: "units with equal names", c: []string{`#include <assert.h>
static int n = 1; extern int total; static void add(void) { total += n; } void more(void); int main(void) { add(); more(); assert(total != 11); return 0; }`,
		`static int n = 10; int total; static void add(void) { total += n; } void more(void) { add(); }`}},
	{name: "macros of the command line", defines: []string{"BAD(x)=((x) == 4)", "FLAG"},
		c: []string{`void reach_error(void); int __VERIFIER_nondet_int(void);
int main(void) {
#ifdef FLAG
	if (BAD(__VERIFIER_nondet_int())) reach_error();
#endif
	return 0; }`}},
	{name: "names of the C library",
		c: []string{`void reach_error(void); int write(int x) { return x + 1; } int fork; void exit_(void); int alarm(void) { return fork; }
int main(void) { int x; if (write(x) == 4 && alarm() == 0) reach_error(); return 0; }`}},
	{name: "actions in the code", spec: "A = ( a -> b -> STOP ).\nprocedure run { abstract { s, 1, A }; }",
		c: []string{`void __MAGUS_ACTION__(char *); int run(int n) { __MAGUS_ACTION__("a"); ` +
			`if (n == 3) __MAGUS_ACTION__("a"); return n; }`}},
	{name: "parameters and globals", spec: "A = ( return {$0 > 0} -> STOP ).\nprocedure run { abstract { s, 1, A }; }",
		c: []string{`int level; static long offset; void shift(long by) { offset += by; } ` +
			`int run(char n, unsigned long m) { if (level == 7 && offset == -2 && n == -5 && m > 1ul << 40) return 0; ` +
			`return 1; }`}},
	{name: "routines change variables", spec: "Set = ( set -> return {} -> STOP ).\n" +
		"procedure set { abstract { is, 1, Set }; }\n" +
		"A = ( set -> return {$0 == 0} -> STOP ).\nprocedure run { abstract { s, 1, A }; }",
		c: []string{`int level; void set(int n) { level = n * 2; } int run(void) { level = 0; set(1); return level == 9; }`}},
	{name: "a return of nothing", spec: "A = ( a -> return {} -> STOP ) + { a }.\n" +
		"procedure a { abstract { is, 1, Is }; }\nIs = ( a -> return {} -> STOP ).\nprocedure run { abstract { s, 1, A }; }",
		c: []string{`void a(void); void run(int n) { if (n) a(); }`}},
	{name: "a routine that calls itself", spec: "Down = ( down -> return {$0 >= 0} -> STOP ).\n" +
		"procedure down { abstract { is, 1, Down }; }",
		c: []string{`int down(int n) { if (n == 0) return 0; return down(n - 1) - 1; }`}},
	{name: "skipped functions", spec: "procedure log { skip; }\nA = ( return {$0 == 0} -> STOP ).\n" +
		"procedure run { abstract { s, 1, A }; }",
		c: []string{`int log(int n) { return 0; } int run(void) { return log(1); }`}},
	{name: "components", spec: "A = ( ping -> pong -> STOP ) + { bad }.\nprogram left, right { " +
		"specification s, {1, 1}, A; }",
		c: []string{`void __MAGUS_ACTION__(char *); int n;
void left(void) { __MAGUS_ACTION__("ping"); __MAGUS_ACTION__("pong"); n++; if (n == 1) __MAGUS_ACTION__("bad"); }
void right(void) { __MAGUS_ACTION__("ping"); n = n + 5; if (n == 5) __MAGUS_ACTION__("pong"); }`}},
	{name: "parts of uninitialised variables", c: []string{`void reach_error(void); struct pair { int key; char tag[2]; };
int main(void) { struct pair p, *q = &p; int list[3], i = 1; if (q->key == 5 && p.tag[1] == 'x' && list[i] == 3 && list[2] == -1) reach_error(); return 0; }`}},
	{name: "memory that is not there", c: []string{`#include <stdlib.h>
void reach_error(void);
int main(void) { int *p = malloc(8), *q = calloc(2, 4), *r = malloc(4); if (p && !q && r) reach_error(); return 0; }`}},
	{name: "memory that is not there, from an allocator that the text does not name", c: []string{`#include <stdlib.h>
#define JOINED(a, b) a##b
void reach_error(void); int main(void) { if (!JOINED(mal, loc)(8)) reach_error(); return 0; }`}},
	{name: "variables given to unknown functions",
		c: []string{`void reach_error(void); struct conn { int state; }; int fill(struct conn *c, int *out); void more(int *out); static int n;
int main(void) { struct conn c; int got, k = 0, x;
	while (fill(&c, &got) && c.state == k + 5 && got == 4) { more(&got); x = fill(&c, /* ) */ &n); if (++k == 2 && got == 77 && x == 3 && n == 9) reach_error(); }
	return 0; }`}},
	{name: "tables of functions", c: []string{`void reach_error(void); int __VERIFIER_nondet_int(void);
static int up(int x) { return x + 1; } static int down(int x) { return x - 1; } static struct ops { int (*f)(int); } ops[2] = { { up }, { down } };
int main(void) { int k = __VERIFIER_nondet_int(); if (k < 0 || k > 1) return 0; if (ops[k].f(3) == 2) reach_error(); return 0; }`}},
	{name: "members of globals", spec: "A = ( return {$0 > 0} -> STOP ).\nprocedure run { abstract { s, 1, A }; }",
		c: []string{`static struct { int a[2]; } s; int *p; void set(int x) { s.a[0] = x; s.a[1] = x; ` +
			`p = &x; } int run(int i) { if (i == 1 && s.a[i] == 4 && !p) return 0; return 1; }`}},
	{name: "objects that parameters point to", spec: "A = ( return {$0 < 3} -> STOP ).\n" +
		"procedure run { abstract { s, 1, A }; }",
		c: []string{`struct dev { short state; struct dev *next; int list[2]; }; typedef struct dev *D;
int run(D d, int n, const D e) { if (!d || d == e) return 0; if (d->state == 3 && d->next && d->next->state == n && n == -8 && e && e->list[1] == 7) return 5; return 1; }`}},
	{name: "objects that globals point to", spec: "A = ( return {$0 < 3} -> STOP ).\n" +
		"procedure run { abstract { s, 1, A }; }",
		c: []string{`struct dev { int state; struct dev *next; }; struct dev *first; static struct dev head;
void init(struct dev *d) { first = d; head.next = d; } int run(int n) { if (first && first->next && first->next->state == n && head.next && head.next->state == 8) return 5; return 1; }`}},
	{name: "objects that functions return",
		c: []string{`void reach_error(void); struct s { int a; }; struct s *get(void); struct s *none(void);
int main(void) { struct s *p = get(), *q = none(); if (p && !q) { p->a = 4; if (p->a == 4) reach_error(); } return 0; }`}},
	{name: "floating-point values of functions",
		c: []string{`void reach_error(void); float sensor(void); double level(int n), set(double d);
int main(void) { float x = sensor(); double y = level(1), z = set(y); double n = level(2);
	if (x != x && y == 0.1 && z == 0 && 1 / z < 0 && n == 7 && sensor() == 0.5f) reach_error(); return 0; }`}},
	{name: "floating-point values of functions with bodies",
		c: []string{`float __VERIFIER_nondet_float(void) { float x; return x; } void reach_error(void);
int main(void) { if (__VERIFIER_nondet_float() == -1.5f) reach_error(); return 0; }`}},
	{name: "uninitialised floating-point variables",
		c: []string{`void reach_error(void); struct pair { float a; double b[2]; };
int main(void) { double d; float f, g[2]; struct pair p; if (d != d && f == 0.1f && g[1] == 3 && p.b[1] == 1e300 && p.a < -1e30f) reach_error(); return 0; }`}},
	{name: "floating-point variables given to unknown functions",
		c: []string{`void reach_error(void); int fill(float *out, double *more); static float kept; void keep(float *);
int main(void) { float f = 1; double d = 2; if (fill(&f, &d) == 3 && f == 0.25f && d == 1e-320) { keep(&kept); if (kept == 8) reach_error(); } return 0; }`}},
	{name: "floating-point parameters and globals", spec: "A = ( return {$0 > 0} -> STOP ).\n" +
		"procedure run { abstract { s, 1, A }; }",
		c: []string{`float level; static double offset; struct box { float f; } *first; void shift(double by) { offset += by; }
int run(float f, int n, double d, double *p) { if (level == 7 && offset == -2.5 && f == 0.5f && n == 4 && d < -1e300 && p && *p == 3.5 && first && first->f == 2) return 0; return 1; }`}},
	{name: "what functions of the program make of floating-point values",
		c: []string{`void reach_error(void); double level(void);
static float half(float x) { return x / 2; } static double twice(float x) { return 2.0 * x; }
int main(void) { if (twice(half(level())) == 5) reach_error(); return 0; }`}},
	{name: "32 bits", model: cfa.ILP32, c: []string{`void reach_error(void); int __VERIFIER_nondet_int(void);
int main(void) { if (sizeof(long) == 4 && __VERIFIER_nondet_int() == 3) reach_error(); return 0; }`}},
}

func (v violation) sources() []source.Source {
	var list []source.Source
	for i, text := range v.c {
		list = append(list, source.Source{Name: string(rune('a'+i)) + ".c", Text: []byte(text)})
	}
	return list
}

// replay checks the claim, which must be violated.
func (v violation) replay(t *testing.T) *witness.Inputs {
	t.Helper()
	ctx := context.Background()
	in := magus.Input{C: v.sources(), Options: source.Options{Model: v.model, Defines: v.defines}}
	if v.spec != "" {
		in.Specs = []specs.Source{{Name: "a.spec", Text: []byte(v.spec)}}
	}
	p, err := magus.Load(ctx, in)
	require.NoError(t, err)
	var claim *magus.Claim
	if v.spec == "" {
		claim, err = p.Property(v.property)
		require.NoError(t, err)
	} else if v.property.Question == magus.NoDeadlock || v.property.Question == magus.NoLivelock {
		claims, err := p.Properties(v.property)
		require.NoError(t, err)
		claim = claims[0]
	} else {
		claims, err := p.Claims(magus.Selection{})
		require.NoError(t, err)
		claim = claims[len(claims)-1]
	}
	s, err := magus.NewSession(ctx, claim, magus.Options{})
	require.NoError(t, err)
	defer s.Close()
	for {
		if end, ok := s.Step(ctx).(cegar.Ended); ok {
			require.Equal(t, magus.Violates, end.Outcome.Verdict, "%v", end.Outcome.Reason)
			return s.Inputs()
		}
	}
}

// execute compiles a harness, with the units as well if they are given, and
// gives its exit status and what it prints.
func execute(t *testing.T, text []byte, units []source.Source, flags ...string) (status int, out string) {
	t.Helper()
	dir := t.TempDir()
	args := append([]string{"-w", "-o", "replay", "out.c"}, flags...)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "out.c"), text, 0o666))
	for _, u := range units {
		require.NoError(t, os.WriteFile(filepath.Join(dir, u.Name), u.Text, 0o666))
		args = append(args, u.Name)
	}
	cc := exec.Command("gcc", args...)
	cc.Dir = dir
	msg, err := cc.CombinedOutput()
	require.NoError(t, err, "%s", msg)
	b, err := exec.Command(filepath.Join(dir, "replay")).Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	return exit.ExitCode(), string(b)
}

// wide and narrow say why gcc makes no programs that run here, of this machine and of 32 bits; nil if it does.
var wide, narrow = sync.OnceValue(func() error { return runs() }), sync.OnceValue(func() error { return runs("-m32") })

func runs(flags ...string) error {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "a")
	cc := exec.Command("gcc", append(flags, "-x", "c", "-", "-o", program)...)
	cc.Stdin = strings.NewReader("int main(void) { return 0; }")
	if msg, err := cc.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, msg)
	}
	return exec.Command(program).Run()
}

func needGCC(t *testing.T, model cfa.DataModel) {
	t.Helper()
	works := wide
	if model == cfa.ILP32 {
		works = narrow
	}
	if err := works(); err != nil {
		t.Skipf("no gcc whose programs for %v run here: %v", model, err)
	}
}

// givesUpSoon is a replaying program that waits for three seconds only before it says that the program runs on.
func givesUpSoon(t *testing.T, text []byte) []byte {
	t.Helper()
	const limit = "magus_seconds = 20"
	require.Contains(t, string(text), limit)
	return bytes.ReplaceAll(text, []byte(limit), []byte("magus_seconds = 3"))
}

// Every violation is performed by the compiled program, compiled by itself and
// together with its files.
func TestViolationsAreReplayed(t *testing.T) {
	for i, v := range violations {
		if sample.LeftOut(i, 6) {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			var flags []string
			if v.model == cfa.ILP32 {
				flags = []string{"-m32"}
			}
			needGCC(t, v.model)
			r := v.replay(t)
			text := harness.Write(r, v.sources(), harness.Settings{Defines: v.defines})
			for _, units := range [][]source.Source{nil, v.sources()} {
				if units != nil && len(v.c) == 1 && sample.Thinned(i, 3) {
					continue
				}
				if units != nil && strings.Contains(v.c[0], "mystery") || strings.Contains(v.c[0], "int write(") && units != nil {
					continue // does not link by itself
				}
				more := flags
				for _, d := range v.defines {
					more = append(more, "-D"+d)
				}
				status, out := execute(t, text, units, more...)
				require.Equal(t, 1, status, "%s\n%s", out, text)
				for _, p := range r.Components {
					require.Contains(t, out, p.Entry+":\n"+strings.Join(p.Trace, "\n")+"\n")
				}
				require.True(t, strings.HasSuffix(out, "performed\n"), out)
			}
		})
	}
}

// Text is the same each time.
func TestDeterministic(t *testing.T) {
	v := violations[11]
	want := harness.Write(v.replay(t), v.sources(), harness.Settings{})
	for range 5 {
		require.Equal(t, string(want), string(harness.Write(v.replay(t), v.sources(), harness.Settings{})))
	}
}

// Components that get stuck come to where they stand still, and a program that goes on, or ends, is noticed.
func TestStandstill(t *testing.T) {
	sample.Long(t)
	needGCC(t, cfa.LP64)
	const begin = "#include <stdlib.h>\n#include <semaphore.h>\nvoid __MAGUS_ACTION__(const char *); " +
		"int either(void);\nsem_t s;\n"
	const either = "E = ( a -> b -> return {$0 == 1} -> STOP ).\nprocedure either { abstract { (1), E }; }\n"
	one := func(body string) string { return "void one(void) { " + body + " }\n" }
	two := func(body string) string { return "void two(void) { " + body + " }\n" }
	const a, b = "__MAGUS_ACTION__(\"a\");", "__MAGUS_ACTION__(\"b\");"
	for _, c := range []struct {
		name, one, two string
		instead        string // of the first one, when it is replayed
		status         int
		out            []string
	}{
		{"each waits for the other", a + b, b + a, "", 1, []string{"waits for a\n", "waits for b\n"}},
		{"behind an action", a + b, a + a + b, "", 1, []string{"a\nwaits for a\n", "a\nwaits for b\n"}},
		{"has ended", a, "for (;;) {" + a + "} " + b, "", 1, []string{"a\nhas ended\n", "a\nwaits for a\n"}},
		{"aborts", a + "abort();", "for (;;) {" + a + "} " + b, "", 1, []string{"a\nhas ended\n"}},
		{"for ever", "sem_init(&s, 0, 0); sem_wait(&s);" + a, a, "", 1, []string{"waits for ever\n", "waits for a\n"}},
		{"within a routine", a + a + b, "either();", "", 1, []string{"a\nstands still in a routine\n", "a\nwaits for a\n"}},
		{"it goes on", a + b, b + a, "for (;;) ;", 2, []string{"the program runs on"}},
		{"it ends before", a + b, b + a, "return;", 2, []string{"the program ended"}},
		{"it does something else", a + b, b + a, b + a, 2, []string{"an action behind the last one"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := violation{property: magus.Property{Question: magus.NoDeadlock}, spec: either + "program one, two { }\n",
				c: []string{begin + one(c.one) + two(c.two)}}
			r, units := v.replay(t), v.sources()
			if c.instead != "" {
				units[0].Text = []byte(begin + one(c.instead) + two(c.two))
			}
			text := harness.Write(r, units, harness.Settings{})
			if c.name == "it goes on" {
				text = givesUpSoon(t, text)
			}
			status, out := execute(t, text, nil)
			require.Equal(t, c.status, status, out)
			for _, want := range c.out {
				require.Contains(t, out, want)
			}
		})
	}
}

// What comes again and again is executed several times, and a program that does something else then, or ends,
// is noticed.
func TestWholeRunsAreReplayed(t *testing.T) {
	sample.Long(t)
	needGCC(t, cfa.LP64)
	const begin = "void __MAGUS_ACTION__(const char *); int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n"
	again := func(times int, actions string) string { return strings.Repeat(actions, times) }
	for _, c := range []struct {
		name, c, spec string
		question      component.Question
		instead       string // of the program, when it is replayed
		status        int
		out           string
	}{
		{name: "actions", c: "void main(void) { int n = 0; for (;;) { __MAGUS_ACTION__(\"a\"); " +
			"if (n) __MAGUS_ACTION__(\"b\"); n = 1; } }",
			spec: "assert A = <>[] !b\nprocedure main { assert A; }", status: 1, out: again(3, "a\nb\n")},
		{name: "actions, and it ends", c: "void main(void) { for (;;) __MAGUS_ACTION__(\"a\"); }",
			spec:    "assert A = []<> b\nprocedure main { assert A; }",
			instead: "void main(void) { __MAGUS_ACTION__(\"a\"); }", status: 2,
			out: "the program ended"},
		{name: "choices", c: "void main(void) { for (;;) { __MAGUS_ACTION__(\"ask\"); " +
			"while (__VERIFIER_nondet_int() != 7) { if (__VERIFIER_nondet_int() == 3) break; } __MAGUS_ACTION__(\"yes\"); } }",
			spec: "assert A = [](ask -> <> yes)\nprocedure main { assert A; }", status: 1, out: "ask\ngoes round\n"},
		{name: "two components", c: "void main(void) { for (;;) { __MAGUS_ACTION__(\"a\"); " +
			"__MAGUS_ACTION__(\"b\"); } } void two(void) { for (;;) { __MAGUS_ACTION__(\"b\"); } }",
			spec: "assert A = <>[] !b\nprogram main, two { assert A; }", status: 1, out: "two:\n" + again(3, "b\n")},
		{name: "nothing", c: "void main(void) { int n = __VERIFIER_nondet_int(); while (n > 5) n = n; }",
			question: magus.NoLivelock, status: 1, out: "goes on\n"},
		{name: "no end", c: "int main(void) { unsigned n = __VERIFIER_nondet_int(); while (n) { n--; " +
			"if (n == 3) n = 9; } return 0; }", question: magus.Terminates,
			status: 1, out: "goes on\n"},
		{name: "an end", c: "int main(void) { unsigned n = __VERIFIER_nondet_int(); while (n != 4) ; return 0; }",
			question: magus.Terminates,
			instead:  "int main(void) { unsigned n = __VERIFIER_nondet_int(); if (n != 4) return 1; while (1) ; }",
			status:   2, out: "the program ended"},
		{name: "no end with choices", c: "int main(void) { int k; do k = __VERIFIER_nondet_int(); " +
			"while (k > 2); return 0; }", question: magus.Terminates,
			status: 1, out: "goes round\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := violation{property: magus.Property{Question: c.question}, spec: c.spec, c: []string{begin + c.c}}
			r, units := v.replay(t), v.sources()
			require.Empty(t, r.Refused)
			if c.instead != "" {
				units[0].Text = []byte(begin + c.instead)
			}
			status, out := execute(t, harness.Write(r, units, harness.Settings{}), nil)
			require.Equal(t, c.status, status, out)
			require.Contains(t, out, c.out)
		})
	}
}

// Components that get stuck run at once and meet in the order of the run; that nobody goes on is looked at
// where they stand.
func TestMeetings(t *testing.T) {
	needGCC(t, cfa.LP64)
	const text = `void __MAGUS_ACTION__(const char *); int n;
void user(void) { n++; __MAGUS_ACTION__("up"); if (n == 1) __MAGUS_ACTION__("up"); __MAGUS_ACTION__("down"); }
void gate(void) { n = n + 5; __MAGUS_ACTION__("up"); __MAGUS_ACTION__("up"); __MAGUS_ACTION__("up"); if (n == 5) __MAGUS_ACTION__("down"); }
`
	v := violation{property: magus.Property{Question: magus.NoDeadlock}, spec: "program user*2, gate { }\n",
		c: []string{text}}
	r := v.replay(t)
	require.Len(t, r.Meetings, 4)
	status, out := execute(t, harness.Write(r, v.sources(), harness.Settings{}), nil)
	require.Equal(t, 1, status, out)
	require.Equal(t, 1, strings.Count(out, "waits for up\n"), out)
	require.Equal(t, 2, strings.Count(out, "waits for down\n")+strings.Count(out, "has ended\n"), out)

	// Nobody of the second component has to come.
	for i, s := range r.Shared {
		if s.Action == "up" {
			r.Shared[i].Groups = s.Groups[:1]
		}
	}
	status, out = execute(t, harness.Write(r, v.sources(), harness.Settings{}), nil)
	require.Equal(t, 2, status, out)
	require.Contains(t, out, "diverged: the components can perform up\n")
}

// A program that does something else is noticed.
func TestDivergence(t *testing.T) {
	sample.Long(t)
	needGCC(t, cfa.LP64)
	first := violations[0]
	for _, c := range []struct {
		name    string
		v       violation
		tamper  func(*witness.Inputs)
		program string // in place of the first unit
		status  int
		out     string
	}{
		{name: "another value", v: first, tamper: func(r *witness.Inputs) { r.Components[0].Choices[0].Value++ },
			status: 2, out: "diverged: the program ended\n"},
		{name: "another action", v: first, tamper: func(r *witness.Inputs) { r.Components[0].Trace[0] = "other" },
			status: 2, out: "the counterexample performs diverged: other\n"},
		{name: "a missing value", v: first, tamper: func(r *witness.Inputs) {
			r.Components[0].Choices = r.Components[0].Choices[1:]
			r.Components[0].Missing = []cfa.Warning{{Pos: cfa.Pos{File: "a.c", Line: 2, Col: 3}, Text: "the value of x"}}
		}, status: 3, out: "not replayable: a.c:2:3: the value of x\n"},
		{name: "a missing value that does not matter", v: first,
			tamper: func(r *witness.Inputs) { r.Components[0].Missing = []cfa.Warning{{Text: "?"}} }, status: 1,
			out: "performed\n"},
		{name: "exit", v: first, program: "void _exit(int); int main(void) { _exit(1); }", status: 2},
		{name: "return", v: first, program: "int main(void) { return 1; }", status: 2, out: "diverged: the program ended\n"},
		{name: "crash", v: first, program: "int main(void) { return *(volatile int *)0; }", status: 2,
			out: "stopped by a signal\n"},
		{name: "no end", v: first, program: "unsigned alarm(unsigned); int main(void) { alarm(1); for (;;) ; }",
			status: 2, out: "diverged: the program runs on\n"},
		{name: "another return",
			v: violation{spec: "A = ( return {$0 == 0} -> STOP ).\nprocedure run { abstract { s, 1, A }; }",
				c: []string{"\nint run(void) { return 7; }"}},
			program: "int run(void) { return 8; }", status: 2, out: "diverged: another value is returned\n"},
		{name: "a routine once more",
			v: violation{spec: "F = ( f -> return {} -> STOP ).\nprocedure f { abstract { is, 1, F }; }\n" +
				"A = ( f -> return {$0 == 1} -> STOP ).\nprocedure run { abstract { s, 1, A }; }",
				c: []string{"void f(void);\nint run(void) { f(); return 0; }"}},
			program: "int run(void) { f(); f(); return 0; }", status: 2,
			out: "diverged: a routine is called once more than in the run\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, units := c.v.replay(t), c.v.sources()
			if c.tamper != nil {
				c.tamper(r)
			}
			if c.program != "" {
				before, _, _ := strings.Cut(c.v.c[0], "\n")
				units[0].Text = []byte(before + "\n" + c.program)
			}
			status, out := execute(t, harness.Write(r, units, harness.Settings{}), nil)
			require.Equal(t, c.status, status, out)
			require.True(t, strings.HasSuffix(out, c.out), out)
		})
	}
}

// What cannot be changed in the text counts as missing.
func TestMacrosAreNotChanged(t *testing.T) {
	needGCC(t, cfa.LP64)
	v := violation{c: []string{"#define VARIABLE int x\nvoid reach_error(void);\n" +
		"int main(void) { VARIABLE; if (x == 77) reach_error(); return 0; }"}}
	status, out := execute(t, harness.Write(v.replay(t), v.sources(), harness.Settings{}), nil)
	require.Equal(t, 3, status, out)
	require.Contains(t, out, "not replayable: a.c:3:18: the value of the uninitialised variable x\n")
}

// A preprocessed unit is changed where its text stands.
func TestPreprocessed(t *testing.T) {
	needGCC(t, cfa.LP64)
	v := violation{c: []string{"# 1 \"f.c\"\n# 1 \"f.h\" 1\nvoid reach_error(void);\n# 2 \"f.c\" 2\n" +
		"int main(void) { int x; if (x == 77) reach_error(); return 0; }"}}
	units := v.sources()
	units[0].Preprocessed = true
	ctx := context.Background()
	p, err := magus.Load(ctx, magus.Input{C: units})
	require.NoError(t, err)
	claim, err := p.Property(magus.Property{})
	require.NoError(t, err)
	s, err := cegar.NewSession(ctx, claim, cegar.Options{})
	require.NoError(t, err)
	for s.Inputs() == nil {
		require.NotEqual(t, cegar.Finished, s.Next(), errors.New("no violation"))
		s.Step(ctx)
	}
	text := harness.Write(s.Inputs(), units, harness.Settings{})
	require.Contains(t, string(text), "f.c:2:22: x is initialised")
	status, out := execute(t, text, nil)
	require.Equal(t, 1, status, out)
}
