package job

// Roots of rules, several at a time, and told as if it were one.
//
// Idea: a rule is checked from its roots and then from callbacks, but not from what an earlier one had inlined, for it
// was looked at with that; nor from what an earlier one that is no whole may call. So whether a callback is checked
// depends on what came out before it. What came out is told in the order of the roots, which decides that. Workers go
// ahead: they take the first root that nothing before it is known or likely to make needless. A callback waits for all
// roots of its rule, and for callbacks that lead to it by name. What turns out to be needless once it is done is
// forgotten, so that what is told does not depend on how many workers there are.
//
// Each worker reads the project for itself. Where an earlier check has decided most roots, the others wait as
// long as reading takes: there may be nothing left to do for them.
//
// Cost: for each root that is taken, the roots before it that are not told yet.

import (
	"context"
	"slices"
	"sync"
	"time"

	"magus"
)

// A RuleRoot is a procedure from which a rule is checked, with what came out.
type RuleRoot struct {
	Question int // of [Rules.Questions]
	Entry    string
	Result   RuleResult
	// By is a root that may call this one and was not looked at as a whole, so that this one was not looked at
	// alone; "" if it was.
	By string

	key      string // FILE:NAME
	callback bool
	state    rootState
	taken    bool // by a worker
	err      error
}

// A rootState is how far a root is.
type rootState uint8

const (
	waiting rootState = iota
	running
	done
	told // or needless
)

// A RuleWatcher is told when roots begin and end, by several at a time.
type RuleWatcher interface {
	BeginRoot() (began float64)
	// EndRoot gets what BeginRoot gave.
	EndRoot(began float64, r RuleResult)
	// PassRoot is called instead of both.
	PassRoot()
}

// Roots counts the roots of all rules, of which some may turn out to be needless.
func (r *Rules) Roots() int {
	n := 0
	for _, q := range r.Questions {
		n += len(q.Roots) + len(q.Callbacks)
	}
	return n
}

// All checks all rules from all roots, some at a time, and tells what came out in their order. An error, also one
// of tell, ends it.
func (r *Rules) All(ctx context.Context, jobs int, watch RuleWatcher, tell func(*RuleRoot) error) error {
	ctx, cancel := context.WithCancel(ctx)
	o := newRootOrder(r.Questions)
	others := func() {}
	if jobs > 1 && r.kept.hasMost(o.roots, r.Questions) {
		others = func() { r.wait(ctx) }
	}
	defer o.work(min(jobs, len(o.roots)), others, func(worker int) func(*RuleRoot) {
		w := &ruleWorker{Rules: r}
		if worker == 0 {
			w.own = r.project
		}
		return func(root *RuleRoot) {
			began := watch.BeginRoot()
			result, err := w.check(ctx, r.Questions[root.Question], root.Entry)
			o.finish(root, result, err)
			watch.EndRoot(began, result)
		}
	})()
	defer cancel()
	return o.tell(func(root *RuleRoot, needless bool) error {
		if (needless || root.By != "") && !root.taken {
			watch.PassRoot()
		}
		switch {
		case needless:
			return nil
		case root.err != nil:
			return root.err
		case root.By == "":
			r.Keep(root.Result)
		}
		return tell(root)
	})
}

// wait waits as long as reading the project took.
func (r *Rules) wait(ctx context.Context) {
	ticks, stop := r.run.host.Ticks(max(r.read, time.Millisecond))
	defer stop()
	select {
	case <-ctx.Done():
	case <-ticks:
	}
}

// work lets workers check roots, until stop is called. All but the first one call others first.
func (o *rootOrder) work(workers int, others func(), worker func(i int) func(*RuleRoot)) (stop func()) {
	var all sync.WaitGroup
	for i := range workers {
		check := worker(i)
		all.Go(func() {
			if i > 0 {
				others()
			}
			for root := o.take(); root != nil; root = o.take() {
				check(root)
			}
		})
	}
	return func() {
		o.stop()
		all.Wait()
	}
}

// A rootOrder has the roots of all rules in their order.
type rootOrder struct {
	mu      sync.Mutex
	changed *sync.Cond
	leads   func(question int, from string) []string
	known   map[string]map[string]bool // leads, by procedure
	roots   []*RuleRoot
	told    int // so many
	stopped bool

	// Of the rule whose roots are told:
	seen   map[string]bool   // keys of what was looked at
	unsure map[string]string // what a root may call that was not looked at as a whole, with the root
}

