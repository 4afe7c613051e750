package paramtest

import (
	"fmt"
	"slices"

	"magus/param"
)

// Reach explores a model from all initial configurations in which no name is larger than most, through
// configurations in which none is larger than limit, and returns a run to a bad configuration of a
// property, if there is one.
func Reach(m *param.Model, property int, most, limit int64) (param.Run, bool) {
	type found struct {
		config param.Config
		from   int
		rule   int
	}
	var all []found
	known := map[string]bool{}
	add := func(f found) bool {
		key := fmt.Sprint(f.config)
		if known[key] || slices.Max(f.config) > limit {
			return false
		}
		known[key] = true
		all = append(all, f)
		return m.Holds(m.Bad[property].Formula, f.config)
	}
	run := func(at int) (param.Run, bool) {
		var rules []int
		for ; all[at].from >= 0; at = all[at].from {
			rules = append(rules, all[at].rule)
		}
		slices.Reverse(rules)
		return param.Run{Start: all[at].config, Rules: rules}, true
	}
	for c := range configs(m, most) {
		if m.Initial(c) && add(found{slices.Clone(c), -1, 0}) {
			return run(len(all) - 1)
		}
	}
	for i := 0; i < len(all) && i < 20000; i++ {
		for r := range m.Rules {
			if next, ok := m.Fire(r, all[i].config); ok && add(found{next, i, r}) {
				return run(len(all) - 1)
			}
		}
	}
	return param.Run{}, false
}

// configs goes through all configurations with values up to most.
func configs(m *param.Model, most int64) func(yield func(param.Config) bool) {
	return func(yield func(param.Config) bool) {
		c := make(param.Config, len(m.Names))
		var set func(i int) bool
		set = func(i int) bool {
			if i == len(c) {
				return yield(c)
			}
			high := most
			if n := m.Names[i]; n.Kind == param.Bool || n.Kind == param.Range {
				high = n.Hi
			}
			for v := int64(0); v <= high; v++ {
				if c[i] = v; !set(i + 1) {
					return false
				}
			}
			return true
		}
		set(0)
	}
}
