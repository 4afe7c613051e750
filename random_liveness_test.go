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
	"magus/internal/sample"
	"magus/lts/ltl"
	"magus/specs"
)

// A liveSystem is some waiters, with fluents and conditions that formulas speak of. A place of a waiter is a
// state, or on the way from one to another: that has to be assigned first.
type liveSystem struct {
	waiters []waiter
	actions []string
	pool    *ltl.Pool
	// propositions: actions, then fluents (begun by the first action, ended by the second), then conditions c.s == k
	fluents [][2]int
	conds   [][2]int
}

// A livePlace is where a waiter is: in a state, going to another one if that is not negative.
type livePlace struct{ state, going int }

// failed is where the assumption of a state leads.
const failed = -2

// A liveStep is one of the product, with the waiters that move.
type liveStep struct {
	action string
	movers []int
	to     []livePlace
}

// steps are those from a tuple; none where an assumption fails.
func (s *liveSystem) steps(at []livePlace) (all []liveStep) {
	silent := func(i int, to livePlace) {
		next := slices.Clone(at)
		next[i] = to
		all = append(all, liveStep{"", []int{i}, next})
	}
	if s.dead(at) {
		return nil
	}
	for i, p := range at {
		switch st := s.waiters[i].states[p.state]; {
		case p.going >= 0:
			silent(i, livePlace{p.going, -1})
		case st.kind == "assume":
			silent(i, livePlace{p.state, failed})
		case st.kind == "choose":
			for _, to := range st.target {
				silent(i, livePlace{to, -1})
			}
		}
	}
	for _, a := range s.actions {
		next, movers, able := slices.Clone(at), []int(nil), true
		for i, w := range s.waiters {
			if !w.alphabet()[a] {
				continue
			}
			k := -1
			if at[i].going < 0 {
				k = slices.Index(w.states[at[i].state].actions, a)
			}
			if able = able && k >= 0; able {
				next[i].going = w.states[at[i].state].target[k]
				movers = append(movers, i)
			}
		}
		if able && movers != nil {
			all = append(all, liveStep{a, movers, next})
		}
	}
	return all
}

// dead reports whether an assumption fails.
func (s *liveSystem) dead(at []livePlace) bool {
	return slices.ContainsFunc(at, func(p livePlace) bool { return p.going == failed })
}

// holding are the conditions that hold.
func (s *liveSystem) holding(at []livePlace) (v uint64) {
	for k, c := range s.conds {
		if at[c[0]].state == c[1] {
			v |= 1 << (len(s.actions) + len(s.fluents) + k)
		}
	}
	return v
}

// A liveRun gathers positions.
type liveRun struct {
	*liveSystem
	fluents, conds uint64
}

// position are the propositions behind a step, if it leads to a position.
func (r *liveRun) position(st liveStep) (v uint64, is bool) {
	conds := r.holding(st.to)
	if st.action == "" && conds == r.conds {
		return 0, false
	}
	r.conds = conds
	if a := slices.Index(r.actions, st.action); a >= 0 {
		v |= 1 << a
		for k, f := range r.liveSystem.fluents {
			bit := uint64(1) << (len(r.actions) + k)
			if f[1] == a {
				r.fluents &^= bit
			}
			if f[0] == a {
				r.fluents |= bit
			}
		}
	}
	return v | r.fluents | r.conds, true
}

// lasso walks at random until a tuple comes again, or nothing goes on. ok says that it is a run that counts.
func (s *liveSystem) lasso(rnd *rand.Rand, fairness component.Fairness) (w ltl.Word, ok bool) {
	at := make([]livePlace, len(s.waiters))
	for i := range at {
		at[i].going = -1
	}
	tuples, steps, seen := [][]livePlace{at}, []liveStep{}, map[string]int{fmt.Sprint(at): 0}
	loop := -1
	for loop < 0 {
		next := s.steps(at)
		if len(next) == 0 {
			if s.dead(at) {
				return w, false
			}
			break
		}
		st := next[rnd.Intn(len(next))]
		at = st.to
		steps, tuples = append(steps, st), append(tuples, at)
		key := fmt.Sprint(at)
		if k, met := seen[key]; met && rnd.Intn(3) > 0 {
			loop = k
		} else if !met {
			seen[key] = len(tuples) - 1
		}
		if len(steps) > 60 && loop < 0 && met(seen, key) {
			loop = seen[key]
		}
	}
	if loop == len(tuples)-1 || loop >= 0 && !s.fair(tuples[loop:], steps[loop:], fairness) {
		return w, false
	}
	r := &liveRun{liveSystem: s, conds: s.holding(tuples[0])}
	if len(s.conds) > 0 {
		w.Stem = append(w.Stem, r.fluents|r.conds)
	}
	add := func(to *[]uint64, all []liveStep) {
		for _, st := range all {
			if v, is := r.position(st); is {
				*to = append(*to, v)
			}
		}
	}
	add(&w.Stem, steps)
	if loop >= 0 { // fluents are the same in all rounds but the first
		add(&w.Loop, steps[loop:])
	}
	if len(w.Loop) == 0 {
		w.Loop = []uint64{r.fluents | r.conds}
	}
	return w, true
}

