package rules_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// foreignRuns is how many runs of a random program with code that nobody described are tried.
const foreignRuns = "4000"

// TestForeignCode: random programs that call code that nobody described, which calls back what it was given, now or
// before, and changes what it can reach. The program is compiled with such code, and runs many times with the rule
// watched. Where a run breaks the rule, it is not kept.
func TestForeignCode(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	count := tally{}
	for seed := range sample.Seeds(12, sample.Count(5)) {
		text := newForeign(seed).text()
		verdicts := map[string]bool{}
		_, answers := ask(t, map[string]string{"p.c": text}, "pthread-mutex")
		for _, a := range answers {
			count[a.verdict]++
			verdicts[a.root] = a.verdict == "conforms"
		}
		for _, root := range []string{"root1", "root2"} {
			broken := foreignRun(t, cc, text, root)
			if count["runs that break"] += map[bool]int{true: 1}[broken]; broken && verdicts[root] {
				t.Errorf("seed %d: %s is kept, but a run breaks it\n%s", seed, root, text)
			}
		}
	}
	t.Log(count)
	require.Positive(t, count["conforms"], "nothing is kept")
	if sample.Whole() {
		require.Positive(t, count["runs that break"], "nothing is broken")
	}
}

// foreignRun compiles a program with its surroundings, and says whether some run from the root breaks the rule.
func foreignRun(t *testing.T, cc, text, root string) bool {
	dir := t.TempDir()
	source, program := filepath.Join(dir, "run.c"), filepath.Join(dir, "run")
	run := strings.ReplaceAll(surroundings, "PROGRAM", text)
	require.NoError(t, os.WriteFile(source, []byte(strings.ReplaceAll(run, "ROOT", root)), 0o600))
	out, err := exec.CommandContext(t.Context(), cc, "-w", "-O0", "-o", program, source).CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, text)
	var told bytes.Buffer
	c := exec.CommandContext(t.Context(), program, foreignRuns)
	c.Stdout = &told
	var exit *exec.ExitError
	if err = c.Run(); errors.As(err, &exit) && exit.ExitCode() == 42 {
		return true
	}
	require.NoError(t, err, text)
	return false
}

// surroundings are the code that nobody described, and the watch over the rule. What is given is called back, and
// changed, at random, but for variables that are gone.
const surroundings = `
#include <setjmp.h>
#include <stdlib.h>
#define COMPILED
static jmp_buf end;
static int budget;
static unsigned long seed;
static int any(int n) { seed = seed * 6364136223846793005UL + 1442695040888963407UL; return (int)((seed >> 33) % n); }
typedef struct { int held; } watched;
#define pthread_mutex_t watched
static pthread_mutex_t *locks[64];
static int numberOfLocks;
static void pthread_mutex_lock(pthread_mutex_t *l)
{
	if (l->held)
		exit(42);
	l->held = 1;
	if (numberOfLocks < 64)
		locks[numberOfLocks++] = l;
}
static void pthread_mutex_unlock(pthread_mutex_t *l)
{
	if (!l->held)
		exit(42);
	l->held = 0;
}
static int *alive[4096];
static int numberAlive;
static void born(int *p) { alive[numberAlive++] = p; }
static void dies(int *p) { numberAlive--; }
static int *at(int *p)
{
	for (int i = 0; i < numberAlive; i++)
		if (alive[i] == p)
			return p;
	longjmp(end, 1);
}
static int is_alive(int *p)
{
	for (int i = 0; i < numberAlive; i++)
		if (alive[i] == p)
			return 1;
	return 0;
}
struct ops;
static void (*given[64])(void);
static int *shown[64];
static struct ops *seen[64];
static int numberGiven, numberShown, numberSeen;
static void later(void (*f)(void));
static void keep(int *p);
static void look(struct ops *p);
static void runs(void);
static int work(int n);
PROGRAM
#undef exit
static void acts(void)
{
	for (int k = any(3); k > 0; k--) {
		if (budget-- < 0)
			longjmp(end, 1);
		switch (any(3)) {
		case 0:
			if (numberGiven)
				given[any(numberGiven)]();
			break;
		case 1:
			if (numberShown) {
				int *p = shown[any(numberShown)];
				if (is_alive(p))
					*p = any(3);
			}
			break;
		default:
			if (numberSeen) {
				struct ops *p = seen[any(numberSeen)];
				switch (any(4)) {
				case 0: p->n = any(3); break;
				case 1: if (p->p && is_alive(p->p)) *p->p = any(3); break;
				case 2: if (p->next) p->next->n = any(3); break;
				default: if (p->f) p->f();
				}
			}
		}
	}
}
static void later(void (*f)(void)) { if (numberGiven < 64 && f) given[numberGiven++] = f; acts(); }
static void keep(int *p) { if (numberShown < 64 && p) shown[numberShown++] = p; acts(); }
static void look(struct ops *p) { if (numberSeen < 64 && p) seen[numberSeen++] = p; acts(); }
static void runs(void) { acts(); }
static int work(int n) { acts(); return any(4) - 1; }
static void others(void) { acts(); }
int main(int argc, char **argv)
{
	for (int run = 0, n = atoi(argv[1]); run < n; run++) {
		static struct ops a, b;
		static int x, y;
		seed = run * 7919 + 17;
		any(2); any(2);
		budget = 60;
		numberGiven = numberShown = numberSeen = numberAlive = 0;
		for (int i = 0; i < numberOfLocks; i++)
			locks[i]->held = 0;
		numberOfLocks = 0;
		flag = any(3); hidden = any(3); counter = any(3);
		gp = 0;
		table.f = nothing; table.n = any(3); table.p = 0; table.next = 0;
		born(&flag); born(&hidden); born(&counter); born(&x); born(&y);
		x = any(3); y = any(3);
		a.f = others; a.n = any(3); a.p = &x; a.next = &b;
		b.f = others; b.n = any(3); b.p = &y; b.next = 0;
		if (setjmp(end))
			continue;
		ROOT(&a, any(4) - 1);
		for (int i = 0; i < numberOfLocks; i++)
			if (locks[i]->held)
				exit(42);
	}
	return 0;
}
`

