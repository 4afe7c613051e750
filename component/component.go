package component

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/lts"
	"magus/smt/expr"
	"magus/specs"
)

// A Component is an automaton with all that the specification says about it.
// Its conditions are terms of the automaton's pool. It is immutable.
type Component struct {
	Name    string // of the procedure
	CFA     *cfa.CFA
	Actions *lts.Actions
	// Guard restricts the initial states; nil allows all.
	Guard *expr.Expr
	// Calls says what the calls mean, by their location.
	Calls map[cfa.Loc]Call
	// Returns says how the component's own returns are observed.
	Returns Returns
	// Shared are actions that the component takes part in even if it never
	// performs them.
	Shared []lts.Action
	// Given are predicates that the specification suggests.
	Given []Given
	// Cut is the action with which the component ends where recursion is not followed
	// any further; Tau if it never does.
	Cut lts.Action
	// Skip is the action that it performs where it goes on with any value as the result
	// of a recursive call; Tau if it never does.
	Skip lts.Action
	// Stands is the number by which it says where it stands still, from 1; 0 if it says nothing of that.
	Stands int
	// Remarks say of what calls of the component's own procedure the abstractions
	// do not speak.
	Remarks []cfa.Warning
	// Routines are those that calls take by their abstractions, by name.
	Routines []Routine
}

// A Call is a call of a routine that is known by its procedure abstraction. What
// it may change and the conditions under which it returns speak of the variables
// before the call and of Result.
type Call struct {
	// Result is a variable that stands for the value returned; nil if that is
	// not used.
	Result *expr.Expr
	// Choices are the pairs ⟨guard, LTS⟩ of the abstraction.
	Choices []Choice
	// Behind are the variables whose values behind the call conditions of returns speak of, by those that stand for these.
	Behind map[*expr.Expr]*expr.Expr
}

// A Choice is one ⟨guard, LTS⟩ of a procedure abstraction at a call. Its states
// satisfy the paper's condition (section 3.4): s -a-> STOP iff a is a return
// action.
type Choice struct {
	Guard *expr.Expr // the arguments put in
	LTS   *lts.LTS
	// Returns are the return actions of LTS, with the condition that the result
	// satisfies; nil for any result.
	Returns map[lts.Action]*expr.Expr
}

// Returns says how returns are observed.
type Returns struct {
	Observed bool
	// Result is a variable that stands for the returned value in the conditions;
	// nil where none has a condition.
	Result  *expr.Expr
	Actions []ReturnAction
	Other   lts.Action // for values that no action of the list covers
	// Mentioned are the return actions that the component can perform and the specification
	// mentions, as the files have it.
	Mentioned []lts.Action
}

// A ReturnAction is an observed return action. No value has two of them.
type ReturnAction struct {
	Action lts.Action
	Void   bool       // without a value
	Cond   *expr.Expr // over Result, unless Void, and the component's variables; nil: always
	// StandsFor are the mentioned actions whose conditions such a value
	// satisfies.
	StandsFor []lts.Action
}

// Of is the condition under which the return of a value is the action a; nil
// stands for no value.
func (r *Returns) Of(p *expr.Pool, a ReturnAction, value *expr.Expr) *expr.Expr {
	switch {
	case a.Void != (value == nil):
		return p.False()
	case a.Cond == nil:
		return p.True()
	case a.Void:
		return a.Cond
	}
	return p.Subst(a.Cond, map[*expr.Expr]*expr.Expr{r.Result: value})
}

// A Given is a predicate suggested by the specification, for all locations of
// one frame.
type Given struct {
	Cond  *expr.Expr
	Frame int
	Pos   cfa.Pos
}

// A Routine is known by its procedure abstraction.
type Routine struct {
	Name    string
	Pos     cfa.Pos // of the abstraction
	HasBody bool    // which the abstraction can be checked against
	Stops   bool    // an abstraction of it stops without a return
	Frame   string  // what it writes: "nothing", "*$2, errno"; "" where that is not said
}

// A System is what is verified: components side by side, and the specification,
// over one table of actions. It is immutable.
type System struct {
	Components []*Component
	Copies     []int    // of each component: how many run, or specs.AnyNumber
	Spec       *lts.LTS // with the components' returns as they are observed
	Question   Question
	Relation   Relation // that is to be decided
	// ByTraces says that simulation was asked for and is containment of traces here.
	ByTraces bool
	// Divergent is the state of Spec in which everything is allowed, since the specification diverges; nil if it
	// never does.
	Divergent *lts.State
	// Proof is what a proof has to show: Spec, and that no component comes to a cut.
	// Certain is what no run of the components leaves without a violation in it: Spec, which
	// allows everything after a skip. Followed is Spec without cuts and skips. Where all recursion
	// is followed, these are Spec itself.
	Proof, Certain, Followed *lts.LTS
	// origins say where the text defines the states of Spec; nil for the built-in
	// property.
	origins *specs.Origins
}

// NewSystem puts bound components together, in the numbers that the claim says.
// spec is the specification that they were bound to. The error says that ctx ended.
func (c *Claim) NewSystem(ctx context.Context, spec *lts.LTS, components []*Component) (*System, error) {
	s := &System{Components: components, Copies: c.Copies, Question: c.Question, Relation: c.Relation,
		Spec: without(observe(spec, components), writesOf(components))}
	if s.Copies == nil {
		s.Copies = slices.Repeat([]int{1}, len(components))
	}
	if err := s.relate(ctx); err != nil {
		return nil, err
	}
	s.Proof = without(s.Spec, cutsOf(components, c.Question))
	s.Certain = before(s.Spec, skipsOf(components))
	s.Followed = without(s.Proof, skipsOf(components))
	if c.Specification != "" {
		var err error
		if s.origins, err = c.Specs.Origins(ctx, c.Specification); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Alike is one action of those that are alike to offer: the returns of one component, whose value it chooses
// alone. It is the action itself where there are no others.
func (s *System) Alike(a lts.Action) lts.Action {
	for _, c := range s.Components {
		if !c.Returns.Observed {
			continue
		}
		if a == c.Returns.Other ||
			slices.ContainsFunc(c.Returns.Actions, func(r ReturnAction) bool { return r.Action == a }) {
			return c.Returns.Other
		}
	}
	return a
}

// An InputError is a mistake in what was asked for: a name that nothing
// defines, an empty selection.
type InputError struct {
	Pos cfa.Pos // in a specification; invalid where the mistake has no place
	Msg string
}

// Error is "file:line:col: message", or the message alone.
func (e *InputError) Error() string { return cfa.Error{Pos: e.Pos, Msg: e.Msg}.Error() }

// An Assumption is a condition on the initial states of a component that
// somebody made by hand.
type Assumption struct {
	Component int
	Cond      *specs.CExpr
	// Followed says that it leads behind pointers, so that it is evaluated where the procedure begins.
	Followed bool
}
