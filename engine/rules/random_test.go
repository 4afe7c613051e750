package rules_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/input"
	"magus/internal/sample"
)

// functionTime is how long one root of a random project may take.
const functionTime = "3s"

// inlineSize is so small that most functions are taken by contracts and summaries.
const inlineSize = "5"

// mostTries bounds how many smaller projects are tried for one difference.
const mostTries = 150

// TestRandomProjects: what `magus rules check` says of random projects of several files against the exploration of all
// their runs. Kept is wrong where a run breaks the rule, broken where none does, also none with coincidences
// (random_explore_test.go), and so is a finding at a line where no run breaks it. A wrong answer is told with
// the project in the small. Of a campaign the last line counts what was met.
func TestRandomProjects(t *testing.T) {
	count := tally{}
	for seed := range sample.Seeds(1, sample.Count(6)) {
		p := newProject(seed, seed%8 == 0).clone()
		found := compare(t, p, count)
		for _, d := range found {
			left := mostTries
			small := reduce(p, func(q *project) bool {
				left--
				return left >= 0 && slices.ContainsFunc(compare(t, q, tally{}), d.like)
			})
			t.Errorf("seed %d: %s\n%s", seed, d, small.print())
		}
		if sample.Campaign() && seed%100 == 0 {
			t.Logf("seed %d: %s", seed, count)
		}
	}
	t.Log(count)
	if !sample.Whole() {
		return
	}
	require.Positive(t, count["kept"], "nothing is kept")
	require.Positive(t, count["broken"], "nothing is broken")
}

// A tally counts what came out, by name.
type tally map[string]int

func (c tally) String() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		all = append(all, fmt.Sprintf("%s %d", name, c[name]))
	}
	return strings.Join(all, ", ")
}

// A difference is a wrong answer.
type difference struct {
	rule, root, wrong string
	at                place
}

func (d difference) like(o difference) bool { return d.rule == o.rule && d.wrong == o.wrong }

func (d difference) String() string {
	return fmt.Sprintf("%s from %s: %s (%s:%d)", d.rule, d.root, d.wrong, d.at.file, d.at.line)
}

// An answer is what magus says of a rule from a root.
type answer struct {
	root, verdict string
	at            place
	why           string
}

// compare checks a project and compares what is said with the truth.
func compare(t *testing.T, p *project, count tally) (all []difference) {
	texts := p.write()
	count["projects"]++
	for _, rule := range p.words.rules {
		verdict, answers := ask(t, texts, rule)
		if verdict == "" {
			count["refused"]++
			continue
		}
		covered := map[string]bool{}
		for _, a := range answers {
			x := truth(p, a.root, false)
			maps.Copy(covered, x.called)
			if d := judge(p, rule, a, x, count); d != "" {
				all = append(all, difference{rule, a.root, d, a.at})
			}
		}
		if verdict == "conforms" {
			all = append(all, missed(p, rule, answers, covered, count)...)
		}
	}
	return all
}

// truth explores the runs from a root.
func truth(p *project, root string, coincidences bool) *explorer {
	f := p.function(root)
	if slices.ContainsFunc(f.params, func(v variable) bool { return strings.HasPrefix(v.typ, "fn") }) {
		return &explorer{unfit: true}
	}
	return explore(p, root, coincidences)
}

// judge compares one answer with the truth: what is wrong with it, if something is.
func judge(p *project, rule string, a answer, x *explorer, count tally) string {
	places := x.places(rule)
	switch {
	case x.unfit:
		count["unfit"]++
	case a.verdict == "unknown":
		count["undecided"]++
		count["undecided: "+a.why]++
	case a.verdict == "conforms" && len(places) == 0:
		count["kept"]++
	case a.verdict == "conforms":
		return "kept, but it is broken at " + fmt.Sprint(places[0])
	case slices.Contains(places, a.at):
		count["broken"]++
	default:
		with := truth(p, a.root, true)
		switch also := with.places(rule); {
		case slices.Contains(also, a.at):
			count["debatable"]++
		case with.cut:
			count["not explored"]++
		case len(places)+len(also) > 0:
			return "broken, but at another place"
		default:
			return "broken, but it is kept"
		}
	}
	return ""
}

// places are where a rule is broken.
func (x *explorer) places(rule string) (all []place) {
	for b := range x.breaches {
		if b.rule == rule {
			all = append(all, b.at)
		}
	}
	sort.Slice(all, func(i, k int) bool {
		return all[i].file < all[k].file || all[i].file == all[k].file && all[i].line < all[k].line
	})
	return all
}

// missed are breaches from roots of which nothing was said: functions that nobody names, and those whose address is
// taken and that no root calls.
func missed(p *project, rule string, answers []answer, covered map[string]bool, count tally) (all []difference) {
	named := map[string]bool{}
	for _, f := range p.funcs {
		each(f.body, func(e *expr) {
			if e.op == "call" && e.name != f.name || e.op == "func" {
				named[e.name] = true
			}
		})
	}
	taken := map[string]bool{}
	for _, table := range p.tables {
		for _, name := range table.entries {
			named[name], taken[name] = true, true
		}
	}
	for _, f := range p.funcs {
		said := slices.ContainsFunc(answers, func(a answer) bool { return a.root == f.name })
		if said || covered[f.name] || named[f.name] && !taken[f.name] {
			continue
		}
		if places := truth(p, f.name, false).places(rule); len(places) > 0 {
			all = append(all, difference{rule, f.name, "not looked at, but it is broken", places[0]})
		} else {
			count["without events"]++
		}
	}
	return all
}

// ask asks magus for a rule; without a verdict it did not take the project.
func ask(t *testing.T, texts map[string]string, rule string) (verdict string, all []answer) {
	dir := t.TempDir()
	var names []string
	for name, text := range texts {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		if strings.HasSuffix(name, ".c") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	w := cli.System()
	var out, errs bytes.Buffer
	w.Dir, w.Stdout, w.Stderr, w.Terminal = input.Dir(dir), &out, &errs, false
	args := []string{"rules", "check", "--json", "--rule", rule, "--function-timeout", functionTime,
		"--inline-size", inlineSize}
	cli.Main(t.Context(), append(args, names...), w)
	_ = os.RemoveAll(dir)
	var doc struct {
		Verdict string
		Claims  []struct {
			Procedures          []struct{ Name string }
			Verdict, ReasonKind string
			Counterexample      struct {
				Steps []struct {
					Place struct {
						File string
						Line int
					}
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Errorf("%s: %v: %s", rule, err, errs.String())
		return "", nil
	}
	for _, c := range doc.Claims {
		a := answer{root: c.Procedures[0].Name, verdict: c.Verdict, why: c.ReasonKind}
		if n := len(c.Counterexample.Steps); n > 0 {
			last := c.Counterexample.Steps[n-1].Place
			a.at = place{last.File, last.Line}
		}
		all = append(all, a)
	}
	return doc.Verdict, all
}

// print is a project as one text.
func (p *project) print() string {
	var b strings.Builder
	texts := p.write()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&b, "-- %s --\n%s", name, texts[name])
	}
	return b.String()
}
