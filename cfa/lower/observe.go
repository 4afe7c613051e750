package lower

// Observers: a rule that a run is followed by.
//
// Idea: the automaton gets a variable for the rule's state and one for each chosen object. These hold any value and are
// never changed, so that what holds of them holds of every object. Around a call that the rule speaks of, and before
// the return of the component's procedure, stand the rule's transitions as branches; what the rule forbids performs the
// action error. Functions that the rule alone describes give any result that it allows, and neither their bodies
// nor models are looked at.
//
// Source: Ball, Rajamani, "SLIC: A Specification Language for Interface Checking" (2001), which instruments the text
// in the same way. Deviation: objects.
//
// Cost: for each such call a branch for the condition of each event, and one for each state.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/internal/graph"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// An Observer is a rule as the lowering needs it.
type Observer struct {
	Rule    string
	Objects []string // the names of the chosen objects
	States  []string
	Numbers []int // by state, what conditions call count
	Begin   int   // a state
	// Bounds say which runs the rule leaves out, since it counts only so far; they are assumptions.
	Bounds []string
	// Call is what the rule says of calls of a function; nil for nothing.
	Call func(callee string) *ObservedCall
	// Unwrapped is Call for functions with bodies; nil where it is the same.
	Unwrapped func(callee string) *ObservedCall
	// Assigned is what the rule says of assignments to a member that has these names, each with that of its type and a
	// point before it; nil for nothing. It is nil if there are none at all.
	Assigned func(names []string) []Observation
	// Leaks and Uses say that the rule forbids to lose memory, and to use it once it is freed.
	Leaks, Uses bool
	// Memory says that the rule is about memory that is allocated and freed.
	Memory bool
	// Return are the observations before the component's procedure returns.
	Return []Observation
	// Contract says of a procedure whose calls are taken by a summary in which states they keep the rule, and in which
	// ones they end then; nil: in all, and in the same one.
	Contract func(*source.Procedure) map[int][]int
}

// UnknownCallee is the name of a function that is not known.
const UnknownCallee = "*"

// An ObservedCall is what a rule says of calls of a function.
type ObservedCall struct {
	// Alone says that nothing else describes the function: it gives a result, and does nothing.
	Alone bool
	// Never says that it does not return.
	Never bool
	// Results restrict the results of a function that has one; Behind what the arguments point to behind the call.
	Results       []Condition
	Behind        []Condition
	Before, After []Observation
}

// An Observation is an event and what follows from it in each state.
type Observation struct {
	Event string
	When  Condition // nil: always
	Lost  string    // the object that the caller must be unable to find; "" for none
	Next  []Move    // by state
}

// A Move says what follows from an event in a state.
type Move struct {
	Kind MoveKind
	To   int // the next state, of a Step
}

// A MoveKind is what an event does.
type MoveKind uint8

// The kinds of moves.
const (
	Forbidden MoveKind = iota // the rule is broken
	Step                      // to another state, or the same
	Last                      // the object is looked at no further
)

// A Condition makes a term, at a call, of what a rule says. Law: it emits nothing but by what it asks the
// scope for.
type Condition func(*expr.Pool, ObservedScope) (*expr.Expr, error)

// A NoArgumentError says that a call has no such argument, or no result, which is argument 0.
type NoArgumentError struct{ Arg int }

func (e *NoArgumentError) Error() string {
	if e.Arg == 0 {
		return "there is no result $0"
	}
	return fmt.Sprintf("there is no argument $%d", e.Arg)
}

// An ObservedScope has what a condition may name at a call.
type ObservedScope interface {
	// Object is the value of a chosen object, or the number of the present state, which is called count; nil if there
	// is none of that name.
	Object(name string) *expr.Expr
	// Arg is the value of $i: the result for 0. Where there is none, it is a *[NoArgumentError].
	Arg(i int) (*expr.Expr, error)
	// Path is the value of an expression such as $1->f, *$2, $1[0], &$1->f.
	Path(path string) (*expr.Expr, error)
}

// observed are the observer's variables.
type observed struct {
	state   *expr.Expr
	objects map[string]*expr.Expr
}

