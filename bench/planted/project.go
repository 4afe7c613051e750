package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"magus/app/job"
	appoptions "magus/app/options"
	"magus/specs/rulebook"
)

// became says what became of a fault.
type became int

const (
	found became = iota
	undecided
	kept
	answers // so many
)

// An answer is what became of a fault, and why it was not found.
type answer struct {
	was    became
	reason string
}

func (a answer) String() string {
	switch a.was {
	case found:
		return "found"
	case undecided:
		return "undecided: " + a.reason
	}
	return "kept"
}

// A project is files with what keeps which rule, and the places of faults.
type project struct {
	o      *options
	files  []string
	texts  []*text
	roots  map[string]map[string][]keeper // by rule and function that they look at
	broken map[string]map[string]bool     // functions that roots look at which do not keep it
	places []place
}

// A keeper is a root that keeps a rule.
type keeper struct {
	entry     string
	unreached map[string]bool // FILE:LINE of statements that no run reaches
	ends      bool            // some run comes to its end
}

// mayBreak reports whether a fault may break the rule from a root: some run comes there and, where something
// is left out, to the end, where that is judged.
func (k keeper) mayBreak(f place) bool {
	return !k.unreached[f.source] && (k.ends || f.kind != errorPath && f.kind != lost)
}

func newKeeper(root *job.RuleRoot) keeper {
	k := keeper{entry: root.Entry, unreached: map[string]bool{}}
	for _, c := range root.Result.Claim.Coverage {
		k.ends = k.ends || c.EndReached
		for _, u := range c.Unreached {
			if u.Place != nil {
				k.unreached[fmt.Sprintf("%s:%d", u.Place.File, u.Place.Line)] = true
			}
		}
	}
	return k
}

func (p *project) name() string {
	if len(p.files) == 1 {
		return p.files[0]
	}
	return filepath.Dir(p.files[0])
}

// newProject reads and checks a project as it is.
func newProject(ctx context.Context, o *options, files []string) (*project, error) {
	p := &project{o: o, files: files, roots: map[string]map[string][]keeper{}, broken: map[string]map[string]bool{}}
	for _, name := range files {
		bytes, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p.texts = append(p.texts, newText(name, bytes))
	}
	r, err := p.start(ctx, o.rules, nil)
	if err != nil {
		return nil, err
	}
	if err := r.Cache(o.cache, true, func(string) {}); err != nil {
		return nil, err
	}
	err = r.All(ctx, 1, unwatched{}, func(root *job.RuleRoot) error {
		p.note(r.Questions[root.Question].Rule.Name, root)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, q := range r.Questions {
		p.find(q.Rule.Name)
	}
	return p, ctx.Err()
}

// note notes what a root came to.
func (p *project) note(rule string, root *job.RuleRoot) {
	if p.roots[rule] == nil {
		p.roots[rule], p.broken[rule] = map[string][]keeper{}, map[string]bool{}
	}
	for _, key := range root.Result.Inlined {
		function := key[strings.LastIndex(key, ":")+1:]
		switch root.Result.Claim.Verdict {
		case "conforms":
			p.roots[rule][function] = append(p.roots[rule][function], newKeeper(root))
		case "violates":
			p.broken[rule][function] = true
		}
	}
}

// find finds the places for a rule that comes along.
func (p *project) find(rule string) {
	entries := rulebook.Entries()
	i := slices.IndexFunc(entries, func(e rulebook.Entry) bool { return e.Name == rule })
	if i < 0 || rule == usesRule { // whose faults are planted with those of the other rules
		return
	}
	r, _ := entries[i].Rule()
	callees, wraps := withWrappers(p.texts, releasing(r))
	for _, t := range p.texts {
		for _, f := range t.faults(rule, callees, wraps) {
			if len(p.keepers(f)) > 0 && !p.broken[f.rule][f.function] {
				p.places = append(p.places, f)
			}
		}
	}
}

// keepers are the roots that keep a rule, and in which a fault may break it.
func (p *project) keepers(f place) (entries []string) {
	for _, k := range p.roots[f.rule][f.function] {
		if k.mayBreak(f) {
			entries = append(entries, k.entry)
		}
	}
	return entries
}

// start reads the project, a file of it with another text.
func (p *project) start(ctx context.Context, rules []string, overlay map[string][]byte) (*job.Rules, error) {
	h := job.System()
	h.Overlay = func(path string) ([]byte, bool) {
		text, ok := overlay[path]
		return text, ok
	}
	o := h.Settings(appoptions.Rules).Options
	o.Rules, o.FunctionTimeout = rules, p.o.limit
	r, err := job.StartRules(ctx, h, o, p.files)
	if err == nil && r.Report().Reason != "" {
		err = errors.New(r.Report().Reason)
	}
	return r, err
}

// plant checks the project with a fault, from the roots that keep its rule without it.
func (p *project) plant(ctx context.Context, f place) (a answer, err error) {
	name, err := filepath.Abs(f.file)
	if err != nil {
		return a, err
	}
	i := slices.IndexFunc(p.texts, func(t *text) bool { return t.name == f.file })
	bytes := p.texts[i].bytes
	r, err := p.start(ctx, []string{f.rule},
		map[string][]byte{name: slices.Concat(bytes[:f.from], []byte(f.text), bytes[f.to:])})
	if err != nil {
		return a, fmt.Errorf("%s: %w", f, err)
	}
	q := &r.Questions[0]
	keepers := p.keepers(f)
	other := func(entry string) bool { return !slices.Contains(keepers, entry) }
	q.Roots, q.Callbacks = slices.DeleteFunc(slices.Clone(q.Roots), other),
		slices.DeleteFunc(slices.Clone(q.Callbacks), other)
	a = answer{was: kept}
	err = r.All(ctx, 1, unwatched{}, func(root *job.RuleRoot) error {
		switch claim := root.Result.Claim; {
		case a.was == found:
		case claim.Verdict == "violates":
			a = answer{was: found}
		case claim.Verdict != "conforms":
			a = answer{undecided, root.Entry + ": " + claim.Reason}
		}
		return nil
	})
	return a, errors.Join(err, ctx.Err())
}

// unwatched tells nobody how far a check is.
type unwatched struct{}

func (unwatched) BeginRoot() float64              { return 0 }
func (unwatched) EndRoot(float64, job.RuleResult) {}
func (unwatched) PassRoot()                       {}
