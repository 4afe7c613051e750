package lts

import "context"

// compareSimulated decides whether b simulates a: naive greatest fixed point.
func compareSimulated(ctx context.Context, a, b *LTS, weak bool) (Comparison, error) {
	k := newMarks(a, b)
	l, r := withoutErrors(k, a), withoutErrors(k, b)
	if weak {
		r = TauClosure(r)
	}
	n := r.NumStates()
	related := make([]bool, l.NumStates()*n)
	for i := range related {
		related[i] = true
	}
	for changed := true; changed; {
		changed = false
		for i, holds := range related {
			if err := ctx.Err(); err != nil {
				return Comparison{}, err
			}
			if !holds {
				continue
			}
			s, t := State(i/n), State(i%n)
			for _, e := range l.Out(s) {
				matched := false
				for _, f := range r.OutBy(t, e.Action) {
					matched = matched || related[int(e.To)*n+int(f.To)]
				}
				if !matched {
					related[i], changed = false, true
					break
				}
			}
		}
	}
	return Comparison{Holds: related[int(l.init)*n+int(r.init)]}, nil
}
