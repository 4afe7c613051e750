package lower

// Loops that wait for a condition variable.
//
// Idea: as conditions may wake up at any time, `while (!p) pthread_cond_wait(&c, &m);` may go
// round any number of times, and no unrolling has all runs. But of a run with several
// unwindings all but the last can be taken out: the thread gives the mutex back, looks at nothing
// else, and takes it at the end of the last one. What other threads do in between they do as well
// while it does not hold the mutex at all. So the loop is unwound once, and p is assumed after it.
//
// Where it is asked whether threads wait for ever, a thread waits for a signal, or wakes up without one,
// which is chosen before it waits: a run in which it never does is a run too. A thread that has a signal has
// used it up, so all such unwindings stand. Of unwindings without one behind each other, all but the last can
// be taken out as above; so the loop is
//
//	while (!p) { if (choice) { wait without a signal; if (p) break; } wait for a signal; }
//
// which ends where signals do.
//
// The other threads must not see that the mutex was held for a while: programs that try for
// locks are excluded. The condition must do nothing.
//
// Source: the last iteration of spin loops, as in the unroller of package threads. Cost: none.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// waitsOnly reports whether a loop does nothing but wait for a condition variable until
// something holds.
func (l *statements) waitsOnly(n *cc.IterationStatement) bool {
	if !l.threading.concurrent() || n.Case != cc.IterationStatementWhile || !l.harmless(n.ExpressionList) {
		return false
	}
	for _, f := range []string{"pthread_mutex_trylock", "pthread_mutex_timedlock", "mtx_trylock",
		"mtx_timedlock", "pthread_mutex_destroy"} {
		if l.prog.ModelOf(f) != nil && (f != "pthread_mutex_destroy" || l.opt.CheckPointers) {
			return false
		}
	}
	call, ok := onlyStatement(n.Statement).(*cc.PostfixExpression)
	if !ok || call.Case != cc.PostfixExpressionCall {
		return false
	}
	name := source.CalleeName(call)
	return slices.Contains([]string{"pthread_cond_wait", "pthread_cond_timedwait", "cnd_wait", "cnd_timedwait"}, name) &&
		l.prog.ModelOf(name) != nil && l.prog.Body(l.fr.proc.File, name) == nil &&
		!slices.ContainsFunc(source.Arguments(call), func(a cc.ExpressionNode) bool { return !l.harmless(a) })
}

// onlyStatement is the expression that a statement is, or a block of one; nil for others.
func onlyStatement(s *cc.Statement) cc.ExpressionNode {
	for s.Case == cc.StatementCompound {
		list := s.CompoundStatement.BlockItemList
		if list == nil || list.BlockItemList != nil || list.BlockItem.Case != cc.BlockItemStmt {
			return nil
		}
		s = list.BlockItem.Statement
	}
	if s.Case != cc.StatementExpr || s.ExpressionStatement.ExpressionList == nil {
		return nil
	}
	return source.Unparen(s.ExpressionStatement.ExpressionList)
}

// wakeUp says how a thread that waits for a condition wakes up.
type wakeUp int

const (
	anyHow wakeUp = iota
	withoutSignal
	bySignal
)

// waitsForSignals reports whether it matters which signals threads get that wait for conditions.
func (l *threading) waitsForSignals() bool { return l.opt.Deadlocks && l.concurrent() }

// early is whether a thread that waits for a condition here wakes up without a signal.
func (l *threading) early(t expr.Type, pos cfa.Pos) *expr.Expr {
	switch {
	case !l.waitsForSignals() || l.wakes == withoutSignal:
		return l.Pool.Int(t, 1)
	case l.wakes == bySignal:
		return l.Pool.Int(t, 0)
	}
	return l.Any(t, cfa.WakesUp, "", pos)
}

// signalLoop lowers such a loop where signals matter.
func (l *statements) signalLoop(n *cc.IterationStatement, pos cfa.Pos) {
	head := l.join(pos)
	l.head(head, pos, true)
	in, exit := l.expressions.cond(n.ExpressionList)
	l.Decide(in, exit)
	l.Continue(in)
	choice := l.Any(expr.Type{Width: 8}, cfa.WakesUp, "", pos)
	early, late := l.Branch(l.Pool.Ne(choice, l.Pool.Int(choice.Type(), 0)), pos)
	l.Continue(early)
	l.waits(n, withoutSignal)
	again, done := l.expressions.cond(n.ExpressionList)
	l.Continue(append(late, again...))
	l.waits(n, bySignal)
	l.Patch(l.Ends(), head)
	l.Continue(append(exit, done...))
}

// waits lowers the call that is the body of such a loop.
func (l *statements) waits(n *cc.IterationStatement, how wakeUp) {
	l.threading.wakes = how
	l.expressions.discard(onlyStatement(n.Statement))
	l.threading.wakes = anyHow
}

// waitLoop lowers such a loop.
func (l *statements) waitLoop(n *cc.IterationStatement, pos cfa.Pos) {
	if l.threading.waitsForSignals() {
		l.signalLoop(n, pos)
		return
	}
	in, exit := l.expressions.cond(n.ExpressionList)
	l.Decide(in, exit)
	l.Continue(in)
	l.expressions.discard(onlyStatement(n.Statement))
	again, done := l.expressions.cond(n.ExpressionList)
	l.Continue(again)
	l.Halt("it waits on", pos)
	l.Continue(append(exit, done...))
}
