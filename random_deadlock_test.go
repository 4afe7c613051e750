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
	"magus/engine/cegar"
	"magus/internal/sample"
	"magus/specs"
)

// A waiter is a component by its states: as C text, and as what a brute search over tuples goes through.
type waiter struct {
	states []waiterState
}

// A waiterState performs one of some actions, chooses by itself, or ends. target[i] is where action i leads, or
// choice i.
type waiterState struct {
	kind    string // "act", "choose", "return", "abort", "assume"
	actions []string
	target  []int
}

// waiterHeader declares what the texts of components call.
const waiterHeader = "void __MAGUS_ACTION__(const char *);\nint __VERIFIER_nondet_int(void);\n" +
	"void __VERIFIER_assume(int);\nvoid abort(void);\n"

// waiterKinds are kinds of states, the frequent ones more than once.
var waiterKinds = []string{"act", "act", "act", "act", "choose", "choose", "return", "abort", "assume"}

func randomWaiter(rnd *rand.Rand, actions []string) waiter {
	w := waiter{}
	for range 2 + rnd.Intn(4) {
		w.states = append(w.states, waiterState{kind: waiterKinds[rnd.Intn(len(waiterKinds))]})
	}
	for i := range w.states {
		s := &w.states[i]
		switch s.kind {
		case "act":
			for _, k := range rnd.Perm(len(actions))[:1+rnd.Intn(2)] {
				s.actions = append(s.actions, actions[k])
				s.target = append(s.target, rnd.Intn(len(w.states)))
			}
		case "choose":
			s.target = []int{rnd.Intn(len(w.states)), rnd.Intn(len(w.states))}
		}
	}
	return w
}

// text is the component as C, with the abstractions of the routines that it calls.
func (w waiter) text(name string) (c, spec string) {
	var b, s, declared strings.Builder
	fmt.Fprintf(&b, "void %s(void) {\n\tint s = 0;\n\tfor (;;) {\n", name)
	for i, st := range w.states {
		fmt.Fprintf(&b, "\t\tif (s == %d) ", i)
		switch st.kind {
		case "act":
			if len(st.actions) == 1 {
				fmt.Fprintf(&b, "{ __MAGUS_ACTION__(\"%s\"); s = %d; continue; }\n", st.actions[0], st.target[0])
				continue
			}
			f := fmt.Sprintf("%s_%d", name, i)
			fmt.Fprintf(&declared, "int %s(void);\n", f)
			fmt.Fprintf(&b, "{ s = %s() == 1 ? %d : %d; continue; }\n", f, st.target[0], st.target[1])
			fmt.Fprintf(&s, "Of_%s = ( %s -> return {$0 == 1} -> STOP | %s -> return {$0 == 2} -> STOP ).\n"+
				"procedure %s { abstract { (1), Of_%s }; }\n", f, st.actions[0], st.actions[1], f, f)
		case "choose":
			fmt.Fprintf(&b, "{ s = __VERIFIER_nondet_int() ? %d : %d; continue; }\n", st.target[0], st.target[1])
		case "return":
			b.WriteString("return;\n")
		case "abort":
			b.WriteString("abort();\n")
		case "assume":
			b.WriteString("__VERIFIER_assume(0);\n")
		}
	}
	b.WriteString("\t}\n}\n")
	return declared.String() + b.String(), s.String()
}

// alphabet are the actions of the text, also where no run comes.
func (w waiter) alphabet() map[string]bool {
	all := map[string]bool{}
	for _, s := range w.states {
		for _, a := range s.actions {
			all[a] = true
		}
	}
	return all
}

// jointly is where an action leads that all who have it perform; able says that there are some, and all can.
func jointly(ws []waiter, at []int, action string) (next []int, able bool) {
	next = slices.Clone(at)
	owners := 0
	for i, w := range ws {
		if !w.alphabet()[action] {
			continue
		}
		k := slices.Index(w.states[at[i]].actions, action)
		if k < 0 {
			return nil, false
		}
		owners++
		next[i] = w.states[at[i]].target[k]
	}
	return next, owners > 0
}

// deadlocked looks at all tuples of states.
func deadlocked(ws []waiter, actions []string) bool {
	first := make([]int, len(ws))
	seen, todo := map[string]bool{fmt.Sprint(first): true}, [][]int{first}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		steps, waits, dead := 0, false, false
		meet := func(next []int) {
			steps++
			if k := fmt.Sprint(next); !seen[k] {
				seen[k] = true
				todo = append(todo, slices.Clone(next))
			}
		}
		for i, w := range ws {
			s := w.states[at[i]]
			waits = waits || s.kind == "act"
			dead = dead || s.kind == "assume"
			if s.kind == "choose" {
				for _, to := range s.target {
					next := slices.Clone(at)
					next[i] = to
					meet(next)
				}
			}
		}
		for _, a := range actions {
			if next, able := jointly(ws, at, a); able {
				meet(next)
			}
		}
		if steps == 0 && waits && !dead {
			return true
		}
	}
	return false
}

