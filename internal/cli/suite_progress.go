package cli

// How far a suite is, on a terminal.

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"magus/internal/phrase"
	"magus/internal/suite"
)

// suiteProgress draws a line with what is done, what is running, the verdicts so far and how long it may take. The
// line goes away when something else is printed, and at the end. The nil one draws nothing.
type suiteProgress struct {
	world *World
	jobs  int
	stop  func()
	start time.Time

	mu                   sync.Mutex
	total, done, running int
	verdicts             map[string]int
	wrong, checked       int
	spent                float64 // by those that were checked
	drawn                bool
}

// newProgress begins to draw, if standard error is a terminal.
func newProgress(w *World, total, jobs int) *suiteProgress {
	if !w.Terminal || total == 0 {
		return nil
	}
	p := &suiteProgress{world: w, jobs: jobs, total: total, verdicts: map[string]int{}, start: w.Now()}
	ticks, stopTicks := w.Ticks(drawEvery)
	quit, over := make(chan struct{}), make(chan struct{})
	p.stop = sync.OnceFunc(func() { close(quit); <-over })
	go func() {
		defer close(over)
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

// begin notes that a claim is being checked.
func (p *suiteProgress) begin() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running++
}

// finish notes what came out.
func (p *suiteProgress) finish(r *suite.Result) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	p.done++
	if r.Verdict != "" {
		p.verdicts[r.Verdict]++
	}
	if r.Wrong() != "" {
		p.wrong++
	}
	if !r.Kept && !r.PassedOver {
		p.checked, p.spent = p.checked+1, p.spent+r.Seconds
	}
}

// print prints something else in the meantime.
func (p *suiteProgress) print(f func()) {
	if p == nil {
		f()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.erase()
	f()
}

// end ends the line.
func (p *suiteProgress) end() {
	if p != nil {
		p.stop()
		p.print(func() {})
	}
}

func (p *suiteProgress) erase() {
	if p.drawn {
		fmt.Fprint(p.world.rawErr, "\r\x1b[K")
		p.drawn = false
	}
}

func (p *suiteProgress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := p.line(p.world.Now().Sub(p.start).Seconds())
	fmt.Fprintf(p.world.rawErr, "\r\x1b[K%s", line[:min(len(line), progressWidth)]) // it is ASCII
	p.drawn = true
}

// leastChecked is how many claims must have been checked before what is left is guessed.
const leastChecked = 3

// line is "[=====>    ] 12/40, 2 running: 9 conforms, 3 violates; 1 not as expected; 14 s, about 40 s left".
// The guess takes those that are left to be like those that were checked, which is all that is known.
func (p *suiteProgress) line(seconds float64) string {
	const width = 16
	full := width * p.done / p.total
	bar := strings.Repeat("=", full) + strings.Repeat(" ", width-full)
	text := fmt.Sprintf("[%s] %d/%d, %d running", bar, p.done, p.total, p.running)
	var some []string
	for _, v := range []string{"conforms", "violates", "unknown"} {
		if n := p.verdicts[v]; n > 0 {
			some = append(some, fmt.Sprintf("%d %s", n, v))
		}
	}
	if some != nil {
		text += ": " + strings.Join(some, ", ")
	}
	if p.wrong > 0 {
		text += fmt.Sprintf("; %d not as expected", p.wrong)
	}
	text += fmt.Sprintf("; %.0f s", seconds)
	if left := p.total - p.done; left > 0 && p.checked >= leastChecked {
		text += fmt.Sprintf(", about %s left", about(p.spent/float64(p.checked)*float64(left)/float64(min(p.jobs, left))))
	}
	return text
}

// about is a time that nobody knows exactly.
func about(seconds float64) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%.0f s", max(1, seconds))
	case seconds < 5400:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return phrase.Plural(int(seconds/3600+0.5), "hour")
}
