//go:build !linux

package usage

import "runtime"

// Peak is what the Go runtime has asked of the system, in bytes: never
// less than what it has held at once.
func Peak() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}