// begin makes the observer's variables, at the start of the component's procedure.
func (l *observing) begin(pos cfa.Pos) {
	o := l.opt.Observer
	if o == nil || len(o.States) == 0 {
		return
	}
	name := l.UniqueName("state of " + o.Rule)
	l.vars = observed{state: l.NewVar(name, name, expr.Int32), objects: map[string]*expr.Expr{}}
	l.List(cfa.Var{Expr: l.vars.state, Name: "state of " + o.Rule, Kind: cfa.Temp, Pos: pos})
	for _, object := range o.Objects {
		v := l.NewVar(object, object+" of "+o.Rule, l.pointer)
		l.List(cfa.Var{Expr: v, Name: object, Kind: cfa.Temp, Pos: pos})
		l.vars.objects[object] = v
		if len(o.Objects) == 1 {
			l.mem.SetRigid(v)
		}
	}
	l.Assign(l.vars.state, l.Pool.Int(expr.Int32, int64(o.Begin)), pos)
	l.tellsAssigned(pos)
	for _, bound := range o.Bounds {
		l.Assume(cfa.AboutAbstraction, pos, "%s", bound)
	}
}

// of is what the rule says of a call, nil for nothing. What models of the library call is theirs.
func (l *observing) of(c *callSite) *ObservedCall {
	if l.opt.Observer == nil || l.opt.Observer.Call == nil || l.prog.IsModel(l.fr.proc.File) {
		return nil
	}
	if o := l.opt.Observer; o.Unwrapped != nil && l.prog.Body(l.fr.proc.File, c.name) != nil {
		return o.Unwrapped(c.name)
	}
	return l.opt.Observer.Call(c.name)
}

// ofMember is what the rule says of calls through the member that a call goes through, nil for nothing.
func (l *observing) ofMember(n *cc.PostfixExpression) *ObservedCall {
	if l.opt.Observer == nil || l.opt.Observer.Call == nil || l.prog.IsModel(l.fr.proc.File) {
		return nil
	}
	for _, name := range source.CalleeMembers(n) {
		if o := l.opt.Observer.Call(name); o != nil {
			return o
		}
	}
	return nil
}

// ofUnknown is what the rule says of calls of functions that are not known, nil for nothing.
func (l *observing) ofUnknown() *ObservedCall {
	if l.opt.Observer == nil || l.opt.Observer.Call == nil || l.prog.IsModel(l.fr.proc.File) {
		return nil
	}
	return l.opt.Observer.Call(UnknownCallee)
}

// call lowers a call with what the rule observes of it; rest is the call itself.
func (l *observing) call(o *ObservedCall, c *callSite, rest func() value) value {
	if c.vals == nil {
		written := *c
		written.asWritten = true
		if c.vals = l.calls.evalArgs(&written); c.vals == nil {
			c.vals = []value{}
		}
	}
	if l.fr.isOutOfLine() {
		if o.Alone {
			return l.alone(c)
		}
		return rest()
	}
	after := len(o.After)+len(o.Results)+len(o.Behind) > 0
	if after {
		l.keepArguments(c)
	}
	s := &observedScope{observing: l, c: c}
	for _, e := range o.Before {
		l.observe(e, s, c.pos)
	}
	if after && c.ret.scalar() {
		c.want, c.to = true, nil // what a variable of the program holds is stored there
	}
	v := value{ctype: ctVoid}
	if o.Alone {
		v = l.alone(c)
	} else {
		v = rest()
	}
	if after && c.ret.scalar() && v.t != nil && !v.t.IsConst() && v.t.Op() != expr.Var {
		v = l.keep(v, c.name, c.pos)
	}
	if o.Never && !l.Dead() {
		l.Assume(cfa.AboutRoutine, c.pos, "%s never returns, as the rule %s says", c.name, l.opt.Observer.Rule)
		l.HaltAll(c.name, c.pos)
		l.ends = append(l.ends, c.name)
		return l.dead(c)
	}
	s.result = v
	if c.ret.class != classVoid {
		for _, r := range o.Results {
			l.assume(r, s, c.pos)
		}
	}
	for _, b := range o.Behind {
		l.assume(b, s, c.pos)
	}
	s.stores = true
	for _, e := range o.After {
		l.observe(e, s, c.pos)
	}
	return v
}

