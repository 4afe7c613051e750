package magus

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
)

// A Replay is a violation as the compiled program can be made to do it.
type Replay struct {
	Claim      string
	Components []ReplayPart
	Functions  []source.Function
	Variables  []source.Variable
	// Errors are the functions whose call is the action error, Labels the
	// labels that are.
	Errors, Labels []string
	// Routines are the functions called that are known by their abstraction,
	// Replaced those with a body that runs do not enter.
	Routines, Replaced []string
}

// A ReplayPart is what one component needs. Values are bit patterns.
type ReplayPart struct {
	Entry string
	Args  []uint64 // of the parameters, 0 where no value matters
	// Sets are what globals begin with, and what parameters and globals point
	// to: *p is the object of p.
	Sets []ReplaySet
	// Choices are the values that the run asked for, in order.
	Choices []ReplayChoice
	Trace   []string // the visible actions that the component performs
	Return  *ReplayReturn
	Labels  []cfa.Pos // where it performs error, by a call or at a label
	// Missing is what cannot be given to the compiled program and matters.
	Missing []cfa.Warning
}

// A ReplayReturn is the return of a component that is one of its actions.
type ReplayReturn struct {
	Action string
	Value  uint64
	Width  int // of the value in bits; 0: none is returned
}

// A ReplaySet gives a variable, or a part of one, a value.
type ReplaySet struct {
	Name  string
	Pos   cfa.Pos // of its declaration
	Value uint64
	Width int // in bits
}

// A ReplayChoice is a value that was asked for.
type ReplayChoice struct {
	Name   string // of the function called, or of the variable
	Called bool   // a function
	// By is the function that the variable's address was given to, "" for a
	// variable that is not initialised. [Allocation] stands for functions that
	// allocate memory: the value is 1 if they fail.
	By      string
	Pos     cfa.Pos // the call, or the declaration
	Value   uint64
	Idle    bool        // nothing that the run does depends on it
	Actions []string    // what a routine did that is known by its abstraction
	Sets    []ReplaySet // and changed
}

// Allocation is the name of choices between memory and none.
const Allocation = "allocated"

// Replay says what the violation's run needs; nil if there is none.
func (s *Session) Replay() *Replay {
	if s.replayed == nil || s.outcome == nil || s.outcome.Verdict != Violates {
		return nil
	}
	p, lower := s.claim.Program, s.claim.Lowering
	r := &Replay{Claim: s.claim.Name, Functions: p.Functions(), Variables: p.Variables(), Labels: lower.ErrorLabels,
		Errors: append([]string{"__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail"}, lower.ErrorFunctions...)}
	for _, c := range s.comps {
		for _, l := range c.CFA.Locs {
			if call, ok := l.Stmt.(cfa.Call); ok && !slices.Contains(r.Routines, call.Callee) {
				r.Routines = append(r.Routines, call.Callee)
			}
		}
	}
	for _, f := range r.Functions {
		outside := slices.Contains(r.Routines, f.Name) || lower.Skipped(f.Name) || nondet(f.Name)
		if f.Body.IsValid() && outside && !slices.Contains(r.Replaced, f.Name) {
			r.Replaced = append(r.Replaced, f.Name)
		}
	}
	functions := map[string]source.Function{}
	for _, f := range r.Functions {
		functions[f.Name] = f
	}
	for i, c := range s.comps {
		r.Components = append(r.Components, c.replay(s.replayed.Runs[i], functions))
	}
	return r
}

