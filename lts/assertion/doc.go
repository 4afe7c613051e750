// Package assertion decides what formulas of linear temporal logic say of the runs of an LTS.
//
//	run, err := a.Violated(ctx, m, assertion.Choice, lts.Limits{})   // nil: it holds
//
// A formula has propositions: actions, which hold at the position behind them, and fluents, which hold from
// an action that begins them on, up to one that ends them. There is a position behind each visible action.
// Where a run ends, or goes on silently for ever, its last position is followed for ever by positions without
// an action.
//
// Source: Giannakopoulou, Magee: Fluent model checking for event-based systems (FSE 2003).
//
// Weak and strong fairness are about actions, for an LTS has no components.
package assertion
