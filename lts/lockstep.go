package lts

// Idea: of the two parts that a block is cut into, find the smaller one in time that depends on it alone.
// Two searches go backwards along inert transitions, one transition after the other alternately:
//
//	reach   from the sources of the splitter's transitions: states that can reach one of these
//	avoid   from the bottom states that are not sources: states all of whose inert transitions lead
//	        to states found before, and that have no transition of the splitter themselves
//
// A search that has found more than half of the block is given up. The one that ends has a part.
//
// Source: Jansen, Groote, Keiren, Wijs (TACAS 2020), section 5. Cost: linear in the transitions into and
// out of the smaller part, and in the transitions out of states that will be bottom states.

// splitter is a set of transitions.
type splitter struct {
	bunch uint32 // a bunch, or nothing:
	block uint32 // the inert transitions to states that have left for this block
}

// lockstep is the state of the two searches.
type lockstep struct {
	side     []uint8  // by state: what it has been found to do
	untested []uint32 // by state, where it is counted: how many inert transitions were not seen to avoid
	counted  []State
	reached  cursor
	avoided  cursor
}

const (
	reaches = 1
	avoids  = 2
)

// cursor is a place in the transitions into some states.
type cursor struct {
	states []State
	next   int    // of states
	at     uint32 // of into
	end    uint32
}

// smaller returns the smaller part of a block and whether it is the one that reaches; its inner states
// are listed, its bottom states are those that are marked, or not.
func (r *bunching) smaller(block uint32, from []uint32, by splitter) (inner []State, reaching bool) {
	b := r.blocks.ranges[block]
	half := int(b.end-b.first) / 2
	unmarked := r.blocks.items[b.bottom:b.marked]
	if b.first == b.bottom {
		return nil, len(unmarked) > half
	}
	r.reached = cursor{states: r.reached.states[:0]}
	r.avoided = cursor{states: r.avoided.states[:0]}
	tooMany, ended := len(unmarked) > half, false
	for {
		if len(r.reached.states) <= half {
			if ended, from = r.reachStep(block, from); ended {
				reaching = true
				break
			}
		}
		if !tooMany {
			if r.avoidStep(block, unmarked, by) {
				break
			}
			tooMany = len(unmarked)+len(r.avoided.states) > half
		}
	}
	inner = r.avoided.states
	if reaching {
		inner = r.reached.states
	}
	r.forget()
	if !reaching {
		return inner, false
	}
	kept := inner[:0]
	for _, s := range inner {
		if !r.blocks.isBottom(s) {
			kept = append(kept, s)
		}
	}
	return kept, true
}

// reachStep looks at one transition and says whether all have been looked at.
func (r *bunching) reachStep(block uint32, from []uint32) (ended bool, left []uint32) {
	r.work++
	c := &r.reached
	switch {
	case len(from) > 0:
		r.reach(r.source[from[0]])
		from = from[1:]
	case c.at < c.end:
		if s := r.source[r.into[c.at]]; r.blocks.of[s] == block {
			r.reach(s)
		}
		c.at++
	case c.next < len(c.states):
		s := c.states[c.next]
		c.at, c.end = r.starts[s], r.tauEnds[s]
		c.next++
	default:
		return true, from
	}
	return false, from
}

func (r *bunching) reach(s State) {
	if r.side[s] == 0 {
		r.side[s] = reaches
		r.reached.states = append(r.reached.states, s)
	}
}

// avoidStep looks at one transition and says whether all have been looked at. The search begins with
// the unmarked bottom states; those found are inner states.
func (r *bunching) avoidStep(block uint32, unmarked []State, by splitter) (ended bool) {
	r.work++
	c := &r.avoided
	switch {
	case c.at < c.end:
		if s := r.source[r.into[c.at]]; r.blocks.of[s] == block && r.side[s] == 0 {
			r.avoid(s, by)
		}
		c.at++
	case c.next < len(unmarked)+len(c.states):
		var s State
		if c.next < len(unmarked) {
			s = unmarked[c.next]
		} else {
			s = c.states[c.next-len(unmarked)]
		}
		c.at, c.end = r.starts[s], r.tauEnds[s]
		c.next++
	default:
		return true
	}
	return false
}

// avoid notes that one of s's inert transitions avoids.
func (r *bunching) avoid(s State, by splitter) {
	if r.untested[s] == 0 {
		r.untested[s] = r.inert[s]
		r.counted = append(r.counted, s)
	}
	if r.untested[s]--; r.untested[s] > 0 || r.leavesBy(s, by) {
		return
	}
	r.side[s] = avoids
	r.avoided.states = append(r.avoided.states, s)
}

// leavesBy says whether s has a transition of a splitter.
func (r *bunching) leavesBy(s State, by splitter) bool {
	for t := r.m.offsets[s]; t < r.m.offsets[s+1]; t++ {
		r.work++
		if r.slices.has(t) {
			if r.bunch(t) == by.bunch {
				return true
			}
		} else if r.blocks.of[r.m.edges[t].To] == by.block {
			return true
		}
	}
	return false
}

// forget clears the notes about states.
func (r *bunching) forget() {
	for _, s := range r.reached.states {
		r.side[s] = 0
	}
	for _, s := range r.avoided.states {
		r.side[s] = 0
	}
	for _, s := range r.counted {
		r.untested[s] = 0
	}
	r.counted = r.counted[:0]
}
