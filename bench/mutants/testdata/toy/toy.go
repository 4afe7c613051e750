// Package toy is changed by the test of bench/mutants.
package toy

// Larger is the larger of two numbers.
func Larger(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// Wait waits until it is over.
func Wait(over func() bool) {
	for !over() {
	}
}
