package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"magus/evidence/verdict"
	"magus/internal/phrase"
)

// What a check of rules came to, besides its claims: rules with counts, and findings. A finding is what breaks a rule
// for one cause, however many roots lead there.

// Rules is what a check of rules came to.
type Rules struct {
	Rules    []RuleCount `json:"rules"` // in the order in which they were checked
	Findings []Finding   `json:"findings"`
	Baseline *Baseline   `json:"baseline,omitempty"` // nil: there is none
}

// A RuleCount is how one rule came out.
type RuleCount struct {
	Rule      string `json:"rule"`
	Text      string `json:"text,omitempty"` // what it asks for
	Functions int    `json:"functions"`      // that lead to an event of it
	Kept      int    `json:"kept"`           // roots
	Broken    int    `json:"broken"`
	Undecided int    `json:"undecided"`
	// PassedOver are roots that are unchanged since a revision, and were not checked.
	PassedOver int `json:"passedOver,omitempty"`
	// NotAlone are roots that are undecided since another root may call them which was not looked at as a whole.
	NotAlone []NotAlone `json:"notLookedAtAlone,omitempty"`
}

// A NotAlone is a root that was not looked at alone.
type NotAlone struct {
	Root string `json:"root"`
	By   string `json:"mayBeCalledBy"`
}

// Contracts are those by which claims about a rule were decided, each once, in the order of the claims.
func (c *Check) Contracts(rule string) []Contract {
	var all []Contract
	for _, claim := range c.Claims {
		if claim.Rule != rule {
			continue
		}
		for _, k := range claim.Contracts {
			if !slices.ContainsFunc(all, func(o Contract) bool { return o.Procedure == k.Procedure }) {
				all = append(all, k)
			}
		}
	}
	return all
}

// The kinds of findings.
const (
	New     = "new"
	Known   = "known"   // it is in the baseline
	Allowed = "allowed" // a comment in the source allows it
)

// A Finding is what breaks a rule for one cause.
type Finding struct {
	Rule      string   `json:"rule"`
	Event     string   `json:"event"`               // that the rule forbids: its name, or leaks or uses
	Procedure string   `json:"procedure"`           // in which it happens
	Place     *Place   `json:"place,omitempty"`     // of the event
	Before    []string `json:"before"`              // events before it, the last ones
	Longer    bool     `json:"longer,omitempty"`    // there are events before these
	LastPlace *Place   `json:"lastPlace,omitempty"` // of the last one before
	Roots     []string `json:"roots"`               // that lead there; the run of the first one is shown
	Claim     string   `json:"claim"`               // whose counterexample is that run
	Kind      string   `json:"kind"`                // [New], [Known], [Allowed]
	Reason    string   `json:"reason,omitempty"`    // why it is allowed
	// Fingerprint is the same as long as the rule, the file, the function and the events are.
	Fingerprint string `json:"fingerprint"`
}

// A Baseline is a list of findings that are known.
type Baseline struct {
	File    string   `json:"file"`
	Written bool     `json:"written,omitempty"` // by this check
	Gone    []string `json:"gone,omitempty"`    // its lines that nothing found answers to any more
}

// Add counts a root.
func (c *RuleCount) Add(claim Claim) {
	switch claim.Verdict {
	case verdict.Conforms.String():
		c.Kept++
	case verdict.Violates.String():
		c.Broken++
	default:
		c.Undecided++
	}
}

// Count is how many findings are of a kind.
func (r *Rules) Count(kind string) int {
	n := 0
	for _, f := range r.Findings {
		if f.Kind == kind {
			n++
		}
	}
	return n
}

// Undecided is how many roots of all rules are undecided.
func (r *Rules) Undecided() int {
	n := 0
	for _, c := range r.Rules {
		n += c.Undecided
	}
	return n
}

// Find is the finding whose run is that of a claim; nil if there is none.
func (r *Rules) Find(claim string) *Finding {
	if i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Claim == claim }); i >= 0 {
		return &r.Findings[i]
	}
	return nil
}

// What is said of events that have no name in the rule.
const (
	leaks = "memory is lost"
	uses  = "memory is used that was freed"
)

// EventText is an event as people read it.
func EventText(event string) string {
	return cmp.Or(map[string]string{"leaks": leaks, "uses": uses}[event], event)
}

// String is a finding in one line, without its place.
func (f Finding) String() string {
	text := f.Rule + ": " + EventText(f.Event)
	if f.Procedure != "" {
		text += " in " + f.Procedure
	}
	before := f.Before
	if f.Longer {
		before = append([]string{"..."}, before...)
	}
	if len(before) > 0 {
		text += ", after " + strings.Join(before, ", ")
	}
	return text
}

// Line is a finding in one line that begins with its place.
func (f Finding) Line() string { return reason(f.String(), f.Place) }

// AlsoFrom names the roots besides the first one, "" if there are none.
func (f Finding) AlsoFrom() string {
	if len(f.Roots) < 2 {
		return ""
	}
	return "also from " + strings.Join(f.Roots[1:], ", ")
}

// String is how a rule came out, in one line.
func (c RuleCount) String() string {
	if c.Functions == 0 {
		return c.Rule + ": nothing that the program calls is an event of it"
	}
	text := fmt.Sprintf("%s: %s, %s: %d kept, %d broken, %d undecided", c.Rule, phrase.Plural(c.Functions, "function"),
		phrase.Plural(c.Kept+c.Broken+c.Undecided+c.PassedOver, "root"), c.Kept, c.Broken, c.Undecided)
	if c.PassedOver > 0 {
		text += fmt.Sprintf(", %d passed over", c.PassedOver)
	}
	return text
}

// String says why a root is undecided.
func (n NotAlone) String() string {
	return fmt.Sprintf("not looked at alone: %s, for %s may call it, and not all of that was looked at", n.Root, n.By)
}
