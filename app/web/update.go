package web

// What a page has to change.
//
// Idea: a state does not change, so what a page has is the state that it was sent last. Parts that
// are equal are left out; of the moments and of the log only what follows their common beginning is
// sent.

import "reflect"

// difference is what a page that shows before has to change to show now; nil before stands for
// nothing at all.
func difference(before, now *State, revision int) *Update {
	u := &Update{Schema: SchemaID, Revision: revision}
	if before == nil {
		before = &State{}
	}
	u.Session = differs(before.Session, now.Session)
	u.Counterexample = differs(before.Counterexample, now.Counterexample)
	u.Specification = differs(before.Specification, now.Specification)
	u.Run = differs(before.Run, now.Run)
	u.Threads = differs(before.Threads, now.Threads)
	u.Busy = differs(before.Busy, now.Busy)
	u.Processes = differs(before.Processes, now.Processes)
	u.Components = differentList(before.Components, now.Components)
	u.Sources = differentList(before.Sources, now.Sources)
	u.Marks = differentList(before.Marks, now.Marks)
	u.Branches = differentList(before.Branches, now.Branches)
	u.Counters = differentList(before.Counters, now.Counters)
	if from, items := tail(before.Moments, now.Moments); from < len(before.Moments) || len(items) > 0 {
		u.Moments = &Moments{from, items}
	}
	if from, items := tail(before.Log, now.Log); from < len(before.Log) || len(items) > 0 {
		u.Log = &Entries{from, items}
	}
	return u
}

// differs is now, or nil if before is equal to it.
func differs[T any](before, now *T) *T {
	if reflect.DeepEqual(before, now) {
		return nil
	}
	return now
}

// differentList is now, or nil if before is equal to it.
func differentList[T any](before, now []T) *[]T {
	if len(before) == len(now) && (len(now) == 0 || reflect.DeepEqual(before, now)) {
		return nil
	}
	return &now
}

// tail is where two lists begin to differ, and what now has from there.
func tail[T any](before, now []T) (from int, items []T) {
	for from < len(before) && from < len(now) && reflect.DeepEqual(before[from], now[from]) {
		from++
	}
	return from, append([]T{}, now[from:]...)
}
