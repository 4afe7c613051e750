package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"magus/lts"
)

// A family is a sequence of LTSs that grow, with what is measured of them.
type family struct {
	name       string
	sizes      []size
	operations []operation
}

// A size is one member of a family.
type size struct {
	n     int // the parameter
	about int // transitions, of all pairs together, roughly: the power of ten below
	make  func(t *lts.Actions, n int) member
}

// A member is an LTS, the same as components where it has some, what contains
// its weak traces, or does not, or nil, and what is different from it, or nil.
// There may be several pairs of the former kind.
type member struct {
	whole      *lts.LTS
	components []*lts.LTS
	spec       *lts.LTS
	more       []member // whole and spec of more pairs
	other      *lts.LTS
}

// families is the table of what is measured.
func families() []family {
	quotients := []operation{readAut, strong, divergence, weak}
	related := append(quotients, traces, simulated, equal)
	return []family{
		{"ring", sizes(ring, 6, 1e3, 8, 1e4, 10, 1e5, 13, 1e6, 16, 1e7), append(related, contained, onTheFly, reduced)},
		{"interleaved", sizes(interleaved, 3, 1e3, 4, 1e4, 5, 1e5, 6, 1e6, 7, 1e7),
			append(related, contained, onTheFly, reduced)},
		{"buffers", sizes(buffers, 6, 1e3, 8, 1e4, 10, 1e5, 12, 1e6, 13, 1e7), append(related, contained, onTheFly, reduced)},
		{"random", sizes(random, 1e3, 1e3, 1e4, 1e4, 1e5, 1e5, 1e6, 1e6, 1e7, 1e7), quotients},
		{"chain", sizes(chain, 1e3, 1e3, 1e4, 1e4, 1e5, 1e5, 1e6, 1e6), append(quotients, traces, apart)},
		{"stairs", sizes(stairs, 300, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6), append(quotients, apart)},
		{"register", sizes(register, 8, 1e3, 11, 1e4, 14, 1e5, 18, 1e6), append([]operation{contained}, searches()...)},
		{"wrong register", sizes(wrongRegister, 8, 1e3, 11, 1e4, 14, 1e5, 18, 1e6), searches()},
		{"lossy buffers", sizes(lossyBuffers, 6, 1e3, 8, 1e4, 10, 1e5, 12, 1e6), searches()},
		{"barrier", sizes(barrier, 3, 1e3, 4, 1e4, 5, 1e5, 6, 1e6), searches()},
		{"sparse pairs", sizes(sparsePairs, 50, 1e3, 100, 1e4, 200, 1e4, 400, 1e5), searches()},
		{"dense pairs", sizes(densePairs, 50, 1e3, 100, 1e4, 200, 1e4, 400, 1e5), searches()},
	}
}

// sizes makes sizes of parameters and transitions in turn.
func sizes(make func(*lts.Actions, int) member, numbers ...float64) []size {
	var all []size
	for i := 0; i < len(numbers); i += 2 {
		all = append(all, size{int(numbers[i]), int(numbers[i+1]), make})
	}
	return all
}

// transition is what explore is told of.
type transition func(a lts.Action, to uint64)

// explore builds the LTS of the states that are reachable from start.
func explore(t *lts.Actions, start uint64, successors func(s uint64, emit transition)) *lts.LTS {
	number := map[uint64]lts.State{start: 0}
	order := []uint64{start}
	b := lts.NewBuilder(t)
	for i := 0; i < len(order); i++ {
		successors(order[i], func(a lts.Action, to uint64) {
			n, known := number[to]
			if !known {
				n = lts.State(len(order))
				number[to] = n
				order = append(order, to)
			}
			b.AddEdge(lts.State(i), a, n)
		})
	}
	b.AddStates(len(order))
	return b.Build()
}

func interned(t *lts.Actions, format string, n int) []lts.Action {
	as := make([]lts.Action, n)
	for i := range as {
		as[i] = t.Intern(fmt.Sprintf(format, i))
	}
	return as
}

