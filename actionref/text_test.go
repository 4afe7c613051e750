package actionref

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/lts"
)

func TestString(t *testing.T) {
	m := parse(t, "0 -a-> 1; 1 -b-> 2; 0 -c-> 3; 3 -b-> 4; 4 -d-> 4")
	require.Equal(t, `0 = {0}
1 = {1, 3}
2 = {2}
3 = {4}
alphabet {a, b, c, d}
init 0
0 -a-> 1
0 -c-> 1
1 -b-> 2
1 -b-> 3
3 -d-> 3
`, weak(t, m).String())
}

func TestDot(t *testing.T) {
	table := lts.NewActions()
	b := lts.NewBuilder(table)
	b.AddStates(30)
	for s := range lts.State(30) {
		b.AddEdge(s, table.Intern("a"), (s+1)%30)
	}
	text := weak(t, b.Build()).Dot()
	require.Contains(t, text, `11\land 18 more\l`)
	text = weak(t, parse(t, "0 -a-> 1; 1 -b-> 2")).Dot()
	require.Contains(t, text, `label="1\l1\l"`)
	require.Equal(t, 3, strings.Count(text, "->"))
}
