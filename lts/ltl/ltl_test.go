package ltl

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// random is a formula over a few propositions.
func random(r *rand.Rand, p *Pool, depth int) *Formula {
	if depth == 0 || r.Intn(6) == 0 {
		f := p.Prop(r.Intn(3))
		if r.Intn(2) == 0 {
			f = p.Not(f)
		}
		return f
	}
	a, b := random(r, p, depth-1), random(r, p, depth-1)
	switch r.Intn(10) {
	case 0:
		return p.And(a, b)
	case 1:
		return p.Or(a, b)
	case 2:
		return p.Next(a)
	case 3:
		return p.Until(a, b)
	case 4:
		return p.Release(a, b)
	case 5:
		return p.Eventually(a)
	case 6:
		return p.Always(a)
	case 7:
		return p.WeakUntil(a, b)
	case 8:
		return p.Implies(a, b)
	}
	return p.Equivalent(a, b)
}

func randomWord(r *rand.Rand) Word {
	w := Word{}
	for range r.Intn(4) {
		w.Stem = append(w.Stem, uint64(r.Intn(8)))
	}
	for range 1 + r.Intn(3) {
		w.Loop = append(w.Loop, uint64(r.Intn(8)))
	}
	return w
}

// accepts reports whether an automaton accepts a word, by the product of both: a cycle of the loop that has a
// transition of each acceptance set.
func accepts(a *Automaton, w Word) bool {
	n, q := len(w.Stem)+len(w.Loop), len(a.Out)
	next := func(i int) int {
		if i+1 == n {
			return len(w.Stem)
		}
		return i + 1
	}
	reach := func(from int, ok func(x int) bool) map[int]bool {
		seen, todo := map[int]bool{}, []int{from}
		for len(todo) > 0 {
			x := todo[0]
			todo = todo[1:]
			for _, t := range a.Out[x/n] {
				if y := t.To*n + next(x%n); t.Allows(w.at(x%n)) && ok(y) && !seen[y] {
					seen[y] = true
					todo = append(todo, y)
				}
			}
		}
		return seen
	}
	all := func(int) bool { return true }
	from := reach(0, all)
	from[0] = true
	for x := range q * n {
		if !from[x] {
			continue
		}
		fro := reach(x, all)
		if !fro[x] {
			continue
		}
		good := uint64(0)
		for y := range fro {
			back := reach(y, all)
			for _, t := range a.Out[y/n] {
				to := t.To*n + next(y%n)
				if t.Allows(w.at(y%n)) && back[x] && fro[to] && (to == x || reach(to, all)[x]) {
					good |= t.Good
				}
			}
		}
		if good == a.All() {
			return true
		}
	}
	return false
}

func TestAutomatonAgainstWords(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	held := 0
	for range 3000 {
		p := NewPool()
		f := random(r, p, 3)
		a, err := p.Automaton(f)
		require.NoError(t, err)
		n, err := p.Automaton(p.Not(f))
		require.NoError(t, err)
		for range 4 {
			w := randomWord(r)
			want := Holds(f, w)
			require.Equal(t, want, accepts(a, w), "%v of %v", f, w)
			require.Equal(t, !want, accepts(n, w), "not %v of %v", f, w)
			require.NotEqual(t, want, Holds(p.Not(f), w), "%v of %v", f, w)
			if want {
				held++
			}
		}
	}
	require.Greater(t, held, 3000)
	require.Less(t, held, 9000)
}

func TestForEver(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 1000 {
		p := NewPool()
		f := random(r, p, 3)
		a, err := p.Automaton(f)
		require.NoError(t, err)
		for v := range uint64(8) {
			require.Equal(t, Holds(f, Word{nil, []uint64{v}}), a.ForEver(v)[0], "%v of %d", f, v)
		}
	}
}

func TestSizes(t *testing.T) {
	p := NewPool()
	a, b, c := p.Prop(0), p.Prop(1), p.Prop(2)
	for _, x := range []struct {
		f    *Formula
		text string
		most int
	}{
		{p.Always(p.Implies(a, p.Eventually(b))), "[] (<> p1 || !p0)", 2},
		{p.Not(p.Always(p.Implies(a, p.Eventually(b)))), "<> (p0 && [] !p1)", 2},
		{p.Always(p.Eventually(a)), "[] <> p0", 2},
		{p.Not(p.Always(p.Eventually(a))), "<> [] !p0", 2},
		{p.WeakUntil(a, b), "(p1 R (p0 || p1))", 2},
		{p.Until(a, p.Until(b, c)), "(p0 U (p1 U p2))", 3},
		{p.And(p.Always(p.Eventually(a)), p.And(p.Always(p.Eventually(b)), p.Always(p.Eventually(c)))), "", 8},
	} {
		if x.text != "" {
			require.Equal(t, x.text, x.f.String())
		}
		m, err := p.Automaton(x.f)
		require.NoError(t, err)
		require.LessOrEqual(t, len(m.Out), x.most, x.f.String())
	}
}

func TestIdentities(t *testing.T) {
	p := NewPool()
	a := p.Prop(0)
	require.Same(t, p.Eventually(a), p.Eventually(p.Eventually(a)))
	require.Same(t, p.Always(a), p.Always(p.Always(a)))
	require.Same(t, p.Always(p.Eventually(a)), p.Eventually(p.Always(p.Eventually(a))))
	require.Same(t, a, p.Not(p.Not(a)))
	require.True(t, p.Until(a, p.Next(a)).HasNext())
	require.False(t, p.Until(a, p.Always(a)).HasNext())
}
