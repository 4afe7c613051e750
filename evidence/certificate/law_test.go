package certificate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/source"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/internal/sample"
	"magus/specs"
)

// A pair is two programs, or specifications, that differ in one text: with the first the claim holds, with
// the other it does not.
type pair struct {
	name, c, spec string
	good, bad     string // for @ in both
	question      magus.Property
	relation      component.Relation
	fairness      component.Fairness
	atLast        bool           // the claim is about whole runs
	proofs        bool           // nothing is known of certificates of violations
	partial       bool           // its models are not followed from where it is decided on
	engines       []cegar.Engine // that prove it; nil: the default
	loop          magus.Loop
	model         cfa.MemoryModel
}

const (
	nondet = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); " +
		"extern unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);\n"
	thread = nondet + "#include <pthread.h>\npthread_mutex_t m, k; int x, y, a, b;\n"
	both   = "int main(void) { pthread_t s, t; pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0); " +
		"pthread_join(s, 0); pthread_join(t, 0); @2 }\n"
)

var all = []cegar.Engine{cegar.LoopEngine, cegar.BoundedEngine, cegar.InductionEngine,
	cegar.KInductionEngine, cegar.PropertyDirectedEngine, cegar.IntervalsEngine}

// pairs are of all kinds.
func pairs() []pair { return slices.Concat(pairsOfTraces(), pairsBeyond(), pairsInParts()) }

