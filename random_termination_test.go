package magus_test

// Small random loops over two variables of eight bits, whose states are all looked at.

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/internal/sample"
)

// A looper is a procedure over x and y as instructions, with its text.
type looper struct {
	rnd    *rand.Rand
	signed [2]bool
	code   []loopStep
	text   strings.Builder
	indent int
	breaks [][]int // of the loops around: instructions that leave them
}

// A loopStep is an instruction. next is where it leads: of a branch where its condition holds, and where not.
type loopStep struct {
	kind string // "set", "any", "if", "chance", "end"
	v    int
	eval func(at [2]int) int
	next [2]int
}

var loopNames = [2]string{"x", "y"}

func (l *looper) write(format string, args ...any) {
	fmt.Fprintf(&l.text, strings.Repeat("\t", l.indent)+format+"\n", args...)
}

// wrap is a number as variable v holds it.
func (l *looper) wrap(v, n int) int {
	if l.signed[v] {
		return int(int8(n))
	}
	return int(uint8(n))
}

// term is an expression of type int.
func (l *looper) term(depth int) (string, func([2]int) int) {
	v, c := l.rnd.Intn(2), l.rnd.Intn(12)-3
	variable := func(at [2]int) int { return at[v] }
	if depth == 0 {
		if l.rnd.Intn(3) == 0 {
			return fmt.Sprint(c), func([2]int) int { return c }
		}
		return loopNames[v], variable
	}
	a, f := l.term(depth - 1)
	b, g := l.term(0)
	switch l.rnd.Intn(9) {
	case 0, 1:
		return fmt.Sprintf("%s + 1", loopNames[v]), func(at [2]int) int { return at[v] + 1 }
	case 2, 3:
		return fmt.Sprintf("%s - 1", loopNames[v]), func(at [2]int) int { return at[v] - 1 }
	case 4:
		return fmt.Sprintf("(%s) + (%s)", a, b), func(at [2]int) int { return f(at) + g(at) }
	case 5:
		return fmt.Sprintf("(%s) - (%s)", a, b), func(at [2]int) int { return f(at) - g(at) }
	case 6:
		return fmt.Sprintf("(%s) / 2", a), func(at [2]int) int { return f(at) / 2 }
	case 7:
		k := 2 + l.rnd.Intn(5)
		return fmt.Sprintf("(%s) %% %d", a, k), func(at [2]int) int { return f(at) % k }
	}
	k := l.rnd.Intn(16)
	return fmt.Sprintf("(%s) & %d", a, k), func(at [2]int) int { return f(at) & k }
}

// condition is a comparison.
func (l *looper) condition() (string, func([2]int) int) {
	a, f := l.term(l.rnd.Intn(2))
	b, g := l.term(0)
	ops := []string{"<", "<=", "==", "!=", ">", ">="}
	op := ops[l.rnd.Intn(len(ops))]
	return fmt.Sprintf("(%s) %s (%s)", a, op, b), func(at [2]int) int {
		p, q := f(at), g(at)
		holds := map[string]bool{"<": p < q, "<=": p <= q, "==": p == q, "!=": p != q, ">": p > q, ">=": p >= q}[op]
		if holds {
			return 1
		}
		return 0
	}
}

// add adds an instruction that leads to the next one.
func (l *looper) add(s loopStep) int {
	n := len(l.code)
	s.next[0] = n + 1
	l.code = append(l.code, s)
	return n
}

// test adds a branch, and gives its text.
func (l *looper) test() (string, int) {
	if l.rnd.Intn(6) == 0 {
		return "any() & 1", l.add(loopStep{kind: "chance"})
	}
	text, eval := l.condition()
	return text, l.add(loopStep{kind: "if", eval: eval})
}

// block writes some statements.
func (l *looper) block(depth int) {
	l.indent++
	for range 1 + l.rnd.Intn(3) {
		l.statement(depth)
	}
	l.indent--
}

func (l *looper) statement(depth int) {
	switch k := l.rnd.Intn(10); {
	case k < 2 && depth > 0:
		text, at := l.test()
		l.write("while (%s) {", text)
		l.breaks = append(l.breaks, nil)
		l.block(depth - 1)
		l.code[l.add(loopStep{kind: "set"})].next[0] = at
		l.code[at].next[1] = len(l.code)
		for _, b := range l.breaks[len(l.breaks)-1] {
			l.code[b].next[0] = len(l.code)
		}
		l.breaks = l.breaks[:len(l.breaks)-1]
		l.write("}")
	case k < 4 && depth > 0:
		text, at := l.test()
		l.write("if (%s) {", text)
		l.block(depth - 1)
		out := l.add(loopStep{kind: "set"})
		l.code[at].next[1] = len(l.code)
		l.write("} else {")
		l.block(depth - 1)
		l.code[out].next[0] = len(l.code)
		l.write("}")
	case k == 4 && len(l.breaks) > 0:
		text, at := l.test()
		l.write("if (%s)", text)
		l.write("\tbreak;")
		b := l.add(loopStep{kind: "set"})
		l.code[at].next[1] = len(l.code)
		l.breaks[len(l.breaks)-1] = append(l.breaks[len(l.breaks)-1], b)
	case k == 5 && l.rnd.Intn(3) == 0:
		v := l.rnd.Intn(2)
		l.write("%s = any();", loopNames[v])
		l.add(loopStep{kind: "any", v: v})
	default:
		v := l.rnd.Intn(2)
		text, eval := l.term(1 + l.rnd.Intn(2))
		l.write("%s = %s;", loopNames[v], text)
		l.add(loopStep{kind: "set", v: v, eval: eval})
	}
}

