package rules_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// TestRandomAllocations: the rules about memory on one function with a loop that allocates, frees and uses memory
// through a few pointers, against all its runs of up to eight iterations with all failures of what allocates. So more
// objects live than calls of malloc have told apart. Kept is wrong where a run breaks the rule before anything
// undefined has happened, broken where none does.
func TestRandomAllocations(t *testing.T) {
	count := tally{}
	for seed := range sample.Seeds(1, sample.Count(8)) {
		p := newAllocations(seed)
		for _, rule := range []string{"memory", "use-after-close"} {
			truth := p.explore(rule)
			_, answers := ask(t, map[string]string{"a.c": p.print()}, rule)
			require.LessOrEqual(t, len(answers), 1)
			for _, a := range answers {
				count[a.verdict]++
				wrong := a.verdict == "conforms" && truth.broken || a.verdict == "violates" && !truth.perhaps
				require.False(t, wrong, "seed %d: %s: %s\n%s", seed, rule, a.verdict, p.print())
			}
		}
	}
	t.Log(count)
	if sample.Whole() {
		require.Positive(t, count["conforms"], "nothing is kept")
		require.Positive(t, count["violates"], "nothing is broken")
	}
}

const (
	manyIterations = 8
	pointers       = 3 // a, b and c
)

// An act is a statement of such a program.
type act struct {
	what    string // malloc, realloc, free, copy, clear, store, load, walk
	to, of  int    // pointers
	guard   string // "": always; "once": in iteration at; "even": in even ones; "set": where pointer `of` is not NULL
	at      int
	checked bool // of malloc: ends the loop where it fails
}

// allocations is such a program.
type allocations struct {
	before, in, behind []act
	returns            int // a pointer; negative: none
}

func newAllocations(seed uint64) *allocations {
	r := rand.New(rand.NewPCG(seed, 41))
	some := func(n int, words ...string) (all []act) {
		for range n {
			a := act{what: words[r.IntN(len(words))], to: r.IntN(pointers), of: r.IntN(pointers), at: r.IntN(manyIterations - 2)}
			a.guard = []string{"", "", "", "once", "even", "set"}[r.IntN(6)]
			a.checked = r.IntN(2) == 0
			all = append(all, a)
		}
		return all
	}
	p := &allocations{before: some(r.IntN(2), "malloc"), returns: r.IntN(pointers+3) - 3}
	p.in = append(some(1, "malloc", "malloc", "realloc"), some(1+r.IntN(3),
		"free", "free", "copy", "clear", "store", "load", "walk")...)
	if r.IntN(2) == 0 {
		p.in = append(p.in, act{what: "free", to: p.in[0].to, guard: ""})
	}
	p.behind = some(r.IntN(3), "free", "free", "load", "clear")
	return p
}

func (p *allocations) print() string {
	var b strings.Builder
	b.WriteString("#include <stdlib.h>\nint *f(int n) {\n\tint *a = NULL, *b = NULL, *c = NULL;\n\tint s = 0, i = 0;\n")
	write := func(all []act, tab string, loop bool) {
		for _, a := range all {
			b.WriteString(tab + a.print(loop) + "\n")
		}
	}
	write(p.before, "\t", false)
	b.WriteString("\tfor (i = 0; i < n; i++) {\n")
	write(p.in, "\t\t", true)
	b.WriteString("\t}\n")
	write(p.behind, "\t", false)
	if p.returns < 0 {
		b.WriteString("\treturn NULL;\n}\n")
	} else {
		fmt.Fprintf(&b, "\treturn %c;\n}\n", 'a'+p.returns)
	}
	return b.String()
}

func (a act) print(loop bool) string {
	to, of := string(rune('a'+a.to)), string(rune('a'+a.of))
	text := map[string]string{"free": "free(" + to + ");", "copy": to + " = " + of + ";", "clear": to + " = NULL;",
		"store":   "if (" + to + ") *" + to + " = 1;",
		"walk":    "if (" + to + ") { int *r = " + to + "; for (s = 0; s < 2; s++) *r++ = s; }",
		"load":    "if (" + to + ") s += *" + to + ";",
		"malloc":  to + " = malloc(8);",
		"realloc": "{ int *r = realloc(" + to + ", 8); if (r) " + to + " = r; }"}[a.what]
	if a.what == "malloc" && a.checked && loop {
		text = "{ " + text + " if (!" + to + ") break; }"
	}
	switch a.guard {
	case "once":
		return fmt.Sprintf("if (i == %d) %s", a.at, braced(text))
	case "even":
		return "if (i % 2 == 0) " + braced(text)
	case "set":
		return "if (" + of + ") " + braced(text)
	}
	return text
}