func met(seen map[string]int, key string) bool { _, ok := seen[key]; return ok }

// fair reports whether a loop is fair to the waiters.
func (s *liveSystem) fair(tuples [][]livePlace, steps []liveStep, fairness component.Fairness) bool {
	for i := range s.waiters {
		moves, always, ever := false, true, false
		for k, st := range steps {
			moves = moves || slices.Contains(st.movers, i)
			able := slices.ContainsFunc(s.steps(tuples[k]), func(x liveStep) bool { return slices.Contains(x.movers, i) })
			always, ever = always && able, ever || able
		}
		if fairness == component.WeakFairness && always && !moves || fairness == component.StrongFairness && ever && !moves {
			return false
		}
	}
	return true
}

// formula is a random one, as text and as what is evaluated.
func (s *liveSystem) formula(rnd *rand.Rand, depth int) (string, *ltl.Formula) {
	if depth == 0 || rnd.Intn(5) == 0 {
		n := rnd.Intn(len(s.actions) + len(s.fluents) + len(s.conds))
		text := ""
		switch k := n - len(s.actions); {
		case k < 0:
			text = s.actions[n]
		case k < len(s.fluents):
			text = fmt.Sprintf("F%d", k)
		default:
			c := s.conds[k-len(s.fluents)]
			text = fmt.Sprintf("c%d.s == %d", c[0], c[1])
		}
		if rnd.Intn(3) == 0 {
			return "!(" + text + ")", s.pool.Not(s.pool.Prop(n))
		}
		return text, s.pool.Prop(n)
	}
	at, a := s.formula(rnd, depth-1)
	bt, b := s.formula(rnd, depth-1)
	switch rnd.Intn(9) {
	case 0:
		return "(" + at + ") && (" + bt + ")", s.pool.And(a, b)
	case 1:
		return "(" + at + ") || (" + bt + ")", s.pool.Or(a, b)
	case 2:
		return "(" + at + ") -> (" + bt + ")", s.pool.Implies(a, b)
	case 3:
		return "(" + at + ") U (" + bt + ")", s.pool.Until(a, b)
	case 4:
		return "(" + at + ") W (" + bt + ")", s.pool.WeakUntil(a, b)
	case 5:
		if len(s.conds) == 0 {
			return "X (" + at + ")", s.pool.Next(a)
		}
		return "[] (" + at + ")", s.pool.Always(a)
	case 6:
		return "<> (" + at + ")", s.pool.Eventually(a)
	case 7:
		return "[] ((" + at + ") -> <> (" + bt + "))", s.pool.Always(s.pool.Implies(a, s.pool.Eventually(b)))
	}
	return "[] (" + at + ")", s.pool.Always(a)
}

func randomLiveSystem(rnd *rand.Rand) (s *liveSystem, c, spec string) {
	s = &liveSystem{actions: []string{"a", "b", "c", "d"}[:2+rnd.Intn(3)], pool: ltl.NewPool()}
	c = waiterHeader
	for i := range 1 + rnd.Intn(3) {
		w := randomWaiter(rnd, s.actions)
		text, says := w.text(fmt.Sprintf("c%d", i))
		s.waiters, c, spec = append(s.waiters, w), c+text, spec+says
	}
	if rnd.Intn(2) == 0 {
		p := rnd.Perm(len(s.actions))
		s.fluents = append(s.fluents, [2]int{p[0], p[1]})
		spec += fmt.Sprintf("fluent F0 = <{%s}, {%s}>\n", s.actions[p[0]], s.actions[p[1]])
	}
	if rnd.Intn(3) == 0 {
		i := rnd.Intn(len(s.waiters))
		s.conds = append(s.conds, [2]int{i, rnd.Intn(len(s.waiters[i].states))})
	}
	return s, c, spec
}

// A claim about whole runs holds of runs that are walked at random, and what violates it is a run of the
// components that does.
func TestRandomLiveness(t *testing.T) { randomLiveness(t, sample.Count(120), 20, randomLiveSystem) }

// So does one about components that exchange values. Where an assumption ends runs, proofs without fairness are open.
func TestRandomLivenessOfMessages(t *testing.T) {
	randomLiveness(t, sample.Count(80), 6, func(rnd *rand.Rand) (*liveSystem, string, string) {
		return liveMessages(rnd, randomLiveSystem)
	})
}