// tellsEnd tells where no run comes to the end of the component's procedure, for functions end it that never
// return by the rule.
func (l *observing) tellsEnd(pr *source.Procedure, entry cfa.Loc) {
	if len(l.ends) == 0 {
		return
	}
	for at, reached := range graph.Reachable(graph.Func{Nodes: l.Len(), Succ: func(n int, yield func(int)) {
		for _, s := range l.At(cfa.Loc(n)).Succ {
			if s >= 0 {
				yield(int(s))
			}
		}
	}}, int(entry)) {
		if _, returns := l.At(cfa.Loc(at)).Stmt.(cfa.Return); reached && returns {
			return
		}
	}
	slices.Sort(l.ends)
	l.Tell(cfa.AboutRoutine, pr.Pos, "no run comes to the end of %s, for the rule %s says that %s never returns",
		pr.Name, l.opt.Observer.Rule, strings.Join(slices.Compact(l.ends), ", "))
}

// keepArguments keeps the arguments of a call as they are before it.
func (l *observing) keepArguments(c *callSite) {
	for i, v := range c.vals {
		if v.t != nil && !v.t.IsConst() {
			c.vals[i] = l.keep(v, "argument", c.pos)
		}
	}
}

// keep copies a value.
func (l *observing) keep(v value, name string, pos cfa.Pos) value {
	if l.Dead() {
		return v
	}
	tmp := l.Temp(name, v.t.Type(), pos)
	l.mem.MarkPointer(tmp, v.class == classPtr)
	l.Assign(tmp, v.t, pos)
	return value{v.ctype, tmp, nil}
}

// ofThreads are beginnings of names of functions that other threads matter to.
var ofThreads = []string{"pthread_", "thrd_", "mtx_", "cnd_", "sem_"}

// alone is the result of a function that the rule alone describes.
func (l *observing) alone(c *callSite) value {
	if slices.ContainsFunc(ofThreads, func(prefix string) bool { return strings.HasPrefix(c.name, prefix) }) {
		l.Assume(cfa.AboutThreads, l.instances[0].proc.Pos,
			"threads are looked at one by one: while this one runs or waits, no other one changes what it reads")
	}
	if p, ok := c.typ.Result().(*cc.PointerType); ok && !l.Dead() && p.Elem().Kind() != cc.Void &&
		!p.Elem().IsIncomplete() && l.bytes(p.Elem()) > 0 {
		to := &target{l.Temp(c.name, c.ret.typ, c.pos), c.ret}
		l.mem.MarkPointer(to.v, true)
		s := memory.UnknownCall{Name: c.name, LHS: to.v, Own: l.calls.ownObject(c, c.typ.Result())}
		l.calls.returnsPointer(l.Emit(s, c.pos), c.typ.Result())
		l.apartFromStandard(c, to.v)
		return value{to.t, to.v, nil}
	}
	v := l.calls.anyResult(c, "")
	l.apartFromStandard(c, v.t)
	l.failed(c, v)
	if l.prog.Noreturn(c.name) {
		l.HaltAll(c.name, c.pos)
		return l.dead(c)
	}
	return v
}

// apartFromStandard keeps a stream that a function of the system opens apart from those that are open from
// the start. One that is given a stream may give that.
func (l *observing) apartFromStandard(c *callSite, v *expr.Expr) {
	stream := c.typ.Result()
	if c.ret.class != classPtr || v == nil || l.Dead() || !l.prog.IsSystem(c.name) ||
		slices.ContainsFunc(c.args, func(a cc.ExpressionNode) bool {
			return a.Type().Decay().String() == stream.String()
		}) {
		return
	}
	for _, name := range []string{"stdin", "stdout", "stderr"} {
		o := l.fr.proc.File.Objects[name]
		if o == nil || o.Defined || o.Reads == 0 || o.Type.String() != stream.String() {
			continue
		}
		l.Assume(cfa.AboutLibrary, c.pos, "%s gives no stream that is open from the start", c.name)
		same, not := l.Branch(l.Pool.Land(l.Pool.Eq(v, l.objects.object(o)), l.Pool.Truth(v)), c.pos)
		if l.Continue(same); len(same) > 0 {
			l.Halt("assume", c.pos)
		}
		l.Continue(not)
	}
}

