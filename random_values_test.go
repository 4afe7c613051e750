package magus_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/harness"
	"magus/internal/graph"
	"magus/internal/sample"
	"magus/specs"
)

// A talker is a component that exchanges values from 0 to 3: statements with where they lead, over two variables.
type talker []talk

// A talk is one statement.
type talk struct {
	kind      string // "act", "send", "receive", "if", "set", "any", "assume", "return", "abort"
	name      string // of an action
	v         int    // the variable
	value     talkExpr
	cond      talkCond
	to, else_ int
}

// A talkExpr is a constant, a variable, or one with something added, modulo 4.
type talkExpr struct {
	v   int // -1: none
	add int
}

// A talkCond compares a variable with a constant or with the other variable.
type talkCond struct {
	v       int
	op      string
	k       int
	another bool
}

func (e talkExpr) String() string {
	switch {
	case e.v < 0:
		return fmt.Sprint(e.add)
	case e.add == 0:
		return []string{"v", "w"}[e.v]
	}
	return fmt.Sprintf("(%s + %d) %% 4", []string{"v", "w"}[e.v], e.add)
}

func (e talkExpr) of(vars [2]int) int {
	if e.v < 0 {
		return e.add
	}
	return (vars[e.v] + e.add) % 4
}

func (c talkCond) String() string {
	right := fmt.Sprint(c.k)
	if c.another {
		right = []string{"w", "v"}[c.v]
	}
	return []string{"v", "w"}[c.v] + " " + c.op + " " + right
}

func (c talkCond) of(vars [2]int) bool {
	right := c.k
	if c.another {
		right = vars[1-c.v]
	}
	return compares(vars[c.v], c.op, right)
}

func compares(a int, op string, b int) bool {
	return map[string]bool{"==": a == b, "!=": a != b, "<": a < b, ">=": a >= b}[op]
}

var comparisons = []string{"==", "!=", "<", ">="}

const talkHeader = "void __MAGUS_ACTION__(const char *);\nvoid __MAGUS_SEND__(const char *, unsigned);\n" +
	"unsigned __MAGUS_RECEIVE__(const char *);\nunsigned __VERIFIER_nondet_uint(void);\nvoid __VERIFIER_assume(int);\n" +
	"void abort(void);\n"

// randomTalker is a component; one that is brief never goes round silently.
func randomTalker(rnd *rand.Rand, sends, receives, acts []string, brief bool) talker {
	n := 3 + rnd.Intn(5)
	t := make(talker, n)
	cond := func() talkCond {
		return talkCond{rnd.Intn(2), comparisons[rnd.Intn(4)], 1 + rnd.Intn(3), rnd.Intn(3) == 0}
	}
	for i := range t {
		s := &t[i]
		s.to, s.else_, s.v = rnd.Intn(n), rnd.Intn(n), rnd.Intn(2)
		s.value = talkExpr{rnd.Intn(3) - 1, rnd.Intn(4)}
		s.cond = cond()
		kinds := []string{"send", "send", "send", "receive", "receive", "receive", "act", "if", "if", "set",
			"any", "assume", "return", "abort"}
		switch s.kind = kinds[rnd.Intn(len(kinds))]; {
		case s.kind == "send" && len(sends) > 0:
			s.name = sends[rnd.Intn(len(sends))]
		case s.kind == "receive" && len(receives) > 0:
			s.name = receives[rnd.Intn(len(receives))]
		case s.kind == "send", s.kind == "receive", s.kind == "act":
			s.kind, s.name = "act", acts[rnd.Intn(len(acts))]
		case rnd.Intn(3) > 0 && (s.kind == "assume" || s.kind == "return" || s.kind == "abort"):
			s.kind = "set"
		}
	}
	for i := range t {
		switch s := &t[i]; s.kind {
		case "if", "set", "any", "assume":
			if brief && i == n-1 {
				s.kind = "return"
			} else if brief {
				s.to, s.else_ = i+1+rnd.Intn(n-1-i), i+1+rnd.Intn(n-1-i)
			}
		}
	}
	for i, name := range sends { // each channel has somebody who sends
		if i < n {
			t[n-1-i] = talk{kind: "send", name: name, value: talkExpr{rnd.Intn(3) - 1, rnd.Intn(4)}, to: rnd.Intn(n)}
		}
	}
	return t
}

