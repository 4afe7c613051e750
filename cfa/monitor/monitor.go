package monitor

// A specification as a deterministic monitor.
//
// Idea: the traces that a specification allows are those of its smallest deterministic
// LTS. An action that leads to no state there, or to an ERROR state, is forbidden.
//
// Source: subset construction; Schneider, "Enforceable security policies" (2000), for
// monitors of safety. Cost: exponential in the specification's states at worst, bounded.

import (
	"context"
	"errors"
	"fmt"

	"magus/lts"
)

// MaxStates bounds the states of a monitor: each action of the program tests for them.
const MaxStates = 256

// A Monitor says of each state and action what comes next. It is immutable.
type Monitor struct {
	det     *lts.LTS
	actions map[string]lts.Action // of the alphabet
}

// A TooLargeError says that a specification has too many states when it is deterministic.
type TooLargeError struct{ Limit int }

// Error says how many.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the specification has more than %d states when it is made deterministic", e.Limit)
}

// New is the monitor of a specification. The error is a *TooLargeError, or ctx's.
func New(ctx context.Context, spec *lts.LTS) (*Monitor, error) {
	det, err := lts.Minimize(ctx, spec, lts.WeakTraceEq, lts.Limits{MaxStates: 64 * MaxStates})
	var limit *lts.LimitError
	if errors.As(err, &limit) || err == nil && det.NumStates() > MaxStates {
		return nil, &TooLargeError{MaxStates}
	}
	if err != nil {
		return nil, err
	}
	m := &Monitor{det: det, actions: map[string]lts.Action{}}
	for _, a := range det.Alphabet() {
		m.actions[det.Actions().Name(a)] = a
	}
	return m, nil
}

// Observes reports whether an action is one of the specification's alphabet.
func (m *Monitor) Observes(action string) bool {
	_, ok := m.actions[action]
	return ok
}

// Broken reports whether the specification does not even allow the empty trace.
func (m *Monitor) Broken() bool { return m.det.IsError(m.det.Init()) }

// next is the state behind an observed action; ok is false where it is forbidden.
func (m *Monitor) next(from lts.State, action string) (to lts.State, ok bool) {
	for _, e := range m.det.OutBy(from, m.actions[action]) {
		return e.To, !m.det.IsError(e.To)
	}
	return 0, false
}
