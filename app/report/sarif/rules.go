package sarif

import (
	"cmp"
	"fmt"
	"slices"

	"magus/app/report"
)

// ruleList are the rules of a check of rules.
func ruleList(r *report.Rules) []rule {
	all := []rule{}
	for _, c := range r.Rules {
		text := cmp.Or(c.Text, "The rule "+c.Rule+" is kept.")
		all = append(all, rule{c.Rule, c.Rule, message{text},
			message{text + " A run that breaks the rule, from some root and with some values, has been replayed."},
			message{"Follow the code flow: the events of the rule are essential, and the last one is not allowed. " +
				"magus rules explain says what a rule that comes along takes as granted."},
			help("rules.md"), configuration{"error"}})
	}
	return all
}

// ruleResults are a result for each finding, and one for each root of which there is none.
func (s Settings) ruleResults(c *report.Check) []result {
	all := []result{}
	claims := map[string]*report.Claim{}
	number := func(name string) int {
		return slices.IndexFunc(c.Rules.Rules, func(r report.RuleCount) bool { return r.Rule == name })
	}
	for i := range c.Claims {
		claim := &c.Claims[i]
		claims[claim.Name] = claim
		if claim.Verdict == "violates" {
			continue
		}
		r := s.result(*claim)
		r.RuleID, r.RuleIndex = claim.Rule, number(claim.Rule)
		all = append(all, r)
	}
	for _, f := range c.Rules.Findings {
		r := s.finding(f, claims[f.Claim])
		r.RuleIndex = number(f.Rule)
		if c.Rules.Baseline != nil {
			r.Baseline = map[string]string{report.New: "new", report.Known: "unchanged", report.Allowed: "new"}[f.Kind]
		}
		all = append(all, r)
	}
	return all
}

// finding is the result of a finding, whose run the claim has.
func (s Settings) finding(f report.Finding, c *report.Claim) result {
	r := result{RuleID: f.Rule, Kind: "fail", Level: "error", Message: message{f.String()},
		Locations:    []location{s.quoted(s.location(f.Place, f.Procedure, ""), f.Place)},
		Fingerprints: map[string]string{"ruleFinding/v1": f.Fingerprint}}
	if also := f.AlsoFrom(); also != "" {
		r.Message.Text += fmt.Sprintf(" (from %s, %s)", f.Roots[0], also)
	}
	if c != nil && c.Counterexample != nil {
		r.CodeFlows = []codeFlow{s.codeFlow(c.Counterexample)}
	}
	if f.Kind == report.Allowed {
		r.Suppressions = []suppression{{"inSource", f.Reason}}
	}
	return r
}
