package counting_test

import (
	"context"
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/lts"
	"magus/lts/counting"
)

// random is an LTS over some of the actions of a table.
func random(r *rand.Rand, t *lts.Actions, states, edges int, names string, tau bool) *lts.LTS {
	b := lts.NewBuilder(t)
	b.AddStates(states)
	for range edges {
		a := lts.Tau
		if k := r.Intn(len(names) + 1); k < len(names) {
			a = t.Intern(names[k : k+1])
		} else if !tau {
			continue
		}
		b.AddEdge(lts.State(r.Intn(states)), a, lts.State(r.Intn(states)))
	}
	for _, c := range names {
		if r.Intn(4) > 0 {
			b.Alphabet(t.Intern(string(c)))
		}
	}
	return b.Build()
}

// composition is a random one: one or two LTSs in several copies, none or one beside them.
func composition(r *rand.Rand) counting.Composition {
	t := lts.NewActions()
	c := counting.Composition{Copies: []int{counting.Any}}
	tau := r.Intn(3) == 0
	c.LTSs = append(c.LTSs, random(r, t, 2+r.Intn(3), 2+r.Intn(5), "abc", tau))
	if r.Intn(3) > 0 {
		c.LTSs, c.Copies = append(c.LTSs, random(r, t, 1+r.Intn(4), 2+r.Intn(6), "abd", tau)), append(c.Copies, 1)
	}
	if r.Intn(3) == 0 {
		c.LTSs, c.Copies = append(c.LTSs, random(r, t, 1+r.Intn(3), 1+r.Intn(4), "ad", tau)), append(c.Copies, counting.Any)
	}
	b := lts.NewBuilder(t)
	n := 1 + r.Intn(4)
	b.AddStates(n)
	for s := range n {
		for _, a := range "abcd" {
			if r.Intn(5) > 0 {
				b.AddEdge(lts.State(s), t.Intern(string(a)), lts.State(r.Intn(n)))
			}
			if r.Intn(6) == 0 {
				b.AddEdge(lts.State(s), t.Intern(string(a)), lts.State(r.Intn(n)))
			}
		}
		if r.Intn(9) == 0 {
			b.AddEdge(lts.State(s), lts.Tau, lts.State(r.Intn(n)))
		}
	}
	if r.Intn(6) == 0 {
		b.SetError(lts.State(n - 1))
	}
	c.Spec = b.Build()
	return c
}

// fixed is the composition with n copies of what runs in any number.
func fixed(c counting.Composition, n int) []int {
	copies := make([]int, len(c.Copies))
	for i, k := range c.Copies {
		if copies[i] = k; k == counting.Any {
			copies[i] = n
		}
	}
	return copies
}

func contains(t *testing.T, c counting.Composition, copies []int) lts.Verdict {
	w := lts.Copy(c.LTSs, copies, c.Spec)
	r, err := lts.Contains(context.Background(), w.Impl, w.Spec, lts.Limits{})
	require.NoError(t, err)
	return r.Verdict
}

func cases(t *testing.T, usual int) int {
	return sample.Count(usual)
}

// TestAgainstCopies: what is found for any number of copies is what the ordinary composition of up to four of
// them says, and of as many as a run needs.
func TestAgainstCopies(t *testing.T) {
	ctx := context.Background()
	verdicts, most := map[lts.Verdict]int{}, 0
	for seed := range cases(t, 3000) {
		c := composition(rand.New(rand.NewSource(int64(seed))))
		r, err := c.Contained(ctx, 0)
		require.NoError(t, err)
		verdicts[r.Verdict]++
		name := fmt.Sprintf("seed %d", seed)
		if r.Verdict == lts.Holds {
			for n := 1; n <= 4; n++ {
				require.Equal(t, lts.Holds, contains(t, c, fixed(c, n)), "%s, %d copies", name, n)
			}
			closed(t, c, r.Invariant, name)
			continue
		}
		performed(t, c, r, name)
		n := 1
		for i, k := range r.Copies {
			if c.Copies[i] == counting.Any {
				n = max(n, k)
			}
		}
		most = max(most, n)
		if n <= 4 {
			require.Equal(t, lts.Fails, contains(t, c, r.Copies), name)
			require.Equal(t, lts.Fails, contains(t, c, fixed(c, n)), name)
		}
	}
	t.Log(verdicts, "most copies", most)
	require.Greater(t, verdicts[lts.Holds], 100)
	require.Greater(t, verdicts[lts.Fails], 100)
	require.Greater(t, most, 2)
}

// TestFixedNumbers: exactly n copies, counted and written out.
func TestFixedNumbers(t *testing.T) {
	for seed := range cases(t, 2000) {
		r := rand.New(rand.NewSource(int64(seed)))
		c := composition(r)
		for i, k := range c.Copies {
			if k == counting.Any {
				c.Copies[i] = 1 + r.Intn(4)
			}
		}
		answer, err := c.Contained(context.Background(), 0)
		require.NoError(t, err)
		require.Equal(t, contains(t, c, c.Copies), answer.Verdict, "seed %d", seed)
		if answer.Verdict == lts.Fails {
			require.Equal(t, c.Copies, answer.Copies)
			performed(t, c, answer, fmt.Sprintf("seed %d", seed))
		}
	}
}

