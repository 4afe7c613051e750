package threads

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/events"
	"magus/cfa/events/order"
	"magus/smt/expr"
)

// A hand makes programs of events by hand: cells begin with 0.
type hand struct {
	p      *events.Program
	always *events.Guard
	cells  map[string]int
	values map[string]*expr.Expr
}

var word = expr.Type{Width: 4}

// byHand reads threads: "Wx1" writes 1, "Wx=a" the value of a, "Wx=a+1" one more, "a=Rx" reads, "a=Ax+1"
// reads and writes one more at once, "?a1" goes on only if a is 1.
func byHand(threads ...string) *hand {
	pool := expr.NewPool()
	h := &hand{p: &events.Program{Pool: pool}, always: events.Always(pool), cells: map[string]int{},
		values: map[string]*expr.Expr{}}
	for _, t := range threads {
		for _, op := range strings.Fields(t) {
			if i := strings.IndexAny(op, "WRA"); i >= 0 {
				h.cell(op[i+1 : i+2])
			}
		}
	}
	init := h.node(0)
	for c := range h.p.Cells {
		h.event(events.Event{Thread: 0, Node: init, Cell: c, Write: true, Guard: h.always, Value: pool.Const(word, 0)})
	}
	for t, ops := range threads {
		h.thread(t+1, init, strings.Fields(ops))
	}
	return h
}

func (h *hand) cell(name string) int {
	c, ok := h.cells[name]
	if !ok {
		c = len(h.p.Cells)
		h.cells[name] = c
		h.p.Cells = append(h.p.Cells, h.p.Pool.Var(name, word))
	}
	return c
}

func (h *hand) node(t int) order.Node {
	h.p.Thread = append(h.p.Thread, t)
	h.p.Nodes++
	return order.Node(h.p.Nodes - 1)
}

func (h *hand) event(e events.Event) { h.p.Events = append(h.p.Events, e) }

func (h *hand) thread(t int, init order.Node, ops []string) {
	guard, first := h.always, true
	for _, op := range ops {
		if op[0] == '?' {
			guard = guard.And(h.p.Pool, h.p.Pool.Eq(h.values[op[1:2]], h.p.Pool.Const(word, uint64(op[2]-'0'))))
			continue
		}
		n := h.node(t)
		if first {
			h.p.Edges = append(h.p.Edges, events.Edge{From: init, To: n})
			first = false
		}
		e := events.Event{Thread: t, Node: n, Guard: guard}
		if op[0] == 'W' {
			e.Cell, e.Write, e.Value = h.cell(op[1:2]), true, h.term(op[2:])
			h.event(e)
			continue
		}
		name := op[:1]
		h.values[name] = h.p.Pool.Var(name+"!", word)
		e.Cell, e.Value = h.cell(op[3:4]), h.values[name]
		h.event(e)
		if op[2] == 'A' {
			e.Write, e.Value = true, h.p.Pool.Add(e.Value, h.p.Pool.Const(word, 1))
			h.event(e)
		}
	}
}

func (h *hand) term(text string) *expr.Expr {
	if text[0] != '=' {
		return h.p.Pool.Const(word, uint64(text[0]-'0'))
	}
	v := h.values[text[1:2]]
	if len(text) > 2 {
		v = h.p.Pool.Add(v, h.p.Pool.Const(word, 1))
	}
	return v
}

// goal is "a1 b0": values that were read.
func (h *hand) goal(text string) *expr.Expr {
	var terms []*expr.Expr
	for _, g := range strings.Fields(text) {
		terms = append(terms, h.p.Pool.Eq(h.values[g[:1]], h.p.Pool.Const(word, uint64(g[1]-'0'))))
	}
	return h.p.Pool.Land(terms...)
}

// deciders are all orders for a program, by themselves and with slicing.
func deciders(t *testing.T, p *events.Program) map[string]decider {
	all := map[string]decider{}
	for _, o := range []Order{Full, Refined, ByTheory} {
		for _, slice := range []bool{false, true} {
			d, _, err := newDecider(context.Background(), p, Options{Order: o, Slice: slice}, nil, &Stats{})
			require.NoError(t, err)
			if slice {
				o += " sliced"
			}
			all[string(o)] = d
		}
	}
	return all
}

