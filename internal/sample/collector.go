package sample

import (
	"os"
	"runtime/debug"
)

// A test makes much garbage and keeps little of it, so garbage is collected more seldom than by default: a quarter of
// a suite's time is saved. Whoever sets GOGC decides for themselves.
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
