package pointsto

// What can be reached from pointers: the objects that they point to, those that
// pointers in these point to, and so on.
//
// Idea: a search over objects. Most cells of large programs are one node (all
// that other code may know), so what a node points to is looked at once for
// all cells that have become it, and as a set of objects, whatever the number
// of offsets. The sets are kept for the next search.
//
// Cost: a search takes the cells of the objects reached, and for each different
// node among them a bit for each object.

import (
	"slices"

	"magus/internal/bitset"
)

// A Reach answers what can be reached in a solution.
type Reach struct {
	s    *Solution
	sets []bitset.Set[Object] // by node that stands for itself; nil where nobody asked
	seen []int32              // by such a node: the search that has been there last
	now  int32
}

// Reach prepares searches.
func (s *Solution) Reach() *Reach {
	return &Reach{s: s, sets: make([]bitset.Set[Object], len(s.sets)), seen: make([]int32, len(s.sets))}
}

// From lists the objects, in their order, that can be reached from what the
// nodes point to, and from the given objects, which are among them. [Unknown]
// leads to whatever World points to and is listed too.
//
// The search is not [graph.Reachable]: nodes are marked with the number of the question, so that no question
// pays for the nodes that it does not reach, and of sets of objects only those that are new are gone over.
func (r *Reach) From(nodes []Node, objects []Object) []Object {
	r.now++
	found := bitset.New[Object](len(r.s.domain.objects))
	var todo []Object
	visit := func(o Object) {
		if found.Add(o) {
			todo = append(todo, o)
		}
	}
	follow := func(n Node) {
		n = r.s.of[n]
		if r.seen[n] == r.now {
			return
		}
		r.seen[n] = r.now
		for o := range r.objects(n).Except(found) {
			visit(o)
		}
	}
	for _, o := range objects {
		visit(o)
	}
	for _, n := range nodes {
		follow(n)
	}
	for len(todo) > 0 {
		o := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, c := range r.s.domain.objects[o].cells {
			follow(c.node)
		}
	}
	return slices.Collect(found.All())
}

// objects are the objects that a node points to or into, as Targets lists
// them.
func (r *Reach) objects(n Node) bitset.Set[Object] {
	if r.sets[n] != nil {
		return r.sets[n]
	}
	set := bitset.New[Object](len(r.s.domain.objects))
	for x := range r.s.sets[n].all() {
		p := r.s.domain.all[x]
		o := &r.s.domain.objects[p.object]
		if p.beside(o) {
			set.Add(Unknown)
		}
		if p.inside(o) {
			set.Add(p.object)
		}
	}
	r.sets[n] = set
	return set
}
