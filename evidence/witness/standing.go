package witness

// A deadlock, confirmed.
//
// Idea: when all parts have been executed, each is at a control point where it stands still. What it offers there is read
// off the automaton and the LTSs of routines once more, and who takes part in it off the alphabets: if no action is offered
// by all that take part, and one waits, nothing ever goes on.
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

// stands finds where the parts stand at the end. The error says why it is no deadlock.
func (v *Violation) stands(parts []Part) error {
	alphabets := make([][]lts.Action, len(parts))
	for i, p := range parts {
		last := component.Init
		for _, id := range p.Execution.Edges {
			last = p.Graph.Edges[id].To
		}
		s, ok := p.Graph.Offers(last)
		if !ok {
			return fmt.Errorf("%s does not stand still", v.System.CopyName(p.Copy))
		}
		loc, _ := p.Graph.Loc(last)
		if end := v.Run.Runs[i].End.Loc(); loc >= 0 && end != loc {
			return fmt.Errorf("%s is at location %d, not %d", v.System.CopyName(p.Copy), end, loc)
		}
		alphabets[i] = p.Graph.Alphabet()
		v.Standing = append(v.Standing, Stand{Standing: s, Loc: loc})
	}
	waits := false
	for i := range v.Standing {
		s := &v.Standing[i]
		waits = waits || !s.Ended
		for _, a := range s.Offers {
			lacking := v.lacking(i, a, alphabets)
			if lacking == nil {
				return fmt.Errorf("%s can perform %s", v.System.CopyName(parts[i].Copy), v.System.Spec.Actions().Name(a))
			}
			s.Lacking = append(s.Lacking, lacking)
		}
	}
	if !waits {
		return fmt.Errorf("all have ended")
	}
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
