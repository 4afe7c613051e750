// Package portfolio shares counted effort among methods that look for an answer to one question.
//
// A [Method] works in shares of effort, and says after each whether it goes on, has given up, or has the
// answer. A [Session] is a list of methods and a [Rule], which says from the shares so far whose is next.
// Effort is counted and never timed, so which method answers does not depend on the machine:
//
//	s := portfolio.New("auto", portfolio.Rounds{First: 500, Times: 3, Per: 2}, search, backward, bounds)
//	for {
//		step := s.Step(ctx)
//		if end, ok := step.Event.(portfolio.Ended[*Outcome]); ok {
//			return end.Outcome
//		}
//	}
//
// A method may pause within its share, to be looked at; [Session.Mark] and [Session.Return] go back.
//
// A session is a method as well, so portfolios may hold portfolios. [Session.Rows] says of each method how
// much effort it was given, how much it has made, and what came of it.
//
// The package knows neither programs nor what an answer is: that is the type parameter.
package portfolio
