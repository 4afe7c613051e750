package threads

// From an order of accesses to the steps of threads.
//
// Idea: the nodes are taken in their order; for each, its thread goes on until the access has happened.
// What a thread does on its own it does as late as possible, so that there are few switches. A thread
// that begins asks that its creator has come to where it creates it, a join that the other has come to
// its end. When the thread of the error has nothing left to share before the error, it goes on to it, and all ends.

import (
	"slices"

	"magus/cfa"
	"magus/internal/expr"
	"magus/threads/events"
	"magus/threads/order"
)

// A Move is one statement that a thread executes.
type Move struct {
	Thread int
	Loc    cfa.Loc
	// Value is what the statement gives its variable, if nothing computes it.
	Value uint64
	Open  bool
}

// A Schedule is a run of a program with threads.
type Schedule struct {
	Moves   []Move
	Initial func(v *expr.Expr) uint64 // what variables hold before
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
func schedule(c *cfa.CFA, p *events.Program, linear []order.Node, value func(v *expr.Expr) uint64) *Schedule {
	s := &scheduler{c: c, p: p, model: expr.NewValuation(value), runs: make([][]int, len(p.Threads)), done: make([]int, len(p.Threads))}
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
	at := p.Errors[slices.IndexFunc(p.Errors, func(o events.Outcome) bool { return s.holds(o.Guard) })]
	s.follow(linear, nodeStep, at)
	initial := map[*expr.Expr]uint64{}
	for _, v := range c.Vars {
		initial[v.Expr] = value(v.Expr)
	}
	return &Schedule{Moves: s.moves, Initial: func(v *expr.Expr) uint64 { return initial[v] }}
}

func (s *scheduler) holds(g *events.Guard) bool { return s.model.Of(g.Term()) != 0 }

// follow makes the moves up to an error.
func (s *scheduler) follow(linear []order.Node, nodeStep []int, at events.Outcome) {
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
		if s.p.Thread[n] == thread {
			left--
		}
	}
	s.advance(thread, at.Step)
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