func (t talker) text(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "void %s(void) {\n\tunsigned v = 0, w = 0;\n\tgoto L0;\n", name)
	for i, s := range t {
		v := []string{"v", "w"}[s.v]
		fmt.Fprintf(&b, "L%d:\t", i)
		switch s.kind {
		case "act":
			fmt.Fprintf(&b, "__MAGUS_ACTION__(\"%s\");", s.name)
		case "send":
			fmt.Fprintf(&b, "__MAGUS_SEND__(\"%s\", %v);", s.name, s.value)
		case "receive":
			fmt.Fprintf(&b, "%s = __MAGUS_RECEIVE__(\"%s\");", v, s.name)
		case "if":
			fmt.Fprintf(&b, "if (%v) goto L%d; else goto L%d;\n", s.cond, s.to, s.else_)
			continue
		case "set":
			fmt.Fprintf(&b, "%s = %v;", v, s.value)
		case "any":
			fmt.Fprintf(&b, "%s = __VERIFIER_nondet_uint() %% 4;", v)
		case "assume":
			fmt.Fprintf(&b, "__VERIFIER_assume(%v);", s.cond)
		case "return":
			b.WriteString("return;\n")
			continue
		case "abort":
			b.WriteString("abort();\n")
			continue
		}
		fmt.Fprintf(&b, " goto L%d;\n", s.to)
	}
	return b.String() + "}\n"
}

// talkers run side by side; some channels have buffers.
type talkers struct {
	all     []talker
	buffers []talkBuffer
}

// A talkBuffer is one of a channel, for one value or two. What is in it is a place behind those of the talkers: how
// many values, and these.
type talkBuffer struct {
	channel string
	size    int
}

// begin is where all begin, with buffers that are empty.
func (ts talkers) begin() []place { return make([]place, len(ts.all)+len(ts.buffers)) }

// performs reports whether somebody performs an action, as a specification names it.
func (ts talkers) performs(name string) bool {
	return slices.ContainsFunc(ts.all, func(t talker) bool {
		return slices.ContainsFunc(t, func(s talk) bool {
			return s.name == name && ts.buffer(name) < 0 || s.name != "" && s.name+"."+s.kind == name && ts.buffer(s.name) >= 0
		})
	})
}

func (ts talkers) buffer(channel string) int {
	return slices.IndexFunc(ts.buffers, func(b talkBuffer) bool { return b.channel == channel })
}

// buffered is what a talker that stands at a message does with the buffer k, if it can.
func (ts talkers) buffered(at []place, i, k int) (m move, ok bool) {
	s, next := ts.all[i][at[i].at], slices.Clone(at)
	b := &next[len(ts.all)+k]
	m = move{name: s.name + "." + s.kind, next: next}
	next[i].at = s.to
	if s.kind == "send" {
		if b.at == ts.buffers[k].size {
			return m, false
		}
		m.value = s.value.of(at[i].vars)
		b.vars[b.at] = m.value
		b.at++
		return m, true
	}
	if b.at == 0 {
		return m, false
	}
	m.value = b.vars[0]
	next[i].vars[s.v] = m.value
	b.at, b.vars = b.at-1, [2]int{b.vars[1], 0}
	return m, true
}

func (t talker) knows(name string) bool {
	return slices.ContainsFunc(t, func(s talk) bool { return s.name == name })
}

// A place is where a talker is: the statement, -1 where it has ended, -2 where its run goes no further.
type place struct {
	at   int
	vars [2]int
}

// A move is what may happen: silent, or an action with what it carries, -1 for nothing.
type move struct {
	name  string
	value int
	next  []place
}

// moves are what may happen next; waits says that somebody is at an action, dead that a run goes no further.
func moves(ts talkers, at []place) (all []move, waits, dead bool) {
	step := func(i int, p place) {
		next := slices.Clone(at)
		next[i] = p
		all = append(all, move{value: -1, next: next})
	}
	var names []string
	for i, p := range at[:len(ts.all)] {
		if p.at < 0 {
			dead = dead || p.at == -2
			continue
		}
		s := ts.all[i][p.at]
		set := func(value int) {
			q := place{s.to, p.vars}
			q.vars[s.v] = value
			step(i, q)
		}
		switch s.kind {
		case "act", "send", "receive":
			waits = true
			if k := ts.buffer(s.name); k >= 0 {
				if m, ok := ts.buffered(at, i, k); ok {
					all = append(all, m)
				}
			} else if !slices.Contains(names, s.name) {
				names = append(names, s.name)
			}
		case "if":
			if s.cond.of(p.vars) {
				step(i, place{s.to, p.vars})
			} else {
				step(i, place{s.else_, p.vars})
			}
		case "set":
			set(s.value.of(p.vars))
		case "any":
			for k := range 4 {
				set(k)
			}
		case "assume":
			if s.cond.of(p.vars) {
				step(i, place{s.to, p.vars})
			} else {
				step(i, place{-2, p.vars})
			}
		case "return", "abort":
			step(i, place{-1, p.vars})
		}
	}
	for _, name := range names {
		if m, ok := exchanged(ts, at, name); ok {
			all = append(all, m)
		}
	}
	return all, waits, dead
}

