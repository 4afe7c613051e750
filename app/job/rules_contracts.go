package job

// Contracts of a rule, found when they are needed.
//
// Idea: before a root is looked at, the contracts of all that roots of its rule lead to are found, callees first: each
// by a claim about that procedure alone (engine/rules, contract.go). At first each procedure is taken to keep the
// state in which the rule begins, and one that calls itself to keep each state, for it may do so in another one.
// What is not proved is no contract, and what was proved by it is looked at again, until nothing changes. Then all
// proofs rest on each other: a run that breaks one would be broken by a call within it before that, and a run has a
// first such call. After that, what calls in other states do is looked for in the same order, by contracts that stand.
//
// A contract holds whatever pointers its procedure is given, and is needed where these meet in ways that a caller
// knows. So no assumption about them is made, as is for roots: see [cfa.Modelling.OutsideUnknown]. What code that
// nobody described may call depends on the root: engine/rules says which roots may use which contracts.
//
// Source: Hoare, Procedures and parameters: an axiomatic approach (1971), the rule for recursive procedures; the
// greatest fixed point of candidates of Flanagan, Leino: Houdini, an annotation assistant for ESC/Java (FME 2001).
//
// Cost: a few claims for each procedure, each about the size of what is not called by contracts. A procedure that is
// not decided within its limit costs that once: what calls it is not looked at alone, nor is it in other states.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"magus"
	"magus/app/report"
	"magus/cfa"
	"magus/component"
	"magus/specs"
)

// A callee is a procedure with its contract.
type callee struct {
	states  magus.Contract // none: it has no contract
	uses    []string       // procedures whose contracts it was proved by
	inlined []string       // procedures that were looked at for it, by FILE:NAME
	whole   bool           // these are all that it may call
	assumes []report.Remark
	ended   bool // a limit ended the search for it
}

// contracts are procedures that have one.
type contracts map[string]*callee

// states are the contracts as claims take them.
func (c contracts) states() magus.Contracts {
	all := magus.Contracts{}
	for name, k := range c {
		all[name] = k.states
	}
	return all
}

// A contractSearch finds the contracts of a rule, once.
type contractSearch struct {
	once  sync.Once
	found contracts
	err   error
}

// newContractSearches are those of all questions.
func newContractSearches(questions []magus.RuleQuestion) map[string]*contractSearch {
	all := map[string]*contractSearch{}
	for _, q := range questions {
		all[q.Rule.Name] = &contractSearch{}
	}
	return all
}

// contracts are those of a rule. Who needs them first finds them, others wait.
func (w *ruleWorker) contracts(ctx context.Context, q magus.RuleQuestion) (contracts, error) {
	s := w.searches[q.Rule.Name]
	s.once.Do(func() { s.found, s.err = w.findContracts(ctx, q) })
	return s.found, s.err
}

