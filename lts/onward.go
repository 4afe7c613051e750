package lts

// Idea: a search that expands pairs by few of their steps must not go round and round in them while other
// steps wait for ever. So each such pair has a step that leads on: along these, one comes to a pair that is
// expanded by all steps in the end. They are a forest, whose roots are the pairs that were expanded by all steps or
// are yet to be expanded; a step would close a cycle if it led into the tree of which the pair itself is the root.
//
// Source: the proviso that ignores nothing, of Valmari, "The state explosion problem" (LNCS 1491, 1998); the forest is
// that of union-find. Where pairs dominate each other, a tree could lead to a pair that is replaced by
// one of another tree; there a step leads on only to what is not expanded yet.
//
// Cost: nearly constant a step; 4 bytes a pair, or 8.

// onward is the forest.
type onward struct {
	equal bool // pairs do not dominate others than themselves
	keep  bool // the order is asked for

	current  int32             // the node that is expanded
	to       int32             // where a step of it leads on to; or none
	roots    []int32           // by node: a node nearer to its root, or itself; if equal
	links    []int32           // by node: what it leads on to, or none; if equal and keep
	expanded []int32           // by node: when it was expanded, from 1; 0 before; if not equal
	count    int32             // of those
	sets     map[int32][]int32 // if keep, by node: the persistent set that it was expanded by
}

// add adds the next node, which takes the place of another one, or of none.
func (o *onward) add(replaced int32) {
	if !o.equal {
		o.expanded = append(o.expanded, 0)
		return
	}
	id := int32(len(o.roots))
	o.roots = append(o.roots, id)
	if o.keep {
		o.links = append(o.links, none)
	}
	if replaced >= 0 {
		o.link(replaced, id)
	}
}

func (o *onward) link(from, to int32) {
	o.roots[from] = to
	if o.keep {
		o.links[from] = to
	}
}

// begin begins to expand a node.
func (o *onward) begin(id int32) {
	o.current, o.to = id, none
	if !o.equal {
		o.count++
		o.expanded[id] = o.count
	}
}

// leadsTo notes a step of the current node.
func (o *onward) leadsTo(id int32) {
	if o.to == none && (o.equal && o.root(id) != o.current || !o.equal && o.expanded[id] == 0) {
		o.to = id
	}
}

// goesOn says whether a step of the current node led on; then it is expanded by the steps noted.
func (o *onward) goesOn() bool {
	if o.to != none && o.equal {
		o.link(o.current, o.to)
	}
	return o.to != none
}

func (o *onward) root(id int32) int32 {
	for o.roots[id] != id {
		o.roots[id] = o.roots[o.roots[id]]
		id = o.roots[id]
	}
	return id
}

// ranks gives nodes numbers, smaller than those of the nodes that they lead on to.
func (o *onward) ranks() []int32 {
	if !o.equal {
		return o.expanded
	}
	ranks := make([]int32, len(o.links))
	var way []int32
	for id := range ranks {
		way = way[:0]
		at := int32(id)
		for ; ranks[at] == 0 && o.links[at] != none; at = o.links[at] {
			way = append(way, at)
		}
		for k := len(way) - 1; k >= 0; k-- {
			ranks[way[k]] = ranks[o.links[way[k]]] - 1
		}
	}
	return ranks
}

func (o *onward) bytes() int64 { return bytesOf(o.roots) + bytesOf(o.links) + bytesOf(o.expanded) }
