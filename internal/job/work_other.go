//go:build !unix

package job

import "time"

var started = time.Now()

// processorTime is not known here; elapsed time stands in.
func processorTime() time.Duration { return time.Since(started) }
