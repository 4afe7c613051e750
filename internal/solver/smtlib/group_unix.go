//go:build unix

package smtlib

import (
	"os"
	"syscall"
)

// kill ends a solver with all that it has started. They are a group of their own,
// so that an interrupt typed at the terminal is ours to deal with.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
