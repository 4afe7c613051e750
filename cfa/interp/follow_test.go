package interp_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/internal/sample"
	"magus/smt/expr"
)

// What a program does with the bodies of all its routines, it does too where routines
// are taken by their abstractions, or have no body, if what these leave open is chosen
// as the bodies do: no run is lost. The programs compute what gcc's do
// (TestRandomCallsAgreeWithGCC); both automata are executed by the interpreter, and what a
// call may change gets the values of the run with bodies.
func TestRunsAreFollowed(t *testing.T) { followAll(t, false) }

// followAll compares the runs of the programs. The second automaton is that of the program
// without some bodies, or of a claim that does not begin with the program.
func followAll(t *testing.T, anywhere bool) {
	programs := sample.Count(25)
	const together = 20 // programs in one text: a text has a price of its own
	tally := map[string]int{}
	for first := 0; first < programs; first += together {
		model := []cfa.DataModel{cfa.LP64, cfa.ILP32}[first/together%2]
		var texts []string
		all, outside := cfatest.Nondet+cfatest.CallsPrelude, ""
		for i := first; i < min(first+together, programs); i++ {
			text, out, _ := cfatest.Calls(i, uint64(firstSeed())+uint64(i), 4)
			texts = append(texts, text+"---\n"+out)
			all, outside = all+text, outside+out
		}
		whole := parsed(t, all+tell+outside, model)
		parted := whole
		if !anywhere {
			parted = parsed(t, all+tell, model)
		}
		for i, text := range texts {
			f := &follower{whole: whole, parted: parted, entry: fmt.Sprintf("p%d", first+i), n: first + i, anywhere: anywhere}
			what, detail := f.compare(t)
			tally[what]++
			if sample.Campaign() {
				t.Log(what, detail)
			}
			if what == "lost" {
				assert.Fail(t, "a run is lost", "seed %d, %v: %s\n%s", firstSeed()+int64(f.n), model, detail, text)
			}
		}
	}
	t.Logf("%d programs: %v", programs, tally)
	if !sample.Whole() {
		return
	}
	require.Positive(t, tally["followed"])
}

func parsed(t *testing.T, text string, model cfa.DataModel) *source.Program {
	prog, err := source.Parse(ctx(), []source.Source{{Name: "programs.c", Text: []byte(text)}},
		source.Options{Model: model})
	require.NoError(t, err)
	return prog
}

// TestRunsBeginAnywhere: a claim about a procedure allows any values of the globals at the
// beginning, so also those that the program begins with, pointers in initialisers included. What
// the program does from there on, the automaton of the claim does too, with all bodies and with
// some routines taken by their abstractions.
func TestRunsBeginAnywhere(t *testing.T) { followAll(t, true) }

// A follower compares the runs of one program.
type follower struct {
	whole, parted *source.Program // with the bodies of all routines, and of some only
	entry         string
	n             int
	anywhere      bool // the second automaton is that of a claim that does not begin with the program
}

// compare says what became of a program: "followed" to the end; "refused", not
// modelled; "cut", where something is read that only the program with bodies models;
// "lost", with what differs.
func (f *follower) compare(t *testing.T) (what, detail string) {
	whole := f.lower(t, f.whole, lower.Options{InitGlobals: true, Modelling: cfa.Modelling{CheckPointers: f.n%7 == 0}})
	if whole == nil {
		return "not modelled", ""
	}
	parted := f.lower(t, f.parted, lower.Options{InitGlobals: !f.anywhere, Abstracted: func(proc string) bool {
		return strings.HasPrefix(proc, "r") && (len(proc)+int(proc[len(proc)-1])+f.n)%4 != 0 && !(f.anywhere && f.n%3 == 0)
	}, Modelling: cfa.Modelling{CheckPointers: f.n%7 == 0, ArrayLimit: []int{0, 2}[f.n/2%2],
		HeapLimit: []int{0, 1}[f.n/4%2], TargetLimit: f.n % 5 / 4}})
	if parted == nil {
		return "refused", ""
	}
	ref := reference(whole, int(f.whole.Model.Pointer().Width))
	if !ref.complete {
		return "reference cut", ""
	}
	if f.anywhere {
		ref.begin(f.bodyLine())
	}
	got, end := ref.follow(parted)
	if strings.HasPrefix(end, "cut") {
		if !slices.Equal(ref.lines[:min(len(got), len(ref.lines))], got) {
			return "lost", fmt.Sprintf("%v instead of %v", got, ref.lines)
		}
		return "cut", end
	}
	if !slices.Equal(ref.lines, got) {
		return "lost", fmt.Sprintf("%v instead of %v (%s)", got, ref.lines, end)
	}
	return "followed", ""
}

