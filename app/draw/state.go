package draw

import (
	"strings"

	"magus/cfa"
	"magus/engine/cegar"
	"magus/lts"
	"magus/smt/expr"
)

// State describes a state of MP: its location and what is known there. Where a
// term equals a constant, what else is known of it is left out.
func State(comp cegar.ComponentView, s lts.State) string {
	head, _, some := strings.Cut(comp.MP.StateString(s), " {")
	if !some {
		return head
	}
	return head + " {" + strings.Join(Known(comp, s), ", ") + "}"
}

// Known is what is known in a state of MP. Where a term equals a constant, what else is
// known of it is left out.
func Known(comp cegar.ComponentView, s lts.State) []string {
	literals := comp.MP.Literals(s)
	known := map[*expr.Expr]bool{}
	for _, l := range literals {
		if l.Op() == expr.Eq && l.Args()[1].IsConst() {
			known[l.Args()[0]] = true
		}
	}
	var texts []string
	for _, l := range literals {
		c := l
		if l.Op() == expr.Not {
			c = l.Args()[0]
		}
		implied := (c.Op() == expr.Eq || c.Op() == expr.Lt) && c.Args()[1].IsConst() && known[c.Args()[0]] ||
			c.Op() == expr.Lt && c.Args()[0].IsConst() && known[c.Args()[1]]
		if !implied || l.Op() == expr.Eq {
			texts = append(texts, l.String())
		}
	}
	return texts
}

// SourceLine is the text of the line of a place, without the blanks around it.
func SourceLine(src Source, p cfa.Pos) string { return strings.TrimSpace(src.Line(p.File, p.Line)) }
