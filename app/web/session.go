package web

// One session that a terminal and pages share.
//
// Idea: commands have the shell alone, one after the other (alone). What pages are shown is a
// state, made after each command while it still has the shell; whoever asks is given the last one,
// so no page waits for a command. A page remembers which state it has, and is told when there is
// another one.

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"magus/app/repl"
)

// A Shared is a session that pages and a terminal share.
type Shared struct {
	outer repl.Host   // the terminal's
	shell *repl.Shell // nil if there is another one
	other Other
	tour  string

	alone  sync.Mutex    // who has it has the shell, and what is below
	now    *repl.Present // nil before something is loaded
	before *repl.Present // the command that changed it last; nil if it begins a session

	looks sync.Mutex // one picture is drawn at a time

	mu       sync.Mutex // of what is below
	served   bool       // there may be pages; else no states are made
	state    *State
	revision int
	changed  chan struct{} // is closed when there is another state
	current  *running      // nil if nothing runs
	closed   bool          // nothing begins any more
	reserved bool          // a page's command comes next
	undraw   func()        // ends the picture that is drawn; nil if none is
	stops    []func()      // of commands that run, the innermost last
	above    *whole        // prints above the terminal's prompt; nil: there is none
	work     sync.WaitGroup
	ended    chan struct{}
	status   int
}

// New is a session whose terminal is that of a host.
func New(outer repl.Host) *Shared {
	return &Shared{outer: outer, changed: make(chan struct{}), ended: make(chan struct{}),
		state: emptyState()}
}

// An Other is a shell of another kind than those of package repl.
type Other interface {
	// Do executes a line that a page gives. The error is a [repl.Closed] if the line leaves the shell.
	Do(ctx context.Context, line string) error
	// Show fills in what pages show of it: the session, the sources, and what it has of its own.
	Show(*State)
}

// Host is the host of the shell that is shared.
func (s *Shared) Host() repl.Host {
	h := s.outer
	h.Out, h.Err = &tee{s, s.outer.Out}, &tee{s, s.outer.Err}
	h.Interrupt = s.interrupt
	h.Watch = s.watch
	return h
}

// Attach makes a shell the one that is shared; tour is the example that the page leads through, ""
// for none.
func (s *Shared) Attach(sh *repl.Shell, tour string) {
	s.shell, s.tour = sh, tour
	sh.Share(s)
}

// AttachOther makes a shell of another kind the one that is shared.
func (s *Shared) AttachOther(o Other) { s.other = o }

// execute executes a line of a page.
func (s *Shared) execute(ctx context.Context, line string) error {
	if s.other != nil {
		return s.other.Do(ctx, line)
	}
	return s.shell.Do(ctx, line, allowed)
}

// Above lets what pages' commands print appear above the prompt of the terminal.
func (s *Shared) Above(w io.Writer) { s.above = &whole{to: w} }

// interrupt is [repl.Host.Interrupt]: besides the user at the terminal, pages interrupt.
func (s *Shared) interrupt(f func()) (stop func()) {
	end := s.outer.Interrupt(f)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stops = append(s.stops, f)
	n := len(s.stops)
	return func() {
		s.mu.Lock()
		s.stops = s.stops[:n-1]
		s.mu.Unlock()
		end()
	}
}

// Stop interrupts the command that runs, if one does.
func (s *Shared) Stop() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || len(s.stops) == 0 {
		return false
	}
	s.stops[len(s.stops)-1]()
	return true
}

// Interrupted implements [repl.Beside].
func (s *Shared) Interrupted() { s.Stop() }

// Alone implements [repl.Beside].
func (s *Shared) Alone(line string, execute func()) {
	s.mu.Lock()
	if s.undraw != nil {
		s.undraw()
	}
	s.mu.Unlock()
	s.alone.Lock()
	defer s.alone.Unlock()
	s.begin(line, fromTerminal)
	execute()
	s.finish("")
}

// Quietly implements [repl.Beside].
func (s *Shared) Quietly(f func()) {
	s.alone.Lock()
	defer s.alone.Unlock()
	f()
}

// Completing is a completion that has no candidates while a page's command runs.
func (s *Shared) Completing(complete func(text string) ([]string, string)) func(text string) ([]string, string) {
	return func(text string) ([]string, string) {
		if !s.alone.TryLock() {
			return nil, ""
		}
		defer s.alone.Unlock()
		return complete(text)
	}
}

const (
	fromTerminal = "terminal"
	fromPage     = "page"
)

// errBusy refuses an act while another command runs.
var errBusy = errors.New("another command runs; stop ends it")

