package assertion

// A loop through a strongly connected part.
//
// Idea: the shortest way to what is still missing, again and again, and back to the start.
//
// Cost: for each thing that is missing, the arcs of the part.

import (
	"context"

	"magus/lts"
)

// longestRound bounds the transitions that a loop is made to take, which with fair choice are all of its part.
const longestRound = 24

// A tour goes through a part, from a node on.
type tour struct {
	*search
	at     int
	inside func(int, *arc) bool
	path   []lts.Edge
	good   uint64
	moves  bool
	taken  map[step]bool
}

// round is a run that goes round from where the tour begins, through all that makes the part accepted; nil if
// the context ends.
func (t *tour) round(ctx context.Context, in *within, fair bool) *Run {
	start := t.at
	whole := fair && len(in.taken) <= longestRound
	wanted := func(n int, c *arc) bool {
		return len(t.path) == 0 && t.good == in.good && t.moves == in.moves ||
			c.good&^t.good != 0 || c.moves && !t.moves || whole && !t.taken[step{t.nodes[n].state, c.k}]
	}
	for t.good != in.good || t.moves != in.moves || whole && len(t.taken) < len(in.taken) || len(t.path) == 0 {
		if ctx.Err() != nil || !t.to(ctx, wanted) {
			return nil
		}
	}
	if t.at != start && !t.to(ctx, func(_ int, c *arc) bool { return c.to == start }) {
		return nil
	}
	return &Run{Stem: t.stem(start), Loop: t.path, Rest: fair && len(t.taken) < len(in.taken)}
}

// to goes the shortest way to an arc that is wanted, and takes it; false if the context ends.
func (t *tour) to(ctx context.Context, wanted func(int, *arc) bool) bool {
	type came struct {
		from int
		arc  *arc
	}
	by, todo := map[int]came{t.at: {-1, nil}}, []int{t.at}
	for i := 0; i < len(todo); i++ {
		n := todo[i]
		if i%1024 == 1023 && ctx.Err() != nil {
			return false
		}
		for k := range t.arcs[n] {
			c := &t.arcs[n][k]
			if !t.inside(n, c) {
				continue
			}
			if wanted(n, c) {
				way := []came{{n, c}}
				for x := n; by[x].arc != nil; x = by[x].from {
					way = append(way, by[x])
				}
				for k := len(way) - 1; k >= 0; k-- {
					t.take(way[k].from, way[k].arc)
				}
				return true
			}
			if _, met := by[c.to]; !met {
				by[c.to] = came{n, c}
				todo = append(todo, c.to)
			}
		}
	}
	return false
}

func (t *tour) take(n int, c *arc) {
	t.path = append(t.path, t.edge(n, c))
	t.at, t.good, t.moves = c.to, t.good|c.good, t.moves || c.moves
	t.taken[step{t.nodes[n].state, c.k}] = true
}
