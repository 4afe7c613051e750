// Package elementary encloses the values that exp, log, sin, pow and functions like them have at given
// numbers.
//
//	lo, hi, ok := elementary.Enclose(softfloat.Double, "exp", one)   // two doubles, with e between them
//	v, ok := elementary.Exact(softfloat.Double, "pow", two, half)    // false: sqrt(2) is no double
//
// The mathematical value lies between lo and hi, which are next to each other. What a library computes is near it: how
// near is not known here. Numbers for which the value is special (NaN, infinities, poles, no value) or near the ends of
// the format, and functions that are not known, are refused.
package elementary