// exchanged is an action that all perform who know it, if they can; they send one value.
func exchanged(ts talkers, at []place, name string) (m move, ok bool) {
	m = move{name: name, value: -1, next: slices.Clone(at)}
	for i, t := range ts.all {
		if !t.knows(name) {
			continue
		}
		if at[i].at < 0 || t[at[i].at].name != name {
			return m, false
		}
		s := t[at[i].at]
		if s.kind == "send" {
			if v := s.value.of(at[i].vars); m.value >= 0 && m.value != v {
				return m, false
			} else {
				m.value = v
			}
		}
		m.next[i].at = s.to
	}
	for i, t := range ts.all {
		if t.knows(name) && t[at[i].at].kind == "receive" {
			m.next[i].vars[t[at[i].at].v] = m.value
		}
	}
	return m, true
}

// A talkSpec is a specification by its states; names of values are x and y.
type talkSpec [][]talkEdge

type talkEdge struct {
	name string
	op   string // "" any value or none, "x", "y", or a comparison
	k    int
	to   int
}

func (e talkEdge) String() string {
	switch e.op {
	case "":
		return e.name
	case "x", "y":
		return e.name + "(" + e.op + ")"
	}
	return fmt.Sprintf("%s($1 %s %d)", e.name, e.op, e.k)
}

// randomTalkSpec is a specification; with names of values it is deterministic.
func randomTalkSpec(rnd *rand.Rand, channels, acts []string) talkSpec {
	s := make(talkSpec, 1+rnd.Intn(4))
	rigid := rnd.Intn(2) == 0
	for i := range s {
		to := func() int { return rnd.Intn(len(s)) }
		add := func(name, op string, k int) { s[i] = append(s[i], talkEdge{name, op, k, to()}) }
		for _, a := range acts {
			for range 1 + rnd.Intn(2) {
				if rnd.Intn(6) > 0 {
					add(a, "", 0)
				}
				if rigid {
					break
				}
			}
		}
		for _, c := range channels {
			k := 1 + rnd.Intn(3)
			switch form := rnd.Intn(8); {
			case form == 0:
			case form <= 2:
				add(c, "", 0)
			case form == 3:
				add(c, "<", k)
				add(c, ">=", k)
			case form == 4:
				add(c, "!=", k)
			case form == 5 && !rigid:
				add(c, "<", k)
				add(c, "!=", 1+rnd.Intn(3))
			case rigid:
				add(c, []string{"x", "x", "y"}[rnd.Intn(3)], 0)
			default:
				add(c, "==", k)
				add(c, "!=", k)
			}
		}
	}
	return s
}

// names reports whether it has names of values.
func (s talkSpec) names() bool {
	return slices.ContainsFunc(s, func(all []talkEdge) bool {
		return slices.ContainsFunc(all, func(e talkEdge) bool { return e.op == "x" || e.op == "y" })
	})
}

// text is what a file has; a lazy one may also do nothing more in each state.
func (s talkSpec) text(names []string, lazy bool) string {
	var all []string
	for i, edges := range s {
		var or []string
		if lazy {
			or = append(or, "tau -> STOP")
		}
		for _, e := range edges {
			or = append(or, fmt.Sprintf("%v -> S%d", e, e.to))
		}
		text := fmt.Sprintf("S%d = STOP", i)
		if or != nil {
			text = fmt.Sprintf("S%d = ( %s )", i, strings.Join(or, " | "))
		}
		if i == 0 {
			text += " + { " + strings.Join(names, ", ") + " }"
		}
		all = append(all, text+".")
	}
	return strings.Join(all, "\n") + "\n"
}

