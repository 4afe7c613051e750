package coverage

// What makes a proof doubtful.

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/phrase"
	"magus/lts"
)

// Doubts are why the proof of a claim may be about less than it seems, those about
// the claim first. checked says that errors are looked for which no text mentions.
func Doubts(claim *component.Claim, spec *lts.LTS, graphs []*component.Graph, cs []*verdict.Coverage,
	checked bool) []verdict.Doubt {
	doubts := unobserved(claim, spec, graphs, checked)
	for i, c := range cs {
		doubts = append(doubts, stopped(c)...)
		doubts = append(doubts, Unset(graphs[i].Comp.CFA)...)
	}
	return doubts
}

// Refuse makes a proof unknown about which there are doubts.
func Refuse(o *verdict.Outcome) {
	if o.Verdict == verdict.Conforms && len(o.Doubts) > 0 {
		d := o.Doubts[0]
		o.Verdict, o.Reason = verdict.Unknown, verdict.Reason{Kind: verdict.Vacuous, Place: d.Pos,
			Text: fmt.Sprintf("proved, but of little: %s", d.Text)}
	}
}

// Names are the doubts about what a claim mentions, whatever its verdict.
func Names(claim *component.Claim, spec *lts.LTS, graphs []*component.Graph, checked bool) []verdict.Doubt {
	return unobserved(claim, spec, graphs, checked)
}

// stopped are the doubts about a component that does not get far, or not everywhere: what keeps
// it from its end, or from most of itself; calls that do not come back; pointers that are never valid.
func stopped(c *verdict.Coverage) (doubts []verdict.Doubt) {
	lost, all := c.Lost(), len(c.Statements)
	var told cfa.Blocker
	switch {
	case c.EndLost.Kind != "":
		told = c.EndLost
		doubts = append(doubts, verdict.Doubt{Kind: verdict.NoEnd, Pos: told.Pos,
			Text: fmt.Sprintf("no run gets to the end of %s: %v", c.Component, told)})
	case 2*lost > all:
		told = worst(c)
		doubts = append(doubts, verdict.Doubt{Kind: verdict.Little, Pos: told.Pos,
			Text: fmt.Sprintf("most of %s is never reached: %v", c.Component, told)})
	}
	for _, e := range c.Endless {
		doubts = append(doubts, verdict.Doubt{Kind: verdict.NeverBack, Pos: e.Pos,
			Text: fmt.Sprintf("no run comes back from this call of %s, which loops for ever: %s never reached",
				e.Callee, behind(e.Behind))})
	}
	return append(doubts, invalid(c, told)...)
}

// invalid are the doubts about pointers and indices that are never valid though runs come to where
// they are used, but for the one that was told.
func invalid(c *verdict.Coverage, told cfa.Blocker) (doubts []verdict.Doubt) {
	count := map[cfa.Blocker]int{}
	var met []cfa.Blocker
	for _, st := range c.Statements {
		if o := st.Because; st.Lost && o.Kind == cfa.NeverValid && o != told {
			if count[o]++; count[o] == 1 {
				met = append(met, o)
			}
		}
	}
	for _, o := range met {
		doubts = append(doubts, verdict.Doubt{Kind: verdict.Invalid, Pos: o.Pos,
			Text: fmt.Sprintf("%v: %s never reached", o, behind(count[o]))})
	}
	return doubts
}

// behind says how many statements there are behind something.
func behind(n int) string {
	if n == 1 {
		return "1 statement behind it is"
	}
	return fmt.Sprintf("%d statements behind it are", n)
}

// worst is the stop that most statements are behind; the first one of several.
func worst(c *verdict.Coverage) cfa.Blocker {
	count := map[cfa.Blocker]int{}
	var best cfa.Blocker
	for _, st := range c.Statements {
		if st.Lost {
			count[st.Because]++
		}
	}
	for _, st := range c.Statements {
		if st.Lost && count[st.Because] > count[best] {
			best = st.Because
		}
	}
	return best
}

