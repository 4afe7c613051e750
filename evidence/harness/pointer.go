package harness

// Pointers that the run begins with. Each is NULL or points to an object of its
// own, which magus calls *p: *p.next is a member of what p points to, **p.next
// what that points to. Parameters are known in their procedure only, so what
// they point to is set at the beginning of its body.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"magus/cfa/source"
	"magus/evidence/witness"
)

// expression is a name as C, given how variables are called; pointers are the
// names of those that are known.
func expression(name string, pointers []string, called func(string) string) (string, bool) {
	rest, ok := strings.CutPrefix(name, "*")
	if !ok {
		return called(name), true
	}
	best := ""
	for _, p := range pointers {
		if strings.HasPrefix(rest, p) && len(p) > len(best) {
			best = p
		}
	}
	if best == "" {
		return "", false
	}
	p, ok := expression(best, pointers, called)
	return "(*" + p + ")" + rest[len(best):], ok
}

// root is the variable at which the way to an object begins.
func root(name string) string {
	name = strings.TrimLeft(name, "*")
	return name[:baseLen(name)]
}

// entry is the procedure of a component.
func (w *writer) entry(p witness.ComponentInputs) source.Function {
	i := slices.IndexFunc(w.replay.Functions, func(f source.Function) bool {
		return f.Name == p.Entry && f.Body.IsValid()
	})
	return w.replay.Functions[i]
}

// pointed are the assignments to parameters that are pointers and to what they
// point to, or those to what globals point to, outer objects first.
func (w *writer) pointed(p witness.ComponentInputs, params bool) []string {
	f := w.entry(p)
	isParam := func(name string) bool {
		return slices.ContainsFunc(f.Params, func(q source.FunctionParam) bool { return q.Name == name })
	}
	var sets []witness.Set
	for i, a := range p.Args {
		if params && a.Value != 0 && i < len(f.Params) && f.Params[i].Pointer {
			sets = append(sets, witness.Set{Name: f.Params[i].Name, Pos: f.Pos, Value: a.Value, Width: 64})
		}
	}
	for _, s := range p.Sets {
		if isParam(root(s.Name)) == params && strings.ContainsAny(s.Name, "*[") && (params || s.Name[0] == '*') {
			sets = append(sets, s)
		}
	}
	depth := func(s witness.Set) int { return len(s.Name) - len(strings.TrimLeft(s.Name, "*")) }
	slices.SortStableFunc(sets, func(a, b witness.Set) int { return cmp.Compare(depth(a), depth(b)) })
	var names, out []string
	for _, s := range slices.Concat(p.Sets, sets) {
		names = append(names, s.Name)
	}
	for _, s := range sets {
		called := func(name string) string {
			if params {
				return name
			}
			return w.global(name, s.Pos)
		}
		if e, ok := expression(s.Name, names, called); ok {
			out = append(out, w.give(e, s))
		} else {
			w.missing = append(w.missing, fmt.Sprintf("%v: the value that %s begins with", s.Pos, s.Name))
		}
	}
	return out
}

// beginnings sets what the parameters of the components' procedures point to.
func (w *writer) beginnings(all map[string][]edit) {
	for i, p := range w.replay.Components {
		sets := w.pointed(p, true)
		if len(sets) == 0 {
			continue
		}
		f := w.entry(p)
		if w.insert(all, f.Body, "{", fmt.Sprintf(" if (magus_begin == %d) { magus_begin = 0; %s; }", i+1,
			strings.Join(sets, "; ")), "") {
			w.begins[i] = true
			w.edited = append(w.edited, fmt.Sprintf("%v: parameters of %s point to objects", f.Pos, f.Name))
		} else {
			w.missing = append(w.missing, fmt.Sprintf("%v: what the parameters of %s point to", f.Pos, f.Name))
		}
	}
}
