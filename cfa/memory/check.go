package memory

// Checks of pointers: bounds of accesses of several bytes, and what is not decided.
//
// An access is valid if all of its bytes belong to one object that exists. Where
// that is not known, control both goes on and performs the action error. A value that
// is not modelled chooses, so that neither a proof nor a violation can rest on it.

import (
	"magus/cfa"
	"magus/smt/expr"
)

// A checker writes what decides whether an access is valid.
type checker struct{ *addressSpace }

// undecided lets control pass, and perform the action error as well.
func (r *checker) undecided(what string, pos cfa.Pos) {
	if !r.opt.CheckPointers || r.code.Dead() {
		return
	}
	valid := r.code.Any(boolean, "valid", what, pos)
	yes, no := r.code.Branch(r.pool.Truth(valid), pos)
	r.code.Continue(no)
	r.Invalid(pos)
	r.code.Continue(yes)
}

// A byteRange is a number of bytes that are accessed at once, from an address on.
type byteRange struct {
	at     Ref
	size   int64      // negative: not known
	length *expr.Expr // then, how many; nil: nobody can say
	store  bool
	maybe  bool // not all of them may be used
}

// some does something with a range of bytes; without bytes there is nothing to do.
func (r *checker) some(a byteRange, pos cfa.Pos, do func()) {
	if a.length == nil || !r.opt.CheckPointers {
		do()
		return
	}
	some, none := r.code.Branch(r.pool.Truth(a.length), pos)
	r.code.Continue(some)
	if len(some) > 0 {
		do()
	}
	r.code.Join(none)
}

// room lets control pass only if a range of bytes that begins at a hit stays in its object,
// where that is checked.
func (r *checker) room(h hit, a byteRange, pos cfa.Pos) {
	if !r.opt.CheckPointers || r.code.Dead() || a.size < 0 && a.length == nil {
		return
	}
	if a.store && h.b.constant {
		r.Invalid(pos)
		return
	}
	width, length, offset := a.length, h.b.length, r.pool.Int(r.pointer, h.e.at/8)
	if width == nil {
		width = r.pool.Int(r.pointer, a.size)
	}
	if length == nil {
		length = r.pool.Int(r.pointer, h.b.size)
	}
	if h.rest {
		offset = r.pool.Sub(r.Term(a.at.Address), r.AddressIn(h.b, 0))
	}
	if h.b.each > 0 {
		offset, length = r.inFurther(r.Term(a.at.Address), h.b), r.pool.Int(r.pointer, h.b.each)
	}
	fits, not := r.code.Branch(r.fits(offset, width, length), pos)
	r.code.Continue(not)
	if (h.b.external || a.maybe) && len(not) > 0 {
		r.undecided("whether there is more memory behind "+h.b.name, pos)
		fits = append(fits, r.code.Ends()...)
	} else {
		r.Invalid(pos)
	}
	r.code.Continue(fits)
}
