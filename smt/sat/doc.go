// Package sat decides propositional formulas in conjunctive normal form by
// conflict-driven clause learning.
//
// A [Solver] is incremental: variables and clauses are added between calls of
// [Solver.Solve], and each call may assume literals that hold for that call
// only. After Sat, [Solver.Value] is a model; after Unsat, [Solver.Core] names
// assumptions that contradict the clauses. What a call learns from the clauses
// is kept for the next one.
//
//	s := sat.New()
//	a, b := sat.Pos(s.NewVar()), sat.Pos(s.NewVar())
//	s.AddClause(a.Not(), b)                      // a implies b
//	r, _ := s.Solve(ctx, a, b.Not())             // sat.Unsat
//	fmt.Println(s.Core())                        // both assumptions
//
// Where the clauses define gates (Tseitin's encoding), [Solver.SolveCone]
// works on the variables of one query and leaves all other gates alone.
//
// Proofs: with a [Proof] attached every learned clause is reported as it is
// learned; package drup checks such proofs.
//
// Left out: preprocessing that removes variables (it does not go with
// assumptions over any variable), XOR reasoning, parallel search; vivification
// of learned clauses and target phases in stable mode, which were built,
// measured and made no query of runs faster (docs/design.md has the figures).
package sat
