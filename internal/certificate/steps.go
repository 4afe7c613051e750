package certificate

// The steps of a component, for the checker.
//
// Idea: what a component does at a control point, as guarded parallel
// assignments with actions: statements of the automaton, transitions of the
// abstractions of the routines that it calls, observed returns.
//
// Source: paper section 5.4 and docs/semantics.md. It is written from these and
// not from predabs, so that a fault there does not hide itself here.
//
// Cost: linear in the automaton and in the abstractions inlined.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/internal/expr"
	"magus/lts"
	"magus/predabs"
)

// A step leads from one control point to another.
type step struct {
	number int // among all steps of the component
	to     Node
	action lts.Action
	guard  []*expr.Expr // over variables before the step and fresh ones
	assign []assignment
	approx string // why a new value is not modelled, if one is not
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
	comp     *predabs.Component
	steps    map[Node][]step
	count    int // of steps
	alphabet []lts.Action
}

func newProgram(c *predabs.Component) (*program, error) {
	p := &program{comp: c, steps: map[Node][]step{}}
	begin := step{to: Node{Kind: Location, Loc: int(c.CFA.Entry)}}
	if c.Guard != nil {
		begin.guard = []*expr.Expr{c.Guard}
	}
	p.add(Node{Kind: Start}, begin)
	for l := range c.CFA.Locs {
		if err := p.location(l); err != nil {
			return nil, err
		}
	}
	if c.Mentions != nil {
		actions, err := c.Mentions()
		if err != nil {
			return nil, err
		}
		p.alphabet = append(p.alphabet, actions...)
	}
	if c.Returns.Observed {
		for _, r := range c.Returns.Actions {
			p.alphabet = append(p.alphabet, r.Action)
		}
		p.alphabet = append(p.alphabet, c.Returns.Other)
	}
	slices.Sort(p.alphabet)
	p.alphabet = slices.Compact(p.alphabet)
	return p, nil
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

func (p *program) location(l int) error {
	loc, pool := &p.comp.CFA.Locs[l], p.comp.CFA.Pool
	from := Node{Kind: Location, Loc: l}
	next := func(i int) Node { return Node{Kind: Location, Loc: int(loc.Succ[i])} }
	switch s := loc.Stmt.(type) {
	case cfa.Goto:
		p.add(from, step{to: next(0)})
	case cfa.Assign:
		if s.RHS == nil {
			p.add(from, step{to: next(0), assign: []assignment{p.anything(s.LHS)}, approx: s.Approx})
		} else {
			p.add(from, step{to: next(0), assign: []assignment{{to: s.LHS, value: s.RHS}}})
		}
	case cfa.Branch:
		p.add(from, step{to: next(0), guard: []*expr.Expr{s.Cond}})
		p.add(from, step{to: next(1), guard: []*expr.Expr{pool.Not(s.Cond)}})
	case cfa.Act:
		p.add(from, step{to: next(0), action: p.comp.Actions.Intern(s.Action)})
	case cfa.Call:
		return p.call(l, s, next(0))
	case cfa.Return:
		return p.returns(from, s)
	case cfa.Halt:
	default:
		panic(fmt.Sprintf("certificate: statement %T", s))
	}
	return nil
}

// call enters one of the callee's abstractions, whose guard holds, and leaves
// it by a return action with a result that the action stands for.
func (p *program) call(l int, s cfa.Call, next Node) error {
	choices, err := p.comp.Choices(cfa.Loc(l), s)
	if err != nil {
		return err
	}
	for i, ch := range choices {
		inside := func(st lts.State) Node { return Node{Inside, l, i, int(st)} }
		p.add(Node{Kind: Location, Loc: l}, step{to: inside(ch.LTS.Init()), guard: []*expr.Expr{ch.Guard}})
		for _, a := range ch.LTS.Alphabet() {
			if _, isReturn := ch.Return(a); !isReturn {
				p.alphabet = append(p.alphabet, a)
			}
		}
		for st := range lts.State(ch.LTS.NumStates()) {
			for _, e := range ch.LTS.Out(st) {
				ret, isReturn := ch.Return(e.Action)
				if !isReturn {
					p.add(inside(st), step{to: inside(e.To), action: e.Action})
					continue
				}
				leave, err := p.leave(s, ret, next)
				if err != nil {
					return err
				}
				p.add(inside(st), leave)
			}
		}
	}
	return nil
}

func (p *program) leave(s cfa.Call, ret predabs.ReturnCond, next Node) (step, error) {
	leave := step{to: next}
	for _, v := range s.Clobbers {
		if v != s.LHS {
			leave.assign = append(leave.assign, p.anything(v))
		}
	}
	if s.LHS == nil {
		return leave, nil
	}
	result := p.anything(s.LHS)
	leave.assign = append(leave.assign, result)
	if ret.Cond != nil {
		cond, err := ret.Cond(result.value)
		if err != nil {
			return leave, err
		}
		leave.guard = []*expr.Expr{cond}
	}
	return leave, nil
}

// returns ends the component: silently where its returns are not observed,
// else by every action that stands for the value, and by "other" if none does.
func (p *program) returns(from Node, s cfa.Return) error {
	r, pool := &p.comp.Returns, p.comp.CFA.Pool
	end := Node{Kind: End}
	if !r.Observed {
		p.add(from, step{to: end})
		return nil
	}
	var none []*expr.Expr
	for _, a := range r.Actions {
		if a.Void != (s.Value == nil) {
			continue
		}
		cond := pool.True()
		if !a.Void {
			var err error
			if cond, err = a.Cond(s.Value); err != nil {
				return err
			}
		}
		p.add(from, step{to: end, action: a.Action, guard: []*expr.Expr{cond}})
		none = append(none, pool.Not(cond))
	}
	p.add(from, step{to: end, action: r.Other, guard: none})
	return nil
}
