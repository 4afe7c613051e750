package specs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/smt/expr"
	"magus/smt/solver"
)

// Guards of one procedure choose the LTS for a call; Chaki et al., "Efficient
// Verification of Sequential and Concurrent C Programs" (2004), section 3.4,
// requires that they are mutually exclusive and complete. Each pair is one
// query, the gap one more: n(n-1)/2 + 1 queries for n guards.

// A GuardError is a valuation for which two guards hold, or none does.
type GuardError struct {
	I, J    int // the guards that overlap, I < J; both -1 for a gap
	Example []Binding
}

// A Binding is the value of a variable in an example.
type Binding struct {
	Name, Value string // the value in decimal, by the variable's signedness
}

// IsGap reports whether no guard holds, rather than two.
func (e *GuardError) IsGap() bool { return e.I < 0 }

// Error says what is wrong, guards being counted from 1, and where it shows.
func (e *GuardError) Error() string {
	what := "no guard holds"
	if !e.IsGap() {
		what = fmt.Sprintf("guards %d and %d both hold", e.I+1, e.J+1)
	}
	if len(e.Example) == 0 {
		return what
	}
	values := make([]string, len(e.Example))
	for i, b := range e.Example {
		values[i] = b.Name + " = " + b.Value
	}
	return what + " for " + strings.Join(values, ", ")
}

// CheckGuards returns nil if always exactly one of the guards, terms of p,
// holds. Otherwise it returns a *GuardError: the first overlap, or else the
// gap, with values of the guards' variables that show it. Without guards there
// is nothing to check. Any other error is the solver's, when it gives no
// answer.
func CheckGuards(ctx context.Context, p *expr.Pool, guards []*expr.Expr, sv solver.Full) error {
	for i, g := range guards {
		for j := i + 1; j < len(guards); j++ {
			if err := refute(ctx, sv, GuardError{I: i, J: j}, g, guards[j]); err != nil {
				return err
			}
		}
	}
	if len(guards) == 0 {
		return nil
	}
	none := make([]*expr.Expr, len(guards))
	for i, g := range guards {
		none[i] = p.Not(g)
	}
	return refute(ctx, sv, GuardError{I: -1, J: -1}, none...)
}

// refute returns nil if the conditions contradict each other, and otherwise
// the fault with values of their variables, sorted by name, that satisfy them.
func refute(ctx context.Context, sv solver.Full, fault GuardError, conds ...*expr.Expr) error {
	switch r, err := sv.Check(ctx, conds...); {
	case err != nil:
		return fmt.Errorf("checking guards: %w", err)
	case r == solver.Unsat:
		return nil
	case r != solver.Sat:
		return fmt.Errorf("checking guards: the solver answered %v", r)
	}
	for _, v := range expr.Vars(conds...) {
		fault.Example = append(fault.Example, Binding{v.Name(), decimal(v.Type(), sv.Value(v))})
	}
	slices.SortFunc(fault.Example, func(a, b Binding) int { return cmp.Compare(a.Name, b.Name) })
	return &fault
}

func decimal(t expr.Type, v uint64) string {
	return t.Show(v)
}