func pairsOfTraces() []pair {
	return []pair{
		{name: "a loop with a bound", c: nondet + "int main(void) { int n = 0; while (n < @) n++; " +
			"if (n > 3) reach_error(); return 0; }", good: "3", bad: "4",
			engines: all[:3]},
		{name: "a loop without one", c: nondet + "int main(void) { int on = 0; while (__VERIFIER_nondet_int()) { " +
			"if (on) reach_error(); on = 1; on = @; } return 0; }", good: "0", bad: "1",
			engines: []cegar.Engine{cegar.LoopEngine, cegar.InductionEngine, cegar.KInductionEngine,
				cegar.PropertyDirectedEngine, cegar.IntervalsEngine}},
		{name: "two values that go together", c: nondet + "int main(void) { unsigned a = 0, b = @; " +
			"while (__VERIFIER_nondet_int()) { a++; b++; } if (a != b) reach_error(); return 0; }", good: "0", bad: "1",
			engines: []cegar.Engine{cegar.InductionEngine, cegar.KInductionEngine}},
		{name: "many rounds", c: nondet + "int main(void) { unsigned n = 0, s = 0; while (n < 700) { n++; " +
			"s += 2; } if (s == @) reach_error(); return 0; }", good: "1401", bad: "1400"},
		{name: "a function that is called twice", c: nondet + "static int f(int n) { return n > @ ? n : 0; " +
			"} int main(void) { int x = f(__VERIFIER_nondet_int()); if (f(x) && x < 5) reach_error(); return 0; }",
			good: "4", bad: "3",
			engines: all[:3]},
		{name: "arrays and pointers",
			c: nondet + "int a[4]; int main(void) { int i = __VERIFIER_nondet_uint() % 4, *p = &a[i]; *p = 1; " +
				"a[@] = 2; if (*p == 2 && i != 2) reach_error(); return 0; }", good: "2", bad: "3",
			engines: all[:2]},
		{name: "recursion", c: nondet + "static int f(int n) { return n > 0 ? f(n - 1) + 1 : @; } " +
			"int main(void) { if (f(3) != 3) reach_error(); return 0; }", good: "0", bad: "1"},
		{name: "actions and a return", c: "int f(int n) { int i = 0; __MAGUS_ACTION__(\"up\"); " +
			"while (i < 2) { i++; __MAGUS_ACTION__(\"down\"); } return n > 0 ? @ : 0; }",
			spec: "S = ( up -> D ), D = ( down -> D | return {$0 == 0} -> STOP ). program f { specification s, {1}, S; }",
			good: "0", bad: "1", engines: all[:3]},
		{name: "the same with blocks", c: "int f(int n) { int i = 0; __MAGUS_ACTION__(\"up\"); " +
			"while (i < 2) { i++; __MAGUS_ACTION__(\"down\"); } return n > 0 ? @ : 0; }",
			spec: "S = ( up -> D ), D = ( down -> D | return {$0 == 0} -> STOP ). program f { specification s, {1}, S; }",
			good: "0", bad: "1",
			loop: magus.Loop{ActionAbstraction: cegar.On, Engine: cegar.LoopEngine}},
		{name: "large blocks", c: nondet + "int main(void) { int on = 0; while (__VERIFIER_nondet_int()) { " +
			"if (on) reach_error(); on = 1; on = @; } return 0; }", good: "0", bad: "1",
			loop: magus.Loop{LargeBlocks: cegar.On, Engine: cegar.LoopEngine}},
		{name: "large blocks with two values", c: nondet + "int main(void) { int on = 0, off = 0; " +
			"while (__VERIFIER_nondet_int()) { if (on != off) reach_error(); on = 1; off = 1; " +
			"if (on != off) reach_error(); on = 0; off = @; } return 0; }", good: "0", bad: "1",
			loop: magus.Loop{LargeBlocks: cegar.On, Engine: cegar.LoopEngine}},
		{name: "a large array", c: nondet + "int a[1000]; int main(void) { " +
			"unsigned i = __VERIFIER_nondet_uint() % 1000; a[i] = 7; if (i == 500 && a[500] == @) reach_error(); " +
			"return 0; }", good: "8", bad: "7"},
		{name: "a list", c: nondet + "void *malloc(unsigned long); struct l { int v; struct l *n; }; " +
			"int main(void) { struct l *a = malloc(sizeof *a), *b = malloc(sizeof *b); if (!a || !b) return 0; " +
			"a->v = 1; a->n = b; b->v = @; b->n = 0; struct l *p = __VERIFIER_nondet_int() ? a : b; " +
			"if (p->v == 2) reach_error(); return 0; }", good: "3", bad: "2"},
		{name: "routines by their abstractions", c: "int lib(int); void put(int *); int g; int f(int n) { " +
			"int x = lib(n); g = 1; if (x > @) __MAGUS_ACTION__(\"bad\"); else __MAGUS_ACTION__(\"fine\"); return x; }",
			spec: "L = ( ask -> return {$0 == 4} -> STOP | ask -> return {$0 < 2} -> STOP ). procedure lib { " +
				"abstract { l, (1), L }; }\nS = ( ask -> fine -> STOP ) + {bad}. program f { specification s, {1}, S; }",
			good: "4", bad: "3"},
		{name: "components side by side", c: "int l(int n) { while (n) { n--; __MAGUS_ACTION__(\"give\"); " +
			"__MAGUS_ACTION__(\"@\"); } return 0; } int r(int n) { while (n) { n--; __MAGUS_ACTION__(\"give\"); " +
			"__MAGUS_ACTION__(\"@\"); } return 0; }",
			spec: "S = ( give -> T ), T = ( take -> S ). program l, r { specification s, {1, 1}, S; }",
			good: "take", bad: "give"},
		{name: "copies", c: "void w(void) { __MAGUS_ACTION__(\"in\"); __MAGUS_ACTION__(\"out\"); }",
			spec: "S = ( in -> T | out -> S ), T = ( out -> S@ ). program w * 2 { specification s, {1}, S; }",
			good: " | in -> T", bad: ""},
		{name: "any number of copies", c: "void w(void) { __MAGUS_ACTION__(\"in\"); __MAGUS_ACTION__(\"out\"); }",
			spec: "S = ( in -> T | out -> S ), T = ( out -> S@ ). program w* { specification s, {1}, S; }",
			good: " | in -> T", bad: ""},
		{name: "threads with a lock", c: thread + "void *one(void *p) { pthread_mutex_lock(&m); int t = x; " +
			"x = t + 1; pthread_mutex_unlock(&m); return 0; } void *two(void *p) { pthread_mutex_lock(&@); " +
			"int t = x; x = t + 1; pthread_mutex_unlock(&@); return 0; }\n" +
			strings.Replace(both, "@2", "if (x != 2) reach_error();", 1), good: "m", bad: "k"},
		{name: "a data race", c: thread + "void *one(void *p) { pthread_mutex_lock(&m); x = 1; " +
			"pthread_mutex_unlock(&m); return 0; } void *two(void *p) { pthread_mutex_lock(&@); x = 2; " +
			"pthread_mutex_unlock(&@); return 0; }\n" +
			strings.Replace(both, "@2", "", 1), good: "m", bad: "k", question: magus.Property{Question: magus.NoRace}},
		{name: "a deadlock", c: thread + "void *one(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&k); " +
			"pthread_mutex_unlock(&k); pthread_mutex_unlock(&m); return 0; } void *two(void *p) { " +
			"@ pthread_mutex_unlock(&k); pthread_mutex_unlock(&m); return 0; }\n" +
			strings.Replace(both, "@2", "", 1), good: "pthread_mutex_lock(&m); pthread_mutex_lock(&k);",
			bad: "pthread_mutex_lock(&k); pthread_mutex_lock(&m);", question: magus.Property{Question: magus.NoDeadlock}},
		{name: "stores that are seen late", c: thread + "void *one(void *p) { x = 1; @ a = y; return 0; } " +
			"void *two(void *p) { y = 1; @ b = x; return 0; }\n" +
			strings.Replace(both, "@2", "if (!a && !b) reach_error();", 1), good: "__sync_synchronize();",
			bad: "", model: cfa.TSO},
		{name: "writes in another order", c: thread + "void *one(void *p) { x = 1; @ y = 1; return 0; } " +
			"void *two(void *p) { a = y; b = x; return 0; }\n" +
			strings.Replace(both, "@2", "if (a && !b) reach_error();", 1), good: "__sync_synchronize();", bad: "",
			model: cfa.PSO},
		{name: "stores that release", c: thread + "void *one(void *p) { x = 1; __atomic_store_n(&y, 1, @); " +
			"return 0; } void *two(void *p) { a = __atomic_load_n(&y, __ATOMIC_ACQUIRE); b = x; return 0; }\n" +
			strings.Replace(both, "@2", "if (a && !b) reach_error();", 1), good: "__ATOMIC_RELEASE",
			bad: "__ATOMIC_RELAXED", model: cfa.PSO},
		{name: "sections", c: "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n" + thread +
			"void *one(void *p) { __VERIFIER_atomic_begin(); x = 1; @ x = 0; __VERIFIER_atomic_end(); " +
			"return 0; } void *two(void *p) { a = x; return 0; }\n" +
			strings.Replace(both, "@2", "if (a) reach_error();", 1), good: "",
			bad: "__VERIFIER_atomic_end(); __VERIFIER_atomic_begin();"},
		{name: "a race in a section", c: "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n" + thread +
			"void *one(void *p) { __VERIFIER_atomic_begin(); y = 1; x = 1; __VERIFIER_atomic_end(); return 0; " +
			"} void *two(void *p) { @ return 0; }\n" +
			strings.Replace(both, "@2", "", 1), good: "__VERIFIER_atomic_begin(); a = x; __VERIFIER_atomic_end();",
			bad: "a = x;", question: magus.Property{Question: magus.NoRace}},
		{name: "a process that ends", c: "void exit(int);\n" + thread + "void *one(void *p) { x = 1; " +
			"@ return 0; } void *two(void *p) { return 0; }\n" +
			strings.Replace(both, "@2", "if (x) reach_error();", 1), good: "exit(0);", bad: ""},
		{name: "memory that is filled", c: nondet + "void *memset(void *, int, unsigned long); char buf[8]; " +
			"int main(void) { memset(buf, @, 8); unsigned i = __VERIFIER_nondet_uint() % 8; " +
			"if (buf[i] != 3) reach_error(); return 0; }",
			good: "3", bad: "4"},
		{name: "constants", c: nondet + "static const char s[] = \"ab@\"; int main(void) { " +
			"unsigned i = __VERIFIER_nondet_uint() % 3; if (s[i] == 'd') reach_error(); return 0; }", good: "c", bad: "d"},
		{name: "parts of a number", c: nondet + "int main(void) { unsigned w = 0x01020304; " +
			"unsigned char *p = (unsigned char *)&w; unsigned i = __VERIFIER_nondet_uint() % 4; p[i] = 9; " +
			"if (p[1] == 9 && i != @) reach_error(); return 0; }", good: "1", bad: "2"},
		{name: "a result that is any", c: nondet + "int any(void); int main(void) { int x = any(), y = any(); " +
			"if (x == @ && y == 3 && x != y) reach_error(); return 0; }", good: "3", bad: "4"},
	}
}