// ring is a token ring of n processes that try, enter and leave; trying and
// passing the token are τ. It is contained in mutual exclusion.
//
// A state is the token's place, whether its holder is inside, and who waits.
func ring(t *lts.Actions, n int) member {
	enter, leave := interned(t, "enter_%d", n), interned(t, "leave_%d", n)
	state := func(place, inside, waiting uint64) uint64 { return waiting<<6 | place<<1 | inside }
	whole := explore(t, 0, func(s uint64, emit transition) {
		inside, place, waiting := s&1, s>>1&31, s>>6
		for i := range uint64(n) {
			if waiting>>i&1 == 0 && (inside == 0 || place != i) {
				emit(lts.Tau, state(place, inside, waiting|1<<i))
			}
		}
		switch {
		case inside == 1:
			emit(leave[place], state(place, 0, waiting))
		case waiting>>place&1 == 1:
			emit(enter[place], state(place, 1, waiting&^(1<<place)))
		default:
			emit(lts.Tau, state((place+1)%uint64(n), 0, waiting))
		}
	})
	b := lts.NewBuilder(t)
	b.AddStates(n + 1)
	for i := range n {
		b.AddEdge(0, enter[i], lts.State(i+1))
		b.AddEdge(lts.State(i+1), leave[i], 0)
	}
	return member{whole: whole, components: stations(t, enter, leave), spec: b.Build()}
}

// stations are the processes of a ring; the first has the token.
//
// A state is whether the process has the token, whether it waits, and, as one
// more state, to be inside.
func stations(t *lts.Actions, enter, leave []lts.Action) []*lts.LTS {
	const token, waiting, inside = 1, 2, 4
	pass := interned(t, "pass_%d", len(enter))
	components := make([]*lts.LTS, len(enter))
	for i := range components {
		b := lts.NewBuilder(t)
		b.AddStates(5)
		b.AddEdge(0, lts.Tau, waiting)
		b.AddEdge(token, lts.Tau, token|waiting)
		b.AddEdge(token|waiting, enter[i], inside)
		b.AddEdge(inside, leave[i], token)
		b.AddEdge(token, pass[i], 0)
		for s := range lts.State(2) {
			b.AddEdge(s*waiting, pass[(i+len(pass)-1)%len(pass)], s*waiting|token)
		}
		if i == 0 {
			b.SetInit(token)
		}
		components[i] = b.Build()
	}
	return components
}

// cycleLength is how many states a component of interleaved has.
const cycleLength = 7

// interleaved is n cycles side by side, of which one is visible. It is
// contained in that one.
func interleaved(t *lts.Actions, n int) member {
	visible := interned(t, "a%d", cycleLength)
	var components []*lts.LTS
	for i := range n {
		b := lts.NewBuilder(t)
		b.AddStates(cycleLength)
		for s := range cycleLength {
			a := lts.Tau
			if i == 0 {
				a = visible[s]
			}
			b.AddEdge(lts.State(s), a, lts.State((s+1)%cycleLength))
		}
		components = append(components, b.Build())
	}
	whole, err := lts.Compose(context.Background(), components, lts.Limits{})
	if err != nil {
		panic(err) // there are components, they have one table, and nothing can end it
	}
	return member{whole: whole, components: components, spec: components[0]}
}

// buffers is n buffers of one place in a row, over two values. It is
// contained in a queue of n places.
//
// A state has two bits a buffer: empty, or one of the values.
func buffers(t *lts.Actions, n int) member {
	in, out := interned(t, "in_%d", 2), interned(t, "out_%d", 2)
	return member{whole: row(t, in, out, n, false), components: onePlaceBuffers(t, in, out, n), spec: queue(t, n, in, out)}
}

// lossyBuffers are buffers of which the one in the middle can lose what it
// holds, so that they are not contained in a queue.
func lossyBuffers(t *lts.Actions, n int) member {
	in, out := interned(t, "in_%d", 2), interned(t, "out_%d", 2)
	return member{whole: row(t, in, out, n, true), spec: queue(t, n, in, out)}
}

