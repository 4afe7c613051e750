// Package paramtest writes small random parameterised systems for tests, and explores systems of a few
// processes by brute force.
package paramtest
