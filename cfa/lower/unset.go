package lower

// Globals that nobody sets.
//
// Idea: a component that begins with another procedure than main starts with
// globals as C initialises them. One without an initialiser that the component uses and
// does not store to is then zero throughout, though the program may have a procedure
// that sets it first. Whoever checks the component should hear of that.
//
// Cost: linear in the text of the program, for such components only.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/source"
)

// unset are these globals, by the first procedure that stores to them.
func (l *objects) unset(pr *source.Procedure) []cfa.Unset {
	if !l.opt.InitGlobals || pr.Name == "main" {
		return nil
	}
	zero := map[*source.Object]bool{}
	for _, o := range l.used {
		if l.global(o).Starts && o.Init == nil && !o.Const && !o.Library && o.Proc == "" {
			zero[o] = true
		}
	}
	if len(zero) == 0 {
		return nil
	}
	inside := map[*source.Procedure]bool{}
	for _, fr := range l.instances {
		if !l.IsOutOfLineFrame(fr.id) && !inside[fr.proc] {
			inside[fr.proc] = true
			for _, o := range l.prog.Stored(fr.proc) {
				delete(zero, o)
			}
		}
	}
	var all []cfa.Unset
	for _, setter := range l.prog.Bodies() {
		if inside[setter] || len(zero) == 0 {
			continue
		}
		u := cfa.Unset{Setter: setter.Name, Pos: setter.Pos}
		for _, o := range l.prog.Stored(setter) {
			if zero[o] {
				delete(zero, o)
				u.Globals = append(u.Globals, o.Name)
			}
		}
		if u.Globals != nil {
			slices.Sort(u.Globals)
			all = append(all, u)
		}
	}
	return all
}
