//go:build unix

package usage

import (
	"syscall"
	"time"
)

// Time is what this process has used of the processor so far, garbage collection
// included.
func Time() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it cannot fail for the process itself
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
