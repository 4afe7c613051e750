package specs

// Columns: what the author has put below each other stays below each other.
//
// Idea: pieces of one kind that stand in one column of a paragraph, under as many brackets, are a
// group if blanks were put before one of them for that. In the result a group stands where the
// member with the longest line before it stands. Since columns shift what is to the right of
// them, that is a least fixed point, which is found by iteration; columns that shift each other
// for ever are given up.

// rounds is how often columns are shifted before they are given up.
const rounds = 64

// A groupKey tells groups apart.
type groupKey struct {
	paragraph, depth, tabs, column int
	kind                           string
}

// kind is what stands below its like.
func (p *piece) kind() string {
	switch {
	case p.comment:
		return "comment"
	case p.word:
		return "word"
	}
	return p.text
}

// group finds the groups and returns how many there are.
func group(all []piece) int {
	members := map[groupKey][]int{}
	var order []groupKey
	tabs := make([]int, len(all)) // of the line of a piece
	paragraph, broken := 0, false
	for i := range all {
		p := &all[i]
		switch {
		case p.first(i):
			paragraph += b2i(p.breaks > 1)
			tabs[i], broken = p.lead.tabs, false
			if p.lead.of >= 0 {
				tabs[i] = tabs[p.lead.of]
			}
		case !broken:
			tabs[i] = tabs[i-1]
			if p.gap == 0 {
				break
			}
			key := groupKey{paragraph, p.depth, tabs[i], p.column, p.kind()}
			if members[key] == nil {
				order = append(order, key)
			}
			members[key] = append(members[key], i)
		}
		broken = broken || p.end() != (position{p.at.tabs, p.at.column + width(p.text)})
	}
	groups := 0
	for _, key := range order {
		groups += b2i(form(all, members[key], groups))
	}
	return groups
}

// form makes pieces that stand in one column a group if that was wanted.
func form(all []piece, members []int, number int) bool {
	wanted := false
	for _, i := range members {
		wanted = wanted || all[i].apart > all[i].gap
	}
	if !wanted || len(members) < 2 {
		return false
	}
	for _, i := range members {
		all[i].group = number
	}
	return true
}

// align gives all pieces their places so that groups stand below each other, and reports
// whether that can be.
func align(all []piece, groups int) bool {
	columns := make([]int, groups)
	for range rounds {
		if next := place(all, columns); !raise(columns, next) {
			return true
		}
	}
	return false
}

// raise raises columns to those that are further to the right, and reports whether there is one.
func raise(columns, next []int) (raised bool) {
	for i, c := range next {
		if c > columns[i] {
			columns[i], raised = c, true
		}
	}
	return raised
}

// place gives all pieces their places, those of groups no further to the left than the columns,
// nil for none; it returns where the groups would stand by the lines before them.
func place(all []piece, columns []int) []int {
	next := make([]int, len(columns))
	var end position
	for i := range all {
		p := &all[i]
		switch {
		case p.first(i) && p.lead.of >= 0:
			at := all[p.lead.of].at
			p.at = position{at.tabs, at.column + p.lead.right}
		case p.first(i):
			p.at = position{p.lead.tabs, 0}
		default:
			p.at = position{end.tabs, end.column + p.gap}
			if p.group >= 0 && columns != nil {
				next[p.group] = max(next[p.group], p.at.column)
				p.at.column = max(p.at.column, columns[p.group])
			}
		}
		end = p.end()
	}
	return next
}
