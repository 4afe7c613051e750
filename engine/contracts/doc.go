// Package contracts proves claims about components whose procedures call themselves, by what each call does as a
// relation between the values at its beginning and at its end.
//
// A contract of a procedure is what holds where it is called (its precondition), what then holds where it returns,
// and what holds where its loops close. Conditions speak of values at the entry of the call and of values now, such
// as `result == m + n` or `counter now == counter + (1 << n) - 1`:
//
//	search, err := contracts.New(ctx, comp, solver, spec)
//	answer, err := search.Go(ctx, effort)   // Proved, or GivenUp with the reason, or neither yet
//
// Candidates are suggested by runs of single procedures with small arguments: equations that these satisfy, tables of
// few values, bounds. Those that do not follow from all others are left out until the rest is a proof of itself.
//
// SOUND: whatever suggests a candidate, each contract is shown of the body of its procedure, where calls are taken
// for anything that the contracts of their callees allow. That holds of a call of any depth if it holds of those
// within it, and there is a first call that returns.
//
// To read it: search.go (what is proved, and how), paths.go (bodies as paths), runs.go (samples), suggest.go
// (candidates), fit.go (equations).
//
// Left out: violations; specifications with more than one state; bodies with many paths; memory without variables;
// that calls return. [Search.Contracts] are what a certificate of the proof lists.
package contracts
