// Package toy is changed by the test of bench/mutants.
package toy

// Larger is the larger of two numbers.
func Larger(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// Untested has no test.
func Untested(a int) int {
	return a + 1
}

// Rounds counts to n.
func Rounds(n int) int {
	i := 0
	for i < n {
		i++
	}
	return i
}
