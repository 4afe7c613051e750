// Package verdict represents answers: what is known of a claim after a check,
// whichever engine has done it, with the reason where nothing is known and the
// run where the claim is violated.
//
// An [Outcome] says `conforms`, `violates` or `unknown`. A [Reason] has a kind,
// a text and mostly a place, so that nobody has to read the text to find out
// what happened:
//
//	o.Reason.Kind == verdict.States // a bound on states was reached
//
// Causes with which a context ends can carry a reason, see [Because]: an engine
// that is stopped gives the reason of the cause.
//
// Left out: evidence for `conforms`, which is a certificate (package
// certificate), and how answers are written (package report).
package verdict
