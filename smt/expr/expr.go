package expr

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// An Op is the operator of a term. The set is closed: every consumer switches
// over all of it.
type Op uint8

// The operators. The result type is that of the first operand unless said
// otherwise.
const (
	Const Op = iota // a bit pattern; for Bool 0 or 1
	Var             // a variable
	Add             // a + b
	Sub             // a - b
	Mul             // a * b
	Div             // a / b, signed or unsigned by type
	Rem             // a % b
	Neg             // -a
	And             // a & b
	Or              // a | b
	Xor             // a ^ b
	Compl           // ~a
	Shl             // a << b; b has a's type and is read as unsigned
	Shr             // a >> b; arithmetic for signed a
	Cast            // conversion to the term's own type: truncation, or extension by the operand's signedness
	Ite             // c ? a : b, c of type Bool; a, b of the result type
	Eq              // a == b, Bool; a and b of one type, Bool included
	Lt              // a < b, Bool
	Not             // !a, Bool
	Land            // a && b && …, Bool; two or more operands
	Lor             // a || b || …, Bool; two or more operands

	// Floating point. A first operand m is a rounding mode, a constant of the type [Mode].
	FAdd   // m: a + b
	FMul   // m: a * b
	FDiv   // m: a / b
	FFma   // m: a * b + c, rounded once
	FSqrt  // m: square root
	FRem   // IEEE 754's remainder: the quotient is rounded to nearest
	FMod   // C's fmod: the quotient is truncated
	FRound // m: an integer of the same format
	FNeg   // the sign turned round
	FAbs   // the sign cleared
	FEq    // a == b as numbers, Bool: false for NaN, true for -0 and +0
	FLt    // a < b as numbers, Bool
	FLe    // a <= b as numbers, Bool
	FCast  // m: conversion to the term's own floating-point type
	FToInt // m: conversion to the term's own integer type; 0 where that does not have the integer
	IntToF // m: conversion of an integer to the term's own type
	FBits  // the bit pattern of a floating-point value, unsigned
	FFrom  // the floating-point value of a bit pattern

	// Numbers of two words, of 80 or 128 bits, each operand as both words; see extended.go. A result of type Uint16, Int64
	// or Uint64 is one word of the number.
	XAdd     // m: a + b
	XMul     // m: a * b
	XDiv     // m: a / b
	XFma     // m: a * b + c, rounded once
	XSqrt    // m: square root
	XRound   // m: an integer
	XFrom    // a floating-point value of up to 64 bits, in 80
	XFromInt // an integer, in 80 bits
	XCast    // m: conversion of 80 bits to 128, and the other way
	XToF     // m: conversion to the term's own floating-point type
	XToInt   // m: conversion to the term's own integer type; 0 where that does not have the integer
	XEq      // a == b, Bool
	XLt      // a < b, Bool
	XLe      // a <= b, Bool
	XPair    // a number of two words, of type Float80 or Float128, in no other term
)

// IsFloat reports whether an operator is one of floating point of up to 64 bits.
func (op Op) IsFloat() bool { return op >= FAdd && op < XAdd }

// IsExtended reports whether an operator is one of numbers of two words.
func (op Op) IsExtended() bool { return op >= XAdd }

// An Expr is a term. Terms are built by a [Pool] only; within a pool equal
// terms are the same pointer.
type Expr struct {
	op   Op
	typ  Type
	id   uint32
	val  uint64
	name string
	args []*Expr
}

// Op is the term's operator.
func (e *Expr) Op() Op { return e.op }

// Type is the term's type.
func (e *Expr) Type() Type { return e.typ }

// ID numbers the terms of a pool in the order in which they were built.
func (e *Expr) ID() int { return int(e.id) }

// Args are the operands; the slice must not be changed.
func (e *Expr) Args() []*Expr { return e.args }

// Value is the bit pattern of a constant.
func (e *Expr) Value() uint64 { return e.val }

// Int is the value of a constant, read by its signedness.
func (e *Expr) Int() int64 {
	if e.typ.Signed {
		return e.typ.Sext(e.val)
	}
	return int64(e.val)
}

// Name is the name of a variable.
func (e *Expr) Name() string { return e.name }

// IsConst reports whether e is a constant.
func (e *Expr) IsConst() bool { return e.op == Const }

// IsTrue reports whether e is the condition that always holds.
func (e *Expr) IsTrue() bool { return e.op == Const && e.typ.IsBool() && e.val == 1 }