// unbound says by state which names of values have none on some way there.
func (s talkSpec) unbound() []map[string]bool {
	u := make([]map[string]bool, len(s))
	u[0] = map[string]bool{"x": true, "y": true}
	for changed := true; changed; {
		changed = false
		for i, edges := range s {
			if u[i] == nil {
				continue
			}
			for _, e := range edges {
				if u[e.to] == nil {
					u[e.to], changed = map[string]bool{}, true
				}
				for _, name := range []string{"x", "y"} {
					if u[i][name] && e.op != name && !u[e.to][name] {
						u[e.to][name], changed = true, true
					}
				}
			}
		}
	}
	return u
}

// A spot is a state of a specification with what x and y stand for; -1 for nothing.
type spot struct{ at, x, y int }

// after are the spots behind an action.
func (s talkSpec) after(u []map[string]bool, from []spot, name string, value int) (to []spot) {
	for _, p := range from {
		for _, e := range s[p.at] {
			if e.name != name {
				continue
			}
			q, fits := p, true
			switch e.op {
			case "":
			case "x":
				fits, q.x = p.x < 0 || p.x == value, value
			case "y":
				fits, q.y = p.y < 0 || p.y == value, value
			default:
				fits = compares(value, e.op, e.k)
			}
			if q.at = e.to; !fits {
				continue
			}
			if u[e.to]["x"] {
				q.x = -1
			}
			if u[e.to]["y"] {
				q.y = -1
			}
			if !slices.Contains(to, q) {
				to = append(to, q)
			}
		}
	}
	slices.SortFunc(to, func(a, b spot) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return to
}

// allows reports whether all that talkers do is allowed. The names observed are those given.
func (s talkSpec) allows(ts talkers, observed []string) bool {
	type pair struct {
		at    []place
		spots []spot
	}
	u := s.unbound()
	first := pair{ts.begin(), []spot{{0, -1, -1}}}
	seen, todo := map[string]bool{fmt.Sprint(first): true}, []pair{first}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		all, _, _ := moves(ts, p.at)
		for _, m := range all {
			q := pair{m.next, p.spots}
			if m.name != "" && slices.Contains(observed, m.name) {
				if q.spots = s.after(u, p.spots, m.name, m.value); q.spots == nil {
					return false
				}
			}
			if k := fmt.Sprint(q); !seen[k] {
				seen[k] = true
				todo = append(todo, q)
			}
		}
	}
	return true
}

// waitForEver reports whether talkers come to where they wait for each other for ever.
func waitForEver(ts talkers) bool {
	first := ts.begin()
	seen, todo := map[string]bool{fmt.Sprint(first): true}, [][]place{first}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		all, waits, dead := moves(ts, at)
		if len(all) == 0 && waits && !dead {
			return true
		}
		for _, m := range all {
			if k := fmt.Sprint(m.next); !seen[k] {
				seen[k] = true
				todo = append(todo, m.next)
			}
		}
	}
	return false
}

// refused reports whether talkers stand where they refuse what must be offered. Each channel has somebody who sends,
// and any value of it is as good as another.
func (s talkSpec) refused(ts talkers, observed []string) bool {
	type pair struct {
		at    []place
		spots []spot
	}
	u := s.unbound()
	first := pair{ts.begin(), []spot{{0, -1, -1}}}
	seen, todo := map[string]bool{fmt.Sprint(first): true}, []pair{first}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		all, _, dead := moves(ts, p.at)
		stable, offered := !dead, []string{}
		for _, m := range all {
			stable, offered = stable && slices.Contains(observed, m.name), append(offered, m.name)
			q := pair{m.next, p.spots}
			if slices.Contains(observed, m.name) {
				if q.spots = s.after(u, p.spots, m.name, m.value); q.spots == nil {
					continue
				}
			}
			if k := fmt.Sprint(q); !seen[k] {
				seen[k] = true
				todo = append(todo, q)
			}
		}
		enough := slices.ContainsFunc(p.spots, func(at spot) bool {
			return !slices.ContainsFunc(s[at.at], func(e talkEdge) bool { return !slices.Contains(offered, e.name) })
		})
		if stable && !enough {
			return true
		}
	}
	return false
}

