package magus_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// TestRandomSummaries: programs of procedures that call each other, and themselves, with actions in callees, globals,
// pointers to locals and to globals, and memory of the heap. Calls by summaries, and by bodies that stand
// once, must not contradict calls that are inlined.
func TestRandomSummaries(t *testing.T) {
	n := sample.Count(30)
	by := map[string]int{}
	proofs := 0
	for seed := range sample.Seeds(0, n) {
		p := newCallers(seed)
		spec := `R = ( lock -> ( unlock -> R | return {} -> STOP ) | return {} -> STOP ). procedure run { ` +
			`abstract { r, (1), R }; }`
		limits := magus.Loop{MaxIterations: 20, MaxStates: 4000, Calls: cegar.CallsInline}
		inlined := check(t, act+p.text, spec, magus.Options{Modelling: magus.Modelling{Recursion: 3}, Loop: limits})
		limits.Calls = cegar.CallsSummaries
		bodies := check(t, act+p.text, spec, magus.Options{Loop: limits})
		limits.Engine = cegar.SummariesEngine
		summaries := check(t, act+p.text, spec, magus.Options{Loop: limits})
		for _, o := range []*magus.Outcome{bodies, summaries} {
			if inlined.Verdict != magus.Unknown && o.Verdict != magus.Unknown {
				require.Equal(t, inlined.Verdict, o.Verdict, "seed %d\n%s", seed, p.text)
			}
			require.NotEqual(t, verdict.Fault, o.Reason.Kind, "seed %d: %v\n%s", seed, o.Reason, p.text)
			require.NotEqual(t, verdict.Refused, o.Reason.Kind, "seed %d: %v\n%s", seed, o.Reason, p.text)
		}
		if summaries.Verdict == magus.Conforms {
			proofs++
		}
		certified(t, seed, act+p.text, limits)
		by[fmt.Sprint(inlined.Verdict, " ", bodies.Verdict, " ", summaries.Verdict)]++
	}
	t.Log(by)
	if !sample.Whole() {
		return
	}
	require.Positive(t, proofs)
	require.Positive(t, by["violates violates unknown"])
}

// certified asks whether one of the actions never happens, of which a proof by summaries has a certificate, and
// requires that it is not refused.
func certified(t *testing.T, seed uint64, text string, limits magus.Loop) {
	spec := `R = ( lock -> R | return {} -> R ) + {unlock}. procedure run { abstract { r, (1), R }; }`
	o := check(t, text, spec, magus.Options{Loop: limits})
	require.NotEqual(t, verdict.Refused, o.Reason.Kind, "seed %d: %v\n%s", seed, o.Reason, text)
	if o.Verdict == magus.Conforms {
		require.NotContains(t, o.Confirmation.Why, "no certificate", "seed %d\n%s", seed, text)
	}
}

// callers writes one program.
type callers struct {
	*rand.Rand
	text     string
	params   []int // of each procedure: numbers, and a pointer last if pointer
	pointers []bool
	now      int // the procedure
	vars     []string
	has      bool // a pointer parameter
	recurs   bool
	loops    int
}

func newCallers(seed uint64) *callers {
	p := &callers{Rand: rand.New(rand.NewPCG(seed, 23))}
	n := 1 + p.IntN(4)
	var b strings.Builder
	b.WriteString("typedef unsigned char u8; void *malloc(unsigned long); extern u8 any(void);\n" +
		"static u8 g, h; static u8 *q = &h;\n")
	for i := range n {
		p.params, p.pointers = append(p.params, 1+p.IntN(2)), append(p.pointers, p.IntN(3) == 0)
		fmt.Fprintf(&b, "static u8 f%d(u8 d%s);\n", i, p.signature(i))
	}
	p.recurs = p.IntN(2) == 0
	for i := range n {
		fmt.Fprintf(&b, "static u8 f%d(u8 d%s)\n{\n%s}\n", i, p.signature(i), p.body(i))
	}
	fmt.Fprintf(&b, "int run(u8 a, u8 b)\n{\n%s\treturn 0;\n}\n", p.entry())
	p.text = b.String()
	return p
}

func (p *callers) signature(i int) string {
	s := ""
	for k := range p.params[i] {
		s += fmt.Sprintf(", u8 a%d", k)
	}
	if p.pointers[i] {
		s += ", u8 *p"
	}
	return s
}

// body is that of a procedure: locals, some statements, a result.
func (p *callers) body(i int) string {
	p.now, p.has, p.loops = i, p.pointers[i], 0
	p.vars = []string{"g", "x"}
	for k := range p.params[i] {
		p.vars = append(p.vars, fmt.Sprintf("a%d", k))
	}
	if p.IntN(4) == 0 {
		p.vars = append(p.vars, "h")
	}
	s := fmt.Sprintf("\tu8 x = %s;\n", p.pick("0", "a0", "g", "any()"))
	if p.IntN(5) == 0 {
		s += "\tstatic u8 kept; if (kept < 3) kept++;\n"
		p.vars = append(p.vars, "kept")
	}
	s += p.block(2+p.IntN(3), 1)
	return s + fmt.Sprintf("\treturn %s;\n", p.term())
}

