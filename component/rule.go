package component

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/cfa/source/libc"
	"magus/smt/expr"
	"magus/specs"
)

// Contracts are those of procedures, by name.
type Contracts map[string]Contract

// A Contract says of some states of a rule, by their numbers in [specs.Rule.Flat], that a procedure that is
// called there keeps the rule, and returns in one of few states, whatever it is called with.
type Contract map[int][]int

// RuleClaim is the claim that no run of a procedure breaks a rule, whatever its parameters are at the start. A program
// begins with its globals as C initialises them, another procedure with any values of them. The program's threads are
// looked at one by one: what creates one only says whether it could.
//
// Calls of silent procedures, which lead to no event, are taken by their summaries, and so are those of procedures with
// a contract in the states that it names; see [lower.Options.Summarised].
func (s *Sources) RuleClaim(rule *specs.Rule, entry string, silent []string, contracts Contracts) *Claim {
	opt := s.lowering(lower.Options{InitGlobals: entry == "main", ErrorFunctions: []string{}, TakenOnly: true})
	opt.Observer = s.observer(rule)
	known := func(pr *source.Procedure) bool { return s.Program.UniqueName(pr) == pr.Name }
	opt.Observer.Contract = func(pr *source.Procedure) map[int][]int {
		if !known(pr) {
			return nil
		}
		return contracts[pr.Name]
	}
	if len(silent)+len(contracts) > 0 {
		opt.Summarised = func(pr *source.Procedure) bool {
			_, ok := contracts[pr.Name]
			return (ok || slices.Contains(silent, pr.Name)) && known(pr)
		}
	}
	return &Claim{Sources: s, Name: entry + ": rule " + rule.Name, Question: NoError,
		Procedures: []string{entry}, Guards: []*specs.CExpr{nil}, Lowering: opt}
}

// ContractReturn is the event of such a claim that the procedure returns.
const ContractReturn = "return"

// ContractClaim is the claim that a procedure that is called in a state of a rule, by its number in [specs.Rule.Flat],
// keeps the rule and returns in one of others. It is about one call among others in a run, so globals begin
// with any values. Code that nobody described may change the variables with the names calledBack, and those
// declared in a procedure p whose name stands there as p::, for it may call functions that do. What the
// library keeps it may change, too.
func (s *Sources) ContractClaim(rule *specs.Rule, entry string, state int, returns []int, silent, calledBack []string,
	contracts Contracts) *Claim {
	c := s.RuleClaim(rule, entry, silent, contracts)
	c.Name = fmt.Sprintf("%s: contract in %s of rule %s", entry, rule.Flat()[state], rule.Name)
	c.Lowering.InitGlobals = false
	c.Lowering.CalledBack = func(o *source.Object) bool {
		name := o.Name
		if o.Proc != "" {
			name = o.Proc + "::"
		}
		_, is := slices.BinarySearch(calledBack, name)
		return is || o.Library || o.Asm
	}
	o := c.Lowering.Observer
	o.Begin = state
	back := lower.Observation{Event: ContractReturn}
	for i := range o.States {
		move := lower.Move{Kind: lower.Forbidden}
		if slices.Contains(returns, i) {
			move = lower.Move{Kind: lower.Step, To: i}
		}
		back.Next = append(back.Next, move)
	}
	o.Return = []lower.Observation{back}
	return c
}

