//go:build !unix

package main

import "time"

var started = time.Now()

// processorTime is not known here; elapsed time stands in.
func processorTime() time.Duration { return time.Since(started) }
