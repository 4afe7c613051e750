package magus_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
)

// outcome checks that `error` never happens in a program.
func outcome(t *testing.T, name string, text []byte, opt magus.Options) *magus.Outcome {
	t.Helper()
	ctx := context.Background()
	p, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: name, Text: text}}})
	require.NoError(t, err)
	c, err := p.Property(magus.Property{})
	require.NoError(t, err)
	s, err := magus.NewLoop(ctx, c, opt)
	require.NoError(t, err)
	defer s.Close()
	return s.Run(ctx, nil)
}

// TestDispatchMinimum: a machine of many states has a smallest set of two, its
// state and a flag that is set in one of them and asked in another.
func TestDispatchMinimum(t *testing.T) {
	const n = 24
	var b strings.Builder
	b.WriteString(`void reach_error(void); int __VERIFIER_nondet_int(void);
int main(void) { int state = 0, flag = 0, noise = 0;
while (1) { switch (state) {`)
	for i := range n {
		fmt.Fprintf(&b, "case %d:", i)
		switch i {
		case 3:
			b.WriteString("flag = 1;")
		case n - 1:
			b.WriteString("if (flag != 1) reach_error(); return 0;")
		default:
			b.WriteString("if (__VERIFIER_nondet_int()) noise++; if (noise > 3) noise = 0;")
		}
		fmt.Fprintf(&b, "state = %d; break;\n", i+1)
	}
	b.WriteString("} } }")
	o := outcome(t, "machine.c", []byte(b.String()), magus.Options{})
	require.Equal(t, magus.Conforms, o.Verdict, o.Reason)
	require.True(t, o.Loop.Smallest)
	require.Len(t, o.Loop.Components[0].Predicates, 2)
	require.Less(t, o.Loop.Stats.Iterations, 10)
}

// TestPublicMinimum: the sets for the handshake are as small as those of the
// paper's figure 12 for programs of its kind: two for a client, two to four for
// a server. Each is proven to be smallest.
func TestPublicMinimum(t *testing.T) {
	dir := filepath.Join("..", "shared", "bench", "ssh-simplified")
	files, err := filepath.Glob(filepath.Join(dir, "*true-unreach-call*.c"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no public programs")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		o := outcome(t, filepath.Base(file), text, magus.Options{})
		most := 4
		if strings.Contains(file, "clnt") {
			most = 2
		}
		require.Equal(t, magus.Conforms, o.Verdict, file)
		require.True(t, o.Loop.Smallest, file)
		require.LessOrEqual(t, len(o.Loop.Components[0].Predicates), most, file)
	}
}

// TestCostByPlaces: an error that either of two predicates excludes, one from
// the beginning of the program on, the other at the end only. Both are smallest
// sets; the second takes fewer places.
func TestCostByPlaces(t *testing.T) {
	text := `void reach_error(void); int __VERIFIER_nondet_int(void);
int main(void) { int x = 3, y = 0;
while (__VERIFIER_nondet_int()) { y = __VERIFIER_nondet_int(); if (y) y = 0; }
int u = 0;
if (x == 5) { if (u == 1) reach_error(); }
return y; }`
	for cost, want := range map[string]string{"one": "x == 5", "wp": "u == 1"} {
		o := outcome(t, "places.c", []byte(text), magus.Options{Loop: magus.Loop{Cost: cost}})
		require.Equal(t, magus.Conforms, o.Verdict, o.Reason)
		require.True(t, o.Loop.Smallest)
		require.Len(t, o.Loop.Components[0].Predicates, 1)
		require.Contains(t, o.Loop.Components[0].Predicates[0].Text, want, cost)
	}
}