// IsFalse reports whether e is the condition that never holds.
func (e *Expr) IsFalse() bool { return e.op == Const && e.typ.IsBool() && e.val == 0 }

// A store keeps all terms of a pool; equal ones are one.
type store struct {
	mu    sync.Mutex
	terms table // but the variables
	next  uint32
	vars  map[string]*Expr
	named func(t Type, v uint64) (string, bool) // of constants, for printing; may be nil
	float bool                                  // there are floating-point terms
	long  bool                                  // there are terms over numbers of 80 bits
	work  atomic.Int64
}

// words makes conditions, bit-vectors and all comparisons, those of floating-point terms too: a comparison of an
// integer that was a floating-point value is one of this value.
type words struct {
	store
	ranges map[*Expr]FloatRange // of floating-point terms that were asked about
}

// numbers makes floating-point terms besides: arithmetic and conversions.
type numbers struct{ words }

// pairs makes terms over numbers of 80 bits besides.
type pairs struct{ numbers }

// A Pool builds and owns terms. It is safe for concurrent use, but the
// numbers of terms then depend on the order of the calls; where the order
// shows, use one pool for each goroutine.
type Pool struct{ pairs }

// Work counts the operations on floating-point values that were made to rewrite comparisons. With long terms these
// are many for each new term, so whoever makes these counts them as effort.
func (p *store) Work() int64 { return p.work.Load() }

// NewPool returns an empty pool.
func NewPool() *Pool {
	p := &Pool{}
	p.vars = map[string]*Expr{}
	return p
}

// Var is the variable of that name. Asking for a name again with another type
// is a fault of the caller and panics.
func (p *store) Var(name string, t Type) *Expr {
	e, ok := p.TryVar(name, t)
	if !ok {
		panic(fmt.Sprintf("expr: variable %s has type %v, not %v", name, e.typ, t))
	}
	return e
}

// TryVar is Var, but false where there is a variable of that name with another
// type.
func (p *store) TryVar(name string, t Type) (*Expr, bool) {
	e := p.intern(Var, t, 0, name)
	return e, e.typ == t
}

// NameConstants has those constants for which name knows a name printed by it,
// here and from now on. A name that begins with a minus sign is subtracted where
// the constant is added. It changes nothing but what String shows.
func (p *store) NameConstants(name func(t Type, v uint64) (string, bool)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.named = name
	for _, s := range p.terms.slots {
		if s.term != nil {
			p.christen(s.term)
		}
	}
}

// christen gives a constant its name.
func (p *store) christen(e *Expr) {
	if e.op != Const || p.named == nil {
		return
	}
	if name, ok := p.named(e.typ, e.val); ok {
		e.name = name
	}
}

// mk interns an application whose operands are already in canonical form.
func (p *store) mk(op Op, t Type, args ...*Expr) *Expr { return p.intern(op, t, 0, "", args...) }

// intern is the term of that structure, which is made if there is none. It keeps no slice that it is given.
func (p *store) intern(op Op, t Type, val uint64, name string, args ...*Expr) *Expr {
	p.mu.Lock()
	defer p.mu.Unlock()
	if op == Var {
		e := p.vars[name]
		if e == nil {
			e = p.made(&Expr{op: op, typ: t, name: name})
			p.vars[name] = e
		}
		return e
	}
	hash := hashOf(op, t, val, args)
	if e := p.terms.find(hash, op, t, val, args); e != nil {
		return e
	}
	e := p.made(&Expr{op: op, typ: t, val: val, args: slices.Clone(args)})
	p.terms.add(hash, e)
	return e
}

// made numbers a new term.
func (p *store) made(e *Expr) *Expr {
	e.id = p.next
	p.christen(e)
	p.next++
	p.float = p.float || e.typ.Exp != 0
	p.long = p.long || e.op.IsExtended()
	return e
}

// HasFloats reports whether a term of the pool is of a floating-point type.
func (p *store) HasFloats() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.float
}

// HasExtended reports whether a term of the pool is over numbers of two words.
func (p *store) HasExtended() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.long
}

// Terms are all terms of the pool, in the order of their numbers.
func (p *store) Terms() []*Expr {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]*Expr, 0, p.terms.count+len(p.vars))
	for _, s := range p.terms.slots {
		if s.term != nil {
			all = append(all, s.term)
		}
	}
	for _, e := range p.vars {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *Expr) int { return cmp.Compare(a.id, b.id) })
	return all
}