// pairsBeyond are of claims that are about more than traces.
func pairsBeyond() []pair {
	plain := magus.Loop{ActionAbstraction: cegar.Off, LargeBlocks: cegar.Off}
	blocks := magus.Loop{ActionAbstraction: cegar.On, LargeBlocks: cegar.Off}
	return []pair{
		{name: "simulation of any number of copies", c: nondet + "void w(void) { __MAGUS_ACTION__(\"ask\"); } " +
			"void v(void) { for (;;) { int n = __VERIFIER_nondet_int(); " +
			"__MAGUS_ACTION__(\"ask\"); if (n) __MAGUS_ACTION__(\"yes\"); else __MAGUS_ACTION__(\"no\"); } }",
			spec: "D = ( ask -> Y | ask -> N ), Y = ( yes -> D ), N = ( @ -> D ). " +
				"program w*, v { specification s, {1, 1}, D; }",
			good: "no", bad: "yes", relation: component.Simulation},
		{name: "simulation of copies that do one thing after another",
			c:    "void w(void) { __MAGUS_ACTION__(\"in\"); __MAGUS_ACTION__(\"out\"); }",
			spec: "S = ( in -> S | @ -> S ) + {out}. program w* { specification s, {1}, S; }",
			good: "out", bad: "in", relation: component.Simulation},
		{name: "simulation of them, with blocks", c: nondet + "void w(void) { while (__VERIFIER_nondet_int()) { " +
			"__MAGUS_ACTION__(\"in\"); int n = __VERIFIER_nondet_int(); if (n) __MAGUS_ACTION__(\"out\"); } }",
			spec: "S = ( in -> S | @ -> S ) + {out}. program w* { specification s, {1}, S; }",
			good: "out", bad: "in", relation: component.Simulation, loop: blocks},
		{name: "components that wait", c: "void l(void) { for (;;) { __MAGUS_ACTION__(\"a\"); " +
			"__MAGUS_ACTION__(\"b\"); } } void r(void) { int n = 3; for (;;) { __MAGUS_ACTION__(\"a\"); " +
			"if (n > @) __MAGUS_ACTION__(\"b\"); } } void m(void) { for (;;) __MAGUS_ACTION__(\"c\"); }",
			spec: "program l, r { }", good: "2", bad: "3", question: magus.Property{Question: magus.NoDeadlock}},
		{name: "copies that wait", c: "void w(void) { for (;;) { __MAGUS_ACTION__(\"in\"); " +
			"__MAGUS_ACTION__(\"out\"); } } void m(void) { for (;;) { __MAGUS_ACTION__(\"in\"); " +
			"@ __MAGUS_ACTION__(\"out\"); } }",
			spec: "program w * 2, m { }", good: "", bad: "__MAGUS_ACTION__(\"in\"); __MAGUS_ACTION__(\"in\");",
			question: magus.Property{Question: magus.NoDeadlock}},
		{name: "any number of copies that wait", c: "void w(void) { for (;;) { __MAGUS_ACTION__(\"in\"); " +
			"__MAGUS_ACTION__(\"out\"); } } void m(void) { for (;;) { __MAGUS_ACTION__(\"in\"); " +
			"@ __MAGUS_ACTION__(\"out\"); } }",
			spec: "program w*, m { }", good: "", bad: "__MAGUS_ACTION__(\"in\"); __MAGUS_ACTION__(\"in\");",
			question: magus.Property{Question: magus.NoDeadlock}},
		{name: "components one of which ends", c: "void l(void) { int n = 3; for (;;) { " +
			"__MAGUS_ACTION__(\"a\"); if (n > @) return; __MAGUS_ACTION__(\"b\"); } } void r(void) { " +
			"for (;;) { __MAGUS_ACTION__(\"a\"); __MAGUS_ACTION__(\"b\"); } }",
			spec: "program l, r { }", good: "3", bad: "2", question: magus.Property{Question: magus.NoDeadlock}, loop: plain},
		{name: "components one of which ends, with blocks",
			c: "void l(void) { int n = 3; for (;;) { __MAGUS_ACTION__(\"a\"); if (n > @) return; " +
				"__MAGUS_ACTION__(\"b\"); } } void r(void) { for (;;) { __MAGUS_ACTION__(\"a\"); __MAGUS_ACTION__(\"b\"); } }",
			spec: "program l, r { }", good: "3", bad: "2", question: magus.Property{Question: magus.NoDeadlock}, loop: blocks},
		{name: "what must be offered", c: "void m(void) { int n = 3; for (;;) { __MAGUS_ACTION__(\"coin\"); " +
			"if (n > @) return; __MAGUS_ACTION__(\"tea\"); } }",
			spec: "S = ( coin -> T ), T = ( tea -> S ). program m { specification s, {1}, S; }", good: "3", bad: "2",
			relation: component.Failures, loop: plain},
		{name: "what must be offered, with blocks",
			c: "void m(void) { int n = 3; for (;;) { __MAGUS_ACTION__(\"coin\"); if (n > @) return; " +
				"__MAGUS_ACTION__(\"tea\"); } }",
			spec: "S = ( coin -> T ), T = ( tea -> S ). program m { specification s, {1}, S; }", good: "3", bad: "2",
			relation: component.Failures, loop: blocks},
		{name: "what must be offered beside what is", c: "void m(void) { int n = 3; for (;;) { " +
			"__MAGUS_ACTION__(\"coin\"); if (n > @) for (;;) { __MAGUS_ACTION__(\"coin\"); n = 4; } " +
			"__MAGUS_ACTION__(\"tea\"); } }",
			spec: "S = ( coin -> T ), T = ( tau -> ( tea -> S ) | tau -> ( tea -> S | coin -> T ) ). " +
				"program m { specification s, {1}, S; }", good: "3", bad: "2",
			relation: component.Failures, loop: plain},
		{name: "what two must offer", c: "void m(void) { int n = 3; for (;;) { __MAGUS_ACTION__(\"coin\"); " +
			"__MAGUS_ACTION__(\"ask\"); if (n > @) __MAGUS_ACTION__(\"ask\"); __MAGUS_ACTION__(\"tea\"); } } " +
			"void u(void) { for (;;) { __MAGUS_ACTION__(\"ask\"); __MAGUS_ACTION__(\"tea\"); } }",
			spec: "S = ( coin -> T ), T = ( tea -> S ). program m, u { specification s, {1, 1}, S; }", good: "3", bad: "2",
			relation: component.Failures, loop: plain},
		{name: "what any number of copies must offer",
			c: "void w(void) { for (;;) { __MAGUS_ACTION__(\"in\"); __MAGUS_ACTION__(\"out\"); } } " +
				"void m(void) { for (;;) { __MAGUS_ACTION__(\"in\"); @ __MAGUS_ACTION__(\"out\"); } }",
			spec: "U = ( in -> V ), V = ( tau -> ( in -> V | out -> U ) | tau -> ( out -> U ) ). " +
				"program w*, m { specification s, {1, 1}, U; }", good: "", bad: "__MAGUS_ACTION__(\"in\");",
			relation: component.Failures, loop: plain},
		{name: "what can be followed", c: "int any(void); void m(void) { for (;;) { " +
			"int k = __VERIFIER_nondet_int(); __MAGUS_ACTION__(\"a\"); @ if (k) __MAGUS_ACTION__(\"b\"); " +
			"else __MAGUS_ACTION__(\"c\"); } }",
			spec: "S = ( a -> B | a -> C ), B = ( b -> S ), C = ( c -> S ). program m { specification s, {1}, S; }",
			good: "", bad: "k = __VERIFIER_nondet_int();",
			relation: component.Simulation, loop: plain},
		{name: "what goes on for ever", c: "void m(void) { int n = 3; for (;;) { __MAGUS_ACTION__(\"tick\"); " +
			"while (n > @) ; } }",
			spec: "S = ( tick -> S ). program m { specification s, {1}, S; }", good: "3", bad: "2",
			relation: component.Divergences, loop: plain},
		{name: "two that go on for ever", c: "void m(void) { int n = 3; for (;;) { __MAGUS_ACTION__(\"tick\"); " +
			"while (n > @) __MAGUS_ACTION__(\"hum\"); } } void u(void) { for (;;) __MAGUS_ACTION__(\"hum\"); }",
			spec: "S = ( tick -> S ). program m, u { specification s, {1, 1}, S; }", good: "3", bad: "2",
			relation: component.Divergences, loop: plain},
		{name: "one of two that ends by a rank, after what others do too",
			c: nondet + "void m(void) { for (;;) { __MAGUS_ACTION__(\"tick\"); unsigned char n = __VERIFIER_nondet_uchar(); " +
				"while (n >= @) { n--; __MAGUS_ACTION__(\"hum\"); } } } void u(void) { for (;;) __MAGUS_ACTION__(\"hum\"); }",
			spec: "S = ( tick -> S ). program m, u { specification s, {1, 1}, S; }", good: "1", bad: "0",
			relation: component.Divergences, loop: plain},
		{name: "what goes on in a set", c: "void m(void) { unsigned char n = 9; for (;;) { __MAGUS_ACTION__(\"tick\"); " +
			"while (n != 0) n -= @; } }",
			spec: "S = ( tick -> S ). program m { specification s, {1}, S; }", good: "3", bad: "2",
			relation: component.Divergences, loop: plain},
		{name: "what is not answered in a set", c: "void m(void) { unsigned char n = 9; __MAGUS_ACTION__(\"ask\"); " +
			"while (n != 0) n -= @; for (;;) __MAGUS_ACTION__(\"answer\"); }",
			spec: "assert Answered = [](ask -> <> answer)\nprocedure m { assert Answered; }", good: "3", bad: "2", atLast: true},
		{name: "a loop that ends, or goes on in one of two ways", c: nondet + "int main(void) { " +
			"unsigned char n = __VERIFIER_nondet_uchar(), k = n & 1; while (n != 0 && n < 100) { n += 2; " +
			"if (n & 4) n -= @; } return 0; }", good: "1", bad: "2",
			question: magus.Property{Question: magus.Terminates}},
		{name: "a loop that ends", c: nondet + "int main(void) { unsigned char n = __VERIFIER_nondet_uchar(); " +
			"while (n >= @) n--; return 0; }",
			good: "1", bad: "0", question: magus.Property{Question: magus.Terminates}},
		{name: "two loops that end", c: nondet + "int main(void) { unsigned n = __VERIFIER_nondet_uint(), k = 0; " +
			"while (n > 0) { n -= @; k = 2; while (k > 0) k--; } return 0; }",
			good: "1", bad: "0", question: magus.Property{Question: magus.Terminates}},
		{name: "what is answered", c: "void m(void) { int n = 3; for (;;) { __MAGUS_ACTION__(\"ask\"); " +
			"if (n > @) __MAGUS_ACTION__(\"answer\"); } }",
			spec: "assert Answered = [](ask -> <> answer)\nprocedure m { assert Answered; }", good: "2", bad: "3", atLast: true},
		{name: "what is answered behind a loop",
			c: nondet + "void m(void) { for (;;) { __MAGUS_ACTION__(\"ask\"); " +
				"unsigned n = __VERIFIER_nondet_uint(); while (n >= @) n--; __MAGUS_ACTION__(\"answer\"); } }",
			spec: "fluent Asked = <{ask}, {answer}>\nassert Answered = []<> !Asked\nprocedure m { assert Answered; }",
			good: "1", bad: "0", atLast: true, proofs: true,
			fairness: component.NoFairness},
		{name: "a condition that comes to hold",
			c: "int k; void m(void) { for (;;) { __MAGUS_ACTION__(\"tick\"); if (k < @) k++; } } " +
				"void u(void) { for (;;) __MAGUS_ACTION__(\"hum\"); }",
			spec: "assert Full = <> m.k == 3\nprogram m, u { assert Full; }", good: "3", bad: "2", atLast: true,
			partial: true},
		{name: "a condition that holds before all others", c: "int k; void m(void) { k = @; k = 0; " +
			"for (;;) __MAGUS_ACTION__(\"tick\"); } void u(void) { for (;;) __MAGUS_ACTION__(\"hum\"); }",
			spec: "assert Full = <> m.k == 3\nprogram m, u { assert Full; }", good: "3", bad: "2", atLast: true,
			partial: true},
		{name: "a lock that comes again and again", c: "void s(void) { for (;;) { __MAGUS_ACTION__(\"lock\"); " +
			"__MAGUS_ACTION__(\"unlock\"); } } void u(void) { for (;;) { __MAGUS_ACTION__(\"lock\"); " +
			"__MAGUS_ACTION__(\"in\"); __MAGUS_ACTION__(\"unlock\"); } } void v(void) { for (;;) { " +
			"__MAGUS_ACTION__(\"lock\"); @ __MAGUS_ACTION__(\"unlock\"); } }",
			spec: "assert Often = ([]<> lock) && ([]<> unlock)\nprogram s, u { assert Often; }\n" +
				"assert In = []<> in\nprogram s, v { assert In; }", good: "__MAGUS_ACTION__(\"in\");", bad: "", atLast: true,
			fairness: component.StrongFairness},
		{name: "a run that ends", c: "void m(void) { __MAGUS_ACTION__(\"ask\"); __MAGUS_ACTION__(\"get\"); @ } " +
			"void u(void) { __MAGUS_ACTION__(\"get\"); __MAGUS_ACTION__(\"put\"); }",
			spec: "assert Put = [](ask -> <> put)\nprogram m, u { assert Put; }",
			good: "__MAGUS_ACTION__(\"put\");", atLast: true,
			bad: "for (;;) __MAGUS_ACTION__(\"put2\"); __MAGUS_ACTION__(\"put\");"},
		{name: "values that come back", c: "void __MAGUS_SEND__(const char *, int); int __MAGUS_RECEIVE__(const char *); " +
			"void m(void) { int n = 0; for (;;) { __MAGUS_SEND__(\"ask\", n); n = (n + 1) % @; } } " +
			"void u(void) { for (;;) if (__MAGUS_RECEIVE__(\"ask\") == 2) __MAGUS_ACTION__(\"two\"); }",
			spec: "assert Two = []<> two\nprogram m, u { buffer ask[1]; assert Two; }", good: "3",
			bad: "2", atLast: true, partial: true},
		{name: "a choice that is made at last", c: nondet + "void m(void) { int n = 3; for (;;) { " +
			"if (n > @ && __VERIFIER_nondet_int()) __MAGUS_ACTION__(\"yes\"); else __MAGUS_ACTION__(\"no\"); } }",
			spec: "progress Yes = {yes}\nprocedure m { progress Yes; }", good: "2", bad: "3", atLast: true},
		{name: "a loop without actions", c: "void m(void) { int n = 3; for (;;) { while (n > @) ; " +
			"__MAGUS_ACTION__(\"tick\"); } }",
			spec: "program m { }", good: "3", bad: "2", question: magus.Property{Question: magus.NoLivelock}, atLast: true},
	}
}

