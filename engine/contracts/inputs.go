package contracts

// What a call's effect may depend on.
//
// Idea: variables that may be read before they are assigned, in the procedure or in those that it calls; and those
// that a call may change but need not. What a procedure owns is none of them.
//
// Source: live variables and their interprocedural form, as in any compiler. Cost: a few passes over the graph for
// each cycle of calls.

import (
	"slices"

	"magus/component"
	"magus/smt/expr"
)

type varSet map[*expr.Expr]bool

// inputs finds what procedures read.
type inputs struct {
	*paths
	nodes   map[int][]component.Node // by procedure
	defined map[int]varSet           // by procedure: what each call that returns has assigned; nil for anything
	live    map[int]varSet           // by procedure, at its entry
	here    map[component.Node]varSet
}

// inputsOf are the variables that the effect of each of some procedures may depend on, and those of what calls of it
// change that may be read behind them, both in their order.
func (p *paths) inputsOf(procedures []int) (all, outputs map[int][]*expr.Expr) {
	in := &inputs{p, map[int][]component.Node{}, map[int]varSet{}, map[int]varSet{}, map[component.Node]varSet{}}
	for n, q := range p.ps.Of {
		if q >= 0 {
			in.nodes[q] = append(in.nodes[q], component.Node(n))
		}
	}
	for changed := true; changed; {
		changed = false
		for _, q := range procedures {
			changed = in.define(q) || changed
		}
	}
	for changed := true; changed; {
		changed = false
		for _, q := range procedures {
			changed = in.read(q) || changed
		}
	}
	all, outputs = map[int][]*expr.Expr{}, in.outputs(procedures)
	for _, q := range procedures {
		for _, v := range p.ps.List[q].Writes {
			if d := in.defined[q]; d != nil && !d[v] {
				in.live[q][v] = true
			}
		}
		for v := range in.live[q] {
			if o, owned := p.ps.Owner(v); !owned || o != q {
				all[q] = append(all[q], v)
			}
		}
		slices.SortFunc(all[q], func(a, b *expr.Expr) int { return a.ID() - b.ID() })
	}
	return all, outputs
}

// outputs are, of what calls of a procedure change, what may be read behind them.
func (in *inputs) outputs(procedures []int) map[int][]*expr.Expr {
	read := map[int]varSet{}
	for _, q := range procedures {
		read[q] = varSet{}
	}
	for changed := true; changed; {
		changed = false
		for n, site := range in.ps.Calls {
			caller, to := in.ps.Of[n], read[site.Callee]
			if read[caller] == nil || site.Past == nil {
				continue
			}
			for _, from := range []varSet{in.here[site.Back], read[caller]} {
				for v := range from {
					changed = changed || !to[v]
					to[v] = true
				}
			}
		}
	}
	all := map[int][]*expr.Expr{}
	for _, q := range procedures {
		for _, v := range in.ps.List[q].Writes {
			if read[q][v] {
				all[q] = append(all[q], v)
			}
		}
	}
	return all
}

// define finds what is assigned on all ways to the exit of a procedure, and reports whether that is less than before.
func (in *inputs) define(q int) bool {
	at := map[component.Node]varSet{in.ps.List[q].Entry: {}}
	todo := []component.Node{in.ps.List[q].Entry}
	arrive := func(to component.Node, with varSet) {
		old, seen := at[to]
		if !seen {
			at[to] = with
			todo = append(todo, to)
			return
		}
		both := varSet{}
		for v := range old {
			if with[v] {
				both[v] = true
			}
		}
		if len(both) < len(old) {
			at[to] = both
			todo = append(todo, to)
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		in.each(n, func(_ []*expr.Expr, writes []*expr.Expr, callee int, to component.Node) {
			with := varSet{}
			for v := range at[n] {
				with[v] = true
			}
			for _, v := range writes {
				with[v] = true
			}
			if callee >= 0 && in.defined[callee] == nil {
				return // no call that returns is known yet
			}
			if callee >= 0 {
				for v := range in.defined[callee] {
					with[v] = true
				}
			}
			arrive(to, with)
		})
	}
	now, ends := at[in.ps.List[q].Exit]
	if !ends || q == 0 {
		return false
	}
	old := in.defined[q]
	in.defined[q] = now
	return old == nil || len(now) != len(old)
}

// read finds what may be read first in a procedure, and reports whether that is more than before.
func (in *inputs) read(q int) bool {
	live := map[component.Node]varSet{}
	for changed := true; changed; {
		changed = false
		for _, n := range slices.Backward(in.nodes[q]) {
			here := varSet{}
			in.each(n, func(reads, writes []*expr.Expr, callee int, to component.Node) {
				for v := range live[to] {
					if !slices.Contains(writes, v) && (callee < 0 || !in.defined[callee][v]) {
						here[v] = true
					}
				}
				for _, v := range reads {
					here[v] = true
				}
				if callee >= 0 {
					for v := range in.live[callee] {
						here[v] = true
					}
				}
			})
			if len(here) > len(live[n]) {
				live[n], changed = here, true
			}
		}
	}
	now := live[in.ps.List[q].Entry]
	if now == nil {
		now = varSet{}
	}
	for n, at := range live {
		in.here[n] = at
	}
	more := len(now) > len(in.live[q])
	in.live[q] = now
	return more
}

// each calls f with the steps from a node within its procedure; callee is -1 for no call.
func (in *inputs) each(n component.Node, f func(reads, writes []*expr.Expr, callee int, to component.Node)) {
	if q := in.ps.Of[n]; q > 0 && n == in.ps.List[q].Exit {
		return
	}
	if site := in.ps.Calls[n]; site != nil {
		to := component.Stop
		if site.Past != nil {
			to = site.Back
		}
		f(nil, nil, site.Callee, to)
		return
	}
	for _, id := range in.ps.Graph.Out(n) {
		e := &in.ps.Graph.Edges[id]
		if in.ps.Kinds[id] != component.Within {
			continue
		}
		terms := slices.Clone(e.Guard)
		var writes []*expr.Expr
		for _, u := range e.Update {
			terms, writes = append(terms, u.Term), append(writes, u.Var)
		}
		reads := slices.DeleteFunc(expr.Vars(terms...), in.ps.Graph.IsFresh)
		f(reads, writes, -1, e.To)
	}
}