// TestLitmus has the litmus tests of weak memory: what sequential consistency allows.
func TestLitmus(t *testing.T) {
	for _, c := range []struct {
		name    string
		threads []string
		goal    string
		allowed bool
	}{
		{"SB", []string{"Wx1 a=Ry", "Wy1 b=Rx"}, "a0 b0", false},
		{"SB, one sees", []string{"Wx1 a=Ry", "Wy1 b=Rx"}, "a1 b0", true},
		{"MP", []string{"Wx1 Wy1", "a=Ry b=Rx"}, "a1 b0", false},
		{"MP, too early", []string{"Wx1 Wy1", "a=Ry b=Rx"}, "a0 b1", true},
		{"LB", []string{"a=Rx Wy1", "b=Ry Wx1"}, "a1 b1", false},
		{"R", []string{"Wx1 Wy1", "Wy2 a=Rx", "b=Ry c=Ry"}, "a0 b1 c2", false},
		{"R, other order", []string{"Wx1 Wy1", "Wy2 a=Rx", "b=Ry c=Ry"}, "a0 b2 c1", true},
		{"S", []string{"Wx2 Wy1", "a=Ry Wx1", "b=Rx c=Rx"}, "a1 b1 c2", false},
		{"2+2W", []string{"Wx1 Wy2", "Wy1 Wx2", "a=Rx b=Rx", "c=Ry d=Ry"}, "a2 b1 c2 d1", false},
		{"2+2W, one order", []string{"Wx1 Wy2", "Wy1 Wx2", "a=Rx b=Rx", "c=Ry d=Ry"}, "a2 b1 c1 d2", true},
		{"IRIW", []string{"Wx1", "Wy1", "a=Rx b=Ry", "c=Ry d=Rx"}, "a1 b0 c1 d0", false},
		{"CoRR", []string{"Wx1", "a=Rx b=Rx"}, "a1 b0", false},
		{"CoRR, two writers", []string{"Wx1", "Wx2", "a=Rx b=Rx", "c=Rx d=Rx"}, "a1 b2 c2 d1", false},
		{"increments lost", []string{"a=Rx Wx=a+1", "b=Rx Wx=b+1", "c=Rx"}, "a0 b0", true},
		{"increments at once", []string{"a=Ax+1", "b=Ax+1", "c=Rx"}, "a0 b0", false},
		{"waiting", []string{"Wx1 Wy1", "a=Ry ?a1 b=Rx"}, "a1 b1", true},
		{"waiting, too early", []string{"Wx1 Wy1", "a=Ry ?a1 b=Rx ?b0 Wz1", "c=Rz"}, "c1", false},
	} {
		h := byHand(c.threads...)
		for name, d := range deciders(t, h.p) {
			found, linear, err := d.decide(context.Background(), h.goal(c.goal))
			require.NoError(t, err)
			require.Equal(t, c.allowed, found, "%s by %s", c.name, name)
			if found {
				h.follow(t, d, linear, c.name+" by "+name)
			}
		}
	}
}

// follow executes the events in an order, and compares what they read.
func (h *hand) follow(t *testing.T, d decider, linear []order.Node, what string) {
	require.Len(t, linear, h.p.Nodes)
	memory := make([]uint64, len(h.p.Cells))
	model := expr.NewValuation(d.value)
	for _, n := range linear {
		for _, e := range h.p.Events { // a node reads before it writes
			if e.Node != n || model.Of(e.Guard.Term()) == 0 {
				continue
			}
			if e.Write {
				memory[e.Cell] = model.Of(e.Value)
			} else {
				require.Equal(t, memory[e.Cell], model.Of(e.Value), what)
			}
		}
	}
}

// TestFigure2 is the program of figure 2 of Yin et al. (2017): safe.
func TestFigure2(t *testing.T) {
	h := byHand("a=Ry Wx=a+1 b=Ry Wm=b Wx0", "c=Rx Wy=c+1 d=Rx Wn=d Wy0")
	// x and y begin with 1: both are written before.
	for i := range h.p.Events {
		if e := &h.p.Events[i]; e.Thread == 0 && (e.Cell == h.cells["x"] || e.Cell == h.cells["y"]) {
			e.Value = h.p.Pool.Const(word, 1)
		}
	}
	for name, d := range deciders(t, h.p) {
		found, _, err := d.decide(context.Background(), h.goal("b1 d1"))
		require.NoError(t, err)
		require.False(t, found, name)
	}
}

