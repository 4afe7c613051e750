package component

import (
	"magus/cfa"
	"magus/smt/expr"
)

// A RenamedEdge is an edge of a graph with other variables for some.
type RenamedEdge struct {
	*Edge
	Other map[*expr.Expr]*expr.Expr // what stands for variables; nil for those that stay
}

// Straight is the graph of one path: its i-th edge is the i-th of those given, and leads from the location of number i,
// the first from Init, to the next one, the last to Stop.
func (g *Graph) Straight(edges []RenamedEdge) *Graph {
	pool := g.Comp.CFA.Pool
	auto, comp := *g.Comp.CFA, *g.Comp
	auto.Locs, auto.Entry = make([]cfa.Location, len(edges)), 0
	comp.CFA, comp.Calls, comp.Given = &auto, nil, nil
	s := &Graph{Comp: &comp, primed: map[*expr.Expr]*expr.Expr{}, nodes: []nodeInfo{{-1, -1, 0}, {-1, -1, 0}}}
	for i, e := range edges {
		other := map[*expr.Expr]*expr.Expr{}
		for v, w := range e.Other {
			other[v], other[Prime(pool, v)] = w, Prime(pool, w)
		}
		renamed := Edge{ID: i, From: Node(i) + 2, To: Node(i) + 3, Action: e.Action, Loc: cfa.Loc(i)}
		if i == 0 {
			renamed.From = Init
		}
		if i == len(edges)-1 {
			renamed.To = Stop
		}
		fresh := func(t *expr.Expr) *expr.Expr {
			for _, v := range expr.Vars(t) {
				if of := g.primed[v]; of != nil {
					if w := other[of]; w != nil {
						of = w
					}
					s.primed[Prime(pool, of)] = of
				}
			}
			return pool.Subst(t, other)
		}
		for _, c := range e.Guard {
			renamed.Guard = append(renamed.Guard, fresh(c))
		}
		for _, u := range e.Update {
			v := u.Var
			if w := other[v]; w != nil {
				v = w
			}
			renamed.Update = append(renamed.Update, Update{v, fresh(u.Term)})
		}
		auto.Locs[i] = cfa.Location{Stmt: cfa.Goto{}, Succ: []cfa.Loc{cfa.Loc(min(i+1, len(edges)-1))}}
		if e.Loc >= 0 {
			of := g.Comp.CFA.Locs[e.Loc]
			auto.Locs[i].Pos, auto.Locs[i].Frame = of.Pos, of.Frame
		}
		s.nodes = append(s.nodes, nodeInfo{cfa.Loc(i), -1, 0})
		s.Edges = append(s.Edges, renamed)
	}
	s.index()
	return s
}
