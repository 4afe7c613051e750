package witness

// What of a violation's run the program did not compute by itself: the values
// of the functions that were asked for one, of variables that were not
// initialised, of parameters, of globals; what routines did that are known by
// their abstraction. Whoever gives the compiled program the same gets the same
// run. Cost: linear in the run.

import (
	"slices"
	"strings"
	"unicode"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/source"
	"magus/component"
	"magus/smt/expr"
)

// Inputs are what makes the compiled program do a violation.
type Inputs struct {
	Claim      string
	Components []ComponentInputs
	Functions  []source.Function
	Variables  []source.Variable
	// Errors are the functions whose call is the action error, Labels the
	// labels that are.
	Errors, Labels []string
	// Routines are the functions called that are known by their abstraction,
	// Replaced those with a body that runs do not enter.
	Routines, Replaced []string
	// Forbidden says which action the specification does not allow, in which of its states; "" if it observes none, and
	// where Stands says that the run ends where all stand still: that is not replayed.
	Forbidden string
	Stands    bool
	// GoesOn says that the run does not end, or that its end is what is wrong.
	GoesOn bool
	// Meetings are, in a deadlock of components, their actions in the order of the run, and Shared who takes
	// part in which. nil where the order is not known, or nothing says that nobody goes on.
	Meetings [][]int
	Shared   []SharedAction
	// Overflows says that the error is a signed operation that overflows.
	Overflows bool
	// Channels are those by which components exchange values.
	Channels []ChannelInputs
	// Schedule is the order of the threads, of a program with threads; the components are these.
	// Refused says why there is none.
	Schedule *Schedule
	Refused  string
}

// A ChannelInputs is a channel with the bits of what is sent on it. Traces have what a component does there as "send
// a(3)" and "receive a(3)".
type ChannelInputs struct {
	Name string
	Bits int
}

// A SharedAction is an action with those that take part in it: one of each group, which is a component's copies.
type SharedAction struct {
	Action string
	Groups [][]int
}

// A Schedule is the order in which threads access what several of them access, from where the first one is created on.
type Schedule struct {
	Cells []string // variables, as the program names them; or what allocates them
	Local []bool   // by cell: it is a variable of a function
	// Allocations are those of malloc and calloc, in the order of the run.
	Allocations []Allocated
	Slots       []Slot
	Created     [][2]int // a thread, and one that it creates, in order
	Ends        []bool   // by thread: it comes to its end
	Homes       []Home   // in the order of the run
	// Stand are the threads that wait for ever behind the whole schedule, in a deadlock. Race are the accesses
	// that come next in two threads, in a data race: the last one of each, behind others that its
	// section makes before. In either, calls by which threads wait or wake others have slots too.
	Stand []int
	Race  []Slot
	// Unsignalled are those of Stand that wait for a condition, and get no signal.
	Unsignalled []int
	// Performs says that the run ends with the last of its slots, an action: all actions have slots.
	Performs bool
}

// A Home is a write to a local variable with slots, or to Part of it, which may be where a thread
// comes to its declaration at Pos. Of a static variable, which is the same for all, there is one,
// with Thread -1.
type Home struct {
	Thread, Cell int
	Name, Part   string
	Pos          cfa.Pos
	At           cfa.Pos // of the write
}

// An Allocated is the memory that a thread allocates; Cell is -1 of what has no slots.
type Allocated struct {
	Thread, Cell int
	Fails        bool
}

// A Slot of the schedule is one access, or with Call one of a function of the library, or with Action an action.
type Slot struct {
	Thread, Cell int
	Write        bool
	Call         string
	Action       string
	// Routine is the function that performs the action, if its abstraction says so; Begins says that it is the
	// first of a call.
	Routine string
	Begins  bool
	Pos     cfa.Pos
}

// ComponentInputs are what one component needs. Values are bit patterns.
type ComponentInputs struct {
	Name  string // of the component, with the number of the copy if there are several
	Entry string
	Args  []Arg // of the parameters
	// Sets are what globals begin with, and what parameters and globals point
	// to: *p is the object of p.
	Sets []Set
	// Choices are the values that the run asked for, in order.
	Choices []Choice
	Again   []Again  // in the order of what they repeat
	Trace   []string // the visible actions that the component performs
	Return  *Return
	Stand   *StandInputs
	// Endless says that the component goes on for ever behind its part of the run, without an action.
	Endless bool
	Labels  []cfa.Pos // where it performs error, by a call or at a label
	// Missing is what cannot be given to the compiled program and matters.
	Missing []cfa.Warning
}

