package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/metrics"
	"time"

	"magus/internal/usage"
	"magus/lts"
)

// An operation is done to a member; wrong says what is wrong with the answer.
type operation struct {
	name string
	do   func(ctx context.Context, m member) (answer, wrong string, err error)
}

var errGaveUp = errors.New("gave up")

// readAut writes the LTS in .aut form and reads it at the same time.
var readAut = operation{"write and read .aut", func(_ context.Context, m member) (string, string, error) {
	from, to := io.Pipe()
	go func() { to.CloseWithError(lts.WriteAut(to, m.whole)) }()
	again, err := lts.ReadAut(from, "aut", m.whole.Actions(), lts.AutOptions{})
	if err != nil {
		return "", "", err
	}
	if again.NumStates() != m.whole.NumStates() || again.NumEdges() != m.whole.NumEdges() {
		return "", "what is read is not what was written", nil
	}
	return "", "", nil
}}

var (
	strong     = quotient("strong-bisim", lts.StrongBisim)
	divergence = quotient("dp-branching-bisim", lts.DivergenceBranchingBisim)
	weak       = quotient("weak-bisim", lts.WeakBisim)
	traces     = quotient("weak-trace quotient", lts.WeakTraceEq)
)

func quotient(name string, r lts.Relation) operation {
	return operation{name, func(ctx context.Context, m member) (string, string, error) {
		q, err := lts.Minimize(ctx, m.whole, r, lts.Limits{})
		if err != nil {
			return "", "", err
		}
		return fmt.Sprintf("%d states", q.NumStates()), "", nil
	}}
}

// simulated decides whether the specification simulates the LTS weakly, equal
// whether it has the same weak traces; both are so. apart says how the LTS
// differs from another.
var (
	simulated = comparison("weak-simulation", lts.WeakSimulation, true, func(m member) *lts.LTS { return m.spec })
	equal     = comparison("weak-trace", lts.WeakTraceEq, true, func(m member) *lts.LTS { return m.spec })
	apart     = comparison("weak-bisim, explained", lts.WeakBisim, false, func(m member) *lts.LTS { return m.other })
)

func comparison(name string, r lts.Relation, holds bool, with func(member) *lts.LTS) operation {
	return operation{name, func(ctx context.Context, m member) (string, string, error) {
		c, err := lts.Compare(ctx, m.whole, with(m), r, lts.Limits{})
		if err != nil {
			return "", "", err
		}
		if c.Holds != holds {
			return "", fmt.Sprintf("holds: %v", c.Holds), nil
		}
		if holds {
			return "holds", "", nil
		}
		return fmt.Sprintf("%d lines", len(c.Explanation)), "", nil
	}}
}

// contained decides whether the weak traces of the LTS are those of its
// specification, onTheFly those of its components, and reduced those of its
// components made smaller first. They are.
var (
	contained = containment("weak-trace-containment", func(m member) []*lts.LTS {
		return []*lts.LTS{m.whole}
	}, lts.Limits{})
	onTheFly = containment("the same on the fly", func(m member) []*lts.LTS { return m.components }, lts.Limits{})
	reduced  = containment("the same reduced", func(m member) []*lts.LTS {
		return m.components
	}, lts.Limits{Reduce: true})
)

func containment(name string, impl func(member) []*lts.LTS, lim lts.Limits) operation {
	return operation{name, func(ctx context.Context, m member) (string, string, error) {
		r, err := lts.Contains(ctx, impl(m), m.spec, lim)
		if err != nil {
			return "", "", err
		}
		if r.Verdict != lts.Holds {
			return "", fmt.Sprintf("containment %v", r.Verdict), nil
		}
		return fmt.Sprintf("%d pairs", r.States), "", nil
	}}
}

// searches are the ways to search, with the sets of specification states
// compared by inclusion alone, by simulation from the start, and as it is done
// if nothing else is said.
func searches() []operation {
	var all []operation
	for _, order := range []struct {
		name string
		lts.Order
	}{{"breadth", lts.BreadthFirst}, {"depth", lts.DepthFirst}} {
		for _, sets := range []struct {
			name string
			lts.Subsumption
		}{{", sets", lts.NoSubsumption}, {", simulation", lts.AlwaysSubsumption}, {"", lts.AutoSubsumption}} {
			all = append(all, search(order.name+sets.name, lts.Limits{Order: order.Order, Subsumption: sets.Subsumption}))
		}
	}
	return all
}