// Deadlocks of random components are found, and that there are none is proved, with both levels and with one.
func TestRandomDeadlocks(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	found, free := 0, 0
	for n := range sample.Count(80) {
		actions := []string{"a", "b", "c", "d"}[:2+rnd.Intn(3)]
		c := waiterHeader
		spec := ""
		var ws []waiter
		var names []string
		for i := range 2 + rnd.Intn(2) {
			w := randomWaiter(rnd, actions)
			names = append(names, fmt.Sprintf("c%d", i))
			text, says := w.text(names[i])
			ws, c, spec = append(ws, w), c+text, spec+says
		}
		spec += "program " + strings.Join(names, ", ") + " { }\n"
		want := magus.Conforms
		if deadlocked(ws, actions) {
			want, found = magus.Violates, found+1
		} else {
			free++
		}
		p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(spec)}}})
		require.NoError(t, err)
		claims, err := p.Properties(magus.Property{Question: component.NoDeadlock})
		require.NoError(t, err)
		require.Len(t, claims, 1)
		for _, opt := range []cegar.Loop{{}, {AllOrders: true, ActionAbstraction: cegar.Off, Check: true}} {
			o, err := magus.Check(t.Context(), claims[0], magus.Options{Loop: opt}, nil)
			require.NoError(t, err)
			require.Equal(t, want, o.Verdict, "program %d, %+v: %v\n%s\n%s", n, opt, o.Reason, c, spec)
		}
	}
	if sample.Whole() {
		require.Greater(t, found, 5)
		require.Greater(t, free, 5)
	}
}

// A spec is a specification by its states: of each, actions with where they lead.
type spec [][]specEdge

type specEdge struct {
	action string
	to     int
}

func randomSpec(rnd *rand.Rand, actions []string) spec {
	s := make(spec, 1+rnd.Intn(4))
	for i := range s {
		for range rnd.Intn(4) {
			s[i] = append(s[i], specEdge{actions[rnd.Intn(len(actions))], rnd.Intn(len(s))})
		}
	}
	return s
}

// text is the specification, which observes all of some actions.
func (s spec) text(actions []string) string {
	var all []string
	for i, edges := range s {
		var or []string
		for _, e := range edges {
			or = append(or, fmt.Sprintf("%s -> S%d", e.action, e.to))
		}
		if or == nil {
			or = []string{"STOP"}
		}
		text := fmt.Sprintf("S%d = ( %s )", i, strings.Join(or, " | "))
		if edges == nil {
			text = fmt.Sprintf("S%d = STOP", i)
		}
		if i == 0 {
			text += " + { " + strings.Join(actions, ", ") + " }"
		}
		all = append(all, text+".")
	}
	return strings.Join(all, "\n") + "\n"
}

// after are the states behind an action.
func (s spec) after(from []int, action string) (to []int) {
	for _, i := range from {
		for _, e := range s[i] {
			if e.action == action && !slices.Contains(to, e.to) {
				to = append(to, e.to)
			}
		}
	}
	slices.Sort(to)
	return to
}

// accepts reports whether one of some states offers no more than some actions.
func (s spec) accepts(states []int, offered []string) bool {
	return slices.ContainsFunc(states, func(i int) bool {
		return !slices.ContainsFunc(s[i], func(e specEdge) bool { return !slices.Contains(offered, e.action) })
	})
}

// refinesObserved looks at all tuples of states with sets of the specification's, which observes some actions; the
// others are silent to it.
func refinesObserved(ws []waiter, s spec, observed []string) bool {
	type pair struct{ at, known []int }
	todo := []pair{{make([]int, len(ws)), []int{0}}}
	seen := map[string]bool{fmt.Sprint(todo[0]): true}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		stable, dead, offered := true, false, []string{}
		meet := func(q pair) {
			if k := fmt.Sprint(q); !seen[k] {
				seen[k] = true
				todo = append(todo, q)
			}
		}
		for i, w := range ws {
			st := w.states[p.at[i]]
			dead = dead || st.kind == "assume"
			for _, to := range st.target {
				if st.kind == "choose" {
					stable = false
					next := slices.Clone(p.at)
					next[i] = to
					meet(pair{next, p.known})
				}
			}
		}
		for _, a := range []string{"a", "b", "c"} {
			next, able := jointly(ws, p.at, a)
			switch {
			case able && !slices.Contains(observed, a):
				stable = false
				meet(pair{next, p.known})
			case able:
				offered = append(offered, a)
				known := s.after(p.known, a)
				if len(known) == 0 {
					return false
				}
				meet(pair{next, known})
			}
		}
		if stable && !dead && !s.accepts(p.known, offered) {
			return false
		}
	}
	return true
}

// What random components refuse is found, and that they refuse nothing is proved.
func TestRandomFailures(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(3))))
	refused, kept := 0, 0
	for n := range sample.Count(150) {
		actions := []string{"a", "b", "c"}[:1+rnd.Intn(3)]
		c := waiterHeader
		text := ""
		var ws []waiter
		var names, guards []string
		for i := range 1 + rnd.Intn(2) {
			w := randomWaiter(rnd, []string{"a", "b", "c"})
			names, guards = append(names, fmt.Sprintf("c%d", i)), append(guards, "(1)")
			body, says := w.text(names[i])
			ws, c, text = append(ws, w), c+body, text+says
		}
		s := randomSpec(rnd, actions)
		text += s.text(actions) + fmt.Sprintf("program %s { specification s, {%s}, S0; }\n",
			strings.Join(names, ", "), strings.Join(guards, ", "))
		want := magus.Violates
		if refinesObserved(ws, s, actions) {
			want, kept = magus.Conforms, kept+1
		} else {
			refused++
		}
		p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(text)}}})
		require.NoError(t, err, text)
		claims, err := p.Claims(magus.Selection{Relation: component.Failures})
		require.NoError(t, err)
		for _, opt := range []cegar.Loop{{}, {ActionAbstraction: cegar.On, Check: true}} {
			o, err := magus.Check(t.Context(), claims[len(claims)-1], magus.Options{Loop: opt}, nil)
			require.NoError(t, err)
			require.Equal(t, want, o.Verdict, "program %d, %+v: %v\n%s\n%s", n, opt, o.Reason, c, text)
		}
	}
	if sample.Whole() {
		require.Greater(t, refused, 5)
		require.Greater(t, kept, 5)
	}
}