// newRootOrder is the order of the roots of rules.
func newRootOrder(questions []magus.RuleQuestion) *rootOrder {
	o := &rootOrder{known: map[string]map[string]bool{}, seen: map[string]bool{}, unsure: map[string]string{}}
	o.changed = sync.NewCond(&o.mu)
	o.leads = func(question int, from string) []string { return questions[question].Leads(from) }
	for i, q := range questions {
		for n, entry := range slices.Concat(q.Roots, q.Callbacks) {
			file, plain := q.Body(entry)
			o.roots = append(o.roots, &RuleRoot{Question: i, Entry: entry, key: file + ":" + plain, callback: n >= len(q.Roots)})
		}
	}
	return o
}

// take is the next root to be checked; nil if there is none any more.
func (o *rootOrder) take() *RuleRoot {
	o.mu.Lock()
	defer o.mu.Unlock()
	for !o.stopped && o.told < len(o.roots) {
		for i, root := range o.roots[o.told:] {
			if root.state == waiting && o.ready(o.told+i) {
				root.state, root.taken = running, true
				return root
			}
		}
		o.changed.Wait()
	}
	return nil
}

// ready reports whether nothing speaks against a root that waits.
func (o *rootOrder) ready(n int) bool {
	root := o.roots[n]
	if root.Question == o.roots[o.told].Question && o.isNeedless(root) {
		return false
	}
	for _, before := range o.roots[o.told:n] {
		if before.Question == root.Question && o.speaksAgainst(before, root) {
			return false
		}
	}
	return true
}

// isNeedless reports whether what was told makes a root needless.
func (o *rootOrder) isNeedless(root *RuleRoot) bool {
	return o.seen[root.key] || o.unsure[root.Entry] != ""
}

// speaksAgainst reports whether a root that is not told yet may make a later one needless.
func (o *rootOrder) speaksAgainst(before, root *RuleRoot) bool {
	switch {
	case before.state == told:
		return false
	case before.state == done:
		return slices.Contains(before.Result.Inlined, root.key) || !before.Result.Whole && o.leadTo(before, root)
	case root.callback && !before.callback:
		return true
	}
	return o.leadTo(before, root)
}

// leadTo reports whether a root leads to another one.
func (o *rootOrder) leadTo(before, root *RuleRoot) bool {
	to, ok := o.known[before.Entry]
	if !ok {
		to = map[string]bool{}
		for _, name := range o.leads(before.Question, before.Entry) {
			to[name] = true
		}
		o.known[before.Entry] = to
	}
	return to[root.Entry]
}

// finish takes what a root came to, unless it is needless.
func (o *rootOrder) finish(root *RuleRoot, result RuleResult, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if root.state != told {
		root.Result, root.err, root.state = result, err, done
		o.changed.Broadcast()
	}
}

// stop lets workers take no more roots.
func (o *rootOrder) stop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stopped = true
	o.changed.Broadcast()
}

// tell tells all roots in their order, as they are done.
func (o *rootOrder) tell(f func(root *RuleRoot, needless bool) error) error {
	for _, root := range o.roots {
		if err := f(root, o.settle(root)); err != nil {
			return err
		}
	}
	return nil
}

// settle waits for a root whose turn it is, and reports whether it is needless.
func (o *rootOrder) settle(root *RuleRoot) (needless bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if needless = o.seen[root.key]; !needless {
		root.By = o.unsure[root.Entry]
	}
	if needless || root.By != "" {
		root.Result, root.err = RuleResult{}, nil
	} else {
		for root.state != done {
			o.changed.Wait()
		}
		for _, key := range root.Result.Inlined {
			o.seen[key] = true
		}
		if !root.Result.Whole {
			for _, name := range o.leads(root.Question, root.Entry) {
				o.unsure[name] = root.Entry
			}
		}
	}
	root.state = told
	if o.told++; o.told < len(o.roots) && o.roots[o.told].Question != root.Question {
		o.seen, o.unsure = map[string]bool{}, map[string]string{}
	}
	o.changed.Broadcast()
	return needless
}
