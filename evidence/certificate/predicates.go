package certificate

// Predicates apart from certificates: what a session leaves for a later one.

import (
	"encoding/json"
	"errors"

	"magus/cfa"
	"magus/smt/expr"
)

// Predicates are conditions of one component, in a form that a file can hold.
type Predicates struct {
	Component string `json:"component"`
	Terms     []Term `json:"terms"`
	Atoms     []int  `json:"atoms"` // the conditions, as indices of terms
}

// MarshalJSON implements json.Marshaler.
func (t Term) MarshalJSON() ([]byte, error) { return json.Marshal(t.record()) }

// UnmarshalJSON implements json.Unmarshaler.
func (t *Term) UnmarshalJSON(text []byte) error {
	var r []any
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	var wrong string
	if *t, wrong = termOf(r); wrong != "" {
		return errors.New(wrong)
	}
	return nil
}

// NewPredicates are the conditions of a component.
func NewPredicates(component string, conds []*expr.Expr) Predicates {
	var c Component
	return Predicates{Component: component, Atoms: c.AddTerms(map[*expr.Expr]int{}, conds...), Terms: c.Terms}
}

// In are the conditions as far as an automaton has their variables, with their types. Others are left out.
func (p *Predicates) In(auto *cfa.CFA) []*expr.Expr {
	vars := variables(auto)
	terms := make([]*expr.Expr, len(p.Terms))
	for i, t := range p.Terms {
		if t.known(terms[:i]) {
			terms[i], _ = t.build(auto.Pool, vars, terms[:i]) // nil where there is no such variable
		}
	}
	var conds []*expr.Expr
	for _, a := range p.Atoms {
		if a >= 0 && a < len(terms) && terms[a] != nil && terms[a].Type().IsBool() {
			conds = append(conds, terms[a])
		}
	}
	return conds
}

// known reports whether the operands are there.
func (t *Term) known(before []*expr.Expr) bool {
	for _, a := range t.Args {
		if a < 0 || a >= len(before) || before[a] == nil {
			return false
		}
	}
	return true
}
