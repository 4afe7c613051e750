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

// TestRandomContracts: a procedure over unsigned bytes that calls itself once or twice, goes round a loop and changes a
// global variable, with a question about its result and that variable. The answer is found by calling it with all
// arguments that are asked about. Summaries have one iteration, so that most proofs are by contracts.
func TestRandomContracts(t *testing.T) {
	n := sample.Count(8)
	decided := map[string]int{}
	for seed := range sample.Seeds(0, n) {
		p := newBytesTwice(seed)
		bad := p.violated()
		o := check(t, act+p.text, `R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`,
			magus.Options{Loop: magus.Loop{MaxIterations: 1, Engine: cegar.ContractsEngine}})
		decided[fmt.Sprint(bad, " ", o.Verdict)]++
		if bad {
			require.Equal(t, magus.Unknown, o.Verdict, "seed %d\n%s", seed, p.text)
		}
	}
	t.Log(decided)
	if !sample.Whole() {
		return
	}
	require.Positive(t, decided["false conforms"])
	require.Positive(t, decided["true unknown"])
}

// A bytesTwice is such a program, as text and as a function.
type bytesTwice struct {
	*rand.Rand
	text   string
	global uint8
	call   func(n, a uint8) uint8
	most   uint8 // the largest argument
	asks   func(n, x, g uint8) bool
}

// ofBytes computes a byte from three.
type ofBytes func(a, b, n uint8) uint8

func newBytesTwice(seed uint64) *bytesTwice {
	p := &bytesTwice{Rand: rand.New(rand.NewPCG(seed, 13))}
	least, down, again := uint8(1+p.IntN(2)), uint8(1), uint8(1+p.IntN(2))
	if again > least {
		again = least
	}
	base, ofBase := p.term("a", "g")
	global, ofGlobal := p.term("g", "a")
	pass, ofPass := p.term("a", "g")
	back, ofBack := p.term("x", "y")
	round, ofRound := p.term("a", "g")
	rounds, two := p.IntN(2)*p.IntN(4), p.IntN(2) == 0
	second := "0"
	if two {
		second = fmt.Sprintf("f(n - %d, a)", again)
	}
	p.text = fmt.Sprintf(`typedef unsigned char u8; static u8 g;
static u8 f(u8 n, u8 a)
{
	u8 x, y; int i;
	if (n < %d)
		return %s;
	g = %s;
	for (i = 0; i < %d; i++)
		a = %s;
	x = f(n - %d, %s);
	y = %s;
	return %s;
}
`, least, base, global, rounds, round, down, pass, second, back)
	p.call = func(n, a uint8) uint8 {
		if n < least {
			return ofBase(a, p.global, n)
		}
		p.global = ofGlobal(p.global, a, n)
		for range rounds {
			a = ofRound(a, p.global, n)
		}
		x, y := p.call(n-down, ofPass(a, p.global, n)), uint8(0)
		if two {
			y = p.call(n-again, a)
		}
		return ofBack(x, y, n)
	}
	p.question(two)
	return p
}

// question asks about the result or the global variable; mostly what few arguments do not show to be wrong.
func (p *bytesTwice) question(two bool) {
	p.most = uint8(13 + p.IntN(2)*p.IntN(200))
	if two {
		p.most = 11
	}
	lo, hi := uint8(255), uint8(0)
	for n := range uint8(6 + p.IntN(8)) {
		p.global = 0
		x := p.call(n, 1)
		lo, hi = min(lo, x), max(hi, x)
	}
	cond := ""
	switch k := uint8(p.IntN(3)); p.IntN(4) {
	case 0:
		cond, p.asks = fmt.Sprintf("x > %d", hi), func(_, x, _ uint8) bool { return x > hi }
	case 1:
		cond, p.asks = fmt.Sprintf("x < %d", lo), func(_, x, _ uint8) bool { return x < lo }
	case 2:
		cond, p.asks = fmt.Sprintf("x != (u8)(n + %d)", k), func(n, x, _ uint8) bool { return x != n+k }
	default:
		p.global = 0
		p.call(3, 1)
		c := p.global - 3
		cond, p.asks = fmt.Sprintf("g != (u8)(n + %d)", c), func(n, _, g uint8) bool { return g != n+c }
	}
	p.text += fmt.Sprintf("int run(u8 n) { u8 x; if (n > %d) return 0; g = 0; x = f(n, 1); "+
		"if (%s) __MAGUS_ACTION__(\"bad\"); return 0; }\n", p.most, cond)
}

// term is an expression over two bytes and n.
func (p *bytesTwice) term(a, b string) (string, ofBytes) {
	c := uint8(p.IntN(4))
	switch p.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("%s + %d", a, c), func(a, _, _ uint8) uint8 { return a + c }
	case 2:
		return fmt.Sprintf("%s + %s", a, b), func(a, b, _ uint8) uint8 { return a + b }
	case 3:
		return fmt.Sprintf("%s + %s + %d", a, b, c), func(a, b, _ uint8) uint8 { return a + b + c }
	case 4:
		return fmt.Sprintf("%s ^ %d", a, c), func(a, _, _ uint8) uint8 { return a ^ c }
	case 5:
		return fmt.Sprintf("%s + n", a), func(a, _, n uint8) uint8 { return a + n }
	case 6:
		return fmt.Sprint(c), func(_, _, _ uint8) uint8 { return c }
	}
	return a, func(a, _, _ uint8) uint8 { return a }
}

// violated reports whether some argument gives what is asked for.
func (p *bytesTwice) violated() bool {
	for n := range int(p.most) + 1 {
		p.global = 0
		x := p.call(uint8(n), 1)
		if p.asks(uint8(n), x, p.global) {
			return true
		}
	}
	return false
}