// unobserved are the doubts about the actions that a claim mentions.
func unobserved(claim *component.Claim, spec *lts.LTS, graphs []*component.Graph, checked bool) []verdict.Doubt {
	var names []string
	errors := checked
	for _, g := range graphs {
		errors = errors || g.Comp.CFA.Errors
		names = append(names, spec.Actions().Names(g.Alphabet())...)
	}
	if claim.Specification == "" {
		if errors || claim.Question != component.NoError || claim.IsJoint() {
			return nil
		}
		return []verdict.Doubt{{Kind: verdict.Unobserved, Pos: claim.Pos,
			Text: fmt.Sprintf(
				"nothing in %s, or in what it calls, performs error; --error-function and --error-label say what does",
				phrase.Few(claim.Procedures, 4))}}
	}
	doubts, observes := Unperformed(claim, spec, names, errors)
	if !observes {
		return doubts
	}
	return append(otherReturns(claim, spec, graphs), doubts...)
}

// Unperformed are the doubts about the actions of a specification that nothing performs, from the names of those that
// the program may perform, and whether it may perform errors; observes says that it may perform some.
func Unperformed(claim *component.Claim, spec *lts.LTS, names []string, errors bool) (doubts []verdict.Doubt,
	observes bool) {
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	var strange []string
	names = slices.DeleteFunc(names, component.IsSaid)
	for _, a := range spec.Alphabet() {
		name := spec.Actions().Name(a)
		if component.IsSaid(name) {
			continue
		}
		_, performed := slices.BinarySearch(names, name)
		switch {
		case performed || name == cfa.ErrorAction && errors || strings.Contains(name, "return{"):
			observes = true
		default:
			strange = append(strange, name)
		}
	}
	slices.Sort(strange)
	if !observes {
		return []verdict.Doubt{{Kind: verdict.Unobserved, Pos: claim.Pos,
			Text: fmt.Sprintf("the claim observes nothing that %s does: its actions are %s%s",
				phrase.Few(claim.Procedures, 4), phrase.Few(strange, 6), meant(strange, names))}}, false
	}
	for _, name := range strange {
		doubts = append(doubts, verdict.Doubt{Kind: verdict.NoAction, Pos: claim.Pos,
			Text: fmt.Sprintf("the claim mentions %s, which no component performs%s", name, phrase.Suggest(name, names))})
	}
	return doubts, true
}

// otherReturns are the doubts about return actions that a component cannot perform,
// because it returns no value.
func otherReturns(claim *component.Claim, spec *lts.LTS, graphs []*component.Graph) []verdict.Doubt {
	var doubts []verdict.Doubt
	for _, g := range graphs {
		c := g.Comp
		if c.CFA.Joint != nil { // its parts return, not it
			continue
		}
		for _, m := range claim.Mentions(spec, c.Name) {
			if m.HasValue() && c.CFA.Ret.IsBool() {
				doubts = append(doubts, verdict.Doubt{Kind: verdict.NoAction, Pos: cfa.Pos(m.Pos),
					Text: fmt.Sprintf("%s returns no number, so that %s never happens; its return is return {}", c.Name, m.Name())})
			}
		}
	}
	return doubts
}

// meant suggests what the first action may have been that has a suggestion.
func meant(strange, names []string) string {
	for _, name := range strange {
		if s := phrase.Suggest(name, names); s != "" {
			return s
		}
	}
	return ""
}

// Unset are the doubts about globals that nobody sets.
func Unset(c *cfa.CFA) []verdict.Doubt {
	var doubts []verdict.Doubt
	for _, u := range c.Unset {
		zero, them := u.Globals[0]+" is zero throughout", "it"
		if len(u.Globals) > 1 {
			zero, them = phrase.Few(u.Globals, 6)+" are zero throughout", "them"
		}
		doubts = append(doubts, verdict.Doubt{Kind: verdict.NotSet, Pos: u.Pos,
			Text: fmt.Sprintf("%s: %s, which sets %s, is never called", zero, u.Setter, them)})
	}
	return doubts
}