// observer is a rule as the lowering needs it.
func (s *Sources) observer(rule *specs.Rule) *lower.Observer {
	o := &lower.Observer{Rule: rule.Name, Objects: rule.Objects, Leaks: slices.Contains(rule.Forbidden, specs.Leaks),
		Memory: slices.ContainsFunc(rule.Events, func(e *specs.RuleEvent) bool {
			return specs.MatchesCallee(e.Callees, "free")
		}),
		Uses: slices.Contains(rule.Forbidden, specs.Uses)}
	for i, state := range rule.Flat() {
		o.States, o.Numbers = append(o.States, state.String()), append(o.Numbers, state.Number)
		if state.Name == rule.Begin && state.Number <= 1 {
			o.Begin = i
		}
	}
	for _, s := range rule.States {
		if s.Count > 0 && slices.ContainsFunc(s.Moves, func(m specs.RuleMove) bool {
			return m.Change > 0 && m.Or == specs.Done
		}) {
			o.Bounds = append(o.Bounds, fmt.Sprintf("the rule %s counts to %s[%d]: runs that go further are not looked at",
				rule.Name, s.Name, s.Count))
		}
	}
	if rule.WatchesMembers() {
		o.Assigned = s.observedAssignments(rule)
	}
	for _, e := range rule.Events {
		if e.Kind == specs.ReturnEvent || e.Kind == specs.LostEvent {
			o.Return = append(o.Return, lower.Observation{Event: e.Name, Lost: e.Object, Next: moves(rule, e)})
		}
	}
	o.Call = s.observedCalls(rule)
	if rule.Unwrapped != nil {
		o.Unwrapped = s.observedCalls(rule.Unwrapped)
	}
	return o
}

// observedCalls is what a rule says of calls, by the callee.
func (s *Sources) observedCalls(rule *specs.Rule) func(callee string) *lower.ObservedCall {
	known := map[string]*lower.ObservedCall{}
	return func(callee string) *lower.ObservedCall {
		c, ok := known[callee]
		if !ok {
			c = s.observedCall(rule, callee)
			known[callee] = c
		}
		return c
	}
}

// observedAssignments is what a rule says of assignments to members.
func (s *Sources) observedAssignments(rule *specs.Rule) func(names []string) []lower.Observation {
	known := map[string][]lower.Observation{}
	return func(names []string) []lower.Observation {
		key := strings.Join(names, " ")
		all, ok := known[key]
		if ok {
			return all
		}
		for _, e := range rule.Events {
			if e.Kind != specs.AssignEvent ||
				!slices.ContainsFunc(names, func(name string) bool { return specs.MatchesCallee(e.Callees, name) }) {
				continue
			}
			o := lower.Observation{Event: e.Name, Next: moves(rule, e)}
			if e.Cond != nil {
				o.When = s.ruleCondition(e.Cond)
			}
			all = append(all, o)
		}
		known[key] = all
		return all
	}
}

// threadCalls are the functions that create threads and wait for them: threads are looked at one by one.
var threadCalls = []string{"pthread_create", "pthread_join", "thrd_create", "thrd_join"}

// OnlyStarts reports whether calls of a function do nothing, under a rule, with a function that they are
// given but start a thread in it, which is looked at alone.
func OnlyStarts(rule *specs.Rule, callee string) bool {
	return slices.Contains(threadCalls, callee) && !RuleCalls(rule, callee) &&
		!slices.ContainsFunc(rule.Functions,
			func(f *specs.RuleFunction) bool { return specs.MatchesCallee(f.Callees, callee) }) &&
		!specs.MatchesCallee(rule.Never, callee)
}

// CallsLater reports whether a function calls what it is given when it has returned.
func CallsLater(callee string) bool { return lower.CallsLater(callee) }

// observedCall is what a rule says of calls of a function, nil for nothing.
func (s *Sources) observedCall(rule *specs.Rule, callee string) *lower.ObservedCall {
	var c lower.ObservedCall
	said := false
	for _, f := range rule.Functions {
		if !specs.MatchesCallee(f.Callees, callee) {
			continue
		}
		said = true
		c.Alone = c.Alone || !f.Keeps
		switch {
		case f.Returns == nil:
		case slices.Contains(f.Returns.Args(), "$0"):
			c.Results = append(c.Results, s.ruleCondition(f.Returns))
		default:
			c.Behind = append(c.Behind, s.ruleCondition(f.Returns))
		}
	}
	for _, e := range rule.Events {
		if e.Kind != specs.CallEvent || !specs.MatchesCallee(e.Callees, callee) {
			continue
		}
		said = true
		o := lower.Observation{Event: e.Name, Next: moves(rule, e)}
		if e.Cond != nil || e.Returns != nil {
			o.When = s.ruleCondition(e.Cond, e.Returns)
		}
		if !slices.Contains(e.Callees, callee) {
			o.When = whereThereAre(o.When, e.Cond, e.Returns)
		}
		if e.After() {
			c.After = append(c.After, o)
		} else {
			c.Before = append(c.Before, o)
		}
	}
	if specs.MatchesCallee(rule.Never, callee) {
		said, c.Never = true, true
	}
	if !said && slices.Contains(threadCalls, callee) {
		return &lower.ObservedCall{Alone: true}
	}
	if !said {
		return nil
	}
	return &c
}

