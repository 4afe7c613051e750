package job

import (
	"context"
	"slices"
	"sync"
	"time"

	"magus"
	"magus/app/input"
	"magus/app/options"
	"magus/app/report"
	"magus/cfa"
	"magus/specs"
)

// Rules is a check of rules over a project under way.
type Rules struct {
	Questions []magus.RuleQuestion

	run     *Run
	input   magus.Input
	project RuleProject
	read    time.Duration // how long reading the project took
	kept    *ruleStore
	// searches find the contracts of a rule, by its name, when they are first needed.
	searches map[string]*contractSearch
}

// A RuleProject is a project whose rules can be asked for, as [magus.Project] is.
type RuleProject interface {
	Project
	RuleQuestions(names, wrappers []string, inlineSize int) ([]magus.RuleQuestion, error)
	RuleSlice(q magus.RuleQuestion, entry string) (sum string, reached []string)
	RuleClaim(q magus.RuleQuestion, rule *specs.Rule, entry string, contracts magus.Contracts) *magus.Claim
	ContractClaim(q magus.RuleQuestion, entry string, state int, returns []int, contracts magus.Contracts) *magus.Claim
}

// StartRules reads the named files and selects the rules. What is not modelled, or a context that ended, is no error:
// there are then no questions, and the report says why.
func StartRules(ctx context.Context, h Host, o *options.Options, files []string) (*Rules, error) {
	r := &Rules{run: newRun(h, o)}
	err := r.ask(ctx, files)
	if err == nil {
		r.run.doc.Warnings = report.Remarks(r.project.Warnings())
		return r, nil
	}
	why, ok := magus.Undecided(ctx, err)
	if !ok {
		return nil, err
	}
	r.run.doc.Because = report.NewBecause(why)
	return r, nil
}

// forRules looks for short runs first, for most findings are such; lets pointers that nothing was stored to point to
// objects of their own, for a root may stand alone; and takes no proof of which no run comes to the end.
func forRules(o *magus.Options) {
	o.Modelling.PointerObjects = true
	o.Loop.SearchFirst = 1 << 16
	o.Loop.RefuseVacuous = true
}

func (r *Rules) ask(ctx context.Context, files []string) error {
	h, o := r.run.host, r.run.options
	if err := ValidateReading(h, o, files); err != nil {
		return err
	}
	settings := o.Reading()
	settings.Overlay, settings.Seen = h.Overlay, h.Seen
	p, err := input.Read(h.Dir, settings, files)
	if err != nil {
		return err
	}
	q := &Question{Program: p, options: o, table: h.Options()}
	r.run.Question = q
	r.input = Input(p)
	r.input.ReadFile = remembered(r.input.ReadFile)
	r.input.Options.ReadFile = r.input.ReadFile
	begin := h.Now()
	project, err := h.Engine.Load(ctx, r.input)
	if err != nil {
		return severalPrograms(p, Mistake(ctx, err))
	}
	r.read = h.Now().Sub(begin)
	q.Project, q.texts = project, p.Sources.Texts()
	var ok bool
	if r.project, ok = project.(RuleProject); !ok {
		return &options.UsageError{Message: "rules cannot be checked here"}
	}
	if r.Questions, err = r.project.RuleQuestions(o.Rules, o.Wrappers, o.InlineSize); err != nil {
		return Mistake(ctx, err)
	}
	r.searches = newContractSearches(r.Questions)
	return nil
}

// A RuleResult is what the check of one rule from one root came to. Inlined are the procedures that were looked at with
// it, by FILE:NAME. Whole says that these are all that it may call. Faults are ours, and left it undecided.
type RuleResult struct {
	Result
	Inlined []string
	Whole   bool
	Faults  []*cfa.InternalError
	Kept    bool // from an earlier check
}

// Keep takes what a root came to into the report.
func (r *Rules) Keep(result RuleResult) { r.run.doc.Claims = append(r.run.doc.Claims, result.Claim) }

// A ruleWorker checks one root after the other, with a project of its own: a program is for one at a time.
type ruleWorker struct {
	*Rules
	own RuleProject // nil: it has not been read yet
}

// check checks a rule from one root. Where it is not decided, violations of what is looked for besides count, and where
// a proof of it says nothing of some memory, that has to be proved too.
func (w *ruleWorker) check(ctx context.Context, q magus.RuleQuestion, entry string) (RuleResult, error) {
	result, err := w.checkRule(ctx, q, q.Rule, entry)
	kept := result.Claim.Verdict == magus.Conforms.String() && needsBoth(q, entry, result.Inlined)
	if err != nil || q.Besides == nil || ctx.Err() != nil || !kept && result.Claim.Verdict != magus.Unknown.String() {
		return result, err
	}
	besides, err := w.checkRule(ctx, q, q.Besides, entry)
	result.Faults = append(result.Faults, besides.Faults...)
	if err != nil || besides.Claim.Verdict != magus.Violates.String() && !kept ||
		besides.Claim.Verdict == magus.Conforms.String() {
		return result, err
	}
	besides.Claim.Name, besides.Claim.Rule, besides.Faults = result.Claim.Name, result.Claim.Rule, result.Faults
	return besides, nil
}

// needsBoth reports whether a root leads to memory of which a proof says nothing: by name, or through a pointer to what
// was looked at with it.
func needsBoth(q magus.RuleQuestion, entry string, inlined []string) bool {
	return slices.ContainsFunc(q.Both, func(name string) bool {
		file, plain := q.Body(name)
		return name == entry || slices.Contains(inlined, file+":"+plain)
	})
}

// share is how long a rule of a question may take: what is looked for besides has a quarter of a function's limit.
func (r *Rules) share(q magus.RuleQuestion, rule *specs.Rule) time.Duration {
	limit := r.run.options.FunctionTimeout
	switch {
	case q.Besides == nil:
		return limit
	case rule == q.Besides:
		return limit / 4
	}
	return limit - limit/4
}

