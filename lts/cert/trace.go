package cert

import "magus/lts"

// Idea. A trace refutes containment if the composition can perform it, and spec, after its observed actions, can be in
// no state; or in an ERROR state if spec has one.
//
// A trace has all visible actions, and each is performed by all components that have it in their alphabet. So what one
// component does by τ between them is nothing to the others: the composition can be in the tuples of all
// states that its components can be in one by one, and is followed by a set of states of each. Where the trace has τ
// too, the tuples themselves are followed, for it does not say whose it is.
//
// Source: definitions 3 to 5 of Chaki et al., "Efficient Verification of Sequential and Concurrent C Programs" (2004).
// Cost: of each action a walk through the components that perform it; with τ, as many tuples as there are orders.

// where says where the composition can be on a trace.
type where interface {
	start() error
	perform(a lts.Action) error
	nowhere() bool
}

// trace checks that the composition performs the trace and that spec does not allow it.
func (v *validation) trace(names []string) error {
	actions := v.spec.Actions()
	var at where = &apart{v: v}
	if v.strong {
		at = &together{v: v}
	}
	if err := at.start(); err != nil {
		return err
	}
	s := v.spec.closed([]lts.State{v.spec.Init()})
	wrong := v.spec.HasError() && v.spec.hasError(s)
	for k, name := range names {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		a, known := actions.Lookup(name)
		if !known || a == lts.Tau && !v.strong {
			return refuted(v.at.of(v.at.trace, k+1), "action %d of the trace, %s, is no visible action", k+1, name)
		}
		if err := at.perform(a); err != nil {
			return err
		}
		if at.nowhere() {
			return refuted(v.at.of(v.at.trace, k+1), "the composition cannot perform action %d of the trace, %s", k+1, name)
		}
		if v.observes(a) {
			s = v.spec.after(s, a)
			wrong = wrong || v.spec.HasError() && v.spec.hasError(s)
		}
	}
	if !v.spec.HasError() {
		wrong = len(s) == 0
	}
	if !wrong {
		return refuted(v.at.trace, "the trace is allowed by the specification")
	}
	return nil
}

// apart follows each component alone, by the states that it can be in.
type apart struct {
	v    *validation
	sets []set
	stop bool // one of them cannot go on
}

func (w *apart) component(i int) view {
	return view{w.v.impl.components[i], func(a lts.Action) bool { return a == lts.Tau }}
}

func (w *apart) start() error {
	for i, m := range w.v.impl.components {
		w.sets = append(w.sets, w.component(i).closed([]lts.State{m.Init()}))
	}
	return w.v.ctx.Err()
}

func (w *apart) perform(a lts.Action) error {
	owners := w.v.impl.owners[a]
	w.stop = w.stop || len(owners) == 0
	for _, i := range owners {
		w.sets[i] = w.component(i).after(w.sets[i], a)
		w.stop = w.stop || len(w.sets[i]) == 0
	}
	return w.v.ctx.Err()
}

func (w *apart) nowhere() bool { return w.stop }

// together follows the tuples that the composition can be in.
type together struct {
	v  *validation
	at map[string][]lts.State
}

func (w *together) start() error {
	w.at = map[string][]lts.State{}
	w.add(w.v.impl.initial())
	return nil
}

func (w *together) add(q []lts.State) { w.at[key(q)] = q }

func (w *together) perform(a lts.Action) error {
	from := w.at
	w.at = map[string][]lts.State{}
	for _, q := range from {
		if err := w.v.ctx.Err(); err != nil {
			return err
		}
		_ = w.v.impl.steps(q, func(b lts.Action, next []lts.State) error {
			if a == b {
				w.add(next)
			}
			return nil
		})
	}
	return nil
}

func (w *together) nowhere() bool { return len(w.at) == 0 }
