package component_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/lts"
)

// courses are specifications with the states that they go through.
var courses = []struct {
	name, spec string
	trace      []string
	want       []string
}{
	{"named states", "A = ( a -> B ),\nB = ( b -> A ).", []string{"a", "b", "b"},
		[]string{"A t.spec:1:1", "B t.spec:2:1", "A t.spec:1:1"}},
	{"STOP is where it was entered", "A = ( a -> STOP | b -> a -> STOP ).", []string{"b", "a", "a"},
		[]string{"A t.spec:1:1", "A after b t.spec:1:24", "STOP t.spec:1:29 ended"}},
	{"a name that is STOP", "A = ( a -> B ),\nB = STOP.", []string{"a", "a"},
		[]string{"A t.spec:1:1", "STOP t.spec:1:12 ended"}},
	{"a choice within", "A = ( a -> ( b -> A | {c, d} -> a -> A ) ).", []string{"a", "d", "a", "b"},
		[]string{"A t.spec:1:1", "A after a t.spec:1:12", "A after a c t.spec:1:33", "A t.spec:1:1"}},
	{"several states at once", "A = ( a -> A | a -> b -> STOP ).", []string{"a", "b", "b"},
		[]string{"A t.spec:1:1", "A t.spec:1:1 | A after a t.spec:1:21", "STOP t.spec:1:26 ended"}},
	{"unobservable steps", "A = ( tau -> B ),\nB = ( a -> STOP ).", []string{"a"},
		[]string{"A t.spec:1:1 | B t.spec:2:1", "STOP t.spec:2:12 ended"}},
	{"composed", "X = ( a -> X ).\nY = ( b -> STOP ).\nA = ( X || Y ).", []string{"b", "b"},
		[]string{"(X,Y) t.spec:3:1", "(X,STOP) t.spec:3:1"}},
	{"renamed", "X = ( a -> STOP ).\nA = ( c -> X ) / { b/a }.", []string{"c", "b"},
		[]string{"A t.spec:2:1", "X t.spec:1:1", "STOP t.spec:1:12 ended"}},
	{"what must not happen", "A = ( a -> A | b -> ERROR ).", []string{"a", "b"},
		[]string{"A t.spec:1:1", "A t.spec:1:1", "ERROR t.spec:1:21"}},
}

func system(t *testing.T, spec string) *component.System {
	t.Helper()
	return bind(t, claim(t, "void f(void) { }", spec+"\nprogram f { specification s, {1}, A; }"), 0)
}

// TestStatesAlong: the states along a trace, and where the text has them.
func TestStatesAlong(t *testing.T) {
	for _, c := range courses {
		t.Run(c.name, func(t *testing.T) {
			s := system(t, c.spec)
			var trace []lts.Action
			for _, a := range c.trace {
				trace = append(trace, s.Spec.Actions().Intern(a))
			}
			var got []string
			for _, states := range s.StatesAlong(trace) {
				text := ""
				for i, st := range states {
					if i > 0 {
						text += " | "
					}
					text += fmt.Sprintf("%s %v", st.Name, st.Pos)
					if st.Ended {
						text += " ended"
					}
				}
				got = append(got, text)
			}
			require.Equal(t, c.want, got)
		})
	}
}

// TestStatesAlongIsMembership: the states go to the end exactly if the trace is one of
// the specification.
func TestStatesAlongIsMembership(t *testing.T) {
	for _, c := range courses {
		s := system(t, c.spec)
		var try func(trace []lts.Action)
		try = func(trace []lts.Action) {
			_, member := lts.Member(s.Spec, trace)
			require.Equal(t, member, len(s.StatesAlong(trace)) == len(trace)+1, "%s: %v", c.name, s.Spec.Actions().Names(trace))
			if len(trace) == 4 {
				return
			}
			for _, a := range s.Spec.Alphabet() {
				try(append(slices.Clone(trace), a))
			}
		}
		try(nil)
	}
}