// wanted are the procedures of a question of which a contract may be asked for: all, or what those roots may lead to
// that an earlier check has not decided.
func (w *ruleWorker) wanted(q magus.RuleQuestion) []string {
	if w.kept == nil || len(q.Callees) == 0 {
		return q.Callees
	}
	leads := map[string]bool{}
	for _, root := range slices.Concat(q.Roots, q.Callbacks) {
		key := w.kept.key(q, q.Rule, root)
		if _, _, ok := w.kept.unchanged(key, w.kept.slices[key]); ok {
			continue
		}
		_, reached := w.own.RuleSlice(q, root)
		for _, name := range reached {
			leads[name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(q.Callees), func(name string) bool { return !leads[name] })
}

// findContracts finds the contracts of what the question's roots may lead to.
func (w *ruleWorker) findContracts(ctx context.Context, q magus.RuleQuestion) (contracts, error) {
	order, states := w.wanted(q), statesOf(q.Rule)
	first := map[string][]int{}
	for _, name := range order {
		if first[name] = states[:1]; q.Recurs(name) {
			first[name] = states
		}
	}
	found, err := keepFirst(order, first, q.Reaches, callersToo(q.Leads,
		func(name string, within contracts) (*callee, error) {
			return w.findContract(ctx, q, name, slices.Sorted(maps.Keys(within[name].states)), within)
		}))
	if err != nil {
		return nil, err
	}
	for _, name := range order {
		if found[name] == nil {
			continue
		}
		more, err := w.findContract(ctx, q, name, states[len(first[name]):], found)
		if err != nil {
			return nil, err
		}
		found[name].add(more)
	}
	found.close()
	return found, nil
}

// callersToo finds no contract of what leads to a procedure whose search a limit has ended: its body, which is looked
// at with them, takes as long there.
func callersToo(leads func(string) []string, find func(string, contracts) (*callee, error)) func(string,
	contracts) (*callee, error) {
	ended := map[string]bool{}
	return func(name string, within contracts) (*callee, error) {
		if slices.ContainsFunc(leads(name), func(to string) bool { return ended[to] }) {
			return &callee{whole: true, ended: true}, nil
		}
		c, err := find(name, within)
		ended[name] = err == nil && c.ended
		return c, err
	}
}

// keepFirst are the contracts of which each says what calls in some states do, and is proved by others of them. A proof
// rests on contracts of what its procedure may call: calls of others by contract come with each body that it asks
// for. So it is looked for again where one of these has changed since.
func keepFirst(order []string, states map[string][]int, leads func(string) []string,
	find func(name string, within contracts) (*callee, error)) (contracts, error) {
	found := contracts{}
	for _, name := range order {
		found[name] = &callee{states: magus.Contract{}}
		for _, state := range states[name] {
			found[name].states[state] = []int{state}
		}
	}
	clock, looked, changed := 0, map[string]int{}, map[string]int{} // when a contract was looked for, and has changed
	for again := order; len(again) > 0; {
		for _, name := range again {
			c, err := find(name, found)
			if err != nil {
				return nil, err
			}
			clock++
			looked[name] = clock
			if !maps.EqualFunc(c.states, found[name].states, slices.Equal[[]int]) {
				changed[name] = clock
			}
			if found[name] = c; len(c.states) == 0 {
				delete(found, name)
			}
		}
		again = slices.DeleteFunc(slices.Clone(order), func(name string) bool {
			old := changed[name] == looked[name] || // it may call itself
				slices.ContainsFunc(leads(name), func(to string) bool { return changed[to] > looked[name] })
			return found[name] == nil || !old
		})
	}
	return found, nil
}

// findContract finds what a procedure does in some states, by contracts of others. A fault of ours is none of the
// root's, and leaves the procedure without a contract.
func (w *ruleWorker) findContract(ctx context.Context, q magus.RuleQuestion, name string, states []int,
	found contracts) (
	c *callee, err error) {
	c = &callee{whole: true, states: magus.Contract{}}
	defer func() {
		var fault *cfa.InternalError
		if p := recover(); p != nil || errors.As(err, &fault) {
			c, err = &callee{whole: true}, nil
		}
	}()
	for _, state := range states {
		if err := w.inState(ctx, q, name, state, found, c); err != nil || c.ended {
			return c, err
		}
	}
	return c, nil
}

// inState looks for what a contract says of calls in a state: that they end in the same one, or in one more, or what it
// said before.
func (w *ruleWorker) inState(ctx context.Context, q magus.RuleQuestion, name string, state int, within contracts,
	c *callee) error {
	tries := [][]int{{state}}
	states := len(q.Rule.Flat())
	for other := range min(states, mostStates) {
		if other != state && states > 2 { // any state would say nothing
			tries = append(tries, []int{state, other})
		}
	}
	if known := within[name]; known != nil {
		if i := slices.IndexFunc(tries, func(t []int) bool { return slices.Equal(t, known.states[state]) }); i > 0 {
			tries = tries[i:]
		}
	}
	for _, returns := range tries {
		result, err := w.keepsRule(ctx, q, name, state, returns, within)
		if err != nil || magus.Kind(result.Claim.Kind).Limit() {
			c.ended = err == nil
			return err
		}
		if result.Claim.Verdict == magus.Conforms.String() {
			more := &callee{states: magus.Contract{state: returns}, inlined: result.Inlined, whole: result.Whole,
				assumes: result.Claim.Assumptions}
			for _, k := range result.Claim.Contracts {
				more.uses = append(more.uses, k.Procedure)
			}
			c.add(more)
			return nil
		}
		if brokenWithin(result.Claim.Counterexample) {
			return nil // whatever it returns in
		}
	}
	return nil
}

// brokenWithin reports whether a run breaks the rule before its procedure returns.
func brokenWithin(x *report.Counterexample) bool {
	return x != nil && slices.ContainsFunc(x.Steps, func(s report.Step) bool {
		return s.Forbidden && s.Action != "" && s.Action != component.ContractReturn
	})
}

// add adds what was found of other states.
func (c *callee) add(more *callee) {
	maps.Copy(c.states, more.states)
	c.inlined, c.uses = append(c.inlined, more.inlined...), append(c.uses, more.uses...)
	c.assumes, c.whole = append(c.assumes, more.assumes...), c.whole && more.whole
}

// close adds to each contract what those that it rests on were proved with.
func (c contracts) close() {
	for changed := true; changed; {
		changed = false
		for _, name := range slices.Sorted(maps.Keys(c)) {
			k := c[name]
			inlined, assumes, whole := len(k.inlined), len(k.assumes), k.whole
			for _, used := range k.uses {
				k.inlined, k.whole = append(k.inlined, c[used].inlined...), k.whole && c[used].whole
				k.assumes = append(k.assumes, c[used].assumes...)
			}
			slices.Sort(k.inlined)
			k.inlined, k.assumes = slices.Compact(k.inlined), distinct(k.assumes)
			changed = changed || len(k.inlined) != inlined || len(k.assumes) != assumes || k.whole != whole
		}
	}
}

// distinct are remarks, each once.
func distinct(remarks []report.Remark) []report.Remark {
	known := map[string]bool{}
	all := make([]report.Remark, 0, len(remarks))
	for _, r := range remarks {
		if key := fmt.Sprint(r.Place, r.Text, r.Kind); !known[key] {
			known[key] = true
			all = append(all, r)
		}
	}
	return all
}

// keeps are the states of which the contract speaks, with those in which calls may end.
func (c *callee) keeps(rule *specs.Rule) []string {
	var all []string
	for _, state := range slices.Sorted(maps.Keys(c.states)) {
		text := rule.Flat()[state].String()
		for _, to := range c.states[state][1:] {
			text += " or ends in " + rule.Flat()[to].String()
		}
		all = append(all, text)
	}
	return all
}

// restOn says in a claim by which contracts it was decided, and what was assumed for them.
func (c contracts) restOn(claim *report.Claim, rule *specs.Rule, used []string) {
	claim.Contracts = nil
	all := claim.Assumptions
	for _, name := range used {
		claim.Contracts = append(claim.Contracts, report.Contract{Procedure: name, Keeps: c[name].keeps(rule)})
		all = append(all, c[name].assumes...)
	}
	if len(used) > 0 {
		claim.Assumptions = distinct(all)
	}
}

// mostStates is the number of states of a rule in which calls are tried.
const mostStates = 4

// statesOf are the states of a rule in which calls are tried, by their numbers: first the one in which it begins.
func statesOf(rule *specs.Rule) []int {
	var all []int
	for i, state := range rule.Flat() {
		if state.Name == rule.Begin && state.Number <= 1 {
			all = slices.Insert(all, 0, i)
		} else {
			all = append(all, i)
		}
	}
	return all[:min(len(all), mostStates)]
}

// keepsRule checks the claim that a call in one state keeps the rule and ends in one of some.
func (w *ruleWorker) keepsRule(ctx context.Context, q magus.RuleQuestion, name string, state int, returns []int,
	within contracts) (RuleResult, error) {
	t := ruleTask{rule: q.Rule, limit: w.run.options.FunctionTimeout / 2, options: w.ruleOptions()}
	if w.kept != nil {
		t.key = w.kept.contractKey(q, name, state, returns, within.states())
		t.slice = w.kept.slices[q.Rule.Name+" "+name]
	}
	result, record, ok := w.kept.unchanged(t.key, t.slice)
	if ok {
		return result, nil
	}
	t.record = record
	t.options.Modelling.PointerObjects, t.options.Modelling.OutsideUnknown = false, true
	t.claim = w.own.ContractClaim(q, name, state, returns, within.states())
	return w.decide(ctx, t, within)
}
