package magus

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"magus/cfa/source"
	"magus/cfa/source/libc"
	"magus/component"
	"magus/engine/rules"
	"magus/internal/phrase"
	"magus/specs"
	"magus/specs/rulebook"
)

// A RuleQuestion is a rule with the procedures from which it is checked.
type RuleQuestion struct {
	Rule *specs.Rule
	// Besides is a rule whose violations are some of this one's, for roots of which this one is not decided; or nil.
	Besides *specs.Rule
	// Matters are the procedures that lead to an event of the rule, in source order.
	Matters []string
	// Roots are those of them that no other procedure names: a run begins in one of them. Callbacks are the others whose
	// address is taken: a run begins in one if no root calls it.
	Roots, Callbacks []string

	// Both are procedures for which the rule is kept only if what is looked for besides is too: they lead to functions
	// that allocate memory and have no model.
	Both []string
	// Silent are procedures of which a run needs to know only what they may store to, and what they return.
	Silent []string
	// Callees are procedures of which a contract may be found, callees first: see [Project.ContractClaim].
	Callees []string
	// Alone are those of Silent and Callees that are called by what is known of them alone only from roots that let code
	// that nobody described know no function which leads to an event. Knowing are the roots that may do that.
	Alone, Knowing []string
	// CalledBack are the variables that functions may change which code that nobody described calls: their names and,
	// behind a procedure's name, p::, all that are declared there.
	CalledBack []string

	program *source.Program
	graph   *rules.Graph
}

// Leads are the procedures that a procedure may call, as far as the text tells.
func (q RuleQuestion) Leads(from string) []string { return q.graph.Leads(from) }

// Recurs reports whether a procedure may call itself, as far as the text tells.
func (q RuleQuestion) Recurs(name string) bool { return q.graph.Recurs(name) }

// Reaches are these and those that it may call through pointers.
func (q RuleQuestion) Reaches(from string) []string { return q.graph.Reaches(from) }

// Body is the file in which a procedure has its body, and its plain name.
func (q RuleQuestion) Body(name string) (file, plain string) {
	pr := q.program.Procedure(name)
	return pr.Pos.File, pr.Name
}

// RuleQuestions are the rules of those names with their roots: rules of the specifications, else those that come
// along. Without names they are all rules of the specifications, or, where these have none, those that come along and
// have an event in the program. Wrappers are FUNCTION=WRAPPER: calls of a WRAPPER without a body are taken for calls
// of FUNCTION. Procedures that are smaller than inlineSize, with all that they call, are always looked at with their
// callers; see [source.Program.Size].
func (p *Project) RuleQuestions(names, wrappers []string, inlineSize int) ([]RuleQuestion, error) {
	selected, err := p.selectRules(names)
	if err != nil {
		return nil, err
	}
	if err := p.wrap(selected, wrappers); err != nil {
		return nil, err
	}
	g := p.callGraph(slices.ContainsFunc(selected, func(r selectedRule) bool { return r.rule.WatchesMembers() }))
	var all []RuleQuestion
	for _, r := range selected {
		q := RuleQuestion{Rule: r.rule, Besides: r.besides, program: p.sources.Program, graph: g}
		f := p.facts(r.rule)
		q.Matters = g.Leading(f.IsEvent, p.facts(r.rule.WithoutAny()).IsEvent)
		if !component.IsAboutMemory(r.rule) {
			var alone []string
			q.Silent, q.Alone = g.Silent(f, inlineSize)
			if !r.rule.WatchesMembers() { // what a body does to a watched member is not known of it alone
				q.Callees, alone = g.Callees(f, inlineSize)
				q.Alone, q.CalledBack = append(q.Alone, alone...), calledBack(g, f)
			}
		}
		if r.besides != nil {
			q.Both = g.Matters(func(callee string) bool { return allocatesUnseen(r.besides, plain(callee)) })
		}
		q.Roots, q.Callbacks = g.Roots(q.Matters), g.Callbacks(q.Matters)
		if len(q.Alone) > 0 {
			for _, root := range slices.Concat(q.Roots, q.Callbacks) {
				if g.Knows(f, root) {
					q.Knowing = append(q.Knowing, root)
				}
			}
		}
		if len(q.Matters) > 0 || len(names) > 0 || len(p.sources.Specs.Rules) > 0 {
			all = append(all, q)
		}
	}
	return all, nil
}

