package witness

// Memory without variables that a run began with.
//
// Idea: what the run reads there before anything has written it is what the memory
// began with, an input like the initial values of variables. Where it stands behind
// a pointer from outside it is shown as an element: s[5] of what s points to.
// Cost: quadratic in such accesses.

import (
	"fmt"
	"strings"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
)

// An element is a value that memory began with.
type element struct {
	name    string // "" if it has none
	step    int    // of the script that reads it
	pos     cfa.Pos
	binding interp.Binding // with the variable that it is read into
}

// elements are the values that a run read first where nothing had written.
func elements(c *component.Component, run *interp.Run) []element {
	var all []element
	type area struct{ first, size uint64 }
	var known []area
	overlaps := func(a area) bool {
		for _, k := range known {
			if (k.size == 0 || a.first-k.first < k.size || a.first < k.first) &&
				(a.size == 0 || k.first-a.first < a.size || k.first < a.first) {
				return true
			}
		}
		return false
	}
	var pending *element
	for i, s := range run.States {
		if pending != nil {
			pending.binding.Value, _ = s.Value(pending.binding.Var)
			all = append(all, *pending)
			pending = nil
		}
		if i == len(run.Script.Steps) {
			break
		}
		stmt, ok := c.CFA.Locs[s.Loc()].Stmt.(cfa.Assign)
		if !ok || stmt.Memory == nil {
			continue
		}
		m := stmt.Memory
		a := area{size: uint64(m.Size)}
		if m.Addr != nil {
			a.first = s.Eval(m.Addr)
		}
		if m.Length != nil {
			if a.size = s.Eval(m.Length); a.size == 0 {
				continue
			}
		}
		if m.Kind == cfa.Read && !overlaps(a) {
			name, pos := elementAt(c.CFA, a.first, a.size)
			pending = &element{name: name, step: i, pos: pos, binding: interp.Binding{Var: stmt.LHS}}
		}
		known = append(known, a)
	}
	return all
}

// elementAt is the name of a scalar behind a pointer from outside, "" if it is none,
// with the place where the pointer is declared.
func elementAt(c *cfa.CFA, addr, size uint64) (string, cfa.Pos) {
	for _, o := range c.Objects {
		if off := addr - o.Base; addr >= o.Base && off < o.Size && o.Element == int64(size) && off%size == 0 {
			return fmt.Sprintf("%s[%d]", strings.TrimPrefix(o.Name, "*"), off/size), o.Pos
		}
	}
	return "", cfa.Pos{}
}
