package engine

import (
	"magus/param"
	"magus/param/linear"
)

// A domain is a kind of conjunctions over the dimensions of a system. Its sets are not empty, as far as
// the domain can tell. S is a pointer.
//
// Laws: with, of and before lose no point, and false means that there is none. implies, excludes and
// includes are true only if it is so. upward(s) contains every point that is at least as large as one
// of s in every dimension.
type domain[S any] interface {
	// of is the set of the points that satisfy atoms.
	of(atoms []linear.Atom) (S, bool)
	// with is the part of s that satisfies atoms; s itself, if it is plain that all of it does.
	with(s S, atoms ...linear.Atom) (S, bool)
	implies(s S, a linear.Atom) bool
	excludes(s S, a linear.Atom) bool
	includes(large, small S) bool
	// before is what the case leads into s; the control part is none of its concern.
	before(c *param.Case, s S) (S, bool)
	upward(s S) S
	// key adds to b what distinguishes s; equal keys are of equal sets.
	key(b []byte, s S) []byte
	// least bounds the points from below.
	least(s S) []int64
	atoms(s S) []linear.Atom
	// simulate looks for the first step of a path from start that cannot be taken; sets[i] is what must
	// hold before cases[i], and the last set at the end. It returns the number of the step, which is
	// len(cases) if there is none, and atoms whose conjunction holds for all that can be there and for
	// nothing that could take the step.
	simulate(start S, cases []*param.Case, sets []S) (step int, zone []linear.Atom)
}
