package threads_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/threads"
	"magus/threads/events"
)

// TestPrograms has what unrolling does in particular, each with a program whose verdict tells whether it is
// right.
func TestPrograms(t *testing.T) {
	const head = "#include <pthread.h>\nextern void reach_error(void), __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n" +
		"extern int __VERIFIER_nondet_int(void);\nint x, y, z;\n"
	for _, c := range []struct {
		name, text string
		want       threads.Verdict
		cut        events.CutKind // of an unknown verdict
	}{
		{name: "nothing is shared between a join and a creation", want: threads.Safe, text: `
			void *f(void *p) { x = 1; return 0; }
			void *g(void *p) { if (x == 0) reach_error(); return 0; }
			int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_join(t, 0); pthread_create(&u, 0, g, 0); return 0; }`},
		{name: "a thread that shares nothing creates another", want: threads.Safe, text: `
			void *g(void *p) { if (x == 0) reach_error(); return 0; }
			void *f(void *p) { pthread_t t; pthread_create(&t, 0, g, 0); return 0; }
			void *h(void *p) { y = x; return 0; }
			int main(void) { pthread_t t, u; pthread_create(&t, 0, h, 0); x = 1; pthread_create(&u, 0, f, 0); return 0; }`},
		{name: "who waits stands still, and the others go on", want: threads.Unsafe, text: `
			void *f(void *p) { x = 1; __VERIFIER_assume(0); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x) reach_error(); return 0; }`},
		{name: "a loop that only waits", want: threads.Safe, text: `
			void *f(void *p) { y = 1; x = 1; return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); while (x == 0) ; if (y == 0) reach_error(); return 0; }`},
		{name: "a loop that counts while it waits", want: threads.Unknown, cut: events.LoopCut, text: `
			void *f(void *p) { x = 1; return 0; }
			int main(void) { int n = 0; pthread_t t; pthread_create(&t, 0, f, 0); while (x == 0) n++; if (n < 0) reach_error(); return 0; }`},
		{name: "a loop with a constant bound", want: threads.Unsafe, text: `
			void *f(void *p) { for (int i = 0; i < 20; i++) x = i; return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x == 19) reach_error(); return 0; }`},
		{name: "an argument is handed over, and changed afterwards", want: threads.Unsafe, text: `
			void *f(void *p) { if (*(int *)p == 2) reach_error(); return 0; }
			int main(void) { int n = 1; pthread_t t; pthread_create(&t, 0, f, &n); n = 2; pthread_join(t, 0); return 0; }`},
		{name: "an argument is handed over", want: threads.Safe, text: `
			void *f(void *p) { if (*(int *)p != 1) reach_error(); return 0; }
			int main(void) { int n = 1; pthread_t t; pthread_create(&t, 0, f, &n); pthread_join(t, 0); return 0; }`},
		{name: "a join on one way only", want: threads.Unsafe, text: `
			void *f(void *p) { x = 1; return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (y == 0) { if (__VERIFIER_nondet_int()) pthread_join(t, 0); } if (x == 0) reach_error(); return 0; }`},
		{name: "a section is left from a loop", want: threads.Safe, text: `
			void *f(void *p) { for (;;) { __VERIFIER_atomic_begin(); if (x == 0) { x = 1; __VERIFIER_atomic_end(); break; } __VERIFIER_atomic_end(); } return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); if (x != 1) reach_error(); return 0; }`},
		{name: "an error within a section", want: threads.Unsafe, text: `
			void *f(void *p) { __VERIFIER_atomic_begin(); y = 1; if (x == 1) reach_error(); __VERIFIER_atomic_end(); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; return 0; }`},
		{name: "nobody sees the middle of a section", want: threads.Safe, text: `
			void *f(void *p) { __VERIFIER_atomic_begin(); x = 1; x = 2; __VERIFIER_atomic_end(); return 0; }
			int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x == 1) reach_error(); return 0; }`},
		{name: "more threads than are told apart", want: threads.Unknown, cut: events.ThreadCut, text: `
			void *f(void *p) { x = 1; return 0; }
			int main(void) { pthread_t t; for (int i = 0; i < 5; i++) pthread_create(&t, 0, f, 0); if (x > 1) reach_error(); return 0; }`},
	} {
		for _, order := range []threads.Order{threads.ByTheory, threads.Refined, threads.Full} {
			auto := automaton(t, head+c.text)
			out, err := threads.Run(context.Background(), auto, threads.Options{Order: order, Unwind: 4})
			require.NoError(t, err, c.name)
			require.Equal(t, c.want, out.Verdict, "%s, by %s", c.name, order)
			switch out.Verdict {
			case threads.Unsafe:
				run, err := replay(auto, out.Schedule)
				require.NoError(t, err, c.name)
				require.Contains(t, run.Trace, cfa.ErrorAction)
			case threads.Unknown:
				require.Equal(t, c.cut, out.Cuts[0].Kind, c.name)
			}
		}
	}
}
