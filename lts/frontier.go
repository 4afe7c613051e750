package lts

// frontier holds the nodes of a search that have been met and are yet to be expanded, in the order in
// which they are taken. Depth first they are taken off a stack. Breadth first it is a lexicographic 0-1
// breadth-first order: the cost of a node is (observed actions, steps), a node is met from one that is
// taken before it with either one observed action more or none, and one step more. So the nodes
// of a level, those with equally many observed actions, are in two queues that are both sorted by
// steps, and the cheaper head is taken.
type frontier struct {
	order Order
	nodes *nodes
	level queue   // nodes of the level that is expanded, entered by an observed action
	inner queue   // nodes of the level, entered by an action that is not observed
	ahead []int32 // nodes of the next level; depth first, the stack
}

// queue is a first-in first-out list of nodes.
type queue struct {
	items []int32
	head  int
}

func (q *queue) empty() bool { return q.head == len(q.items) }

// refill replaces the exhausted q by items and leaves q's old space there.
func (q *queue) refill(items *[]int32) {
	q.items, *items = *items, q.items[:0]
	q.head = 0
}

// push adds a node. Breadth first, observed says that it costs one observed action more than the node
// taken last; the first nodes of all do too.
func (f *frontier) push(n int32, observed bool) {
	if observed || f.order == DepthFirst {
		f.ahead = append(f.ahead, n)
	} else {
		f.inner.items = append(f.inner.items, n)
	}
}

// pop takes the node that is next.
func (f *frontier) pop() (n int32, ok bool) {
	if f.order == DepthFirst {
		return f.top()
	}
	if f.level.empty() && f.inner.empty() {
		f.level.refill(&f.ahead)
		f.inner.items, f.inner.head = f.inner.items[:0], 0
		if f.level.empty() {
			return none, false
		}
	}
	q := &f.level
	if f.level.empty() || !f.inner.empty() && f.stepsOf(&f.inner) < f.stepsOf(&f.level) {
		q = &f.inner
	}
	n = q.items[q.head]
	q.head++
	return n, true
}

func (f *frontier) top() (n int32, ok bool) {
	last := len(f.ahead) - 1
	if last < 0 {
		return none, false
	}
	n, f.ahead = f.ahead[last], f.ahead[:last]
	return n, true
}

// stepsOf returns the steps of the first node of a queue that is not empty.
func (f *frontier) stepsOf(q *queue) uint32 { return f.nodes.at(q.items[q.head]).steps }

func (f *frontier) bytes() int64 {
	return bytesOf(f.level.items) + bytesOf(f.inner.items) + bytesOf(f.ahead)
}
