package certificate

// What calls of routines with bodies may write.
//
// Idea: an automaton that takes a routine by its abstraction gives any value to what
// a call of it may change, as package memory computes that. Here it is read from
// another automaton of the same component, in which the routine's body stands in the
// place of the call: each variable of the component that is assigned there must be
// one that the call changes. Nothing is computed of points-to sets, of what a call
// can reach, or of what has escaped: the inlined body is taken as it stands, with all
// its branches, whether a run comes there or not.
//
// LAW: if a certificate of conforms is accepted, no variable that both automata have
// is assigned by an inlined body and kept by the call of it.
//
// The two automata have no terms in common. A variable is known by its name in the
// source, its declaration, and the calls that led to its instance; a call by its
// place and those that led to it; what is not unique so is left out.
//
// Source: ours; translation validation (Pnueli, Siegel, Singerman, TACAS 1998) is the
// pattern: not the analysis is shown to be right, but this answer of it.
// Cost: linear in the automata.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/internal/pattern"
	"magus/smt/expr"
)

// A callKey is a call by its place, in an instance.
type callKey struct {
	instance string // the calls that led to the one where it stands
	callee   string
	at       cfa.Pos
}

// A varKey is a variable by its declaration, in an instance.
type varKey struct {
	instance, name, proc string
	kind                 cfa.VarKind
	at                   cfa.Pos
	typ                  expr.Type
}

// labels are the names of what is in an automaton.
type labels struct {
	auto      *cfa.CFA
	instances []string              // by frame
	vars      map[*expr.Expr]varKey // unique ones
}

func newLabels(auto *cfa.CFA) *labels {
	l := &labels{auto, make([]string, len(auto.Frames)), map[*expr.Expr]varKey{}}
	for i, f := range auto.Frames {
		if f.Parent >= 0 {
			l.instances[i] = fmt.Sprintf("%s/%s@%v", l.instances[f.Parent], f.Proc, f.Call)
		}
	}
	first := map[varKey]int{} // of the objects of one allocation: the least number
	for _, v := range auto.Vars {
		if k, n := l.unnumbered(v); n > 0 && (first[k] == 0 || n < first[k]) {
			first[k] = n
		}
	}
	known := map[varKey]*expr.Expr{}
	for _, v := range auto.Vars {
		k := l.key(v)
		if same, n := l.unnumbered(v); n > 0 {
			k.name = numbered().ReplaceAllString(v.Name, fmt.Sprintf("#%d", n-first[same]))
		}
		if other, ok := known[k]; ok {
			delete(l.vars, other)
			continue
		}
		known[k], l.vars[v.Expr] = v.Expr, k
	}
	return l
}

func (l *labels) key(v cfa.Var) varKey {
	k := varKey{name: v.Name, proc: v.Proc, kind: v.Kind, at: v.Pos, typ: v.Expr.Type()}
	if v.Frame >= 0 {
		k.instance = l.instances[v.Frame]
	}
	return k
}

// numbered is the part of a name that tells the objects of one allocation apart.
// They are counted over all instances, so the numbers differ from automaton to
// automaton.
var numbered = pattern.New(`#[0-9]+`)

// unnumbered is the allocation that a variable belongs to, with the object's number;
// 0 if it belongs to none.
func (l *labels) unnumbered(v cfa.Var) (varKey, int) {
	at := numbered().FindStringIndex(v.Name)
	if at == nil {
		return varKey{}, 0
	}
	n, _ := strconv.Atoi(v.Name[at[0]+1 : at[1]])
	k := l.key(v)
	k.name, k.typ = v.Name[:at[0]], expr.Bool
	return k, n
}

// A forgotten variable is one that a body assigns and a call of it keeps.
type forgotten struct {
	call     callKey
	variable string
}

// forgets finds what the calls of an automaton keep though the bodies assign it that
// stand in their place in another one; nil if there is nothing.
func forgets(auto, inlined *cfa.CFA) *forgotten {
	a, b := newLabels(auto), newLabels(inlined)
	changed := a.changed()
	known := map[varKey]bool{}
	for _, k := range a.vars {
		known[k] = true
	}
	within := b.within(changed)
	for _, loc := range inlined.Locs {
		call, ok := within[loc.Frame]
		if !ok {
			continue
		}
		for _, v := range assigned(loc.Stmt) {
			if k, ok := b.vars[v]; ok && known[k] && !changed[call][k] {
				return &forgotten{call, k.name}
			}
		}
	}
	return nil
}

// changed are the variables that each call may change: its result, what it gives any
// value, and what is given any value right behind it or computed from these.
func (l *labels) changed() map[callKey]map[varKey]bool {
	all := map[callKey]map[varKey]bool{}
	for _, loc := range l.auto.Locs {
		call, ok := loc.Stmt.(cfa.Call)
		if !ok {
			continue
		}
		key := callKey{l.instances[loc.Frame], call.Callee, loc.Pos}
		if all[key] == nil {
			all[key] = map[varKey]bool{}
		}
		for v := range l.changedBy(loc) {
			if k, ok := l.vars[v]; ok {
				all[key][k] = true
			}
		}
	}
	return all
}

// changedBy are the variables that the call at a location may change.
func (l *labels) changedBy(loc cfa.Location) map[*expr.Expr]bool {
	vars := map[*expr.Expr]bool{}
	for _, v := range assigned(loc.Stmt) {
		vars[v] = true
	}
	pos := loc.Pos
	for range l.auto.Locs { // a macro's loop may lead back
		if len(loc.Succ) != 1 {
			break
		}
		loc = l.auto.Locs[loc.Succ[0]]
		if loc.Pos != pos {
			break
		}
		switch s := loc.Stmt.(type) {
		case cfa.Goto:
		case cfa.Assign:
			if s.RHS == nil || slices.ContainsFunc(expr.Vars(s.RHS), func(v *expr.Expr) bool { return vars[v] }) {
				vars[s.LHS] = true
			}
		default:
			return vars
		}
	}
	return vars
}

// within says which of some calls an instance comes from, the outermost one.
func (l *labels) within(calls map[callKey]map[varKey]bool) map[int]callKey {
	from := map[int]callKey{}
	for i, f := range l.auto.Frames {
		if f.Parent < 0 {
			continue
		}
		if call, ok := from[f.Parent]; ok {
			from[i] = call
			continue
		}
		key := callKey{l.instances[f.Parent], f.Proc, f.Call}
		if _, ok := calls[key]; ok {
			from[i] = key
		}
	}
	return from
}

// assigned are the variables that a statement may change. What is written to memory without
// variables goes through one that no step of a proof reads: reads there give any value.
func assigned(s cfa.Stmt) []*expr.Expr {
	switch s := s.(type) {
	case cfa.Assign:
		if s.Memory != nil && s.Memory.Kind != cfa.Read {
			return nil
		}
		return []*expr.Expr{s.LHS}
	case cfa.Call:
		if s.LHS == nil {
			return s.Clobbers
		}
		return append([]*expr.Expr{s.LHS}, s.Clobbers...)
	}
	return nil
}

// String says what is forgotten.
func (f *forgotten) String() string {
	return fmt.Sprintf("%v: the call of %s leaves %s as it is, its body assigns that", f.call.at,
		f.call.callee, strings.TrimSpace(f.variable))
}
