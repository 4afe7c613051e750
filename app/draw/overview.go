package draw

// Overviews: a picture with more nodes than can be read is drawn with parts of it folded.
//
// Idea: a node dominates others if all ways from the start to them lead through it. What a node
// dominates is a part with one entry - a procedure, the body of a loop, a block - and parts are
// nested. From the start on, parts are opened as long as there is room: those first that the
// counterexample goes through, then the largest ones. Where that shows next to nothing, as in a
// graph where everything leads everywhere, nodes are grouped instead: by their place or what they
// can do, or else by their distance from the start, or by their numbers.
//
// Source: Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm, Rice University TR-06-33870
// (2001). Cost: that of dominators, which is nearly linear where loops have one entry; of
// more than mostDominated nodes they are not asked for.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/internal/graph"
	"magus/internal/phrase"
)

const (
	mostDominated = 50000
	leastShown    = 4 // one of so many nodes that could be drawn, if parts are to be nested ones
)

// A folding is a part that is drawn as one node.
type folding struct {
	members []int  // that are kept
	about   string // what they have in common; "" for what a node dominates
}

// overview folds parts until no more than so many nodes are drawn.
func (p *part) overview(limit int) {
	limit = max(limit, 1)
	var kept []int
	for i, k := range p.keep {
		if k {
			kept = append(kept, i)
		}
	}
	distance := p.fromStart(kept)
	if p.ended(0) {
		return
	}
	p.folds = nil
	if len(kept) <= mostDominated {
		p.folds = p.nested(kept, distance, limit)
	}
	if p.ended(0) {
		return
	}
	if shown := p.shown(kept); p.folds == nil || shown < limit/leastShown {
		p.folds = p.grouped(kept, distance, limit)
	}
	p.replace()
}

// shown is how many nodes are drawn with the present parts folded.
func (p *part) shown(kept []int) int {
	n := len(kept)
	for _, f := range p.folds {
		n -= len(f.members) - 1
	}
	return n
}

// entries are the kept nodes that are a start, or the first one if none is.
func (p *part) entries(kept []int) []int {
	var starts []int
	for _, i := range kept {
		if p.nodes[i].Start {
			starts = append(starts, i)
		}
	}
	if starts == nil && len(kept) > 0 {
		starts = kept[:1:1]
	}
	return starts
}

// fromStart are the distances of kept nodes from the start along kept ones; those of others that
// are not reached come behind all.
func (p *part) fromStart(kept []int) []int {
	inside := slices.DeleteFunc(slices.Clone(p.edges), func(e graph.Edge) bool {
		return !p.keep[e.From] || !p.keep[e.To]
	})
	distance := (&part{Picture: p.Picture, edges: inside}).distances(p.entries(kept), false)
	for i, d := range distance {
		if d < 0 {
			distance[i] = len(p.nodes)
		}
	}
	return distance
}

