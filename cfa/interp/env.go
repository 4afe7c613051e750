package interp

import (
	"slices"

	"magus/cfa"
	"magus/internal/graph"
	"magus/smt/expr"
)

// An Env says what surrounds a component: what the routines do that are given
// by procedure abstractions (Chaki et al., "Efficient Verification of
// Sequential and Concurrent C Programs" (2004), section 5.4), and which actions
// its returns are. A routine's states are numbers of the environment's
// choosing.
//
// Laws: the answers depend on the arguments only (a site's arguments and what
// is read through it included), and come in the same order each time.
type Env interface {
	// Start gives the states in which the routine may begin; none if it
	// cannot be called like this.
	Start(c *Site) []int
	// Moves gives what the routine may do in a state; nothing if it stops
	// there for good.
	Moves(c *Site, state int) []Move
	// Return gives the actions of which the component performs one when it
	// returns; none if its returns are not observed. The site is the return.
	Return(r Returned, at *Site) []string
}

// A Move is what a routine may do: one action, or its return.
type Move struct {
	Action  string // "" for an internal move and for a return
	To      int    // the state after the action
	Returns bool
	// Admits reports whether the routine may return value; nil admits all.
	Admits func(value uint64) bool
	// Unvalued says that Admits is about other things than the value, and holds for calls whose result is not used, too.
	Unvalued bool
}

// admits applies m.Admits at a call.
func (m Move) admits(call cfa.Call, value uint64) bool {
	return m.Admits == nil || call.LHS == nil && !m.Unvalued || m.Admits(value)
}

// A Site is a call that is about to be made, or a return.
type Site struct {
	Loc    cfa.Loc
	Callee string
	Args   []uint64
	state  *State
	origin int32 // the first taint that was read
	// behind gives the values of what the call may change, as they are behind it
	behind func(v *expr.Expr) uint64
}

// Behind is the value that a variable which the call may change has behind it.
func (c *Site) Behind(v *expr.Expr) uint64 {
	if c.behind == nil {
		return c.Value(v)
	}
	return c.behind(v)
}

// Value is the value of a variable before the call, 0 if the component has no
// such variable. A guard over globals is evaluated with it.
func (c *Site) Value(v *expr.Expr) uint64 {
	i, ok := c.state.m.index[v]
	if !ok {
		return 0
	}
	if c.origin == 0 && c.state.taint != nil {
		c.origin = c.state.taint[i]
	}
	return c.state.vals[i]
}

// here is a return at s's location.
func (s *State) here() *Site { return &Site{Loc: s.loc, state: s} }

// site is the call at s's location.
func (s *State) site() (*Site, cfa.Call) {
	p := &s.m.locs[s.loc]
	call := p.stmt.(cfa.Call)
	return &Site{Loc: s.loc, Callee: call.Callee, Args: s.args(p), state: s, origin: s.argsOrigin(p)}, call
}

// after gives the states in which the routine may be once it has performed
// the actions, in increasing order.
func (c *Site) after(env Env, actions []string) []int {
	cur := c.closure(env, env.Start(c))
	for _, a := range actions {
		var next []int
		for _, q := range cur {
			for _, mv := range env.Moves(c, q) {
				if !mv.Returns && mv.Action == a {
					next = append(next, mv.To)
				}
			}
		}
		cur = c.closure(env, next)
	}
	return cur
}

// closure adds the states that internal moves lead to.
func (c *Site) closure(env Env, from []int) []int {
	all := graph.Closure(func(q int, yield func(int)) {
		for _, mv := range env.Moves(c, q) {
			if !mv.Returns && mv.Action == "" {
				yield(mv.To)
			}
		}
	}, from...)
	slices.Sort(all)
	return all
}

// returns reports whether the routine may return value in one of the states.
func (c *Site) returns(env Env, states []int, call cfa.Call, value uint64) bool {
	for _, q := range states {
		for _, mv := range env.Moves(c, q) {
			if mv.Returns && mv.admits(call, value) {
				return true
			}
		}
	}
	return false
}
