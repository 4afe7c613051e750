package certificate

// The steps of a component, for the checker.
//
// Idea: what a component does at a control point, as guarded parallel
// assignments with actions: statements of the automaton, transitions of the
// abstractions of the routines that it calls, observed returns.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 5.4, and docs/semantics.md. It is written from
// these and not from predabs, so that a fault there does not hide itself here.
//
// Cost: linear in the automaton and in the abstractions inlined.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/lts"
	"magus/smt/expr"
)

// A step leads from one control point to another.
type step struct {
	number int // among all steps of the component
	to     Node
	action lts.Action
	guard  []*expr.Expr // over variables before the step and fresh ones
	known  bool         // the guard is what is known of a value that is not modelled ([cfa.Branch.Known])
	assign []assignment
	approx string // why a new value is not modelled, if one is not
	keeps  bool   // the variable may also keep its value
	memory *cfa.Access
	exact  *cfa.Exact
}

// An assignment gives a variable a term's value; with fresh set, any value,
// which the guard may restrict.
type assignment struct {
	to    *expr.Expr
	value *expr.Expr
	fresh bool
}

// program is all that a component can do.
type program struct {
	comp     *component.Component
	steps    map[Node][]step
	count    int // of steps
	alphabet []lts.Action
	// standing are the actions that say where the component stands still
	standing map[lts.Action]lts.Standing
}

func newProgram(c *component.Component) *program {
	p := &program{comp: c, steps: map[Node][]step{}}
	begin := step{to: Node{Kind: Location, Loc: int(c.CFA.Entry)}}
	if c.Guard != nil {
		begin.guard = []*expr.Expr{c.Guard}
	}
	p.add(Node{Kind: Start}, begin)
	for l := range c.CFA.Locs {
		p.location(l)
	}
	p.alphabet = append(p.alphabet, c.Shared...)
	if c.Returns.Observed {
		for _, r := range c.Returns.Actions {
			p.alphabet = append(p.alphabet, r.Action)
		}
		p.alphabet = append(p.alphabet, c.Returns.Other)
	}
	if c.Stands > 0 {
		p.stand()
	}
	slices.Sort(p.alphabet)
	p.alphabet = slices.Compact(p.alphabet)
	return p
}

// newThreadProgram is all that the threads of an automaton can do, each by itself; that they take
// rounds is not said here.
func newThreadProgram(c *component.Component) *program {
	p := &program{comp: c, steps: map[Node][]step{}}
	for l := range c.CFA.Locs {
		loc := &c.CFA.Locs[l]
		from := Node{Kind: Location, Loc: l}
		switch loc.Stmt.(type) {
		case cfa.Spawn, cfa.Join, cfa.Atomic:
			p.add(from, step{to: Node{Kind: Location, Loc: int(loc.Succ[0])}})
		case cfa.End:
			p.add(from, step{to: Node{Kind: End}})
		default:
			p.location(l)
		}
	}
	return p
}

func (p *program) add(from Node, s step) {
	s.number = p.count
	p.count++
	p.steps[from] = append(p.steps[from], s)
	if s.action != lts.Tau {
		p.alphabet = append(p.alphabet, s.action)
	}
}

// anything assigns any value to v.
func (p *program) anything(v *expr.Expr) assignment {
	return assignment{v, p.comp.CFA.Pool.Var(v.Name()+"'", v.Type()), true}
}

func (p *program) location(l int) {
	loc, pool := &p.comp.CFA.Locs[l], p.comp.CFA.Pool
	from := Node{Kind: Location, Loc: l}
	next := func(i int) Node { return Node{Kind: Location, Loc: int(loc.Succ[i])} }
	switch s := loc.Stmt.(type) {
	case cfa.Goto:
		p.add(from, step{to: next(0)})
	case cfa.Assign:
		if s.RHS == nil {
			p.add(from, step{to: next(0), assign: []assignment{p.anything(s.LHS)}, approx: s.Approx,
				keeps: s.Keeps, memory: s.Memory, exact: s.Exact})
		} else {
			p.add(from, step{to: next(0), assign: []assignment{{to: s.LHS, value: s.RHS}}, memory: s.Memory})
		}
	case cfa.Branch:
		p.add(from, step{to: next(0), guard: []*expr.Expr{s.Cond}, known: s.Known})
		p.add(from, step{to: next(1), guard: []*expr.Expr{pool.Not(s.Cond)}, known: s.Known})
	case cfa.Act:
		p.add(from, step{to: next(0), action: p.comp.Actions.Intern(s.Action)})
	case cfa.Call:
		p.call(l, s, next(0))
	case cfa.Return:
		p.returns(from, s)
	case cfa.Halt:
	default:
		panic(fmt.Sprintf("certificate: statement %T", s))
	}
}

// call enters one of the callee's abstractions, whose guard holds, and leaves
// it by a return action with a result that the action stands for.
func (p *program) call(l int, s cfa.Call, next Node) {
	call := p.comp.Calls[cfa.Loc(l)]
	for i, ch := range call.Choices {
		inside := func(st lts.State) Node { return Node{Inside, l, i, int(st)} }
		p.add(Node{Kind: Location, Loc: l}, step{to: inside(ch.LTS.Init()), guard: []*expr.Expr{ch.Guard}})
		for _, a := range ch.LTS.Alphabet() {
			if _, isReturn := ch.Returns[a]; !isReturn {
				p.alphabet = append(p.alphabet, a)
			}
		}
		for st := range lts.State(ch.LTS.NumStates()) {
			for _, e := range ch.LTS.Out(st) {
				if cond, isReturn := ch.Returns[e.Action]; isReturn {
					p.add(inside(st), p.leave(s, call, cond, next))
				} else {
					p.add(inside(st), step{to: inside(e.To), action: e.Action})
				}
			}
		}
	}
}

// leave is the end of a call with a result that satisfies cond.
func (p *program) leave(s cfa.Call, call component.Call, cond *expr.Expr, next Node) step {
	leave := step{to: next}
	for _, v := range s.Clobbers {
		if v != s.LHS {
			leave.assign = append(leave.assign, p.anything(v))
		}
	}
	if s.LHS != nil {
		leave.assign = append(leave.assign, assignment{s.LHS, call.Result, true})
	}
	if cond != nil {
		leave.guard = []*expr.Expr{cond}
	}
	return leave
}

// returns ends the component: silently where its returns are not observed,
// else by every action that stands for the value, and by "other" if none does.
func (p *program) returns(from Node, s cfa.Return) {
	r, pool := &p.comp.Returns, p.comp.CFA.Pool
	end := Node{Kind: End}
	if !r.Observed {
		p.add(from, step{to: end})
		return
	}
	var none []*expr.Expr
	for _, a := range r.Actions {
		if a.Void != (s.Value == nil) {
			continue
		}
		cond := pool.True()
		if a.Cond != nil && a.Void {
			cond = a.Cond
		} else if a.Cond != nil {
			cond = pool.Subst(a.Cond, map[*expr.Expr]*expr.Expr{r.Result: s.Value})
		}
		p.add(from, step{to: end, action: a.Action, guard: []*expr.Expr{cond}})
		none = append(none, pool.Not(cond))
	}
	p.add(from, step{to: end, action: r.Other, guard: none})
}