// StandInputs are where a component stands still behind its part of the run.
type StandInputs struct {
	Ended  bool
	Offers []string // it waits for one of these; none, and not ended: for ever
	// Routine is where it waits, if that is a routine that is known by its abstraction.
	Routine string
}

// An Arg is what a parameter begins with, the zero value where none matters.
type Arg struct {
	Value uint64
	Float int // as of a [Choice]
}

// A Return is the return of a component that is one of its actions.
type Return struct {
	Action string
	Value  uint64
	Width  int // of the value in bits; 0: none is returned
	Float  int // as of a [Choice]
}

// A Set gives a variable, or a part of one, a value.
type Set struct {
	Name  string
	Pos   cfa.Pos // of its declaration
	Value uint64
	Width int // in bits
	// Object is the object that the value leads into, by its name in the automaton, if it is an
	// address, Offset where in it, in bytes.
	Object string
	Offset int64
}

// A Choice is a value that was asked for.
type Choice struct {
	Name   string // of the function called, or of the variable
	Called bool   // a function
	// By is the function that the variable's address was given to, "" for a
	// variable that is not initialised. [Allocation] stands for functions that
	// allocate memory: the value is 1 if they fail.
	By      string
	Pos     cfa.Pos // the call, or the declaration
	Value   uint64
	Float   int      // the bits of a floating-point value, 32 or 64, 80 of one of its words (the low one first); 0 of others
	Idle    bool     // nothing that the run does depends on it
	Actions []string // what a routine did that is known by its abstraction
	Open    bool     // the component stands still in it: it gives no value
	Sets    []Set    // and changed
}

// An Again says that the choices from First to before Last are asked for in this order Times more.
type Again struct {
	First, Last int
	Times       uint64
}

// Allocation is the name of choices between memory and none.
const Allocation = "allocated"

// Inputs are what the violation's run needs, of a claim's program.
func (v *Violation) Inputs(claim *component.Claim) *Inputs {
	p, lower := claim.Program, claim.Lowering
	in := &Inputs{Claim: claim.Name, Functions: p.Functions(), Variables: p.Variables(), Labels: lower.ErrorLabels,
		Errors: append([]string{"__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail"},
			lower.ErrorFunctions...)}
	joint := v.component(0).CFA.Joint
	if joint != nil && joint.Threads {
		in.Refused = "whole runs of threads are not replayed by a program"
		return in
	}
	in.Stands = v.Standing != nil
	if in.GoesOn = v.Circles != nil; v.Lasso != nil && !v.Lasso.Loops {
		in.Refused = "the violation is that the run ends: a compiled program does not show that nothing happens any more"
		return in
	}
	if joint == nil || v.Lasso == nil {
		in.Forbidden = in.forbiddenAction(v.Report())
	}
	for _, c := range v.System.Components {
		for _, r := range c.CFA.Locs {
			if call, ok := r.Stmt.(cfa.Call); ok && !slices.Contains(in.Routines, call.Callee) {
				in.Routines = append(in.Routines, call.Callee)
			}
		}
	}
	functions := map[string]source.Function{}
	for _, f := range in.Functions {
		outside := slices.Contains(in.Routines, f.Name) || lower.Skipped(f.Name) || nondet(f)
		if f.Body.IsValid() && outside && !slices.Contains(in.Replaced, f.Name) {
			in.Replaced = append(in.Replaced, f.Name)
		}
		functions[f.Name] = f
	}
	if joint != nil {
		v.inputsApart(in, functions)
		return in
	}
	for i, copied := range v.Copies {
		r := recorded{v.component(i), v.Run.Runs[i]}
		circle, goes := v.circled(i)
		if goes && circle.Within {
			in.Refused = "what comes again and again begins within a routine that is known by its abstraction"
			return in
		}
		part := r.inputs(functions, v.Standing != nil, circle)
		in.Overflows = in.Overflows || r.overflows()
		if v.Standing != nil {
			part.Stand = r.standing(v.Standing[i])
		}
		part.Name = v.System.CopyName(copied)
		in.Components = append(in.Components, part)
	}
	if v.System.Question == component.NoDeadlock {
		v.meetings(in)
	}
	return in
}