// proofsOnly says that brute force knows nothing of violations.
func (p pair) proofsOnly() bool { return p.proofs }

// claimOf is the claim with one of the texts.
func (p pair) claimOf(t *testing.T, text string) *magus.Claim {
	t.Helper()
	in := magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(strings.ReplaceAll(p.c, "@", text))}}}
	if p.spec != "" {
		in.Specs = []specs.Source{{Name: "p.spec", Text: []byte(strings.ReplaceAll(p.spec, "@", text))}}
	}
	project, err := magus.Load(context.Background(), in)
	require.NoError(t, err)
	if p.spec == "" {
		claim, err := project.Property(p.question)
		require.NoError(t, err)
		return claim
	}
	if p.question.Question == magus.NoDeadlock || p.question.Question == magus.NoLivelock {
		claims, err := project.Properties(p.question)
		require.NoError(t, err)
		return claims[0]
	}
	claims, err := project.Claims(magus.Selection{Relation: p.relation, Fairness: p.fairness})
	require.NoError(t, err)
	return claims[len(claims)-1]
}

// decided is the certificate of a claim, with its text.
func decided(t *testing.T, claim *magus.Claim, opt magus.Options, want string) (*certificate.Certificate, string) {
	t.Helper()
	ctx := context.Background()
	s, err := magus.NewSession(ctx, claim, opt)
	require.NoError(t, err)
	defer s.Close()
	for s.Next() != magus.Finished {
		s.Step(ctx)
	}
	c, err := s.Certificate(ctx)
	require.NoError(t, err)
	require.Equal(t, want, c.Verdict)
	var text bytes.Buffer
	require.NoError(t, certificate.Write(&text, &certificate.Document{Certificates: []*certificate.Certificate{c}}))
	back, err := certificate.Read(ctx, strings.NewReader(text.String()), "x.json")
	require.NoError(t, err)
	require.Equal(t, text.String(), written(t, back.Certificates[0]))
	return c, text.String()
}

