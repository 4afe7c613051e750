package lower

// Calls by summaries.
//
// Idea: most procedures do nothing that a rule is about. A call of one stays a call: it may change whatever its body
// may store to, and gives any result. So the automaton has all runs, and more. Where a counterexample takes
// such a call, it decides on a value that the body gives, and so asks for the body; the component is then
// lowered with that inlined. Of a procedure that does something that the rule is about, a contract says in
// which states its calls keep the rule, and in which they end; in other states a run asks for the body as
// well. Bodies that call each other in a circle need no depth.
//
// Source: lazy inlining of Lal, Qadeer, Lahiri: A Solver for Reachability Modulo Theories (CAV 2012), section
// 4. Deviation: a summary is no formula over the variables, only what may be stored to.
//
// Cost: one lowering of each body out of line, and one of the component for each body that is asked for.

// isSummarised reports whether a call of a procedure stays a call.
func (l *calls) isSummarised(c *callSite) bool {
	if l.opt.Summarised == nil || !l.opt.Summarised(c.body) {
		return false
	}
	if ret := l.ctypeOf(c.body.Type.Result()); ret.class == classAggregate || ret.class == classOther {
		return false
	}
	return l.fr.isOutOfLine() || l.opt.Inlined == nil || !l.opt.Inlined(c.name)
}

// summarised lowers a call by its summary.
func (l *calls) summarised(c *callSite) value {
	contract := l.observing.contract(c)
	l.observing.keeps(contract, c)
	v := l.abstracted(c)
	if l.Dead() || l.fr.isOutOfLine() {
		return v
	}
	yes, no := l.observing.byBody("whether "+c.name+" returns", c)
	if l.Continue(no); len(no) > 0 {
		l.Halt(c.name, c.pos)
	}
	l.Continue(yes)
	l.observing.endsIn(contract, c)
	return v
}
