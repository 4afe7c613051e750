package specs

import (
	"fmt"
	"slices"
	"strings"
)

// A Rule says in which order things may be done with an object, whatever the program: that what was locked is
// unlocked, say. Its object is one that is chosen freely and stays the same throughout a run, so that a rule that
// holds, holds of every object (SLIC's rules without objects: Ball, Rajamani, "SLIC: A Specification Language for
// Interface Checking", 2001).
type Rule struct {
	Name    string
	Pos     Pos
	Objects []string // names for chosen objects; none: the rule is about the whole program
	Events  []*RuleEvent
	// Functions are known by what the rule says of them alone: their calls give a result and do nothing else.
	Functions []*RuleFunction
	// Never are functions that never return, names or patterns.
	Never  []string
	States []*RuleState
	Begin  string // the state in which a run begins
	// Unwrapped is the rule without wrappers, see [Rule.WithWrapper]; nil if there are none.
	Unwrapped *Rule
	// Forbidden is what may not be done with allocated memory: [Leaks], [Uses].
	Forbidden []string
}

// What a rule may forbid of allocated memory.
const (
	Leaks = "leaks" // nobody finds it any more when a run ends, and it was not freed
	Uses  = "uses"  // it is used that was freed before
)

// An EventKind says what makes an event.
type EventKind uint8

// The kinds of events.
const (
	// CallEvent is a call of a function, before it or behind it.
	CallEvent EventKind = iota
	// ReturnEvent is the return of the procedure in which a run begins.
	ReturnEvent
	// LostEvent is such a return where whoever called cannot find the object: no result, no variable and no memory
	// that outlives the procedure holds it.
	LostEvent
	// AssignEvent is an assignment to a member of a structure, before it.
	AssignEvent
)

// A RuleEvent is what a rule sees. Of several with one name each is that event.
type RuleEvent struct {
	Name    string
	Kind    EventKind
	Callees []string // names, or patterns with *; of members of structures, with a point: ops.lock
	// Cond is on the arguments $1, $2, … and the objects; of an assignment, on the value $0 and the structure's address
	// $1. Nil: any.
	Cond    *CExpr
	Returns *CExpr // on these and the result $0, behind the call; nil: the event is before the call
	Object  string // that is lost
	Pos     Pos
}

// After reports whether the event is behind the call.
func (e *RuleEvent) After() bool { return e.Returns != nil }

// A RuleFunction is a function whose calls do nothing but give a result that satisfies a condition.
type RuleFunction struct {
	Callees []string
	Returns *CExpr // on $0, the arguments and what they point to; nil: any
	// Keeps says that the function does more than that, which its body or model has.
	Keeps bool
	Pos   Pos
}

// A RuleState says which events may happen, and what then. Any other event breaks the rule.
type RuleState struct {
	Name  string
	Count int // of a state with a number from 1 to Count; 0: it has none
	Moves []RuleMove
	Pos   Pos
}

// A RuleMove is a transition of a rule.
type RuleMove struct {
	Event string
	To    string // a state, [Done], or [Broken]
	// Or is, where both states have a number, the state behind a number out of its range, and Change what is added to
	// the number. A state with a number that comes from one without has 1.
	Or     string
	Change int
	Pos    Pos
}

// Broken is the state of a rule that is broken.
const Broken = "ERROR"

// MaxRuleCount is the greatest number that a rule's state can have.
const MaxRuleCount = 64

// Done is the state in which the object is looked at no further.
const Done = "DONE"

