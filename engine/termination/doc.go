// Package termination represents the question whether every run of a component ends.
//
// A [Session] answers it for one claim: with an argument, or with a run that goes round for ever.
//
//	s, err := termination.New(ctx, claim, options)
//	end := s.Step(ctx).(cegar.Ended)
//
// The ways to an argument and to a run are in files of their own:
//
//   - relation.go: what a component does from one head of a loop to the next, as formulas;
//   - invariant.go: what holds at heads;
//   - rank.go, template.go: lexicographic ranking functions, which take steps away until no cycle is left;
//   - lasso.go: a run whose state repeats, executed; recurrence.go: a set that runs need not leave.
//
// Arithmetic is that of the machine: a term that gets smaller with each step, by the order of its type, does so
// finitely often, whatever it is.
//
// Certificates are written in certify.go and, of runs that do not end, in certify_endless.go.
//
// Left out: threads, and runs that wait for ever, which end here.
package termination
