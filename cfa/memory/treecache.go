package memory

// Accesses with the same targets share one tree.
//
// Idea: where pointers come from other code, most accesses may go to all that such code may know: thousands
// of targets. Their trees differ in the address that is tested, which is no part of them. So a tree
// is made once for all accesses with the same targets, of the same extent and type, until one
// of the objects gets another cell.
//
// LAW: the tree is the one that searchAddress makes now.
//
// Source: ours. Cost: for an access whose tree is there a look at the cells of each target's object.

import "magus/cfa/pointsto"

// A treeKey is what a tree is made of, beside the cells of the objects.
type treeKey struct {
	targets *pointsto.Target // the list of what the address may be
	base    *pointsto.Target // and of what the base may be
	extent  Extent
	scalar  Scalar
	pointee *Type
	off     int64
	loose   bool
}

// A treeEntry is the tree for a key, while the objects have so many cells.
type treeEntry struct {
	tree  *tree
	cells int
}

// cachedTree is the tree of an access whose address has these targets.
func (a *locator) cachedTree(targets []pointsto.Target, r Ref) *tree {
	cells, one := 0, false
	if len(targets) > a.targetLimit() && len(r.Idx) == 0 && r.Off >= 0 && !r.Base.IsConst() && len(a.pts.marks) == 0 {
		cells, one = a.countCells(targets)
	}
	if !one {
		return a.searchAddress(targets, r)
	}
	x := treeKey{targets: &targets[0], extent: r.Extent, scalar: r.Scalar, pointee: r.Pointee, off: r.Off, loose: r.Loose}
	if of := a.pts.targets(a.pts.term(r.Base)); len(of) > 0 {
		x.base = &of[0]
	}
	m, ok := a.trees[x]
	if !ok || m.cells != cells {
		m = treeEntry{a.searchAddress(targets, r), cells}
		a.trees[x] = m
	}
	return m.tree
}

// countCells is how many cells the objects of targets have, and whether the tests for them differ
// in nothing but the address.
func (a *locator) countCells(targets []pointsto.Target) (cells int, one bool) {
	for b := range a.pts.objectsOf(targets) {
		if b.length != nil || b.each > 0 {
			return 0, false
		}
		cells += len(b.leaves)
	}
	return cells, true
}
