package lts

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestReadAut(t *testing.T) {
	const text = "des (1,4,3)\r\n" +
		"  (0, \"a\", 1)  \r\n\r\n" +
		"(1,tau,2)\r\n" +
		"( 1 , call(x, 1) , 2 )\r\n" +
		`(2,"say \"hi\", \\o/\n \x",0)`
	m, err := ReadAut(strings.NewReader(text), "f.aut", NewActions(), AutOptions{})
	require.NoError(t, err)
	require.Equal(t, `alphabet {a, call(x, 1), say "hi", \o/
 \x}
init 1
0 -a-> 1
1 -tau-> 2
1 -call(x, 1)-> 2
2 -say "hi", \o/
 \x-> 0
`, m.String())
}

func TestReadAutTau(t *testing.T) {
	const text = "des (0,3,2)\n(0,i,1)\n(0,tau,1)\n(1,\"i\",0)\n"
	tests := []struct {
		tau  []string
		want string
	}{
		{nil, "alphabet {i}\ninit 0\n0 -tau-> 1\n0 -i-> 1\n1 -i-> 0\n"},
		{[]string{"i", "tau"}, "alphabet {}\ninit 0\n0 -tau-> 1\n1 -tau-> 0\n"},
	}
	for _, test := range tests {
		m, err := ReadAut(strings.NewReader(text), "f.aut", NewActions(), AutOptions{Tau: test.tau})
		require.NoError(t, err)
		require.Equal(t, test.want, m.String())
	}
}

func TestReadAutErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "f.aut:1:1: empty file, expected des (initial state, transitions, states)"},
		{"\n \n", "f.aut:3:1: empty file, expected des (initial state, transitions, states)"},
		{"hello", "f.aut:1:1: expected des (initial state, transitions, states)"},
		{"des 0,0,1)", "f.aut:1:5: expected '(', found '0'"},
		{"des (0,0,)", "f.aut:1:10: expected a number, found ')'"},
		{"des (0,0,1", "f.aut:1:11: expected ')', found the end of the line"},
		{"des (0,0,1) x", "f.aut:1:13: unexpected text at the end of the line"},
		{"des (0,0,0)", "f.aut:1:10: an LTS has at least one state"},
		{"des (1,0,1)", "f.aut:1:6: initial state 1, but only 1 states"},
		{"des (0,0,99999999999999999999)", "f.aut:1:10: number too large (the limit is 2147483647)"},
		{"des (0,3,2000000)", "f.aut:1:10: 2000000 states, but 3 transitions can mention at most 7"},
		{"des (0,2,2)\n(0,a,1)\n", "f.aut:1:1: the header announces 2 transitions, the file has 1"},
		{"des (0,1,2)\n(0,a,1)\n(1,a,0)\n", "f.aut:3:1: more than the 1 transitions of the header"},
		{"des (0,1,2)\n(0,a,2)\n", "f.aut:2:6: state 2, but only 2 states"},
		{"des (0,1,2)\n(0,\"a,1)\n", "f.aut:2:4: the label's closing quote is missing"},
		{"des (0,1,2)\n(0,\"a\"1)\n", "f.aut:2:7: expected ',', found '1'"},
		{"des (0,1,2)\n(0,,1)\n", "f.aut:2:4: expected a label, found ','"},
		{"des (0,1,2)\n(0,1)\n", "f.aut:2:4: expected a label, a comma and a state"},
		{"des (0,1,2)\n(0,a\xff,1)\n", "f.aut:2:5: not UTF-8"},
		{"des (0,1,2)\n(0," + strings.Repeat("a", 2*maxLine) + ",1)", "f.aut:2:1: line longer than 1048576 bytes"},
	}
	for _, test := range tests {
		_, err := ReadAut(strings.NewReader(test.text), "f.aut", NewActions(), AutOptions{})
		var syntax *SyntaxError
		require.ErrorAs(t, err, &syntax)
		require.EqualError(t, err, test.want)
	}
}

func TestReadAutLongLabel(t *testing.T) {
	label := strings.Repeat("a", maxLine-100)
	m, err := ReadAut(strings.NewReader("des (0,1,2)\n(0,"+label+",1)"), "f.aut", NewActions(), AutOptions{})
	require.NoError(t, err)
	require.Equal(t, label, m.Actions().Name(m.Alphabet()[0]))
}

func TestReadAutPassesReadErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	r := io.MultiReader(strings.NewReader("des (0,1,2)\n"), iotest.ErrReader(broken))
	_, err := ReadAut(r, "f.aut", NewActions(), AutOptions{})
	require.ErrorIs(t, err, broken)
	require.EqualError(t, err, "f.aut: disk on fire")
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteAutPassesWriteErrors(t *testing.T) {
	require.ErrorIs(t, WriteAut(brokenWriter{}, parse(NewActions(), "p -a-> p")), io.ErrClosedPipe)
}

func TestAutRoundTrip(t *testing.T) {
	names := []string{"a", "i", `"`, `\`, `\n`, "\n", "\r", "a,b", ` x `, ")", `"q"`, "ä", "\\\"", ""}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 3))
		table := NewActions()
		var actions []Action
		for _, name := range names {
			actions = append(actions, table.Intern(name))
		}
		m := randomLTS(r, table, actions, 6, true, false)
		requireRoundTrip(t, m)
	}
}

// requireRoundTrip writes and reads m, and compares everything the format can express.
func requireRoundTrip(t *testing.T, m *LTS) {
	var first, second bytes.Buffer
	require.NoError(t, WriteAut(&first, m))
	read, err := ReadAut(bytes.NewReader(first.Bytes()), "f.aut", m.Actions(), AutOptions{})
	require.NoError(t, err, first.String())
	require.Equal(t, m.Init(), read.Init())
	require.Equal(t, m.NumStates(), read.NumStates())
	for s := range State(m.NumStates()) {
		require.Equal(t, m.Out(s), read.Out(s))
	}
	require.NoError(t, WriteAut(&second, read))
	require.Equal(t, first.String(), second.String())
}

func FuzzReadAut(f *testing.F) {
	f.Add("des (0,2,2)\n(0,\"lock\",1)\n(1,unlock(x,1),0)\n")
	f.Add("des (1,1,3)\r\n(0,tau,1)\r\n")
	f.Add("des (0,1,1)\n(0,\"\\\"\\\\\\n\\r\\x\",0)")
	f.Add("des (0,0,70000)")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ReadAut(strings.NewReader(text), "f.aut", NewActions(), AutOptions{})
		if err != nil {
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			lines := strings.Split(text, "\n")
			require.LessOrEqual(t, syntax.Line, len(lines)+1)
			if syntax.Line <= len(lines) {
				require.LessOrEqual(t, syntax.Column, len(lines[syntax.Line-1])+1)
			}
			return
		}
		requireRoundTrip(t, m)
	})
}
