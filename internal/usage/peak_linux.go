package usage

import "syscall"

// Peak is the largest resident set of the process so far, in bytes.
func Peak() uint64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return uint64(r.Maxrss) * 1024
}
