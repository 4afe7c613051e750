package magus_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/component"
	"magus/internal/graph"
	"magus/internal/sample"
	"magus/lts/ltl"
	"magus/specs"
)

// A counterProgram is one procedure over counters of a byte, as a list of statements with the numbers of those
// behind them. Loops of it end by what counters do, or do not.
type counterProgram []counterStatement

type counterStatement struct {
	kind     string // act, choose, input, down, up, copy, less, more, equal, assume, end
	action   string
	variable int
	constant uint8
	next     [2]int
}

var counterActions = []string{"a", "b", "c"}

func randomCounterProgram(rnd *rand.Rand) counterProgram {
	kinds := []string{"act", "act", "choose", "input", "down", "down", "down", "up", "copy", "less", "more",
		"more", "equal", "assume", "end"}
	p := make(counterProgram, 5+rnd.Intn(6))
	for i := range p {
		s := counterStatement{kind: kinds[rnd.Intn(len(kinds))], action: counterActions[rnd.Intn(2)], variable: rnd.Intn(2),
			constant: uint8(rnd.Intn(4))}
		s.next = [2]int{(i + 1) % len(p), rnd.Intn(len(p))}
		if rnd.Intn(6) == 0 {
			s.next[0] = rnd.Intn(len(p))
		}
		if i < 2 {
			s.kind = []string{"input", "act"}[i]
		}
		p[i] = s
	}
	return p
}

// text is the program in C.
func (p counterProgram) text() string {
	var b strings.Builder
	b.WriteString("extern unsigned __VERIFIER_nondet_uint(void);\nextern void __VERIFIER_assume(int);\n")
	b.WriteString("void f(void)\n{\n\tunsigned char x = 0, y = 0;\n")
	for i, s := range p {
		v, w := "xy"[s.variable], "yx"[s.variable]
		fmt.Fprintf(&b, "s%d: ", i)
		branch := ""
		switch s.kind {
		case "act":
			fmt.Fprintf(&b, "__MAGUS_ACTION__(\"%s\");", s.action)
		case "input":
			fmt.Fprintf(&b, "%c = __VERIFIER_nondet_uint() %% 16;", v)
		case "down":
			fmt.Fprintf(&b, "%c--;", v)
		case "up":
			fmt.Fprintf(&b, "%c++;", v)
		case "copy":
			fmt.Fprintf(&b, "%c = %c;", v, w)
		case "assume":
			fmt.Fprintf(&b, "__VERIFIER_assume(%c > %d);", v, s.constant)
		case "end":
			b.WriteString("return;")
		case "choose":
			branch = "__VERIFIER_nondet_uint()"
		case "less":
			branch = fmt.Sprintf("%c < %c", v, w)
		case "more":
			branch = fmt.Sprintf("%c > %d", v, s.constant)
		case "equal":
			branch = fmt.Sprintf("%c == %d", v, s.constant)
		}
		if branch != "" {
			fmt.Fprintf(&b, "if (%s) goto s%d;", branch, s.next[1])
		}
		fmt.Fprintf(&b, " goto s%d;\n", s.next[0])
	}
	b.WriteString("}\n")
	return b.String()
}

// A counterState is before a statement.
type counterState struct {
	at     int
	values [2]uint8
	q      int // of an automaton
}

// A counterMove leads to a state, by an action or none.
type counterMove struct {
	action string
	to     counterState
}

// moves are those from a state; failed says that an assumption does not hold there.
func (p counterProgram) moves(s counterState) (all []counterMove, failed bool) {
	st := p[s.at]
	to := s
	to.at = st.next[0]
	v, w := s.values[st.variable], s.values[1-st.variable]
	branch := func(taken bool) []counterMove {
		if taken {
			to.at = st.next[1]
		}
		return []counterMove{{"", to}}
	}
	switch st.kind {
	case "end":
		return nil, false
	case "act":
		return []counterMove{{st.action, to}}, false
	case "choose":
		other := to
		other.at = st.next[1]
		return []counterMove{{"", to}, {"", other}}, false
	case "input":
		for k := range uint8(16) {
			to.values[st.variable] = k
			all = append(all, counterMove{"", to})
		}
		return all, false
	case "down":
		to.values[st.variable]--
	case "up":
		to.values[st.variable]++
	case "copy":
		to.values[st.variable] = w
	case "assume":
		if v <= st.constant {
			return nil, true
		}
	case "less":
		return branch(v < w), false
	case "more":
		return branch(v > st.constant), false
	case "equal":
		return branch(v == st.constant), false
	}
	return []counterMove{{"", to}}, false
}

