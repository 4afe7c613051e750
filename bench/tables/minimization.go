package main

// Figures 11 and 12 in kind: what minimising predicates is worth.

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A strategy is a way to choose predicates, what the paper's tables call it (the
// prefix of its columns), and its flags.
type strategy struct {
	name, paper string
	flags       []string
}

// strategies in the order of rows. Exact and enumerate both stand for the
// paper's MAGIC + MINIMIZE: the one for what it is, the other for how the
// paper's tool did it, with its bounds of 1,000 subsets tried and 20 found.
// Global is exact with all predicates tracked wherever they may be asked about.
var strategies = []strategy{
	{"exact", "min", []string{"--minimize", "exact"}},
	{"global", "min", []string{"--minimize", "exact", "--global-predicates"}},
	{"enumerate", "min", []string{"--minimize", "enumerate"}},
	{"greedy", "greedy", []string{"--minimize", "greedy"}},
	{"none", "magic", []string{"--minimize", "none"}},
}

// paperLimit is the time after which the paper gave up, in seconds.
const paperLimit = 3 * 60 * 60

var minimizationText = []string{
	"A row is one run of magus check by one strategy of choosing predicates (--minimize); " +
		"global is exact with --global-predicates. " +
		"Time: wall-clock seconds of the process from start to end; cpu: its processor seconds. " +
		"Iter: iterations of the loop. " +
		"St: states of the last abstraction, or of the product where components are composed. " +
		"Pred: expressions/predicates/|P|, that is |⋃ P_s|, the same with mutually exclusive expressions " +
		"taken together, and the number " +
		"of candidates chosen. Mem: the process's largest resident set in MiB. Tests: elimination tests. " +
		"Tried: sets of candidates tried. " +
		"T/M/G: eliminating sets found (enumerate) or clauses learned (exact), the most candidates in a " +
		"set that was tried, and in one that " +
		"eliminates. *: given up when the time was over.",
}

var minimizationPaperText = "Paper: figures 11 and 12, seconds and MB on an Athlon XP 1600, " +
	"for the program of the same name; " +
	"exact and enumerate stand beside MAGIC + MINIMIZE, greedy beside MAGIC + GREEDY, none beside MAGIC. " +
	"*: more than three hours, counted as three hours; x: negligible. Totals of the paper are over the rows shown here."

// minimization measures jobs with all given strategies.
func minimization(ctx context.Context, s *suite, title string, jobs []*job, t *target) *table {
	out := &table{title: title, text: slices.Clone(minimizationText)}
	out.columns = []column{{name: "program", left: true}, {name: "strategy", left: true}, {name: "verdict", left: true}}
	out.columns = append(out.columns, columnsOf("magus", "time", "cpu", "iter", "St", "pred", "mem", "tests",
		"tried", "T/M/G")...)
	named := slices.ContainsFunc(jobs, func(j *job) bool { return s.paper.minimization.find("program", j.key) != nil })
	if named {
		out.text = append(out.text, minimizationPaperText)
		out.columns = append(out.columns, columnsOf("paper", "time", "iter", "pred", "mem")...)
	}
	sums := make([]minimizationSums, len(s.strategies))
	var larger []string // programs where exact chooses more than the paper
	for _, j := range jobs {
		row := s.paper.minimization.find("program", j.key)
		for i, st := range s.strategies {
			r := s.measure(ctx, j, st.flags...)
			cs := append([]string{j.name, st.name, mark(r.verdict, j.want),
				r.seconds(r.wall), seconds(r.cpu), fmt.Sprint(r.iterations), fmt.Sprint(r.states), r.predicates(),
				mebibytes(r.peak), fmt.Sprint(r.tests), fmt.Sprint(r.subsets), r.sizes()}, st.beside(row, named)...)
			out.add(cs...)
			if st.name == "exact" && exceeds(r, row) {
				larger = append(larger, j.key)
			}
			sums[i].add(j, r, s.timeout)
			sums[i].addPaper(st.beside(row, true))
		}
	}
	out.below = append(out.below, against(s.strategies, sums)...)
	if named && slices.ContainsFunc(s.strategies, func(st strategy) bool { return st.name == "exact" }) {
		out.below = append(out.below, compared("|P| of exact above the paper's",
			or(strings.Join(larger, ", "), "none"), "none", len(larger) == 0))
	}
	for i, st := range s.strategies {
		out.totals = append(out.totals, sums[i].row("TOTAL", st.name, named, (*sum).total),
			sums[i].row("AVERAGE", st.name, named, (*sum).average))
		if st.name == strategies[0].name && t != nil {
			out.below = append(out.below, t.compare(&sums[i])...)
		}
	}
	return out
}