// State is the state of that name, or nil.
func (r *Rule) State(name string) *RuleState {
	i := slices.IndexFunc(r.States, func(s *RuleState) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return r.States[i]
}

// move is what follows from an event in s, or nil.
func (s *RuleState) move(event string) *RuleMove {
	i := slices.IndexFunc(s.Moves, func(m RuleMove) bool { return m.Event == event })
	if i < 0 {
		return nil
	}
	return &s.Moves[i]
}

// A FlatState is a state of a rule with its number, if it has one.
type FlatState struct {
	*RuleState
	Number int // 0: none
}

// String is the name, with the number in brackets.
func (s FlatState) String() string {
	if s.Number == 0 {
		return s.Name
	}
	return fmt.Sprintf("%s[%d]", s.Name, s.Number)
}

// Flat are the states with all numbers, in the order of the text.
func (r *Rule) Flat() []FlatState {
	var all []FlatState
	for _, s := range r.States {
		if s.Count == 0 {
			all = append(all, FlatState{s, 0})
		}
		for n := range s.Count {
			all = append(all, FlatState{s, n + 1})
		}
	}
	return all
}

// Next is the state behind an event: one of Flat, by its String, [Done] or [Broken].
func (r *Rule) Next(s FlatState, event string) string {
	m := s.move(event)
	if m == nil {
		return Broken
	}
	to := r.State(m.To)
	switch {
	case to == nil || to.Count == 0:
		return m.To
	case m.Or == "":
		return FlatState{to, 1}.String()
	}
	if n := s.Number + m.Change; 1 <= n && n <= to.Count {
		return FlatState{to, n}.String()
	}
	if or := r.State(m.Or); or != nil && or.Count > 0 {
		return FlatState{or, 1}.String()
	}
	return m.Or
}

// EventNames are the names of the events, in the order of the text, each once.
func (r *Rule) EventNames() []string {
	var names []string
	for _, e := range r.Events {
		if !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	return names
}

// WithWrapper is the rule with calls of wrapper taken for calls of function. Where a wrapper has a body,
// calls of it are what Unwrapped says.
func (r *Rule) WithWrapper(function, wrapper string) *Rule {
	wrapped := *r
	if wrapped.Unwrapped == nil {
		wrapped.Unwrapped = r
	}
	also := func(callees []string) []string {
		if MatchesCallee(callees, function) && !MatchesCallee(callees, wrapper) {
			return append(slices.Clip(callees), wrapper)
		}
		return callees
	}
	wrapped.Events, wrapped.Functions, wrapped.Never = nil, nil, also(r.Never)
	for _, e := range r.Events {
		event := *e
		if e.Kind == CallEvent {
			event.Callees = also(e.Callees)
		}
		wrapped.Events = append(wrapped.Events, &event)
	}
	for _, f := range r.Functions {
		described := *f
		described.Callees = also(f.Callees)
		wrapped.Functions = append(wrapped.Functions, &described)
	}
	return &wrapped
}

// AnyCallee is the pattern that stands for any function.
const AnyCallee = "*"

// WithoutAny is the rule without wrappers, and without events of calls of any function.
func (r *Rule) WithoutAny() *Rule {
	named := *r
	if r.Unwrapped != nil {
		named = *r.Unwrapped
	}
	named.Events, r = nil, &Rule{Events: named.Events}
	for _, e := range r.Events {
		event := *e
		if e.Kind == CallEvent {
			event.Callees = slices.DeleteFunc(slices.Clone(e.Callees), func(c string) bool { return c == AnyCallee })
		}
		named.Events = append(named.Events, &event)
	}
	return &named
}

// Names reports whether the rule says something of calls of a function.
func (r *Rule) Names(function string) bool {
	return MatchesCallee(r.Never, function) ||
		slices.ContainsFunc(r.Events, func(e *RuleEvent) bool {
			return e.Kind == CallEvent && MatchesCallee(e.Callees, function)
		}) ||
		slices.ContainsFunc(r.Functions, func(f *RuleFunction) bool { return MatchesCallee(f.Callees, function) })
}

// WatchesMembers reports whether assignments to members are events.
func (r *Rule) WatchesMembers() bool {
	return slices.ContainsFunc(r.Events, func(e *RuleEvent) bool { return e.Kind == AssignEvent })
}

// Assigns reports whether an assignment to a member, which is named by its type, a point and its name, is an event.
func (r *Rule) Assigns(member string) bool {
	return slices.ContainsFunc(r.Events, func(e *RuleEvent) bool {
		return e.Kind == AssignEvent && MatchesCallee(e.Callees, member)
	})
}

// MatchesCallee reports whether a function's name, or a member's with the name of its type and a point before
// it, is one of the names and patterns; in these a * stands for any text without a point.
func MatchesCallee(callees []string, name string) bool {
	return slices.ContainsFunc(callees, func(pattern string) bool { return matches(pattern, name) })
}

// compiled begins names of functions that are built into compilers: a pattern that begins with * does not mean them.
const compiled = "__builtin_"

func matches(pattern, name string) bool {
	if patternType, member, ok := strings.Cut(pattern, "."); ok {
		of, name, isMember := strings.Cut(name, ".")
		return isMember && matches(patternType, of) && matches(member, name)
	}
	if strings.Contains(name, ".") {
		return false
	}
	if strings.HasPrefix(pattern, AnyCallee) && strings.HasPrefix(name, compiled) {
		return false
	}
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return strings.HasSuffix(name, last)
}

// print writes the rule as it is read.
func (r *Rule) print(b *strings.Builder) {
	b.WriteString("rule " + r.Name)
	if len(r.Objects) > 0 {
		b.WriteString(" for " + strings.Join(r.Objects, ", "))
	}
	b.WriteString(" {\n")
	for _, e := range r.Events {
		e.print(b)
	}
	for _, f := range r.Functions {
		b.WriteString("\t" + []string{"function", "also function"}[b2i(f.Keeps)] + " " + strings.Join(f.Callees, ", "))
		if f.Returns != nil {
			b.WriteString(" returns (" + f.Returns.String() + ")")
		}
		b.WriteString(";\n")
	}
	if len(r.Never) > 0 {
		b.WriteString("\tnever " + strings.Join(r.Never, ", ") + ";\n")
	}
	for _, what := range r.Forbidden {
		b.WriteString("\tforbid " + what + ";\n")
	}
	for i, s := range r.States {
		b.WriteString([]string{",\n\t", "\t"}[b2i(i == 0)])
		s.print(b)
	}
	if len(r.States) > 0 {
		b.WriteString(".\n\tbegin " + r.Begin + ";\n")
	}
	b.WriteString("}\n")
}

func (s *RuleState) print(b *strings.Builder) {
	b.WriteString(s.Name)
	if s.Count > 0 {
		fmt.Fprintf(b, "[%d]", s.Count)
	}
	if len(s.Moves) == 0 {
		b.WriteString(" = STOP")
		return
	}
	b.WriteString(" = (")
	for k, m := range s.Moves {
		b.WriteString([]string{" | ", " "}[b2i(k == 0)] + m.Event + " -> " + m.To)
		if m.Or != "" {
			fmt.Fprintf(b, "[%+d] or %s", m.Change, m.Or)
		}
	}
	b.WriteString(" )")
}

func (e *RuleEvent) print(b *strings.Builder) {
	b.WriteString("\t" + e.Name + ": ")
	switch e.Kind {
	case ReturnEvent:
		b.WriteString("return")
	case LostEvent:
		b.WriteString("lost " + e.Object)
	default:
		b.WriteString([]string{"call ", "assign "}[b2i(e.Kind == AssignEvent)] + strings.Join(e.Callees, ", "))
		if e.Cond != nil {
			b.WriteString(" (" + e.Cond.String() + ")")
		}
		if e.Returns != nil {
			b.WriteString(" returns (" + e.Returns.String() + ")")
		}
	}
	b.WriteString(";\n")
}
