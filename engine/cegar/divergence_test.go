package cegar

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/cfa"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

func TestGrows(t *testing.T) {
	for _, c := range []struct {
		rounds []int
		want   bool
	}{
		{nil, false}, {[]int{5}, false}, {[]int{0, 1}, false}, {[]int{1, 2}, true}, {[]int{3, 3, 3, 3}, false},
		{[]int{4, 1, 4, 5, 5, 6}, true}, {[]int{6, 5, 4, 3}, false},
	} {
		require.Equal(t, c.want, grows(c.rounds), c.rounds)
	}
}

// TestFolded: written out, a folded path is the path, and what repeats is folded.
func TestFolded(t *testing.T) {
	line := func(n int) cfa.Pos { return cfa.Pos{File: "a.c", Line: n} }
	require.Equal(t, []verdict.PathPart{
		{File: "a.c", Lines: []int{1, 2}, Times: 1}, {File: "a.c", Lines: []int{3, 4}, Times: 3},
		{File: "a.c", Lines: []int{3, 9}, Times: 1},
	}, folded([]cfa.Pos{line(1), line(2), line(3), line(4), line(3), line(4), line(3), line(4), line(3), line(9)}))
	sample.Check(t, func(rt *rapid.T) {
		var lines []cfa.Pos
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 5), 0, 60).Draw(rt, "lines") {
			lines = append(lines, cfa.Pos{File: string(rune('a' + n/4)), Line: n%4 + 1})
		}
		var out []cfa.Pos
		for _, p := range folded(lines) {
			for range p.Times {
				for _, n := range p.Lines {
					out = append(out, cfa.Pos{File: p.File, Line: n})
				}
			}
		}
		require.Equal(rt, len(lines), len(out))
		for i := range lines {
			require.Equal(rt, lines[i], out[i])
		}
	})
}

// Where the loop is at its end, the bounded search makes its last effort, though no loop of
// the program is there to do an induction over.
func TestSearchGoesOnWithoutInduction(t *testing.T) {
	c := `extern long __VERIFIER_nondet_long(void); extern void __VERIFIER_assume(int);
const unsigned long self;
static unsigned long get(void) { unsigned long n = __VERIFIER_nondet_long(); __VERIFIER_assume(n == self); return n; }
void f(void) { unsigned long t = get(); if (t != get() || t != get() + 1) __MAGUS_ACTION__("bad"); }`
	spec := `S = (good -> bad -> STOP | return {} -> STOP). program f { specification s, {(1)}, S; }`
	require.Equal(t, verdict.Unknown, decided(t, c, spec, Options{Loop: Loop{Engine: LoopEngine}}).Verdict,
		"the loop has no predicates")
	require.Equal(t, verdict.Violates, decided(t, c, spec, Options{}).Verdict)
}