// refused requires that a certificate is, for the claim; and not for another reason than that.
func refused(t *testing.T, claim *magus.Claim, opt magus.Options, c *certificate.Certificate, why string) {
	t.Helper()
	err := magus.Verify(context.Background(), claim, opt, c)
	var no *certificate.RefutedError
	require.True(t, errors.As(err, &no), "%s: %v", why, err)
}

// refusedChanged requires that a text is none of a certificate, or is refused for a claim.
func refusedChanged(t *testing.T, claim *magus.Claim, opt magus.Options, text string) {
	t.Helper()
	d, err := certificate.Read(context.Background(), strings.NewReader(text), "x.json")
	if err == nil && len(d.Certificates) == 1 && d.Certificates[0].Verdict != "unknown" {
		refused(t, claim, opt, d.Certificates[0], text)
	}
}

// changed is a text with one thing changed, in one of its lines: a number, a truth value, the whole line.
func changed(text string, r *rand.Rand) string {
	lines := strings.Split(text, "\n")
	i := 2 + r.IntN(max(1, len(lines)-5))
	if i >= len(lines) {
		return text
	}
	switch line := lines[i]; r.IntN(5) {
	case 0:
		lines = append(lines[:i:i], lines[i+1:]...)
	case 1:
		k := 2 + r.IntN(max(1, len(lines)-5))
		if k < len(lines) {
			lines[i] = lines[k]
		}
	default:
		var digits []int
		for k := range line {
			if line[k] >= '0' && line[k] <= '9' {
				digits = append(digits, k)
			}
		}
		if len(digits) > 0 {
			k := digits[r.IntN(len(digits))]
			n := (int(line[k]-'0') + 1 + r.IntN(9)) % 10
			lines[i] = line[:k] + strconv.Itoa(n) + line[k+1:]
		}
	}
	return strings.Join(lines, "\n")
}