// A foreign is a random program with code that nobody described.
type foreign struct {
	r     *rand.Rand
	out   strings.Builder
	procs []string // with (struct ops *, int)
	cbs   []string // with (void)
	inP   bool     // with a, n and x
	held  []string
	loud  bool // callbacks may lock
}

func newForeign(seed uint64) *foreign { return &foreign{r: rand.New(rand.NewPCG(seed, 91))} }

func (g *foreign) one(n int) bool { return g.r.IntN(n) == 0 }

func (g *foreign) of(all ...string) string { return all[g.r.IntN(len(all))] }

func (g *foreign) line(format string, args ...any) { fmt.Fprintf(&g.out, format+"\n", args...) }

// text is the program.
func (g *foreign) text() string {
	g.line(`#ifndef COMPILED
#include <pthread.h>
#include <stdlib.h>
struct ops;
void later(void (*f)(void));
void keep(int *p);
void look(struct ops *p);
void runs(void);
int work(int n);
#define AT(p) (*(p))
#define NEXT(p) ((p)->next)
#define BORN(p)
#define DIES(p)
#else
#define AT(p) (*at(p))
#define NEXT(p) ((p)->next ? (p)->next : (longjmp(end, 1), (p)->next))
#define BORN(p) born(p)
#define DIES(p) dies(p)
#define exit(n) longjmp(end, 1)
#endif
struct ops { void (*f)(void); int n; int *p; struct ops *next; pthread_mutex_t lock; };
static pthread_mutex_t m, o;
static int flag, hidden, counter;
static int *gp;
static void nothing(void) {}
static struct ops table = { nothing };
void set(int n) { flag = hidden = counter = table.n = n; table.p = gp = 0; table.f = nothing; table.next = 0; }`)
	g.loud = g.one(3)
	nCallbacks, nProcs := g.r.IntN(3), 1+g.r.IntN(3)
	for k := range nCallbacks {
		name := fmt.Sprintf("cb%d", k)
		g.cbs = append(g.cbs, name)
		g.line("static void %s(void);", name)
	}
	for k := range nProcs {
		g.procedure(fmt.Sprintf("p%d", k), "static ")
		g.procs = append(g.procs, fmt.Sprintf("p%d", k))
	}
	for _, name := range g.cbs {
		g.inP, g.held = false, nil
		g.line("static void %s(void)\n{", name)
		if g.one(2) {
			g.line("\t%s = %d;", g.number(), g.r.IntN(3))
		}
		if g.one(2) {
			g.stmt(1)
		}
		g.line("\tif (gp) AT(gp) = 0;\n}")
	}
	g.procedure("root1", "")
	g.procedure("root2", "")
	return g.out.String()
}

func (g *foreign) procedure(name, static string) {
	g.inP, g.held = true, nil
	g.line("%sint %s(struct ops *a, int n)\n{\n\tint x = 1;\n\tBORN(&x);", static, name)
	if len(static) > 0 && g.one(4) {
		g.line("\tif (n > 0)\n\t\t%s(a, n - 1);", name)
	}
	if static == "" && len(g.cbs) > 0 && g.one(2) {
		g.callback(g.of(g.cbs...))
	}
	if static == "" && g.one(2) {
		g.line("\t%s;", g.of("look(a)", "look(&table)", "keep(&flag)", "a->next = &table"))
	}
	if static == "" && g.one(2) {
		g.line("\tp0(a, n);")
	}
	if static != "" && g.one(2) {
		g.twice()
	}
	n := 1 + g.r.IntN(3)
	if static == "" && g.one(2) { // little else that breaks the rule, or is not decided
		n = 0
	}
	for range n {
		g.stmt(2)
	}
	g.line("\tDIES(&x);\n\treturn 0;\n}")
}

