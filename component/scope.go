package component

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/internal/phrase"
	"magus/smt/expr"
	"magus/specs"
)

// A scope resolves the names in a condition of the specification to terms of
// an automaton: the variables that a frame can see, or globals only.
type scope struct {
	claim   *Claim
	auto    *cfa.CFA
	frame   int
	globals bool
	params  bool           // the names of parameters have a meaning besides those of globals
	args    []*expr.Expr   // $1, $2, …
	result  *expr.Expr     // $0; nil: it has no meaning
	part    *cfa.JointPart // whose globals are meant; nil: all
}

// scope is that of the expressions which people write for a frame.
func (c *Claim) scope(auto *cfa.CFA, frame int) scope {
	sc := scope{claim: c, auto: auto, frame: frame}
	if frame == 0 {
		sc.args = auto.Params
	}
	return sc
}

// Lookup finds a variable or an enumeration constant.
func (s scope) Lookup(name string, pos specs.Pos) (*expr.Expr, error) {
	variable, pointed := s.variable(name)
	found := s.auto.Lookup(s.frame, variable)
	if i := slices.IndexFunc(found, func(e *expr.Expr) bool {
		return slices.Contains(s.auto.Params, e)
	}); s.params && i >= 0 {
		return found[i], nil
	}
	for _, e := range found {
		if s.part != nil && s.isGlobal(e) && !slices.Contains(s.part.Globals, e) {
			continue
		}
		if !s.globals || pointed || e.IsConst() || s.isGlobal(e) {
			return e, nil
		}
	}
	if e, ok := s.claim.Program.Enumerator(s.auto.Pool, name); ok {
		return e, nil
	}
	what := "variable"
	if s.globals {
		what = "global variable"
	}
	return nil, fmt.Errorf("no %s %s%s", what, name, s.meant(name))
}

// A callScope also has what an abstraction names at calls.
type callScope struct {
	scope
	named []named
}

// Lookup finds a global or an enumeration constant, or else what the call's procedure has of that name.
func (s callScope) Lookup(name string, pos specs.Pos) (*expr.Expr, error) {
	e, err := s.scope.Lookup(name, pos)
	if n := s.find(name); err != nil && n != nil && n.v != nil {
		return n.value()
	}
	return e, err
}

// Follows reports whether a path is one that was followed at the calls.
func (s callScope) Follows(path string) bool {
	return strings.ContainsAny(path, "*&>$") && s.find(path) != nil
}

// Path is the value of a path at the call.
func (s callScope) Path(path string) (*expr.Expr, error) { return s.find(path).value() }

func (s callScope) find(path string) *named {
	i := slices.IndexFunc(s.named, func(n named) bool { return n.Path == path })
	if i < 0 {
		return nil
	}
	return &s.named[i]
}

// value is the variable that stands for what is named, or why there is none.
func (n *named) value() (*expr.Expr, error) {
	if n.v == nil {
		return nil, fmt.Errorf("%s", n.Why)
	}
	return n.v, nil
}

// meant says what may stand for a name that nothing has: the parameter of that name
// is written by its number where only globals are known, and others are nearly
// called so.
func (s scope) meant(name string) string {
	var names []string
	for _, v := range s.auto.Vars {
		if i := slices.Index(s.auto.Params, v.Expr); i >= 0 && s.globals {
			if v.Name == name && i < len(s.args) {
				return fmt.Sprintf("; the parameter %s is $%d here", name, i+1)
			}
			continue
		}
		visible := !s.globals || v.Kind == cfa.Global
		if visible && v.Kind != cfa.Temp && !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	if hint := phrase.Misspelt(name, names); hint != "" || !s.globals || len(s.args) == 0 {
		return hint
	}
	return "; parameters are $1, $2, ..."
}

// variable is the automaton's name for one in C, and whether it is a member of
// what a pointer points to at the start: *p.f for p->f.
func (s scope) variable(name string) (string, bool) {
	p, member, found := strings.Cut(name, "->")
	if !found {
		return name, false
	}
	if i, err := strconv.Atoi(strings.TrimPrefix(p, "$")); err == nil && 0 < i && i <= len(s.args) {
		p = s.args[i-1].Name()
	}
	return "*" + p + "." + member, true
}

// Arg is $i; $0 is the returned value.
func (s scope) Arg(i int) (*expr.Expr, error) {
	switch {
	case i == 0 && s.result != nil:
		return s.result, nil
	case i == 0:
		return nil, fmt.Errorf("$0, the returned value, has no meaning here")
	case i <= len(s.args) && s.args[i-1] == nil:
		return nil, fmt.Errorf("$%d is no number and no pointer", i)
	case i > len(s.args):
		return nil, fmt.Errorf("$%d: the procedure has %d parameters", i, len(s.args))
	}
	return s.args[i-1], nil
}

func (s scope) isGlobal(e *expr.Expr) bool {
	return slices.ContainsFunc(s.auto.Vars, func(v cfa.Var) bool { return v.Expr == e && v.Kind == cfa.Global })
}