// exceeds reports whether |P| is larger than in the paper's row, if there is one.
func exceeds(r result, row map[string]string) bool {
	three := strings.Split(row["min_pred"], "/")
	if len(three) != 3 {
		return false
	}
	n, err := strconv.Atoi(three[2])
	return err == nil && r.chosen > n
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// against compares exact with the other strategies: its elimination tests with
// those of enumerate, its processor time with that of each.
func against(strategies []strategy, sums []minimizationSums) []string {
	e := slices.IndexFunc(strategies, func(st strategy) bool { return st.name == "exact" })
	if e < 0 {
		return nil
	}
	var lines []string
	for i, st := range strategies {
		if st.name == "enumerate" {
			have, limit := sums[e].tests.v, sums[i].tests.v
			lines = append(lines, compared("elimination tests of exact", fmt.Sprintf("%.0f", have),
				fmt.Sprintf("at most the %.0f of enumerate", limit), have <= limit))
		}
		if st.name == "global" {
			lines = append(lines, fmt.Sprintf("Predicates tracked only where something is known of them: "+
				"%.0f states and %.2f s instead of %.0f and %.2f s.",
				sums[e].states.v, sums[e].cpu.v, sums[i].states.v, sums[i].cpu.v))
		} else if i != e {
			have, limit := sums[e].cpu.v, sums[i].cpu.v
			lines = append(lines, compared("processor time of exact", fmt.Sprintf("%.2f s", have),
				fmt.Sprintf("less than the %.2f s of %s", limit, st.name), have < limit))
		}
	}
	return lines
}

// beside are the paper's cells for a strategy.
func (st strategy) beside(row map[string]string, shown bool) []string {
	if !shown {
		return nil
	}
	return cells(row, st.paper+"_time", st.paper+"_iter", st.paper+"_pred", st.paper+"_mem")
}

// minimizationSums add up the rows of one strategy.
type minimizationSums struct {
	time, cpu, iter, states, expressions, groups, chosen, mem sum
	tests, subsets                                            sum
	most                                                      uint64 // memory
	right                                                     int    // rows with the wanted verdict
	paper                                                     [6]sum // time, iter, the three of pred, mem
}

func (u *minimizationSums) add(j *job, r result, limit time.Duration) {
	if r.verdict == j.want {
		u.right++
	}
	if r.timeout {
		u.time.add(limit.Seconds())
	} else {
		u.time.add(r.wall.Seconds())
	}
	u.cpu.add(r.cpu.Seconds())
	u.iter.add(float64(r.iterations))
	u.states.add(float64(r.states))
	u.expressions.add(float64(r.expressions))
	u.groups.add(float64(r.groups))
	u.chosen.add(float64(r.chosen))
	u.tests.add(float64(r.tests))
	u.subsets.add(float64(r.subsets))
	u.mem.add(math.Ceil(float64(r.peak) / (1 << 20)))
	u.most = max(u.most, r.peak)
}

// addPaper adds the cells time, iter, pred, mem.
func (u *minimizationSums) addPaper(cs []string) {
	u.paper[0].cell(cs[0], paperLimit)
	u.paper[1].cell(cs[1], 0)
	for i, n := range strings.SplitN(cs[2], "/", 3) {
		u.paper[2+i].cell(n, 0)
	}
	u.paper[5].cell(cs[3], 0)
}

func (u *minimizationSums) row(name, strategy string, paper bool, show func(*sum, int) string) []string {
	three := func(a, b, c *sum) string { return show(a, 0) + "/" + show(b, 0) + "/" + show(c, 0) }
	cs := []string{name, strategy, "", show(&u.time, 2), show(&u.cpu, 2), show(&u.iter, 0), show(&u.states, 0),
		three(&u.expressions, &u.groups, &u.chosen), show(&u.mem, 0), show(&u.tests, 0), show(&u.subsets, 0), ""}
	if paper {
		p := &u.paper
		cs = append(cs, show(&p[0], 0), show(&p[1], 0), three(&p[2], &p[3], &p[4]), show(&p[5], 0))
	}
	return cs
}

// A target is what the project wants of a collection of programs with the
// default strategy.
type target struct {
	cpu, aim time.Duration // of all together
	mem      uint64        // of each
}

// targets by the name of the collection.
var targets = map[string]*target{
	"ssh-simplified": {cpu: 30 * time.Second, aim: 3 * time.Second, mem: 200 << 20},
}

// compared is a line about a target.
func compared(what, have, want string, met bool) string {
	verdict := "met"
	if !met {
		verdict = "MISSED"
	}
	return fmt.Sprintf("Target, %s: %s, wanted %s: %s.", what, have, want, verdict)
}

func (t *target) compare(u *minimizationSums) []string {
	cpu := time.Duration(u.cpu.v * float64(time.Second))
	return []string{
		compared("right verdicts", fmt.Sprint(u.right), fmt.Sprint(u.cpu.n), u.right == u.cpu.n),
		compared("processor time in all", seconds(cpu)+" s", "at most "+seconds(t.cpu)+" s", cpu <= t.cpu),
		compared("processor time in all, the aim", seconds(cpu)+" s", "at most "+seconds(t.aim)+" s", cpu <= t.aim),
		compared("memory of each", mebibytes(u.most)+" MiB", "at most "+mebibytes(t.mem)+" MiB", u.most <= t.mem),
	}
}