// bodyLine is the line in which the body of the entry procedure begins.
func (f *follower) bodyLine() int {
	for _, fn := range f.whole.Functions() {
		if fn.Name == f.entry {
			return fn.Body.Line
		}
	}
	return 0
}

// lower lowers the program's entry procedure; nil if something is not modelled.
func (f *follower) lower(t *testing.T, prog *source.Program, opt lower.Options) *cfa.CFA {
	c, err := lower.Lower(ctx(), prog, f.entry, expr.NewPool(), opt)
	if refused := (*cfa.UnsupportedError)(nil); errors.As(err, &refused) {
		return nil
	}
	require.NoError(t, err)
	require.Empty(t, c.Check())
	return c
}

// A referenceRun is that of the program with all bodies.
type referenceRun struct {
	c        *cfa.CFA
	address  int // bits of one
	lines    []string
	complete bool
	// after are the states after the calls that the entry procedure makes, by the place
	// of the call and the routine.
	after map[string][]interp.State
	vars  map[string]*expr.Expr // by key
	// results are the variables that such calls leave their results in.
	results map[string]*expr.Expr
	// begun is the state in which the entry procedure begins, where the other automaton begins
	// there; else nil.
	begun *interp.State
}

// outer is the call of the entry procedure that an instance comes from; false for
// its own.
func outer(c *cfa.CFA, frame int) (key string, ok bool) {
	for ; frame > 0; frame = c.Frames[frame].Parent {
		key = fmt.Sprint(c.Frames[frame].Call, c.Frames[frame].Proc)
	}
	return key, key != ""
}

func reference(c *cfa.CFA, address int) *referenceRun {
	r := &referenceRun{c: c, address: address, after: map[string][]interp.State{}, vars: keyed(c),
		results: map[string]*expr.Expr{}}
	for _, v := range c.Vars {
		if v.Name == "return" && v.Frame > 0 && c.Frames[v.Frame].Parent == 0 {
			key, _ := outer(c, v.Frame)
			r.results[key] = v.Expr
		}
	}
	m := interp.New(c)
	s := m.Initial(func(v *expr.Expr) uint64 { return junk })
	open := ""
	for range 20_000 {
		key, _ := outer(c, c.Locs[s.Loc()].Frame)
		if open != "" && key != open {
			r.after[open] = append(r.after[open], s)
		}
		open = key
		step := m.Step(s, choices{c})
		if step.Tainted != nil {
			return r
		}
		if r.lines, r.complete = told(c, s, step, r.lines); r.complete {
			return r
		}
		s = step.Next
	}
	return r
}

// begin finds the state in which the entry procedure begins, whose body stands at a line.
func (r *referenceRun) begin(line int) {
	globals := map[cfa.Pos]bool{}
	for _, v := range r.c.Vars {
		globals[v.Pos] = globals[v.Pos] || v.Kind == cfa.Global
	}
	m := interp.New(r.c)
	s := m.Initial(func(v *expr.Expr) uint64 { return junk })
	for at := r.c.Locs[s.Loc()].Pos; at.Line <= line || globals[at] ||
		at.File != "programs.c"; at = r.c.Locs[s.Loc()].Pos {
		s = m.Step(s, choices{r.c}).Next
	}
	r.begun = &s
}