// Do executes a line of a page in the background, and gives the revision that says so. Its error is
// that of not beginning.
func (s *Shared) Do(ctx context.Context, line string) (revision int, err error) {
	if err := s.reserve(ctx); err != nil {
		return 0, err
	}
	begun := make(chan int, 1)
	go func() {
		defer s.work.Done()
		s.alone.Lock() // a picture is drawn, or the terminal was quicker
		defer s.alone.Unlock()
		begun <- s.begin(line, fromPage)
		s.echo(line)
		err := s.execute(ctx, line)
		var closed *repl.Closed
		switch {
		case errors.As(err, &closed):
			s.leave(closed.Status)
			s.finish("")
		case err != nil:
			s.complain(err.Error())
			s.finish(err.Error())
		default:
			s.finish("")
		}
	}()
	return <-begun, nil
}

// reserve makes sure that no other command runs or comes next, and that no picture is in the way.
func (s *Shared) reserve(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed || s.state.Busy.Ended || ctx.Err() != nil:
		return errors.New("the shell was left")
	case s.current != nil || s.reserved:
		return errBusy
	}
	s.reserved = true
	s.work.Add(1)
	if s.undraw != nil {
		s.undraw()
	}
	return nil
}

// Look calls f with the shell, unless a command runs. Its context ends when a command comes.
func (s *Shared) Look(ctx context.Context, f func(context.Context) error) error {
	s.looks.Lock()
	defer s.looks.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.mu.Lock()
	if s.current != nil || s.reserved {
		s.mu.Unlock()
		return errBusy
	}
	s.undraw = func() { cancel(errBusy) }
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.undraw = nil
		s.mu.Unlock()
	}()
	s.alone.Lock()
	defer s.alone.Unlock()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	err := f(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// leave says that the shell is to end.
func (s *Shared) leave(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
	close(s.ended)
}

// Ended is closed when a page has left the shell; Status is the exit status then.
func (s *Shared) Ended() <-chan struct{} { return s.ended }

// Status is the exit status that a page has given.
func (s *Shared) Status() (status int, left bool) {
	select {
	case <-s.ended:
		return s.status, true
	default:
		return 0, false
	}
}

// Began makes the first state, once files are loaded.
func (s *Shared) Began(read func() error) error {
	s.alone.Lock()
	defer s.alone.Unlock()
	s.begin("", fromTerminal)
	err := read()
	s.finish("")
	return err
}

// begin notes what runs, and gives the revision that says so.
func (s *Shared) begin(line, from string) (revision int) {
	s.mu.Lock()
	s.reserved = s.reserved && from != fromPage
	s.current = &running{command: strings.TrimSpace(line), from: from, seconds: s.outer.Seconds()}
	next := *s.state
	next.Busy = &Busy{Command: s.current.command, From: from}
	s.publish(&next)
	defer s.mu.Unlock()
	return s.revision
}

// finish makes the state after a command.
func (s *Shared) finish(problem string) {
	s.mu.Lock()
	if s.above != nil {
		_ = s.above.flush() // the terminal has no errors that matter here
	}
	if !s.served {
		s.current = nil
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	next := s.present()
	_, left := s.Status()
	s.mu.Lock()
	defer s.mu.Unlock()
	next.Busy = &Busy{Ended: left}
	next.Log = s.state.Log
	if r := s.current; r != nil && (r.command != "" || r.text.Len() > 0) {
		next.Log = append(next.Log[max(0, len(next.Log)-mostEntries+1):len(next.Log):len(next.Log)],
			Entry{Command: r.command, From: r.from, Text: r.text.String(), Error: problem,
				Seconds: s.outer.Seconds() - r.seconds})
	}
	s.current = nil
	s.publish(next)
}

// present is the state of what the shell is about.
func (s *Shared) present() *State {
	if s.other != nil {
		next := emptyState()
		s.other.Show(next)
		return next
	}
	present, ok := s.shell.Present(context.Background())
	if ok {
		s.follow(&present)
	}
	return s.stateOf(present, ok)
}

// follow keeps what there was before what is there now.
func (s *Shared) follow(p *repl.Present) {
	switch {
	case s.now == nil || p.At == 0:
		s.before = nil
	case s.now.At != p.At || len(s.now.Moments) != len(p.Moments):
		s.before = s.now
	}
	s.now = p
}

// publish makes a state the present one. The caller holds mu.
func (s *Shared) publish(next *State) {
	s.state = next
	s.revision++
	close(s.changed)
	s.changed = make(chan struct{})
}

// last is the present state, and what tells when there is another one.
func (s *Shared) last() (*State, int, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state, s.revision, s.changed
}

// Close waits for what runs; the context that it was begun with has to end before.
func (s *Shared) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.Stop()
	s.work.Wait()
}
