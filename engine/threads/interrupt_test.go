package threads_test

import (
	"context"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/engine/threads"
)

// A watched context notes the most memory that is allocated while nobody looks at it. Unrolling and encoding build
// terms and clauses all the time, and how many is the same on each machine.
type watched struct {
	context.Context
	last, longest uint64 // bytes
}

func (w *watched) Err() error {
	now := allocated()
	w.longest, w.last = max(w.longest, now-w.last), now
	return w.Context.Err()
}

// allocated is how much memory was allocated so far, in bytes.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// sharing is a program of threads each of which accesses shared variables many times, under a lock if it has one.
func sharing(threads, accesses int, before, after string) string {
	var b strings.Builder
	b.WriteString("#include <pthread.h>\nextern void reach_error(void);\nint x[4];\npthread_mutex_t m;\n" +
		"void *f(void *a) {\n")
	for i := range accesses {
		b.WriteString(before)
		b.WriteString("x[" + string(rune('0'+i%4)) + "] = x[" + string(rune('0'+(7*i+1)%4)) + "] + 1;\n")
		b.WriteString(after)
	}
	b.WriteString("return 0; }\nint main(void) { pthread_t t;\n")
	b.WriteString(strings.Repeat("pthread_create(&t, 0, f, 0);\n", threads))
	b.WriteString("if (x[3] == 777) reach_error(); return 0; }\n")
	return b.String()
}

// TestUnrollingIsLookedAt: while a program with many accesses is unrolled and encoded, no part of it that
// allocates more than a third goes by without a look at the context.
func TestUnrollingIsLookedAt(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of work")
	}
	few, many, locked := sharing(3, 60, "", ""), sharing(3, 160, "", ""),
		sharing(4, 25, "pthread_mutex_lock(&m);\n", "pthread_mutex_unlock(&m);\n")
	for _, c := range []struct {
		name, text string
		races      bool
		opts       threads.Options
	}{
		{name: "clocks", text: few, opts: threads.Options{Order: threads.Full}},
		{name: "a theory", text: many, opts: threads.Options{Order: threads.ByTheory}},
		{name: "rounds", text: many, opts: threads.Options{Order: threads.Refined}},
		{name: "writes that are seen later", text: many, opts: threads.Options{Model: cfa.PSO}},
		{name: "deadlocks", text: locked, opts: threads.Options{Goal: threads.Deadlocks}},
		{name: "races", text: locked, races: true, opts: threads.Options{Goal: threads.Races}},
	} {
		t.Run(c.name, func(t *testing.T) {
			search := threads.New(lowered(t, c.text, c.races), c.opts)
			w := &watched{Context: t.Context(), last: allocated()}
			began := w.last
			event, err := search.Step(w)
			require.NoError(t, err)
			require.Equal(t, threads.Unrolled, event.Kind)
			_ = w.Err()
			all := w.last - began
			t.Logf("%d bytes, %d at most without a look", all, w.longest)
			require.Less(t, w.longest, all/3)
		})
	}
}
