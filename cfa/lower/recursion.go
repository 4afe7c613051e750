package lower

// Recursive calls.
//
// Idea: a recursive call is inlined like any other, down to a depth. A call beyond
// it is a cut: it performs an action that nothing else performs, and the component
// ends there. Whoever asks whether that action can happen knows whether the
// automaton has all runs of the program; a run without it is one of the program
// whatever the depth. Where the callee does nothing but compute (computing.go), the component
// performs another action instead, a skip, and goes on with any value as the result:
// after a skip a run need not be one of the program, but the automaton has all of them.
//
// The depth of a call is the number of recursive calls among those that lead to it,
// itself included: calls of a procedure that has not returned yet. So the procedures of
// a cycle share one bound, and with depth 0 everything is inlined that does not call
// itself.
//
// Recursive instances read parameters that are never stored to, and were given constants,
// as these. Where such a call has become a straight line that only computes a constant,
// that is what all calls with the same arguments give: they are not inlined again.
//
// Source: the bound on unwinding of Clarke, Kroening, Lerda: A Tool for Checking
// ANSI-C Programs (TACAS 2004), section 3, with the action in place of its
// unwinding assertion. Cost: exponential in the depth where a procedure has
// several recursive calls whose arguments are not constant.

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
)

// calling reports whether pr has been called and has not returned.
func (l *calls) calling(pr *source.Procedure) bool {
	for fr := l.fr; fr != nil; fr = fr.parent {
		if fr.proc == pr {
			return true
		}
	}
	return false
}

// isOutOfLine reports whether the instance is one of a body that is looked at for what it
// may write only, which has to be complete.
func (fr *instance) isOutOfLine() bool {
	for ; fr.parent != nil; fr = fr.parent {
	}
	return fr.root != ""
}

// recursive lowers a recursive call that is not followed.
func (l *calls) recursive(c *callSite, pr *source.Procedure) value {
	if l.opt.Cut == "" || l.fr.isOutOfLine() {
		return l.refuse(c.n, "recursive function "+pr.Name, "calls itself: "+l.cycle(pr))
	}
	vals := l.evalArgs(c)
	l.checkStart(c, pr, vals)
	if _, constant := l.constantCall(pr, vals); !constant && !l.threading.concurrent() && l.opt.Skip != "" &&
		!l.Dead() && l.onlyComputes(pr) {
		return l.skip(c, pr)
	}
	if !l.Dead() {
		l.cuts = true
		l.Emit(cfa.Act{Action: l.opt.Cut}, c.pos)
		l.Halt(l.cycle(pr), c.pos)
	}
	return l.dead(c)
}

// skip lowers a recursive call that is not followed and does nothing but compute: its
// result is any value, for proofs only. Where the arguments are constants, following the call is
// better, and ends sooner if nothing comes after it.
func (l *calls) skip(c *callSite, pr *source.Procedure) value {
	l.Emit(cfa.Act{Action: l.opt.Skip, Reason: l.cycle(pr)}, c.pos)
	return l.anyResult(c, "a recursive call that is not followed")
}

// cycle is the chain of calls from pr to itself: "even at a.c:3 → odd → even".
func (l *calls) cycle(pr *source.Procedure) string {
	chain := []string{pr.Name}
	fr := l.fr
	for ; fr.proc != pr; fr = fr.parent {
		chain = append(chain, fr.proc.Name)
	}
	chain = append(chain, fmt.Sprintf("%s at %s:%d", pr.Name, pr.Pos.File, pr.Pos.Line))
	slices.Reverse(chain)
	if len(chain) > 20 {
		chain = slices.Concat(chain[:10], []string{"…"}, chain[len(chain)-10:])
	}
	return strings.Join(chain, " → ")
}

// A constantCall is a recursive call with constant arguments.
type constantCall struct {
	proc *source.Procedure
	args string
}

// constantCall reports whether a call is one.
func (l *calls) constantCall(pr *source.Procedure, vals []value) (call constantCall, ok bool) {
	if !l.calling(pr) {
		return call, false
	}
	var args []string
	for _, v := range vals {
		if v.t == nil {
			return call, false
		}
		t := l.Pool.Subst(v.t, l.fr.constants)
		if !t.IsConst() {
			return call, false
		}
		args = append(args, fmt.Sprint(t.Value()))
	}
	return constantCall{pr, strings.Join(args, " ")}, true
}

// computes reports whether an instance, whose code begins at a location, does nothing but
// compute the constant that it returns: control takes one way only, on which variables
// of its own and of the instances that it calls are assigned values, or the result.
func (l *calls) computes(fr *instance, begin cfa.Loc) bool {
	if fr.result == nil || fr.returned == nil || !fr.returned.IsConst() || l.Dead() || int(begin) >= l.Len() {
		return false
	}
	for at := begin; at >= 0; {
		loc := l.At(at)
		switch s := loc.Stmt.(type) {
		case cfa.Goto:
		case cfa.Assign:
			if s.RHS == nil || s.LHS != fr.result.v && l.Describe(s.LHS).Frame < fr.id {
				return false
			}
		default:
			return false
		}
		if at = loc.Succ[0]; at >= 0 && at <= begin {
			return false // a loop
		}
	}
	return true
}