// told adds what a step tells, and says whether it was the last.
func told(c *cfa.CFA, s interp.State, step interp.StepResult, lines []string) ([]string, bool) {
	switch e := step.Event.(type) {
	case interp.Acted:
		val := int64(0)
		if e.Action == "out" {
			val = toldValue(c, s)
		}
		return append(lines, fmt.Sprintf("%s %d", e.Action, val)), false
	case interp.Returned:
		return append(lines, fmt.Sprintf("return %d", signed(c.Ret, e.Value))), true
	case interp.Halted:
		return append(lines, "halt "+e.Reason), true
	}
	return lines, false
}

// keyed are the variables by name, declaration and the calls that led to their
// instance; those with one key are left out.
func keyed(c *cfa.CFA) map[string]*expr.Expr {
	vars, twice := map[string]*expr.Expr{}, map[string]bool{}
	for _, v := range c.Vars {
		k := fmt.Sprint(v.Name, v.Pos, v.Proc, v.Expr.Type())
		for frame := v.Frame; frame > 0; frame = c.Frames[frame].Parent {
			k += fmt.Sprint(c.Frames[frame].Call, c.Frames[frame].Proc)
		}
		twice[k] = vars[k] != nil
		vars[k] = v.Expr
	}
	for k, is := range twice {
		if is {
			delete(vars, k)
		}
	}
	return vars
}

// ofSite are the objects of one allocation, whatever the instance: they are numbered
// together, and those of calls that are not inlined have one name for all.
func ofSite(c *cfa.CFA, name string) (names []string) {
	site, _, _ := strings.Cut(name, "#")
	for _, o := range c.Objects {
		if s, _, ok := strings.Cut(o.Name, "#"); ok && s == site {
			names = append(names, o.Name)
		}
	}
	return names
}

// follow executes another automaton of the program, whose open values are those of
// the reference, and gives what it tells. The end is "cut" where a value is asked for
// that the reference does not have.
func (r *referenceRun) follow(c *cfa.CFA) (lines []string, end string) {
	ch := &followed{reference: r, c: c, seen: map[string]int{}, keys: map[*expr.Expr]string{}, nondet: choices{c}}
	for k, v := range keyed(c) {
		ch.keys[v] = k
	}
	m := interp.New(c)
	s := m.Initial(ch.initial)
	for range 20_000 {
		ch.state = s
		step := m.Step(s, ch)
		if ch.cut != "" {
			return lines, "cut: " + ch.cut
		}
		if ch.guesses > 0 && step.Tainted != nil {
			return lines, "cut: " + step.Tainted.String()
		}
		ended := false
		if lines, ended = told(c, s, step, lines); ended {
			return lines, fmt.Sprint("ended at ", c.Locs[s.Loc()].Pos)
		}
		s = step.Next
	}
	return append(lines, "no end"), "no end"
}

// followed are the choices of a run that follows another one.
type followed struct {
	reference *referenceRun
	c         *cfa.CFA
	state     interp.State
	nondet    choices
	keys      map[*expr.Expr]string
	seen      map[string]int // how many calls were made, by place and routine
	last      cfa.Loc        // the last choice for a call
	call      string         // that call
	cut       string         // the first value that is not known
	guesses   int            // of what stands in memory without variables
}

