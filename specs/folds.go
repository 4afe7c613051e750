package specs

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// What of a specification can be folded away: for editors.

// A Fold is lines of which only the first one is shown.
type Fold struct {
	From, To int // lines, from 0; From < To
	Comment  bool
}

// Folds are what can be folded of a source, in the order of their first lines: items and
// definitions, blocks and branches in them, and comments. It may have mistakes.
func Folds(s Source) []Fold {
	s.Text = unixLines(s.Text)
	p := newParser(context.Background(), s, nil, newFile())
	p.notes, p.layout = &notes{}, map[int]mark{}
	p.parseFile()
	all := piecesOf(p.src.text, p.tokens, p.layout)
	nest(all)
	f := folder{to: map[int]int{}, item: -1}
	for i := range all {
		f.piece(all, i)
	}
	f.end(all, len(all))
	return f.folds()
}

// A folder finds folds: of those that begin in one line the longest.
type folder struct {
	order    []int // lines
	to       map[int]int
	comments map[int]bool
	item     int // the first piece of the item or definition; -1 for none
	run      int // the line in which a run of comments begins, plus one; 0 for none
	last     int // the last line of the run
}

func (f *folder) add(from, to int) {
	if was, known := f.to[from]; from < to && (!known || was < to) {
		if !known {
			f.order = append(f.order, from)
		}
		f.to[from] = to
	}
}

// piece goes on at piece i.
func (f *folder) piece(all []piece, i int) {
	p := &all[i]
	last := p.line + strings.Count(p.text, "\n")
	if p.comment && p.first(i) {
		if f.run == 0 || p.line != f.last+1 {
			f.comment()
			f.run = p.line + 1
		}
		f.last = last
		return
	}
	f.comment()
	switch {
	case p.comment:
	case p.mark&startMark != 0 && p.depth == 0:
		f.end(all, i)
		f.item = i
	case p.closes() && all[p.opener].wide():
		f.add(all[p.opener].line, p.line)
	}
}

// comment ends a run of comments.
func (f *folder) comment() {
	if f.run > 0 && f.run-1 < f.last {
		f.add(f.run-1, f.last)
		if f.comments == nil {
			f.comments = map[int]bool{}
		}
		f.comments[f.run-1] = true
	}
	f.run = 0
}

// end ends the item before piece i.
func (f *folder) end(all []piece, i int) {
	if i == len(all) {
		f.comment()
	}
	for i--; i > f.item && all[i].comment; i-- {
	}
	if f.item >= 0 {
		f.add(all[f.item].line, all[i].line)
	}
}

func (f *folder) folds() []Fold {
	var all []Fold
	for _, from := range f.order {
		all = append(all, Fold{from, f.to[from], f.comments[from]})
	}
	slices.SortFunc(all, func(a, b Fold) int { return cmp.Compare(a.From, b.From) })
	return all
}
