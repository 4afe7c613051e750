package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"magus/app/job"
	"magus/engine/cegar"
)

// A display shows on standard error how a claim is checked: with --trace what
// every phase did, or on a terminal a line that tells how far it is. The line is
// drawn over itself by ticks, beginning with the first one, so that a quick claim
// shows none, and erased at the end.
type display struct {
	world    *World
	messages io.Writer // standard error
	title    string    // which of several claims
	trace    bool
	line     bool
	among    *suiteProgress // of all claims, where several are checked at a time; nil: there is none
	began    float64        // of among
	counted  bool           // among knows what came out

	start time.Time
	stop  func() // ends the drawing; nil if there is none
	done  chan struct{}

	mu       sync.Mutex
	progress job.Progress
	drawn    bool
}

// drawEvery is how often the line is drawn.
const drawEvery = 200 * time.Millisecond

// progressWidth keeps the line within the narrowest usual terminal.
const progressWidth = 79

// BeginClaim implements [job.Watcher].
func (d *display) BeginClaim(name string) {
	d.progress.BeginClaim(name)
	if d.trace {
		fmt.Fprintln(d.messages, d.title+name)
	}
	if d.among != nil {
		d.start, d.began = d.world.Now(), d.among.begin()
	}
	if !d.line {
		return
	}
	d.start, d.done = d.world.Now(), make(chan struct{})
	ticks, stopTicks := d.world.Ticks(drawEvery)
	quit := make(chan struct{})
	d.stop = sync.OnceFunc(func() { close(quit) })
	go func() {
		defer close(d.done)
		defer stopTicks()
		for {
			select {
			case <-ticks:
				d.draw()
			case <-quit:
				return
			}
		}
	}()
}

// BeginPhase implements [job.Watcher].
func (d *display) BeginPhase(phase cegar.Phase) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.progress.BeginPhase(phase)
}

// EndPhase implements [job.Watcher].
func (d *display) EndPhase(e cegar.Event) {
	d.mu.Lock()
	d.progress.EndPhase(e)
	d.mu.Unlock()
	if d.trace {
		fmt.Fprintf(d.messages, "  %-15s  %s\n", e.Phase(), e)
	}
	if e, ok := e.(cegar.Ended); ok {
		d.end()
		d.count(e.Outcome.Verdict.String())
	}
}

// count counts what came out among all claims, once.
func (d *display) count(verdict string) {
	if d.among == nil || d.counted {
		return
	}
	d.counted = true
	if d.start.IsZero() { // it has no session
		d.start, d.began = d.world.Now(), d.among.begin()
	}
	d.among.note(d.began, verdict, false, true, d.world.Now().Sub(d.start).Seconds())
}

// end erases the line. Nothing is drawn afterwards.
func (d *display) end() {
	if d.stop == nil {
		return
	}
	d.stop()
	<-d.done
	if d.drawn {
		fmt.Fprint(d.world.rawErr, "\r\x1b[K")
		d.drawn = false
	}
}

// draw draws the line over what was drawn before.
func (d *display) draw() {
	d.mu.Lock()
	line := fmt.Sprintf("%s%v, %.0f s", d.title, &d.progress, d.world.Now().Sub(d.start).Seconds())
	d.drawn = true
	d.mu.Unlock()
	fmt.Fprintf(d.world.rawErr, "\r\x1b[K%s", line[:min(len(line), progressWidth)]) // it is ASCII
}
