package page

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/report"
)

// What is not allowed is said in one sentence, with what is allowed instead and with which input.
func TestWhy(t *testing.T) {
	x := &report.Counterexample{Trace: []string{"a"}, Steps: []report.Step{{Place: &report.Place{File: "f.c", Line: 7},
		Action: "a", Forbidden: true}}}
	for _, c := range []struct {
		allowed []string
		initial []report.Initial
		want    string
	}{
		{nil, nil, "Line 7 does a, which is not allowed."},
		{[]string{"b"}, nil, "Line 7 does a, which is not allowed there: only b is."},
		{[]string{"b", "c", "d"}, nil, "Line 7 does a, which is not allowed there: only b, c and d are."},
		{[]string{"b", "c", "d", "e", "f", "g"}, nil, "Line 7 does a, which is not allowed there: only b, c, d, e, f and g are."},
		{[]string{"b", "c", "d", "e", "f", "g", "h"}, nil,
			"Line 7 does a, which is not allowed there: only b, c, d, e, f and 2 others are."},
		{[]string{"b"}, []report.Initial{{Name: "n", Value: "0"}, {Name: "p", Value: "&*p"}},
			"Line 7 does a, which is not allowed there: only b is. The run gets there with n = 0."},
	} {
		x.Allowed, x.Initial = c.allowed, c.initial
		require.Equal(t, c.want, why(x))
	}

	// Of threads, what was never assigned and is assigned later says nothing.
	x = &report.Counterexample{Trace: []string{"a"}, Running: []string{"main", "t"}, Steps: []report.Step{
		{Component: "main", Values: []report.Value{{Name: "t", Value: "0", Chosen: "uninitialised"},
			{Name: "n", Value: "3", Chosen: "read"}}},
		{Component: "main", Values: []report.Value{{Name: "t", Value: "2"}}},
		{Component: "t", Place: &report.Place{File: "f.c", Line: 7}, Action: "a", Forbidden: true},
	}}
	require.Equal(t, "Line 7 does a, which is not allowed. The run gets there with n = 3.", why(x))
}