// overflows reports whether the component ends where a signed operation overflows.
func (c recorded) overflows() bool {
	at := c.run.End.Loc()
	if act, is := c.CFA.Locs[at].Stmt.(cfa.Act); is && act.Action == cfa.ErrorAction {
		at = c.CFA.Locs[at].Succ[0]
	}
	halt, is := c.CFA.Locs[at].Stmt.(cfa.Halt)
	return is && halt.Reason == cfa.SignedOverflow
}

// standing says where the component stands still.
func (c recorded) standing(s Stand) *StandInputs {
	in := &StandInputs{Ended: s.Ended, Offers: c.Actions.Names(s.Offers)}
	if s.Loc >= 0 {
		if call, ok := c.CFA.Locs[s.Loc].Stmt.(cfa.Call); ok {
			in.Routine = call.Callee
		}
	}
	return in
}

// recorded is a component with its part of the run.
type recorded struct {
	*component.Component
	run *interp.Run
}

// inputs gathers what the component needs for its run; stands says that this ends where it stands still. A
// circle is gone round several times.
func (c recorded) inputs(functions map[string]source.Function, stands bool, circle Circle) ComponentInputs {
	run := c.run
	script := run.Script.Steps
	if circle.Length > 0 {
		script = script[:circle.From+circle.Length]
	}
	choices, actions := 0, 0 // before it
	in := ComponentInputs{Entry: c.Name, Args: make([]Arg, len(c.CFA.Params)), Trace: run.Trace}
	steps, initially := relevance(c.Component, run)
	for _, b := range run.Script.Init {
		if initially[b.Var] {
			c.begin(&in, b)
		}
	}
	done := statements(run, steps)
	for _, e := range elements(c.Component, run) {
		switch {
		case !slices.Contains(done[e.step].matters, true):
		case e.name == "":
			in.Missing = append(in.Missing, cfa.Warning{Pos: done[e.step].pos,
				Text: "what is read of memory that is not modelled"})
		default:
			in.Sets = append(in.Sets, c.set(e.name, e.pos, e.binding))
		}
	}
	acted := 0
	for i, want := range script {
		if acted == len(run.Trace) && !stands && circle.Length == 0 {
			break // what follows the last action is not looked at
		}
		if i == circle.From {
			choices, actions = len(in.Choices), acted
		}
		acted += len(want.Actions)
		if want.Repeat != nil {
			c.again(&in, functions, want.Repeat)
			continue
		}
		changes, gives := c.from(functions, script[i:], done[i:])
		if changes {
			c.changedBy(&in, want, done[i])
		}
		if gives {
			c.took(&in, want, done[i])
			if call, ok := c.CFA.Locs[want.Loc].Stmt.(cfa.Call); ok && stands && i == len(run.Script.Steps)-1 {
				in.Choices[len(in.Choices)-1].Open = run.End.Loc() == want.Loc && c.CFA.Locs[want.Loc].Succ[0] != want.Loc &&
					call.Callee != ""
			}
		}
	}
	if circle.Length > 0 {
		in.Trace = run.Trace[:acted]
		circle.asked(&in, choices, actions)
	}
	return in
}

// again notes what rounds of a loop are given. It is as if all that is chosen in them mattered.
func (c recorded) again(in *ComponentInputs, functions map[string]source.Function, r *interp.Repeat) {
	first := len(in.Choices)
	done := make([]statement, len(r.Round))
	for i, want := range r.Round {
		done[i].pos = c.CFA.Locs[want.Loc].Pos
		if a, ok := c.CFA.Locs[want.Loc].Stmt.(cfa.Assign); ok && a.RHS == nil {
			b := interp.Binding{Var: a.LHS}
			for _, chosen := range want.Choices {
				b.Value = a.LHS.Type().Trunc(chosen.Value)
			}
			done[i].changed, done[i].matters = []interp.Binding{b}, []bool{true}
		}
	}
	for i, want := range r.Round {
		changes, gives := c.from(functions, r.Round[i:], done[i:])
		if changes {
			c.changedBy(in, want, done[i])
		}
		if gives {
			c.took(in, want, done[i])
		}
	}
	if last := len(in.Choices); last > first && r.Times > 1 {
		in.Again = append(in.Again, Again{first, last, r.Times - 1})
	}
}

