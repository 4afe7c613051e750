package certificate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/component"
	"magus/evidence/certificate"
	"magus/specs"
)

// A run that violates without fairness shows nothing with it, unless it is fair.
func TestUnfairRunsAreRefused(t *testing.T) {
	claim := func(c, spec string, fairness component.Fairness) *magus.Claim {
		p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "p.spec", Text: []byte(spec)}}})
		require.NoError(t, err)
		all, err := p.Claims(magus.Selection{Fairness: fairness})
		require.NoError(t, err)
		return all[len(all)-1]
	}
	const (
		which = "Which = ( lock1 -> return {$0 == 1} -> STOP | lock2 -> return {$0 == 2} -> STOP ).\n" +
			"procedure which { abstract { (1), Which }; }\n" +
			"Mayz = ( z -> return {$0 == 1} -> STOP | return {$0 == 2} -> STOP ).\n" +
			"procedure mayz { abstract { (1), Mayz }; }\n"
		alone = "int which(void); void p(void) { for (;;) __MAGUS_ACTION__(\"a\"); } " +
			"void q(void) { for (;;) __MAGUS_ACTION__(\"b\"); }"
		// u may be served again and again; v can go on each time before that
		again = "int which(void); void s(void) { for (;;) if (which() == 1) __MAGUS_ACTION__(\"free1\"); else __MAGUS_ACTION__(\"free2\"); } " +
			"void u(void) { for (;;) { __MAGUS_ACTION__(\"lock1\"); __MAGUS_ACTION__(\"free1\"); } } " +
			"void v(void) { for (;;) { __MAGUS_ACTION__(\"lock2\"); __MAGUS_ACTION__(\"b\"); __MAGUS_ACTION__(\"free2\"); } } "
		never = "int which(void); void p(void) { for (;;) { __MAGUS_ACTION__(\"a\"); if (0) __MAGUS_ACTION__(\"z\"); } } " +
			"void r(void) { __MAGUS_ACTION__(\"z\"); __MAGUS_ACTION__(\"b\"); } "
		// p may go round without z, and could do it each time
		offers = "int which(void); int mayz(void); void p(void) { for (;;) mayz(); } " +
			"void q(void) { for (;;) { __MAGUS_ACTION__(\"z\"); __MAGUS_ACTION__(\"b\"); } } "
		values = "int which(void); void __MAGUS_SEND__(const char *, int); int __MAGUS_RECEIVE__(const char *); " +
			"void p(void) { for (;;) __MAGUS_SEND__(\"a\", 1); } void q(void) { for (;;) __MAGUS_ACTION__(\"b\"); }"
	)
	for _, test := range []struct {
		name, c, program string
		weak, strong     bool // accepted
	}{
		{"a component that can always go on", alone, "p, q", false, false},
		{"one that offers what nobody takes", never, "p, r", true, true},
		{"one that can go on again and again", again, "s, u, v", true, false},
		{"one that is offered what it waits for again and again", offers, "p, q", false, false},
		{"one of a product", values, "p, q", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := "void __MAGUS_ACTION__(const char *); " + test.c
			spec := which + "assert B = []<> b\nprogram " + test.program + " { assert B; }"
			proof, _ := decided(t, claim(c, spec, component.NoFairness), magus.Options{}, "violates")
			for fairness, accepted := range map[component.Fairness]bool{component.NoFairness: true,
				component.WeakFairness: test.weak, component.StrongFairness: test.strong} {
				err := magus.Verify(t.Context(), claim(c, spec, fairness), magus.Options{}, proof)
				if accepted {
					require.NoError(t, err, fairness)
				} else {
					isRefused(t, err, string(fairness))
				}
			}
			for what, change := range map[string]func(*certificate.Certificate){
				"ends": func(c *certificate.Certificate) { c.Round = nil },
				"nothing round": func(c *certificate.Certificate) {
					c.Round = &certificate.Lasso{Actions: len(c.Trace), Moves: moved(c)}
				},
				"no runs": func(c *certificate.Certificate) { c.Runs = nil },
			} {
				forged := *proof
				change(&forged)
				isRefused(t, magus.Verify(t.Context(), claim(c, spec, component.NoFairness), magus.Options{}, &forged), what)
			}
		})
	}
}

// moved are the numbers of all moves.
func moved(c *certificate.Certificate) (all []int) {
	for _, r := range c.Runs {
		all = append(all, len(r.Moves))
	}
	return all
}

// A round in which an action is performed is no livelock, and nor is a run that ends.
func TestLivelocksPerformNothing(t *testing.T) {
	p := pair{c: "void m(void) { int n = 3; for (;;) { while (n > @) __MAGUS_ACTION__(\"hum\"); " +
		"__MAGUS_ACTION__(\"tick\"); } }", spec: "assert Never = <> none\nprogram m { assert Never; }"}
	run, _ := decided(t, p.claimOf(t, "2"), magus.Options{}, "violates")
	require.NotNil(t, run.Round)
	p.spec, p.question = "program m { }", magus.Property{Question: magus.NoLivelock}
	livelock := p.claimOf(t, "2")
	isRefused(t, magus.Verify(t.Context(), livelock, magus.Options{}, run), "a round with an action")
	forged := *run
	forged.Round = nil
	isRefused(t, magus.Verify(t.Context(), livelock, magus.Options{}, &forged), "a run that ends")
}
