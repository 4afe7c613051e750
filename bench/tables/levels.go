package main

// Figures 16, 17 and 18 in kind: what the second level of abstraction is
// worth.

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A mode is a setting of level two and the paper's name for it.
type mode struct{ name, flag string }

var (
	predOnly = mode{"PredOnly", "off"}
	bothAbst = mode{"BothAbst", "on"}
	auto     = mode{"auto", "auto"}
)

const levelsText = "PredOnly: predicates only (--action-abstraction=off). BothAbst: both levels (on). " +
	"St: states of the space on which the property was decided: where components are composed, " +
	"the product states that the last " +
	"check explored; for a single component, the states of its last abstraction, MP with one level, MA with two. " +
	"It: iterations of the loop; PIt of them began with new predicates (the first one included), " +
	"LIt with a refined partition of actions; " +
	"with one level PIt = It. T: wall-clock time of the process in "

const levelsEnd = ". Gain: St of PredOnly / St of BothAbst, for rows that both decided alike. " +
	"*: given up when the time was over. " +
	"A row with several claims has their sums."

// levels is the shape that the tables share.
type levels struct {
	title  string
	first  string // heading of the first column
	text   string // about the paper's columns
	unit   func(time.Duration) string
	units  string // "seconds", "milliseconds"
	detail bool   // show PIt, LIt and auto
	name   func(*job) string
	paper  func(n int, j *job) map[string]string // nil: nothing to compare with
	heads  []column                              // of the paper's columns
	keys   []string                              // of their cells
}

var kernelPaper = columnsOf("paper PredOnly", "St", "It", "T")

// kernel is figure 16.
func kernel(ctx context.Context, s *suite, jobs []*job) *table {
	l := levels{
		title: "Small routines in the manner of a kernel's (figure 16 in kind)", first: "program",
		text: "Paper: the routine of the same name in Linux 2.4.0, on an Athlon XP 1600; " +
			"ours is written anew, with specifications of its own.",
		unit: milliseconds, units: "milliseconds",
		name:  func(j *job) string { return j.name },
		heads: append(slices.Clone(kernelPaper), columnsOf("paper BothAbst", "St", "It", "T")...),
		keys:  []string{"pred_only_states", "pred_only_iter", "pred_only_ms", "both_states", "both_iter", "both_ms"},
	}
	if len(s.paper.kernel) > 0 {
		l.paper = func(_ int, j *job) map[string]string { return s.paper.kernel.find("description", kernelNames[j.key]) }
	}
	return l.table(ctx, s, jobs)
}

// kernelNames are the paper's descriptions of the routines that examples are
// named after.
var kernelNames = map[string]string{
	"mutex_lock":            "pthread_mutex_lock (pthread)",
	"mutex_unlock":          "pthread_mutex_unlock (pthread)",
	"sys_socket":            "socket (socket)",
	"sock_alloc":            "sock_alloc (socket)",
	"sys_send":              "sys_send (socket)",
	"sock_sendmsg":          "sock_sendmsg (socket)",
	"mutex_lock_modified":   "modified pthread_mutex_lock",
	"mutex_unlock_modified": "modified pthread_mutex_unlock",
	"sock_alloc_modified":   "modified sock_alloc",
	"sock_sendmsg_modified": "modified sock_sendmsg",
}

// handshake is figure 17 or 18. The paper's rows have no names; row n stands
// beside the n-th specification of the same side.
func handshake(ctx context.Context, s *suite, title string, jobs []*job, paper figure) *table {
	l := levels{
		title: title, first: "spec", unit: seconds, units: "seconds", detail: true,
		text: "Auto is the default: level two where components are composed. " +
			"Paper: the row of the same number, on an Athlon XP 1600; " +
			"program and specifications are others, of a similar size.",
		name: (*job).spec,
		heads: slices.Concat(columnsOf("paper PredOnly", "St", "It", "T"),
			columnsOf("paper BothAbst", "St", "PIt", "LIt", "It", "T"),
			columnsOf("paper", "gain")),
		keys: []string{"pred_only_states", "pred_only_iter", "pred_only_s",
			"both_states", "both_pred_iter", "both_lts_iter", "both_iter", "both_s", "gain"},
	}
	if len(paper) > 0 {
		l.paper = func(_ int, j *job) map[string]string { return besideHandshake(paper, j.spec()) }
	}
	return l.table(ctx, s, jobs)
}

// besideHandshake finds row n of server (s), client (c) or program (p) for a
// specification named by that letter and n.
func besideHandshake(paper figure, spec string) map[string]string {
	n, err := strconv.Atoi(strings.TrimLeft(spec, "scp"))
	if err != nil {
		return nil
	}
	kind := map[byte]string{'s': "server", 'c': "client"}[spec[0]]
	for _, row := range paper {
		if row["kind"] != kind {
			continue
		}
		if n--; n == 0 {
			return row
		}
	}
	return nil
}

func (l *levels) modes() []mode {
	if l.detail {
		return []mode{predOnly, bothAbst, auto}
	}
	return []mode{predOnly, bothAbst}
}