// The law of certificates: what shows a verdict is accepted for the claim that it is about, and nothing,
// whatever it says and however it is changed, is accepted for a claim with the other verdict.
func TestNothingShowsTheOtherVerdict(t *testing.T) {
	sample.Long(t)
	for _, p := range pairs() {
		engines := p.engines
		if engines == nil {
			engines = []cegar.Engine{p.loop.Engine}
		}
		good, bad := p.claimOf(t, p.good), p.claimOf(t, p.bad)
		for _, e := range engines {
			t.Run(fmt.Sprint(p.name, " by ", e), func(t *testing.T) {
				opt := magus.Options{Loop: p.loop}
				opt.Loop.Engine = e
				opt.Threads.MemoryModel = p.model
				proof, text := decided(t, good, opt, "conforms")
				require.NoError(t, magus.Verify(context.Background(), good, opt, proof))
				refused(t, bad, opt, proof, "a proof of the other")
				if p.proofsOnly() {
					return
				}
				found := opt
				if e != cegar.LoopEngine {
					found.Loop.Engine = cegar.AutoEngine
				}
				run, runText := decided(t, bad, found, "violates")
				require.NoError(t, magus.Verify(context.Background(), bad, opt, run))
				refused(t, good, opt, run, "a run of the other")
				r := rand.New(rand.NewPCG(1, 1))
				for range sample.Count(20) {
					refusedChanged(t, bad, opt, changed(text, r))
					refusedChanged(t, good, opt, changed(runText, r))
				}
			})
		}
	}
}
