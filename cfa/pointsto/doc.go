// Package pointsto computes what pointers may point to: the inclusion-based,
// field-sensitive analysis that the elimination of indirect calls and
// dereferences rests on (Chaki et al., "Efficient Verification of Sequential
// and Concurrent C Programs" (2004), section 3.3).
//
// A [Problem] is a system of inclusions between sets of targets. It knows
// nothing of C: a [Node] stands for the set of targets of one pointer, an
// [Object] for a piece of memory of so many bytes, a target is an object with an
// offset in bytes, and the contents of an object at an offset are nodes again.
//
//	struct { int n; int *q; } s;     g := pointsto.NewProblem()
//	int x, **p;                      s, x := g.Object(16), g.Object(4)
//	                                 p, q, t := g.Node(), g.Node(), g.Node()
//	                                 g.Contents(s, 8, q)
//	p = (int **)&s;                  g.AddressOf(p, s, 0)
//	p++;                             g.Shift(p, p, 8)
//	t = &x; *p = t;                  g.AddressOf(t, x, 0); g.Store(p, t)
//	                                 sol, err := g.Solve(ctx)
//	                                 sol.Targets(q)    // (x,0)
//
// [Problem.Solve] gives the least solution. It can be asked again after more
// has been added.
//
// # Soundness
//
// SOUNDNESS: the solution contains every target that any order of execution of
// the statements behind the inclusions leads to, any number of times each,
// provided that
//
//   - every part of an object that may hold a pointer has a node, given by
//     [Problem.Contents]; a pointer that is stored where there is none is lost;
//   - pointers are made by the inclusions alone: one that is computed bit by
//     bit needs [Problem.Anywhere], or [World].
//
// A pointer that leaves its object is not lost: it is followed outside, to a
// multiple of eight bytes, and is a target again when it comes back. Addresses
// outside all objects, and the end of an object behind its last byte, are never
// mistaken for those of another object.
//
// # The rest of the world
//
// [Unknown] is memory that nobody described, [World] the pointers that code
// nobody described may hold: all of those that have escaped, everything they
// lead to, at any offset. Routines without a body are modelled by [Problem.Escape]
// of their arguments and a copy of World to their result.
//
// # What is left out
//
// The order of statements, calling contexts (the caller may repeat what is
// called), and strong updates.
package pointsto
