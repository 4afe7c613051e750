package layered

// The layer of each box: the length of a longest path to it, over edges that do not
// close a loop of a depth-first search from the roots. A box with more edges down than
// up is then pulled down to what it leads to, which makes edges shorter. Linear.

import (
	"context"
	"slices"
)

func (l *layout) rank(ctx context.Context) error {
	n := len(l.boxes)
	out, in := make([][]int, n), make([]int, n)
	for k, e := range l.edges {
		if e.between() {
			out[e.From] = append(out[e.From], k)
			in[e.To]++
		}
	}
	var post []int
	l.ranks = make([]int, n)
	for _, step := range []func(){
		func() { post = l.backEdges(out, in) },
		func() { l.spread(post) },
		func() {
			if l.width > 0 {
				l.bound(post)
			} else {
				l.pull(post)
			}
		},
	} {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		step()
	}
	for i := range l.ranks {
		l.ranks[i] *= l.doubled
	}
	return context.Cause(ctx)
}

// pull moves boxes with more edges down than up to the layer above what they lead to.
func (l *layout) pull(post []int) {
	n := len(l.boxes)
	above, below := make([][]int, n), make([][]int, n)
	for k, e := range l.edges {
		if e.between() {
			top, bottom := l.ends(k)
			above[bottom], below[top] = append(above[bottom], top), append(below[top], bottom)
		}
	}
	for _, i := range post { // those below come first
		if l.boxes[i].Root || len(below[i]) <= len(above[i]) {
			continue
		}
		lowest := l.ranks[below[i][0]]
		for _, to := range below[i] {
			lowest = min(lowest, l.ranks[to])
		}
		l.ranks[i] = lowest - 1
	}
}

// bound moves boxes down from layers that are full, in the order of the
// search, so that what belongs together stays so.
func (l *layout) bound(post []int) {
	widths := make([]float64, len(l.boxes)) // of the labels below a box, or its own
	below := make([][]int, len(l.boxes))
	for k, e := range l.edges {
		if e.From == e.To {
			continue
		}
		widths[e.From] += e.W + thinX + labelGap
		top, bottom := l.ends(k)
		below[top] = append(below[top], bottom)
	}
	least := make([]int, len(l.boxes))  // layers that boxes must not be above
	free := make([]int, len(l.boxes)+1) // by layer: itself, or one below that may have room
	taken := make([]float64, len(free))
	for r := range free {
		free[r] = r
	}
	find := func(r int) int {
		for free[r] != r {
			free[r] = free[free[r]]
			r = free[r]
		}
		return r
	}
	for _, i := range slices.Backward(post) {
		r := find(least[i])
		l.ranks[i] = r
		taken[r] += max(widths[i], l.boxes[i].W) + gapX
		if taken[r] >= l.width {
			free[r] = r + 1
		}
		for _, to := range below[i] {
			least[to] = max(least[to], r+1)
		}
	}
}

// ends are the upper and the lower end of an edge.
func (l *layout) ends(k int) (top, bottom int) {
	if e := l.edges[k]; l.reversed[k] {
		return e.To, e.From
	} else {
		return e.From, e.To
	}
}

// backEdges finds the edges that close a loop. It gives the boxes in the order in which the
// search left them.
func (l *layout) backEdges(out [][]int, in []int) (post []int) {
	n := len(l.boxes)
	l.reversed = make([]bool, len(l.edges))
	var starts []int
	for i := range n {
		if l.boxes[i].Root {
			starts = append(starts, i)
		}
	}
	for i := range n {
		if in[i] == 0 {
			starts = append(starts, i)
		}
	}
	for i := range n {
		starts = append(starts, i)
	}
	const (
		fresh = iota
		open
		left
	)
	state := make([]int8, n)
	type visit struct{ at, next int }
	for _, s := range starts {
		if state[s] != fresh {
			continue
		}
		state[s] = open
		for stack := []visit{{s, 0}}; len(stack) > 0; {
			v := &stack[len(stack)-1]
			if v.next == len(out[v.at]) {
				state[v.at] = left
				post = append(post, v.at)
				stack = stack[:len(stack)-1]
				continue
			}
			k := out[v.at][v.next]
			v.next++
			switch to := l.edges[k].To; state[to] {
			case fresh:
				state[to] = open
				stack = append(stack, visit{to, 0})
			case open:
				l.reversed[k] = true
			}
		}
	}
	return post
}

// spread gives each box the length of a longest path to it. An edge that is turned
// goes up the tree of the search, to a box that is left later, so the order holds for
// it too: it leads down from there.
func (l *layout) spread(post []int) {
	below := make([][]int, len(l.boxes))
	for k, e := range l.edges {
		if e.between() {
			top, bottom := l.ends(k)
			below[top] = append(below[top], bottom)
		}
	}
	for _, i := range slices.Backward(post) {
		for _, to := range below[i] {
			l.ranks[to] = max(l.ranks[to], l.ranks[i]+1)
		}
	}
}
