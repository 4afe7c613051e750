package usage

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// Peak is the largest resident set of the process so far, in bytes. It is read from /proc: what getrusage calls
// the process's begins with what its parent had when it started this program.
func Peak() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		for line := range bytes.Lines(status) {
			f := bytes.Fields(line)
			if len(f) == 3 && string(f[0]) == "VmHWM:" && string(f[2]) == "kB" {
				if n, err := strconv.ParseUint(string(f[1]), 10, 64); err == nil {
					return n * 1024
				}
			}
		}
	}
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return uint64(r.Maxrss) * 1024
}