// moves are what an event does, by state.
func moves(rule *specs.Rule, e *specs.RuleEvent) []lower.Move {
	var all []lower.Move
	states := rule.Flat()
	for _, state := range states {
		switch to := rule.Next(state, e.Name); to {
		case specs.Broken:
			all = append(all, lower.Move{Kind: lower.Forbidden})
		case specs.Done:
			all = append(all, lower.Move{Kind: lower.Last})
		default:
			all = append(all, lower.Move{Kind: lower.Step, To: slices.IndexFunc(states,
				func(s specs.FlatState) bool { return s.String() == to })})
		}
	}
	return all
}

// ruleCondition is the conjunction of conditions at a call; nil ones hold.
func (s *Sources) ruleCondition(conds ...*specs.CExpr) lower.Condition {
	return func(p *expr.Pool, at lower.ObservedScope) (*expr.Expr, error) {
		all := p.True()
		for _, e := range conds {
			if e == nil {
				continue
			}
			c, err := e.Cond(p, ruleScope{s, p, at}, s.LongWidth)
			if err != nil {
				return nil, err
			}
			all = p.Land(all, c)
		}
		return all, nil
	}
}

// whereThereAre is a condition at calls by a pattern: one without an argument or a result that it names is
// none of those that are meant.
func whereThereAre(when lower.Condition, conds ...*specs.CExpr) lower.Condition {
	if when == nil {
		return nil
	}
	return func(p *expr.Pool, at lower.ObservedScope) (*expr.Expr, error) {
		for _, e := range conds {
			if e == nil {
				continue
			}
			for _, arg := range e.Args() {
				i, err := strconv.Atoi(strings.TrimPrefix(arg, "$"))
				if err != nil {
					return nil, err
				}
				var missing *lower.NoArgumentError
				if _, err := at.Arg(i); errors.As(err, &missing) {
					return p.False(), nil
				}
			}
		}
		return when(p, at)
	}
}

// A ruleScope is what a condition of a rule may name.
type ruleScope struct {
	sources *Sources
	pool    *expr.Pool
	lower.ObservedScope
}

// Follows reports whether a path begins with an argument.
func (s ruleScope) Follows(path string) bool {
	return strings.HasPrefix(strings.TrimLeft(path, "*&"), "$")
}

// Lookup finds a chosen object or an enumeration constant.
func (s ruleScope) Lookup(name string, _ specs.Pos) (*expr.Expr, error) {
	if v := s.Object(name); v != nil {
		return v, nil
	}
	if e, ok := s.sources.Program.Enumerator(s.pool, name); ok {
		return e, nil
	}
	return nil, fmt.Errorf("%s is no object of the rule", name)
}

// IsAboutMemory reports whether a rule is about memory that is allocated and freed, so that each access counts.
func IsAboutMemory(rule *specs.Rule) bool {
	return len(rule.Forbidden) > 0 || slices.ContainsFunc(rule.Events, func(e *specs.RuleEvent) bool {
		return specs.MatchesCallee(e.Callees, "free")
	})
}

// RuleCalls reports whether a rule has an event at calls of a function, or forbids something of memory that it
// allocates or frees; a [source.AssignedPrefix] before the name of a member stands for assignments to it.
func RuleCalls(rule *specs.Rule, callee string) bool {
	if member, is := strings.CutPrefix(callee, source.AssignedPrefix); is {
		return rule.Assigns(member)
	}
	if f, ok := libc.Known(callee); ok && len(rule.Forbidden) > 0 && (f.Allocates() || f.Has(libc.Frees)) {
		return true
	}
	return slices.ContainsFunc(rule.Events, func(e *specs.RuleEvent) bool {
		return e.Kind == specs.CallEvent && specs.MatchesCallee(e.Callees, callee)
	})
}
