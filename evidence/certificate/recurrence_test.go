package certificate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/component"
	"magus/evidence/certificate"
)

// A round whose value comes back because it is not modelled shows nothing: the program may have another one.
func TestRoundsOfUnknownValuesAreRefused(t *testing.T) {
	p := pair{c: nondet + "void m(void) { int x = 5; __MAGUS_ACTION__(\"tick\"); while (x == 5) { @; } " +
		"for (;;) __MAGUS_ACTION__(\"tick\"); }", spec: "S = ( tick -> S ). program m { specification s, {1}, S; }",
		relation: component.Divergences}
	chosen, unknown := p.claimOf(t, "x = __VERIFIER_nondet_int()"), p.claimOf(t, "__asm__(\"\" : \"=r\"(x))")
	c, _ := decided(t, chosen, magus.Options{}, "violates")
	require.NoError(t, magus.Verify(t.Context(), chosen, magus.Options{}, readAgain(t, c)))
	isRefused(t, magus.Verify(t.Context(), unknown, magus.Options{}, c), "a value that is not modelled")
}

// A recurrence set is refused if it is larger, if it is of another run, or if there are other rounds where it matters
// what these perform; and where other rounds are needed, without them.
func TestRecurrenceSetsAreRefused(t *testing.T) {
	goes := pair{c: "void m(void) { unsigned n = 9; for (;;) { __MAGUS_ACTION__(\"tick\"); while (n != 0) n -= @; } }",
		spec: "S = ( tick -> S ). program m { specification s, {1}, S; }", relation: component.Divergences}
	two := pair{c: nondet + "int main(void) { unsigned n = __VERIFIER_nondet_uint(); " +
		"while (n != @) { if (n & 4) n += 6; else n += 2; } return 0; }",
		question: magus.Property{Question: magus.Terminates}}
	sets := 0
	for _, test := range []struct {
		name   string
		claim  *magus.Claim
		change func(*certificate.RecurrenceSet) bool // whether it can be made
	}{
		{"another run", goes.claimOf(t, "2"), func(s *certificate.RecurrenceSet) bool { s.Name = "n"; return true }},
		{"larger", goes.claimOf(t, "2"), func(s *certificate.RecurrenceSet) bool { s.Atoms = nil; return true }},
		{"other rounds", goes.claimOf(t, "2"), func(s *certificate.RecurrenceSet) bool {
			s.Others = []certificate.Move{{Round: []certificate.Move{{}}, Times: 1}}
			return true
		}},
		{"without other rounds", two.claimOf(t, "0"), func(s *certificate.RecurrenceSet) bool {
			made := len(s.Others) > 0
			s.Others = nil
			return made
		}},
	} {
		c, _ := decided(t, test.claim, magus.Options{}, "violates")
		require.NoError(t, magus.Verify(t.Context(), test.claim, magus.Options{}, readAgain(t, c)), test.name)
		if len(c.Round.Sets) == 0 {
			continue
		}
		forged, round := *c, *c.Round
		round.Sets = slices.Clone(round.Sets)
		if forged.Round = &round; test.change(&round.Sets[0]) {
			sets++
			isRefused(t, magus.Verify(t.Context(), test.claim, magus.Options{}, &forged), test.name)
		}
	}
	require.Equal(t, 4, sets)
}
