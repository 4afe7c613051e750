//go:build !linux

package smtlib

import "syscall"

// attributes of the solver's process: nothing special. If we are killed it ends
// when it has answered and its input is at its end.
func attributes() *syscall.SysProcAttr { return nil }
