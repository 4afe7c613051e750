// Package bitset is the dense set of small numbers: one bit for each number that may be a member.
//
// A [Set] is made for the numbers 0 … n-1 and keeps that room. It is a slice, changed in place, so a
// copy is made with slices.Clone, and clear empties it. What two sets are asked together assumes that
// they were made for the same n; where the lengths may differ it is said which one may be longer.
// The type parameter is the type of the members, so that a set of states is no set of nodes.
//
//	seen := bitset.New[uint32](100)
//	seen.Add(3)       // true: 3 is new
//	seen.Has(3)       // true
//	for s := range seen.All() { … }
//
// Left out: sets that grow, and sparse sets (package cfa/pointsto has its own).
package bitset
