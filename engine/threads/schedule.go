package threads

// From an order of accesses to the steps of threads.
//
// Idea: the nodes are taken in their order; for each, its thread goes on until the access has happened.
// A thread does what others do not notice as late as possible, so that there are few switches. Before a thread
// begins its creator goes on to where it creates it, and before a join the other thread goes on to its end.
// When the thread of the error has no shared access left before the error, it goes on to the error, which ends all.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/events"
	"magus/cfa/events/order"
	"magus/smt/expr"
)

// A Move is one statement that a thread executes.
type Move struct {
	Thread int
	Loc    cfa.Loc
	// Value is what the statement gives its variable, if nothing computes it.
	Value uint64
	Open  bool
	// Commit is the variable of which the oldest write of the thread that others do not see yet becomes visible; nil of
	// statements.
	Commit *expr.Expr
}

// A Schedule is a run of a program with threads.
type Schedule struct {
	Moves   []Move
	Initial func(v *expr.Expr) uint64 // what variables hold before
	// Race are the moves that make the accesses of a race, which begin at Next: until then their threads are before them.
	Race [2]int
	Next int
	// Blocked are the threads that wait for ever behind all moves, in a deadlock.
	Blocked []int
}

type scheduler struct {
	c     *cfa.CFA
	p     *events.Program
	model *expr.Valuation
	runs  [][]int // by thread: the steps that it executes
	done  []int   // by thread: how many of these have been
	moves []Move
}

// schedule gives the run of a model whose nodes have an order.
func schedule(c *cfa.CFA, p *events.Program, goal Goal, linear []order.Node,
	value func(v *expr.Expr) uint64) *Schedule {
	s := &scheduler{c: c, p: p, model: expr.NewValuation(value), runs: make([][]int, len(p.Threads)),
		done: make([]int, len(p.Threads))}
	nodeStep := make([]int, p.Nodes) // the step with which a node has happened; -1: it does not
	for n := range nodeStep {
		nodeStep[n] = -1
	}
	for t, steps := range p.Threads {
		for _, i := range steps {
			if s.holds(p.Steps[i].Guard) {
				s.runs[t] = append(s.runs[t], i)
				if n := p.Steps[i].Node; n >= 0 {
					nodeStep[n] = i
				}
			}
		}
	}
	s.waiting(nodeStep)
	plan := &Schedule{}
	switch goal {
	case Races:
		s.race(linear, nodeStep, plan)
	case Deadlocks:
		s.deadlock(linear, nodeStep, plan)
	default:
		at := p.Errors[slices.IndexFunc(p.Errors, func(o events.Target) bool { return s.holds(o.Guard) })]
		s.follow(linear, nodeStep, at)
	}
	initial := map[*expr.Expr]uint64{}
	for _, v := range c.Vars {
		initial[v.Expr] = value(v.Expr)
	}
	plan.Moves, plan.Initial = s.moves, func(v *expr.Expr) uint64 { return initial[v] }
	return plan
}

// waiting leaves out joins of threads that do not end.
func (s *scheduler) waiting(nodeStep []int) {
	for t, run := range s.runs {
		s.runs[t] = slices.DeleteFunc(run, func(i int) bool {
			step := &s.p.Steps[i]
			j, ok := s.c.Locs[step.Loc].Stmt.(cfa.Join)
			if !ok {
				return false
			}
			other := s.runs[j.Thread]
			if n := len(other); n > 0 {
				if _, ended := s.c.Locs[s.p.Steps[other[n-1]].Loc].Stmt.(cfa.End); ended {
					return false
				}
			}
			nodeStep[step.Node] = -1
			return true
		})
	}
}