// Value is what the variable has in the reference after the same call.
func (f *followed) Value(loc cfa.Loc, v *expr.Expr) uint64 {
	l := f.c.Locs[loc]
	name := ""
	switch s := l.Stmt.(type) {
	case cfa.Call:
		name = s.Callee
	case cfa.Assign:
		name = s.Nondet
	}
	key := fmt.Sprint(l.Pos, name)
	if !strings.HasPrefix(name, "r") && !strings.HasPrefix(name, "w") { // no routine
		switch a := l.Stmt.(cfa.Assign); {
		case a.Memory != nil && a.Memory.Kind == cfa.Read:
			f.guesses++
			return uint64(f.guesses % 3) // right or wrong; the run tells whether it believes it
		case a.Approx != "" && name != "argument":
			return f.open("%v", a)
		}
		return f.nondet.Value(loc, v)
	}
	states := f.reference.after[key]
	if states == nil {
		return f.open("%v", l.Stmt)
	}
	if _, call := l.Stmt.(cfa.Call); key != f.call || loc <= f.last && !(call && loc == f.last) {
		f.seen[key]++
	}
	f.call, f.last = key, loc
	n := f.seen[key] - 1
	if n >= len(states) {
		return f.open("call %d of %s", n, key)
	}
	w := f.reference.vars[f.keys[v]]
	if w == nil && strings.HasPrefix(v.Name(), name) { // that takes the result
		w = f.reference.results[key]
	}
	if w == nil || w.Type() != v.Type() {
		return f.open("%v at %v %v", v, l.Pos, w)
	}
	return f.part(f.keys[v], w, states[n])
}

// initial is the value that a variable begins with.
func (f *followed) initial(v *expr.Expr) uint64 {
	if f.reference.begun == nil {
		return junk
	}
	w := f.reference.vars[f.keys[v]]
	switch {
	case w != nil && w.Type() == v.Type():
		return f.part(f.keys[v], w, *f.reference.begun)
	case strings.HasPrefix(v.Name(), "*"): // of what a pointer from outside points to
		return 0
	}
	if i := slices.IndexFunc(f.c.Vars, func(d cfa.Var) bool { return d.Expr == v }); f.c.Vars[i].Kind == cfa.Global {
		return f.open("%v at the beginning", v)
	}
	return junk
}

// element is the name of an element of an array, at the beginning of a key.
var element = regexp.MustCompile(`^[^\[\]{]*\[([0-9]+)\]`)

// part is the value of a variable, which may be one of the parts of an address that is kept in
// an array of smaller numbers.
func (f *followed) part(key string, w *expr.Expr, s interp.State) uint64 {
	val, _ := s.Value(w)
	at, bits, whole := element.FindStringSubmatchIndex(key), int(w.Type().Width), f.reference.address
	if at == nil || bits >= whole {
		return f.translate(val)
	}
	index, _ := strconv.Atoi(key[at[2]:at[3]])
	parts := whole / bits
	address := uint64(0)
	for k := range parts {
		part := f.reference.vars[fmt.Sprint(key[:at[2]], index/parts*parts+k, key[at[3]:])]
		if part == nil {
			return f.translate(val)
		}
		v, _ := s.Value(part)
		address |= v & (1<<bits - 1) << (k * bits)
	}
	return w.Type().Trunc(f.translate(address) >> (index % parts * bits))
}

// open ends the comparison, for a value is not known.
func (f *followed) open(format string, args ...any) uint64 {
	if f.cut == "" {
		f.cut = fmt.Sprintf(format, args...)
	}
	return junk
}

// translate turns an address of the reference into one of this automaton, and one
// that is hidden as package cfatest does.
func (f *followed) translate(val uint64) uint64 {
	if to, ok := f.address(val); ok {
		return to
	}
	if to, ok := f.address(val ^ 5); ok {
		return to ^ 5
	}
	return val
}

func (f *followed) address(val uint64) (uint64, bool) {
	for _, o := range f.reference.c.Objects {
		if o.Base <= val && val <= o.Base+o.Size {
			for _, p := range f.c.Objects {
				if p.Name == o.Name && p.Size == o.Size && slices.Equal(ofSite(f.c, o.Name), ofSite(f.reference.c, o.Name)) {
					return p.Base + (val - o.Base), true
				}
			}
			return 0xf0000000 + val&0xfffffff, true // of no object here
		}
	}
	return 0, false
}
