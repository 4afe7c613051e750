// Command magus verifies that a C program conforms to a specification given as a
// labelled transition system. Its commands are described by `magus --help`.
package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"magus/app/cli"
	"magus/app/job"
)

func main() {
	job.RelaxCollector()
	ctx, cancel := context.WithCancel(context.Background())
	s := &signals{end: cancel, arrived: make(chan os.Signal, 1)}
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // as nohup wants it, and shells for what runs in the background
			signal.Notify(s.arrived, sig)
		}
	}
	ignoreFileSize()
	go s.serve()
	w := cli.System()
	quieten()
	w.Interrupt = s.interrupt
	os.Exit(cli.Main(ctx, os.Args[1:], w))
}

// quieten lets what a library writes to the standard error by itself go nowhere: the C
// front end does so, for debugging, on some inputs. What magus has to say goes to the
// file that the world was given, and the runtime's messages do not go through os.Stderr.
func quieten() {
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stderr = null
	}
}

// signals ends the program in good order at the first signal; from then on
// signals do what they do by default, so a second one kills. While a command of
// the shell runs, an interrupt stops that command only.
type signals struct {
	end     func()
	arrived chan os.Signal

	mu      sync.Mutex
	command func() // stops the command that runs; nil if there is none
}

func (s *signals) serve() {
	for sig := range s.arrived {
		s.mu.Lock()
		stop := s.command
		s.mu.Unlock()
		if sig == os.Interrupt && stop != nil {
			stop()
			continue
		}
		s.end()
		signal.Stop(s.arrived)
		return
	}
}

// interrupt lets interrupts call f until the result is called.
func (s *signals) interrupt(f func()) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.command
	s.command = f
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.command = before
	}
}