// search decides containment, of several pairs where there are.
func search(name string, lim lts.Limits) operation {
	return operation{name, func(ctx context.Context, m member) (string, string, error) {
		holds, fails, states := 0, 0, 0
		for _, pair := range append([]member{m}, m.more...) {
			r, err := lts.Contains(ctx, []*lts.LTS{pair.whole}, pair.spec, lim)
			if err != nil {
				return "", "", err
			}
			states += r.States
			switch r.Verdict {
			case lts.Holds:
				holds++
			case lts.Fails:
				fails++
			}
		}
		return fmt.Sprintf("%d hold, %d not: %d pairs", holds, fails, states), "", nil
	}}
}

// A subject is a member and what its LTS occupies.
type subject struct {
	member
	bytes uint64
}

func prepare(f family, s size) subject {
	table := lts.NewActions()
	m := s.make(table, s.n)
	with := live()
	edges, states := m.whole.NumEdges(), m.whole.NumStates()
	copied := lts.Rename(m.whole, nil) // one more of the same size
	bytes := live()
	bytes -= min(bytes, with)
	runtime.KeepAlive(copied)
	if copied.NumEdges() != edges || copied.NumStates() != states {
		panic(f.name + ": a copy differs")
	}
	return subject{m, bytes}
}

// live is how many bytes of the heap are in use.
func live() uint64 {
	runtime.GC()
	runtime.GC() // the first only empties pools
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// A result is what one operation took.
type result struct {
	took   time.Duration
	peak   uint64 // bytes of the heap beyond those before, at most
	edges  int
	answer string
	growth float64 // 0 if it is not known
	gaveUp bool
	wrong  string
}

func measure(ctx context.Context, s subject, op operation, timeout time.Duration) result {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	before := live()
	stop := watchHeap()
	start := usage.Time()
	answer, wrong, err := op.do(ctx, s.member)
	r := result{took: usage.Time() - start, answer: answer, wrong: wrong, edges: s.whole.NumEdges()}
	r.peak = stop()
	r.peak -= min(r.peak, before)
	if err != nil && ctx.Err() != nil {
		r.gaveUp, r.answer = true, errGaveUp.Error()
	} else if err != nil {
		r.wrong = err.Error()
	}
	return r
}

// worthComparing is the time from which growth says something.
const worthComparing = 10 * time.Millisecond

func (r *result) setGrowth(before result) {
	if before.took >= worthComparing && r.edges > before.edges && !r.gaveUp {
		r.growth = math.Log(r.took.Seconds()/before.took.Seconds()) / math.Log(float64(r.edges)/float64(before.edges))
	}
}

// watchEvery is how often the heap is looked at.
const watchEvery = 2 * time.Millisecond

// watchHeap watches the heap until the returned function is called, which
// returns the most that was seen.
func watchHeap() (stop func() uint64) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	end, most := make(chan struct{}), make(chan uint64)
	go func() {
		ticks := time.NewTicker(watchEvery)
		defer ticks.Stop()
		peak := uint64(0)
		for {
			metrics.Read(sample)
			peak = max(peak, sample[0].Value.Uint64())
			select {
			case <-ticks.C:
			case <-end:
				metrics.Read(sample)
				most <- max(peak, sample[0].Value.Uint64())
				return
			}
		}
	}()
	return func() uint64 {
		close(end)
		return <-most
	}
}

const rowFormat = "%-14s %8v %9v %11v %9v  %-22s %10s %9s %7s  %s\n"

func writeHead(out io.Writer) {
	fmt.Fprintf(out, rowFormat, "family", "n", "states", "transitions", "B/trans.", "operation", "cpu",
		"peak B/t.", "growth", "answer")
}

func writeRow(out io.Writer, f family, s size, sub subject, op operation, r result) {
	growth, answer := "", r.answer
	if r.growth != 0 {
		growth = fmt.Sprintf("%.2f", r.growth)
	}
	if r.wrong != "" {
		answer = "WRONG: " + r.wrong
	}
	perTransition := func(bytes uint64) string { return fmt.Sprintf("%.1f", float64(bytes)/float64(max(1, r.edges))) }
	fmt.Fprintf(out, rowFormat, f.name, s.n, sub.whole.NumStates(), sub.whole.NumEdges(),
		perTransition(sub.bytes), op.name,
		r.took.Round(10*time.Microsecond), perTransition(r.peak), growth, answer)
}
