//go:build !race

package minimize

// abort makes the search panic at its next heartbeat and waits for its end.
// Closing a channel that another goroutine sends on is the one way to stop
// gophersat; see abort_race.go for the build with the race detector.
func abort(heartbeat chan string, ended <-chan outcome) outcome {
	close(heartbeat)
	return <-ended
}
