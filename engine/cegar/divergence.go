package cegar

// Why a check did not come to an end.
//
// Idea: a loop that refines without end mostly refutes the same path again with one
// round more of some loop of the program. The refuted paths of a component are at
// hand: heads of loops (where a back edge of a depth-first search leads) that the last
// paths visit more and more often are named, together with the last path, its lines
// folded where they repeat, the conditions that contradict each other, and families
// of predicates that differ in a number only. Advice is read off these.
//
// Cost: linear in the last paths, but for folding, which looks for repetitions of up
// to maxPeriod lines.

import (
	"cmp"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/evidence/verdict"
	"magus/internal/graph"
	"magus/internal/pattern"
)

const (
	lastPaths = 6 // that are compared
	fewLoops  = 3 // that are named
	fewFailed = 4 // conditions that are named

	leastMembers = 3  // of a family
	fewFamilies  = 3  // that are named
	maxPeriod    = 40 // lines of a round
	leastRounds  = 2  // of a loop that is unrolled
)

// Divergence is how far the session has come, and what it does again and again, where it
// was stopped for a reason of a kind; nil if there is nothing to say.
func (s *state) Divergence(why verdict.Kind) *verdict.Divergence {
	if s.system == nil {
		return nil
	}
	x := &verdict.Divergence{Phase: s.phase.String(), Iteration: s.stats.Iterations}
	if s.phase < Verify { // which counts them
		x.Iteration++
	}
	c := s.comps[s.first()]
	if len(c.spurious) > 0 {
		x.Component = c.Name
		x.Loops = c.unrolled()
		x.Steps, x.Path, x.Failed = c.lastPath()
		x.Growing = c.growing()
	}
	if f := s.layers; f != nil && f.search != nil {
		x.Depth = f.search.Depth()
		for _, l := range c.heads() {
			if p := c.CFA.Locs[l].Pos; p.IsValid() && len(x.Heads) < fewLoops {
				x.Heads = append(x.Heads, p)
			}
		}
	}
	x.Advice = s.advice(c, x, why)
	return x
}

// isDivergence reports whether a reason is one for which the loop may be told.
func isDivergence(k verdict.Kind) bool {
	return slices.Contains([]verdict.Kind{verdict.NoProgress, verdict.NoPredicates, verdict.NoProof,
		verdict.Time, verdict.Memory, verdict.States,
		verdict.Iterations, verdict.Depth, verdict.Interrupted, verdict.Solver}, k)
}

// locs are the locations that a path runs through.
func (c *model) locs(p spuriousPath) []cfa.Loc {
	var all []cfa.Loc
	for _, id := range c.abs.Graph.Program(c.abs.Steps(p.path)) {
		if e := &c.program().Edges[id]; e.Loc >= 0 && c.abs.Graph.IsLocation(e.From) {
			all = append(all, e.Loc)
		}
	}
	return all
}

// unrolled are the loops that the last paths run through more and more often.
func (c *model) unrolled() []verdict.Unrolled {
	last := c.spurious[max(0, len(c.spurious)-lastPaths):]
	rounds := make([]map[cfa.Loc]int, len(last))
	for i, p := range last {
		rounds[i] = map[cfa.Loc]int{}
		for _, l := range c.locs(p) {
			rounds[i][l]++
		}
	}
	var all []verdict.Unrolled
	for _, head := range c.heads() {
		u := verdict.Unrolled{Pos: c.CFA.Locs[head].Pos, Proc: c.CFA.Frames[c.CFA.Locs[head].Frame].Proc}
		for _, t := range rounds {
			u.Rounds = append(u.Rounds, t[head])
		}
		same := func(v verdict.Unrolled) bool { return v.Pos.File == u.Pos.File && v.Pos.Line == u.Pos.Line }
		if u.Pos.IsValid() && grows(u.Rounds) && !slices.ContainsFunc(all, same) {
			all = append(all, u)
		}
	}
	return all[:min(len(all), fewLoops)]
}

// grows reports whether the later of the last paths run through a loop more often
// than the earlier ones.
func grows(rounds []int) bool {
	half := len(rounds) / 2
	return half > 0 && slices.Max(rounds[half:]) > slices.Max(rounds[:half]) && slices.Max(rounds) >= leastRounds
}

// heads are the locations that edges lead back to, in their order.
func (c *model) heads() (all []cfa.Loc) {
	g := c.CFA.Graph()
	for l, head := range graph.Heads(g, graph.Postorder(g, int(c.CFA.Entry))) {
		if head {
			all = append(all, cfa.Loc(l))
		}
	}
	return all
}

// lastPath is the last refuted path, folded, and what contradicts itself on it.
func (c *model) lastPath() (steps int, parts []verdict.PathPart, failed []verdict.FailedCondition) {
	last := c.spurious[len(c.spurious)-1]
	edges := c.abs.Graph.Program(c.abs.Steps(last.path))
	for _, at := range last.core {
		e := &c.program().Edges[edges[at]]
		if len(e.Guard) == 0 || len(failed) == fewFailed {
			continue
		}
		f := verdict.FailedCondition{}
		for i, g := range e.Guard {
			if i > 0 {
				f.Text += " && "
			}
			f.Text += g.String()
		}
		if e.Loc >= 0 {
			f.Pos = c.CFA.Locs[e.Loc].Pos
		}
		failed = append(failed, f)
	}
	var lines []cfa.Pos
	locs := c.locs(last)
	for _, l := range locs {
		p := c.CFA.Locs[l].Pos
		p.Col = 0
		if p.IsValid() && (len(lines) == 0 || lines[len(lines)-1] != p) {
			lines = append(lines, p)
		}
	}
	return len(locs), folded(lines), failed
}

