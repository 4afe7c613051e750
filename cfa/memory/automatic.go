package memory

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// IsPrivate reports whether a variable is neither a cell nor one that begins with 0: only assignments by its
// name change it.
func (m *Model) IsPrivate(v *expr.Expr) bool {
	_, isCell := m.cells[v]
	return !isCell && !slices.Contains(m.zeroes, v)
}

// Automatic is the name of an object of some instances that there is once for each call of them; "" for none.
func (m *Model) Automatic(frames map[int]bool) string {
	for _, b := range m.objects {
		if frames[b.decl.Frame] && b.decl.Kind != cfa.Global && b.global == nil && !b.heap && !b.unbounded &&
			!b.constant && !b.external {
			return b.decl.Name
		}
	}
	return ""
}
