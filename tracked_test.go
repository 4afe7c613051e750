package magus_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
)

// What a variable that is not initialised may hold is not told apart before it
// is asked about; the verdict does not depend on it.
func TestPredicatesAreTrackedOnceKnown(t *testing.T) {
	const text = `
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
	int next, state = 1, turns = __VERIFIER_nondet_int();
	while (turns > 0) {
		if (state == 1) { next = 2; state = 5; }
		else if (state == 2) { next = 3; state = 5; }
		else if (state == 3) { next = 1; state = 5; }
		else if (state == 5) state = next;
		else reach_error();
		turns--;
	}
	return 0;
}`
	states := map[bool]int{}
	for _, global := range []bool{false, true} {
		ctx := context.Background()
		p, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(text)}}})
		require.NoError(t, err)
		claim, err := p.Property(magus.Property{Entry: "main"})
		require.NoError(t, err)
		s, err := cegar.NewSession(ctx, claim, cegar.Options{Loop: cegar.Loop{GlobalPredicates: global, Check: true}})
		require.NoError(t, err)
		o := s.Run(ctx, nil)
		s.Close()
		require.Equal(t, magus.Conforms, o.Verdict, o.Reason)
		states[global] = o.Loop.Components[0].MPStates
	}
	require.Less(t, states[false], states[true])
	t.Log(states)
}
