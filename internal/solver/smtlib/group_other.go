//go:build !unix

package smtlib

import (
	"os"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return nil }

func kill(p *os.Process) { _ = p.Kill() }
