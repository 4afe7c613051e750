package cli

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/app/options"
	"magus/internal/sample"
	"magus/lts"
	"magus/specs"
)

// A trace is read as it was written, whatever its actions are called.
func TestTraceText(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(rapid.OneOf(rapid.String(),
			rapid.StringOfN(rapid.RuneFrom([]rune("a \"\\\t,")), 0, 4, -1)), 1, 4).Draw(t, "labels")
		got, err := splitTrace(formatLabels(labels))
		require.NoError(t, err)
		require.Equal(t, labels, got)
	})
	labels, err := splitTrace("  ")
	require.NoError(t, err)
	require.Empty(t, labels)
	for _, wrong := range []string{`"`, `a "b`, `"\q"`} {
		_, err := splitTrace(wrong)
		require.Error(t, err, wrong)
	}
}

// What is written in the specification language is strongly bisimilar to what
// it was written from, and has its alphabet.
func TestSpecText(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		table := lts.NewActions()
		actions := []lts.Action{lts.Tau, table.Intern("a"), table.Intern("b.c"), table.Intern("M1")}
		b := lts.NewBuilder(table)
		n := rapid.IntRange(1, 6).Draw(t, "states")
		b.AddStates(n + 1)
		b.Alphabet(rapid.SampledFrom(actions).Draw(t, "idle"))
		state := rapid.IntRange(0, n-1)
		for range rapid.IntRange(0, 3*n).Draw(t, "edges") {
			to := lts.State(rapid.IntRange(0, n).Draw(t, "to"))
			b.AddEdge(lts.State(state.Draw(t, "from")), rapid.SampledFrom(actions).Draw(t, "action"), to)
		}
		if rapid.Bool().Draw(t, "error") {
			b.SetError(lts.State(n)) // it has no transitions
		}
		m := b.Build()
		var text bytes.Buffer
		require.NoError(t, writeSpec(context.Background(), &text, m))
		file, err := specs.Parse(context.Background(), []specs.Source{{Name: "x.spec", Text: text.Bytes()}}, nil)
		require.NoError(t, err)
		again, err := file.LTS(context.Background(), specName, table)
		require.NoError(t, err)
		require.Equal(t, m.Alphabet(), again.Alphabet())
		c, err := lts.Compare(context.Background(), m, again, lts.StrongBisim, lts.Limits{})
		require.NoError(t, err)
		require.True(t, c.Holds, text.String())
	})
}

func TestSpecTextRefuses(t *testing.T) {
	for _, name := range []string{"", "in(0)", "9", "STOP", "a.tau", "return", "a b", "ä"} {
		table := lts.NewActions()
		b := lts.NewBuilder(table)
		b.Alphabet(table.Intern(name))
		require.ErrorContains(t, writeSpec(context.Background(), io.Discard, b.Build()), "cannot be written", name)
	}
	table := lts.NewActions()
	b := lts.NewBuilder(table)
	b.AddStates(1)
	b.AddEdge(0, table.Intern("a"), 0)
	b.SetError(0)
	require.ErrorContains(t, writeSpec(context.Background(), io.Discard, b.Build()), "ERROR state 0 has transitions")
}

// A panic of work that is waited for is one of who waits.
func TestAwait(t *testing.T) {
	value, err := await(context.Background(), func() int { return 7 })
	require.NoError(t, err)
	require.Equal(t, 7, value)
	require.PanicsWithValue(t, "fault", func() { _, _ = await(context.Background(), func() int { panic("fault") }) })
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	forever := make(chan int)
	defer close(forever)
	_, err = await(ctx, func() int { return <-forever })
	require.ErrorIs(t, err, context.Canceled)
}

func TestDefinitionName(t *testing.T) {
	tests := []struct {
		arg, file, name string
		ok              bool
	}{
		{"a.spec:B", "a.spec", "B", true},
		{"c:d/a.spec:B", "c:d/a.spec", "B", true},
		{"a.spec", "a.spec", "", true},
		{"a.spec:", "a.spec", "", true},
		{"a.aut", "a.aut", "", false},
		{"a.lts:P(3)", "a.lts", "P(3)", true},
		{"a.fsp:P", "a.fsp:P", "", false},
	}
	for _, test := range tests {
		file, name, ok := definitionName(test.arg, ".spec", ".lts")
		require.Equal(t, []any{test.file, test.name, test.ok}, []any{file, name, ok}, test.arg)
	}
}

// Containments of traces are decided as package lts decides them.
func TestTraces(t *testing.T) {
	holds := map[bool]int{}
	sample.Check(t, func(t *rapid.T) {
		table := lts.NewActions()
		actions := []lts.Action{lts.Tau, table.Intern("a"), table.Intern("τ")}
		draw := func() *lts.LTS {
			b := lts.NewBuilder(table)
			n := rapid.IntRange(1, 4).Draw(t, "states")
			b.AddStates(n)
			state := rapid.Custom(func(t *rapid.T) lts.State { return lts.State(rapid.IntRange(0, n-1).Draw(t, "state")) })
			for range rapid.IntRange(0, 2*n).Draw(t, "edges") {
				b.AddEdge(state.Draw(t, "from"), rapid.SampledFrom(actions).Draw(t, "action"), state.Draw(t, "to"))
			}
			return b.Build()
		}
		left, right := draw(), draw()
		for _, r := range lts.Relations() {
			if !isTraces(r) || !r.IsPreorder() {
				continue
			}
			want, err := lts.Compare(context.Background(), left, right, r, lts.Limits{})
			require.NoError(t, err)
			f := &compareFlags{relation: relationFlag{r: r}, observe: "all",
				ltsFlags: ltsFlags{options: options.Standard().For(options.LTS)}}
			got, err := f.contains(context.Background(), nil, []*lts.LTS{left}, right)
			require.NoError(t, err)
			require.Equal(t, want.Holds, got.Holds, r)
			require.Equal(t, got.Holds, got.Explanation == nil)
			holds[got.Holds]++
		}
	})
	require.Positive(t, holds[true])
	require.Positive(t, holds[false])
}
