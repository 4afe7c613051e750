package param

import (
	"fmt"
	"slices"
	"strconv"
)

// A Config is a configuration: a number for each name of a model.
type Config []int64

// Holds reports whether a formula is true of a configuration.
func (m *Model) Holds(f Formula, c Config) bool {
	switch f := f.(type) {
	case Compare:
		return f.Op.holds(f.Left.Value(c), f.Right.Value(c))
	case And:
		return !slices.ContainsFunc(f, func(g Formula) bool { return !m.Holds(g, c) })
	case Or:
		return slices.ContainsFunc(f, func(g Formula) bool { return m.Holds(g, c) })
	case Not:
		return !m.Holds(f.F, c)
	case Truth:
		return bool(f)
	case Deadlock:
		for r := range m.Rules {
			if _, ok := m.Fire(r, c); ok {
				return false
			}
		}
		return true
	}
	panic(fmt.Sprintf("param: formula %T", f))
}

// Fire is the configuration after rule r, if it can be taken in c, which stays as it is.
func (m *Model) Fire(r int, c Config) (Config, bool) {
	rule := &m.Rules[r]
	if !m.Holds(rule.Guard, c) {
		return nil, false
	}
	next := slices.Clone(c)
	for _, q := range rule.From {
		if next[q]--; next[q] < 0 {
			return nil, false
		}
	}
	remaining := slices.Clone(next)
	for _, t := range rule.Transfers {
		next[t.From] -= remaining[t.From]
		next[t.To] += remaining[t.From]
	}
	for _, q := range rule.To {
		next[q]++
	}
	for _, u := range rule.Updates {
		next[u.Var] = u.Value.Value(c)
		if !m.inRange(u.Var, next[u.Var]) {
			return nil, false
		}
	}
	return next, true
}

// inRange reports whether a name can have a value.
func (m *Model) inRange(name int, value int64) bool {
	n := m.Names[name]
	switch n.Kind {
	case Range, Bool:
		return n.Lo <= value && value <= n.Hi
	}
	return value >= 0
}

// Initial reports whether a configuration is an initial one.
func (m *Model) Initial(c Config) bool {
	for i := range m.Names {
		if !m.inRange(i, c[i]) {
			return false
		}
	}
	return m.Holds(m.Given, c) && m.Holds(m.Init, c)
}

// A Run is an initial configuration and the rules that are taken from there.
type Run struct {
	Start Config
	Rules []int
}

// Replay executes a run and returns its configurations, the first one being the start; it is an error
// if the start is not initial or a rule cannot be taken.
func (m *Model) Replay(run Run) ([]Config, error) {
	if len(run.Start) != len(m.Names) || !m.Initial(run.Start) {
		return nil, fmt.Errorf("the run does not begin in an initial configuration")
	}
	configs := []Config{run.Start}
	for i, r := range run.Rules {
		next, ok := m.Fire(r, configs[i])
		if !ok {
			return nil, fmt.Errorf("step %d: rule %s cannot be taken", i+1, m.RuleName(r))
		}
		configs = append(configs, next)
	}
	return configs, nil
}

// Processes is how many processes a configuration has.
func (m *Model) Processes(c Config) int64 {
	n := int64(0)
	for _, q := range m.Locals() {
		n += c[q]
	}
	return n
}

func itoa(n int) string { return strconv.Itoa(n) }
