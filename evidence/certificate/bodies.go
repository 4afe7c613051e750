package certificate

// An automaton with bodies that stand once, taken apart into procedures.
//
// Idea: an assignment to the variable with the number of a body's call is a call. It leads to the body, whose end is
// the first test of that variable, and what the test for its number leads to is where the call goes on. No location
// belongs to two procedures. The local variables of a procedure that calls itself are those of one call: they have any
// value where it begins, and are the caller's again behind a call. So nobody else's text may name them, and no pointer
// may lead to them.
//
// Source: [cfa.Body]. It is written from that and not from package component, which takes graphs apart for the
// engines. Cost: linear in the automaton, and for what calls write the number of procedures times that of variables.

import (
	"fmt"
	"maps"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// bodies are the procedures of an automaton: 0 is the component's own, i the body i-1.
type bodies struct {
	prog    *program
	site    map[*expr.Expr]int
	past    map[*expr.Expr]bool
	backs   map[numberedCall]Node
	tests   map[Node]int // by control point behind a body: which one
	entry   []Node       // by procedure; the start of one that is never called
	of      map[Node]int
	calls   map[Node]calledBody
	leads   [][]int               // by procedure: whom it calls
	named   []map[*expr.Expr]bool // and what its text names
	assigns []map[*expr.Expr]bool
	local   map[*expr.Expr]int // procedures that call themselves, by their variables
	reached []int
}

// A numberedCall is a call of a procedure.
type numberedCall struct {
	callee int
	number uint64
}

// A calledBody is a call: where it goes on is said if it may return.
type calledBody struct {
	callee  int
	back    Node
	returns bool
}

// takeApart takes a program apart. The error says why it is none of such bodies.
func takeApart(p *program) (*bodies, error) {
	auto := p.comp.CFA
	n := len(auto.Bodied) + 1
	b := &bodies{prog: p, site: map[*expr.Expr]int{}, past: map[*expr.Expr]bool{}, backs: map[numberedCall]Node{},
		tests: map[Node]int{}, entry: make([]Node, n), of: map[Node]int{}, calls: map[Node]calledBody{},
		leads: make([][]int, n), named: make([]map[*expr.Expr]bool, n), assigns: make([]map[*expr.Expr]bool, n),
		local: map[*expr.Expr]int{}, reached: []int{0}}
	for i, body := range auto.Bodied {
		b.site[body.Site] = i + 1
		for _, call := range body.Calls {
			if call.Past != nil {
				b.past[call.Past] = true
			}
		}
	}
	if err := b.findTests(); err != nil {
		return nil, err
	}
	for i := 0; i < len(b.reached); i++ {
		if err := b.procedure(b.reached[i]); err != nil {
			return nil, err
		}
	}
	return b, b.findLocals()
}

// test reads a test of the number of a call.
func (b *bodies) test(l *cfa.Location) (call numberedCall, ok bool) {
	s, isBranch := l.Stmt.(cfa.Branch)
	if !isBranch || s.Cond.Op() != expr.Eq {
		return call, false
	}
	for i, a := range s.Cond.Args() {
		other := s.Cond.Args()[1-i]
		if p, known := b.site[a]; known && other.IsConst() {
			return numberedCall{p, other.Value()}, true
		}
	}
	return call, false
}

// findTests finds the tests behind bodies. Behind the last one of a body nothing goes on.
func (b *bodies) findTests() error {
	locs := b.prog.comp.CFA.Locs
	for l := range locs {
		call, ok := b.test(&locs[l])
		if !ok {
			continue
		}
		b.tests[Node{Kind: Location, Loc: l}] = call.callee
		if _, twice := b.backs[call]; twice {
			return fmt.Errorf("two tests lead back to one call of %s", b.name(call.callee))
		}
		b.backs[call] = Node{Kind: Location, Loc: int(locs[l].Succ[0])}
		other := &locs[locs[l].Succ[1]]
		if next, again := b.test(other); again && next.callee == call.callee {
			continue
		}
		if _, ends := other.Stmt.(cfa.Halt); !ends {
			return fmt.Errorf("behind the tests of %s something goes on", b.name(call.callee))
		}
	}
	return nil
}

// name is a procedure's.
func (b *bodies) name(p int) string {
	if p == 0 {
		return b.prog.comp.Name
	}
	return b.prog.comp.CFA.Bodied[p-1].Proc
}

// procedure follows a procedure's text.
func (b *bodies) procedure(p int) error {
	b.named[p], b.assigns[p] = map[*expr.Expr]bool{}, map[*expr.Expr]bool{}
	todo := []Node{b.entry[p]}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		q, met := b.of[n]
		switch test, isTest := b.tests[n]; {
		case n.Kind == End:
			continue
		case met && q != p:
			return fmt.Errorf("%v belongs to both %s and %s", n, b.name(q), b.name(p))
		case met:
			continue
		case isTest && test != p:
			return fmt.Errorf("%s leads behind %s", b.name(p), b.name(test))
		case isTest:
			continue
		}
		b.of[n] = p
		next, err := b.next(p, n)
		if err != nil {
			return err
		}
		todo = append(todo, next...)
	}
	return nil
}