// A statement is what the run's steps say of one statement.
type statement struct {
	pos     cfa.Pos
	event   interp.Event
	changed []interp.Binding
	matters []bool // per changed
}

// statements joins the steps of each statement: a call has one per action.
func statements(run *interp.Run, matters [][]bool) []statement {
	all := make([]statement, len(run.Script.Steps))
	for k, st := range run.Steps {
		s := &all[st.Step]
		s.pos, s.event = st.Pos, st.Event
		s.changed, s.matters = append(s.changed, st.Changed...), append(s.matters, matters[k]...)
	}
	return all
}

// begin notes an initial value that matters.
func (c recorded) begin(in *ComponentInputs, b interp.Binding) {
	if i := slices.Index(c.CFA.Params, b.Var); i >= 0 {
		bits, ok := floatBits(b.Var.Type())
		if !ok {
			in.Missing = append(in.Missing, cfa.Warning{Pos: c.CFA.Locs[c.CFA.Entry].Pos, Text: "a floating-point argument"})
		}
		in.Args[i] = Arg{b.Value, bits}
		return
	}
	v, ok := variable(c.Component, b.Var)
	if !ok {
		return
	}
	if v.Kind == cfa.Global && v.Proc == "" || v.Kind == cfa.Param && v.Frame == 0 {
		in.Sets = append(in.Sets, c.set(v.Name, v.Pos, b))
		return
	}
	in.Missing = append(in.Missing, cfa.Warning{Pos: v.Pos, Text: "the value that " + v.Name + " begins with"})
}

// set gives a variable of a name the value that it has in the run.
func (c recorded) set(name string, pos cfa.Pos, b interp.Binding) Set {
	s := Set{Name: name, Pos: pos, Value: b.Value, Width: int(b.Var.Type().Width)}
	if o, off, ok := c.CFA.ObjectAt(b.Value); ok && s.Width >= 32 {
		s.Object, s.Offset = o.Name, off
	}
	return s
}

// took notes what a statement was given.
func (c recorded) took(in *ComponentInputs, want interp.ScriptStep, did statement) {
	switch stmt := c.CFA.Locs[want.Loc].Stmt.(type) {
	case cfa.Call:
		choice := Choice{Name: stmt.Callee, Called: true, Pos: did.pos, Value: want.Result, Actions: want.Actions}
		if stmt.LHS != nil {
			choice.Float, _ = floatBits(stmt.LHS.Type())
		}
		for i, b := range did.changed {
			if b.Var == stmt.LHS || !did.matters[i] {
				continue
			}
			if v, ok := variable(c.Component, b.Var); ok && v.Kind == cfa.Global && v.Proc == "" {
				choice.Sets = append(choice.Sets, c.set(v.Name, v.Pos, b))
			} else {
				in.Missing = append(in.Missing, cfa.Warning{Pos: did.pos, Text: "what " + stmt.Callee +
					" changes " + v.Name + " to"})
			}
		}
		in.Choices = append(in.Choices, choice)
	case cfa.Assign:
		if stmt.RHS == nil && len(did.changed) == 1 {
			c.opened(in, stmt, did)
		}
	case cfa.Act:
		if stmt.Action == "error" {
			in.Labels = append(in.Labels, did.pos)
		}
	case cfa.Return:
		if e, ok := did.event.(interp.Returned); ok && len(want.Actions) > 0 {
			in.Return = &Return{Action: want.Actions[0]}
			if e.Has {
				in.Return.Value, in.Return.Width = e.Value, int(c.CFA.Ret.Width)
				in.Return.Float, _ = floatBits(c.CFA.Ret)
			}
		}
	}
}

// from says where the value of the first step comes from: whether a function
// that is not known made it of a variable whose address it has, and whether it
// is a value given otherwise, perhaps that function's result. A result comes
// after what the function changes; it may be either where it goes to a variable
// of the program at once.
func (c recorded) from(functions map[string]source.Function, steps []interp.ScriptStep,
	done []statement) (changes, gives bool) {
	a, ok := c.CFA.Locs[steps[0].Loc].Stmt.(cfa.Assign)
	if !ok || a.RHS != nil || !c.gives(a) || a.Nondet == Allocation || c.resultOf(a) != 0 {
		return false, true
	}
	if len(steps) > 1 && done[0].pos == done[1].pos {
		if b, ok := c.CFA.Locs[steps[1].Loc].Stmt.(cfa.Assign); ok && b.RHS == nil && a.Nondet == b.Nondet {
			return true, false
		}
	}
	if v, ok := variable(c.Component, a.LHS); ok && v.Kind == cfa.Temp && v.Name == a.Nondet {
		return false, true
	}
	if loc := &c.CFA.Locs[steps[0].Loc]; c.caller(loc, done[0].pos) != loc.Frame {
		return true, false
	}
	f := functions[a.Nondet]
	return slices.ContainsFunc(f.Params, func(p source.FunctionParam) bool { return p.Pointer }), !f.Void
}