// nested opens parts that are nested, from the start on.
func (p *part) nested(kept, distance []int, limit int) map[int]folding {
	above := p.dominators(kept)
	if p.ended(0) {
		return nil
	}
	children, roots := map[int][]int{}, []int(nil)
	red := map[int]bool{} // the counterexample goes through the part
	for _, i := range kept {
		if a := above[i]; a >= 0 {
			children[a] = append(children[a], i)
		} else {
			roots = append(roots, i)
		}
		for at := i; p.nodes[i].Highlight && at >= 0 && !red[at]; at = above[at] {
			red[at] = true
		}
	}
	if len(roots) > limit {
		return nil
	}
	open, size := slices.Clone(roots), sizes(roots, children, len(p.nodes))
	first := func(a, b int) int {
		if red[a] != red[b] {
			if red[a] {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(distance[a], distance[b]),
			cmp.Compare(a, b))
	}
	shown, folds := len(roots), map[int]folding{}
	for len(open) > 0 {
		next := slices.MinFunc(open, first)
		open = slices.DeleteFunc(open, func(i int) bool { return i == next })
		cs := children[next]
		if shown+len(cs) > limit {
			folds[next] = folding{members: within(next, children)}
			continue
		}
		shown += len(cs)
		open = append(open, cs...)
	}
	return folds
}

// sizes are by node how many nodes it dominates, itself included.
func sizes(roots []int, children map[int][]int, n int) []int {
	size, order := make([]int, n), slices.Clone(roots)
	for at := 0; at < len(order); at++ {
		order = append(order, children[order[at]]...)
	}
	for _, i := range slices.Backward(order) {
		size[i] = 1
		for _, c := range children[i] {
			size[i] += size[c]
		}
	}
	return size
}

// within are a node and what it dominates.
func within(i int, children map[int][]int) []int {
	all := []int{i}
	for at := 0; at < len(all); at++ {
		all = append(all, children[all[at]]...)
	}
	return all
}

// dominators give for each kept node the one nearest before it that all ways lead through; -1 where
// there is none.
func (p *part) dominators(kept []int) []int {
	d := p.dominance(kept)
	for changed := true; changed && !p.ended(0); {
		changed = false
		for _, i := range slices.Backward(d.order) {
			if i == d.root {
				continue
			}
			if best := d.nearest(i); best != d.above[i] {
				d.above[i], changed = best, true
			}
		}
	}
	above := d.above[:d.root]
	for i := range above {
		if above[i] == d.root {
			above[i] = -1
		}
	}
	return above
}

// dominance is the search for dominators: Cooper, Harvey, Kennedy, A Simple, Fast Dominance Algorithm, 2001.
type dominance struct {
	root    int // before all starts
	out, in [][]int
	number  []int // in post-order
	order   []int
	met     []bool
	above   []int // the nearest dominator known so far; -1: none
}

// dominance is the search in its beginning: the kept nodes in post-order.
func (p *part) dominance(kept []int) *dominance {
	n := len(p.nodes)
	d := &dominance{root: n, out: make([][]int, n+1), in: make([][]int, n+1), number: make([]int, n+1),
		met: make([]bool, n+1), above: slices.Repeat([]int{-1}, n+1)}
	d.above[n] = n
	for _, e := range p.edges {
		if p.keep[e.From] && p.keep[e.To] {
			d.add(e.From, e.To)
		}
	}
	for _, i := range p.entries(kept) {
		d.add(n, i)
	}
	for _, i := range kept { // what no start leads to begins somewhere of its own
		if len(d.in[i]) == 0 {
			d.add(n, i)
		}
	}
	d.visit(n)
	for _, i := range kept {
		if !d.met[i] {
			d.add(n, i)
			d.order = d.order[:len(d.order)-1]
			d.visit(i)
			d.number[n], d.order = len(d.order), append(d.order, n)
		}
	}
	return d
}

func (d *dominance) add(a, b int) { d.out[a], d.in[b] = append(d.out[a], b), append(d.in[b], a) }

// visit numbers what a node leads to, and then the node.
func (d *dominance) visit(from int) {
	type frame struct{ at, next int }
	d.met[from] = true
	for stack := []frame{{from, 0}}; len(stack) > 0; {
		f := &stack[len(stack)-1]
		if f.next == len(d.out[f.at]) {
			d.number[f.at] = len(d.order)
			d.order = append(d.order, f.at)
			stack = stack[:len(stack)-1]
			continue
		}
		to := d.out[f.at][f.next]
		f.next++
		if !d.met[to] {
			d.met[to] = true
			stack = append(stack, frame{to, 0})
		}
	}
}

// nearest is the dominator of a node by what is known of those before it.
func (d *dominance) nearest(i int) int {
	best := -1
	for _, from := range d.in[i] {
		switch {
		case d.above[from] < 0:
		case best < 0:
			best = from
		default:
			best = d.meet(best, from)
		}
	}
	return best
}

// meet is the nearest node above two.
func (d *dominance) meet(a, b int) int {
	for a != b {
		for d.number[a] < d.number[b] {
			a = d.above[a]
		}
		for d.number[b] < d.number[a] {
			b = d.above[b]
		}
	}
	return a
}

// grouped groups nodes by their place or by what they can do, or by their distance from the start.
func (p *part) grouped(kept, distance []int, limit int) map[int]folding {
	alone := func(i int) bool { return p.nodes[i].Start || p.nodes[i].Highlight }
	singles := 0
	for _, i := range kept {
		if alone(i) {
			singles++
		}
	}
	if singles > limit/2 {
		alone, singles = func(i int) bool { return p.nodes[i].Start }, 1
	}
	room := max(1, limit-singles)
	by := func(key func(int) string) map[string][]int {
		groups := map[string][]int{}
		for _, i := range kept {
			if !alone(i) {
				k := key(i)
				groups[k] = append(groups[k], i)
			}
		}
		return groups
	}
	alike := p.alike()
	groups := by(func(i int) string { return alike[i] })
	if len(groups) > room {
		steps := 1
		for _, i := range kept {
			if d := distance[i]; d < len(p.nodes) {
				steps = max(steps, d+1)
			}
		}
		per := (steps + room - 1) / room
		if per > 1 || steps == room {
			per = (steps + room - 2) / max(1, room-1) // one for what is not reached
		}
		groups = by(func(i int) string {
			from := distance[i] / per * per
			switch {
			case distance[i] == len(p.nodes):
				return "not reached from the start"
			case per == 1:
				return phrase.Plural(from, "step") + " from the start"
			}
			return fmt.Sprintf("%d to %d steps from the start", from, min(from+per, steps)-1)
		})
	}
	if len(groups) == 1 { // nothing tells them apart
		all := 0
		for _, i := range kept {
			if !alone(i) {
				all++
			}
		}
		per, at := (all+room-1)/room, -1
		groups = by(func(int) string {
			at++
			return fmt.Sprintf("group %d of those that are alike", at/per+1)
		})
	}
	folds := map[int]folding{}
	for about, members := range groups {
		if len(members) > 1 {
			folds[members[0]] = folding{members, about}
		}
	}
	return folds
}

// alike says of each node at which place it is, if nodes have places, or else what it can do.
func (p *part) alike() []string {
	if p.place != nil {
		all := make([]string, len(p.nodes))
		for i := range all {
			if place, ok := p.place(i); ok {
				all[i] = fmt.Sprintf("at line %d", place.line)
			} else {
				all[i] = "at no line"
			}
		}
		return all
	}
	can := make([][]string, len(p.nodes))
	for _, e := range p.edges {
		if p.keep[e.From] && e.Label != "τ" && e.Label != "" {
			can[e.From] = append(can[e.From], strings.Split(e.Label, "\n")...)
		}
	}
	all := make([]string, len(p.nodes))
	for i, labels := range can {
		slices.Sort(labels)
		labels = slices.Compact(labels)
		if all[i] = "with " + strings.Join(labels, ", "); len(labels) == 0 {
			all[i] = "without an action"
		}
	}
	return all
}

// replace puts one node in the place of each folded part.
func (p *part) replace() {
	standsFor := make([]int, len(p.nodes))
	for i := range standsFor {
		standsFor[i] = i
	}
	for i, f := range p.folds {
		if len(f.members) < 2 {
			delete(p.folds, i)
			continue
		}
		for _, m := range f.members {
			standsFor[m], p.keep[m] = i, m == i
		}
	}
	met := map[graph.Edge]bool{}
	var edges []graph.Edge
	p.looping = map[int]bool{}
	for k, e := range p.edges {
		if p.ended(k) {
			return
		}
		from, to := standsFor[e.From], standsFor[e.To]
		if _, folded := p.folds[from]; folded && from == to {
			p.looping[from] = p.looping[from] || e.To == from
			continue
		}
		// What a row of decisions says of its edges is of no use at a part.
		if _, folded := p.folds[from]; folded && p.decides != nil {
			e.Label = ""
		}
		e.From, e.To = from, to
		if !met[e] {
			met[e] = true
			edges = append(edges, e)
		}
	}
	p.edges = edges
}

// held is how many nodes of the picture a kept node stands for, with its piece and its row.
func (p *part) held(i int) int {
	n := 1 + len(p.pieces[i]) + p.merged[i]
	for _, k := range p.rows[i] {
		n += p.held(k)
	}
	return n
}

// heldBy is how many nodes of the picture a folded part has.
func (p *part) heldBy(f folding) (n int) {
	for _, m := range f.members {
		n += p.held(m)
	}
	return n
}

// foldedLabel says what is in a folded part.
func (p *part) foldedLabel(i int) string {
	f := p.folds[i]
	text := fmt.Sprintf("part %d: %s", i, phrase.Plural(p.heldBy(f), p.noun))
	if p.looping[i] && f.about == "" {
		text += ", with a loop"
	}
	if f.about != "" {
		return text + "\n  " + strings.Join(broken(f.about, labelWidth), "\n  ")
	}
	if where := p.where(f); where != "" {
		text += "\n  " + where
	}
	begins, _, _ := strings.Cut(p.text(i, nil), "\n")
	return text + "\n  begins with " + phrase.Clip(begins, labelWidth-12)
}

// A place is where a node is in the source.
type place struct {
	procedure string
	line      int
}

// where is the procedure of a folded part, and its lines.
func (p *part) where(f folding) string {
	if p.place == nil {
		return ""
	}
	entry, ok := p.place(f.members[0])
	if !ok {
		return ""
	}
	from, to, procedures := entry.line, entry.line, map[string]bool{}
	for _, m := range f.members {
		if at, ok := p.place(m); ok {
			procedures[at.procedure] = true
			from, to = min(from, at.line), max(to, at.line)
		}
	}
	switch {
	case len(procedures) > 1:
		return fmt.Sprintf("from line %d on, in %d procedures", entry.line, len(procedures))
	case to > from:
		return fmt.Sprintf("%s, lines %d to %d", entry.procedure, from, to)
	}
	return fmt.Sprintf("%s, line %d", entry.procedure, from)
}

// overviewNote says what is folded; "" if nothing is.
func (p *part) overviewNote() string {
	n := 0
	for _, f := range p.folds {
		n += p.heldBy(f)
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("an overview, with %s in %s", phrase.Plural(n, p.noun),
		phrase.Plural(len(p.folds), "folded part"))
}

// foldedNames are the numbers of the folded parts.
func (p *part) foldedNames() string {
	var all []string
	for i := range p.keep {
		if _, folded := p.folds[i]; folded {
			all = append(all, strconv.Itoa(i))
		}
	}
	return phrase.Few(all, 12)
}