// failed gives errno any positive value where a function of the system returns -1, or no pointer.
func (l *observing) failed(c *callSite, v value) {
	o := l.objects.errnoObject()
	if o == nil || v.t == nil || l.Dead() || l.prog.Body(l.fr.proc.File, c.name) != nil || !l.prog.IsSystem(c.name) {
		return
	}
	none := l.Pool.Int(v.t.Type(), -1)
	if c.ret.class == classPtr {
		none = l.Pool.Const(v.t.Type(), 0)
	}
	failed, not := l.Branch(l.Pool.Eq(v.t, none), c.pos)
	if l.Continue(failed); len(failed) > 0 {
		e := l.Any(expr.Int32, "errno of "+c.name, "", c.pos)
		positive, other := l.Branch(l.Pool.Lt(l.Pool.Int(expr.Int32, 0), e), c.pos)
		l.Continue(other)
		l.Halt("assume", c.pos)
		l.Continue(positive)
		v := l.objects.object(o)
		l.Assign(v, e, c.pos)
	}
	l.Join(not)
}

// atReturn are the observations before the component's procedure returns a value, or none.
func (l *observing) atReturn(result *expr.Expr, pos cfa.Pos) {
	if l.opt.Observer == nil || l.fr.parent != nil || l.fr.thread > 0 || l.fr.isOutOfLine() {
		return
	}
	s := &observedScope{observing: l}
	if result != nil {
		s.result = value{ctype{class: classInt, typ: result.Type()}, result, nil}
	}
	for _, e := range l.opt.Observer.Return {
		l.observe(e, s, pos)
	}
}

// assume lets only runs go on in which a condition holds.
func (l *observing) assume(cond Condition, s *observedScope, pos cfa.Pos) {
	holds, not := l.test(cond, s, pos)
	if l.Continue(not); len(not) > 0 {
		l.Halt("assume", pos)
	}
	l.Continue(holds)
}

// test branches on a condition.
func (l *observing) test(cond Condition, s *observedScope, pos cfa.Pos) (yes, no cfa.Ends) {
	if l.Dead() {
		return nil, nil
	}
	t, err := cond(l.Pool, s)
	switch {
	case l.Dead() || l.Err() != nil:
		return nil, nil
	case err != nil:
		why, _, _ := strings.Cut(err.Error(), "\n") // without the line of the rule
		at := " at this call"
		if s.assigned != nil {
			at = " at this assignment"
		}
		l.refuseAt(pos, "the rule "+l.opt.Observer.Rule+at, why)
		return nil, nil
	}
	return l.Branch(t, pos)
}

// contract is that of a procedure whose calls are taken by a summary, nil if they keep the rule in all states.
func (l *observing) contract(c *callSite) map[int][]int {
	if l.opt.Observer == nil || l.opt.Observer.Contract == nil || l.fr.isOutOfLine() {
		return nil
	}
	return l.opt.Observer.Contract(c.body)
}

// keeps lets control go on only in states in which a call keeps the rule by its contract. In others a run
// rests on the body.
func (l *observing) keeps(contract map[int][]int, c *callSite) {
	if contract == nil || len(contract) == len(l.opt.Observer.States) || l.Dead() {
		return
	}
	kept, other := l.Branch(l.among(slices.Sorted(maps.Keys(contract))), c.pos)
	if l.Continue(other); len(other) > 0 {
		yes, no := l.byBody("whether "+c.name+" breaks the rule", c)
		l.Continue(no)
		l.Halt(c.name, c.pos)
		l.Continue(yes)
		l.Error(fmt.Sprintf("rule %s: %s", l.opt.Observer.Rule, c.name), c.pos)
	}
	l.Continue(kept)
}

// endsIn gives the state one of those in which a call ends by its contract. Which one it is rests on the body.
func (l *observing) endsIn(contract map[int][]int, c *callSite) {
	var ends cfa.Ends
	for _, state := range slices.Sorted(maps.Keys(contract)) {
		to := slices.DeleteFunc(slices.Clone(contract[state]), func(t int) bool { return t == state })
		if len(to) == 0 || l.Dead() {
			continue
		}
		is, other := l.Branch(l.among([]int{state}), c.pos)
		for l.Continue(is); len(to) > 0 && !l.Dead(); to = to[1:] {
			yes, no := l.byBody("whether "+c.name+" ends in "+l.opt.Observer.States[to[0]], c)
			l.Continue(yes)
			l.Assign(l.vars.state, l.Pool.Int(expr.Int32, int64(to[0])), c.pos)
			ends = append(ends, l.Ends()...)
			l.Continue(no)
		}
		ends = append(ends, l.Ends()...)
		l.Continue(other)
	}
	l.Join(ends)
}