// changedBy notes what a function that is not known made of a variable.
func (c recorded) changedBy(in *ComponentInputs, want interp.ScriptStep, did statement) {
	loc := &c.CFA.Locs[want.Loc]
	stmt := loc.Stmt.(cfa.Assign)
	v, ok := variable(c.Component, stmt.LHS)
	if ok && (v.Frame == c.caller(loc, did.pos) || v.Kind == cfa.Global && v.Proc == "") && v.Kind != cfa.Temp {
		bits, _ := floatBits(stmt.LHS.Type())
		in.Choices = append(in.Choices, Choice{Name: v.Name, By: stmt.Nondet, Pos: did.pos,
			Value: did.changed[0].Value, Float: bits, Idle: !did.matters[0]})
	} else if did.matters[0] {
		in.Missing = append(in.Missing, cfa.Warning{Pos: did.pos, Text: "what " + stmt.Nondet + " changes " + v.Name + " to"})
	}
}

// caller is the frame whose call at pos led to a location: the location's own, but
// where a model of the C library stands for what is called.
func (c recorded) caller(loc *cfa.Location, pos cfa.Pos) int {
	isFirst := func(f int) bool { return c.CFA.Joint != nil && c.CFA.Frames[f].Parent == 0 } // of a part
	for f := loc.Frame; f > 0 && !isFirst(f); f = c.CFA.Frames[f].Parent {
		if c.CFA.Frames[f].Call == pos {
			return c.CFA.Frames[f].Parent
		}
	}
	return loc.Frame
}

// opened notes any value that a variable got.
func (c recorded) opened(in *ComponentInputs, stmt cfa.Assign, did statement) {
	bits, writable := floatBits(stmt.LHS.Type())
	choice := Choice{Name: stmt.Nondet, Pos: did.pos, Value: did.changed[0].Value, Float: bits, Idle: !did.matters[0]}
	switch v, _ := variable(c.Component, stmt.LHS); {
	case !writable:
		if did.matters[0] {
			in.Missing = append(in.Missing, cfa.Warning{Pos: did.pos, Text: "a floating-point number (" + stmt.Nondet + ")"})
		}
		return
	case stmt.Nondet == "uninitialised":
		choice.Name, choice.Pos = v.Name, v.Pos
	case stmt.Nondet == Allocation:
		choice.Called, choice.Value = true, 1-choice.Value
	case c.resultOf(stmt) != 0:
		choice.Called, choice.Float = true, c.resultOf(stmt)
	case c.gives(stmt):
		choice.Called = true
	case stmt.Memory != nil:
		return
	case did.matters[0]:
		in.Missing = append(in.Missing, cfa.Warning{Pos: did.pos, Text: "a value that C leaves open (" + stmt.Nondet + ")"})
		return
	default:
		return
	}
	in.Choices = append(in.Choices, choice)
}

// floatBits are the bits of a floating-point type that a program in C can be given by its bits, 0 of types
// that are none; false of formats that GCC has no type for.
func floatBits(t expr.Type) (bits int, ok bool) {
	if !t.IsFloat() {
		return 0, true
	}
	return int(t.Width), t.Width == 16 || t.Width == 32 || t.Width == 64
}

// gives reports whether the value comes from a function, after which it is
// named then.
func (c recorded) gives(stmt cfa.Assign) bool {
	isWord := !strings.ContainsFunc(stmt.Nondet, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return stmt.Approx == "" && stmt.Nondet != "" && stmt.Nondet != "uninitialised" && isWord
}

// nondet reports whether a function returns any value, with a body or without one.
func nondet(f source.Function) bool {
	return strings.HasPrefix(f.Name, "__VERIFIER_nondet_") && (f.AnyValue || !f.Body.IsValid())
}