// randomLiveness leaves open at most one of so many.
func randomLiveness(t *testing.T, count, oneOf int, random func(*rand.Rand) (s *liveSystem, c, spec string)) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	kept, broken, open, walked := 0, 0, 0, 0
	for n := range count {
		s, c, spec := random(rnd)
		text, formula := s.formula(rnd, 2)
		if !strings.Contains(text, "==") { // then it has no positions of its own
			s.conds = nil
		}
		var names []string
		for i := range s.waiters {
			names = append(names, fmt.Sprintf("c%d", i))
		}
		spec += "assert A = " + text + "\nprogram " + strings.Join(names, ", ") + " { assert A; }\n"
		fairness := []component.Fairness{component.NoFairness, component.WeakFairness, component.StrongFairness}[rnd.Intn(3)]
		p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(spec)}}})
		require.NoError(t, err, spec)
		claims, err := p.Claims(magus.Selection{Fairness: fairness})
		require.NoError(t, err, spec)
		o, err := checkedAgain(t, claims[0], magus.Options{}, true)
		require.NoError(t, err)
		about := fmt.Sprintf("number %d, %s\n%s\n%s", n, fairness, c, spec)
		switch o.Verdict {
		case magus.Unknown:
			open++
			continue
		case magus.Violates:
			broken++
			s.replay(t, o.Run, formula, about)
			continue
		}
		kept++
		require.True(t, o.Confirmation.Checked, "%s\n%s", o.Confirmation.Why, about)
		for range 60 {
			if w, ok := s.lasso(rnd, fairness); ok {
				walked++
				require.True(t, ltl.Holds(formula, w), "%v\n%s", w, about)
			}
		}
	}
	t.Logf("%d kept, %d broken, %d open, %d runs walked", kept, broken, open, walked)
	require.Positive(t, kept)
	require.Positive(t, broken)
	require.Positive(t, walked)
	require.LessOrEqual(t, open, count/oneOf)
}

// liveMessages are random components that perform one action in each state, which carries a value: the first that knows
// it sends one, what the others receive is as it was sent, or they would go round for ever.
func liveMessages(rnd *rand.Rand, random func(*rand.Rand) (*liveSystem, string, string)) (s *liveSystem, c, spec string) {
	s, _, spec = random(rnd)
	spec = spec[max(0, strings.Index(spec, "fluent")):]
	if !strings.HasPrefix(spec, "fluent") {
		spec = ""
	}
	c = waiterHeader + "void __MAGUS_SEND__(const char *, int);\nint __MAGUS_RECEIVE__(const char *);\n"
	sent := map[string]bool{}
	for i := range s.waiters {
		for k := range s.waiters[i].states {
			if st := &s.waiters[i].states[k]; len(st.actions) > 1 {
				st.actions, st.target = st.actions[:1], st.target[:1]
			}
		}
		text, _ := s.waiters[i].text(fmt.Sprintf("c%d", i))
		for v, a := range s.actions {
			does, value := fmt.Sprintf("__MAGUS_ACTION__(%q);", a), []string{"1 + s - s", "1", "-1"}[v%3]
			if s.waiters[i].alphabet()[a] && !sent[a] {
				sent[a] = true
				text = strings.ReplaceAll(text, does, fmt.Sprintf("__MAGUS_SEND__(%q, %s);", a, value))
			} else {
				text = strings.ReplaceAll(text, does, fmt.Sprintf("if (__MAGUS_RECEIVE__(%q) != (%s)) for (;;) ;", a, value))
			}
		}
		c += text
	}
	return s, c, spec
}

// replay goes the actions of a run that violates, twice round the loop, and looks whether the formula fails. Where it
// speaks of conditions it is left out: their positions do not follow from the actions.
func (s *liveSystem) replay(t *testing.T, run *magus.Run, formula *ltl.Formula, about string) {
	t.Helper()
	var stem, loop []string
	for i, st := range run.Steps {
		st.Action, _, _ = strings.Cut(st.Action, "(") // what it carries
		switch {
		case st.Action == "":
		case i < run.Round.First:
			stem = append(stem, st.Action)
		default:
			loop = append(loop, st.Action)
		}
	}
	at := make([]livePlace, len(s.waiters))
	for i := range at {
		at[i].going = -1
	}
	reached := [][]livePlace{at}
	for _, a := range slices.Concat(stem, loop, loop) {
		reached = s.behind(reached, a)
		require.NotEmpty(t, reached, "no run has %v then %v\n%s", stem, loop, about)
	}
	if len(s.conds) > 0 {
		return
	}
	r := &liveRun{liveSystem: s}
	var w ltl.Word
	for i, a := range slices.Concat(stem, loop, loop) {
		v, _ := r.position(liveStep{action: a, to: at})
		if i < len(stem)+len(loop) {
			w.Stem = append(w.Stem, v)
		} else {
			w.Loop = append(w.Loop, v)
		}
	}
	if len(loop) == 0 {
		w.Loop = []uint64{r.fluents}
	}
	require.False(t, ltl.Holds(formula, w), "%v then %v\n%s", stem, loop, about)
}

// behind are the tuples behind silent steps and an action.
func (s *liveSystem) behind(from [][]livePlace, action string) (all [][]livePlace) {
	seen, kept := map[string]bool{}, map[string]bool{}
	for todo := from; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		if key := fmt.Sprint(at); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		for _, st := range s.steps(at) {
			switch {
			case st.action == "":
				todo = append(todo, st.to)
			case st.action == action && !kept[fmt.Sprint(st.to)]:
				kept[fmt.Sprint(st.to)] = true
				all = append(all, st.to)
			}
		}
	}
	return all
}
