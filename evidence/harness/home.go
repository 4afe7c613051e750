package harness

// Local variables that threads share.
//
// Idea: behind its declaration a local variable says where it is. Which of the run's variables that
// is follows from which thread comes there, and for the how manyth time: each call has variables of
// its own. What the declaration itself accesses has no slot, for nobody else knows the variable yet.
// Where a function returns, its variables are no more.
//
// Source: ours. Cost: linear in the text.

import (
	"bytes"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/source"
	"magus/evidence/witness"
)

// home is the number of a declaration: the first of its entries.
func (w *writer) home(h witness.Home) int {
	return slices.IndexFunc(w.replay.Schedule.Homes, func(o witness.Home) bool {
		return o.Name == h.Name && o.Pos == h.Pos
	})
}

// homes are the changes by which local variables say where they are. What is left in the schedule are
// those entries at which a thread comes to a declaration: it writes there what it has not written
// there before, or not since it came there.
func (w *writer) homes() map[string][]edit {
	plan := w.replay.Schedule
	all, met := map[string][]edit{}, map[[2]int]map[string]bool{}
	var homes []witness.Home
	for _, h := range plan.Homes {
		s, at, end := w.declaration(h)
		switch here := [2]int{h.Thread, h.Cell}; {
		case end < 0:
		case h.Thread < 0:
			homes = append(homes, h)
		case w.within(s, h.At, at, end):
			if met[here] == nil || met[here][h.Part] {
				met[here] = map[string]bool{}
				homes = append(homes, h)
			}
			met[here][h.Part] = true
		}
	}
	for i, local := range plan.Local {
		if local && !slices.ContainsFunc(homes, func(h witness.Home) bool { return h.Cell == i }) {
			w.missing = append(w.missing, fmt.Sprintf("where the local variable %s is, which threads share", plan.Cells[i]))
		}
	}
	out := *plan
	out.Homes = homes
	out.Slots = slices.DeleteFunc(slices.Clone(plan.Slots), w.atHome)
	replay := *w.replay
	replay.Schedule, w.replay = &out, &replay
	for i, h := range homes {
		if s, _, end := w.declaration(h); w.home(h) == i {
			all[s.Name] = append(all[s.Name],
				edit{end, fmt.Sprintf("; magus_here(%d, (const char *)&%s, sizeof %s)", i, h.Name, h.Name)})
			w.edited = append(w.edited, fmt.Sprintf("%v: %s says where it is", h.Pos, h.Name))
		}
	}
	return all
}

// within reports whether a place is in a part of a unit.
func (w *writer) within(s source.Source, pos cfa.Pos, from, to int) bool {
	at := w.find(s, pos, "")
	return at >= from && at < to
}

// declaration is where a variable is declared, and the semicolon behind that; -1 if that is no declaration by itself.
func (w *writer) declaration(h witness.Home) (s source.Source, at, end int) {
	for _, s := range w.units {
		if at := w.find(s, h.Pos, h.Name); at >= 0 && !inBrackets(s.Text[:at]) {
			return s, at, declarationEnd(s.Text, at)
		}
	}
	return source.Source{}, -1, -1
}

// inBrackets reports whether a text ends within brackets that were opened behind the last semicolon
// or brace, as in for (int i.
func inBrackets(text []byte) bool {
	if i := bytes.LastIndexAny(text, ";{}"); i >= 0 {
		text = text[i+1:]
	}
	return bytes.Count(text, []byte("(")) > bytes.Count(text, []byte(")"))
}

// declarationEnd is the semicolon that ends a declaration which goes on at an offset, or -1.
func declarationEnd(text []byte, at int) int {
	depth := 0
	for i := at; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth < 0 {
				return -1
			}
		case '"', '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			i = commentEnd(text, i)
		case ';':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// atHome reports whether a slot is an access that a declaration makes to the variable that it declares.
func (w *writer) atHome(t witness.Slot) bool {
	return slices.ContainsFunc(w.replay.Schedule.Homes, func(h witness.Home) bool {
		if h.Cell != t.Cell || h.Thread >= 0 && h.Thread != t.Thread {
			return false
		}
		s, at, end := w.declaration(h) // of which there is one, or the entry would not be
		return w.within(s, t.Pos, at, end)
	})
}