// endless reports whether talkers may go on for ever without what is observed, behind what is allowed. No specification
// does. Where an assumption has failed, nothing goes on.
func (s talkSpec) endless(ts talkers, observed []string) bool {
	var places [][]place
	var spots [][]spot
	number := map[string]int{}
	meet := func(at []place, sp []spot) int {
		k := fmt.Sprint(at, sp)
		n, ok := number[k]
		if !ok {
			n = len(places)
			number[k], places, spots = n, append(places, at), append(spots, sp)
		}
		return n
	}
	meet(ts.begin(), []spot{{0, -1, -1}})
	u := s.unbound()
	var hidden [][]int
	for n := 0; n < len(places); n++ {
		hidden = append(hidden, nil)
		all, _, dead := moves(ts, places[n])
		for _, m := range all {
			switch {
			case dead:
			case !slices.Contains(observed, m.name):
				hidden[n] = append(hidden[n], meet(m.next, spots[n]))
			default:
				if to := s.after(u, spots[n], m.name, m.value); to != nil {
					meet(m.next, to)
				}
			}
		}
	}
	for _, part := range graph.SCC(graph.Func{Nodes: len(hidden), Succ: func(n int, yield func(int)) {
		for _, to := range hidden[n] {
			yield(to)
		}
	}}).Members() {
		if len(part) > 1 || slices.Contains(hidden[part[0]], part[0]) {
			return true
		}
	}
	return false
}

// What random components that exchange values do together is as all their runs have it.
func TestRandomValues(t *testing.T) { valuesAgree(t, component.Traces, false) }

// What they refuse together is as well.
func TestRandomValuesRefused(t *testing.T) { valuesAgree(t, component.Failures, false) }

// And whether they go on for ever unobserved.
func TestRandomValuesEndless(t *testing.T) { valuesAgree(t, component.Divergences, false) }

// So it is where channels have buffers.
func TestRandomBuffers(t *testing.T) {
	for _, asked := range []component.Relation{component.Traces, component.Failures, component.Divergences} {
		t.Run(string(asked), func(t *testing.T) { valuesAgree(t, asked, true) })
	}
}

// areReplayed requires that the compiled components do their parts of a violation.
func areReplayed(t *testing.T, claim *magus.Claim, c, about string) {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		return
	}
	in := inputsOf(t, claim)
	require.NotNil(t, in, about)
	require.Empty(t, in.Refused, about)
	dir := t.TempDir()
	text := harness.Write(in, []source.Source{{Name: "a.c", Text: []byte(c)}}, harness.Settings{})
	require.NoError(t, os.WriteFile(filepath.Join(dir, "h.c"), text, 0o666))
	msg, err := exec.Command("gcc", "-w", "-o", filepath.Join(dir, "h"), filepath.Join(dir, "h.c")).CombinedOutput()
	require.NoError(t, err, "%s\n%s", msg, about)
	out, err := exec.Command(filepath.Join(dir, "h")).CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, about)
	require.Equal(t, 1, exit.ExitCode(), "%s\n%s", out, about)
}

// splitHeader are declarations of a structure that carries a value from 0 to 3 in two members.
const splitHeader = "struct both { unsigned char low; struct { unsigned high : 1; } in[1]; };\n" +
	"void __MAGUS_SEND__both(const char *, struct both);\nstruct both __MAGUS_RECEIVE__both(const char *);\n" +
	"static unsigned whole(struct both b) { return b.low + 2 * b.in[0].high; }\n"

var (
	sendCall    = regexp.MustCompile(`__MAGUS_SEND__\(("\w+"), (.*)\); goto`)
	receiveCall = regexp.MustCompile(`__MAGUS_RECEIVE__\(("\w+")\)`)
)

// split has components send structures instead of numbers, and a specification speak of their members.
func split(c, spec string) (string, string) {
	body := strings.TrimPrefix(c, talkHeader)
	body = sendCall.ReplaceAllString(body, "__MAGUS_SEND__both($1, (struct both){ ($2) & 1, { { ($2) >> 1 } } }); goto")
	return talkHeader + splitHeader + receiveCall.ReplaceAllString(body, "whole(__MAGUS_RECEIVE__both($1))"),
		strings.ReplaceAll(spec, "$1 ", "$1.low + 2 * $1.in[0].high ")
}

// randomBuffers gives some channels buffers, one at least.
func randomBuffers(rnd *rand.Rand, channels []string) (all []talkBuffer) {
	sure := rnd.Intn(len(channels))
	for i, c := range channels {
		if i == sure || rnd.Intn(2) == 0 {
			all = append(all, talkBuffer{c, 1 + rnd.Intn(2)})
		}
	}
	return all
}

// actions are those of channels.
func (ts talkers) actions(channels []string) (all []string) {
	for _, c := range channels {
		if ts.buffer(c) < 0 {
			all = append(all, c)
		} else {
			all = append(all, c+".send", c+".receive")
		}
	}
	return all
}

