package job

// Claims, several at a time, and told as if it were one.
//
// Idea: sessions share nothing but the program, which is lowered by one at a time, so each worker drives one. What came
// out is told in the order of the claims. How much processor time a claim has used is known of the process only; it is
// divided evenly among the claims that were worked on meanwhile.
//
// Cost: as much memory as the sessions that are worked on need together.

import (
	"context"
	"sync"
	"time"

	"magus/internal/inorder"
)

// All checks all claims, up to so many at a time, and tells what came out in their order, on the caller's goroutine.
// watch gives the watcher of a claim, or nil; it is called once for each, in their order, before anything is checked.
func (r *Run) All(ctx context.Context, jobs int, watch func(i int) Watcher, tell func(i int, result Result)) {
	watchers := make([]Watcher, len(r.claims))
	for i := range watchers {
		watchers[i] = watch(i)
	}
	inorder.Each(len(r.claims), jobs,
		func(i int) Result { return r.checked(ctx, i, watchers[i]) },
		func(i int, result Result) {
			r.doc.Claims = append(r.doc.Claims, result.Claim)
			tell(i, result)
		})
}

// A workMeter says how much processor time claims have used.
type workMeter struct {
	mu     sync.Mutex
	used   func() time.Duration // by the process
	seen   time.Duration        // of used, when the share was
	share  time.Duration        // of one who was there all the time
	active int
}

// begin counts one who works.
func (m *workMeter) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settle()
	m.active++
}

// end counts one less.
func (m *workMeter) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settle()
	m.active--
}

// work is what one who works has used since the meter began, plus a constant.
func (m *workMeter) work() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settle()
	return m.share
}

// settle divides what was used since the last time.
func (m *workMeter) settle() {
	used := m.used()
	m.share += (used - m.seen) / time.Duration(max(1, m.active))
	m.seen = used
}
