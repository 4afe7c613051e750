//go:build !unix

package smtlib

import (
	"os/exec"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return nil }

func kill(c *exec.Cmd) { _ = c.Process.Kill() }