func braced(text string) string {
	if strings.HasPrefix(text, "{") {
		return text
	}
	return "{ " + text + " }"
}

// breaking says what runs do to a rule.
type breaking struct {
	broken  bool // a run breaks it before anything undefined has happened
	perhaps bool // a run breaks it
}

// explore does all runs: which of the first calls that allocate fail is tried in all ways, later ones never fail.
func (p *allocations) explore(rule string) (all breaking) {
	const ways = 7
	for n := range manyIterations + 1 {
		for fails := range 1 << ways {
			r := &allocatingRun{fails: fails, n: n}
			r.do(p)
			broken, perhaps := r.breaks(rule, p.returns)
			all.broken, all.perhaps = all.broken || broken, all.perhaps || perhaps
		}
	}
	return all
}

// allocatingRun is a run.
type allocatingRun struct {
	n, fails, calls int
	freed           []bool // by object, from 1 on
	pointer         [pointers]int
	twice, used     int  // when an object was freed again, or used once freed; 0: never
	again           bool // realloc was given what is freed, which is a use of it, or none
	now             int
}

func (r *allocatingRun) do(p *allocations) {
	r.freed = []bool{false}
	r.block(p.before, 0)
	i := 0
	for ; i < r.n; i++ {
		if r.block(p.in, i) {
			break
		}
	}
	r.block(p.behind, i)
}

// block reports whether the loop ends.
func (r *allocatingRun) block(all []act, i int) bool {
	for _, a := range all {
		r.now++
		holds := a.guard == "" || a.guard == "once" && i == a.at || a.guard == "even" && i%2 == 0 ||
			a.guard == "set" && r.pointer[a.of] != 0
		if holds && r.act(a, i) {
			return true
		}
	}
	return false
}

func (r *allocatingRun) act(a act, i int) (ends bool) {
	p := &r.pointer[a.to]
	switch a.what {
	case "malloc":
		*p = r.allocate()
		return *p == 0 && a.checked
	case "realloc":
		if r.freed[*p] {
			r.again = true
			r.free(*p)
		}
		if made := r.allocate(); made != 0 {
			r.free(*p)
			*p = made
		}
	case "free":
		r.free(*p)
	case "copy":
		*p = r.pointer[a.of]
	case "clear":
		*p = 0
	default:
		if *p != 0 && r.freed[*p] && r.used == 0 {
			r.used = r.now
		}
	}
	return false
}

func (r *allocatingRun) allocate() int {
	r.calls++
	if r.fails>>(r.calls-1)&1 == 1 {
		return 0
	}
	r.freed = append(r.freed, false)
	return len(r.freed) - 1
}

func (r *allocatingRun) free(o int) {
	if o != 0 && r.freed[o] && r.twice == 0 {
		r.twice = r.now
	}
	r.freed[o] = o != 0
}

// breaks reports whether the run breaks a rule before anything undefined has happened, and whether it does so at all.
func (r *allocatingRun) breaks(rule string, returned int) (broken, perhaps bool) {
	if rule == "use-after-close" {
		return r.used > 0 && (r.twice == 0 || r.used < r.twice), r.used > 0 || r.again
	}
	kept := 0
	if returned >= 0 {
		kept = r.pointer[returned]
	}
	lost := false
	for o := 1; o < len(r.freed); o++ {
		lost = lost || !r.freed[o] && o != kept
	}
	return r.twice > 0 && (r.used == 0 || r.twice < r.used) || lost && r.used == 0 && r.twice == 0, r.twice > 0 || lost
}

// TestAllocationsOfARun: the exploration itself, on programs whose answers are known.
func TestAllocationsOfARun(t *testing.T) {
	make, free, use := act{what: "malloc"}, act{what: "free"}, act{what: "load"}
	once := act{what: "load", guard: "once", at: 7}
	for name, c := range map[string]struct {
		p            *allocations
		memory, uses bool
	}{
		"freed in each iteration": {&allocations{in: []act{make, free}, returns: -1}, false, false},
		"lost in each":            {&allocations{in: []act{make}, returns: -1}, true, false},
		"the last is returned":    {&allocations{in: []act{free, make}, returns: 0}, false, false},
		"used when freed":         {&allocations{in: []act{make, free, use}, returns: -1}, false, true},
		"used when freed, late":   {&allocations{in: []act{make, free, once}, returns: -1}, false, true},
		"freed twice":             {&allocations{in: []act{make, free, free}, returns: -1}, true, false},
	} {
		require.Equal(t, c.memory, c.p.explore("memory").broken, name)
		require.Equal(t, c.uses, c.p.explore("use-after-close").broken, name)
	}
}
