// Package findings makes findings of the violations that a check of rules finds: one for each cause, told apart from
// those that are known, and from those that a comment in the source allows.
//
//	set := findings.New(baseline, findings.Allowances(texts))
//	f, first := set.Add(rule, claim) // of a claim that is violated
//
// A baseline is a file with a line for each finding that is known, made for review in a repository:
//
//	# magus baseline 1
//	pthread-mutex pool.c put end after lock
//
// A comment allows what a rule forbids in its line, or, where it has lines of its own, in the next line with code:
//
//	/* magus: allow pthread-mutex: the caller unlocks it */
//
// Left out: which files are read and written, and what is printed.
package findings
