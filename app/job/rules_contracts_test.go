package job

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
)

// TestContractsRestOnEachOther: what is left are contracts that are proved by those that are left, also where a proof
// rests on one through a body that it asked for.
func TestContractsRestOnEachOther(t *testing.T) {
	leads := map[string][]string{"g": {"f", "h"}, "f": {"h"}, "h": nil, "r": nil}
	begin := map[string][]int{"g": {0}, "f": {0}, "h": {0}, "r": {0}, "s": {0, 1}}
	keeps := magus.Contract{0: {0}}
	for name, c := range map[string]struct {
		order []string
		// states of a procedure, by the contracts that there are
		states func(name string, within contracts) magus.Contract
		want   map[string]magus.Contract
	}{
		"all": {[]string{"h", "f", "g"}, func(string, contracts) magus.Contract { return keeps },
			map[string]magus.Contract{"h": keeps, "f": keeps, "g": keeps}},
		"one that an inlined body calls": {[]string{"g", "h", "f"}, func(name string, within contracts) magus.Contract {
			switch {
			case name == "h", name == "g" && within["h"] == nil:
				return nil
			}
			return keeps
		}, map[string]magus.Contract{"f": keeps}},
		"its own, which says less": {[]string{"r"}, func(_ string, within contracts) magus.Contract {
			if len(within["r"].states[0]) == 1 {
				return magus.Contract{0: {0, 1}}
			}
			return nil // not by that
		}, map[string]magus.Contract{}},
		"its own in another state": {[]string{"s", "f"}, func(name string, within contracts) magus.Contract {
			switch {
			case name == "s" && len(within["s"].states) == 2:
				return magus.Contract{0: {0, 1}, 1: {1}}
			case name == "s": // not without its own in state 1
				return nil
			}
			return keeps
		}, map[string]magus.Contract{"s": {0: {0, 1}, 1: {1}}, "f": keeps}},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := keepFirst(c.order, begin, func(name string) []string { return leads[name] },
				func(name string, within contracts) (*callee, error) {
					return &callee{states: c.states(name, within)}, nil
				})
			require.NoError(t, err)
			require.Equal(t, slices.Sorted(maps.Keys(c.want)), slices.Sorted(maps.Keys(found)))
			for name, want := range c.want {
				require.Equal(t, want, found[name].states)
			}
		})
	}
}

// TestLimitsCostOnce: what leads to a procedure that a limit has ended is not looked at alone.
func TestLimitsCostOnce(t *testing.T) {
	leads := map[string][]string{"top": {"slow", "middle"}, "middle": {"slow"}, "slow": {"quick"}, "other": {"quick"}}
	var looked []string
	find := callersToo(func(name string) []string { return leads[name] },
		func(name string, _ contracts) (*callee, error) {
			looked = append(looked, name)
			return &callee{ended: name == "slow", whole: true, states: magus.Contract{0: {0}}}, nil
		})
	without := []string{}
	for _, name := range []string{"quick", "slow", "middle", "top", "other"} {
		c, err := find(name, nil)
		require.NoError(t, err)
		if len(c.states) == 0 {
			without = append(without, name)
		}
	}
	require.Equal(t, []string{"quick", "slow", "other"}, looked)
	require.Equal(t, []string{"middle", "top"}, without)
}
