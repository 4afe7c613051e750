package expr

// An Importer builds terms of one pool anew in another one. Cost: linear in the different subterms of all
// that it is given.
type Importer struct {
	to   *Pool
	vars func(v *Expr) *Expr // what stands for a variable, in the other pool and of the same type
	seen map[*Expr]*Expr
}

// Import begins to build terms in p; vars says which variable of p stands for one.
func (p *Pool) Import(vars func(v *Expr) *Expr) *Importer {
	return &Importer{p, vars, map[*Expr]*Expr{}}
}

// Term is e in the other pool, in canonical form; nil for nil.
func (i *Importer) Term(e *Expr) *Expr {
	if e == nil {
		return nil
	}
	if r := i.seen[e]; r != nil {
		return r
	}
	var r *Expr
	switch e.op {
	case Const:
		r = i.to.Const(e.typ, e.val)
	case Var:
		r = i.vars(e)
	default:
		args := make([]*Expr, len(e.args))
		for k, a := range e.args {
			args[k] = i.Term(a)
		}
		r = i.to.Apply(e.op, e.typ, args...)
	}
	i.seen[e] = r
	return r
}
