package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is assumed of several routines in the same words is one line; other words, other files and other assumptions
// have lines of their own.
func TestAssumedLines(t *testing.T) {
	const same = " is assumed to do what its abstraction says and to change nothing that it cannot reach"
	at := func(file string, line int, text string) Assumed {
		return Assumed{text, []*Place{{File: file, Line: line, Column: 1}}}
	}
	require.Equal(t, []string{
		"a.spec:1:1: unlock, lock and take are assumed to do what their abstractions say and to change nothing that they cannot reach",
		"a.c:9:1: g returns any value",
		"a.spec:4:1: put is assumed to do what its abstraction says and to write nothing but *1",
		"b.spec:1:1: lock is assumed to do what its abstraction says and to change nothing that it cannot reach",
		"by hand (and at 1 place more)",
	}, assumedLines([]Assumed{
		at("a.spec", 1, "unlock"+same),
		at("a.c", 9, "g returns any value"),
		at("a.spec", 2, "lock"+same),
		at("a.spec", 3, "take"+same),
		at("a.spec", 4, "put is assumed to do what its abstraction says and to write nothing but *1"),
		at("b.spec", 1, "lock"+same),
		{"by hand", []*Place{nil, nil}},
	}))
}

// A pointer from outside that leads to an object of its own is told in words.
func TestInitialIsSaid(t *testing.T) {
	require.Equal(t, "n = 0", (&Initial{Name: "n", Value: "0"}).Said())
	require.Equal(t, "p = &*q", (&Initial{Name: "p", Value: "&*q"}).Said())
	require.Equal(t, "p points to an object of its own", (&Initial{Name: "p", Value: "&*p"}).Said())
}
