// Package confirm has verdicts checked by their certificates before they are told.
//
// Whoever comes to a verdict, the two-level loop or a method for threads, gives it to [Verdict], with how its
// certificate is made and checked. What the checker refuses is never told: the verdict is unknown then, and the
// reason, of the kind [verdict.Refused], says what is wrong.
//
// A check of a proof may take a tenth of the effort of the proof, and [Least] always; one of a violation, which
// is executed once more, has no limit. Effort is counted, so whether a verdict is checked does not depend on
// the machine. A check that takes more is ended, and the outcome says so.
//
//	conf, refused := confirm.Verdict(ctx, verdict.Conforms, effort, look, func(b *confirm.Budget) error {
//		return c.Check(b, &certificate.Subject{System: s, Solvers: b.Solvers(pools)})
//	})
//
// Left out: whether the certificate is of the right files, for it is never written; and the front end, which
// the checker shares with the search.
package confirm
