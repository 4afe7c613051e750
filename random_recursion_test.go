package magus_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/engine/cegar"
	"magus/internal/sample"
)

// TestRandomRecursion: two procedures that call each other and themselves and only compute, with
// a question about the result. The answer is found by calling them with all
// arguments. The depth is fixed, so that there are skips: a proof may rest on any value there, a
// violation may not.
func TestRandomRecursion(t *testing.T) {
	n := sample.Count(60)
	decided := map[magus.Verdict]int{}
	beyond := 0 // proofs of programs that recurse deeper than is followed
	for seed := range sample.Seeds(0, n) {
		p := newNumbers(seed)
		bad, deep := p.violated()
		for _, opt := range []magus.Options{{Modelling: magus.Modelling{Recursion: 2},
			Loop: magus.Loop{MaxIterations: 12, Check: true}},
			{Loop: magus.Loop{MaxIterations: 12, ActionAbstraction: cegar.On, LargeBlocks: cegar.On}}} {
			o := check(t, act+p.text, `R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, opt)
			decided[o.Verdict]++
			switch o.Verdict {
			case magus.Conforms:
				require.False(t, bad, "seed %d\n%s", seed, p.text)
				if deep > 2 {
					beyond++
				}
			case magus.Violates:
				require.True(t, bad, "seed %d\n%s", seed, p.text)
			}
		}
	}
	t.Log(decided, "beyond the depth:", beyond)
	if !sample.Whole() {
		return
	}
	require.Positive(t, decided[magus.Conforms])
	require.Positive(t, decided[magus.Violates])
	require.Positive(t, beyond)
}

// Numbers are two procedures over unsigned bytes, as text and as functions.
type numbers struct {
	*rand.Rand
	text   string
	bodies [2]func(depth int, n, a uint8) (uint8, int)
	asks   func(uint8) bool
}

func newNumbers(seed uint64) *numbers {
	p := &numbers{Rand: rand.New(rand.NewPCG(seed, 11))}
	p.text = "typedef unsigned char u8; static u8 f0(u8 n, u8 a), f1(u8 n, u8 a);\n"
	for i := range p.bodies {
		p.body(i)
	}
	limit := uint8(p.IntN(12))
	ask, holds := p.compare()
	p.asks = func(x uint8) bool { return holds(x, limit) }
	p.text += fmt.Sprintf("int run(u8 n) { if (f0(n, 1) %s %d) __MAGUS_ACTION__(\"bad\"); return 0; }\n", ask, limit)
	return p
}

// body is one procedure: a base case, a call, and what becomes of its result.
func (p *numbers) body(i int) {
	least, down, callee := uint8(p.IntN(3)), uint8(1+p.IntN(2)), p.IntN(2)
	base, ofBase := p.step()
	pass, ofPass := p.step()
	back, ofBack := p.step()
	most, cap := uint8(p.IntN(10)), uint8(p.IntN(10))
	over, isOver := p.compare()
	if least < down {
		least = down
	}
	p.text += fmt.Sprintf("static u8 f%d(u8 n, u8 a)\n{\n\tif (n < %d)\n\t\treturn %s;\n\ta = %s;\n"+
		"\ta = f%d(n - %d, a);\n\tif (a %s %d)\n\t\treturn %d;\n\treturn %s;\n}\n",
		i, least, base, pass, callee, down, over, most, cap, back)
	p.bodies[i] = func(depth int, n, a uint8) (uint8, int) {
		if n < least {
			return ofBase(a), depth
		}
		a, depth = p.bodies[callee](depth+1, n-down, ofPass(a))
		if isOver(a, most) {
			return cap, depth
		}
		return ofBack(a), depth
	}
}

// step is an expression over a.
func (p *numbers) step() (string, func(uint8) uint8) {
	c := uint8(p.IntN(4))
	switch p.IntN(5) {
	case 0:
		return fmt.Sprintf("a + %d", c), func(a uint8) uint8 { return a + c }
	case 1:
		return fmt.Sprintf("a & %d", c), func(a uint8) uint8 { return a & c }
	case 2:
		return fmt.Sprintf("a ^ %d", c), func(a uint8) uint8 { return a ^ c }
	case 3:
		return fmt.Sprint(c), func(uint8) uint8 { return c }
	}
	return "a", func(a uint8) uint8 { return a }
}

func (p *numbers) compare() (string, func(a, b uint8) bool) {
	switch p.IntN(3) {
	case 0:
		return "==", func(a, b uint8) bool { return a == b }
	case 1:
		return ">", func(a, b uint8) bool { return a > b }
	}
	return "!=", func(a, b uint8) bool { return a != b }
}

// violated reports whether some argument gives what is asked for, and how many calls lie
// within each other at most, but for the first.
func (p *numbers) violated() (bad bool, deepest int) {
	for n := range 256 {
		x, deep := p.bodies[0](0, uint8(n), 1)
		bad, deepest = bad || p.asks(x), max(deepest, deep)
	}
	return bad, deepest
}
