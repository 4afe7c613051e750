package main

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A peer is a procedure that reads from a pipe.
type peer struct {
	name  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	round time.Duration // what an empty question takes
}

// arguments make a procedure read SMT-LIB from its standard input.
var arguments = map[string][]string{
	"z3":       {"-in"},
	"cvc5":     {"--lang=smt2", "--incremental"},
	"bitwuzla": {"--lang=smt2"},
}

// startPeer starts a procedure that knows what the preamble says.
func startPeer(name, preamble string) (*peer, error) {
	p := &peer{name: name, cmd: exec.Command(name, arguments[name]...), lines: make(chan string)}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	var rounds []time.Duration
	for k := range 200 {
		text := "(echo \"x\")\n"
		if k == 0 {
			text = preamble + text
		}
		_, took, err := p.ask(text, time.Minute)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, took)
	}
	p.round = slices.Sorted(slices.Values(rounds))[100]
	return p, nil
}

// ask is the line that comes back, "" if none does within the limit.
func (p *peer) ask(text string, limit time.Duration) (string, time.Duration, error) {
	begin := time.Now()
	if _, err := io.WriteString(p.in, text); err != nil {
		return "", 0, err
	}
	select {
	case line, ok := <-p.lines:
		if !ok || strings.HasPrefix(line, "(error") {
			return "", 0, fmt.Errorf("%s: %s", p.name, line)
		}
		return line, time.Since(begin), nil
	case <-time.After(limit):
		return "", limit, nil
	}
}

func (p *peer) end() {
	_ = p.cmd.Process.Kill()
	for range p.lines { // until it has ended
	}
	_ = p.cmd.Wait()
}
