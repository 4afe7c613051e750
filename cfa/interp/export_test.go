package interp

import "magus/smt/expr"

// Vars are the variables that s gives values to.
func (s State) Vars() []*expr.Expr { return s.m.vars }

// Ended reports whether the component has returned or halted.
func (s State) Ended() bool { return s.ended }
