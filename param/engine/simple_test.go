package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/param"
	"magus/param/linear"
	"magus/param/paramtest"
)

// A simple search is algorithm 1 without an index, and nothing is kept: what a search has to find.
type simple[S any] struct {
	*search[S]
	dom      domain[S]
	nodes    []simpleNode[S]
	made     int
	done     int
	reaching int
	start    int
}

type simpleNode[S any] struct {
	control uint64
	set     S
	next    int
	via     *param.Case
	covered bool
}

// simplyFound is what a simple search finds that computes at most limit sets; nil if they do not suffice.
func simplyFound[S any](of *search[S], includes func(large, small S) bool, property, limit int) *simple[S] {
	s := &simple[S]{search: of, dom: of.dom, reaching: -1}
	for _, c := range s.sys.Bad[property] {
		if set, ok := s.dom.of(c.Atoms); ok {
			s.add(includes, c.Control, set, -1, nil)
		}
	}
	for ; s.reaching < 0 && s.done < len(s.nodes); s.done++ {
		if s.made > limit {
			return nil
		}
		if !s.nodes[s.done].covered {
			s.expand(includes)
		}
	}
	return s
}

func (s *simple[S]) expand(includes func(large, small S) bool) {
	at := s.done
	for i := range s.sys.Cases {
		c := &s.sys.Cases[i]
		s.made++
		control, ok := s.sys.Before(c, s.nodes[at].control)
		if !ok {
			continue
		}
		before, ok := s.dom.before(c, s.nodes[at].set)
		if !ok {
			continue
		}
		for _, part := range s.closure(before) {
			if s.add(includes, control, part, at, c); s.reaching >= 0 {
				return
			}
		}
	}
}

func (s *simple[S]) add(includes func(large, small S) bool, control uint64, set S, next int, via *param.Case) {
	n := simpleNode[S]{control: control, set: set, next: next, via: via}
	within := func(a, b *simpleNode[S]) bool { return a.control&^b.control == 0 && includes(b.set, a.set) }
	for i := range s.nodes {
		if o := &s.nodes[i]; !o.covered && within(&n, o) {
			return
		}
	}
	for i := range s.nodes {
		if o := &s.nodes[i]; !o.covered && within(o, &n) {
			o.covered = true
		}
	}
	s.nodes = append(s.nodes, n)
	for _, c := range s.initial {
		if _, ok := s.dom.with(c.set, s.dom.atoms(set)...); ok && s.sys.Possible(c.control&control) {
			s.reaching, s.start = len(s.nodes)-1, c.cube
			return
		}
	}
}

// closure is the upward closure for the order that all zones strengthen.
func (s *simple[S]) closure(p S) []S {
	var parts []S
	var build func(k int, p S, outside []linear.Atom)
	build = func(k int, p S, outside []linear.Atom) {
		for ; k < len(s.zones); k++ {
			if s.dom.implies(p, s.zones[k]) {
				continue
			}
			if inside, ok := s.dom.with(p, s.zones[k]); ok {
				build(k+1, inside, outside)
			}
			outside = append(outside[:len(outside):len(outside)], s.zones[k].Negate())
		}
		if part, ok := s.dom.with(s.dom.upward(p), outside...); ok {
			parts = append(parts, part)
		}
	}
	build(0, p, nil)
	return parts
}

// follow runs the loop over one domain, until it has computed limit sets; each of its searches has to find,
// set by set, what a simple one finds. It returns how many sets of later searches were kept.
func follow[S any](t *testing.T, c *cma[S], includes func(large, small S) bool, limit int) (kept, iterations int) {
	for c.sets < limit {
		for !c.search.finished() && c.search.made < limit {
			c.search.run(t.Context(), 100)
		}
		want := simplyFound(c.search, includes, c.property, limit)
		if want == nil || !c.search.finished() {
			return kept, iterations
		}
		s := c.search
		require.Len(t, s.nodes, len(want.nodes), "iteration %d", iterations)
		for i, n := range s.nodes {
			w := want.nodes[i]
			what := fmt.Sprintf("iteration %d, set %d", iterations, i)
			require.Equal(t, w.control, n.control, what)
			require.Equal(t, s.dom.atoms(w.set), s.dom.atoms(n.set), what)
			require.Equal(t, w.next, n.next, what)
			require.Equal(t, w.via, n.via, what)
			require.Equal(t, w.covered, n.covered, what)
		}
		require.Equal(t, want.made, s.made)
		require.Equal(t, want.reaching, s.reaching)
		if s.reaching >= 0 {
			require.Equal(t, want.start, s.nodes[s.reaching].start)
		}
		kept += s.kept
		iterations++
		c.sets += s.made
		w, more := c.Advance(t.Context(), 0).(worked)
		if _, refined := w.What.(Refined); !more || !refined {
			return kept, iterations
		}
	}
	return kept, iterations
}

// followAll follows the loops over all domains that a system fits.
func followAll(t *testing.T, sys *param.System, property, limit int) (kept, iterations int) {
	if dom, ok := boundsFor(sys); ok {
		k, n := follow(t, newCMA("dbm", sys, dom, property), dom.includes, limit)
		kept, iterations = kept+k, iterations+n
	}
	dom := inequalitiesFor(sys)
	k, n := follow(t, newCMA("linear", sys, dom, property), simplyIncludes, limit)
	return kept + k, iterations + n
}

// simplyIncludes asks the linear program about every atom.
func simplyIncludes(large, small *polyhedron) bool {
	for i, k := range large.low {
		if small.low[i] < k {
			return false
		}
	}
	for _, a := range large.atoms {
		truth, constant := a.Constant()
		if !(constant && truth) && !linear.Empty(append(small.all(), a.Negate())) {
			return false
		}
	}
	return true
}

// What is kept and what the index leaves out changes nothing: every search of every example, and of
// random models, finds the same sets in the same order as one that begins with nothing.
func TestKept(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	files, err := filepath.Glob("../../examples/param/*.param")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		m, err := param.Parse(f, text)
		require.NoError(t, err)
		sys, err := param.Compile(t.Context(), m)
		require.NoError(t, err)
		t.Run(filepath.Base(f), func(t *testing.T) {
			kept, iterations := followAll(t, sys, 0, 1500)
			t.Logf("%d iterations, %d sets kept", iterations, kept)
		})
	}
}

func TestKeptRandom(t *testing.T) {
	kept, iterations := 0, 0
	for i := range 300 {
		m, err := param.Parse("random.param", []byte(paramtest.Random(rand.New(rand.NewPCG(uint64(i), 7)))))
		require.NoError(t, err)
		sys, err := param.Compile(context.Background(), m)
		if err != nil {
			continue
		}
		for property := range m.Bad {
			k, n := followAll(t, sys, property, 300)
			kept, iterations = kept+k, iterations+n
		}
	}
	t.Logf("%d iterations, %d sets kept", iterations, kept)
	require.Greater(t, kept, 100)
}