// allocatesUnseen reports whether calls of a function are the event alloc of a rule, and it has no model that
// allocates.
func allocatesUnseen(r *specs.Rule, callee string) bool {
	if f, ok := libc.Known(callee); ok && f.Allocates() {
		return false
	}
	return slices.ContainsFunc(r.Events, func(e *specs.RuleEvent) bool {
		return e.Name == "alloc" && e.Kind == specs.CallEvent && specs.MatchesCallee(e.Callees, callee)
	})
}

// wrap adds wrappers to the rules that are about the functions that they wrap.
func (p *Project) wrap(selected []selectedRule, wrappers []string) error {
	for _, w := range wrappers {
		function, wrapper, ok := strings.Cut(w, "=")
		if !ok || function == "" || wrapper == "" {
			return &InputError{Msg: "--wrapper " + w + ": write FUNCTION=WRAPPER, as in pthread_mutex_unlock=my_unlock"}
		}
		if _, declared := p.sources.Program.Declared(wrapper); !declared && !p.sources.Program.HasBody(wrapper) {
			return &InputError{Msg: fmt.Sprintf("--wrapper %s: the sources declare no function %s%s", w, wrapper,
				phrase.Suggest(wrapper, p.sources.Program.Procedures()))}
		}
		names := false
		for i, r := range selected {
			names = names || r.rule.Names(function)
			if p.sources.Program.HasSharedBody(wrapper) { // which says what it does
				continue
			}
			if f, ok := libc.Known(function); ok && f.Has(libc.Frees) && slices.Contains(r.rule.Forbidden, specs.Uses) {
				return &InputError{Msg: fmt.Sprintf("--wrapper %s: what %s frees is not followed without its body, "+
					"so %s cannot be "+
					"checked; name the other rules (--rule)", w, wrapper, r.rule.Name)}
			}
			selected[i].rule = r.rule.WithWrapper(function, wrapper)
			if r.besides != nil {
				selected[i].besides = r.besides.WithWrapper(function, wrapper)
			}
		}
		if !names {
			return &InputError{Msg: fmt.Sprintf("--wrapper %s: no rule says anything of calls of %s", w, function)}
		}
	}
	return nil
}

// A selected rule, with what is looked for besides.
type selectedRule struct{ rule, besides *specs.Rule }

// selectRules are the rules of those names.
func (p *Project) selectRules(names []string) ([]selectedRule, error) {
	own := p.sources.Specs.Rules
	var known []string
	var all []selectedRule
	for _, r := range own {
		known = append(known, r.Name)
		if len(names) == 0 || slices.Contains(names, r.Name) {
			all = append(all, selectedRule{rule: r})
		}
	}
	if len(names) == 0 && len(own) > 0 {
		return all, nil
	}
	for _, e := range rulebook.Entries() {
		if !slices.Contains(known, e.Name) && (len(names) == 0 || slices.Contains(names, e.Name)) {
			rule, besides := e.Rule()
			all = append(all, selectedRule{rule, besides})
		}
		known = append(known, e.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, &InputError{Msg: "no rule " + name + phrase.Instead(name, known)}
		}
	}
	return all, nil
}