// text is what a program block says of the buffers.
func (ts talkers) text() (text string) {
	for _, b := range ts.buffers {
		text += fmt.Sprintf("buffer %s[%d]; ", b.channel, b.size)
	}
	return text
}

func valuesAgree(t *testing.T, asked component.Relation, buffered bool) {
	refusals := asked != component.Traces
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	count := map[magus.Verdict]int{}
	unknown, structures := 0, 0
	many := 150
	if buffered {
		many = 12
	}
	for n := range sample.Count(many) {
		channels, acts := []string{"a", "b"}[:1+rnd.Intn(2)], []string{"p", "q"}
		parts := 2 + rnd.Intn(2)
		if n%2 == 0 {
			parts = 2
		}
		several := rnd.Intn(4) == 0 && !refusals // somebody else sends, too
		var ts talkers
		if buffered {
			ts.buffers = randomBuffers(rnd, channels)
			several = several || rnd.Intn(4) == 0 && len(ts.buffers) == len(channels)
		}
		c := talkHeader
		var names []string
		for i := range parts {
			var sends, receives []string
			for k, ch := range channels {
				if k%parts == i || several && rnd.Intn(3) == 0 {
					sends = append(sends, ch)
				}
				if k%parts != i {
					receives = append(receives, ch)
				}
			}
			w := randomTalker(rnd, sends, receives, acts, asked == component.Divergences && n%4 > 0)
			names = append(names, fmt.Sprintf("c%d", i))
			ts.all, c = append(ts.all, w), c+w.text(names[i])
		}
		asks := rnd.Intn(3) == 0 && (!several || len(ts.buffers) == len(channels)) && !refusals
		channels = ts.actions(channels)
		observed := slices.Concat(channels, acts[:1+rnd.Intn(2)])
		s := randomTalkSpec(rnd, channels, observed[len(channels):])
		observed = slices.DeleteFunc(observed, func(name string) bool { // what nobody performs with a value has no conditions
			return !ts.performs(name)
		})
		for i := range s {
			s[i] = slices.DeleteFunc(s[i], func(e talkEdge) bool { return !slices.Contains(observed, e.name) })
		}
		var relation string
		lazy := asked == component.Divergences && !s.names() // whatever is refused, it is content
		if refusals {
			relation = fmt.Sprintf("relation %s; ", asked)
		}
		text := s.text(observed, lazy) + "program " + strings.Join(names, ", ") + " { " + ts.text() + relation +
			"specification s, {" +
			strings.TrimSuffix(strings.Repeat("(1), ", parts), ", ") + "}, S0; }\n"
		structured := buffered && n%2 == 1 && !s.names()
		if structured {
			c, text = split(c, text)
			structures++
		}
		p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(text)}}})
		require.NoError(t, err, "%s\n%s", c, text)
		wrong := false
		var claims []*magus.Claim
		if asks {
			claims, err = p.Properties(magus.Property{Question: component.NoDeadlock})
			wrong = waitForEver(ts)
		} else {
			claims, err = p.Claims(magus.Selection{})
			claims = slices.DeleteFunc(claims, func(c *magus.Claim) bool { return c.Specification == "" })
			wrong = !s.allows(ts, observed) || refusals && !lazy && s.refused(ts, observed) ||
				asked == component.Divergences && s.endless(ts, observed)
		}
		require.NoError(t, err)
		require.Len(t, claims, 1)
		want := magus.Conforms
		if wrong {
			want = magus.Violates
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		o, err := magus.Check(ctx, claims[0], magus.Options{Loop: cegar.Loop{Check: n%4 == 0}}, nil)
		cancel()
		require.NoError(t, err, "program %d\n%s\n%s", n, c, text)
		if o.Verdict == magus.Unknown {
			unknown++
			t.Logf("program %d: unknown: %v", n, o.Reason.Text)
			continue
		}
		count[want]++
		require.Equal(t, want, o.Verdict, "program %d, deadlock %v: %v\n%s\n%s", n, asks, o.Reason, c, text)
		if wrong && !structured && (n%25 == 1 || sample.Campaign()) {
			areReplayed(t, claims[0], c, fmt.Sprintf("program %d\n%s\n%s", n, c, text))
		}
	}
	t.Logf("%v, unknown %d, with structures %d", count, unknown, structures)
	if !sample.Whole() {
		return
	}
	require.Greater(t, count[magus.Conforms], unknown)
	require.Greater(t, count[magus.Violates], unknown)
	require.Equal(t, buffered, structures > 0)
}
