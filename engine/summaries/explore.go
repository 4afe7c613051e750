package summaries

// Reachability by summaries.
//
// Idea: a context is a procedure with an abstract state at its entry. Path edges lead from the entry of a
// context to states within the procedure; a state at its end is a summary, which is applied wherever the context
// was called, now or later.
//
// Source: Reps, Horwitz, Sagiv: Precise Interprocedural Dataflow Analysis via Graph Reachability (POPL 1995),
// the tabulation algorithm; Ball, Rajamani: Bebop (SPIN 2000) for predicates; Henzinger, Jhala, Majumdar,
// Necula, Sutre, Weimer: Temporal-Safety Proofs for Systems Code (CAV 2002) for lazy abstraction with summaries.
// Deviation: the specification's state is part of the abstract state, so that procedures may perform actions.
//
// Cost: states of each procedure × entry states, and a post for each of their edges.

import (
	"context"

	"magus/component"
	"magus/lts"
	"magus/predabs"
	"magus/smt/expr"
)

// A state is an abstract one within a context, with how it was reached first.
type state struct {
	in    int32 // the context
	node  component.Node
	spec  lts.State
	known predabs.Valuation
	from  int32           // the state before it in the context; -1 at its entry
	edge  *component.Edge // from there; of a call the one past it
	end   int32           // of a call, the state at the callee's end; -1 for no call
}

// A calling is a state that calls, with the call.
type calling struct {
	state int32
	site  *component.CallSite
}

// A procedureContext is a procedure with an abstract state at its entry.
type procedureContext struct {
	procedure int
	entry     int32
	ends      []int32
	callers   []calling // the first one has made it
}

type contextKey struct {
	procedure int
	spec      lts.State
	known     string
}

type stateKey struct {
	in    int32
	node  component.Node
	spec  lts.State
	known string
}

type returnKey struct {
	past  int
	known string
}

// An exploration goes on until there is nothing new, or a state is found that the specification does not allow.
type exploration struct {
	ps        *component.Procedures
	posts     *predabs.Posts
	spec      *lts.LTS // deterministic
	observed  map[lts.Action]bool
	contexts  []procedureContext
	byEntry   map[contextKey]int32
	states    []state
	known     map[stateKey]bool
	returns   map[returnKey]*component.Edge
	forgotten map[*expr.Expr]bool // variables that stand for what only a callee knew
	taken     []bool              // edges
	next      int                 // the state that is looked at next
}

// A breach is a step that the specification does not allow.
type breach struct {
	state int32
	edge  *component.Edge
}

// explore begins an exploration.
func explore(ps *component.Procedures, posts *predabs.Posts, spec *lts.LTS) *exploration {
	x := &exploration{ps: ps, posts: posts, spec: spec, observed: map[lts.Action]bool{},
		byEntry: map[contextKey]int32{}, known: map[stateKey]bool{}, returns: map[returnKey]*component.Edge{},
		forgotten: map[*expr.Expr]bool{}}
	x.taken = make([]bool, len(ps.Graph.Edges))
	for _, a := range spec.Alphabet() {
		x.observed[a] = true
	}
	x.enter(0, nil, spec.Init(), calling{state: -1})
	return x
}

// run explores, for an effort of so many posts. It is over when the breach is not nil, or nothing is left.
func (x *exploration) run(ctx context.Context, posts int) (found *breach, made int, err error) {
	for x.next < len(x.states) && made < posts {
		if ctx.Err() != nil {
			return nil, made, context.Cause(ctx)
		}
		i := int32(x.next)
		n := x.states[i].node
		for _, id := range x.ps.Graph.Out(n) {
			made++
			switch x.ps.Kinds[id] {
			case component.Within:
				found, err = x.step(ctx, i, &x.ps.Graph.Edges[id])
			case component.Into:
				err = x.call(ctx, i, x.ps.Calls[n])
			}
			if found != nil || err != nil {
				return found, made, err
			}
		}
		if in := x.states[i].in; x.ps.List[x.contexts[in].procedure].Exit == n && in > 0 {
			if err := x.end(ctx, in, i); err != nil {
				return nil, made, err
			}
		}
		x.next++
	}
	return nil, made, nil
}

// over reports whether nothing is left.
func (x *exploration) over() bool { return x.next >= len(x.states) }

