package sample

import (
	"os"
	"runtime/debug"
)

// A test makes much garbage and keeps little of it, so garbage is collected more seldom than by default: of the tests
// of the C library's models that took a third of the processor's time. Whoever sets GOGC decides for themselves.
const (
	relaxedPercent = 400
	softLimit      = 2 << 30 // bytes, of one test binary
)

func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(relaxedPercent)
		debug.SetMemoryLimit(softLimit)
	}
}
