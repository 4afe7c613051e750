package lts

import (
	"slices"
	"strconv"
	"strings"
)

// Idea: where n copies of an LTS run, an action of its alphabet is performed by exactly one of them,
// together with all other components that have it. That is the composition of definition 5 once each
// copy has actions of its own: copy 2 performs a#2 where the LTS performs a, and the other components
// and the specification perform a#1, a#2, … wherever they perform a. If two components of several
// copies have an action, it is a#1.1, a#1.2, … .
//
// Source: the renaming is that of FSP, Magee and Kramer, "Concurrency: State Models and Java Programs"
// (2006), section 3.2, {c[1..n]}.req/req. Cost: every transition as often as its action has names, which
// is the product of the numbers of copies of those that have it in their alphabet.

// Copied is a composition in which some LTSs stand for several copies of them, written out: one LTS
// for each copy. Its actions are numbered by a table of their own; states are those of the LTSs that are
// copied.
type Copied struct {
	Impl []*LTS // all copies of the first LTS, then those of the second, and so on
	Of   []int  // for each of Impl, which one it is a copy of
	Spec *LTS

	originals []Action // by action of Impl: whose name it is
}

// Copy writes out copies[i] ≥ 1 copies of each impl[i]. It panics if there are not as many numbers as LTSs.
func Copy(impl []*LTS, copies []int, spec *LTS) *Copied {
	if len(impl) != len(copies) {
		panic("lts: one number of copies for each component")
	}
	c := &Copied{originals: []Action{Tau}}
	r := &renaming{impl: impl, copies: copies, table: NewActions(), names: map[Action][]variant{}, copied: c}
	for i, m := range impl {
		for k := range copies[i] {
			c.Impl, c.Of = append(c.Impl, r.rename(m, i, k)), append(c.Of, i)
		}
	}
	c.Spec = r.rename(spec, -1, 0)
	return c
}

// Counterexample is a run of Impl with the actions of the LTSs that were copied.
func (c *Copied) Counterexample(x *Counterexample) *Counterexample {
	back := &Counterexample{Steps: make([]Step, len(x.Steps))}
	for i, step := range x.Steps {
		back.Steps[i] = Step{c.originals[step.Action], step.Moves}
	}
	return back
}

// Tree is a tree of steps of Impl with the actions of the LTSs that were copied; nil of nil.
func (c *Copied) Tree(t *Tree) *Tree {
	if t == nil {
		return nil
	}
	back := &Tree{Nodes: slices.Clone(t.Nodes)}
	for i := range back.Nodes {
		step := &back.Nodes[i].Step
		step.Action = c.originals[step.Action]
	}
	return back
}

// Standing is what the copies' actions say of where they stand, by copy, from what those of the LTSs say.
func (c *Copied) Standing(standing []map[Action]Standing) []map[Action]Standing {
	all := make([]map[Action]Standing, len(c.Impl))
	for i, m := range c.Impl {
		all[i] = map[Action]Standing{}
		for _, says := range m.Alphabet() {
			s, ok := standing[c.Of[i]][c.originals[says]]
			if !ok {
				continue
			}
			here := Standing{Ended: s.Ended}
			for _, a := range m.Alphabet() {
				if slices.Contains(s.Offers, c.originals[a]) {
					here.Offers = append(here.Offers, a)
				}
			}
			all[i][says] = here
		}
	}
	return all
}

// Original is the action of the LTSs that copies perform.
func (c *Copied) Original(a Action) Action { return c.originals[a] }

// Variants are what some actions of the LTSs are called when copies perform them.
func (c *Copied) Variants(actions []Action) []Action {
	var all []Action
	for a, original := range c.originals {
		if a > 0 && slices.Contains(actions, original) {
			all = append(all, Action(a))
		}
	}
	return all
}

// renaming gives the copies their actions.
type renaming struct {
	impl   []*LTS
	copies []int
	table  *Actions
	names  map[Action][]variant
	copied *Copied
}

// A variant is what an action is called when certain copies perform it.
type variant struct {
	action Action
	by     []int // for each component, which copy; -1 if it has not the action
}

// variants are all names of an action.
func (r *renaming) variants(a Action) []variant {
	if vs, known := r.names[a]; known {
		return vs
	}
	chosen := [][]int{slices.Repeat([]int{-1}, len(r.impl))}
	for i, m := range r.impl {
		if !m.HasAction(a) {
			continue
		}
		var longer [][]int
		for _, by := range chosen {
			for k := range r.copies[i] {
				if k > 0 {
					by = slices.Clone(by)
				}
				by[i] = k
				longer = append(longer, by)
			}
		}
		chosen = longer
	}
	var vs []variant
	for _, by := range chosen {
		vs = append(vs, variant{r.intern(a, by), by})
	}
	r.names[a] = vs
	return vs
}

// intern is the action that certain copies perform where their LTSs perform a.
func (r *renaming) intern(a Action, by []int) Action {
	var numbers []string
	for i, k := range by {
		if k >= 0 && r.copies[i] > 1 {
			numbers = append(numbers, strconv.Itoa(k+1))
		}
	}
	name := r.impl[0].actions.Name(a)
	if numbers != nil {
		name += "#" + strings.Join(numbers, ".")
	}
	for { // no name is one of another action
		if _, used := r.table.Lookup(name); !used {
			break
		}
		name += "'"
	}
	n := r.table.Intern(name)
	for int(n) >= len(r.copied.originals) {
		r.copied.originals = append(r.copied.originals, a)
	}
	return n
}

// rename is copy k of component i with its own actions; of the specification, for i < 0, with all.
func (r *renaming) rename(m *LTS, i, k int) *LTS {
	b := NewBuilder(r.table)
	b.AddStates(m.NumStates())
	b.SetInit(m.init)
	for s := range State(m.NumStates()) {
		if m.IsError(s) {
			b.SetError(s)
		}
		for _, e := range m.Out(s) {
			if e.Action == Tau {
				b.AddEdge(s, Tau, e.To)
				continue
			}
			for _, a := range r.own(e.Action, i, k) {
				b.AddEdge(s, a, e.To)
			}
		}
	}
	for _, a := range m.alphabet {
		b.Alphabet(r.own(a, i, k)...)
	}
	copied := b.Build()
	copied.name = m.name
	return copied
}

// own are the names of an action that copy k of component i performs.
func (r *renaming) own(a Action, i, k int) []Action {
	var own []Action
	for _, v := range r.variants(a) {
		if i < 0 || v.by[i] == k {
			own = append(own, v.action)
		}
	}
	return own
}
