package order_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/events/order"
	"magus/internal/sample"
)

// An execution is a random event order graph: threads in a row, cells, a link for each read.
type execution struct {
	nodes  int
	thread []int // by node
	edges  [][2]order.Node
	writes []at // all
	reads  []at
	happen []bool // by write
	link   []int  // by read: the write it sees
}

type at struct {
	node order.Node
	cell order.Cell
}

// draw makes an execution: most nodes have one access, some are sections.
func draw(r *rand.Rand, most int) *execution {
	x := &execution{}
	threads, cells := 2+r.IntN(4), 1+r.IntN(4)
	last := make([]order.Node, threads)
	for t := range last {
		last[t] = -1
	}
	for range 3 + r.IntN(most) {
		n, t := order.Node(x.nodes), r.IntN(threads)
		x.nodes++
		x.thread = append(x.thread, t)
		if last[t] >= 0 {
			x.edges = append(x.edges, [2]order.Node{last[t], n})
		}
		last[t] = n
		x.access(r, at{n, order.Cell(r.IntN(cells))})
	}
	for i := order.Node(0); i < order.Node(x.nodes); i++ { // a few joins
		if j := order.Node(r.IntN(x.nodes)); r.IntN(12) == 0 && i < j {
			x.edges = append(x.edges, [2]order.Node{i, j})
		}
	}
	kept := x.reads[:0]
	for _, rd := range x.reads {
		var from []int
		for w, wr := range x.writes {
			if wr.cell == rd.cell && wr.node != rd.node && x.happen[w] {
				from = append(from, w)
			}
		}
		if len(from) > 0 {
			kept, x.link = append(kept, rd), append(x.link, from[r.IntN(len(from))])
		}
	}
	x.reads = kept
	return x
}

func (x *execution) access(r *rand.Rand, a at) {
	kind := r.IntN(7)
	if kind < 4 || kind == 6 {
		x.reads = append(x.reads, a)
	}
	if kind >= 3 {
		x.writes, x.happen = append(x.writes, a), append(x.happen, r.IntN(8) > 0)
	}
}

func (x *execution) graph() *order.Graph {
	g := order.New(x.nodes)
	for _, e := range x.edges {
		g.Edge(e[0], e[1])
	}
	for _, w := range x.writes {
		g.Write(w.node, w.cell)
	}
	for _, r := range x.reads {
		g.Read(r.node, r.cell)
	}
	return g
}

// facts are numbered: the literal of write w is 2w, that of the link of read r is 2r+1.
func (x *execution) facts() []order.Fact {
	var facts []order.Fact
	for w, yes := range x.happen {
		if yes {
			facts = append(facts, order.Fact{Kind: order.Happens, Lit: order.Lit(2 * w), W: order.Access(w)})
		}
	}
	for r, w := range x.link {
		facts = append(facts, order.Fact{Kind: order.Sees, Lit: order.Lit(2*r + 1), W: order.Access(w), R: order.Access(r)})
	}
	return facts
}

// feasible tries all orders: which nodes have been executed, and who wrote each cell last. Only
// the facts of the given literals count; nil stands for all.
func (x *execution) feasible(lits []order.Lit) bool {
	holds := func(l int) bool { return lits == nil || slices.Contains(lits, order.Lit(l)) }
	dead := map[string]bool{}
	var try func(done uint64, last [4]int) bool
	try = func(done uint64, last [4]int) bool {
		if done == 1<<x.nodes-1 {
			return true
		}
		key := fmt.Sprint(done, last)
		if dead[key] {
			return false
		}
		for n := range order.Node(x.nodes) {
			if done>>n&1 != 0 || slices.ContainsFunc(x.edges,
				func(e [2]order.Node) bool { return e[1] == n && done>>e[0]&1 == 0 }) {
				continue
			}
			ok, next := true, last
			for r, rd := range x.reads {
				if rd.node == n && holds(2*r+1) && last[rd.cell] != x.link[r]+1 {
					ok = false
				}
			}
			for w, wr := range x.writes {
				if wr.node == n && x.happen[w] && (holds(2*w) || x.linked(w, holds)) {
					next[wr.cell] = w + 1
				}
			}
			if ok && try(done|1<<n, next) {
				return true
			}
		}
		dead[key] = true
		return false
	}
	return try(0, [4]int{})
}

