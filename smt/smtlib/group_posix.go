//go:build unix && !linux

package smtlib

import "syscall"

// attributes of the solver's process. If we are killed it ends when it has
// answered and its input is at its end.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
