package inorder

// Results in the order of their numbers.
//
// Idea: workers take the numbers in their order and leave what comes out in a place of its own for each; the caller's
// goroutine waits for one place after the other. So what is told does not depend on how many workers there are.
//
// Cost: one channel for each number.

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// A Panic is one of work, which goes on at the caller.
type Panic struct {
	Value any
	Stack string // of the worker
}

// String tells both.
func (p *Panic) String() string { return fmt.Sprintf("%v\n%s", p.Value, p.Stack) }

// A result is what work came to.
type result[T any] struct {
	value    T
	panicked *Panic
}

// Each calls work(0) to work(n-1), up to so many at a time, and tell with what each of them came to, in the order of
// their numbers, on the caller's goroutine. One worker is the caller: work and tell then alternate. If a call of work
// panics, Each panics with a [Panic] when it is to be told.
func Each[T any](n, workers int, work func(i int) T, tell func(i int, value T)) {
	if workers <= 1 || n <= 1 {
		for i := range n {
			tell(i, work(i))
		}
		return
	}
	results := make([]chan result[T], n)
	for i := range results {
		results[i] = make(chan result[T], 1)
	}
	var taken atomic.Int64
	for range min(workers, n) {
		go func() {
			for i := int(taken.Add(1)) - 1; i < n; i = int(taken.Add(1)) - 1 {
				results[i] <- guarded(work, i)
			}
		}()
	}
	for i, c := range results {
		r := <-c
		if r.panicked != nil {
			panic(r.panicked)
		}
		tell(i, r.value)
		results[i] = nil // what was told may go
	}
}

// guarded is what a call of work came to.
func guarded[T any](work func(i int) T, i int) (r result[T]) {
	defer func() {
		if p := recover(); p != nil {
			r.panicked = &Panic{p, string(debug.Stack())}
		}
	}()
	r.value = work(i)
	return r
}