// attempt checks a rule from one root, within the limit of time of a function, if no earlier check has.
func (w *ruleWorker) attempt(ctx context.Context, q magus.RuleQuestion, rule *specs.Rule,
	entry string) (result RuleResult,
	err error) {
	var key, slice string
	if w.kept != nil {
		key = w.kept.key(q, rule, entry)
		slice = w.kept.slices[key]
	}
	result, record, ok := w.kept.unchanged(key, slice)
	if ok {
		return result, nil
	}
	t := ruleTask{rule: rule, key: key, slice: slice, record: record, limit: w.share(q, rule), options: w.ruleOptions()}
	if t.why, err = w.load(ctx); err != nil {
		return result, err
	}
	var found contracts
	if rule == q.Rule && t.why.Kind == "" {
		if found, err = w.contracts(ctx, q); err != nil {
			return result, err
		}
	}
	t.claim = w.mine().RuleClaim(q, rule, entry, found.states())
	return w.decide(ctx, t, found)
}

// A ruleTask is a claim that is to be decided within a limit of time, 0 for none.
type ruleTask struct {
	claim   *magus.Claim
	rule    *specs.Rule
	options magus.Options
	limit   time.Duration
	why     magus.Reason // it cannot be looked at
	key     string
	slice   string      // the digest of what it may depend on, if that is known
	record  *ruleRecord // what an earlier check has left under the key, or nil
}

// ruleOptions are those of a session about a root.
func (r *Rules) ruleOptions() magus.Options {
	o := SessionOptions(r.run.host, r.run.options)
	forRules(&o)
	return o
}

// decide decides a claim, unless a record has its proof, and keeps what comes out.
func (w *ruleWorker) decide(ctx context.Context, t ruleTask, found contracts) (result RuleResult, err error) {
	within := ctx
	if t.limit > 0 {
		var cancel context.CancelFunc
		within, cancel = Within(ctx, t.limit)
		defer cancel()
	}
	p := prepared{name: t.claim.Name, why: t.why}
	if p.why.Kind == "" {
		if p, err = w.run.prepared(within, w.own, t.claim, t.options); err != nil {
			return result, err
		}
	}
	var used []string
	if viewed, ok := p.session.(Viewed); ok {
		result.Inlined, result.Whole, used = proceduresOf(viewed, found)
	}
	m := w.kept.modelled(p.session, t.options)
	if m != nil {
		p.session = m
	}
	var models []ruleModel
	if t.record.proved(within, t.claim, t.options, m) {
		p.session.Close()
		result.Claim, result.Kept = t.record.Claim, true
		result.Claim.Procedures, result.Claim.Assumptions = procedures(t.claim), t.record.Assumes
		models = t.record.Models
	} else {
		result.Result = w.run.check(within, p, t.claim, nil)
		result.Claim.OfRule(t.rule)
		models = m.known()
	}
	own := slices.Clone(result.Claim.Assumptions)
	found.restOn(&result.Claim, t.rule, used)
	if w.kept != nil && ctx.Err() == nil && w.kept.keeps(result.Claim) {
		w.kept.keep(&ruleRecord{Format: ruleFormat, Key: t.key, Program: w.kept.program, Limits: w.kept.limits,
			Slice: t.slice, Models: models, Inlined: result.Inlined, Whole: result.Whole, Claim: result.Claim,
			Assumes: own})
	}
	return result, nil
}

// load reads the worker's project if it was not; why says that there is no time for that.
func (w *ruleWorker) load(ctx context.Context) (why magus.Reason, err error) {
	if w.own != nil {
		return why, nil
	}
	project, err := w.run.host.Engine.Load(ctx, w.input)
	if err != nil {
		why, ok := magus.Undecided(ctx, err)
		if !ok {
			return why, Mistake(ctx, err)
		}
		return why, nil
	}
	w.own = project.(RuleProject) // as the first one is
	return why, nil
}

// mine is the worker's project, or the first one if it could not be read.
func (w *ruleWorker) mine() RuleProject {
	if w.own == nil {
		return w.project
	}
	return w.own
}

// remembered reads each file once: whoever reads the project again reads the same. It may be called by
// several at a time.
func remembered(readFile func(string) ([]byte, error)) func(string) ([]byte, error) {
	type read struct {
		text []byte
		err  error
	}
	var mu sync.Mutex
	known := map[string]read{}
	return func(name string) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		r, ok := known[name]
		if !ok {
			r.text, r.err = readFile(name)
			known[name] = r
		}
		return r.text, r.err
	}
}

// proceduresOf are the procedures of a session's automata, with those that were looked at for the contracts by which
// others are called, and whether nothing of them was left out; and the names of those others.
func proceduresOf(s Viewed, found contracts) (names []string, whole bool, used []string) {
	v := s.View()
	whole = true
	for _, c := range v.Components {
		whole = whole && len(c.CFA.Refused) == 0
		for _, l := range c.CFA.Locs {
			names = append(names, l.Pos.File+":"+c.CFA.Frames[l.Frame].Proc)
			if call, ok := l.Stmt.(cfa.Call); ok && found[call.Callee] != nil && !slices.Contains(used, call.Callee) {
				c := found[call.Callee]
				used, names, whole = append(used, call.Callee), append(names, c.inlined...), whole && c.whole
			}
		}
	}
	slices.Sort(names)
	slices.Sort(used)
	return slices.Compact(names), whole, used
}

// Report is the report of all that was kept.
func (r *Rules) Report() *report.Check { return r.run.Report() }

// Question is what was read.
func (r *Rules) Question() *Question { return r.run.Question }