// step takes an edge within a procedure.
func (x *exploration) step(ctx context.Context, i int32, e *component.Edge) (found *breach, err error) {
	s := x.states[i]
	spec, allowed := x.after(s.spec, e.Action)
	err = x.posts.Post(ctx, e, s.known, func(v predabs.Valuation) error {
		if !allowed {
			found = &breach{i, e}
			return nil
		}
		x.taken[e.ID] = true
		if e.To != component.Stop {
			x.add(state{in: s.in, node: e.To, spec: spec, known: v, from: i, edge: e, end: -1})
		}
		return nil
	})
	return found, err
}

// after is the specification's state behind an action.
func (x *exploration) after(s lts.State, a lts.Action) (lts.State, bool) {
	if a == lts.Tau || !x.observed[a] {
		return s, true
	}
	for _, t := range x.spec.OutBy(s, a) {
		return t.To, true
	}
	return s, false
}

// add adds a state if it is new.
func (x *exploration) add(s state) {
	k := stateKey{s.in, s.node, s.spec, s.known.Key()}
	if !x.known[k] {
		x.known[k] = true
		x.states = append(x.states, s)
	}
}

// enter is the context of a procedure with an entry state, which a caller calls.
func (x *exploration) enter(procedure int, known predabs.Valuation, spec lts.State, by calling) int32 {
	k := contextKey{procedure, spec, known.Key()}
	in, ok := x.byEntry[k]
	if !ok {
		in = int32(len(x.contexts))
		x.byEntry[k] = in
		x.contexts = append(x.contexts, procedureContext{procedure: procedure, entry: int32(len(x.states))})
		x.add(state{in: in, node: x.ps.List[procedure].Entry, spec: spec, known: known, from: -1, end: -1})
	}
	c := &x.contexts[in]
	c.callers = append(c.callers, by)
	return in
}

// call enters the callee and applies what is known of its ends.
func (x *exploration) call(ctx context.Context, i int32, site *component.CallSite) error {
	s := x.states[i]
	return x.posts.Post(ctx, site.Into, s.known, func(v predabs.Valuation) error {
		x.taken[site.Into.ID] = true
		in := x.enter(site.Callee, v, s.spec, calling{i, site})
		for k := 0; k < len(x.contexts[in].ends); k++ {
			if err := x.goBack(ctx, calling{i, site}, x.contexts[in].ends[k]); err != nil {
				return err
			}
		}
		return nil
	})
}

// end notes a state at the end of a context and applies it where the context was called.
func (x *exploration) end(ctx context.Context, in, i int32) error {
	x.contexts[in].ends = append(x.contexts[in].ends, i)
	for k := 0; k < len(x.contexts[in].callers); k++ {
		if err := x.goBack(ctx, x.contexts[in].callers[k], i); err != nil {
			return err
		}
	}
	return nil
}

// goBack goes on behind a call with a state at the callee's end.
func (x *exploration) goBack(ctx context.Context, by calling, end int32) error {
	if by.site.Past == nil {
		return nil
	}
	s, e := x.states[by.state], x.states[end]
	return x.posts.Post(ctx, x.returning(by.site, e.known), s.known, func(v predabs.Valuation) error {
		x.taken[by.site.Return.ID] = true
		x.add(state{in: s.in, node: by.site.Back, spec: e.spec, known: v, from: by.state, edge: by.site.Past, end: end})
		return nil
	})
}

// returning is the edge past a call of which is known how it ends: what is known there of what the call may
// change is a guard on its new values.
func (x *exploration) returning(site *component.CallSite, known predabs.Valuation) *component.Edge {
	k := returnKey{site.Past.ID, known.Key()}
	e := x.returns[k]
	if e == nil {
		e = x.posts.NewEdge(*site.Past)
		other := map[*expr.Expr]*expr.Expr{}
		for _, u := range site.Past.Update {
			other[u.Var] = u.Term
		}
		callee := &x.ps.List[site.Callee]
		for _, l := range x.posts.Literals(known) {
			for _, v := range expr.Vars(l) {
				if !x.ps.Owns(site.Callee, v) {
					continue
				}
				if passed := callee.Kept[v]; passed != nil {
					other[v] = passed
				} else {
					other[v] = x.pool().Var(v.Name()+"^", v.Type())
					x.forgotten[other[v]] = true
				}
			}
			e.Guard = append(e.Guard, x.pool().Subst(l, other))
		}
		x.returns[k] = e
	}
	return e
}

func (x *exploration) pool() *expr.Pool { return x.ps.Graph.Comp.CFA.Pool }