// performed checks that a run is one: each copy goes from where it is along a transition of its LTS, exactly
// one copy of each LTS with the action takes part, and the specification does not allow the trace.
func performed(t *testing.T, c counting.Composition, r counting.Result, name string) {
	var of []int
	for i, n := range r.Copies {
		for range n {
			of = append(of, i)
		}
	}
	at := make([]lts.State, len(of))
	for p, i := range of {
		at[p] = c.LTSs[i].Init()
	}
	for _, s := range r.Run.Steps {
		taking := map[int]int{}
		for _, m := range s.Moves {
			require.Equal(t, at[m.Component], m.From, name)
			require.Contains(t, c.LTSs[of[m.Component]].Out(m.From), lts.Edge{Action: s.Action, To: m.To}, name)
			at[m.Component] = m.To
			taking[of[m.Component]]++
		}
		for i, m := range c.LTSs {
			want := 0
			if m.HasAction(s.Action) || s.Action == lts.Tau && taking[i] == 1 {
				want = 1
			}
			require.Equal(t, want, taking[i], name)
		}
		if s.Action == lts.Tau {
			require.Len(t, s.Moves, 1)
		}
	}
	_, has := lts.Member(c.Spec, lts.Project(r.Run.Trace(), c.Spec.Alphabet()))
	require.Equal(t, c.Spec.HasError(), has, name)
}

// closed checks an invariant against all markings of three copies: each is in one of the sets, with what the
// specification can be in.
func closed(t *testing.T, c counting.Composition, inv []counting.Limit, name string) {
	w := lts.Copy(c.LTSs, fixed(c, 3), c.Spec)
	r, err := lts.Contains(context.Background(), w.Impl, w.Spec,
		lts.Limits{Antichain: true, Subsumption: lts.NoSubsumption})
	require.NoError(t, err)
	for _, pair := range r.Antichain {
		m := make([][]uint32, len(c.LTSs))
		for i, l := range c.LTSs {
			m[i] = make([]uint32, l.NumStates())
		}
		for k, s := range pair.Impl {
			m[w.Of[k]][s]++
		}
		found := false
		for _, l := range inv {
			found = found || below(m, l.Marking)
		}
		require.True(t, found, "%s: %v", name, pair)
	}
}

func below(m, limit [][]uint32) bool {
	for i := range m {
		for s, n := range m[i] {
			if n > limit[i][s] {
				return false
			}
		}
	}
	return true
}

// edges is an LTS given by its transitions, "0 a 1".
func edges(t *lts.Actions, states int, list ...string) *lts.LTS {
	b := lts.NewBuilder(t)
	b.AddStates(states)
	for _, e := range list {
		var from, to lts.State
		var name string
		_, _ = fmt.Sscanf(e, "%d %s %d", &from, &name, &to)
		b.AddEdge(from, t.Intern(name), to)
	}
	return b.Build()
}

func TestExamples(t *testing.T) {
	for _, c := range []struct {
		name    string
		build   func(t *lts.Actions) counting.Composition
		holds   bool
		copies  []int // of a run
		highest uint32
	}{
		{"a lock", func(t *lts.Actions) counting.Composition {
			return counting.Composition{Copies: []int{counting.Any, 1},
				LTSs: []*lts.LTS{edges(t, 2, "0 lock 1", "1 unlock 0"), edges(t, 2, "0 lock 1", "1 unlock 0")},
				Spec: edges(t, 2, "0 lock 1", "1 unlock 0")}
		}, true, nil, 0},
		{"no lock", func(t *lts.Actions) counting.Composition {
			return counting.Composition{Copies: []int{counting.Any}, LTSs: []*lts.LTS{edges(t, 2, "0 lock 1", "1 unlock 0")},
				Spec: edges(t, 2, "0 lock 1", "1 unlock 0")}
		}, false, []int{2}, 0},
		{"three at once", func(t *lts.Actions) counting.Composition {
			return counting.Composition{Copies: []int{counting.Any}, LTSs: []*lts.LTS{edges(t, 2, "0 in 1", "1 out 0")},
				Spec: edges(t, 3, "0 in 1", "1 in 2", "2 out 1", "1 out 0")}
		}, false, []int{3}, 0},
		{"each once: the number of copies matters", func(t *lts.Actions) counting.Composition {
			return counting.Composition{Copies: []int{counting.Any, 1},
				LTSs: []*lts.LTS{edges(t, 3, "0 in 1", "1 out 2"), edges(t, 3, "0 in 1", "1 in 2")},
				Spec: edges(t, 5, "0 in 1", "1 in 2", "2 out 3", "3 out 4", "1 out 3", "3 in 2")}
		}, true, nil, 2},
		{"what nobody does", func(t *lts.Actions) counting.Composition {
			return counting.Composition{Copies: []int{counting.Any, 1},
				LTSs: []*lts.LTS{edges(t, 2, "0 a 1"), edges(t, 2, "0 b 1")}, Spec: edges(t, 2, "0 a 0", "0 b 1", "1 a 1")}
		}, true, nil, 0},
		{"without any copy's help", func(t *lts.Actions) counting.Composition {
			return counting.Composition{Copies: []int{counting.Any, 1},
				LTSs: []*lts.LTS{edges(t, 2, "0 a 1"), edges(t, 3, "0 b 1", "1 b 2")}, Spec: edges(t, 2, "0 b 1")}
		}, false, []int{1, 1}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			comp := c.build(lts.NewActions())
			r, err := comp.Contained(context.Background(), 0)
			require.NoError(t, err)
			require.Equal(t, c.holds, r.Verdict == lts.Holds)
			require.Equal(t, c.copies, r.Copies)
			highest := uint32(0)
			for i := range r.Bounds {
				for _, n := range r.Bounds[i] {
					highest = max(highest, n)
				}
			}
			require.Equal(t, c.highest, highest)
		})
	}
}

func TestLimits(t *testing.T) {
	c := composition(rand.New(rand.NewSource(2)))
	r, err := c.Contained(context.Background(), 1)
	require.NoError(t, err)
	require.Equal(t, lts.Unknown, r.Verdict)
	require.NotEmpty(t, r.Reason)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = c.Contained(ctx, 0)
	require.ErrorIs(t, err, context.Canceled)
}