func row(t *lts.Actions, in, out []lts.Action, n int, lossy bool) *lts.LTS {
	at := func(s uint64, i int) uint64 { return s >> (2 * i) & 3 } // 0, or the value plus 1
	return explore(t, 0, func(s uint64, emit transition) {
		if at(s, 0) == 0 {
			for v := range uint64(2) {
				emit(in[v], s|(v+1))
			}
		}
		for i := range n - 1 {
			if v := at(s, i); v != 0 && at(s, i+1) == 0 {
				emit(lts.Tau, s&^(3<<(2*i))|v<<(2*i+2))
			}
		}
		if v := at(s, n-1); v != 0 {
			emit(out[v-1], s&^(3<<(2*n-2)))
		}
		if lossy && at(s, n/2) != 0 {
			emit(lts.Tau, s&^(3<<(n/2*2)))
		}
	})
}

// onePlaceBuffers are the buffers of one place, each of which hands on to the next.
func onePlaceBuffers(t *lts.Actions, in, out []lts.Action, n int) []*lts.LTS {
	components := make([]*lts.LTS, n)
	before := in
	for i := range components {
		after := out
		if i < n-1 {
			after = interned(t, fmt.Sprintf("move_%d_%%d", i), len(in))
		}
		b := lts.NewBuilder(t)
		b.AddStates(1 + len(in))
		for v := range in {
			b.AddEdge(0, before[v], lts.State(v+1))
			b.AddEdge(lts.State(v+1), after[v], 0)
		}
		components[i], before = b.Build(), after
	}
	return components
}

// queue is a queue of n places: a state is a one followed by the values, the
// oldest last.
func queue(t *lts.Actions, n int, in, out []lts.Action) *lts.LTS {
	return explore(t, 1, func(s uint64, emit transition) {
		length := 0
		for s>>(length+1) != 0 {
			length++
		}
		content := s &^ (1 << length)
		if length < n {
			for v := range uint64(2) {
				emit(in[v], 1<<(length+1)|v<<length|content)
			}
		}
		if length > 0 {
			emit(out[s&1], s>>1)
		}
	})
}

// random is a random LTS of n transitions, a tenth as many states, all of them
// reachable, ten actions, and τ at a tenth of the transitions. It is the same
// in every run.
func random(t *lts.Actions, n int) member {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	actions := interned(t, "a%d", 10)
	states := max(2, n/10)
	b := lts.NewBuilder(t)
	b.AddStates(states)
	for i := range n {
		from, to := r.IntN(states), r.IntN(states)
		if i+1 < states {
			from, to = r.IntN(i+1), i+1 // a tree first
		}
		a := lts.Tau
		if r.IntN(10) > 0 {
			a = actions[r.IntN(len(actions))]
		}
		b.AddEdge(lts.State(from), a, lts.State(to))
	}
	return member{whole: b.Build()}
}

// register is a shift register that knows its last n+1 inputs and can do c if
// the oldest of them was an a. It is contained in an LTS that guesses which a
// that will be; to make that one deterministic takes 2^(n+1) states.
func register(t *lts.Actions, n int) member { return shifting(t, n, false) }

// wrongRegister is a register that can do c although the oldest input was no a,
// after one sequence of inputs only.
func wrongRegister(t *lts.Actions, n int) member { return shifting(t, n, true) }

func shifting(t *lts.Actions, n int, wrong bool) member {
	a, b, c := t.Intern("a"), t.Intern("b"), t.Intern("c")
	mask, end := uint64(1)<<(n+1)-1, uint64(1)<<(n+1)
	whole := explore(t, 0, func(s uint64, emit transition) {
		if s == end {
			return
		}
		emit(a, (s<<1|1)&mask)
		emit(b, s<<1&mask)
		if s>>n == 1 || wrong && s == mask>>1 {
			emit(c, end)
		}
	})
	guess := lts.NewBuilder(t)
	guess.AddStates(n + 3)
	guess.AddEdge(0, a, 0)
	guess.AddEdge(0, b, 0)
	guess.AddEdge(0, a, 1)
	for i := 1; i <= n; i++ {
		guess.AddEdge(lts.State(i), a, lts.State(i+1))
		guess.AddEdge(lts.State(i), b, lts.State(i+1))
	}
	guess.AddEdge(lts.State(n+1), c, lts.State(n+2))
	return member{whole: whole, spec: guess.Build()}
}

