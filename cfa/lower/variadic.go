package lower

// Variable arguments.
//
// Which of them va_arg gives is not followed: it gives any value, which no
// violation may rest on. Addresses among them are known to the body, which may
// store there: they escape, as if to a routine without a body.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"
)

const variableArguments = "variable arguments"

// variableArgument is va_arg: an argument of which nothing is known.
func variableArgument(l *lowerer, c *callSite) value {
	l.library.effects(c)
	l.Assume(cfa.AboutLibrary, c.pos, "what va_arg gives is any value")
	v := l.Any(l.pointer, variableArguments, variableArguments, c.pos)
	l.mem.MarkPointer(v, true)
	return value{ctype{class: classPtr, typ: l.pointer}, v, nil}
}

// passVariable gives the arguments behind the named ones to a body that looks at
// them.
func (l *calls) passVariable(c *callSite, pr *source.Procedure, vals []value) {
	named := len(source.Parameters(pr.Type))
	if !pr.Type.IsVariadic() || len(vals) <= named || l.Dead() || !pr.Mentions("__builtin_va_start") {
		return
	}
	s := memory.UnknownCall{Name: c.name, Approx: variableArguments}
	for _, v := range vals[named:] {
		switch {
		case v.at != nil:
			s.Passed = append(s.Passed, l.accesses.ref(*v.at))
		case v.t != nil && v.typ.Width == l.pointer.Width:
			s.Args = append(s.Args, v.t)
		}
	}
	s.Numbers = slices.ContainsFunc(c.args, l.hidesAddress)
	if slices.ContainsFunc(s.Args, func(t *expr.Expr) bool { return !t.IsConst() || t.Value() != 0 }) ||
		len(s.Passed) > 0 {
		l.Emit(s, c.pos)
	}
}