// twice asks twice for what may have changed meanwhile, and takes a lock by that.
func (g *foreign) twice() {
	v := g.of("x", "x", "flag", "hidden", "counter")
	if v == "x" {
		g.line("\t%s;", g.of("gp = &x", "a->p = &x", "NEXT(a)->p = &x", "table.p = &x"))
	}
	g.line("\tif (%s) pthread_mutex_lock(&m);\n\t%s;\n\tif (%s) pthread_mutex_unlock(&m);", v,
		g.of("runs()", "work(1)", "a->f()"), v)
}

// number is an integer that may change.
func (g *foreign) number() string {
	all := []string{"flag", "hidden", "counter", "table.n"}
	if g.inP {
		all = append(all, "n", "x", "x", "a->n", "NEXT(a)->n")
	}
	return g.of(all...)
}

func (g *foreign) lock() string {
	if g.inP && g.one(4) {
		return "&a->lock"
	}
	return g.of("&m", "&m", "&o")
}

func (g *foreign) stmt(depth int) {
	switch k := g.r.IntN(16); {
	case k < 4:
		g.section(depth)
	case k == 4 && depth > 0:
		g.line("\tif (%s > %d) {", g.number(), g.r.IntN(2))
		g.stmt(depth - 1)
		g.line("\t}")
	case k == 5 && depth > 0:
		g.line("\twhile (work(1) > 1) {")
		g.stmt(depth - 1)
		g.line("\t}")
	case k == 6:
		g.line("\t%s = %d;", g.number(), g.r.IntN(3))
	case k == 7 && len(g.procs) > 0 && g.inP:
		g.line("\t%s(%s, n - 1);", g.of(g.procs...), g.of("a", "a->next ? a->next : a", "&table"))
	case k == 8 && g.inP:
		g.line("\t%s;", g.of("gp = &x", "a->p = &x", "keep(&x)", "table.p = &x", "AT(&x) = 0"))
	case k == 9:
		g.line("\t%s;", g.of("gp = &hidden", "keep(&hidden)", "if (gp) AT(gp) = 0", "keep(&flag)", "keep(gp)",
			"look(&table)"))
	case k == 10 && g.inP:
		g.line("\t%s;", g.of("look(a)", "if (a->p) AT(a->p) = 0", "a->f()", "table.f()",
			"a = &table; if (!a->next) a->next = a"))
	case k == 11 && len(g.cbs) > 0:
		g.callback(g.of(g.cbs...))
	default:
		g.line("\t%s;", g.of("runs()", "work(1)", "counter = work(2)", "if (work(0) > 5) exit(1)"))
	}
}

// callback makes a function known.
func (g *foreign) callback(name string) {
	all := []string{"later(%s)", "table.f = %s", "*(void **)&table = (void *)%s"}
	if g.inP {
		all = append(all, "a->f = %s", "*(void **)a = (void *)%s")
		table := "{ static union { void *t[8]; struct ops s; } u = { { (void *)%s } }; u.s.next = &u.s; "
		all = append(all, table+"look((struct ops *)u.t); }")
		if len(g.procs) > 0 {
			all = append(all, table+g.of(g.procs...)+"((struct ops *)u.t, 0); }")
		}
	}
	g.line("\t"+g.of(all...)+";", name)
}

// section takes a lock and gives it back, mostly.
func (g *foreign) section(depth int) {
	l := g.lock()
	if slices.Contains(g.held, l) || !g.inP && !g.loud || depth == 0 {
		g.line("\truns();")
		return
	}
	g.held = append(g.held, l)
	defer func() { g.held = g.held[:len(g.held)-1] }()
	cond := ""
	if g.one(2) {
		cond = fmt.Sprintf("if (%s) ", g.number())
	}
	g.line("\t%spthread_mutex_lock(%s);", cond, l)
	switch {
	case g.inP && g.one(2):
		g.line("\t%s;", g.of("runs()", "work(1)", "a->f()", "look(a)"))
	case !g.inP && g.one(2):
		g.line("\truns();")
	}
	for range g.r.IntN(3) {
		g.stmt(depth - 1)
	}
	if !g.one(25) {
		g.line("\t%spthread_mutex_unlock(%s);", cond, l)
	}
}
