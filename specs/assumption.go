package specs

import (
	"context"

	"magus/lts"
)

// An LTS that stands in for a procedure (Chaki et al., "Efficient Verification
// of Sequential and Concurrent C Programs" (2004), section 3.4) has to obey
//
//	for every state s: s -a-> STOP iff a is a return action,
//
// and has to have a way to STOP only through a return. STOP is any state
// without transitions that is not ERROR. Where it may be that the procedure
// never returns, its LTS may stop without a return. Cost: that of
// building the LTS.

// CheckProcedureLTS returns nil if the process of that name can be assumed of
// a procedure's calls: STOP is reached by return actions and by nothing else,
// nothing comes after a return, returns are unqualified, and ERROR is not
// reached. With mayStop it may stop without a return. Otherwise the error names the
// first place, in the order of a breadth-first search, where it is not so, or says that
// ctx ended.
func (f *File) CheckProcedureLTS(ctx context.Context, name string, mayStop bool) error {
	g, err := f.graph(ctx, name, lts.NewActions())
	if err != nil {
		return err
	}
	out := make([][]edge, len(g.states))
	for _, e := range g.edges {
		out[e.from] = append(out[e.from], e)
	}
	p := f.processes[name]
	start := p.defs[0].pos
	if g.errors[g.init] {
		return f.errorAt(start, "%s cannot be assumed of a procedure: it is ERROR%s", name, mustNot)
	}
	if len(out[g.init]) == 0 && !mayStop {
		return f.errorAt(start, "%s cannot be assumed of a procedure: it stops without a return%s", name, waits)
	}
	seen := make([]bool, len(g.states))
	seen[g.init] = true
	for todo := []int{g.init}; len(todo) > 0; todo = todo[1:] {
		for _, e := range out[todo[0]] {
			if why := f.unfit(e, g.errors[e.to], len(out[e.to]) == 0, mayStop); why != "" {
				if !e.pos.IsValid() {
					e.pos = start
				}
				return f.errorAt(e.pos, "%s cannot be assumed of a procedure: %s", name, why)
			}
			if !seen[e.to] {
				seen[e.to] = true
				todo = append(todo, e.to)
			}
		}
	}
	return nil
}

// What is wrong with an LTS in the place of a call, and what to write instead.
const (
	waits = ", and whoever calls it would wait for ever; " +
		"end it with what it returns: return -> STOP for anything, or return {$0 == 0} -> STOP; " +
		"only what has no body, or is declared noreturn, may do without"
	mustNot = ", but calls mean what it says that the procedure does; " +
		"what must not happen belongs in the specification that is checked"
)

// unfit says why the transition e has no place in the LTS of a procedure, or
// nothing.
func (f *File) unfit(e edge, toError, toEnd, mayStop bool) string {
	r, isReturn := f.returns[e.label]
	switch {
	case toError:
		return e.label + " leads to ERROR" + mustNot
	case isReturn && r.Component != "":
		return e.label + " is the return of a component; write the procedure's own without " + r.Component + ":"
	case isReturn && !toEnd:
		return "after " + e.label +
			" only STOP can come, for then the call is over; what the procedure does has to stand before it"
	case !isReturn && toEnd && !mayStop:
		return "after " + e.label + " it stops without a return" + waits
	}
	return ""
}