// byBody branches on something that the body of a procedure decides.
func (l *observing) byBody(what string, c *callSite) (yes, no cfa.Ends) {
	flag := l.Temp(what, bool1, c.pos)
	l.Emit(cfa.Assign{LHS: flag, Nondet: c.name, Approx: "what " + c.name + " does", Body: c.name}, c.pos)
	return l.Branch(l.Pool.Truth(flag), c.pos)
}

// observe writes an event.
func (l *observing) observe(o Observation, s *observedScope, pos cfa.Pos) {
	var not cfa.Ends
	if o.When != nil {
		var yes cfa.Ends
		yes, not = l.test(o.When, s, pos)
		l.Continue(yes)
	}
	if o.Lost != "" && !l.Dead() {
		var found cfa.Ends
		found, lost := l.lookFor(o.Lost, s.result.t, pos)
		not = append(not, found...)
		l.Continue(lost)
	}
	if !l.Dead() {
		l.Emit(cfa.Act{Action: o.Event}, pos)
		l.moves(o, pos)
	}
	l.Join(not)
}

// lookFor branches on whether the caller finds an object.
func (l *observing) lookFor(object string, result *expr.Expr, pos cfa.Pos) (found, lost cfa.Ends) {
	flag := l.Temp("found", bool1, pos)
	l.Emit(memory.Finds{Value: l.vars.objects[object], Result: result, Into: flag}, pos)
	return l.Branch(l.Pool.Truth(flag), pos)
}

// moves writes what an event does in each state.
func (l *observing) moves(o Observation, pos cfa.Pos) {
	var ends cfa.Ends
	groups := groupsOf(o.Next)
	for k, g := range groups {
		var no cfa.Ends
		if k < len(groups)-1 { // in the last group are all other states
			var yes cfa.Ends
			yes, no = l.Branch(l.among(g.states), pos)
			l.Continue(yes)
		}
		if !l.Dead() {
			l.move(g, o.Event, pos)
			ends = append(ends, l.Ends()...)
		}
		l.Continue(no)
	}
	l.Continue(ends)
}

// move writes what an event does in the states of a group.
func (l *observing) move(g moveGroup, event string, pos cfa.Pos) {
	switch {
	case g.kind == Last:
		l.Halt("assume", pos)
	case g.kind == Forbidden:
		l.Error(fmt.Sprintf("rule %s: %s", l.opt.Observer.Rule, event), pos)
	case g.relative && g.by != 0:
		l.Assign(l.vars.state, l.Pool.Add(l.vars.state, l.Pool.Int(expr.Int32, int64(g.by))), pos)
	case !g.relative:
		l.Assign(l.vars.state, l.Pool.Int(expr.Int32, int64(g.by)), pos)
	}
}

// A moveGroup is states in which an event does the same.
type moveGroup struct {
	kind     MoveKind
	relative bool // by is added to the number of the state, else it is the number of the next one
	by       int
	states   []int
}

// groupsOf are few groups of all states: a step is one by its target or, where many states count, by its length.
func groupsOf(next []Move) []moveGroup {
	by := func(relative bool) (all []moveGroup) {
		for state, m := range next {
			g := moveGroup{kind: m.Kind}
			if m.Kind == Step {
				g.relative, g.by = relative, m.To
				if relative {
					g.by -= state
				}
			}
			i := slices.IndexFunc(all, func(o moveGroup) bool { return o.kind == g.kind && o.by == g.by })
			if i < 0 {
				i, all = len(all), append(all, g)
			}
			all[i].states = append(all[i].states, state)
		}
		slices.SortStableFunc(all, func(a, b moveGroup) int { return cmp.Compare(order(a.kind), order(b.kind)) })
		return all
	}
	absolute, relative := by(false), by(true)
	if len(relative) < len(absolute) {
		return relative
	}
	return absolute
}

// order puts what ends the run before what goes on.
func order(k MoveKind) int {
	return map[MoveKind]int{Forbidden: 0, Last: 1, Step: 2}[k]
}

// among is the condition that the state is one of these, which are in ascending order.
func (l *observing) among(states []int) *expr.Expr {
	var is []*expr.Expr
	number := func(k int) *expr.Expr { return l.Pool.Int(expr.Int32, int64(states[k])) }
	for i := 0; i < len(states); {
		k := i
		for k+1 < len(states) && states[k+1] == states[k]+1 {
			k++
		}
		if i == k {
			is = append(is, l.Pool.Eq(l.vars.state, number(i)))
		} else {
			is = append(is, l.Pool.Land(l.Pool.Le(number(i), l.vars.state), l.Pool.Le(l.vars.state, number(k))))
		}
		i = k + 1
	}
	return l.Pool.Lor(is...)
}

