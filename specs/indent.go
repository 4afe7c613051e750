package specs

import (
	"strings"
	"unicode/utf8"
)

// Where lines begin.
//
// A definition begins at the left, a statement of a block one tab to the right. What goes on in
// another line stands behind the bracket that is open, branches below it, and else below the
// beginning of what the name is defined as. A comment that has a line of its own stands as what
// comes next; one that goes on below another one stays below it.

// A lead is where a line begins: behind tabs, or to the right of an earlier piece.
type lead struct {
	tabs  int
	right int // of the place of piece of
	of    int // -1: tabs
}

// first reports whether piece i begins a line.
func (p *piece) first(i int) bool { return i == 0 || p.breaks > 0 }

// width is how many characters a text has.
func width(text string) int { return utf8.RuneCountInString(text) }

// end is the position behind a piece.
func (p *piece) end() position {
	if _, last, several := cutLast(p.text, "\n"); several {
		return position{0, width(last)}
	}
	return position{p.at.tabs, p.at.column + width(p.text)}
}

// nest finds which brackets belong together, and where lines begin.
func nest(all []piece) {
	n := nesting{all: all, body: -1}
	for i := range all {
		p := &all[i]
		if p.first(i) {
			p.lead = n.lead(i)
		}
		if p.comment {
			p.depth = len(n.open)
			continue
		}
		n.enter(i)
	}
}

// nesting is what is open at a place of a text.
type nesting struct {
	all    []piece
	open   []int
	blocks int // of open
	body   int // what the definition gives the name, outside of brackets; -1 for none
}

// enter goes on behind token i.
func (n *nesting) enter(i int) {
	p := &n.all[i]
	if p.mark&startMark != 0 {
		n.body = -1
	}
	if p.mark&bodyMark != 0 {
		n.body = i
	}
	if top := len(n.open) - 1; top >= 0 && !p.word && p.text == brackets[n.all[n.open[top]].text] {
		p.opener, n.open = n.open[top], n.open[:top]
		n.blocks -= b2i(n.all[p.opener].mark&blockMark != 0)
	}
	p.depth = len(n.open)
	if p.opens() {
		n.open = append(n.open, i)
		n.blocks += b2i(p.mark&blockMark != 0)
	}
}

// lead is where the line begins that piece i is the first of.
func (n *nesting) lead(i int) lead {
	p := &n.all[i]
	if p.comment && n.goesOn(i) {
		return lead{of: i - 1}
	}
	next := i
	for next < len(n.all) && n.all[next].comment {
		next++
	}
	if next == len(n.all) {
		return lead{of: -1}
	}
	return n.leadOf(next, p.comment && next > i && n.all[next].breaks > 0)
}

// goesOn reports whether a comment goes on below the one before it, which stands behind code.
func (n *nesting) goesOn(i int) bool {
	if i == 0 || n.all[i].breaks != 1 {
		return false
	}
	before := &n.all[i-1]
	return strings.HasPrefix(before.text, "//") && before.column == n.all[i].column &&
		(!before.first(i-1) || i >= 2 && before.lead.of == i-2 && n.all[i-2].comment)
}

// leadOf is where a line begins whose first token is piece i, or that of a comment before it.
func (n *nesting) leadOf(i int, comment bool) lead {
	p := &n.all[i]
	if len(n.open) == 0 {
		switch {
		case p.mark&(startMark|blockMark) != 0:
			return lead{of: -1}
		case n.body < 0:
			return lead{tabs: 1, of: -1}
		}
		return lead{of: n.body}
	}
	top := n.open[len(n.open)-1]
	bracket := &n.all[top]
	closes := !p.word && p.text == brackets[bracket.text] && !comment
	switch {
	case bracket.mark&blockMark != 0 && closes:
		return lead{tabs: n.blocks - 1, of: -1}
	case bracket.mark&blockMark != 0:
		goesOn := p.mark&startMark == 0 && !p.is("}")
		return lead{tabs: n.blocks + b2i(goesOn), of: -1}
	case closes, p.is(","), bracket.wide() && (p.is("|") || p.is("||")):
		return lead{of: top}
	}
	return lead{of: top, right: 1 + b2i(bracket.wide())}
}
