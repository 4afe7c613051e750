package bounded

// Cubes from models.
//
// Idea: a model of the solver gives every term a value. A condition that holds in it is taken apart. Of a
// conjunction all operands are needed, of a disjunction one that holds, of a conditional term its condition and
// the branch that is taken. Choices are replaced by their values. Comparisons of the program's variables are
// left, which together imply the condition for those choices.
//
// Source: Cimatti, Griggio: Software Model Checking via IC3, CAV 2012, section 4 (preimages by model). Cost: linear in
// the condition's different subterms.

import (
	"magus/smt/expr"
)

// A reader takes conditions apart.
type reader struct {
	*flow
	pool  *expr.Pool
	model *expr.Valuation
	done  map[*expr.Expr]bool       // conditions and bits
	terms map[*expr.Expr]*expr.Expr // without conditional terms and choices
	seen  map[*expr.Expr]bool
	conds []*expr.Expr
	work  int64
}

// newReader reads the solver's model.
func newReader(f *flow, u *unrolling) *reader {
	return &reader{flow: f, pool: u.pool, model: expr.NewValuation(u.solver.Value), done: map[*expr.Expr]bool{},
		terms: map[*expr.Expr]*expr.Expr{}, seen: map[*expr.Expr]bool{}}
}

// require adds what implies that a condition, or a bit, has the value that it has in the model.
func (r *reader) require(e *expr.Expr) {
	if r.done[e] {
		return
	}
	r.done[e] = true
	r.work++
	switch e.Op() {
	case expr.Const:
	case expr.Not, expr.Compl:
		r.require(e.Args()[0])
	case expr.Land, expr.And:
		r.junction(e, 0)
	case expr.Lor, expr.Or:
		r.junction(e, 1)
	case expr.Ite:
		r.require(e.Args()[0])
		r.require(r.branch(e))
	case expr.Xor:
		r.require(e.Args()[0])
		r.require(e.Args()[1])
	case expr.Eq:
		if isBit(e.Args()[0]) {
			r.require(e.Args()[0])
			r.require(e.Args()[1])
			return
		}
		r.keep(e)
	default:
		r.keep(e)
	}
}

// isBit reports whether a term is a condition or a word of one bit.
func isBit(e *expr.Expr) bool { return e.Type().Width <= 1 }

// junction adds one operand that decides, or all.
func (r *reader) junction(e *expr.Expr, decides uint64) {
	if r.model.Of(e) == decides {
		least := -1
		for i, a := range e.Args() {
			if r.model.Of(a) == decides && (least < 0 || r.done[a]) {
				least = i
			}
		}
		r.require(e.Args()[least])
		return
	}
	for _, a := range e.Args() {
		r.require(a)
	}
}

// branch is the operand of a conditional term that is its value.
func (r *reader) branch(e *expr.Expr) *expr.Expr {
	if r.model.Of(e.Args()[0]) != 0 {
		return e.Args()[1]
	}
	return e.Args()[2]
}

// keep adds a comparison, or its opposite.
func (r *reader) keep(e *expr.Expr) {
	c := r.term(e)
	if !c.Type().IsBool() {
		c = r.pool.Eq(c, r.value(e))
	} else if r.model.Of(e) == 0 {
		c = r.pool.Not(c)
	}
	if !c.IsConst() && !r.seen[c] {
		r.seen[c] = true
		r.conds = append(r.conds, c)
	}
}

// term is a term over variables of the program, which has the same values for those that satisfy
// what is required.
func (r *reader) term(e *expr.Expr) *expr.Expr {
	if t := r.terms[e]; t != nil {
		return t
	}
	r.work++
	t := e
	switch e.Op() {
	case expr.Const:
	case expr.Var:
		if _, known := r.flow.index[e]; !known {
			t = r.value(e)
		}
	case expr.Ite:
		r.require(e.Args()[0])
		t = r.term(r.branch(e))
	default:
		args := make([]*expr.Expr, len(e.Args()))
		for i, a := range e.Args() {
			args[i] = r.term(a)
		}
		t = r.pool.Apply(e.Op(), e.Type(), args...)
	}
	r.terms[e] = t
	return t
}

// value is a term's value as a constant.
func (r *reader) value(e *expr.Expr) *expr.Expr {
	if e.Type().IsBool() {
		return r.pool.Bool(r.model.Of(e) != 0)
	}
	return r.pool.Const(e.Type(), r.model.Of(e))
}

// cube is what is required, without what follows from the values of variables that it tells.
func (r *reader) cube() []*expr.Expr {
	values := map[*expr.Expr]*expr.Expr{}
	for _, c := range r.conds {
		if c.Op() == expr.Eq && c.Args()[0].Op() == expr.Var && c.Args()[1].IsConst() {
			values[c.Args()[0]] = c.Args()[1]
		}
	}
	var cube []*expr.Expr
	for _, c := range r.conds {
		told := c.Op() == expr.Eq && values[c.Args()[0]] == c.Args()[1]
		if told || !r.pool.Subst(c, values).IsTrue() {
			cube = append(cube, c)
		}
	}
	return cube
}
