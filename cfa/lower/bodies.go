package lower

// Bodies of abstracted routines.
//
// Where a routine is given by an abstraction and has a body too, a call may change
// what the body, or what that calls, may store to. The body is written out of line,
// once for each component that calls it, with everything inlined that has no
// abstraction. Package memory says what a call of it may write.
//
// Cost: one lowering of each such body.

import (
	"maps"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
)

// An abstractedCall is a call of a routine that has a body and an abstraction.
type abstractedCall struct {
	at   cfa.Loc
	proc *source.Procedure
	site string
}

// bodies writes the bodies of the routines that are called by an abstraction, and
// of those that they call so.
func (l *calls) bodies() {
	if len(l.abstractedCalls) == 0 {
		return
	}
	fr, labels := l.fr, maps.Clone(l.labelsSeen)
	l.OutOfLine(func() {
		known := map[*source.Procedure]*memory.Body{}
		for i := 0; i < len(l.abstractedCalls); i++ { // bodies add further calls
			c := l.abstractedCalls[i]
			if known[c.proc] == nil {
				known[c.proc] = l.bodyOf(c.proc)
				known[c.proc].Summary = l.opt.Summarised != nil && (l.opt.Abstracted == nil || !l.opt.Abstracted(c.proc.Name))
			}
			l.mem.CallsBody(c.at, known[c.proc])
		}
	})
	l.fr, l.labelsSeen = fr, labels
}

// bodyOf writes one body.
func (l *calls) bodyOf(pr *source.Procedure) *memory.Body {
	l.newInstance(pr, nil, cfa.Pos{})
	l.fr.root = "out of line:" + pr.Name
	l.Cut()
	b := &memory.Body{Begin: l.Emit(cfa.Goto{}, pr.Pos)}
	for i, q := range source.Parameters(pr.Type) {
		b.Params = append(b.Params, l.param(i, q))
		var structure *memory.Object
		if d := q.Declarator; d != nil {
			structure = l.fr.objects[d]
		}
		b.Structures = append(b.Structures, structure)
	}
	l.statements.body(pr)
	l.fallOff(pr)
	return b
}

// performed is what the bodies perform, with what they call, by the name of the
// routine.
func (l *calls) performed() map[string][]cfa.Performed {
	all := map[string][]cfa.Performed{}
	for _, c := range l.abstractedCalls {
		if all[c.proc.Name] == nil {
			all[c.proc.Name] = l.mem.Performs(c.at)
		}
	}
	return all
}