func (p *callers) entry() string {
	p.now, p.has, p.loops = -1, false, 0
	p.vars = []string{"g", "x", "a", "b"}
	s := fmt.Sprintf("\tu8 x = %s; g = %d; h = %d;\n", p.pick("0", "a", "b"), p.IntN(3), p.IntN(3))
	return s + p.block(2+p.IntN(3), 1)
}

func (p *callers) block(n, depth int) string {
	s := ""
	for range n {
		s += p.statement(depth)
	}
	return s
}

func (p *callers) statement(depth int) string {
	in := strings.Repeat("\t", depth)
	k := p.IntN(14)
	switch {
	case k < 2 && depth < 3:
		s := fmt.Sprintf("%sif (%s) {\n%s%s}", in, p.cond(), p.block(1+p.IntN(2), depth+1), in)
		if p.IntN(2) == 0 {
			s += fmt.Sprintf(" else {\n%s%s}", p.block(1+p.IntN(2), depth+1), in)
		}
		return s + "\n"
	case k < 4:
		return fmt.Sprintf("%s__MAGUS_ACTION__(\"lock\"); __MAGUS_ACTION__(\"unlock\");\n", in)
	case k < 5:
		c := p.cond()
		return fmt.Sprintf("%sif (%s) __MAGUS_ACTION__(\"lock\");\n%s%sif (%s) __MAGUS_ACTION__(\"unlock\");\n",
			in, c, p.call(in), in, c)
	case k < 9:
		return p.call(in)
	case k < 10 && p.has:
		return fmt.Sprintf("%s*p = %s;\n", in, p.term())
	case k < 11 && p.has:
		return fmt.Sprintf("%sx = *p;\n", in)
	case k < 12 && p.IntN(3) == 0:
		return fmt.Sprintf("%s%s\n", in, p.pick("q = &g;", "q = &h;", "*q = x;", "x = *q;",
			"{ u8 *m = malloc(1); if (m) { *m = x; x = *m; } }"))
	}
	return fmt.Sprintf("%s%s = %s;\n", in, p.vars[p.IntN(len(p.vars))], p.term())
}

// call is one of a later procedure, or of any with a smaller depth.
func (p *callers) call(in string) string {
	n := len(p.params)
	to, depth := p.now+1+p.IntN(max(1, n-p.now-1)), p.pick("d", "3", "2")
	if p.now < 0 {
		depth = p.pick("2", "3", "a")
		if !p.recurs {
			depth = "0"
		}
	}
	guard := ""
	if p.now >= 0 && (to >= n || p.recurs && p.IntN(3) == 0) {
		if !p.recurs {
			return ""
		}
		to, depth, guard = p.IntN(p.now+1), "d - 1", "if (d > 0) "
	} else if p.now >= 0 {
		depth = "d"
	}
	args := depth
	for range p.params[to] {
		args += ", " + p.term()
	}
	if p.pointers[to] {
		where := []string{"&g", "&h", "q"}
		if p.has {
			where = append(where, "p")
		}
		if !p.recurs || p.now < 0 {
			where = append(where, "&x", "&x")
		}
		args += ", " + where[p.IntN(len(where))]
	}
	result := ""
	if p.IntN(2) == 0 {
		result = p.vars[p.IntN(len(p.vars))] + " = "
		if p.IntN(3) == 0 {
			result += p.vars[p.IntN(len(p.vars))] + " + "
		}
	}
	return fmt.Sprintf("%s%s%sf%d(%s);\n", in, guard, result, to, args)
}

func (p *callers) term() string {
	v := p.vars[p.IntN(len(p.vars))]
	switch p.IntN(6) {
	case 0:
		return fmt.Sprint(p.IntN(3))
	case 1:
		return fmt.Sprintf("%s + %d", v, 1+p.IntN(2))
	case 2:
		return fmt.Sprintf("%s ^ %d", v, 1+p.IntN(3))
	}
	return v
}

func (p *callers) cond() string {
	return fmt.Sprintf("%s %s %d", p.vars[p.IntN(len(p.vars))], p.pick("==", "!=", "<", ">"), p.IntN(4))
}

func (p *callers) pick(all ...string) string { return all[p.IntN(len(all))] }

// TestRandomNumbersBySummaries: the answer of [numbers] is known, and a proof must not be wrong.
func TestRandomNumbersBySummaries(t *testing.T) {
	decided := map[magus.Verdict]int{}
	for seed := range sample.Seeds(0, sample.Count(12)) {
		p := newNumbers(seed)
		bad, _ := p.violated()
		o := check(t, act+p.text, `R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`,
			magus.Options{Loop: magus.Loop{Engine: cegar.SummariesEngine, MaxIterations: 30, MaxStates: 5000}})
		decided[o.Verdict]++
		require.Contains(t, []magus.Verdict{magus.Conforms, magus.Unknown}, o.Verdict)
		require.False(t, bad && o.Verdict == magus.Conforms, "seed %d\n%s", seed, p.text)
	}
	t.Log(decided)
	if !sample.Whole() {
		return
	}
	require.Positive(t, decided[magus.Conforms])
}
