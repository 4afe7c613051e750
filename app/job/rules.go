package job

import (
	"context"
	"slices"

	"magus"
	"magus/app/input"
	"magus/app/options"
	"magus/app/report"
	"magus/cfa"
	"magus/specs"
)

// Rules is a check of rules over a project under way. Sessions are made one after the other.
type Rules struct {
	Questions []magus.RuleQuestion
	Faults    []*cfa.InternalError // of ours, each of which left a root undecided

	run     *Run
	project RuleProject
}

// A RuleProject is a project whose rules can be asked for, as [magus.Project] is.
type RuleProject interface {
	Project
	RuleQuestions(names, wrappers []string) ([]magus.RuleQuestion, error)
	RuleClaim(q magus.RuleQuestion, rule *specs.Rule, entry string) *magus.Claim
}

// StartRules reads the named files and selects the rules. What is not modelled, or a context that ended, is no error:
// there are then no questions, and the report says why.
func StartRules(ctx context.Context, h Host, o *options.Options, files []string) (*Rules, error) {
	r := &Rules{run: &Run{host: h, options: o, start: h.Now(), tune: forRules, doc: &report.Check{Schema: report.SchemaID,
		Options: changed(h.Options(), o), Claims: []report.Claim{}, Warnings: []report.Remark{}}}}
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
	project, err := h.Engine.Load(ctx, Input(p))
	if err != nil {
		return severalPrograms(p, Mistake(ctx, err))
	}
	q.Project, q.texts = project, p.Sources.Texts()
	var ok bool
	if r.project, ok = project.(RuleProject); !ok {
		return &options.UsageError{Message: "rules cannot be checked here"}
	}
	if r.Questions, err = r.project.RuleQuestions(o.Rules, o.Wrappers); err != nil {
		return Mistake(ctx, err)
	}
	return nil
}

// A RuleResult is what the check of one rule from one root came to. Inlined are the procedures that were looked at with
// it, by FILE:NAME. Whole says that these are all that it may call.
type RuleResult struct {
	Result
	Inlined []string
	Whole   bool
}

// Check checks a rule from one root. Where it is not decided, violations of what is looked for besides count.
func (r *Rules) Check(ctx context.Context, q magus.RuleQuestion, entry string, w Watcher) (RuleResult, error) {
	result, err := r.check(ctx, q, q.Rule, entry, w)
	if err != nil || q.Besides == nil || ctx.Err() != nil || result.Claim.Verdict != magus.Unknown.String() {
		return result, err
	}
	besides, err := r.check(ctx, q, q.Besides, entry, w)
	claims := r.run.doc.Claims
	if err != nil || besides.Claim.Verdict != magus.Violates.String() {
		r.run.doc.Claims = claims[:len(claims)-1]
		return result, err
	}
	besides.Claim.Name, besides.Claim.Rule = result.Claim.Name, result.Claim.Rule
	claims[len(claims)-2] = besides.Claim
	r.run.doc.Claims = claims[:len(claims)-1]
	return besides, nil
}

// attempt checks a rule from one root, within the limit of time of a function.
func (r *Rules) attempt(ctx context.Context, q magus.RuleQuestion, rule *specs.Rule, entry string,
	w Watcher) (RuleResult, error) {
	if limit := r.run.options.FunctionTimeout; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = Within(ctx, limit)
		defer cancel()
	}
	run, i := r.run, len(r.run.claims)
	c := r.project.RuleClaim(q, rule, entry)
	run.Question.Claims = append(run.Question.Claims, c)
	p, err := run.session(ctx, i, c)
	if err != nil {
		return RuleResult{}, err
	}
	run.claims = append(run.claims, p)
	var result RuleResult
	if viewed, ok := p.session.(Viewed); ok {
		result.Inlined, result.Whole = proceduresOf(viewed)
	}
	result.Result = run.Check(ctx, i, w)
	result.Claim.OfRule(rule)
	run.doc.Claims[len(run.doc.Claims)-1] = result.Claim
	return result, nil
}

// proceduresOf are the procedures of a session's automata, and whether nothing of them was left out.
func proceduresOf(s Viewed) (names []string, whole bool) {
	v := s.View()
	whole = true
	for _, c := range v.Components {
		whole = whole && len(c.CFA.Refused) == 0
		for _, l := range c.CFA.Locs {
			names = append(names, l.Pos.File+":"+c.CFA.Frames[l.Frame].Proc)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), whole
}

// Report is the report of all that was checked.
func (r *Rules) Report() *report.Check { return r.run.Report() }

// Question is what was read.
func (r *Rules) Question() *Question { return r.run.Question }