// An observedScope is what a rule's conditions may name at one call.
type observedScope struct {
	*observing
	c      *callSite // nil at a return, and at an assignment
	result value
	// assigned is what is assigned to, at an assignment.
	assigned *assignedTo
	begins   *source.Procedure // where a procedure begins
	untold   string            // why a violation may not rest on what stands behind NULL; "": it may
	// declared says that arguments have the types of the parameters, and that names are those of variables; with
	// globals they are of file scope.
	declared, globals bool
	// stores says that what is read behind the arguments is what the call has stored there.
	stores bool
}

func (s *observedScope) Object(name string) *expr.Expr {
	if name == "count" {
		return s.number()
	}
	return s.vars.objects[name]
}

// number is the number of the present state.
func (l *observing) number() *expr.Expr {
	n := l.Pool.Int(expr.Int32, 0)
	for state, number := range l.opt.Observer.Numbers {
		if number != 0 {
			is := l.Pool.Eq(l.vars.state, l.Pool.Int(expr.Int32, int64(state)))
			n = l.Pool.Ite(is, l.Pool.Int(expr.Int32, int64(number)), n)
		}
	}
	return n
}

func (s *observedScope) Arg(i int) (*expr.Expr, error) {
	v, _, err := s.arg(i)
	if err == nil && v.t == nil {
		return nil, fmt.Errorf("$%d is no number and no pointer", i)
	}
	return v.t, err
}

// arg is an argument, or the result, with its type in C.
func (s *observedScope) arg(i int) (value, cc.Type, error) {
	switch {
	case s.assigned != nil:
		return s.assignedArg(i)
	case i == 0 && s.c == nil:
		return s.result, nil, nil
	case i == 0 && s.c.ret.class == classVoid:
		return value{}, nil, &NoArgumentError{0}
	case i == 0:
		return s.result, s.c.typ.Result(), nil
	case s.c == nil || i > len(s.c.vals):
		return value{}, nil, &NoArgumentError{i}
	}
	if params := source.Parameters(s.c.typ); s.declared && i <= len(params) {
		return s.c.vals[i-1], params[i-1].Type().Decay(), nil
	}
	if i > len(s.c.args) {
		return value{}, nil, &NoArgumentError{i}
	}
	return s.c.vals[i-1], s.c.args[i-1].Type().Decay(), nil
}

// Path follows a path from an argument.
func (s *observedScope) Path(path string) (*expr.Expr, error) {
	rest, address := strings.CutPrefix(path, "&")
	p, err := s.place(rest)
	if err != nil {
		return nil, err
	}
	if address {
		return s.accesses.address(p), nil
	}
	v := s.readBehind(p, path)
	if v.t == nil {
		return nil, fmt.Errorf("%s is no number and no pointer", path)
	}
	if s.stores && !v.t.IsConst() {
		v = s.keep(v, s.c.name, s.c.pos)
		s.accesses.write(p, v, s.c.n, s.c.pos)
	}
	return v.t, nil
}

// node is the call or the assignment.
func (s *observedScope) node() cc.Node {
	switch {
	case s.assigned != nil:
		return s.assigned.n
	case s.begins != nil:
		return s.begins.Def.Declarator
	}
	return s.c.n
}

