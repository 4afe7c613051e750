package job

// The garbage collector of a short run.
//
// Idea: most checks need some ten megabytes, and by default the collector then
// runs every few milliseconds, with the help of every idle processor: on small
// programs it took a third of the time. So while little is in use, garbage may
// grow to four times as much, while a project is read to twice as much, and from then on to
// as much, as by default. Whoever sets GOGC decides for themselves.
//
// Cost: a finalizer for each collection until then.

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	relaxedPercent = 400
	defaultPercent = 100
	littleInUse    = 16 << 20 // bytes
)

// percentAt is how much garbage there may be, in percent of what is in use.
func percentAt(inUse uint64) int {
	switch {
	case inUse <= littleInUse:
		return relaxedPercent
	case inUse <= 16*littleInUse:
		return relaxedPercent / 2
	}
	return defaultPercent
}

// RelaxCollector makes the collector run less often while little memory is in
// use. It is for programs that end with one check.
func RelaxCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(relaxedPercent)
	afterCollection(func() bool {
		percent := percentAt(live())
		debug.SetGCPercent(percent)
		return percent != defaultPercent
	})
}

// live is the memory that was in use after the last collection, in bytes.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// afterCollection calls f after every collection until it returns false.
func afterCollection(f func() bool) {
	token := new([64]byte) // too large to share a block with what lives longer
	runtime.SetFinalizer(token, func(*[64]byte) {
		if f() {
			afterCollection(f)
		}
	})
}
