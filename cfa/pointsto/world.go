package pointsto

// Nodes that have all that World has.
//
// Idea: World is closed under arithmetic: it has every offset of its objects, and moving
// all of them gives all of them again. So what is moved from a node with all of World has all of
// World too: an edge from World says so at once, and of the node's targets only those that
// are not in World have to be moved one by one. In programs whose pointers come from
// elsewhere these are few of thousands.
//
// LAW: the least solution is the same (the naive fixpoint of the tests knows nothing of it).
//
// Cost: linear in nodes and edges, as often as cycles are looked for.

// spread marks the nodes with all of World, along the edges that there are now.
func (s *solver) spread() {
	for n := range s.vertices {
		s.vertices[n].world = false
	}
	world := s.find(World)
	s.vertices[world].world = true
	for work := []Node{world}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		mark := func(m Node) {
			if m = s.find(m); !s.vertices[m].world {
				s.vertices[m].world = true
				work = append(work, m)
			}
		}
		for m := range s.vertices[n].copies.all() {
			mark(Node(m))
		}
		for _, u := range s.vertices[n].uses {
			if u.closed() {
				s.edge(World, u.other)
				mark(u.other)
			}
		}
	}
}

// closed reports whether a use makes all of World of all of World.
func (u use) closed() bool { return u.op == shift || u.op == anywhere }

// toMove are those of the targets that are passed on that a use has to move: all, or those that
// are not in World where World flows to the use's other node.
func (s *solver) toMove(n Node, u use) *set {
	world := s.find(World)
	if !s.vertices[n].world || !u.closed() || s.find(u.other) == world {
		return &s.now
	}
	s.rest.minus(&s.now, &s.vertices[world].targets)
	return &s.rest
}
