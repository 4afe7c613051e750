package smtlib

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/smt/expr"
	"magus/smt/solver"
)

// ErrUnknown says that the solver gave up; the error that wraps it says why.
var ErrUnknown = errors.New("the solver answers unknown")

// A Solver asks a child process. It implements [solver.Full].
//
// Each query has a scope (push and pop) in which each assumption f gets a
// literal a of its own, with (=> a f) asserted. Sending a condition again is
// cheap; keeping all that were ever assumed makes every later query slow.
type Solver struct {
	pool   *expr.Pool
	config Config

	asserted []*expr.Expr
	proc     *process // nil: not running
	sent     int      // number of asserted conditions sent to it
	declared map[*expr.Expr]bool
	named    map[*expr.Expr]bool // assumptions that have a literal in this scope
	scoped   bool                // the last query's scope is still open
	floats   bool                // the logic has floating point
	failed   error               // the backend's error: final

	model map[*expr.Expr]uint64
	core  []int
}

var _ solver.Full = (*Solver)(nil)

// New starts a solver for the terms of a pool. The error says what is missing.
func New(p *expr.Pool, c Config) (*Solver, error) {
	s := &Solver{pool: p, config: c}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Solver) open() error {
	s.floats = s.pool.HasFloats() || s.pool.HasExtended()
	logic := "QF_BV"
	if s.floats {
		logic = "QF_BVFP"
	}
	p, err := start(s.config, logic)
	if err != nil {
		return err
	}
	s.proc, s.sent, s.scoped = p, 0, false
	s.declared, s.named = map[*expr.Expr]bool{}, map[*expr.Expr]bool{}
	return nil
}

// Pool is the pool whose terms the solver takes.
func (s *Solver) Pool() *expr.Pool { return s.pool }

// Assert adds a condition for good. It is sent with the next Check.
func (s *Solver) Assert(f *expr.Expr) { s.asserted = append(s.asserted, f) }

// Check decides the asserted conditions together with the assumptions.
func (s *Solver) Check(ctx context.Context, assumptions ...*expr.Expr) (solver.Result, error) {
	s.model, s.core = nil, s.core[:0]
	if s.failed != nil {
		return solver.Unknown, s.failed
	}
	if s.config.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.config.Timeout,
			fmt.Errorf("no answer within %v: %w", s.config.Timeout, context.DeadlineExceeded))
		defer cancel()
	}
	if ctx.Err() != nil {
		return solver.Unknown, context.Cause(ctx)
	}
	if s.proc != nil && !s.floats && (s.pool.HasFloats() || s.pool.HasExtended()) {
		s.proc.kill()
		s.proc = nil
	}
	if s.proc == nil {
		if s.failed = s.open(); s.failed != nil {
			return solver.Unknown, s.failed
		}
	}
	stop := context.AfterFunc(ctx, s.proc.kill)
	r, err := s.ask(assumptions)
	if stop() {
		if err != nil && !errors.Is(err, ErrUnknown) {
			s.failed = err
			s.proc.kill()
		}
		return r, err
	}
	s.proc.kill()
	s.proc = nil
	return solver.Unknown, context.Cause(ctx)
}

// sendQuery closes the last query's scope, sends what was asserted since, and
// asks about the assumptions, unless that is too long.
func (s *Solver) sendQuery(assumptions []*expr.Expr) bool {
	began := s.proc.sent
	if s.scoped {
		s.proc.send("(pop 1)\n")
		s.scoped = false
	}
	for ; s.sent < len(s.asserted); s.sent++ {
		f := s.asserted[s.sent]
		if !s.declare(f, began) {
			return false
		}
		s.proc.send("(assert ", f.SMTLIB(symbol), ")\n")
	}
	for _, a := range assumptions {
		if !s.declare(a, began) {
			return false
		}
	}
	s.proc.send("(push 1)\n")
	s.scoped = true
	clear(s.named)
	var literals strings.Builder
	for _, a := range assumptions {
		if s.name(a); s.tooLong(began) {
			return false
		}
		literals.WriteString(" " + literal(a))
	}
	if len(assumptions) == 0 { // cvc5 1.0 reads no empty list
		s.proc.send("(check-sat)\n")
		return true
	}
	s.proc.send("(check-sat-assuming (", literals.String(), "))\n")
	return true
}

// ask sends one query and reads what belongs to its answer.
func (s *Solver) ask(assumptions []*expr.Expr) (solver.Result, error) {
	if s.floats && s.config.Kind == "cvc5" && !slices.Contains(s.config.Args, "--fp-exp") &&
		hasOtherFormat(append(slices.Clone(s.asserted), assumptions...)) {
		return solver.Unknown, fmt.Errorf("%w: cvc5 is not asked about formats other than float and double, which it has "+
			"for experiments only", ErrUnknown)
	}
	if !s.sendQuery(assumptions) {
		return solver.Unknown, fmt.Errorf("%w: the question is too long for a bounded effort", ErrUnknown)
	}
	answer, err := s.proc.answer()
	if err != nil {
		return solver.Unknown, err
	}
	switch answer.atom {
	case "sat":
		if err := s.readModel(assumptions); err != nil {
			return solver.Unknown, err
		}
		return solver.Sat, nil
	case "unsat":
		if err := s.readCore(assumptions); err != nil {
			return solver.Unknown, err
		}
		return solver.Unsat, nil
	case "unknown":
		return solver.Unknown, s.reason()
	}
	return solver.Unknown, s.nonsense(answer, "sat or unsat")
}