// next are the control points behind one, within the procedure.
func (b *bodies) next(p int, n Node) (next []Node, err error) {
	if n.Kind == Location {
		if s, ok := b.prog.comp.CFA.Locs[n.Loc].Stmt.(cfa.Assign); ok && b.site[s.LHS] > 0 {
			return b.call(p, n, b.site[s.LHS], s.RHS)
		}
	}
	for i := range b.prog.steps[n] {
		st := &b.prog.steps[n][i]
		if err := b.text(p, st); err != nil {
			return nil, err
		}
		next = append(next, st.to)
	}
	return next, nil
}

// call is a call of a procedure, whose number is a term.
func (b *bodies) call(p int, n Node, callee int, number *expr.Expr) (next []Node, err error) {
	if number == nil || !number.IsConst() {
		return nil, fmt.Errorf("a call of %s at %v has no number", b.name(callee), n)
	}
	locs := b.prog.comp.CFA.Locs
	entry := int(locs[n.Loc].Succ[0])
	if b.isPast(entry) {
		entry = int(locs[entry].Succ[0])
	}
	to := Node{Kind: Location, Loc: entry}
	if !slices.Contains(b.reached, callee) {
		b.entry[callee], b.reached = to, append(b.reached, callee)
	}
	if b.entry[callee] != to {
		return nil, fmt.Errorf("%s begins at %v and at %v", b.name(callee), b.entry[callee], to)
	}
	back, returns := b.backs[numberedCall{callee, number.Value()}]
	b.calls[n] = calledBody{callee, back, returns}
	if !slices.Contains(b.leads[p], callee) {
		b.leads[p] = append(b.leads[p], callee)
	}
	if returns {
		next = append(next, back)
	}
	return next, nil
}

// isPast reports whether a way that no run takes leads past a call at a location.
func (b *bodies) isPast(l int) bool {
	s, ok := b.prog.comp.CFA.Locs[l].Stmt.(cfa.Branch)
	return ok && slices.ContainsFunc(expr.Vars(s.Cond), func(v *expr.Expr) bool { return b.past[v] })
}

// text notes what a step names and assigns.
func (b *bodies) text(p int, st *step) error {
	fresh := map[*expr.Expr]bool{}
	terms := slices.Clone(st.guard)
	for _, a := range st.assign {
		b.assigns[p][a.to] = true
		terms = append(terms, a.to, a.value)
		fresh[a.value] = a.fresh
	}
	for _, v := range expr.Vars(terms...) {
		if b.site[v] > 0 || b.past[v] {
			return fmt.Errorf("the text of %s names %s, by which calls are told apart", b.name(p), v.Name())
		}
		if !fresh[v] {
			b.named[p][v] = true
		}
	}
	return nil
}

// findLocals finds the variables of procedures that call themselves.
func (b *bodies) findLocals() error {
	for i, body := range b.prog.comp.CFA.Bodied {
		p := i + 1
		if b.named[p] == nil || !b.callsItself(p) {
			continue
		}
		if body.Addressed != "" {
			return fmt.Errorf("%s calls itself and has %s, which has an address", body.Proc, body.Addressed)
		}
		for _, v := range body.Own {
			for q := range b.named {
				if q != p && b.named[q][v] {
					return fmt.Errorf("%s calls itself, and %s names its %s", body.Proc, b.name(q), v.Name())
				}
			}
			b.local[v] = p
		}
		if v := b.strange(p, body); v != nil {
			return fmt.Errorf("%s calls itself and has %s, which is not known to belong to one call", body.Proc, v.Name)
		}
	}
	return nil
}

// strange is a variable of the instances of a body that is not its own, and that some text names; nil if there is none.
func (b *bodies) strange(p int, body cfa.Body) *cfa.Var {
	vars := b.prog.comp.CFA.Vars
	for i := range vars {
		v := &vars[i]
		if v.Kind == cfa.Global || !slices.Contains(body.Frames, v.Frame) || b.local[v.Expr] == p {
			continue
		}
		if slices.ContainsFunc(b.named, func(named map[*expr.Expr]bool) bool { return named[v.Expr] }) {
			return v
		}
	}
	return nil
}

// callsItself reports whether a procedure calls itself, maybe by way of others.
func (b *bodies) callsItself(p int) bool {
	for _, q := range b.leads[p] {
		if slices.Contains(b.within(q), p) {
			return true
		}
	}
	return false
}

// within are a procedure and all that it calls, directly or not.
func (b *bodies) within(p int) []int {
	all := []int{p}
	for i := 0; i < len(all); i++ {
		for _, q := range b.leads[all[i]] {
			if !slices.Contains(all, q) {
				all = append(all, q)
			}
		}
	}
	return all
}

// changes are the variables that a call of a procedure may change for its caller, in their order.
func (b *bodies) changes(p int) []*expr.Expr {
	all := map[*expr.Expr]bool{}
	for _, q := range b.within(p) {
		for v := range b.assigns[q] {
			if _, isLocal := b.local[v]; !isLocal {
				all[v] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(all), func(v, w *expr.Expr) int { return v.ID() - w.ID() })
}