// accepts reports whether the program has a run, without an end or with one, that an automaton accepts: each state is
// looked at with each of the automaton's.
func (p counterProgram) accepts(a *ltl.Automaton) bool {
	index, states := map[counterState]int{}, []counterState{}
	type arc struct {
		to     int
		silent bool
		good   uint64
	}
	var arcs [][]arc
	meet := func(s counterState) int {
		i, ok := index[s]
		if !ok {
			i = len(states)
			index[s] = i
			states, arcs = append(states, s), append(arcs, nil)
		}
		return i
	}
	meet(counterState{})
	still := a.ForEver(0)
	for i := 0; i < len(states); i++ {
		moves, failed := p.moves(states[i])
		if len(moves) == 0 && !failed && still[states[i].q] {
			return true
		}
		for _, m := range moves {
			to := m.to
			if m.action == "" {
				n := meet(to)
				arcs[i] = append(arcs[i], arc{n, true, 0})
				continue
			}
			holds := uint64(1) << slices.Index(counterActions, m.action)
			for _, t := range a.Out[to.q] {
				if t.Allows(holds) {
					next := to
					next.q = t.To
					n := meet(next)
					arcs[i] = append(arcs[i], arc{n, false, t.Good})
				}
			}
		}
	}
	for _, silent := range []bool{true, false} {
		g := graph.Func{Nodes: len(states), Succ: func(n int, yield func(int)) {
			for _, x := range arcs[n] {
				if x.silent || !silent {
					yield(x.to)
				}
			}
		}}
		scc := graph.SCC(g)
		good, moves, goes := make([]uint64, scc.Count), make([]bool, scc.Count), make([]bool, scc.Count)
		for n := range states {
			for _, x := range arcs[n] {
				if c := scc.Of[n]; c == scc.Of[x.to] && (x.silent || !silent) {
					good[c], moves[c] = good[c]|x.good, moves[c] || !x.silent
					goes[c] = goes[c] || still[states[n].q]
				}
			}
		}
		for c := range scc.Count {
			if silent && goes[c] || !silent && moves[c] && good[c] == a.All() {
				return true
			}
		}
	}
	return false
}

// formula is a random one over the actions, as text and as what it means.
func counterFormula(rnd *rand.Rand, pool *ltl.Pool) (string, *ltl.Formula) {
	a, b := rnd.Intn(len(counterActions)), rnd.Intn(len(counterActions))
	p, q := pool.Prop(a), pool.Prop(b)
	x, y := counterActions[a], counterActions[b]
	switch rnd.Intn(6) {
	case 0:
		return fmt.Sprintf("[]<> %s", x), pool.Always(pool.Eventually(p))
	case 1:
		return fmt.Sprintf("<> %s", x), pool.Eventually(p)
	case 2:
		return fmt.Sprintf("[](%s -> <> %s)", x, y), pool.Always(pool.Implies(p, pool.Eventually(q)))
	case 3:
		return fmt.Sprintf("([]<> %s) && ([]<> %s)", x, y),
			pool.And(pool.Always(pool.Eventually(p)), pool.Always(pool.Eventually(q)))
	case 4:
		return fmt.Sprintf("<>[] !%s", x), pool.Eventually(pool.Always(pool.Not(p)))
	}
	return fmt.Sprintf("([]<> %s) -> ([]<> %s)", x, y),
		pool.Implies(pool.Always(pool.Eventually(p)), pool.Always(pool.Eventually(q)))
}

// Whole runs of a program whose loops end by counters, or do not, are looked at state by state.
func TestRandomCountersAtLast(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(4))))
	kept, broken, open, checked := 0, 0, 0, 0
	for n := range sample.Count(12) {
		p, pool := randomCounterProgram(rnd), ltl.NewPool()
		text, formula := counterFormula(rnd, pool)
		not, err := pool.Automaton(pool.Not(formula))
		require.NoError(t, err)
		c, spec := p.text(), "assert A = "+text+"\nprocedure f { assert A; }\n"
		project, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(spec)}}})
		require.NoError(t, err, spec)
		claims, err := project.Claims(magus.Selection{Fairness: component.NoFairness})
		require.NoError(t, err, spec)
		o, err := checkedAgain(t, claims[0], magus.Options{}, true)
		require.NoError(t, err)
		about := fmt.Sprintf("number %d\n%s%s", n, c, spec)
		if o.Verdict == magus.Unknown {
			require.NotContains(t, o.Reason.Text, "refused", about)
			open++
			continue
		}
		require.Equal(t, p.accepts(not), o.Verdict == magus.Violates, "%v\n%s", o.Verdict, about)
		if o.Verdict == magus.Violates {
			broken++
			continue
		}
		kept++
		if o.Confirmation.Checked {
			checked++
		}
	}
	t.Logf("%d kept, of which %d were checked again, %d broken, %d open", kept, checked, broken, open)
	if !sample.Whole() {
		return
	}
	require.Positive(t, kept)
	require.Positive(t, broken)
	require.LessOrEqual(t, open, sample.Count(12)/2)
}
