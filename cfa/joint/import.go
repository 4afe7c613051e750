package joint

import (
	"magus/cfa"
	"magus/smt/expr"
)

// Import is an automaton with its terms built anew in another pool, where name gives each variable its name. Vars says
// which variable stands for which.
func Import(c *cfa.CFA, pool *expr.Pool, name func(v cfa.Var) string) (out *cfa.CFA, vars map[*expr.Expr]*expr.Expr) {
	vars = map[*expr.Expr]*expr.Expr{}
	copied := *c
	copied.Pool, copied.Vars = pool, nil
	for _, v := range c.Vars {
		e := pool.Var(name(v), v.Expr.Type())
		vars[v.Expr] = e
		v.Expr = e
		copied.Vars = append(copied.Vars, v)
	}
	terms := pool.Import(func(v *expr.Expr) *expr.Expr {
		if e := vars[v]; e != nil {
			return e
		}
		vars[v] = pool.Var(name(cfa.Var{Expr: v}), v.Type())
		return vars[v]
	})
	all := func(es []*expr.Expr) []*expr.Expr {
		var made []*expr.Expr
		for _, e := range es {
			made = append(made, terms.Term(e))
		}
		return made
	}
	copied.Params, copied.Called = all(c.Params), all(c.Called)
	copied.Locs = nil
	for _, l := range c.Locs {
		switch s := l.Stmt.(type) {
		case cfa.Assign:
			s.LHS, s.RHS = terms.Term(s.LHS), terms.Term(s.RHS)
			if s.Exact != nil {
				s.Exact = &cfa.Exact{When: terms.Term(s.Exact.When), Value: terms.Term(s.Exact.Value)}
			}
			if m := s.Memory; m != nil {
				a := *m
				a.Addr, a.Length = terms.Term(m.Addr), terms.Term(m.Length)
				s.Memory = &a
			}
			l.Stmt = s
		case cfa.Branch:
			s.Cond = terms.Term(s.Cond)
			l.Stmt = s
		case cfa.Act:
			if m := s.Message; m != nil {
				made := &cfa.Message{Channel: m.Channel, Sends: m.Sends}
				for _, p := range m.Parts {
					p.Value, p.Gets = terms.Term(p.Value), terms.Term(p.Gets)
					made.Parts = append(made.Parts, p)
				}
				s.Message = made
			}
			l.Stmt = s
		case cfa.Return:
			s.Value = terms.Term(s.Value)
			l.Stmt = s
		}
		copied.Locs = append(copied.Locs, l)
	}
	copied.PointsTo = nil
	for _, p := range c.PointsTo {
		p.Var = terms.Term(p.Var)
		copied.PointsTo = append(copied.PointsTo, p)
	}
	return &copied, vars
}
