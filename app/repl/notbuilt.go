package repl

import (
	"fmt"

	"magus/engine/cegar"
	"magus/evidence/verdict"
)

// A NotBuiltError says that there is no such abstraction, and why.
type NotBuiltError struct {
	What string
	// Ended says that the check has ended, so that nothing builds it; Engine is which engine
	// decided before, "" if none did.
	Ended  bool
	Engine string
}

func (e *NotBuiltError) Error() string {
	switch {
	case e.Engine != "":
		return e.Reason() + "; set engine loop and reload, and the loop builds it"
	case e.Ended:
		return e.Reason()
	}
	return e.What + " is not built yet; step builds it"
}

// Reason is why there is none, where the check has ended.
func (e *NotBuiltError) Reason() string {
	if e.Engine != "" {
		return fmt.Sprintf("%s is not built: %s decided the claim before the loop came there", e.What, e.Engine)
	}
	return e.What + " is not built: the check ended before"
}

// notBuilt is the error where an abstraction is asked for that is not there.
func (sh *loaded) notBuilt(what string) error {
	return notBuiltIn(sh.session.View(), what)
}

func notBuiltIn(v cegar.View, what string) error {
	e := &NotBuiltError{What: what}
	if o := v.Outcome; o != nil {
		e.Ended = true
		if l := o.Loop; l != nil && o.Verdict != verdict.Unknown {
			switch {
			case l.Executed > 0:
				e.Engine = "the only run"
			case l.Cells:
				e.Engine = "a proof about one element of each array"
			case l.Induction:
				e.Engine = "k-induction"
			case l.Summaries:
				e.Engine = "summaries"
			case l.Contracts:
				e.Engine = "contracts"
			case l.Bounded:
				e.Engine = "the bounded search"
			}
		}
	}
	return e
}
