package witness

// A deadlock, or a refusal, confirmed.
//
// Idea: when all parts have been executed, each is at a control point where it stands still. What it offers there is
// read off the automaton and the LTSs of routines once more, and who takes part in it off the alphabets: if no action
// is offered by all that take part, and one waits, nothing ever goes on. What is offered by all is compared with what
// the specification must offer after the trace.
//
// Cost: the offers times the parts.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/lts"
)

// A Stand is where a part stands still at the end of a run.
type Stand struct {
	lts.Standing
	Loc cfa.Loc // -1 where it has returned
	// Lacking are, by action that is offered, the parts that take part in it and do not offer it.
	Lacking [][]int
}

// A Refusal is what a specification must offer after a trace, and what is offered.
type Refusal struct {
	Must    [][]lts.Action // all of one of these
	Offered []lts.Action
}

// stands finds where the parts stand at the end. The error says why it is no deadlock, or why nothing is refused.
func (v *Violation) stands(parts []Part) error {
	alphabets := make([][]lts.Action, len(parts))
	for i, p := range parts {
		s, err := v.stand(i, p)
		if err != nil {
			return err
		}
		alphabets[i] = p.Graph.Alphabet()
		v.Standing = append(v.Standing, s)
	}
	v.alphabets = alphabets
	waits, enabled := false, []lts.Action{}
	for i := range v.Standing {
		s := &v.Standing[i]
		waits = waits || !s.Ended
		for _, a := range s.Offers {
			lacking := v.lacking(i, a, alphabets)
			if s.Lacking = append(s.Lacking, lacking); lacking == nil {
				enabled = append(enabled, a)
			}
		}
	}
	slices.Sort(enabled)
	enabled = slices.Compact(enabled)
	names := v.System.Spec.Actions().Names(enabled)
	switch {
	case v.System.Question != component.NoDeadlock:
		return v.refuses(enabled)
	case len(enabled) > 0:
		return fmt.Errorf("the components can perform %q", names)
	case !waits:
		return fmt.Errorf("all have ended")
	}
	return nil
}

// stand is where a part stands at the end.
func (v *Violation) stand(i int, p Part) (s Stand, err error) {
	last := component.Init
	for _, id := range p.Execution.Edges {
		last = p.Graph.Edges[id].To
	}
	name := v.System.CopyName(p.Copy)
	ways := p.Graph.Stands(last)
	k := slices.IndexFunc(ways, func(s component.Stand) bool {
		return p.Graph.Comp.StandingName(s.Standing) == v.System.Spec.Actions().Name(p.Stand)
	})
	if k < 0 {
		return s, fmt.Errorf("%s does not stand still", name)
	}
	loc, _ := p.Graph.Loc(last)
	end := v.Run.Runs[i].End
	if loc >= 0 && end.Loc() != loc {
		return s, fmt.Errorf("%s is at location %d, not %d", name, end.Loc(), loc)
	}
	for _, g := range ways[k].Guard {
		if end.Eval(g) != 1 {
			return s, fmt.Errorf("%s does not offer %q", name, v.System.Spec.Actions().Names(ways[k].Offers))
		}
	}
	return Stand{Standing: ways[k].Standing, Loc: loc}, nil
}

// refuses notes what is refused where some actions are offered. The error says that nothing is.
func (v *Violation) refuses(enabled []lts.Action) error {
	spec := v.System.Spec
	for _, a := range enabled {
		if !spec.HasAction(a) {
			return fmt.Errorf("the components go on by %s", spec.Actions().Name(a))
		}
	}
	must, ok := lts.Acceptances(spec, lts.Project(v.Trace, spec.Alphabet()))
	if !ok {
		return fmt.Errorf("the specification does not have the trace")
	}
	for _, m := range must {
		if lts.Offers(m, enabled, v.System.Alike) {
			return fmt.Errorf("nothing is refused")
		}
	}
	v.Refused = &Refusal{must, enabled}
	return nil
}

// lacking are the parts without which part i cannot perform an action that it offers; nil if there are none. Of
// several copies of a component one takes part, and whoever offers it will do.
func (v *Violation) lacking(i int, a lts.Action, alphabets [][]lts.Action) (all []int) {
	for k := 0; k < len(v.Copies); {
		end := k + 1
		for end < len(v.Copies) && v.Copies[end].Component == v.Copies[k].Component {
			end++
		}
		offered := v.Copies[k].Component == v.Copies[i].Component || !slices.Contains(alphabets[k], a)
		for j := k; j < end && !offered; j++ {
			offered = slices.Contains(v.Standing[j].Offers, a)
		}
		for j := k; j < end && !offered; j++ {
			all = append(all, j)
		}
		k = end
	}
	return all
}