// folded are lines with repetitions told by their number: at each line the shortest
// period that repeats.
func folded(lines []cfa.Pos) []verdict.PathPart {
	var parts []verdict.PathPart
	add := func(ps []cfa.Pos, times int) {
		last := len(parts) - 1
		if times == 1 && last >= 0 && parts[last].Times == 1 && parts[last].File == ps[0].File {
			parts[last].Lines = append(parts[last].Lines, ps[0].Line)
			return
		}
		part := verdict.PathPart{File: ps[0].File, Times: times}
		for _, p := range ps {
			part.Lines = append(part.Lines, p.Line)
		}
		parts = append(parts, part)
	}
	for i := 0; i < len(lines); {
		period, times := repetition(lines[i:])
		add(lines[i:i+period], times)
		i += period * times
	}
	return parts
}

// repetition is the shortest period, in one file, with which lines begin that repeats
// at once, and how often it stands there.
func repetition(lines []cfa.Pos) (period, times int) {
	for p := 1; p <= maxPeriod && 2*p <= len(lines); p++ {
		if lines[p-1].File != lines[0].File {
			break
		}
		n := 1
		for (n+1)*p <= len(lines) && slices.Equal(lines[:p], lines[n*p:(n+1)*p]) {
			n++
		}
		if n > 1 {
			return p, n
		}
	}
	return 1, 1
}

// reNumber is a number of a condition.
var reNumber = pattern.New(`\b\d+\b`)

// growing are the largest families of three and more of the predicates that differ in
// their numbers only.
func (c *model) growing() []verdict.Family {
	members := map[string][]string{}
	var order []string
	for _, cond := range c.abs.Expressions(c.set) {
		text := cond.String()
		key := reNumber().ReplaceAllString(text, "#")
		if members[key] == nil {
			order = append(order, key)
		}
		members[key] = append(members[key], text)
	}
	var all []verdict.Family
	for _, key := range order {
		if ms := members[key]; len(ms) >= leastMembers && key != ms[0] {
			slices.SortFunc(ms, byNumbers)
			all = append(all, verdict.Family{Members: slices.Compact(ms)})
		}
	}
	slices.SortStableFunc(all, func(f, g verdict.Family) int { return len(g.Members) - len(f.Members) })
	return all[:min(len(all), fewFamilies)]
}

// byNumbers compares conditions of one family.
func byNumbers(a, b string) int {
	x, y := reNumber().FindAllString(a, -1), reNumber().FindAllString(b, -1)
	return slices.CompareFunc(x, y, func(m, n string) int {
		return cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n))
	})
}

// budgets are the options that bound what may be used up.
var budgets = map[verdict.Kind]string{verdict.Time: "--timeout", verdict.Memory: "--memory-limit",
	verdict.States:     "--max-states",
	verdict.Iterations: "--max-iterations", verdict.Depth: "--bound"}

// advice is what may help.
func (s *state) advice(c *model, x *verdict.Divergence, why verdict.Kind) []verdict.Advice {
	var all []verdict.Advice
	add := func(k verdict.AdviceKind, format string, args ...any) {
		all = append(all, verdict.Advice{Kind: k, Text: fmt.Sprintf(format, args...)})
	}
	if len(x.Loops) > 0 {
		l := x.Loops[0]
		what := "what contradicts itself here"
		if len(x.Failed) > 0 {
			what = x.Failed[len(x.Failed)-1].Text
		}
		add(verdict.AdvisePredicate, "procedure %s { predicate (CONDITION); } "+
			"in the specification, with one that each round of the loop keeps and that decides %s", l.Proc, what)
		if l.Proc != c.Name {
			add(verdict.AdviseAbstraction, "an abstraction for %s, so that its loop is not looked into", l.Proc)
		}
		if s.opt.Search != DepthFirst && len(s.comps) > 1 {
			add(verdict.AdviseSearch, "--search depth, if a violation is expected: long ones are found sooner")
		}
	} else if x.Component != "" {
		add(verdict.AdvisePredicate,
			"procedure %s { predicate (CONDITION); } in the specification, with one that the path above contradicts",
			x.Component)
	}
	if option := budgets[why]; option != "" && len(x.Loops) == 0 {
		add(verdict.AdviseBudget, "a greater budget: %s", option)
	}
	if s.opt.Engine != AutoEngine {
		add(verdict.AdviseEngine, "--engine auto, which has the loop, the bounded search and the induction share by share")
	}
	if s.othersShare() {
		return all // there is nothing to look at in between
	}
	add(verdict.AdviseLook, "magus repl, where run can be stopped: trace %s and preds show how it grows", c.Name)
	return all
}
