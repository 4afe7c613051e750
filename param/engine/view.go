package engine

import (
	"magus/param"
	"magus/param/linear"
)

// A View is what a backward search has found so far.
type View struct {
	Method    string
	Iteration int           // from 1
	Zones     []linear.Atom // of the order
	Sets      []Set         // in the order in which they were found
}

// A Set is one of those from which a bad configuration can be reached in the abstract system.
type Set struct {
	Cube     param.Cube
	Rule     int  // leads from it into the set Next; -1 for the bad ones
	Next     int  // by number
	Expanded bool // what leads into it has been computed
	Covered  bool // lies within a later one
}

// View shows the backward search whose share is next; ok is false if the next method is none.
func (s *Session) View() (v View, ok bool) {
	next, _, ok := s.rule.Next(s.portfolio.Rows())
	if !ok {
		return View{}, false
	}
	if m, is := s.methods[next].(interface{ view() View }); is {
		return m.view(), true
	}
	return View{}, false
}

func (c *cma[S]) view() View {
	v := View{Method: c.label, Iteration: len(c.iterations) + 1, Zones: c.zones}
	for i, n := range c.search.nodes {
		set := Set{Cube: param.Cube{Control: n.control, Atoms: c.dom.atoms(n.set)}, Rule: -1, Next: n.next,
			Expanded: i < c.search.done, Covered: n.covered}
		if n.via != nil {
			set.Rule = n.via.Rule
		}
		v.Sets = append(v.Sets, set)
	}
	return v
}
