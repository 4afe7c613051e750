package cegar

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/evidence/verdict"
)

// A counter that begins anew within a loop is refuted where it begins anew. Paths that go round more and more often
// contradict themselves in what comes behind the loop, too; that refutes one number of rounds each.
func TestRoundsAreRefutedWhereTheyBreak(t *testing.T) {
	c := `int choose(void), again(void);
void p(void) { for (;;) ; }
void q(void)
{
	unsigned x = 2;
	int s = 0;
	for (;;) switch (s) {
	case 0:
		__MAGUS_ACTION__("d"); x++; if (x == 5) x = 0; s = 4; break;
	case 2:
		choose(); abort();
	case 4:
		if (x >= 2) { __MAGUS_ACTION__("a"); x++; if (x == 5) x = 0; s = 4; break; }
		else { __MAGUS_ACTION__("a"); x++; if (x == 5) x = 0; s = 5; break; }
	case 5:
		if (again() == 1) { s = 4; break; }
		else { s = 2; break; }
	}
}`
	spec := `Choose = ( d -> return {$0 == 1} -> STOP | d -> return {$0 == 2} -> STOP ).
procedure choose { abstract { (1), Choose }; }
Again = ( a -> return {$0 == 1} -> STOP | a -> return {$0 == 2} -> STOP ).
procedure again { abstract { (1), Again }; }
Start = ( d -> Three ), Three = ( a -> Four ), Four = ( a -> None ), None = ( a -> One ), One = ( a -> Asked ),
Asked = ( a -> Two | d -> Ended ), Two = ( a -> Other ), Ended = ( a -> Four | d -> Ended ),
Other = ( a -> Three | d -> Ended ).
program p, q { specification claim, {(1), (1)}, Start; relation failures; }`
	o := decided(t, c, spec, Options{Loop: Loop{MaxIterations: 30}})
	require.Equal(t, verdict.Conforms, o.Verdict, o.Reason)
}
