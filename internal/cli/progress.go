package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"magus"
)

// A progress line tells on a terminal how far a claim is. It is drawn over
// itself by ticks, beginning with the first one, so that a quick claim shows
// none, and erased at the end.
type progress struct {
	w     io.Writer
	now   func() time.Time
	start time.Time
	title string // which of several claims

	mu         sync.Mutex
	phase      magus.Phase
	iteration  int
	states     []int
	predicates map[int]int // of every component
	drawn      bool

	stop func()
	done chan struct{}
}

// drawEvery is how often the line is drawn.
const drawEvery = 200 * time.Millisecond

// progressWidth keeps the line within the narrowest usual terminal.
const progressWidth = 79

// startProgress begins a line; nil, which all methods accept, if there is to
// be none.
func startProgress(w *World, title string, show bool) *progress {
	if !show {
		return nil
	}
	p := &progress{w: w.rawErr, now: w.Now, start: w.Now(), title: title,
		predicates: map[int]int{}, done: make(chan struct{})}
	ticks, stopTicks := w.Ticks(drawEvery)
	quit := make(chan struct{})
	p.stop = sync.OnceFunc(func() { close(quit) })
	go func() {
		defer close(p.done)
		defer stopTicks()
		for {
			select {
			case <-ticks:
				p.draw()
			case <-quit:
				return
			}
		}
	}()
	return p
}

// begin notes the phase that starts.
func (p *progress) begin(phase magus.Phase) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.phase = phase
}

// observe notes what a phase did.
func (p *progress) observe(e magus.Event) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := e.(type) {
	case magus.DataAbstracted:
		p.iteration, p.states = e.Iteration, e.States
	case magus.DataRefined:
		p.predicates[e.Component] = len(e.Predicates)
	}
}

// end erases the line. Nothing is drawn afterwards.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.stop()
	<-p.done
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

func (p *progress) draw() {
	p.mu.Lock()
	line := p.line()
	p.drawn = true
	p.mu.Unlock()
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}

func (p *progress) line() string {
	predicates := 0
	for _, n := range p.predicates {
		predicates += n
	}
	line := fmt.Sprintf("%siteration %d, %s, states %s, predicates %d, %.0f s", p.title,
		p.iteration, p.phase, numbers(p.states), predicates, p.now().Sub(p.start).Seconds())
	return line[:min(len(line), progressWidth)] // it is ASCII
}

func numbers(ns []int) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = fmt.Sprint(n)
	}
	return strings.Join(parts, "+")
}