// linked reports whether a link that counts is from a write, which happens then.
func (x *execution) linked(w int, holds func(l int) bool) bool {
	for r, from := range x.link {
		if from == w && holds(2*r+1) {
			return true
		}
	}
	return false
}

// follow executes an order and compares what each read sees.
func (x *execution) follow(t *testing.T, linear []order.Node) {
	place := make([]int, x.nodes)
	for i, n := range linear {
		place[n] = i
	}
	for _, e := range x.edges {
		require.Less(t, place[e[0]], place[e[1]])
	}
	for r, w := range x.link {
		last := -1
		for v, wr := range x.writes {
			if wr.cell == x.reads[r].cell && x.happen[v] && place[wr.node] < place[x.reads[r].node] &&
				(last < 0 || place[wr.node] > place[x.writes[last].node]) {
				last = v
			}
		}
		require.Equal(t, w, last)
	}
}

// TestAgainstAllOrders compares closure, completing search and reasons with a search of all orders.
func TestAgainstAllOrders(t *testing.T) {
	sample.Long(t)
	ctx := context.Background()
	counts := map[string]int{}
	r := rand.New(rand.NewPCG(17, 1))
	for range 20_000 {
		x := draw(r, 9)
		c := order.NewClosure(x.graph())
		for _, f := range x.facts() {
			c.Add(f)
		}
		reason, err := c.Close(ctx)
		require.NoError(t, err)
		kind := "cyclic"
		if reason == nil {
			kind = "open"
			if c.Total() {
				kind = "total"
			}
			reason, err = c.Complete(ctx)
			require.NoError(t, err)
			if reason != nil {
				kind = "completing fails"
			}
		}
		counts[kind]++
		require.Equal(t, x.feasible(nil), reason == nil, "%+v", x)
		if reason == nil {
			x.follow(t, c.Linear(func(a, b order.Node) bool { return x.thread[a] == x.thread[b] }))
		} else {
			require.False(t, x.feasible(reason), "%+v: %v", x, reason)
		}
	}
	t.Log(counts)
	for _, kind := range []string{"cyclic", "open", "total"} {
		require.Greater(t, counts[kind], 500, kind)
	}
}

// TestKernels: each kernel is a contradiction, and none of its literals can go.
func TestKernels(t *testing.T) {
	ctx := context.Background()
	several := 0
	r := rand.New(rand.NewPCG(17, 2))
	for range 2000 {
		x := draw(r, 9)
		c := order.NewClosure(x.graph())
		kernels, err := c.Kernels(ctx, x.facts(), 400)
		require.NoError(t, err)
		for _, f := range x.facts() {
			c.Add(f)
		}
		reason, err := c.Close(ctx)
		require.NoError(t, err)
		require.Equal(t, reason != nil, len(kernels) > 0)
		if len(kernels) > 1 {
			several++
		}
		for _, k := range kernels {
			require.False(t, x.feasible(k))
			for i := range k {
				d := order.NewClosure(x.graph())
				for _, f := range x.facts() {
					if j := slices.Index(k, f.Lit); j >= 0 && j != i {
						d.Add(f)
					}
				}
				fewer, err := d.Close(ctx)
				require.NoError(t, err)
				require.Nil(t, fewer, "a literal too many")
			}
		}
	}
	require.Greater(t, several, 100)
}

