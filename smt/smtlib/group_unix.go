//go:build unix

package smtlib

import (
	"os/exec"
	"syscall"
)

// kill ends a solver with all that it has started. They are a group of their own,
// so that an interrupt typed at the terminal is ours to deal with.
func kill(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
