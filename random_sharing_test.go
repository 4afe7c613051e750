package magus_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/source"
	"magus/component"
	"magus/internal/sample"
	"magus/specs"
)

// randomSharing are two components that share variables, as C text and as threads of a main thread that begins them.
func randomSharing(rnd *rand.Rand) acting {
	var b strings.Builder
	b.WriteString("#include <pthread.h>\n" + waiterHeader +
		"void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n" +
		"static int x, y, z;\nstatic pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;\n")
	p := acting{threads: []actor{{{op: "create", v: 1}, {op: "create", v: 2}, {op: "join", v: 1},
		{op: "join", v: 2}, {op: "exit"}}}}
	for i, own := range [][]string{{"a", "b"}, {"c"}} {
		w := &actorWriter{rnd: rnd, actions: own, alone: true}
		w.some(3+rnd.Intn(4), 2)
		w.does = append(w.does, acts{op: "return"})
		fmt.Fprintf(&b, "void w%d(void) {\n\tint t = 0;\n%s}\n", i+1, w.text.String())
		p.threads = append(p.threads, w.does)
	}
	p.text = b.String()
	return p
}

// What random components that share variables do is forbidden just if some interleaving does it, and likewise
// deadlocks.
func TestRandomSharing(t *testing.T) {
	rnd := rand.New(rand.NewSource(int64(sample.Seed(2))))
	count := map[string]int{}
	for n := range sample.Count(60) {
		p := randomSharing(rnd)
		observed := []string{"a", "b", "c"}[:1+rnd.Intn(3)]
		s := randomSpec(rnd, observed)
		for i := range s { // most allow more
			for _, a := range observed {
				if rnd.Intn(3) > 0 {
					s[i] = append(s[i], specEdge{a, rnd.Intn(len(s))})
				}
			}
		}
		model := []cfa.MemoryModel{cfa.SC, cfa.SC, cfa.TSO, cfa.PSO}[rnd.Intn(4)]
		e := &interleaver{p: p, spec: s, observed: observed, model: model}
		if e.run(); e.large {
			count["large"]++
			continue
		}
		spec := s.text(observed) + "program w1, w2 { shared x, y, z, m0, m1; specification s, {(1), (1)}, S0; }\n"
		project, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(p.text)}},
			Specs: []specs.Source{{Name: "a.spec", Text: []byte(spec)}}})
		require.NoError(t, err, "%s%s", p.text, spec)
		claims, err := project.Claims(magus.Selection{})
		require.NoError(t, err)
		want := magus.Conforms
		if e.broken {
			want = magus.Violates
		}
		opt, text := magus.Options{Threads: magus.Threads{MemoryModel: model}},
			fmt.Sprintf("program %d, %v\n%s%s", n, model, p.text, spec)
		o, err := checkedAgain(t, claims[0], opt, n%5 == 0)
		require.NoError(t, err, text)
		decided(t, count, "", want, o, text)
		if model != cfa.SC || e.broken {
			continue
		}
		dead, err := project.Properties(magus.Property{Question: component.NoDeadlock})
		require.NoError(t, err)
		want = magus.Conforms
		if e.stuck {
			want = magus.Violates
		}
		o, err = checkedAgain(t, dead[0], magus.Options{}, n%5 == 0)
		require.NoError(t, err, text)
		decided(t, count, "deadlock ", want, o, text)
	}
	t.Log(count)
	if sample.Whole() {
		require.Greater(t, count[magus.Conforms.String()], 10)
		require.Greater(t, count[magus.Violates.String()], 10)
		require.Less(t, count[magus.Unknown.String()], 6)
	}
}