// barrier is n workers that do a few steps each and then one together, which the
// specification does not allow.
func barrier(t *lts.Actions, n int) member {
	meet := t.Intern("meet")
	var workers []*lts.LTS
	for range n {
		b := lts.NewBuilder(t)
		b.AddStates(cycleLength)
		for s := range lts.State(cycleLength - 1) {
			b.AddEdge(s, lts.Tau, s+1)
		}
		b.AddEdge(cycleLength-1, meet, 0)
		workers = append(workers, b.Build())
	}
	whole, err := lts.Compose(context.Background(), workers, lts.Limits{})
	if err != nil {
		panic(err) // there are components, they have one table, and nothing can end it
	}
	never := lts.NewBuilder(t)
	never.Alphabet(meet)
	return member{whole: whole, components: workers, spec: never.Build()}
}

// sparsePairs and densePairs are twenty pairs of random LTSs of n states over
// two actions, one transition in ten being τ; implementations have fewer
// transitions than specifications. In the dense pairs most are contained.
func sparsePairs(t *lts.Actions, n int) member { return pairs(t, n, 1, 1.5) }

func densePairs(t *lts.Actions, n int) member { return pairs(t, n, 1.5, 2.5) }

// pairs are pairs of LTSs of n states, with n times the densities transitions
// of each action.
func pairs(t *lts.Actions, n int, left, right float64) member {
	actions := interned(t, "a%d", 2)
	var all []member
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		all = append(all, member{whole: scattered(t, r, actions, n, left), spec: scattered(t, r, actions, n, right)})
	}
	return member{whole: all[0].whole, spec: all[0].spec, more: all[1:]}
}

func scattered(t *lts.Actions, r *rand.Rand, actions []lts.Action, n int, density float64) *lts.LTS {
	b := lts.NewBuilder(t)
	b.AddStates(n)
	b.Alphabet(actions...)
	for _, a := range actions {
		for range int(density * float64(n)) {
			l := a
			if r.IntN(10) == 0 {
				l = lts.Tau
			}
			b.AddEdge(lts.State(r.IntN(n)), l, lts.State(r.IntN(n)))
		}
	}
	return b.Build()
}

// chain is n transitions in a row, every third of them τ; the last of the other
// is different. Refinement finds its classes one at a time.
func chain(t *lts.Actions, n int) member {
	make := func(last lts.Action) *lts.LTS {
		b := lts.NewBuilder(t)
		b.AddStates(n + 1)
		for i := range n {
			a := t.Intern("a")
			if i%3 == 1 {
				a = lts.Tau
			}
			if i == n-1 {
				a = last
			}
			b.AddEdge(lts.State(i), a, lts.State(i+1))
		}
		return b.Build()
	}
	return member{whole: make(t.Intern("a")), other: make(t.Intern("b"))}
}

// stairs are n states in a row by τ; the k-th can also enter a row of k steps.
// All states are different, and what one can do all above it can do. The last
// row of the other ends differently.
func stairs(t *lts.Actions, n int) member {
	make := func(last lts.Action) *lts.LTS {
		b := lts.NewBuilder(t)
		b.AddStates(2 * n)
		b.SetInit(lts.State(2*n - 2))
		for k := range n {
			at := lts.State(2 * k)
			b.AddEdge(at, t.Intern("enter"), at+1)
			if k > 0 {
				b.AddEdge(at, lts.Tau, at-2)
				b.AddEdge(at+1, t.Intern("step"), at-1)
			}
		}
		b.AddEdge(1, last, 1)
		return b.Build()
	}
	return member{whole: make(t.Intern("end")), other: make(t.Intern("stop"))}
}