// replay gathers what component c needs for its run.
func (c *part) replay(run *interp.Run, functions map[string]source.Function) ReplayPart {
	part := ReplayPart{Entry: c.Name, Args: make([]uint64, len(c.CFA.Params)), Trace: run.Trace}
	steps, initially := c.relevance(run)
	for _, b := range run.Script.Init {
		if initially[b.Var] {
			c.begin(&part, b)
		}
	}
	done := statements(run, steps)
	acted := 0
	for i, want := range run.Script.Steps {
		if acted == len(run.Trace) {
			break // what follows the last action is not looked at
		}
		acted += len(want.Actions)
		changes, gives := c.from(functions, run.Script.Steps[i:], done[i:])
		if changes {
			c.changedBy(&part, want, done[i])
		}
		if gives {
			c.took(&part, want, done[i])
		}
	}
	return part
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
func (c *part) begin(part *ReplayPart, b interp.Binding) {
	if i := slices.Index(c.CFA.Params, b.Var); i >= 0 {
		part.Args[i] = b.Value
		return
	}
	v, ok := c.variable(b.Var)
	if !ok {
		return
	}
	if v.Kind == cfa.Global && v.Proc == "" || v.Kind == cfa.Param && v.Frame == 0 {
		part.Sets = append(part.Sets, ReplaySet{v.Name, v.Pos, b.Value, int(v.Expr.Type().Width)})
		return
	}
	part.Missing = append(part.Missing, cfa.Warning{Pos: v.Pos, Text: "the value that " + v.Name + " begins with"})
}

// took notes what a statement was given.
func (c *part) took(part *ReplayPart, want interp.ScriptStep, did statement) {
	switch stmt := c.CFA.Locs[want.Loc].Stmt.(type) {
	case cfa.Call:
		choice := ReplayChoice{Name: stmt.Callee, Called: true, Pos: did.pos, Value: want.Result, Actions: want.Actions}
		for i, b := range did.changed {
			if b.Var == stmt.LHS || !did.matters[i] {
				continue
			}
			if v, ok := c.variable(b.Var); ok && v.Kind == cfa.Global && v.Proc == "" {
				choice.Sets = append(choice.Sets, ReplaySet{v.Name, v.Pos, b.Value, int(v.Expr.Type().Width)})
			} else {
				part.Missing = append(part.Missing, cfa.Warning{Pos: did.pos, Text: "what " + stmt.Callee + " changes " + v.Name + " to"})
			}
		}
		part.Choices = append(part.Choices, choice)
	case cfa.Assign:
		if stmt.RHS == nil && len(did.changed) == 1 {
			c.opened(part, stmt, did)
		}
	case cfa.Act:
		if stmt.Action == "error" {
			part.Labels = append(part.Labels, did.pos)
		}
	case cfa.Return:
		if e, ok := did.event.(interp.Returned); ok && len(want.Actions) > 0 {
			part.Return = &ReplayReturn{Action: want.Actions[0]}
			if e.Has {
				part.Return.Value, part.Return.Width = e.Value, int(c.CFA.Ret.Width)
			}
		}
	}
}

// from says where the value of the first step comes from: whether a function
// that is not known made it of a variable whose address it has, and whether it
// is a value given otherwise, perhaps that function's result. A result comes
// after what the function changes; it may be either where it goes to a variable
// of the program at once.
func (c *part) from(functions map[string]source.Function, steps []interp.ScriptStep, done []statement) (changes, gives bool) {
	a, ok := c.CFA.Locs[steps[0].Loc].Stmt.(cfa.Assign)
	if !ok || a.RHS != nil || !c.gives(a) || a.Nondet == Allocation {
		return false, true
	}
	if len(steps) > 1 && done[0].pos == done[1].pos {
		if b, ok := c.CFA.Locs[steps[1].Loc].Stmt.(cfa.Assign); ok && b.RHS == nil && a.Nondet == b.Nondet {
			return true, false
		}
	}
	if v, ok := c.variable(a.LHS); ok && v.Kind == cfa.Temp && v.Name == a.Nondet {
		return false, true
	}
	f := functions[a.Nondet]
	return slices.ContainsFunc(f.Params, func(p source.FunctionParam) bool { return p.Pointer }), !f.Void
}

// changedBy notes what a function that is not known made of a variable.
func (c *part) changedBy(part *ReplayPart, want interp.ScriptStep, did statement) {
	loc := &c.CFA.Locs[want.Loc]
	stmt := loc.Stmt.(cfa.Assign)
	v, ok := c.variable(stmt.LHS)
	if ok && (v.Frame == loc.Frame || v.Kind == cfa.Global && v.Proc == "") && v.Kind != cfa.Temp {
		part.Choices = append(part.Choices, ReplayChoice{Name: v.Name, By: stmt.Nondet, Pos: did.pos, Value: did.changed[0].Value, Idle: !did.matters[0]})
	} else if did.matters[0] {
		part.Missing = append(part.Missing, cfa.Warning{Pos: did.pos, Text: "what " + stmt.Nondet + " changes " + v.Name + " to"})
	}
}

// opened notes any value that a variable got.
func (c *part) opened(part *ReplayPart, stmt cfa.Assign, did statement) {
	choice := ReplayChoice{Name: stmt.Nondet, Pos: did.pos, Value: did.changed[0].Value, Idle: !did.matters[0]}
	switch v, _ := c.variable(stmt.LHS); {
	case stmt.Nondet == "uninitialised":
		choice.Name, choice.Pos = v.Name, v.Pos
	case stmt.Nondet == Allocation:
		choice.Called, choice.Value = true, 1-choice.Value
	case c.gives(stmt):
		choice.Called = true
	case did.matters[0]:
		part.Missing = append(part.Missing, cfa.Warning{Pos: did.pos, Text: "a value that C leaves open (" + stmt.Nondet + ")"})
		return
	default:
		return
	}
	part.Choices = append(part.Choices, choice)
}

// gives reports whether the value comes from a function, after which it is
// named then.
func (c *part) gives(stmt cfa.Assign) bool {
	isWord := !strings.ContainsFunc(stmt.Nondet, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return stmt.Approx == "" && stmt.Nondet != "" && stmt.Nondet != "uninitialised" && isWord
}

// nondet reports whether a function returns any value whatever its body.
func nondet(name string) bool { return strings.HasPrefix(name, "__VERIFIER_nondet_") }