// TestUndo compares a closure that has taken facts back with a new one.
func TestUndo(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(17, 3))
	for range 2000 {
		x := draw(r, 12)
		old := order.NewClosure(x.graph())
		facts := x.facts()
		for range 4 {
			start := old.Mark()
			r.Shuffle(len(facts), func(i, j int) { facts[i], facts[j] = facts[j], facts[i] })
			some := facts[:r.IntN(len(facts)+1)]
			fresh := order.NewClosure(x.graph())
			marks, conflict := []order.Mark{}, false
			for _, f := range some {
				marks = append(marks, old.Mark())
				old.Add(f)
				fresh.Add(f)
				reason, err := old.Close(ctx)
				require.NoError(t, err)
				if conflict = reason != nil; conflict {
					break
				}
			}
			reason, err := fresh.Close(ctx)
			require.NoError(t, err)
			require.Equal(t, conflict, reason != nil)
			for a := range order.Node(x.nodes) {
				for b := range order.Node(x.nodes) {
					if !conflict {
						require.Equal(t, fresh.Before(a, b), old.Before(a, b))
					}
				}
			}
			if len(marks) > 0 && r.IntN(2) == 0 {
				old.Undo(marks[r.IntN(len(marks))])
			}
			old.Undo(start)
		}
	}
}

// TestFigure4 has the first event order graph of figure 4 of Yin et al. (2017), and
// TestFigure4's other two in the same table: the order that rules 2 and 3 derive, with its reason.
func TestFigure4(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		edges [][2]order.Node
		a, b  order.Node
		want  []order.Lit
	}{
		// x0 writes, x1 reads, x2 writes; x1 sees x2.
		"a: rule 2":                {[][2]order.Node{{0, 1}}, 0, 2, []order.Lit{9}},
		"rule 3":                   {[][2]order.Node{{2, 0}}, 1, 0, []order.Lit{9}},
		"nothing is known of them": {nil, 0, 2, nil},
	} {
		g := order.New(3)
		w0, r1, w2 := g.Write(0, 0), g.Read(1, 0), g.Write(2, 0)
		for _, e := range c.edges {
			g.Edge(e[0], e[1])
		}
		k := order.NewClosure(g)
		k.Execute(w0, order.Always)
		k.Execute(w2, order.Always)
		k.Link(w2, r1, 9)
		reason, err := k.Close(ctx)
		require.NoError(t, err)
		require.Nil(t, reason, name)
		require.Equal(t, c.want != nil, k.Before(c.a, c.b), name)
		if c.want != nil {
			require.Equal(t, c.want, k.Explain(c.a, c.b), name)
		}
	}
}

// TestGuardOfTheOtherWrite: the write between belongs to the reason, the ends of the link do not.
func TestGuardOfTheOtherWrite(t *testing.T) {
	g := order.New(3)
	w0, w1, r := g.Write(0, 0), g.Write(1, 0), g.Read(2, 0)
	g.Edge(0, 1)
	g.Edge(1, 2)
	c := order.NewClosure(g)
	c.Execute(w0, 3)
	c.Execute(w1, 4)
	c.Link(w0, r, 5)
	reason, err := c.Close(context.Background())
	require.NoError(t, err)
	require.Equal(t, []order.Lit{4, 5}, reason)
}

// TestTwoSectionsSeeOneWrite: two sections that read what one write left and write the cell cannot both
// be the next.
func TestTwoSectionsSeeOneWrite(t *testing.T) {
	g := order.New(3)
	w := g.Write(0, 0)
	c := [2][2]order.Access{{g.Read(1, 0), g.Write(1, 0)}, {g.Read(2, 0), g.Write(2, 0)}}
	k := order.NewClosure(g)
	k.Execute(w, order.Always)
	for i, section := range c {
		k.Execute(section[1], order.Always)
		k.Link(w, section[0], order.Lit(i))
	}
	reason, err := k.Close(context.Background())
	require.NoError(t, err)
	require.Equal(t, []order.Lit{0, 1}, reason)
}

// TestStops: a closure and a search look at their context.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := order.New(4)
	var accesses []order.Access
	for n := range order.Node(4) {
		accesses = append(accesses, g.Write(n, 0))
	}
	c := order.NewClosure(g)
	r := g.Read(3, 0)
	c.Link(accesses[0], r, 1)
	c.Execute(accesses[1], 2)
	_, err := c.Close(context.Background())
	require.NoError(t, err)
	_, err = c.Complete(ctx)
	require.ErrorIs(t, err, context.Canceled)
}
