package interp_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/internal/sample"
	"magus/smt/expr"
)

// A call of a routine with a body and an abstraction may change what its body
// changes: the interpreter executes random programs with every body inlined, and
// each cell that differs after a routine has returned must be one that the call may
// change where the routine is abstracted.
func TestFrame(t *testing.T) {
	programs := sample.Count(16)
	calls, changes, may := 0, 0, 0
	const together = 20 // programs in one text: a text has a price of its own
	for first := 0; first < programs; first += together {
		all := cfatest.Nondet + cfatest.CallsPrelude + tell
		var texts, entries []string
		for i := first; i < min(first+together, programs); i++ {
			text, outside, entry := cfatest.Calls(i, uint64(firstSeed())+uint64(i), 4)
			if text += outside; i%4 == 0 {
				text, entry = cfatest.Program(i, uint64(firstSeed())+uint64(i), 8)
			}
			texts, entries = append(texts, text), append(entries, entry)
			all += text
		}
		model := []cfa.DataModel{cfa.LP64, cfa.ILP32}[first/together%2]
		prog := parsed(t, all, model)
		for i, text := range texts {
			f := framed(t, prog, entries[i], first+i)
			if f == nil {
				continue
			}
			n, m := f.run(t, fmt.Sprintf("seed %d, %v\n%s", firstSeed()+int64(first+i), model, text))
			calls, changes, may = calls+n, changes+m, may+f.may
		}
	}
	t.Logf("%d calls, %d cells changed by them, %d that calls may change", calls, changes, may)
	if !testing.Short() {
		require.Positive(t, calls, "routines are called")
		require.Positive(t, changes, "and change something")
	}
}

// A frameRun is a program lowered twice: inlined to execute it, abstracted to ask.
type frameRun struct {
	inlined    *cfa.CFA
	abstracted func(proc string) bool
	allowed    map[string]map[string]bool // by place and name of a call: the variables
	known      map[string]bool            // the variables of the abstracted component
	may        int
}

// framed lowers a program; nil if something of it is not modelled. Which routines
// are abstracted depends on their names and on n.
func framed(t *testing.T, prog *source.Program, entry string, n int) *frameRun {
	f := &frameRun{allowed: map[string]map[string]bool{}, known: map[string]bool{}}
	f.abstracted = func(proc string) bool {
		return proc != entry && proc != "out" && prog.HasBody(proc) && (len(proc)+n)%3 != 0
	}
	var err error
	refused := (*cfa.UnsupportedError)(nil)
	opt := lower.Options{InitGlobals: true, Modelling: cfa.Modelling{ArrayLimit: []int{0, 1, 2}[n%3],
		HeapLimit: []int{0, 1}[n%2], TargetLimit: []int{0, 0, 1}[n%3]}}
	if f.inlined, err = lower.Lower(ctx(), prog, entry, expr.NewPool(), opt); errors.As(err, &refused) {
		return nil
	}
	require.NoError(t, err)
	opt.Abstracted = f.abstracted
	c, err := lower.Lower(ctx(), prog, entry, expr.NewPool(), opt)
	if errors.As(err, &refused) {
		return nil
	}
	if ie := (*cfa.InternalError)(nil); errors.As(err, &ie) {
		t.Log(ie.Stack)
	}
	require.NoError(t, err)
	for _, v := range c.Vars {
		f.known[v.Expr.Name()] = v.Frame <= 0 && v.Kind != cfa.Temp // those of the lowering have one name by chance
	}
	for i, loc := range c.Locs {
		if call, ok := loc.Stmt.(cfa.Call); ok {
			f.may += f.allow(c, cfa.Loc(i), call)
		}
	}
	return f
}

// allow notes what a call may change: what it lists, and what is given any value
// behind it.
func (f *frameRun) allow(c *cfa.CFA, at cfa.Loc, call cfa.Call) int {
	key := fmt.Sprint(c.Locs[at].Pos, call.Callee)
	vars := f.allowed[key]
	if vars == nil {
		vars = map[string]bool{}
		f.allowed[key] = vars
	}
	for _, v := range append(call.Clobbers, call.LHS) {
		if v != nil {
			vars[v.Name()] = true
		}
	}
	for loc := c.Locs[at]; len(loc.Succ) == 1; {
		loc = c.Locs[loc.Succ[0]]
		a, ok := loc.Stmt.(cfa.Assign)
		if !ok || a.Body != call.Callee {
			break
		}
		vars[a.LHS.Name()] = true
	}
	return len(vars)
}

// run executes the program and checks each call of an abstracted routine that is
// not made by another one.
func (f *frameRun) run(t *testing.T, text string) (calls, changes int) {
	m := interp.New(f.inlined)
	s := m.Initial(func(v *expr.Expr) uint64 { return junk })
	open, before := -1, s
	for range 100_000 {
		r := m.Step(s, choices{f.inlined})
		if r.Tainted != nil || r.Next.Ended() {
			return calls, changes
		}
		s = r.Next
		frame := f.inlined.Locs[s.Loc()].Frame
		if open >= 0 && f.outermost(frame) != open {
			calls++
			changes += f.check(t, before, s, f.inlined.Frames[open], text)
			open = -1
		}
		if open < 0 {
			if open = f.outermost(frame); open >= 0 {
				before = s
			}
		}
	}
	return calls, changes
}

// outermost is the outermost instance of an abstracted routine that an instance
// belongs to, or -1.
func (f *frameRun) outermost(frame int) int {
	found := -1
	for ; frame > 0; frame = f.inlined.Frames[frame].Parent {
		if f.abstracted(f.inlined.Frames[frame].Proc) {
			found = frame
		}
	}
	return found
}

// check compares the variables before and after a call.
func (f *frameRun) check(t *testing.T, before, after interp.State, call cfa.Frame, text string) (changed int) {
	allowed := f.allowed[fmt.Sprint(call.Call, call.Proc)]
	for _, v := range f.inlined.Vars {
		x, _ := before.Value(v.Expr)
		y, _ := after.Value(v.Expr)
		if name := v.Expr.Name(); x != y && v.Frame <= 0 && f.known[name] {
			changed++
			require.True(t, allowed[name], "%v: the call of %s changes %s, which it may not\n%s", call.Call,
				call.Proc, name, text)
		}
	}
	return changed
}
