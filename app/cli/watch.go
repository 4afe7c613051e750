package cli

import (
	"fmt"
	"sync"

	"magus/app/repl"
)

// A watch draws the line of a command of the shell, by ticks, beginning with the first
// one, so that a quick command shows none. It implements [repl.Watch].
type watch struct {
	world *World
	stop  func() // ends the drawing

	mu    sync.Mutex
	text  string
	drawn bool
	ended bool
}

// watch begins a line; nil if standard error is no terminal.
func (w *World) watch() func() repl.Watch {
	if !w.Terminal || !w.Interactive {
		return nil
	}
	return func() repl.Watch {
		x := &watch{world: w}
		start := w.Now()
		ticks, stopTicks := w.Ticks(drawEvery)
		quit := make(chan struct{})
		x.stop = sync.OnceFunc(func() { close(quit) })
		go func() {
			defer stopTicks()
			for {
				select {
				case <-ticks:
					x.draw(w.Now().Sub(start).Seconds())
				case <-quit:
					return
				}
			}
		}()
		return x
	}
}

// Say implements [repl.Watch].
func (x *watch) Say(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.text = text
}

// Erase implements [repl.Watch].
func (x *watch) Erase() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.erase()
}

func (x *watch) erase() {
	if x.drawn {
		fmt.Fprint(x.world.rawErr, "\r\x1b[K")
		x.drawn = false
	}
}

// End implements [repl.Watch].
func (x *watch) End() {
	x.stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.erase()
	x.ended = true
}

func (x *watch) draw(seconds float64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended || x.text == "" {
		return
	}
	line := fmt.Sprintf("%s, %.0f s; control-C stops it", x.text, seconds)
	fmt.Fprintf(x.world.rawErr, "\r\x1b[K%s", line[:min(len(line), progressWidth)]) // it is ASCII
	x.drawn = true
}
