package magus_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/component"
	"magus/internal/sample"
	"magus/lts"
	"magus/specs"
)

// silentSpec is a random specification some of whose steps are silent.
func silentSpec(rnd *rand.Rand, actions []string) spec {
	s := randomSpec(rnd, actions)
	for i := range s {
		for k := range s[i] {
			if rnd.Intn(6) == 0 {
				s[i][k].action = "tau"
			}
		}
		if rnd.Intn(8) == 0 {
			s[i] = append(s[i], specEdge{"tau", rnd.Intn(len(s))})
		}
	}
	return s
}

// refining is a specification made of a component: with its states and choices, and less or more here and there.
func refining(rnd *rand.Rand, w waiter) spec {
	s := make(spec, len(w.states))
	for i, st := range w.states {
		for k, to := range st.target {
			a := "tau"
			if st.kind == "act" {
				a = st.actions[k]
			}
			if rnd.Intn(10) > 0 {
				s[i] = append(s[i], specEdge{a, to})
			}
		}
		if rnd.Intn(6) == 0 {
			s[i] = append(s[i], specEdge{"tau", rnd.Intn(len(s))})
		}
	}
	return s
}

// A component and a specification are related by failures, and by failures and divergences, exactly if the
// comparison of the two written out says so: C whose automaton is one LTS, and a specification that is the
// other one, of which some steps are silent.
func TestComparisonsOfFailuresAgreeWithChecks(t *testing.T) {
	for relation, compared := range map[component.Relation]lts.Relation{component.Failures: lts.StableFailures,
		component.Divergences: lts.FailuresDivergences} {
		t.Run(string(relation), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewSource(int64(sample.Seed(11))))
			held, refused, endless := 0, 0, 0
			for n := range sample.Count(200) {
				left, right, claim, text := comparedSystem(t, rnd, relation)
				c, err := lts.Compare(t.Context(), left, right, compared, lts.Limits{})
				require.NoError(t, err)
				want := magus.Violates
				switch {
				case c.Holds:
					want, held = magus.Conforms, held+1
				case c.Refusal != nil:
					refused++
				case c.Cycle != nil:
					endless++
				}
				o, err := magus.Check(t.Context(), claim, magus.Options{}, nil)
				require.NoError(t, err)
				require.Equal(t, want, o.Verdict, "system %d: %v, the comparison says %v\n%s", n, o.Reason, c.Explanation, text)
			}
			if !testing.Short() {
				require.Greater(t, held, 10)
				require.Greater(t, refused, 5)
				require.Equal(t, relation == component.Divergences, endless > 0)
			}
		})
	}
}

// comparedSystem is a random component and a random specification, written out and as a claim with its text.
func comparedSystem(t *testing.T, rnd *rand.Rand, r component.Relation) (left, right *lts.LTS,
	claim *magus.Claim, text string) {
	t.Helper()
	actions := []string{"a", "b", "c"}
	w := randomWaiter(rnd, actions)
	for i := range w.states {
		if w.states[i].kind == "assume" { // such a run is none, which no LTS says
			w.states[i].kind = "abort"
		}
	}
	s := silentSpec(rnd, actions)
	if rnd.Intn(2) == 0 {
		s = refining(rnd, w)
	}
	body, says := w.text("c0")
	c := waiterHeader + body
	says += s.text(actions) + "program c0 { specification s, {(1)}, S0; }\n"
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
		Specs: []specs.Source{{Name: "a.spec", Text: []byte(says)}}})
	require.NoError(t, err, says)
	claims, err := p.Claims(magus.Selection{Relation: r})
	require.NoError(t, err)
	table := lts.NewActions()
	left, right = w.lts(table), s.lts(table, actions)
	return left, right, claims[len(claims)-1], fmt.Sprint(c, says)
}