// TestRandomAgainstClocks compares the orders with each other on random programs with waiting.
func TestRandomAgainstClocks(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 5))
	counts := map[bool]int{}
	for range 600 {
		var threads []string
		name := 'a'
		var all []string
		for range 2 + r.IntN(3) {
			var ops, read []string
			for range 1 + r.IntN(5) {
				cell := string("xyz"[r.IntN(3)])
				switch k := r.IntN(8); {
				case k < 3 && name <= 'v':
					ops = append(ops, fmt.Sprintf("%c=R%s", name, cell))
					read = append(read, string(name))
					name++
				case k == 3 && name <= 'v':
					ops = append(ops, fmt.Sprintf("%c=A%s+1", name, cell))
					read = append(read, string(name))
					name++
				case k == 4 && len(read) > 0:
					ops = append(ops, fmt.Sprintf("?%s%d", read[r.IntN(len(read))], r.IntN(3)))
				case k == 5 && len(read) > 0:
					ops = append(ops, fmt.Sprintf("W%s=%s+1", cell, read[r.IntN(len(read))]))
				default:
					ops = append(ops, fmt.Sprintf("W%s%d", cell, 1+r.IntN(2)))
				}
			}
			all = append(all, read...)
			threads = append(threads, strings.Join(ops, " "))
		}
		h := byHand(threads...)
		var goal []string
		for _, v := range all {
			if r.IntN(2) == 0 {
				goal = append(goal, fmt.Sprintf("%s%d", v, r.IntN(3)))
			}
		}
		var answers []bool
		ways := deciders(t, h.p)
		for _, name := range slices.Sorted(maps.Keys(ways)) {
			d := ways[name]
			found, linear, err := d.decide(context.Background(), h.goal(strings.Join(goal, " ")))
			require.NoError(t, err)
			if found {
				h.follow(t, d, linear, fmt.Sprint(threads, goal, name))
			}
			answers = append(answers, found)
		}
		counts[answers[0]]++
		require.Len(t, slices.Compact(answers), 1, "%q %q", threads, goal)
	}
	require.Greater(t, counts[true], 100)
	require.Greater(t, counts[false], 100)
}

// TestLikelyAreGivenUp has a read that sees one write in runs, an error there, one where it sees another, and
// one that is nowhere.
func TestLikelyAreGivenUp(t *testing.T) {
	h := byHand("Wx1 Wx2", "a=Rx")
	h.p.Locs = make([]cfa.Loc, h.p.Nodes)
	for n := range h.p.Locs {
		h.p.Locs[n] = cfa.Loc(n)
	}
	read := slices.IndexFunc(h.p.Events, func(e events.Event) bool { return !e.Write })
	seen := likelies{access{h.p.Cells[0], cfa.Loc(h.p.Events[read].Node)}: {cfa.Loc(h.p.Events[2].Node): true}}
	for _, c := range []struct {
		goal          string
		found         bool
		left, queries int
	}{{"a2", true, 1, 1}, {"a1", true, 0, 2}, {"a3", false, 1, 1}} {
		stats := &Stats{}
		d, _, err := newDecider(context.Background(), h.p, Options{Likely: true}, seen, stats)
		require.NoError(t, err)
		found, _, err := d.decide(context.Background(), h.goal(c.goal))
		require.NoError(t, err)
		require.Equal(t, c.found, found, c.goal)
		require.Equal(t, []int{1, 2, c.left, c.queries}, []int{stats.Likely, stats.Saved, stats.Left, stats.Queries}, c.goal)
	}
}

// TestSlicesAreReconstructed has an error that is there only where reads of a variable see anything, one that
// needs no look at the second variable, and one that is there.
func TestSlicesAreReconstructed(t *testing.T) {
	for _, c := range []struct {
		name, goal  string
		threads     []string
		found       bool
		kept        int
		refinements bool
	}{
		{"the other variable does not matter", "a3", []string{"Wx1 Wy1", "a=Rx b=Ry"}, false, 1, false},
		{"what is written depends on the other one", "a3", []string{"Wy1", "b=Ry Wx=b", "a=Rx"}, false, 1, true},
		{"there is an error", "a1", []string{"Wy1", "b=Ry Wx=b", "a=Rx"}, true, 2, false},
	} {
		h := byHand(c.threads...)
		stats := &Stats{}
		d, _, err := newDecider(context.Background(), h.p, Options{Slice: true}, nil, stats)
		require.NoError(t, err)
		found, _, err := d.decide(context.Background(), h.goal(c.goal))
		require.NoError(t, err)
		require.Equal(t, c.found, found, c.name)
		require.Equal(t, c.kept, stats.Kept, c.name)
		require.Equal(t, c.refinements, stats.Refinements > 0, c.name)
	}
}
