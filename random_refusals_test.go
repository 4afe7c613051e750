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
	"magus/specs"
)

// refuses reports whether all threads stand in a state, or have ended, and the specification is not offered enough.
func (e *interleaver) refuses(m instant) bool {
	var offered []string
	for t := range e.p.threads {
		if m.returned || m.at[t] < 0 {
			continue
		}
		s := e.p.threads[t][m.at[t]]
		switch {
		case s.op == "act" && slices.Contains(e.observed, s.name):
			offered = append(offered, s.name)
		case !e.step(m, t, func(instant) {}):
			return false
		}
	}
	return m.within < 0 && !e.spec.accepts(m.known, offered)
}

// asked reports whether it can be asked what a program refuses: no action is in a section, and no routine chooses.
func (p acting) asked() bool {
	for _, a := range p.threads {
		within := false
		for _, s := range a {
			switch within = (within || s.op == "begin") && s.op != "end"; {
			case s.op == "either", within && s.op == "act":
				return false
			}
		}
	}
	return true
}

// What random programs with threads refuse, against all interleavings: the sections and routines of which it is not
// asked are unknown.
func TestRandomThreadRefusals(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	count := map[string]int{}
	for n := range sample.Count(24) {
		observed := []string{"a", "b", "c"}[:1+rnd.Intn(3)]
		p := randomActingOf(rnd, []string{"a", "b", "c"}, n%8 > 0)
		s := randomSpec(rnd, observed)
		for i := range s { // most allow more, and some want nothing
			for _, a := range observed {
				if rnd.Intn(2) > 0 {
					s[i] = append(s[i], specEdge{a, rnd.Intn(len(s))})
				}
			}
		}
		for i := range s {
			if rnd.Intn(2) > 0 && len(s[i]) > 0 {
				s[i] = append(s[i], specEdge{s[i][0].action, len(s)})
			}
		}
		s = append(s, nil)
		e := &interleaver{p: p, spec: s, observed: observed}
		if e.run(); e.large || !p.threads[0].creates() {
			continue
		}
		spec := strings.Replace(actingSpec(s, observed), "S0; }", "S0; relation failures; }", 1)
		project, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(p.text)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(spec)}}})
		require.NoError(t, err)
		claims, err := project.Claims(magus.Selection{})
		require.NoError(t, err)
		require.Equal(t, component.Failures, claims[0].Relation)
		want := magus.Conforms
		if e.broken || e.refused {
			want = magus.Violates
		}
		text := fmt.Sprintf("program %d\n%s%s", n, p.text, spec)
		o, err := checkedAgain(t, claims[0], magus.Options{}, want == magus.Violates && n%3 == 0)
		require.NoError(t, err, text)
		of := ""
		switch {
		case !p.asked():
			of = "not asked: "
		case e.refused && !e.broken:
			of = "refused: "
		}
		decided(t, count, of, want, o, text)
		if of == "refused: " && o.Verdict == magus.Violates {
			require.NotNil(t, o.Run.Must, text)
		}
	}
	t.Log(count)
	if sample.Whole() {
		require.Positive(t, count["conforms"])
		require.Greater(t, count["refused: violates"], 5)
		require.Less(t, count["unknown"]+count["refused: unknown"], 4)
	}
}

// stands reports whether a state of the threads is stable, and what they offer there.
func (w *world) stands(i int, observed []string) (offered []string, stable bool) {
	for _, s := range w.steps[i] {
		if !slices.Contains(observed, s.action) {
			return nil, false
		}
		offered = append(offered, s.action)
	}
	return offered, true
}