// place is what a path such as *$1, $1->f.g or $2[3].h denotes.
func (s *observedScope) place(path string) (lvalue, error) {
	if s.assigned == nil && (s.c == nil || s.c.n == nil && !s.declared) {
		return lvalue{}, fmt.Errorf("%s cannot be looked at here", path)
	}
	if inner, deref := strings.CutPrefix(path, "*"); deref {
		path = inner + "[0]"
	}
	end := len(path)
	if i := strings.IndexAny(path, ".[-"); i >= 0 {
		end = i
	}
	p, v, t, isPointer, err := s.root(path[:end])
	if err != nil {
		return lvalue{}, err
	}
	for rest := path[end:]; rest != ""; {
		if rest, p, err = s.step(rest, &v, &t, p, &isPointer); err != nil {
			return lvalue{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	return p, nil
}

// root is the beginning of a path: an argument, or the variable that a name means.
func (s *observedScope) root(name string) (p lvalue, v value, t cc.Type, isPlace bool, err error) {
	if i, isParameter := s.parameterNamed(name); isParameter {
		name = "$" + strconv.Itoa(i)
	}
	number, isArg := strings.CutPrefix(name, "$")
	if !isArg && s.declared {
		p, err = s.variableNamed(name)
		return p, v, t, true, err
	}
	i, err := strconv.Atoi(number)
	if err != nil || !isArg {
		return p, v, t, false, fmt.Errorf("%s is no argument", name)
	}
	v, t, err = s.arg(i)
	return p, v, t, false, err
}

// step takes the first part of a path: ->f, .f or [k].
func (s *observedScope) step(rest string, v *value, t *cc.Type, p lvalue, begun *bool) (string, lvalue, error) {
	follows := strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, "[")
	length := int64(-1)
	if a, isArray := p.typ.(*cc.ArrayType); *begun && isArray && follows {
		length = s.prog.Layouts.Len(a)
		p = s.typed(p, a.Elem())
	} else if follows {
		if *begun {
			*v, *t = s.readBehind(p, p.typ.String()), p.typ
		}
		pointer, ok := (*t).(*cc.PointerType)
		if !ok || v.t == nil || pointer.Elem().IsIncomplete() {
			return "", p, fmt.Errorf("it is not known what it points to")
		}
		p = s.typed(lvalue{Address: memory.Address{Base: v.t, Pointee: s.typeOf(pointer.Elem())}}, pointer.Elem())
	}
	*begun = true
	if index, isIndex := strings.CutPrefix(rest, "["); isIndex {
		number, after, _ := strings.Cut(index, "]")
		k, err := strconv.ParseInt(number, 0, 32)
		if err != nil {
			return "", p, err
		}
		if length >= 0 && k >= length {
			return "", p, fmt.Errorf("there are %d elements", length)
		}
		p.Off += k * s.bytes(p.typ)
		return after, p, nil
	}
	name, after := strings.TrimPrefix(strings.TrimPrefix(rest, "->"), "."), ""
	if end := strings.IndexAny(name, ".[-"); end >= 0 {
		name, after = name[:end], name[end:]
	}
	p, err := s.memberNamed(p, name)
	return after, p, err
}

// memberNamed is a member of a structure.
func (s *observedScope) memberNamed(p lvalue, name string) (lvalue, error) {
	of, ok := p.typ.(interface{ FieldByName(string) *cc.Field })
	if !ok {
		return p, fmt.Errorf("%s has no members", p.typ)
	}
	f := of.FieldByName(name)
	if f == nil {
		return p, fmt.Errorf("%s has no member %s", p.typ, name)
	}
	at, known := s.prog.Layouts.Member(p.typ, f)
	if !known || f.IsBitfield() {
		return p, fmt.Errorf("the member %s cannot be looked at", name)
	}
	p.Off += at / 8
	return s.typed(p, f.Type()), nil
}

// neverSet keeps a local pointer that the program never gives a value apart from others of the procedure: they are
// meant as names for different objects.
func (l *observing) neverSet(d *cc.Declarator, v *expr.Expr, pos cfa.Pos) {
	if l.opt.Observer == nil || d.Type().Kind() != cc.Ptr || d.WriteCount() > 0 || d.AddressTaken() {
		return
	}
	l.Assume(cfa.AboutPointers, pos, "%s never gets a value: it points elsewhere than other pointers that get none",
		d.Name())
	for _, other := range l.unset[l.fr] {
		same, not := l.Branch(l.Pool.Eq(v, other), pos)
		if l.Continue(same); len(same) > 0 {
			l.Halt("assume", pos)
		}
		l.Continue(not)
	}
	l.unset[l.fr] = append(l.unset[l.fr], v)
}

// sameParameters lets parameters of one pointer type be equal: a caller may give one object twice.
func (l *observing) sameParameters(params []*expr.Expr, types []cc.Type, pos cfa.Pos) {
	if l.opt.Observer == nil {
		return
	}
	for i := range params {
		for k := range i {
			if types[i].Kind() != cc.Ptr || types[i].String() != types[k].String() {
				continue
			}
			same := l.Any(bool1, "same object", "", pos)
			yes, no := l.Branch(l.Pool.Truth(same), pos)
			l.Continue(yes)
			l.Assign(params[i], params[k], pos)
			l.Join(no)
		}
	}
}