// race makes the moves up to two accesses, and these.
func (s *scheduler) race(linear []order.Node, nodeStep []int, plan *Schedule) {
	r := s.p.Races[slices.IndexFunc(s.p.Races, func(r events.Race) bool { return !r.Doubtful && s.holds(r.Guard) })]
	for _, n := range linear {
		if n == r.Node {
			break
		}
		if i := nodeStep[n]; i >= 0 {
			s.advance(s.p.Thread[n], i)
		}
	}
	first, second := s.p.Steps[r.Step].Thread, s.p.Steps[r.Other].Thread
	s.advance(second, r.OtherStart-1)
	s.advance(first, r.Start-1)
	plan.Next = len(s.moves)
	s.advance(first, r.Step)
	plan.Race[0] = len(s.moves) - 1
	s.advance(first, max(r.Step, nodeStep[r.Node]))
	s.advance(second, r.Other)
	plan.Race[1] = len(s.moves) - 1
}

// deadlock makes all moves until nobody goes on.
func (s *scheduler) deadlock(linear []order.Node, nodeStep []int, plan *Schedule) {
	for _, d := range s.p.Deadlocks {
		if s.model.Of(d.When) != 0 && !slices.Contains(plan.Blocked, d.Thread) {
			plan.Blocked = append(plan.Blocked, d.Thread)
			i, _ := slices.BinarySearch(s.runs[d.Thread], d.Step)
			s.runs[d.Thread] = s.runs[d.Thread][:i]
		}
	}
	slices.Sort(plan.Blocked)
	for _, n := range linear {
		if i := nodeStep[n]; i >= 0 {
			s.advance(s.p.Thread[n], i)
		}
	}
	for t, run := range s.runs {
		if len(run) > 0 {
			s.advance(t, run[len(run)-1])
		}
	}
}

func (s *scheduler) holds(g *events.Guard) bool { return s.model.Of(g.Term()) != 0 }

// follow makes the moves up to an error.
func (s *scheduler) follow(linear []order.Node, nodeStep []int, at events.Target) {
	thread, left := s.p.Steps[at.Step].Thread, 0
	for n, i := range nodeStep {
		if s.p.Thread[n] == thread && i >= 0 && i < at.Step {
			left++
		}
	}
	for _, n := range linear {
		if left == 0 && at.Node < 0 || n == at.Node {
			break
		}
		i := nodeStep[n]
		if i < 0 || s.p.Thread[n] == thread && i > at.Step {
			continue
		}
		s.advance(s.p.Thread[n], i)
		s.commit(n)
		if s.p.Thread[n] == thread {
			left--
		}
	}
	s.advance(thread, at.Step)
}

// commit makes the write of a node visible to others, if it is not so at once.
func (s *scheduler) commit(n order.Node) {
	if v := s.p.Delayed(n); v != nil {
		s.moves = append(s.moves, Move{Thread: s.p.Thread[n], Commit: v})
	}
}

// advance has a thread go on until it has executed a step.
func (s *scheduler) advance(t, until int) {
	if s.done[t] == 0 && t > 0 {
		s.create(t)
	}
	for s.done[t] < len(s.runs[t]) && s.runs[t][s.done[t]] <= until {
		step := &s.p.Steps[s.runs[t][s.done[t]]]
		s.done[t]++
		if j, ok := s.c.Locs[step.Loc].Stmt.(cfa.Join); ok {
			if run := s.runs[j.Thread]; len(run) > 0 {
				s.advance(j.Thread, run[len(run)-1])
			}
		}
		m := Move{Thread: t, Loc: step.Loc}
		if step.Choice != nil {
			m.Value, m.Open = s.model.Of(step.Choice), true
		}
		s.moves = append(s.moves, m)
	}
}

// create has a thread's creator go on until the thread begins.
func (s *scheduler) create(t int) {
	parent := s.c.Threads[t].Parent
	for _, i := range s.runs[parent] {
		if sp, ok := s.c.Locs[s.p.Steps[i].Loc].Stmt.(cfa.Spawn); ok && sp.Thread == t {
			s.advance(parent, i)
		}
	}
}
