package actionref

import (
	"cmp"
	"slices"

	"magus/lts"
)

// Abstraction is a partition of the states of a concrete LTS together with its quotient. It is
// immutable: Split and Refine return new abstractions, which share what did not change.
type Abstraction struct {
	concrete *lts.LTS
	into     *incoming
	parts    partition
	quotient *lts.LTS // invariant: the existential quotient of concrete by parts, block b being state b
}

// partition is a partition with the transitions between its blocks. The inner slices are never
// changed, only replaced, so that a shallow copy is a copy.
type partition struct {
	blockOf []int32       // by concrete state
	members [][]lts.State // by block, ascending, not empty
	out     [][]lts.Edge  // by block: its transitions to blocks, sorted by (Action, To), no duplicates
}

func (p *partition) clone() partition {
	return partition{slices.Clone(p.blockOf), slices.Clone(p.members), slices.Clone(p.out)}
}

// incoming holds the transitions of an LTS by target.
type incoming struct {
	offsets []uint32
	edges   []inEdge
}

// inEdge is a transition, seen from its target.
type inEdge struct {
	action lts.Action
	from   lts.State
}

func newIncoming(m *lts.LTS) *incoming {
	in := &incoming{offsets: make([]uint32, m.NumStates()+1), edges: make([]inEdge, m.NumEdges())}
	for s := range lts.State(m.NumStates()) {
		for _, e := range m.Out(s) {
			in.offsets[e.To+1]++
		}
	}
	for s := range m.NumStates() {
		in.offsets[s+1] += in.offsets[s]
	}
	fill := slices.Clone(in.offsets)
	for s := range lts.State(m.NumStates()) {
		for _, e := range m.Out(s) {
			in.edges[fill[e.To]] = inEdge{e.Action, s}
			fill[e.To]++
		}
	}
	return in
}

func (in *incoming) to(s lts.State) []inEdge { return in.edges[in.offsets[s]:in.offsets[s+1]] }

// Concrete returns the LTS whose states are partitioned.
func (a *Abstraction) Concrete() *lts.LTS { return a.concrete }

// Quotient returns the quotient LTS. Its state b is block b, its initial state the block of the
// concrete one's, its alphabet the concrete one's. A block is an ERROR state if a member is.
func (a *Abstraction) Quotient() *lts.LTS { return a.quotient }

// NumBlocks returns the number of blocks; they are numbered from 0.
func (a *Abstraction) NumBlocks() int { return len(a.parts.members) }

// Block returns the block that concrete state s belongs to.
func (a *Abstraction) Block(s lts.State) int { return int(a.parts.blockOf[s]) }

// Members returns the concrete states of block b in ascending order. The caller must not change them.
func (a *Abstraction) Members(b int) []lts.State { return a.parts.members[b] }

// Initial returns the abstraction that puts two states of m into one block iff they have the same
// enabled actions (section 7: export(s) = export(t)). Cost: linear in m.
func Initial(m *lts.LTS) *Abstraction {
	blockOf := make([]int32, m.NumStates())
	groups := newGrouping()
	for s := range lts.State(m.NumStates()) {
		groups.key = groups.key[:0]
		last := lts.Action(-1)
		for _, e := range m.Out(s) {
			if e.Action != last {
				last = e.Action
				groups.put(int32(e.Action))
			}
		}
		blockOf[s] = groups.number()
	}
	return fromBlocks(m, newIncoming(m), blockOf, groups.count())
}

// fromBlocks builds the abstraction for a numbering of blocks without gaps.
func fromBlocks(m *lts.LTS, in *incoming, blockOf []int32, blocks int) *Abstraction {
	p := partition{blockOf, make([][]lts.State, blocks), make([][]lts.Edge, blocks)}
	size := make([]int, blocks)
	for _, b := range blockOf {
		size[b]++
	}
	space := make([]lts.State, len(blockOf))
	for b, n := range size {
		p.members[b], space = space[:0:n], space[n:]
	}
	for s, b := range blockOf {
		p.members[b] = append(p.members[b], lts.State(s))
	}
	var scratch []lts.Edge
	for b := range p.members {
		p.out[b], scratch = p.leaving(m, int32(b), scratch)
	}
	return freeze(m, in, p)
}

// leaving returns the transitions of block b, and the scratch space it used.
func (p *partition) leaving(m *lts.LTS, b int32, scratch []lts.Edge) (out, _ []lts.Edge) {
	scratch = scratch[:0]
	for _, s := range p.members[b] {
		for _, e := range m.Out(s) {
			scratch = append(scratch, lts.Edge{Action: e.Action, To: lts.State(p.blockOf[e.To])})
		}
	}
	return sortedCopy(scratch), scratch
}

// sortedCopy returns the distinct edges in order; it sorts its argument.
func sortedCopy(edges []lts.Edge) []lts.Edge {
	slices.SortFunc(edges, compareEdges)
	return slices.Clone(slices.Compact(edges))
}

func compareEdges(e, f lts.Edge) int {
	if e.Action != f.Action {
		return cmp.Compare(e.Action, f.Action)
	}
	return cmp.Compare(e.To, f.To)
}

// freeze makes an abstraction of a partition that nobody changes any more.
func freeze(m *lts.LTS, in *incoming, p partition) *Abstraction {
	b := lts.NewBuilder(m.Actions())
	b.AddStates(len(p.members))
	b.SetInit(lts.State(p.blockOf[m.Init()]))
	b.Alphabet(m.Alphabet()...)
	for from, out := range p.out {
		for _, e := range out {
			b.AddEdge(lts.State(from), e.Action, e.To)
		}
	}
	if m.HasError() {
		for s, block := range p.blockOf {
			if m.IsError(lts.State(s)) {
				b.SetError(lts.State(block))
			}
		}
	}
	return &Abstraction{m, in, p, b.Build()}
}

// grouping numbers sequences of numbers in the order in which they are first seen.
type grouping struct {
	seen map[string]int32
	key  []byte // the sequence that is being put together
}

func newGrouping() *grouping { return &grouping{seen: map[string]int32{}} }

func (g *grouping) put(n int32) {
	g.key = append(g.key, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
}

// number returns the number of the sequence put since key was emptied.
func (g *grouping) number() int32 {
	n, ok := g.seen[string(g.key)]
	if !ok {
		n = int32(len(g.seen))
		g.seen[string(g.key)] = n
	}
	return n
}

func (g *grouping) count() int { return len(g.seen) }
