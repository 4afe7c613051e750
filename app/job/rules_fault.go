package job

import (
	"context"
	"errors"
	"runtime/debug"

	"magus"
	"magus/app/report"
	"magus/cfa"
	"magus/evidence/verdict"
	"magus/specs"
)

// checkRule checks a rule from one root. A fault of ours leaves that root undecided, and is kept: the others go on.
func (w *ruleWorker) checkRule(ctx context.Context, q magus.RuleQuestion, rule *specs.Rule,
	entry string) (result RuleResult,
	err error) {
	defer func() {
		var fault *cfa.InternalError
		if p := recover(); p != nil {
			fault = &cfa.InternalError{Doing: "checking " + entry, Value: p, Stack: string(debug.Stack())}
		} else if !errors.As(err, &fault) {
			return
		}
		result, err = w.failed(q, rule, entry, fault), nil
	}()
	return w.attempt(ctx, q, rule, entry)
}

// failed is what is said of a root at which magus failed.
func (r *Rules) failed(q magus.RuleQuestion, rule *specs.Rule, entry string, fault *cfa.InternalError) RuleResult {
	claim := r.project.RuleClaim(q, rule, entry, nil)
	o := &magus.Outcome{Claim: claim.Name, Verdict: magus.Unknown,
		Reason: verdict.Reason{Kind: verdict.Fault, Text: fault.Error()}}
	c := report.NewClaim(o, nil, 0, r.run.Question.Program.Sources)
	c.Procedures = procedures(claim)
	c.OfRule(rule)
	return RuleResult{Result: Result{Claim: c}, Faults: []*cfa.InternalError{fault}}
}
