// Package solvertest checks decision procedures against the laws of package
// solver: it draws random conditions of small widths and compares answers,
// models and cores with trying out every valuation. It is for tests only.
package solvertest
