package certificate

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/lts"
)

// ring is an LTS whose states are in a row, going back to the first.
func ring(t *lts.Actions, names ...string) *lts.LTS {
	b := lts.NewBuilder(t)
	b.AddStates(len(names))
	for i, name := range names {
		b.AddEdge(lts.State(i), t.Intern(name), lts.State((i+1)%len(names)))
	}
	return b.Build()
}

// TestSets: what shows that any number of workers with a lock enter one by one, and
// what does not.
func TestSets(t *testing.T) {
	table := lts.NewActions()
	models := []*lts.LTS{ring(table, "enter", "leave"), ring(table, "enter", "leave")}
	spec := ring(table, "enter", "leave")
	const all = Unbounded
	right := func() []Set {
		return []Set{
			{Counts: [][]Count{{{0, all}}, {{0, 1}}}, Spec: []int{0}},
			{Counts: [][]Count{{{0, all}, {1, 1}}, {{1, 1}}}, Spec: []int{1}},
		}
	}
	for _, c := range []struct {
		name   string
		copies []int
		spoil  func(s []Set) []Set
		want   string // "" if they hold
	}{
		{"as they are", []int{all, 1}, func(s []Set) []Set { return s }, ""},
		{"three workers", []int{3, 1}, func(s []Set) []Set { return s }, ""},
		{"two locks", []int{all, 2}, func(s []Set) []Set { return s }, "no set has the copies in their initial states"},
		{"no sets", []int{all, 1}, func([]Set) []Set { return nil }, "no set has the copies in their initial states"},
		{"a set is missing", []int{all, 1}, func(s []Set) []Set { return s[:1] }, "no set has what enter leads to"},
		{"fewer workers", []int{all, 1}, func(s []Set) []Set { s[0].Counts[0][0].Copies = 7; return s },
			"no set has the copies in their initial states"},
		{"fewer workers, as many as there are", []int{7, 1}, func(s []Set) []Set {
			s[0].Counts[0][0].Copies, s[1].Counts[0][0].Copies = 7, 6
			return s
		}, ""},
		{"none inside", []int{all, 1}, func(s []Set) []Set { s[1].Counts[0] = s[1].Counts[0][:1]; return s },
			"no set has what enter leads to"},
		{"more inside than there are", []int{all, 1}, func(s []Set) []Set { s[1].Counts[0][1].Copies = 2; return s },
			"no set has what leave leads to"},
		{"any number inside", []int{all, 1}, func(s []Set) []Set {
			s[0].Counts[0] = append(s[0].Counts[0], Count{1, all})
			s[1].Counts[0][1].Copies = all
			return s
		}, ""},
		{"another state of the specification", []int{all, 1}, func(s []Set) []Set { s[1].Spec = []int{0}; return s },
			"no set has what enter leads to"},
		{"more states of the specification than are known", []int{all, 1},
			func(s []Set) []Set { s[0].Spec = []int{0, 1}; return s }, "no set has the copies in their initial states"},
		{"none", []int{all, 1}, func(s []Set) []Set { s[1].Spec = nil; return s }, "the specification has no state here"},
		{"no state of the specification", []int{all, 1}, func(s []Set) []Set { s[1].Spec = []int{2}; return s },
			"the specification has no state 2"},
		{"no state of the component", []int{all, 1}, func(s []Set) []Set { s[1].Counts[0][1].State = 2; return s },
			"which has 2 states"},
		{"no number", []int{all, 1}, func(s []Set) []Set { s[1].Counts[0][1].Copies = -2; return s }, "-2 copies in state 1"},
		{"a state twice", []int{all, 1},
			func(s []Set) []Set { s[1].Counts[0] = append(s[1].Counts[0], Count{1, all}); return s },
			"state 1 of component 1 twice"},
		{"another number of components", []int{all, 1}, func(s []Set) []Set { s[0].Counts = s[0].Counts[:1]; return s },
			"copies of 1 components, the claim has 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sets := Sets{List: c.spoil(right())}
			err := sets.Check(context.Background(), models, c.copies, spec)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
			var no *RefutedError
			require.ErrorAs(t, err, &no)
		})
	}
	// Without a lock no sets hold.
	free := models[:1]
	anywhere := [][]Count{{{0, all}, {1, all}}}
	sets := Sets{List: []Set{{Counts: anywhere, Spec: []int{0}}, {Counts: anywhere, Spec: []int{1}}}}
	require.ErrorContains(t, sets.Check(context.Background(), free, []int{all}, spec), "does not allow leave")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	sets.List = right()
	require.ErrorIs(t, sets.Check(ctx, models, []int{all, 1}, spec), context.Canceled)
}

// TestSetsWithError: a specification with ERROR is followed in all states that it
// can be in.
func TestSetsWithError(t *testing.T) {
	table := lts.NewActions()
	worker := ring(table, "enter", "leave")
	lock := ring(table, "enter", "leave")
	b := lts.NewBuilder(table)
	b.AddStates(3)
	enter, leave := table.Intern("enter"), table.Intern("leave")
	b.AddEdge(0, enter, 1)
	b.AddEdge(1, leave, 0)
	b.AddEdge(1, enter, 2)
	b.SetError(2)
	spec := b.Build()
	for _, c := range []struct {
		spec []int // in the second set
		want string
	}{
		{[]int{1}, ""},
		{[]int{0, 1}, ""}, // more than it can be in
		{[]int{1, 2}, "in an ERROR state here"},
		{[]int{0}, "no set has what enter leads to"},
	} {
		t.Run(fmt.Sprint(c.spec), func(t *testing.T) {
			sets := Sets{List: []Set{
				{Counts: [][]Count{{{0, Unbounded}}, {{0, 1}}}, Spec: []int{0}},
				{Counts: [][]Count{{{0, Unbounded}, {1, 1}}, {{1, 1}}}, Spec: c.spec},
			}}
			err := sets.Check(context.Background(), []*lts.LTS{worker, lock}, []int{Unbounded, 1}, spec)
			if c.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.want)
			}
		})
	}
	sets := Sets{List: []Set{{Counts: [][]Count{{{0, Unbounded}, {1, Unbounded}}}, Spec: []int{0, 1}}}}
	require.ErrorContains(t, sets.Check(context.Background(), []*lts.LTS{worker}, []int{Unbounded}, spec),
		"no set has what enter leads to")
}
