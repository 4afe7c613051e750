package cegar

// What an outcome says besides its verdict.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/predabs"
)

// described are the final abstractions and the figures. Components that could
// not be bound have none.
func (s *state) described() *verdict.Loop {
	l := &verdict.Loop{Stats: s.stats, Bounded: s.bounded, Accelerated: s.accelerated, Induction: s.induced != nil,
		Summaries: s.summary != nil && s.summary.contracts == nil,
		Contracts: s.summary != nil && s.summary.contracts != nil,
		Executed:  s.ran(),
		Depth:     s.unrolled, Components: make([]verdict.Abstraction, len(s.claim.Procedures))}
	if s.induced != nil {
		l.Assumed = s.induced.K
	}
	if s.checked.reduction != nil {
		l.Stats.Parts = len(s.checked.reduction.Operands)
	}
	operand := 0
	for i, c := range s.comps {
		l.Components[i] = c.described()
		l.Components[i].Copies = s.claim.CopiesOf(i)
		if s.checked.bounds != nil {
			l.Components[i].CountedTo = int(slices.Max(s.checked.bounds[i]))
		}
		if s.checked.reduction != nil {
			l.Components[i].ReducedStates = s.checked.reduction.After[operand]
			operand += s.claim.CopiesOf(i)
		}
		l.Stats.Candidates += len(c.abs.Candidates)
		l.Stats.SolverQueries += c.abs.Queries
		paths, bytes := c.abs.PathMemory()
		l.Stats.Paths, l.Stats.PathBytes = l.Stats.Paths+paths, l.Stats.PathBytes+bytes
	}
	return l
}

func (c *model) described() verdict.Abstraction {
	a := verdict.Abstraction{Locations: len(c.CFA.Locs)}
	for _, i := range c.set {
		a.Predicates = append(a.Predicates, predicate(c.abs.Candidates[i]))
	}
	es := c.abs.Expressions(c.set)
	a.Expressions, a.Groups = len(es), predabs.Groups(es)
	if c.mp != nil {
		a.MPStates = c.mp.LTS.NumStates()
	}
	if c.ma != nil {
		a.MAStates = c.ma.NumBlocks()
	}
	return a
}

func predicate(c *predabs.Candidate) verdict.Predicate {
	return verdict.Predicate{Text: c.String(), Conditions: c.Conditions(), Pos: c.Pos, Origin: c.Origin}
}

// assumptions are what the lowering assumed and the abstractions of routines, in
// source order, and then what people assumed by hand.
func (s *question) assumptions() []cfa.Warning {
	var comps []*component.Component
	for _, c := range s.comps {
		comps = append(comps, c.Component)
	}
	return Assumptions(s.claim, comps)
}

// Assumptions are those of a claim about components.
func Assumptions(claim *component.Claim, comps []*component.Component) []cfa.Warning {
	var all []cfa.Warning
	for _, c := range comps {
		all = append(all, c.CFA.Warnings...)
		all = append(all, c.Remarks...)
		for _, r := range c.Routines {
			text := r.Name + " is assumed to do what its abstraction says and to change nothing that it cannot reach"
			if r.Frame != "" {
				text = r.Name + " is assumed to do what its abstraction says and to write nothing but " + r.Frame
				text = strings.Replace(text, "nothing but nothing", "nothing", 1)
			}
			if r.HasBody {
				text = r.Name + " is assumed to do what its abstraction says, which is a claim of its own"
			}
			if r.Stops {
				text += "; where that stops, it never returns"
			}
			all = append(all, cfa.Warning{Pos: r.Pos, Text: text, Kind: cfa.AboutAbstraction})
		}
	}
	slices.SortStableFunc(all, func(a, b cfa.Warning) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Text, b.Text))
	})
	all = slices.Compact(all)
	for _, a := range claim.Assumed {
		all = append(all, cfa.Warning{Text: fmt.Sprintf("%s starts where %v (assumed by hand)",
			claim.Procedures[a.Component], a.Cond), Kind: cfa.ByHand})
	}
	return all
}
