package lts

import "sync"

// Action is the index of an action's name in an [Actions] table.
type Action int32

// Tau is the unobservable action τ. It belongs to no alphabet and is never synchronised on.
const Tau Action = 0

// tauName is how τ is written; Intern(tauName) is Tau in every table.
const tauName = "tau"

// Actions interns action names. One table is shared by all LTSs of one verification, so that
// equal names are equal numbers. It only grows; all methods may be called concurrently.
//
// Numbers are given in the order of the calls of Intern, and the order of edges in an LTS follows
// the numbers. Who builds LTSs in several goroutines and wants the same result in every run interns
// the names before starting them.
type Actions struct {
	mu     sync.RWMutex
	names  []string
	number map[string]Action
}

// NewActions returns a table that holds τ alone.
func NewActions() *Actions {
	return &Actions{names: []string{tauName}, number: map[string]Action{tauName: Tau}}
}

// Intern returns the action of that name, adding it if it is new. The name "tau" is τ.
func (t *Actions) Intern(name string) Action {
	if a, ok := t.Lookup(name); ok {
		return a
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if a, ok := t.number[name]; ok {
		return a
	}
	a := Action(len(t.names))
	t.names = append(t.names, name)
	t.number[name] = a
	return a
}

// Lookup returns the action of that name, and whether there is one.
func (t *Actions) Lookup(name string) (Action, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	a, ok := t.number[name]
	return a, ok
}

// Name returns the name a was interned with; it panics if a is not of this table.
func (t *Actions) Name(a Action) string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.names[a]
}

// Names returns the names of the given actions, in the same order.
func (t *Actions) Names(as []Action) []string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	names := make([]string, len(as))
	for i, a := range as {
		names[i] = t.names[a]
	}
	return names
}

// Len returns how many actions the table holds, τ included.
func (t *Actions) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.names)
}