// keeps reports whether the threads keep to a specification that observes some actions, and refuse nothing.
func (w *world) keeps(s spec, observed []string) (allowed, offers bool) {
	type pair struct {
		at    int
		known string
	}
	met, todo := map[pair]bool{}, []int{}
	var sets [][]int
	meet := func(at int, known []int) {
		if p := (pair{at, fmt.Sprint(known)}); !met[p] {
			met[p], todo, sets = true, append(todo, at), append(sets, known)
		}
	}
	meet(0, []int{0})
	allowed, offers = true, true
	for k := 0; k < len(todo); k++ {
		at, known := todo[k], sets[k]
		if offered, stable := w.stands(at, observed); stable && !s.accepts(known, offered) {
			offers = false
		}
		for _, step := range w.steps[at] {
			next := known
			if slices.Contains(observed, step.action) {
				next = s.after(known, step.action)
			}
			if len(next) == 0 {
				allowed = false
			} else {
				meet(step.to, next)
			}
		}
	}
	return allowed, offers
}

// randomServer is a thread that does one action for ever, as long as it does not wait.
func randomServer(rnd *rand.Rand, number int) *doer {
	d := &doer{}
	d.text.WriteString("\tfor (;;) {\n")
	d.block(rnd, []string{"a", "b", "c"}[number:number+1], nil, 0)
	d.add("}", deed{kind: "goto"})
	d.deeds = append(d.deeds, deed{kind: "end"})
	return d
}

// awaits reports whether a thread goes round until a variable changes.
func (w *world) awaits() bool {
	return slices.ContainsFunc(w.threads, func(d *doer) bool {
		return slices.ContainsFunc(d.deeds, func(s deed) bool { return s.kind == "await" })
	})
}

// looser is a specification that allows more than s, of which some states are content with less.
func (s spec) looser(rnd *rand.Rand, observed []string) spec {
	for i := range s {
		for _, a := range observed {
			if rnd.Intn(3) > 0 {
				s[i] = append(s[i], specEdge{a, rnd.Intn(len(s))})
			}
		}
	}
	for i := range s {
		for _, e := range slices.Clone(s[i]) {
			if rnd.Intn(2) > 0 {
				s[i] = append(s[i], specEdge{e.action, len(s)})
			}
		}
	}
	return append(s, nil)
}

// What random threads that go on for ever refuse is as all their states have it; and each answer has its
// certificate.
func TestRandomThreadsForEverRefuse(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	count := map[string]int{}
	for n := range sample.Count(32) {
		number, sem := 2+rnd.Intn(2), rnd.Intn(3)
		var threads []*doer
		serves := n%4 == 1
		for i := range number {
			d := randomDoer(rnd, i, number)
			if serves {
				d = randomServer(rnd, i)
			}
			threads = append(threads, d)
		}
		if n%2 > 0 { // one of them stops late
			who := rnd.Intn(number)
			threads[who].tires(who, 2+rnd.Intn(6))
		}
		w := explore(threads, sem)
		if w == nil || !sample.Campaign() && w.awaits() { // what awaits is often not decided
			continue
		}
		observed := []string{"a", "b", "c"}[:1+rnd.Intn(3)]
		s := randomSpec(rnd, observed).looser(rnd, observed)
		if serves {
			observed, s = []string{"a", "b", "c"}[:number], spec{nil}
			for _, a := range observed {
				s[0] = append(s[0], specEdge{a, 0})
			}
		}
		allowed, offers := w.keeps(s, observed)
		c := w.text(sem)
		text := s.text(observed) + "program main { relation failures; specification s, {(1)}, S0; }\n"
		project, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(c)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(text)}}})
		require.NoError(t, err)
		claims, err := project.Claims(magus.Selection{})
		require.NoError(t, err)
		want, of := magus.Conforms, ""
		switch {
		case !allowed:
			want = magus.Violates
		case !offers:
			want, of = magus.Violates, "refused: "
		}
		program := fmt.Sprintf("program %d\n%s%s", n, c, text)
		o, err := checkedAgain(t, claims[0], magus.Options{}, n%3 == 0)
		require.NoError(t, err, program)
		decided(t, count, of, want, o, program)
	}
	t.Log(count)
	if sample.Whole() {
		require.Positive(t, count["conforms"])
		require.Positive(t, count["refused: violates"])
	}
}
