// Package cert checks proofs that bad configurations of a parameterised system cannot be reached.
//
//	err := cert.Check(ctx, model, 0, proof)     // nil: the proof holds for property 0
//
// It shares nothing with the searches that find proofs: it reads the model as it was written, turns
// what has to hold into conjunctions of inequalities over integers, and decides those by eliminating
// one variable after the other (Fourier and Motzkin). What it cannot decide it does not accept.
package cert