// mostText is how many bytes a question with bounded effort has, for solvers do not count their effort of reading it.
const mostText = 1 << 20

// tooLong reports whether a question that began when so many bytes were sent is.
func (s *Solver) tooLong(began int) bool { return s.config.Effort > 0 && s.proc.sent-began > mostText }

// hasOtherFormat reports whether conditions compute with numbers that are no floats and no doubles.
func hasOtherFormat(conditions []*expr.Expr) bool {
	found := false
	expr.Walk(func(e *expr.Expr) {
		t := e.Type()
		found = found || e.Op().IsExtended() || t.IsFloat() && t != expr.Float32 && t != expr.Float64
	}, conditions...)
	return found
}

func (s *Solver) nonsense(got sexpr, want string) error {
	text := got.String()
	if len(text) > 80 {
		text = text[:80] + "…"
	}
	return fmt.Errorf("solver %s answers %q where %s was expected", s.proc.name, text, want)
}

func symbol(v *expr.Expr) string  { return "v" + strconv.Itoa(v.ID()) }
func literal(f *expr.Expr) string { return "a" + strconv.Itoa(f.ID()) }

// declare declares what a condition speaks of, and reports whether the question is not too long yet.
func (s *Solver) declare(f *expr.Expr, began int) bool {
	for _, v := range expr.Vars(f) {
		if s.declared[v] {
			continue
		}
		s.declared[v] = true
		s.proc.send("(declare-const ", symbol(v), " ", v.Type().SMTSort(), ")\n")
	}
	if !s.floats {
		return true
	}
	for _, d := range expr.Defined(f) {
		if s.declared[d] {
			continue
		}
		s.declared[d] = true
		s.proc.send("(declare-const ", symbol(d), " ", d.SMTSymbolSort(), ")\n(assert ", d.SMTDefinition(symbol), ")\n")
		if s.tooLong(began) {
			return false
		}
	}
	return true
}

// name gives the assumption f its literal.
func (s *Solver) name(f *expr.Expr) {
	if s.named[f] {
		return
	}
	s.named[f] = true
	s.proc.send("(declare-const ", literal(f), " Bool)\n(assert (=> ", literal(f), " ", f.SMTLIB(symbol), "))\n")
}

// reason asks why the answer was unknown.
func (s *Solver) reason() error {
	s.proc.send("(get-info :reason-unknown)\n")
	why, err := s.proc.answer()
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %s: %v", ErrUnknown, s.proc.name, why)
}

// readModel asks for the values of the query's variables and evaluates the
// query under them.
func (s *Solver) readModel(assumptions []*expr.Expr) error {
	query := append(slices.Clone(s.asserted), assumptions...)
	vars := expr.Vars(query...)
	model := make(map[*expr.Expr]uint64, len(vars))
	if len(vars) > 0 {
		s.proc.send("(get-value (")
		for _, v := range vars {
			s.proc.send(symbol(v), " ")
		}
		s.proc.send("))\n")
		answer, err := s.proc.answer()
		if err != nil {
			return err
		}
		if len(answer.list) != len(vars) {
			return s.nonsense(answer, fmt.Sprintf("%d values", len(vars)))
		}
		for i, v := range vars {
			pair := answer.list[i]
			if len(pair.list) != 2 || pair.list[0].atom != symbol(v) {
				return s.nonsense(pair, "the value of "+symbol(v))
			}
			val, err := pair.list[1].value()
			if err != nil {
				return s.nonsense(pair, "a value")
			}
			model[v] = v.Type().Trunc(val)
		}
	}
	for _, f := range query {
		if expr.Eval(f, func(v *expr.Expr) uint64 { return model[v] }) != 1 {
			return fmt.Errorf("solver %s answers a model in which %v does not hold", s.proc.name, f)
		}
	}
	s.model = model
	return nil
}

// readCore asks which assumptions were needed.
func (s *Solver) readCore(assumptions []*expr.Expr) error {
	if len(assumptions) == 0 {
		return nil
	}
	s.proc.send("(get-unsat-assumptions)\n")
	answer, err := s.proc.answer()
	if err != nil {
		return err
	}
	if answer.atom != "" {
		return s.nonsense(answer, "a list of assumptions")
	}
	index := make(map[string]int, len(assumptions))
	for i, a := range slices.Backward(assumptions) {
		index[literal(a)] = i
	}
	for _, x := range answer.list {
		i, ok := index[x.atom]
		if !ok {
			return s.nonsense(answer, "a list of assumptions")
		}
		s.core = append(s.core, i)
	}
	slices.Sort(s.core)
	s.core = slices.Compact(s.core)
	return nil
}

// Value is v's value in the model of the last Check, which answered Sat.
func (s *Solver) Value(v *expr.Expr) uint64 { return s.model[v] }

// Core names assumptions that contradict each other and what is asserted.
func (s *Solver) Core() []int { return s.core }

// Close ends the process.
func (s *Solver) Close() error {
	if s.proc != nil {
		s.proc.kill()
		s.proc = nil
	}
	s.failed = errors.New("the solver is closed")
	return nil
}
