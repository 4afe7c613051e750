package smtlib

// The child process: commands go in, answers come out, and it can be killed
// at any time from another goroutine.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

type process struct {
	name string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  io.ReadCloser
	w    *bufio.Writer
	r    reader
	said tail
	once sync.Once
	sent int // bytes of all commands
}

// start runs the solver and sets it up.
func start(c Config, logic string) (*process, error) {
	name, path, args, err := c.command()
	if err != nil {
		return nil, err
	}
	p := &process{name: name, cmd: exec.Command(path, args...)}
	p.cmd.Stderr = &p.said
	p.cmd.SysProcAttr = attributes()
	p.cmd.WaitDelay = time.Second // for grandchildren that hold stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("solver %s cannot be run: %w", name, err)
	}
	p.w = bufio.NewWriter(p.in)
	p.r = reader{r: bufio.NewReader(p.out)}
	p.send("(set-option :print-success false)\n(set-option :produce-models true)\n" +
		"(set-option :produce-unsat-assumptions true)\n(set-logic " + logic + ")\n")
	return p, nil
}

// send writes commands; errors show when the answer is read.
func (p *process) send(parts ...string) {
	for _, s := range parts {
		p.w.WriteString(s)
		p.sent += len(s)
	}
}

// answer reads the answer to the commands sent.
func (p *process) answer() (sexpr, error) {
	if err := p.w.Flush(); err != nil {
		return sexpr{}, p.gone(err)
	}
	s, err := p.r.next()
	switch {
	case errors.Is(err, errAnswer):
		return sexpr{}, fmt.Errorf("solver %s answers nonsense: %w", p.name, err)
	case err != nil:
		return sexpr{}, p.gone(err)
	case len(s.list) == 2 && s.list[0].atom == "error":
		return sexpr{}, fmt.Errorf("solver %s reports an error: %s", p.name, s.list[1])
	}
	return s, nil
}

// gone says how the process ended.
func (p *process) gone(err error) error {
	p.kill()
	why := err.Error()
	if p.cmd.ProcessState != nil && !p.cmd.ProcessState.Success() {
		why = p.cmd.ProcessState.String()
	}
	if s := p.said.String(); s != "" {
		why += ": " + s
	}
	return fmt.Errorf("solver %s ended before it answered: %s", p.name, why)
}

// kill ends the process and closes the pipes, so that a blocked read or write
// returns. It is safe to call from any goroutine and more than once.
func (p *process) kill() {
	p.once.Do(func() {
		p.in.Close()
		p.out.Close()
		kill(p.cmd)
		p.cmd.Wait()
	})
}

// A tail keeps the last bytes written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailBytes = 400

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if n := len(t.buf) - tailBytes; n > 0 {
		t.buf = append(t.buf[:0], t.buf[n:]...)
	}
	return len(b), nil
}

// String is what was kept, as one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(strings.Fields(string(bytes.ToValidUTF8(t.buf, nil))), " ")
}
