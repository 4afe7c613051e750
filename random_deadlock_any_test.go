package magus_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/component"
	"magus/engine/cegar"
	"magus/internal/sample"
	"magus/specs"
)

// copiesStuck looks at all tuples of states of copies; of says of which component each is one. An action is performed by
// one copy of each that has it.
func copiesStuck(ws []waiter, of []int, actions []string) bool {
	first := make([]int, len(of))
	seen, todo := map[string]bool{fmt.Sprint(first): true}, [][]int{first}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		steps, waits, dead := 0, false, false
		meet := func(next []int) {
			steps++
			if k := fmt.Sprint(next); !seen[k] {
				seen[k] = true
				todo = append(todo, next)
			}
		}
		for k, i := range of {
			s := ws[i].states[at[k]]
			waits = waits || s.kind == "act"
			dead = dead || s.kind == "assume"
			if s.kind == "choose" {
				for _, to := range s.target {
					next := slices.Clone(at)
					next[k] = to
					meet(next)
				}
			}
		}
		for _, a := range actions {
			nexts, owned := [][]int{slices.Clone(at)}, false
			for i, w := range ws {
				if !w.alphabet()[a] {
					continue
				}
				owned = true
				var more [][]int
				for k := range of {
					if of[k] != i || !slices.Contains(w.states[at[k]].actions, a) {
						continue
					}
					way := slices.Index(w.states[at[k]].actions, a)
					for _, next := range nexts {
						n := slices.Clone(next)
						n[k] = w.states[at[k]].target[way]
						more = append(more, n)
					}
				}
				nexts = more
			}
			for _, next := range nexts {
				if owned {
					meet(next)
				}
			}
		}
		if steps == 0 && waits && !dead {
			return true
		}
	}
	return false
}

// Deadlocks of any number of copies of random components are those of some number; that there are none holds for few.
func TestRandomDeadlocksOfAnyNumber(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	found, free, undecided := 0, 0, 0
	for n := range sample.Count(120) {
		actions := []string{"a", "b", "c", "d"}[:2+rnd.Intn(3)]
		c, spec := waiterHeader, ""
		var ws []waiter
		var names []string
		for i := range 1 + rnd.Intn(3) {
			w := randomWaiter(rnd, actions)
			text, says := w.text(fmt.Sprintf("c%d", i))
			ws, c, spec = append(ws, w), c+text, spec+says
			names = append(names, fmt.Sprintf("c%d%s", i, []string{"*", "", "*", "* 2"}[(i+n/2*i)%4]))
		}
		spec += "program " + strings.Join(names, ", ") + " { }\n"
		p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(spec)}}})
		require.NoError(t, err)
		claims, err := p.Properties(magus.Property{Question: component.NoDeadlock})
		require.NoError(t, err)
		var verdicts []magus.Verdict
		for _, opt := range []cegar.Loop{{}, {ActionAbstraction: cegar.On, Check: true}, {ActionAbstraction: cegar.Off}} {
			o, err := magus.Check(t.Context(), claims[0], magus.Options{Loop: opt}, nil)
			require.NoError(t, err)
			verdicts = append(verdicts, o.Verdict)
			if o.Verdict == magus.Unknown {
				t.Log(o.Reason)
			}
		}
		for k := 1; k <= 3; k++ {
			var of []int
			for i, name := range names {
				copies := 1
				switch {
				case strings.HasSuffix(name, "*"):
					copies = k
				case strings.HasSuffix(name, "2"):
					copies = 2
				}
				of = append(of, slices.Repeat([]int{i}, copies)...)
			}
			if copiesStuck(ws, of, actions) {
				require.NotContains(t, verdicts, magus.Conforms, "program %d, %d copies\n%s\n%s", n, k, c, spec)
				found++
				break
			} else if k == 3 && slices.Contains(verdicts, magus.Conforms) {
				require.NotContains(t, verdicts, magus.Violates, "program %d\n%s\n%s", n, c, spec)
				free++
			}
		}
		if slices.Contains(verdicts, magus.Unknown) {
			undecided++
		}
	}
	require.Greater(t, found, 5)
	require.Greater(t, free, 5)
	require.LessOrEqual(t, undecided, 120/50)
}