// table measures the jobs.
func (l *levels) table(ctx context.Context, s *suite, jobs []*job) *table {
	t := &table{title: l.title, text: []string{levelsText + l.units + levelsEnd}}
	t.columns = []column{{name: l.first, left: true}, {name: "verdict", left: true}, {name: "loc"}}
	for _, m := range l.modes() {
		t.columns = append(t.columns, columnsOf(m.name, l.names(m)...)...)
	}
	t.columns = append(t.columns, columnsOf("gain", "S1/S2")...)
	if l.paper != nil {
		t.text = append(t.text, l.text)
		t.columns = append(t.columns, l.heads...)
	}
	t.text[0] += " Loc: control locations of the components."
	sums := levelSums{of: map[string]*levelSum{}, paper: make([]sum, len(l.keys))}
	for n, j := range jobs {
		t.add(l.row(ctx, s, n, j, &sums)...)
	}
	t.totals = [][]string{sums.row(l, "TOTAL", (*sum).total), sums.row(l, "AVERAGE", (*sum).average)}
	t.below = sums.compare()
	return t
}

func (l *levels) names(m mode) []string {
	if l.detail && m != predOnly {
		return []string{"St", "PIt", "LIt", "It", "T"}
	}
	return []string{"St", "It", "T"}
}

// row measures one job in all modes.
func (l *levels) row(ctx context.Context, s *suite, n int, j *job, sums *levelSums) []string {
	var figures, verdicts []string
	results := map[string]result{}
	locations := 0
	for _, m := range l.modes() {
		r := s.measure(ctx, j, "--action-abstraction", m.flag)
		results[m.name], locations = r, max(locations, r.locations)
		if v := mark(r.verdict, j.want); !slices.Contains(verdicts, v) {
			verdicts = append(verdicts, v)
		}
		figures = append(figures, l.figures(m, r)...)
		sums.add(m, r, s.timeout)
	}
	cs := append([]string{l.name(j), strings.Join(verdicts, " / "), fmt.Sprint(locations)}, figures...)
	cs = append(cs, sums.gain(results[predOnly.name], results[bothAbst.name]))
	if l.paper != nil {
		beside := cells(l.paper(n, j), l.keys...)
		for i, c := range beside {
			sums.paper[i].cell(c, 0)
		}
		cs = append(cs, beside...)
	}
	return cs
}

func (l *levels) figures(m mode, r result) []string {
	t := l.unit(r.wall)
	if r.timeout {
		t = "*"
	}
	cs := []string{fmt.Sprint(r.states)}
	if l.detail && m != predOnly {
		cs = append(cs, fmt.Sprint(r.iterations-r.actions), fmt.Sprint(r.actions))
	}
	return append(cs, fmt.Sprint(r.iterations), t)
}

// levelSums add up a table of levels.
type levelSums struct {
	of     map[string]*levelSum // by mode
	gains  sum
	s1, s2 sum // states, of rows that both modes decided alike
	t1, t2 sum // seconds, of the same
	paper  []sum
}

type levelSum struct{ states, actions, iterations, time sum }

func (u *levelSums) add(m mode, r result, limit time.Duration) {
	v := u.of[m.name]
	if v == nil {
		v = &levelSum{}
		u.of[m.name] = v
	}
	v.add(r, limit)
}

func (v *levelSum) add(r result, limit time.Duration) {
	v.states.add(float64(r.states))
	v.actions.add(float64(r.actions))
	v.iterations.add(float64(r.iterations))
	if r.timeout {
		v.time.add(limit.Seconds())
	} else {
		v.time.add(r.wall.Seconds())
	}
}

// gain is the cell of a row.
func (u *levelSums) gain(one, two result) string {
	if !one.decided() || one.verdict != two.verdict || two.states == 0 {
		return "-"
	}
	g := float64(one.states) / float64(two.states)
	u.gains.add(g)
	u.s1.add(float64(one.states))
	u.s2.add(float64(two.states))
	u.t1.add(one.wall.Seconds())
	u.t2.add(two.wall.Seconds())
	return strconv.FormatFloat(g, 'f', 2, 64)
}

// row is a row of totals or averages. The total gain is that of the totals.
func (u *levelSums) row(l *levels, name string, show func(*sum, int) string) []string {
	cs := []string{name, "", ""}
	factor, digits := 1.0, 2
	if l.units == "milliseconds" {
		factor, digits = 1000, 0
	}
	for _, m := range l.modes() {
		v := u.of[m.name]
		if v == nil {
			v = &levelSum{}
		}
		cs = append(cs, show(&v.states, 0))
		if l.detail && m != predOnly {
			p := sum{v.iterations.n, v.iterations.v - v.actions.v}
			cs = append(cs, show(&p, 0), show(&v.actions, 0))
		}
		t := sum{v.time.n, v.time.v * factor}
		cs = append(cs, show(&v.iterations, 0), show(&t, digits))
	}
	g := u.gains
	if name == "TOTAL" && u.s2.v > 0 {
		g.v = u.s1.v / u.s2.v
	}
	cs = append(cs, show(&g, 2))
	if l.paper == nil {
		return cs
	}
	for i, key := range l.keys {
		p, digits := u.paper[i], 0
		if key == "gain" {
			digits = 2
			if name == "TOTAL" && u.paper[3].v > 0 {
				p.v = u.paper[0].v / u.paper[3].v
			}
		}
		cs = append(cs, show(&p, digits))
	}
	return cs
}

// compare says by how much two levels are smaller or larger than one.
func (u *levelSums) compare() []string {
	if u.gains.n == 0 {
		return []string{"Two levels against one: no row that both decided alike."}
	}
	size, times := "smaller", u.s1.v/max(u.s2.v, 1)
	if times < 1 {
		size, times = "LARGER", u.s2.v/max(u.s1.v, 1)
	}
	return []string{fmt.Sprintf("Two levels against one, over rows that both decided alike (%d): "+
		"%.0f states against %.0f, %s by a factor of %.2f; "+
		"%.2f s against %.2f s.", u.gains.n, u.s2.v, u.s1.v, size, times, u.t2.v, u.t1.v)}
}
