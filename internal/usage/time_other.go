//go:build !unix

package usage

import "time"

var started = time.Now()

// Time is the time since the process began: what it used of the processor is not known
// here.
func Time() time.Duration { return time.Since(started) }
