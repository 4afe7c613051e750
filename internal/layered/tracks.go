package layered

// Tracks at the right of all boxes for the edges that have no chain. Two edges share a
// track if their layers are apart: edges by their first layer take the first track that
// is free, which needs as few tracks as there are edges at most over one layer.

import (
	"cmp"
	"container/heap"
	"slices"
)

// tracks are, by edge, the number of its track from 1, or 0.
func (l *layout) tracks() []int {
	track := make([]int, len(l.edges))
	var order []int
	for k, a := range l.around {
		if a {
			order = append(order, k)
		}
	}
	top := func(k int) int { return l.ranks[l.chains[k][0]] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(top(a), top(b)) })
	busy, free, number := &numbers{}, &numbers{}, 0
	for _, k := range order {
		for busy.Len() > 0 && (*busy)[0].until < top(k) {
			done := heap.Pop(busy).(occupied)
			heap.Push(free, occupied{done.track, done.track})
		}
		if free.Len() > 0 {
			track[k] = heap.Pop(free).(occupied).track
		} else {
			number++
			track[k] = number
		}
		c := l.chains[k]
		heap.Push(busy, occupied{l.ranks[c[len(c)-1]], track[k]})
	}
	return track
}

// trackX is where a track is.
func (l *layout) trackX(track int) float64 { return l.right + float64(track)*trackX }

// An occupied track is free again behind a layer.
type occupied struct{ until, track int }

type numbers []occupied

func (h numbers) Len() int { return len(h) }
func (h numbers) Less(i, j int) bool {
	return h[i].until < h[j].until || h[i].until == h[j].until && h[i].track < h[j].track
}
func (h numbers) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *numbers) Push(x any)   { *h = append(*h, x.(occupied)) }
func (h *numbers) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
