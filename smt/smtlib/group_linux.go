package smtlib

import "syscall"

// attributes of the solver's process: it ends with us, also when we are killed
// in the middle of a query, of which it would not notice that nobody waits for
// it. The thread that started it must live as long; threads end early only if a
// goroutine is locked to them, which none of ours is.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
