package certificate

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/internal/sample"
	"magus/smt/expr"
)

// What inlined bodies assign in random programs, the calls of them may change; and
// most of what a call may change is missed if it does not.
func TestCallsForgetNothing(t *testing.T) {
	programs, seed := sample.Count(50), int(sample.Seed(1))
	const together = 20 // programs in one text: a text has a price of its own
	compared, dropped, noticed := 0, 0, 0
	for first := 0; first < programs; first += together {
		b := written(t, first, min(together, programs-first), uint64(seed))
		for i, text := range b.texts {
			auto, inlined := b.twice(t, i)
			if auto == nil || inlined == nil {
				continue
			}
			compared++
			if f := forgets(auto, inlined); f != nil {
				assert.Fail(t, "a call forgets what its body assigns", "seed %d: %v\n%s", seed+first+i, f, text)
				continue
			}
			for _, forgetful := range droppedEffects(auto) {
				dropped++
				if forgets(forgetful, inlined) != nil {
					noticed++
				}
			}
		}
	}
	t.Logf("%d of %d programs compared, %d of %d dropped effects noticed", compared, programs, noticed, dropped)
	if !sample.Whole() {
		return
	}
	require.Greater(t, 2*noticed, dropped)
}

// TestCallBeforeEndlessLoop: all that a macro makes stands at one place, also a loop without an end behind a
// call; what the call may change is found nevertheless.
func TestCallBeforeEndlessLoop(t *testing.T) {
	text := "int g;\nvoid f(void);\n#define SPIN do { f(); for (;;) ; } while (0)\n" +
		"int main(void) { g = 0; SPIN; return 0; }\n"
	prog, err := source.Parse(t.Context(), []source.Source{{Name: "p.c", Text: []byte(text)}}, source.Options{})
	require.NoError(t, err)
	auto := lowered(t, prog, "main", lower.Options{Abstracted: func(name string) bool { return name == "f" }})
	l := &labels{auto: auto}
	calls := 0
	for _, loc := range auto.Locs {
		if _, ok := loc.Stmt.(cfa.Call); ok {
			calls++
			require.NotNil(t, l.changedBy(loc))
		}
	}
	require.Equal(t, 1, calls)
}

// A writing is random programs in one text.
type writing struct {
	prog           *source.Program
	first          int
	texts, entries []string
}

// written are programs of the numbers from first on, with the bodies of all routines or
// of some.
func written(t *testing.T, first, number int, seed uint64) *writing {
	b := &writing{first: first}
	var all strings.Builder
	all.WriteString("#include <stdarg.h>\n" + cfatest.Nondet + cfatest.CallsPrelude)
	for i := first; i < first+number; i++ {
		text, outside, entry := cfatest.Calls(i, seed+uint64(i), 4)
		switch i % 5 {
		case 1:
			text, outside, entry = cfatest.VariadicCalls(i, seed+uint64(i), 4)
		case 0:
			text, entry = cfatest.Program(i, seed+uint64(i), 8)
			outside = ""
		}
		if first/number%2 == 0 {
			text += outside
		}
		all.WriteString(text)
		b.texts, b.entries = append(b.texts, text), append(b.entries, entry)
	}
	var err error
	b.prog, err = source.Parse(t.Context(), []source.Source{{Name: "program.c", Text: []byte(all.String())}},
		source.Options{Model: []cfa.DataModel{cfa.LP64, cfa.ILP32}[first/number/2%2]})
	require.NoError(t, err)
	return b
}

// twice lowers one of the programs, with its routines taken by abstractions and inlined;
// nil for what is not modelled.
func (b *writing) twice(t *testing.T, k int) (auto, inlined *cfa.CFA) {
	i, entry := b.first+k, b.entries[k]
	opt := lower.Options{InitGlobals: i%3 > 0, Modelling: cfa.Modelling{ArrayLimit: []int{0, 1, 2}[i%3],
		HeapLimit: []int{0, 1}[i%2], TargetLimit: i % 5 / 4, CheckPointers: i%4 == 0}}
	inlined = lowered(t, b.prog, entry, opt)
	opt.Abstracted = func(proc string) bool { return proc != entry && b.prog.HasBody(proc) && (len(proc)+i)%4 != 0 }
	return lowered(t, b.prog, entry, opt), inlined
}

// lowered is an automaton; nil if something is not modelled.
func lowered(t *testing.T, prog *source.Program, entry string, opt lower.Options) *cfa.CFA {
	auto, err := lower.Lower(t.Context(), prog, entry, expr.NewPool(), opt)
	if refused := (*cfa.UnsupportedError)(nil); errors.As(err, &refused) {
		return nil
	}
	require.NoError(t, err)
	return auto
}

// droppedEffects are automata in each of which one call forgets one of its effects,
// but for its result.
func droppedEffects(auto *cfa.CFA) []*cfa.CFA {
	var all []*cfa.CFA
	put := func(at cfa.Loc, s cfa.Stmt) {
		c := *auto
		c.Locs = slices.Clone(auto.Locs)
		c.Locs[at].Stmt = s
		all = append(all, &c)
	}
	for i, loc := range auto.Locs {
		call, ok := loc.Stmt.(cfa.Call)
		if !ok {
			continue
		}
		for k := range call.Clobbers {
			less := call
			less.Clobbers = slices.Delete(slices.Clone(call.Clobbers), k, k+1)
			put(cfa.Loc(i), less)
		}
		for at := loc.Succ[0]; ; at = auto.Locs[at].Succ[0] {
			a, ok := auto.Locs[at].Stmt.(cfa.Assign)
			if !ok || a.Body != call.Callee || auto.Locs[at].Pos != loc.Pos {
				break
			}
			put(at, cfa.Goto{})
		}
	}
	return all
}
