package liveness

// The composition of the components.
//
// Idea: a visible action is performed by all components that have it in their alphabets, one copy of each; a silent
// step by one alone. A tuple in which an assumption fails is on no run. Of each tuple it is kept which
// components can go on at most, and which at least.
//
// Cost: the tuples times their steps.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/lts"
)

// A process is a copy of a component that runs.
type process struct {
	*machine
	component.Copy
}

// A move is what one process does in a step.
type move struct {
	process int
	way     *transition
}

// A step leads from a tuple to another one.
type step struct {
	action  lts.Action
	to      int32
	moves   []move
	certain bool
}

// A product has all tuples that can be reached.
type product struct {
	processes []process
	owners    map[lts.Action][][]int // of a visible action: the processes of each component that takes part
	tuples    [][]int32
	index     map[string]int32
	inits     []step // to the first tuples
	steps     [][]step
	may, must []uint64   // processes that can go on, by tuple
	joint     *cfa.Joint // of the one process, if it is of several components that exchange values
	conds     []uint64
	noRun     []bool // an assumption fails there
	unknown   []bool // what comes is not known
}

// most processes run: they are bits of a word.
const mostProcesses = 64

// compose is the composition of processes, whose components have alphabets.
func compose(ctx context.Context, processes []process, alphabets [][]lts.Action, most int) (*product, error) {
	p := &product{processes: processes, owners: map[lts.Action][][]int{}, index: map[string]int32{}}
	for c, alphabet := range alphabets {
		var copies []int
		for i, x := range processes {
			if x.Component == c {
				copies = append(copies, i)
			}
		}
		for _, a := range alphabet {
			p.owners[a] = append(p.owners[a], copies)
		}
	}
	if len(processes) == 1 {
		p.joint = processes[0].control.Comp.CFA.Joint
	}
	p.start()
	for i := 0; i < len(p.tuples); i++ {
		if len(p.tuples) > most {
			return nil, verdict.Because(verdict.States, "the composition has more than %d states", most)
		}
		if i%256 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p.expand(int32(i))
	}
	return p, nil
}

// start makes the first tuples.
func (p *product) start() {
	at := make([]int32, len(p.processes))
	var in func(i int, moves []move)
	in = func(i int, moves []move) {
		if i == len(p.processes) {
			p.inits = append(p.inits, step{to: p.tuple(at), moves: slices.Clone(moves), certain: true})
			return
		}
		ways := p.processes[i].machine.inits
		for k := range ways {
			at[i] = ways[k].to
			in(i+1, append(moves, move{i, &ways[k]}))
		}
	}
	in(0, nil)
}

// tuple is the number of a tuple.
func (p *product) tuple(at []int32) int32 {
	key := make([]byte, 0, 4*len(at))
	for _, s := range at {
		key = binary.LittleEndian.AppendUint32(key, uint32(s))
	}
	n, ok := p.index[string(key)]
	if ok {
		return n
	}
	n = int32(len(p.tuples))
	p.index[string(key)] = n
	p.tuples = append(p.tuples, slices.Clone(at))
	p.steps = append(p.steps, nil)
	conds, no, not := uint64(0), false, false
	for i, s := range at {
		x := &p.processes[i].states[s]
		conds, no, not = conds|x.conds, no || x.status == noRun, not || x.status == unknown
	}
	p.may, p.must, p.conds = append(p.may, 0), append(p.must, 0), append(p.conds, conds)
	p.noRun, p.unknown = append(p.noRun, no), append(p.unknown, not)
	return n
}

// expand finds the steps of a tuple.
func (p *product) expand(n int32) {
	if p.noRun[n] || p.unknown[n] {
		return
	}
	at := p.tuples[n]
	visible := map[lts.Action]bool{}
	var actions []lts.Action
	for i, s := range at {
		ways := p.processes[i].machine.out[s]
		for k := range ways {
			if a := ways[k].action; a == lts.Tau {
				p.add(n, lts.Tau, []move{{i, &ways[k]}})
			} else if !visible[a] {
				visible[a] = true
				actions = append(actions, a)
			}
		}
	}
	slices.Sort(actions)
	for _, a := range actions {
		p.join(n, a, p.owners[a], nil)
	}
}

// join adds the steps in which one process of each component performs an action.
func (p *product) join(n int32, a lts.Action, owners [][]int, moves []move) {
	if len(owners) == 0 {
		p.add(n, a, moves)
		return
	}
	for _, i := range owners[0] {
		ways := p.processes[i].machine.out[p.tuples[n][i]]
		for k := range ways {
			if ways[k].action == a {
				p.join(n, a, owners[1:], append(moves, move{i, &ways[k]}))
			}
		}
	}
}

func (p *product) add(n int32, a lts.Action, moves []move) {
	at := slices.Clone(p.tuples[n])
	s := step{action: a, moves: slices.Clone(moves), certain: true}
	enabled := true
	for _, m := range moves {
		at[m.process] = m.way.to
		s.certain, enabled = s.certain && m.way.certain, enabled && m.way.enabled
	}
	s.to = p.tuple(at)
	for _, m := range moves {
		p.may[n] |= 1 << m.process
		if enabled {
			p.must[n] |= 1 << m.process
		}
	}
	p.steps[n] = append(p.steps[n], s)
}

// ends reports whether a run may end at a tuple: at least, if nothing can go on for certain, and at most if nothing
// can.
func (p *product) ends(n int32, strict bool) bool {
	if p.noRun[n] || p.unknown[n] {
		return false
	}
	if strict {
		return p.may[n] == 0
	}
	return p.must[n] == 0
}
