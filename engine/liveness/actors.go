package liveness

// Whom fairness is about: the processes, or the parts of the one process that stands for components which exchange
// values. Where each of these can go on is said by their product (package joint). What they can do together stays
// possible until it is done, however long each computes, so that it is the same at most and at least.

// actors is how many there are.
func (p *product) actors() int {
	if p.joint != nil {
		return len(p.joint.Parts)
	}
	return len(p.processes)
}

// movers are the actors of a step, as bits.
func (p *product) movers(s *step) (set uint64) {
	for _, m := range s.moves {
		if p.joint == nil {
			set |= 1 << m.process
			continue
		}
		control := p.processes[m.process].control
		for _, id := range m.way.edges {
			if l := control.Edges[id].Loc; l >= 0 {
				set |= p.joint.Movers(l)
			}
		}
	}
	return set
}

// able are the actors that can go on at a tuple: at most, or for certain.
func (p *product) able(tuple int32, atMost bool) uint64 {
	switch {
	case p.joint != nil:
		return p.ready(tuple)
	case atMost:
		return p.may[tuple]
	}
	return p.must[tuple]
}

// ready are the parts that can go on at a tuple.
func (p *product) ready(tuple int32) uint64 {
	b := p.processes[0].behaviour
	loc, ok := b.control.Loc(b.states[p.tuples[tuple][0]].node)
	if !ok {
		return 0
	}
	return p.joint.Ready[loc]
}
