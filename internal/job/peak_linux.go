package job

import "syscall"

// peakMemory is the largest resident set of the process so far, in bytes.
func peakMemory() uint64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return uint64(r.Maxrss) * 1024
}
