package certificate

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/internal/expr"
)

// What inlined bodies assign in random programs, the calls of them may change; and
// most of what a call may change is missed if it does not. MAGUS_WRITES is the
// number of programs.
func TestCallsForgetNothing(t *testing.T) {
	programs, seed := 120, 1
	if n, err := strconv.Atoi(os.Getenv("MAGUS_WRITES")); err == nil {
		programs, seed = n, 1000
	} else if testing.Short() {
		programs = 30
	}
	compared, dropped, noticed := 0, 0, 0
	for i := range programs {
		auto, inlined, text := twice(t, i, uint64(seed+i))
		if auto == nil || inlined == nil {
			continue
		}
		compared++
		if f := forgets(auto, inlined); f != nil {
			assert.Fail(t, "a call forgets what its body assigns", "seed %d: %v\n%s", seed+i, f, text)
			continue
		}
		for _, forgetful := range droppedEffects(auto) {
			dropped++
			if forgets(forgetful, inlined) != nil {
				noticed++
			}
		}
	}
	t.Logf("%d of %d programs compared, %d of %d dropped effects noticed", compared, programs, noticed, dropped)
	require.Greater(t, 2*noticed, dropped)
}

// twice lowers a random program, with its routines taken by abstractions and inlined;
// nil for what is not modelled.
func twice(t *testing.T, i int, seed uint64) (auto, inlined *cfa.CFA, text string) {
	text, outside, entry := cfatest.Calls(i, seed, 4)
	if i%5 == 0 {
		text, entry = cfatest.Program(i, seed, 8)
	}
	if i%2 == 0 {
		text += outside
	}
	model := []cfa.DataModel{cfa.LP64, cfa.ILP32}[i/2%2]
	prog, err := source.Parse(t.Context(), []source.Source{{Name: "program.c", Text: []byte(cfatest.Nondet + cfatest.CallsPrelude + text)}}, source.Options{Model: model})
	require.NoError(t, err)
	opt := lower.Options{InitGlobals: i%3 > 0, ArrayLimit: []int{0, 1, 2}[i%3], HeapLimit: []int{0, 1}[i%2], PlaceLimit: i % 5 / 4, CheckPointers: i%4 == 0}
	inlined = lowered(t, prog, entry, opt)
	opt.Abstracted = func(proc string) bool { return proc != entry && prog.HasBody(proc) && (len(proc)+i)%4 != 0 }
	return lowered(t, prog, entry, opt), inlined, text
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
			if !ok || !a.Keeps || auto.Locs[at].Pos != loc.Pos {
				break
			}
			put(at, cfa.Goto{})
		}
	}
	return all
}
