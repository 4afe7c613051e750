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

// check checks a rule from one root. A fault of ours leaves that root undecided, and is kept: the others go on.
func (r *Rules) check(ctx context.Context, q magus.RuleQuestion, rule *specs.Rule, entry string,
	w Watcher) (result RuleResult, err error) {
	run, told := r.run, len(r.run.doc.Claims)
	defer func() {
		var fault *cfa.InternalError
		if p := recover(); p != nil {
			fault = &cfa.InternalError{Doing: "checking " + entry, Value: p, Stack: string(debug.Stack())}
		} else if !errors.As(err, &fault) {
			return
		}
		r.Faults = append(r.Faults, fault)
		name := entry + ": rule " + rule.Name
		for len(run.claims) < len(run.Question.Claims) {
			run.claims = append(run.claims, prepared{name: name})
		}
		o := &magus.Outcome{Claim: name, Verdict: magus.Unknown, Reason: verdict.Reason{Kind: verdict.Fault, Text: fault.Error()}}
		c := report.NewClaim(o, nil, 0, run.Question.Program.Sources)
		c.Procedures = procedures(run.Question.Claims[len(run.Question.Claims)-1])
		c.OfRule(rule)
		run.doc.Claims = append(run.doc.Claims[:told], c)
		result, err = RuleResult{Result: Result{Claim: c}}, nil
	}()
	return r.attempt(ctx, q, rule, entry, w)
}