// callGraph says which procedures name which functions and, if that is asked for, assign to which members.
func (p *Project) callGraph(members bool) *rules.Graph {
	uses := p.sources.Program.Uses()
	if members {
		uses = append(uses, p.sources.Program.AssignedMembers()...)
	}
	var mentions []rules.Mention
	for _, u := range uses {
		mentions = append(mentions, rules.Mention(u))
	}
	var names []string
	for _, pr := range p.sources.Program.Bodies() {
		if name := p.sources.Program.UniqueName(pr); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return rules.NewGraph(names, mentions)
}

// facts are those of the program's functions that its graph does not have; rule may be nil where it is only asked which
// functions call back.
func (p *Project) facts(rule *specs.Rule) rules.Facts {
	var implicit []string
	for _, pr := range p.sources.Program.Destructors() {
		implicit = append(implicit, p.sources.Program.UniqueName(pr))
	}
	f := rules.Facts{Implicit: implicit, CallsBack: callsBack, Later: component.CallsLater,
		Size: func(name string) int { return p.sources.Program.Size(p.sources.Program.Procedure(name)) }}
	if rule != nil {
		f.IsEvent = func(callee string) bool { return component.RuleCalls(rule, plain(callee)) }
		f.OnlyStarts = func(callee string) bool { return component.OnlyStarts(rule, callee) }
	}
	return f
}

// calledBack are the variables that functions may change which code that nobody described calls, sorted.
func calledBack(g *rules.Graph, f rules.Facts) []string {
	all, procedures := g.CalledBack(f)
	for _, name := range procedures {
		all = append(all, plain(name)+"::")
	}
	slices.Sort(all)
	return all
}

// plain is the name of a function as the text has it.
func plain(unique string) string { return unique[strings.LastIndex(unique, ":")+1:] }

// handled are functions of the library that call what was registered for signals, or for the end of a thread.
var handled = []string{"raise", "kill", "killpg", "sigqueue", "pthread_kill", "pthread_sigqueue", "abort",
	"pthread_cancel", "pthread_testcancel", "_pthread_cleanup_pop", "__pthread_unwind_next", "fork", "vfork"}

// callsBack reports whether a function without a body may call what it is given, or what it was given before.
func callsBack(callee string) bool {
	f, ok := libc.Known(callee)
	ok = ok || strings.HasPrefix(callee, source.AssignedPrefix)
	return !ok || f.Has(libc.Calls) || strings.HasSuffix(callee, "exit") || slices.Contains(handled, callee)
}

// RuleSlice is the digest of all that a check of a question from a procedure depends on of the C files. The procedures
// that a question is asked from and the rule are not in it. reached are the procedures that it may lead to, with it.
func (p *Project) RuleSlice(q RuleQuestion, entry string) (sum string, reached []string) {
	p.slicing.Do(func() { p.slices = p.sources.Program.NewSlices(p.facts(nil).CallsBack) })
	sum = p.slices.Of(entry, func(names []string) string {
		reached = names
		other := func(name string) bool { return !slices.Contains(reached, name) }
		return fmt.Sprintf("silent %q both %q callees %q alone %q changed %q knowing %v",
			slices.DeleteFunc(slices.Clone(q.Silent), other), slices.DeleteFunc(slices.Clone(q.Both), other),
			slices.DeleteFunc(slices.Clone(q.Callees), other), slices.DeleteFunc(slices.Clone(q.Alone), other), q.CalledBack,
			slices.Contains(q.Knowing, entry))
	})
	return sum, reached
}

// RuleClaim is the claim that no run from a procedure breaks a rule of a question: its own, or what is looked for
// besides. Contracts are of the question's own rule.
func (p *Project) RuleClaim(q RuleQuestion, rule *specs.Rule, entry string, contracts Contracts) *Claim {
	silent := q.Silent
	if slices.Contains(q.Knowing, entry) {
		isAlone := func(name string) bool { return slices.Contains(q.Alone, name) }
		silent, contracts = slices.DeleteFunc(slices.Clone(silent), isAlone), maps.Clone(contracts)
		maps.DeleteFunc(contracts, func(name string, _ Contract) bool { return isAlone(name) })
	}
	return p.sources.RuleClaim(rule, entry, silent, contracts)
}

// Contracts say what is known of calls of procedures in states of a rule.
type (
	Contracts = component.Contracts
	Contract  = component.Contract
)

// ContractClaim is the claim that a procedure, called in a state of a question's rule, keeps the rule and returns in
// one of some states. A proof with [cfa.Modelling.OutsideUnknown] makes a contract of it; a violation says nothing.
func (p *Project) ContractClaim(q RuleQuestion, entry string, state int, returns []int, contracts Contracts) *Claim {
	return p.sources.ContractClaim(q.Rule, entry, state, returns, q.Silent, q.CalledBack, contracts)
}
