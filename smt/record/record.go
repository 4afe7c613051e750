// Package record writes down what a decision procedure is asked: a solver that
// asks another one and keeps the queries, with their answers, as a script in
// SMT-LIB 2 that any solver of QF_BV, or of QF_BVFP, can be given.
//
//	s := record.New(embedded.New(p), file)
//
// Each query stands in a scope of its own, with the answer that was given as
// its expected status:
//
//	(push 1)
//	(assert (bvslt |x| (_ bv3 32)))
//	(set-info :status sat)
//	(check-sat)
//	(pop 1)
//
// Queries that had no answer are left out. A writer that fails is reported by
// [Solver.Close] and changes no answer.
package record

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"

	"magus/smt/expr"
	"magus/smt/solver"
)

// Solver is a [solver.Full] whose queries are written down.
type Solver struct {
	solver.Full
	out      *bufio.Writer
	declared map[*expr.Expr]bool
}

// New writes the queries to s to w.
func New(s solver.Full, w io.Writer) *Solver {
	r := &Solver{Full: s, out: bufio.NewWriter(w), declared: map[*expr.Expr]bool{}}
	logic := "QF_BV"
	if s.Pool().HasFloats() {
		logic = "QF_BVFP"
	}
	r.print("; Written by magus\n(set-logic " + logic + ")\n")
	return r
}

// print writes; an error stays with the writer.
func (s *Solver) print(texts ...string) {
	for _, t := range texts {
		_, _ = s.out.WriteString(t)
	}
}

// Assert adds a condition for good.
func (s *Solver) Assert(f *expr.Expr) {
	s.Full.Assert(f)
	s.declare(f)
	s.print("(assert ", f.SMTLIB(symbol), ")\n")
}

// Check decides the query and writes it down.
func (s *Solver) Check(ctx context.Context, assumptions ...*expr.Expr) (solver.Result, error) {
	r, err := s.Full.Check(ctx, assumptions...)
	if err != nil {
		return r, err
	}
	s.declare(assumptions...)
	s.print("(push 1)\n")
	for _, a := range assumptions {
		s.print("(assert ", a.SMTLIB(symbol), ")\n")
	}
	s.print("(set-info :status ", r.String(), ")\n(check-sat)\n(pop 1)\n")
	return r, nil
}

// Effort is what the procedure that is asked has counted.
func (s *Solver) Effort() int64 { return solver.Effort(s.Full) }

func (s *Solver) declare(fs ...*expr.Expr) {
	for _, v := range expr.Vars(fs...) {
		if s.declared[v] {
			continue
		}
		s.declared[v] = true
		s.print("(declare-const ", symbol(v), " ", v.Type().SMTSort(), ")\n")
	}
	for _, d := range expr.Defined(fs...) {
		if s.declared[d] {
			continue
		}
		s.declared[d] = true
		s.print("(declare-const ", symbol(d), " ", d.SMTSymbolSort(), ")\n(assert ", d.SMTDefinition(symbol), ")\n")
	}
}

// symbol is a variable's name, quoted, or one for a floating-point result. A quoted symbol holds anything but | and
// \, which names of C and ours do not have. Quotes do not keep x from being a
// word of SMT-LIB or of a solver, such as and, let or _; :: does.
func symbol(v *expr.Expr) string {
	if v.Op() != expr.Var {
		return "|float::" + strconv.Itoa(v.ID()) + "|"
	}
	name := strings.NewReplacer("|", "!", `\`, "!").Replace(v.Name())
	if !strings.Contains(name, "::") {
		name = "::" + name
	}
	return "|" + name + "|"
}

// Close frees the procedure and writes what is left to write.
func (s *Solver) Close() error {
	err := s.out.Flush()
	if e := s.Full.Close(); err == nil {
		err = e
	}
	return err
}