func randomLooper(rnd *rand.Rand) *looper {
	l := &looper{rnd: rnd, signed: [2]bool{rnd.Intn(2) == 0, rnd.Intn(2) == 0}}
	types := [2]string{"unsigned char", "unsigned char"}
	for i := range types {
		if l.signed[i] {
			types[i] = "signed char"
		}
	}
	fmt.Fprintf(&l.text, "unsigned char any(void);\nvoid f(%s x, %s y) {\n", types[0], types[1])
	l.indent = 1
	if rnd.Intn(2) == 0 {
		v, k := rnd.Intn(2), rnd.Intn(5)
		l.write("%s = %d;", loopNames[v], k)
		l.add(loopStep{kind: "set", v: v, eval: func([2]int) int { return k }})
	}
	text, at := l.test()
	l.write("while (%s) {", text)
	l.breaks = append(l.breaks, nil)
	l.block(2)
	l.code[l.add(loopStep{kind: "set"})].next[0] = at
	l.code[at].next[1] = len(l.code)
	for _, b := range l.breaks[0] {
		l.code[b].next[0] = len(l.code)
	}
	l.write("}")
	l.text.WriteString("}\n")
	l.add(loopStep{kind: "end"})
	return l
}

// successors are the states behind a state.
func (l *looper) successors(state int, to []int) []int {
	pc, at := state>>16, [2]int{l.wrap(0, state>>8), l.wrap(1, state)}
	pack := func(pc int, at [2]int) int { return pc<<16 | (at[0]&255)<<8 | at[1]&255 }
	switch s := l.code[pc]; {
	case s.kind == "set" && s.eval != nil:
		at[s.v] = l.wrap(s.v, s.eval(at))
		return append(to, pack(s.next[0], at))
	case s.kind == "set":
		return append(to, pack(s.next[0], at))
	case s.kind == "any":
		for n := range 256 {
			at[s.v] = n
			to = append(to, pack(s.next[0], at))
		}
		return to
	case s.kind == "chance":
		return append(to, pack(s.next[0], at), pack(s.next[1], at))
	case s.kind == "if":
		return append(to, pack(s.next[1-s.eval(at)], at))
	}
	return to
}

// ends reports whether no run from any values goes on for ever: a depth-first search finds no state again that is on
// its way.
func (l *looper) ends() bool {
	const onWay, done = 1, 2
	color := make([]byte, len(l.code)<<16)
	type entry struct {
		state int
		left  []int
	}
	for first := range 1 << 16 {
		if color[first] != 0 {
			continue
		}
		color[first] = onWay
		way := []entry{{first, l.successors(first, nil)}}
		for len(way) > 0 {
			e := &way[len(way)-1]
			if len(e.left) == 0 {
				color[e.state] = done
				way = way[:len(way)-1]
				continue
			}
			next := e.left[0]
			e.left = e.left[1:]
			switch color[next] {
			case onWay:
				return false
			case 0:
				color[next] = onWay
				way = append(way, entry{next, l.successors(next, nil)})
			}
		}
	}
	return true
}

func TestRandomLoopsEnd(t *testing.T) {
	told := map[magus.Verdict]int{}
	for n := range sample.Count(14) {
		seed := int64(sample.Seed(1)) + int64(n)
		l := randomLooper(rand.New(rand.NewSource(seed)))
		p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "a.c", Text: []byte(l.text.String())}}})
		require.NoError(t, err)
		c, err := p.Property(magus.Property{Question: magus.Terminates, Entry: "f"})
		require.NoError(t, err)
		o, err := checkedAgain(t, c, magus.Options{}, true)
		require.NoError(t, err)
		told[o.Verdict]++
		if o.Verdict == magus.Unknown {
			continue
		}
		want := magus.Violates
		if l.ends() {
			want = magus.Conforms
		}
		require.Equal(t, want, o.Verdict, "seed %d\n%s", seed, l.text.String())
	}
	t.Log(told)
	if !sample.Whole() {
		return
	}
	require.Positive(t, told[magus.Conforms])
	require.Positive(t, told[magus.Violates])
	require.Less(t, told[magus.Unknown], told[magus.Conforms]+told[magus.Violates])
}
