package cli

// How far a suite, or a check of rules, is, on a terminal.

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"magus/app/job"
	"magus/app/suite"
	"magus/internal/phrase"
)

// suiteProgress draws a line with what is done, what is running, the verdicts so far and how long it may take. The
// line goes away when something else is printed, and at the end. The nil one draws nothing.
type suiteProgress struct {
	world *World
	jobs  int
	stop  func()
	now   func() float64 // seconds since the beginning

	mu             sync.Mutex
	total, done    int
	running        []float64 // when they began
	verdicts       map[string]int
	wrong, checked int
	spent          float64 // by those that were checked
	drawn          bool
}

// newProgress begins to draw, if standard error is a terminal.
func newProgress(w *World, total, jobs int) *suiteProgress {
	if !w.Terminal || total == 0 {
		return nil
	}
	p := &suiteProgress{world: w, jobs: jobs, total: total, verdicts: map[string]int{}}
	start := w.Now()
	p.now = func() float64 { return w.Now().Sub(start).Seconds() }
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

// begin notes that a claim is being checked, and gives the time, which finish takes.
func (p *suiteProgress) begin() float64 {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	p.running = append(p.running, now)
	return now
}

// finish notes what came out of a claim.
func (p *suiteProgress) finish(began float64, r *suite.Result) {
	p.note(began, r.Verdict, r.Wrong() != "", !r.Kept && !r.PassedOver, r.Seconds)
}

// BeginRoot implements [job.RuleWatcher].
func (p *suiteProgress) BeginRoot() float64 { return p.begin() }

// EndRoot implements [job.RuleWatcher].
func (p *suiteProgress) EndRoot(began float64, r job.RuleResult) {
	p.note(began, r.Claim.Verdict, false, true, r.Claim.Statistics.Seconds)
}

// PassRoot implements [job.RuleWatcher].
func (p *suiteProgress) PassRoot() { p.note(p.begin(), "", false, false, 0) }

// note notes what came out of a claim: its verdict if it has one, whether another one was expected, and whether it was
// checked just now.
func (p *suiteProgress) note(began float64, verdict string, wrong, checked bool, seconds float64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.running, began)
	p.running = slices.Delete(p.running, i, i+1)
	p.done++
	if verdict != "" {
		p.verdicts[verdict]++
	}
	if wrong {
		p.wrong++
	}
	if checked {
		p.checked, p.spent = p.checked+1, p.spent+seconds
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
	line := p.line(p.now())
	fmt.Fprintf(p.world.rawErr, "\r\x1b[K%s", line[:min(len(line), progressWidth)]) // it is ASCII
	p.drawn = true
}

// leastChecked is how many claims must have been checked before what is left is guessed.
const leastChecked = 3

// line is "[=====>    ] 12/40, 2 running: 9 conforms, 3 violates; 1 not as expected; 14 s, about 40 s left".
func (p *suiteProgress) line(seconds float64) string {
	const width = 16
	full := width * p.done / p.total
	bar := strings.Repeat("=", full) + strings.Repeat(" ", width-full)
	text := fmt.Sprintf("[%s] %d/%d, %d running", bar, p.done, p.total, len(p.running))
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
	if p.done < p.total && p.checked >= leastChecked {
		text += fmt.Sprintf(", about %s left", about(p.left(seconds)))
	}
	return text
}

// left is a guess of what is left, in seconds: those that wait are taken to be like those that were
// checked, which is all that is known. One that has had more time than these is taken to need once
// more what it has had beyond them, so that the guess does not promise an end that never comes.
func (p *suiteProgress) left(now float64) float64 {
	mean := p.spent / float64(p.checked)
	all, longest := float64(p.total-p.done-len(p.running))*mean, 0.0
	for _, began := range p.running {
		rest := math.Abs(mean - (now - began))
		all, longest = all+rest, max(longest, rest)
	}
	return max(longest, all/float64(min(p.jobs, p.total-p.done)))
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
