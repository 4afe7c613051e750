package lower

// What the bodies of abstracted routines may write.
//
// Where a routine is given by an abstraction and has a body too, a call may
// change what the body, or what that calls, may store to. The body is lowered
// aside, with everything inlined that has no abstraction, and package memory
// says what it writes. A body that is not modelled may store to anything.
//
// Cost: each such body is lowered once for each component that calls it.

import (
	"context"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/internal/expr"
)

// An abstractedCall is a call of a routine that has a body and an abstraction.
type abstractedCall struct {
	at   cfa.Loc
	proc *source.Procedure
}

// bodyEffects are the objects that a procedure may store to, and the abstracted
// procedures that it calls.
type bodyEffects struct {
	objects  []*source.Object
	callees  []*source.Procedure
	anything bool
}

// noteBodies tells memory what the bodies may write of the routines that are
// called by an abstraction.
func (l *lowerer) noteBodies(ctx context.Context) {
	known := map[*source.Procedure]bodyEffects{}
	for _, c := range l.abstractedCalls {
		l.mem.CallWrites(c.at, l.writesOf(ctx, c.proc, known))
	}
}

// writesOf is what a procedure may write, with all that it calls.
func (l *lowerer) writesOf(ctx context.Context, pr *source.Procedure, known map[*source.Procedure]bodyEffects) memory.Effects {
	all := memory.Effects{Globals: map[*memory.Global]bool{}}
	seen := map[*source.Procedure]bool{pr: true}
	for todo := []*source.Procedure{pr}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		w, ok := known[p]
		if !ok {
			w = l.bodyEffects(ctx, p)
			known[p] = w
		}
		all.Anything = all.Anything || w.anything
		for _, o := range w.objects {
			if g := l.globals[o]; g != nil {
				all.Globals[g] = true
			}
		}
		for _, q := range w.callees {
			if !seen[q] {
				seen[q] = true
				todo = append(todo, q)
			}
		}
	}
	return all
}

// bodyEffects lowers a procedure aside.
func (l *lowerer) bodyEffects(ctx context.Context, pr *source.Procedure) (w bodyEffects) {
	opt := l.opt
	opt.InitGlobals, opt.Globals = false, nil
	aside := newLowerer(l.prog, expr.NewPool(), opt, l.reached)
	defer aside.StopWith(ctx)()
	aside.newInstance(pr, nil, cfa.Pos{})
	aside.Emit(cfa.Goto{}, pr.Pos)
	for i, q := range source.Parameters(pr.Type) {
		aside.param(i, q)
	}
	aside.body(pr)
	written := aside.mem.Effects()
	w.anything = written.Anything || aside.Err() != nil
	for o, g := range aside.globals {
		if written.Globals[g] {
			w.objects = append(w.objects, o)
		}
	}
	for _, c := range aside.abstractedCalls {
		w.callees = append(w.callees, c.proc)
	}
	return w
}
