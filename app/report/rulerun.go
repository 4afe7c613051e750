package report

import (
	"slices"
	"strconv"
	"strings"

	"magus/specs"
)

// The run that breaks a rule, as its reader sees it: the rule's states by their names, the event that it forbids where
// the run ends, and nothing of what only the model has.

// OfRule makes a claim one about a rule.
func (c *Claim) OfRule(r *specs.Rule) {
	c.Rule = r.Name
	x := c.Counterexample
	if x == nil {
		return
	}
	x.Specification, x.Allowed = nil, []string{}
	var states []string
	for _, s := range r.Flat() {
		states = append(states, s.String())
	}
	for i := range x.Steps {
		x.Steps[i].Values = ruleValues(x.Steps[i].Values, r.Name, states)
	}
	x.forbid(r)
	x.Actions = []string{}
	for _, s := range x.Steps {
		if s.Action != "" {
			x.Actions = append(x.Actions, s.Action)
		}
	}
	x.Trace = slices.Clone(x.Actions)
}

// forbid marks the event that the rule forbids: the one that stands where the run ends, or what is done with memory.
func (x *Counterexample) forbid(r *specs.Rule) {
	n := len(x.Steps) - 1
	if n < 0 {
		return
	}
	last := &x.Steps[n] // performs the action error
	last.Action, last.Forbidden = "", false
	for i := n - 1; i >= 0; i-- {
		s := &x.Steps[i]
		if s.Action == "" {
			continue
		}
		if s.Place != nil && last.Place != nil && *s.Place == *last.Place {
			s.Forbidden = true
			return
		}
		break
	}
	event := specs.Leaks
	if slices.Contains(r.Forbidden, specs.Uses) {
		event = specs.Uses
	}
	last.Action, last.Forbidden = EventText(event), true
}

// ruleValues are the values of a step without those that only the model has; states are the rule's by their numbers.
func ruleValues(values []Value, rule string, states []string) []Value {
	name := func(number string) string {
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < len(states) {
			return states[n]
		}
		return number
	}
	kept := []Value{}
	for _, v := range values {
		if v.Made && v.Name == "state of "+rule {
			v.Value = name(v.Value)
			if v.Before != "" {
				v.Before = name(v.Before)
			}
		}
		if !v.ofModel() {
			kept = append(kept, v)
		}
	}
	return kept
}

// ofModel reports whether a value means nothing to who reads the source: copies of arguments, choices that the model
// makes, and whether memory is still there.
func (v *Value) ofModel() bool {
	return v.Made && slices.Contains([]string{"argument", "same object", "found", "allocated"}, v.Name) ||
		strings.HasSuffix(v.Name, ".live") && strings.ContainsAny(v.Name, "@*")
}
