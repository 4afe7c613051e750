package lts

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadFSM(t *testing.T) {
	tests := []struct{ text, want string }{
		{"lock(2) Bool \"free\" \"held\"\n---\n0\n1\n---\n1 2 \"lock\"\r\n2 1 \"unlock\"\n",
			"alphabet {lock, unlock}\ninit 0:free\n0:free -lock-> 1:held\n1:held -unlock-> 0:free\n"},
		{"b(2) Bool  \"F\" \"T\"\nn(0)\n---\n0 13\n1 7\n---\n1 2 \"tau\"\n2 2 \"a b\"\n---\n2\n",
			"alphabet {a b}\ninit 1:b=T n=7\n0:b=F n=13 -tau-> 1:b=T n=7\n1:b=T n=7 -a b-> 1:b=T n=7\n"},
		{"---\n---\n1 3 \"a\"\n", "alphabet {a}\ninit 0\n0 -a-> 2\n"},
		{"---\n---\n", "alphabet {}\ninit 0\n"},
	}
	for _, test := range tests {
		m, err := ReadFSM(strings.NewReader(test.text), "f.fsm", NewActions(), AutOptions{})
		require.NoError(t, err, test.text)
		require.Equal(t, test.want, m.String())
	}
}

func TestReadFSMErrors(t *testing.T) {
	const parts = "expected parameters, states and transitions, parted by lines of three dashes"
	tests := []struct{ text, want string }{
		{"", "f.fsm:1:1: " + parts},
		{"x(1) T \"a\"\n---\n0\n", "f.fsm:4:1: " + parts},
		{"des (0,0,1)\n---\n", "f.fsm:1:7: expected ')', found ','"},
		{"(2)\n", "f.fsm:1:1: expected a parameter: name(number of values) type \"value\"..."},
		{"x(3) T \"a\" \"b\"\n", "f.fsm:1:1: x has 2 values, not 3"},
		{"x(1) T \"a\n", "f.fsm:1:8: the value's closing quote is missing"},
		{"x(1) T \"a\"\n---\n1\n", "f.fsm:3:1: value 1 of x, which has 0 to 0"},
		{"x(1) T \"a\"\n---\n0 0\n", "f.fsm:3:3: unexpected text at the end of the line"},
		{"x(1) T \"a\"\n---\n0\n---\n1 2 \"a\"\n", "f.fsm:5:3: state 2, but only 1 states"},
		{"---\n---\n0 1 \"a\"\n", "f.fsm:3:1: states count from 1"},
		{"---\n---\n1 2000000000 \"a\"\n", "f.fsm:3:3: state 2000000000, but 0 transitions so far"},
		{"---\n---\n1 1 a\n", "f.fsm:3:5: expected a label in double quotes, found 'a'"},
		{"---\n---\n1 2 [1/2] 1 \"a\"\n", "f.fsm:3:5: distributions over targets are not read"},
		{"---\n---\n1 1 \"a\"\n---\n2\n", "f.fsm:5:1: initial state 2; there are 1 to 1"},
		{"---\n---\n1 1 \"a\"\n---\n1\n1\n", "f.fsm:6:1: unexpected text behind the initial state"},
	}
	for _, test := range tests {
		_, err := ReadFSM(strings.NewReader(test.text), "f.fsm", NewActions(), AutOptions{})
		require.EqualError(t, err, test.want, test.text)
	}
}

// What is written and read again is the same up to the numbers of states: strongly bisimilar, with as many states
// and transitions.
func TestFSMRoundTrip(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		table := NewActions()
		var actions []Action
		for _, name := range []string{"a", "i", "a,b", " x ", "ä", "c(1, 2)"} {
			actions = append(actions, table.Intern(name))
		}
		m := randomLTS(r, table, actions, 6, true, false)
		var first bytes.Buffer
		require.NoError(t, WriteFSM(&first, m))
		got, err := ReadFSM(bytes.NewReader(first.Bytes()), "f.fsm", table, AutOptions{})
		require.NoError(t, err, first.String())
		require.Equal(t, m.NumStates(), got.NumStates())
		require.Equal(t, m.NumEdges(), got.NumEdges())
		c, err := Compare(t.Context(), m, got, StrongBisim, Limits{})
		require.NoError(t, err)
		require.True(t, c.Holds, first.String())
	}
}

func TestWriteFSM(t *testing.T) {
	table := NewActions()
	b := NewBuilder(table)
	b.AddState(`say "x"`)
	b.AddState("")
	b.AddEdge(1, table.Intern("a"), 0)
	b.SetInit(1)
	var out bytes.Buffer
	require.NoError(t, WriteFSM(&out, b.Build()))
	require.Equal(t, "state(2) State \"1\" \"say 'x'\"\n---\n0\n1\n---\n1 2 \"a\"\n", out.String())
	b.AddState("")
	b.AddEdge(0, table.Intern(`"`), 0)
	require.EqualError(t, WriteFSM(&out, b.Build()),
		`the form .fsm has no quotes and no ends of lines in labels: "\""`)
}

func FuzzReadFSM(f *testing.F) {
	f.Add("x(2) T \"a\" \"b\"\n---\n0\n1\n---\n1 2 \"l\"\n---\n1\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ReadFSM(strings.NewReader(text), "f.fsm", NewActions(), AutOptions{})
		if err == nil {
			require.NotEmpty(t, m.String())
		}
	})
}
