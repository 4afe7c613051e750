package certificate

// Level two of a certificate: the blocks' transitions, made anew.
//
// Idea: a block B has the transition a to C if a member s of B can do τ* a to a
// member t of C. Which blocks a state may be in before its next visible action
// is propagated along τ: a member is in its own block, and where τ leads one is
// still in the block from which one came.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 7, for the quotient; Milner, "Communication and
// Concurrency" (1989), for weak moves. Cost: states and transitions times the
// blocks that meet at a state.

import (
	"slices"

	"magus/lts"
)

// Model is the LTS that stands for the component in the composition: that of
// the blocks of c, or its states themselves if level two is off. c has passed
// [Checker.Data].
func (k *Checker) Model(c *Component) (*lts.LTS, error) {
	prog := k.prog
	b := lts.NewBuilder(prog.comp.Actions)
	b.Alphabet(prog.alphabet...)
	if c.Blocks == 0 {
		b.AddStates(len(c.States))
		for i := range c.States {
			for _, e := range c.States[i].Edges {
				a, err := c.action(prog, i, e)
				if err != nil {
					return nil, err
				}
				b.AddEdge(lts.State(i), a, lts.State(e.To))
			}
		}
		return b.Build(), nil
	}
	if err := c.checkBlocks(); err != nil {
		return nil, err
	}
	b.AddStates(c.Blocks)
	b.SetInit(lts.State(c.States[0].Block))
	for i, blocks := range c.blocksBefore() {
		for _, e := range c.States[i].Edges {
			a, err := c.action(prog, i, e)
			if err != nil {
				return nil, err
			}
			if a == lts.Tau {
				continue
			}
			for _, block := range blocks {
				b.AddEdge(lts.State(block), a, lts.State(c.States[e.To].Block))
			}
		}
	}
	return b.Build(), nil
}

// action reads an edge's action, which must be of the component's alphabet.
func (c *Component) action(prog *program, from int, e Edge) (lts.Action, error) {
	if e.Action == "" {
		return lts.Tau, nil
	}
	a, ok := prog.comp.Actions.Lookup(e.Action)
	if _, found := slices.BinarySearch(prog.alphabet, a); !ok || !found {
		return 0, refuted(c.States[from].line, "%s is no action of component %s", e.Action, c.Name)
	}
	return a, nil
}

// checkBlocks finds states that must have a block and have none.
func (c *Component) checkBlocks() error {
	needs := make([]bool, len(c.States))
	needs[0] = true
	for i := range c.States {
		for _, e := range c.States[i].Edges {
			needs[e.To] = needs[e.To] || e.Action != ""
		}
	}
	for i := range c.States {
		s := &c.States[i]
		if s.Block < -1 || s.Block >= c.Blocks || needs[i] && s.Block < 0 {
			return refuted(s.line, "block %d of a state that visible actions lead to; there are %d blocks", s.Block, c.Blocks)
		}
	}
	return nil
}

// blocksBefore gives for each state the blocks that one may have been in when
// it is reached by τ, sorted.
func (c *Component) blocksBefore() [][]int {
	blocks := make([][]int, len(c.States))
	var work []int
	join := func(s int, more []int) {
		grown := false
		for _, b := range more {
			if i, ok := slices.BinarySearch(blocks[s], b); !ok {
				blocks[s], grown = slices.Insert(blocks[s], i, b), true
			}
		}
		if grown {
			work = append(work, s)
		}
	}
	for i := range c.States {
		if b := c.States[i].Block; b >= 0 {
			join(i, []int{b})
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range c.States[s].Edges {
			if e.Action == "" {
				join(e.To, blocks[s])
			}
		}
	}
	return blocks
}
