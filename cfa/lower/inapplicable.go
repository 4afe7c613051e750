package lower

// Calls to which the abstraction of their routine does not apply.
//
// Idea: an abstraction stands for the calls that its claim is about. A call that is not among
// them, for two of its arguments lead to one object, say, gets the body instead: it is
// inlined. Such calls are found by repetition, as the targets of indirect calls are. A component
// is lowered, the analysis of pointers tells to which calls the abstraction does not
// apply, and the component is lowered again with these inlined, until there are no more.
// Calls by abstractions in an inlined body are checked likewise.
//
// Cost: as many lowerings as there are such calls within each other, at most.

import (
	"fmt"
	"maps"

	"magus/cfa/memory"
	"magus/cfa/source"
)

// inapplicable are the calls to which the abstraction does not apply, each by the calls that
// lead to it.
type inapplicable map[string]bool

// siteOf names a call by the calls that lead to it.
func (l *calls) siteOf(c *callSite) string {
	return fmt.Sprintf("%s/%v:%s", l.fr.path(), c.pos, c.name)
}

// inlinedBody is the body of an abstracted routine that is inlined at a call; nil if the
// abstraction stands there.
func (l *calls) inlinedBody(c *callSite) *source.Procedure {
	if l.fr.isOutOfLine() || !l.inapplicable[l.siteOf(c)] && (l.opt.Inlined == nil || !l.opt.Inlined(c.name)) {
		return nil
	}
	if c.body != nil {
		return c.body
	}
	return l.prog.Body(l.fr.proc.File, c.name)
}

// findInapplicable are the calls to which the abstraction does not apply, with those known
// before, or nil if an analysis found no more. Where they are not inlined they are refused.
func (l *calls) findInapplicable(a *memory.Analysis) inapplicable {
	if !l.opt.InlineInapplicable {
		a.RefuseAliasedCalls()
		return nil
	}
	more := maps.Clone(l.inapplicable)
	for _, m := range a.AliasedCalls() {
		for _, c := range l.abstractedCalls {
			if c.at == m.At {
				more[c.site] = true
			}
		}
	}
	if len(more) == len(l.inapplicable) {
		return nil
	}
	return more
}
