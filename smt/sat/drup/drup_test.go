package drup

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/sat"
)

// clause is a clause as DIMACS files write it: variable v is v+1.
func clause(ds ...int) []sat.Lit {
	var c []sat.Lit
	for _, d := range ds {
		c = append(c, sat.MkLit(sat.Var(max(d, -d)-1), d < 0))
	}
	return c
}

func TestCheck(t *testing.T) {
	inputs := [][]sat.Lit{clause(1, 2), clause(1, -2), clause(-1, 3), clause(-1, -3)}
	for _, c := range []struct {
		name string
		then func(l *Log)
		want string
	}{
		{"a proof", func(l *Log) { l.Add(clause(1)); l.Add(nil) }, ""},
		{"the empty clause at once", func(l *Log) { l.Add(nil) }, "step 4"},
		{"a step that does not follow", func(l *Log) { l.Add(clause(4)) }, "step 4"},
		{"a tautology follows", func(l *Log) { l.Add(clause(7, -7)) }, ""},
		{"deleted too early", func(l *Log) { l.Delete(clause(-2, 1)); l.Add(clause(1)) }, "step 5"},
		{"deleted in time", func(l *Log) { l.Add(clause(1)); l.Delete(clause(-2, 1)); l.Add(nil) }, ""},
		{"deleted twice", func(l *Log) { l.Delete(clause(1, 2)); l.Delete(clause(1, 2)) }, "not there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l Log
			for _, in := range inputs {
				l.Input(in)
			}
			c.then(&l)
			err := l.Check()
			if c.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.want)
			}
		})
	}
}

func TestProves(t *testing.T) {
	var l Log
	l.Input(clause(1))
	require.False(t, l.Proves(clause(1)), "inputs are not derived")
	l.Add(clause(1, 2))
	require.True(t, l.Proves(clause(3, 2, 1)))
	require.False(t, l.Proves(clause(1)))
}
