// Package drup checks proofs of unsatisfiability: sequences of clauses each of
// which follows from the earlier ones by unit propagation (reverse unit
// propagation, RUP), with deletions.
//
// A [Log] is filled by a solver as its [sat.Proof] and by the caller with the
// input clauses; [Log.Check] goes through it. The checker scans all clauses
// over and over: it is slow, and simple enough to be believed.
//
//	var log drup.Log
//	s := sat.New()
//	s.SetProof(&log)
//	… log.Input(clause); s.AddClause(clause...) …
//	s.Solve(ctx)                                  // sat.Unsat
//	err := log.Check()                            // nil: every step follows
//	ok := log.Proves(nil)                         // the empty clause is among them
//
// Source: Goldberg, Novikov (2003); the format is that of the SAT competitions
// (DRUP; Heule, Hunt, Wetzler 2013). Left out: RAT steps, files.
package drup
