package lower

// The functions of the C library that are known by name: those that allocate,
// free, copy and fill memory, and those that the table of package libc describes.

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/cfa/source/libc"
	"magus/internal/pattern"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// memoryFunction is the meaning of a function whose effect on memory is
// modelled, or nil.
func memoryFunction(name string) intrinsic {
	switch name {
	case "malloc":
		return func(l *lowerer, c *callSite) value { return l.library.allocate(c, 1, nil, true) }
	case "alloca":
		return func(l *lowerer, c *callSite) value { return l.library.allocate(c, 1, nil, false) }
	case "valloc":
		return func(l *lowerer, c *callSite) value { return l.library.allocate(c, 1, nil, true) }
	case "aligned_alloc", "memalign":
		return func(l *lowerer, c *callSite) value { return l.library.allocate(c, 2, nil, true) }
	case "calloc":
		return func(l *lowerer, c *callSite) value {
			return l.library.allocate(c, 2, l.Pool.Const(expr.Uint8, 0), true)
		}
	case "realloc":
		return func(l *lowerer, c *callSite) value { return reallocate(l, c, 1) }
	case "reallocarray":
		return func(l *lowerer, c *callSite) value { return reallocate(l, c, 2) }
	case "strdup", "strndup":
		return duplicate
	case "free":
		return release
	case "memcpy", "memmove":
		return copyMemory
	case "memset":
		return fillMemory
	}
	return nil
}

// libraryFunction is the meaning of another function of the C library that is known
// by name, or nil.
func (l *library) libraryFunction(name string) intrinsic {
	row, ok := libc.Known(name)
	if !ok || l.prog.Stranger(name) != "" {
		return nil
	}
	f := byRow(row)
	switch name {
	case "sprintf", "snprintf", "vsprintf", "vsnprintf",
		"__sprintf_chk", "__snprintf_chk", "__vsprintf_chk", "__vsnprintf_chk":
		f = formatted
	case "scanf", "fscanf", "sscanf":
		return scanned
	case "strlen", "strnlen":
		if f = compute; !l.opt.CheckPointers {
			return measured
		}
	}
	if f == nil || !l.opt.CheckPointers && (!l.racing() || row.Has(libc.Writes)) {
		return f
	}
	return func(l *lowerer, c *callSite) value {
		if v, ok := l.library.checkLibrary(c, row); ok {
			return v
		}
		return f(l, c)
	}
}

// byRow is a call that the row of a function describes; nil if it does not.
func byRow(row libc.Function) intrinsic {
	switch {
	case row.How != "row":
		return nil
	case row.Has(libc.Writes) || row.Has(libc.Calls) || strings.HasPrefix(row.Result, "in"): // or gives out addresses
		return func(l *lowerer, c *callSite) value {
			if v, ok := l.library.writesOnly(c, row); ok {
				return v
			}
			l.library.changesErrno(c)
			return l.calls.unknown(c, notModelled(row.Name))
		}
	case row.Result == "det":
		return compute
	}
	return func(l *lowerer, c *callSite) value { return readOnly(l, c, row) }
}

// takesValues reports whether a function takes the values that it prints as a va_list.
func takesValues(name string) bool { return strings.HasPrefix(strings.TrimLeft(name, "_"), "v") }

func nameSet(names string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(names) {
		set[name] = true
	}
	return set
}

// readOnly is a call of a reading function: any result that its row allows.
func readOnly(l *lowerer, c *callSite, row libc.Function) value {
	if l.opt.StrictCalls || slices.ContainsFunc(c.args, storesCount) {
		return l.calls.unknown(c, "")
	}
	l.Assume(cfa.AboutLibrary, c.pos, "%s changes no memory and has any result", c.name)
	if c.vals = l.calls.evalArgs(c); c.vals == nil {
		c.vals = []value{}
	}
	for i, v := range c.vals {
		if v.t != nil && v.class == classPtr && i > 0 && slices.ContainsFunc(c.args[:i], showsAddress) {
			l.mem.Exposes(v.t)
		}
	}
	l.library.changesErrno(c)
	v := l.calls.anyResult(c, "")
	if c.want && v.class == classInt && v.t != nil && !l.Dead() {
		l.library.boundResult(c, v.t, row)
	}
	return v
}

// boundResult lets a run go on only where the result of a function is one that it may have. Where that is how many
// characters are printed, and nobody knows, no violation may rest on it.
func (l *library) boundResult(c *callSite, v *expr.Expr, row libc.Function) {
	none := l.Pool.Int(v.Type(), -1)
	failed := l.Pool.Eq(v, none)
	var may *expr.Expr
	switch row.Result {
	case "done":
		may = l.Pool.Lor(failed, l.Pool.Eq(v, l.Pool.Int(v.Type(), 0)))
	case "many":
		may = l.Pool.Le(none, v)
	case "char":
		if len(c.vals) == 0 || c.vals[0].t == nil || c.vals[0].class != classInt {
			return
		}
		may = l.Pool.Lor(failed, l.Pool.Eq(v, l.Pool.Cast(v.Type(), l.Pool.Cast(expr.Uint8, c.vals[0].t))))
	case "count":
		may = l.printedCount(c, v, row)
	default:
		return
	}
	yes, no := l.Branch(may, c.pos)
	if l.Continue(no); len(no) > 0 {
		l.Halt(cfa.AssumptionFails, c.pos)
	}
	l.Continue(yes)
}

// printedCount is that a number is negative, or how many characters are printed.
func (l *library) printedCount(c *callSite, v *expr.Expr, row libc.Function) *expr.Expr {
	negative := l.Pool.Lt(v, l.Pool.Int(v.Type(), 0))
	if format := row.Format(); !takesValues(row.Name) && format < len(c.args) {
		if parts, ok := conversions(c.args[format]); ok {
			if length, _, ok := l.made(c, parts, format+1); ok {
				return l.Pool.Lor(negative, l.Pool.Eq(v, l.Pool.Cast(v.Type(), length)))
			}
		}
	}
	if v.Op() != expr.Var {
		return l.Pool.Bool(true)
	}
	fails, prints := l.Branch(negative, c.pos)
	l.Continue(prints)
	l.Emit(cfa.Assign{LHS: v, Nondet: c.name, Approx: notModelled(c.name)}, c.pos)
	l.Join(fails)
	return l.Pool.Bool(true)
}

// showsAddress reports whether an argument is a format that makes printf write
// addresses as numbers, or may be one.
func showsAddress(n cc.ExpressionNode) bool {
	s, ok := source.StringLiteral(n)
	if !ok {
		p, pointer := n.Type().Decay().(*cc.PointerType)
		return pointer && p.Elem().Size() == 1
	}
	return reAddress().MatchString(s)
}

var reAddress = pattern.New(`%[-+ #0-9.*]*p`)

// storesCount reports whether an argument is a format that makes printf store
// the number of characters.
func storesCount(n cc.ExpressionNode) bool {
	s, ok := source.StringLiteral(n)
	return ok && reCount().MatchString(s)
}

var reCount = pattern.New(`%[-+ #0-9.*hlLqjzt]*n`)

// compute is a call of a pure function: any result, which no violation may rest on.
func compute(l *lowerer, c *callSite) value {
	if l.opt.StrictCalls {
		return l.calls.unknown(c, "")
	}
	l.Assume(cfa.AboutLibrary, c.pos, "%s changes no memory and has any result", c.name)
	if c.vals = l.calls.evalArgs(c); strings.HasSuffix(c.name, "memcmp") || strings.HasSuffix(c.name, "bcmp") {
		for _, v := range c.vals {
			if v.t != nil && v.class == classPtr { // a comparison shows the addresses that are compared
				l.Emit(memory.Touch{At: at(v.t), Size: -1, Out: true}, c.pos)
			}
		}
	}
	return l.calls.anyResult(c, notModelled(c.name))
}

// measured is strlen and strnlen: the index of the first character 0, where it is known.
func measured(l *lowerer, c *callSite) value {
	limited := strings.HasSuffix(c.name, "strnlen")
	if len(c.args) != 1 && !(limited && len(c.args) == 2) || l.opt.StrictCalls || !c.ret.scalar() {
		return compute(l, c)
	}
	vals := l.calls.evalArgs(c)
	for _, v := range vals {
		if v.t == nil || l.Dead() {
			return l.dead(c)
		}
	}
	if vals[0].class != classPtr {
		return l.calls.unknown(c, notModelled(c.name))
	}
	var limit *expr.Expr
	if limited {
		limit = l.library.length(vals[1])
	}
	return l.library.numberResult(c, l.library.textLength(c, vals[0], limit, !limited))
}

func notModelled(name string) string { return "what " + name + " does" }

// mostSize is the largest size that counts as constant.
const mostSize = 1 << 32

// size is the value of an argument, if it is constant.
func (l *library) size(v value) int64 {
	if v.t == nil {
		return -1
	}
	t := l.justSet(l.Pool.Subst(v.t, l.fr.constants))
	if !t.IsConst() || t.Int() < 0 || t.Int() > mostSize {
		return -1
	}
	return t.Int()
}

// mostBack is how many statements back sizes are looked for.
const mostBack = 64

// justSet is a value, with the constants that the assignments right before give to local variables:
// simplified programs have size = 40; p = malloc(size).
func (l *library) justSet(t *expr.Expr) *expr.Expr {
	row := l.Row()
	for i := len(row) - 1; i >= max(0, len(row)-mostBack) && !t.IsConst(); i-- {
		switch s := row[i].Stmt.(type) {
		case cfa.Goto, memory.Store, memory.Copy, memory.Fill, memory.Touch, memory.Exists:
		case memory.Load:
			if s.LHS != nil && slices.Contains(expr.Vars(t), s.LHS) {
				return t
			}
		case cfa.Assign:
			switch {
			case !slices.Contains(expr.Vars(t), s.LHS):
			case s.RHS == nil || !l.unshared(s.LHS):
				return t
			default:
				t = l.Pool.Subst(t, map[*expr.Expr]*expr.Expr{s.LHS: s.RHS})
			}
		default:
			return t
		}
	}
	return t
}

// unshared reports whether a variable is a local one of the current instance whose address nobody takes.
func (l *library) unshared(v *expr.Expr) bool {
	for d, local := range l.fr.locals {
		if local == v {
			return !d.AddressTaken() && !d.IsStatic()
		}
	}
	return false
}

// allocate is malloc and its like: sizes is the number of arguments whose
// product is the size (of aligned_alloc and memalign only the last one is).
func (l *library) allocate(c *callSite, sizes int, fill *expr.Expr, null bool) value {
	if len(c.args) != sizes {
		return l.calls.unknown(c, "")
	}
	vals := l.calls.evalArgs(c)
	if null && l.tooMuch(vals[len(vals)-1:]) || fill != nil && l.tooMuch(vals) {
		return l.noMemory(c)
	}
	size, length := l.sizeOf(vals[len(vals)-1:])
	if fill != nil { // calloc
		size, length = l.sizeOf(vals)
	}
	v := l.allocated(c, size, length, fill, null, nil)
	if fill != nil && size < 0 && length != nil && !l.opt.Allocates {
		l.fits(c, v, length)
	}
	return v
}

// sizeOf is how many bytes a product of one number or two is: negative if that is not constant, then as a term,
// which is nil if nobody can say.
func (l *library) sizeOf(vals []value) (size int64, length *expr.Expr) {
	last := vals[len(vals)-1]
	size, length = l.size(last), l.length(last)
	if len(vals) == 1 {
		return size, length
	}
	if n := l.size(vals[0]); n >= 0 && size >= 0 && (n == 0 || size <= mostSize/n) {
		return size * n, l.Pool.Int(l.pointer, size*n)
	}
	return -1, l.product(l.length(vals[0]), length)
}

// tooMuch reports whether a product of constants is more than half of all addresses, which no library allocates.
func (l *library) tooMuch(vals []value) bool {
	product := big.NewInt(1)
	for _, v := range vals {
		n := l.length(v)
		if n == nil || !n.IsConst() {
			return false
		}
		product.Mul(product, new(big.Int).SetUint64(n.Value()))
	}
	return product.Cmp(new(big.Int).SetUint64(l.pointer.Mask()>>1)) > 0
}

// noMemory is an allocation that fails.
func (l *library) noMemory(c *callSite) value {
	l.library.changesErrno(c)
	return value{ctype{class: classPtr, typ: l.pointer}, l.Pool.Const(l.pointer, 0), nil}
}

// fits leaves out runs on which calloc or reallocarray gives memory for a product that is too large for a number.
func (l *library) fits(c *callSite, v value, length *expr.Expr) {
	most := l.Pool.Const(l.pointer, l.pointer.Mask())
	over, rest := l.Branch(l.Pool.And(l.Pool.Truth(v.t), l.Pool.Eq(length, most)), c.pos)
	if l.Continue(over); len(over) > 0 {
		l.Halt(cfa.AssumptionFails, c.pos)
	}
	l.Continue(rest)
}

// product is the size that calloc allocates; so much that there is no memory of it
// if that is more than a number can be; nil if nobody can say.
func (l *library) product(a, b *expr.Expr) *expr.Expr {
	if a != nil && a.IsConst() {
		a, b = b, a
	}
	if a == nil || b == nil || !b.IsConst() || b.Value() == 0 {
		return nil
	}
	most := l.Pool.Const(l.pointer, l.pointer.Mask())
	fits := l.Pool.Le(a, l.Pool.Const(l.pointer, l.pointer.Mask()/b.Value()))
	return l.Pool.Ite(fits, l.Pool.Mul(a, b), most)
}

// length is a number of bytes as a term; nil in dead code.
func (l *library) length(v value) *expr.Expr {
	if v.t == nil {
		return nil
	}
	return l.Pool.Cast(l.pointer, v.t)
}

// lengthUnless is the length of what does not have a constant size.
func (l *library) lengthUnless(size int64, v value) *expr.Expr {
	if size >= 0 {
		return nil
	}
	return l.length(v)
}

// allocated is the address of new memory; size is negative if it is not known. Realloc may leave the old memory where
// it is.
func (l *library) allocated(c *callSite, size int64, length, fill *expr.Expr, null bool, old *expr.Expr) value {
	s := memory.Site{Name: fmt.Sprintf("%s@%d:%d", c.name, c.pos.Line, c.pos.Col), Size: size, Length: length,
		Null: null, Pos: c.pos, Fill: fill, Old: old}
	if s.Certain = null && l.opt.Allocates; s.Certain {
		l.Assume(cfa.AboutMemory, c.pos, "%s never fails", c.name)
	}
	if t := l.allocatedType(c.args, size); t != nil {
		s.Type = l.typeFollowed(t, l.followed())
	}
	if size < 0 {
		l.Assume(cfa.AboutMemory, c.pos, "%s of a size that is not constant: what it holds is any value", c.name)
	}
	l.library.changesErrno(c)
	return value{ctype{class: classPtr, typ: l.pointer}, l.mem.Allocate(c.name, s), nil}
}

// at is what stands at an address, by that alone.
func at(addr *expr.Expr) memory.Ref { return memory.Ref{Address: memory.Address{Base: addr}} }

// allocatedType is the type whose size the arguments take, if size is a
// multiple of it or it ends in an array without a length.
func (l *facts) allocatedType(args []cc.ExpressionNode, size int64) (t cc.Type) {
	for _, a := range args {
		source.WalkExpr(a, func(e cc.ExpressionNode) {
			u, ok := source.Unparen(e).(*cc.UnaryExpression)
			switch {
			case !ok:
			case u.Case == cc.UnaryExpressionSizeofType:
				t = u.TypeName.Type()
			case u.Case == cc.UnaryExpressionSizeofExpr:
				t = u.UnaryExpression.Type().Undecay()
			}
		})
	}
	if t == nil || l.bytes(t) <= 0 || l.bytes(t) > size {
		return nil
	}
	if s, ok := t.(*cc.StructType); size%l.bytes(t) != 0 && !(ok && s.HasFlexibleArrayMember()) {
		return nil
	}
	return t
}

// release is free.
func release(l *lowerer, c *callSite) value {
	if len(c.args) != 1 {
		return l.calls.unknown(c, "")
	}
	if v := l.calls.evalArgs(c)[0]; v.t != nil {
		l.Emit(memory.Free{Addr: v.t}, c.pos)
	}
	return value{ctype: ctVoid}
}

// reallocate is realloc, or reallocarray, whose size is the product of two: new memory with what the old one held.
func reallocate(l *lowerer, c *callSite, sizes int) value {
	if len(c.args) != 1+sizes {
		return l.calls.unknown(c, "")
	}
	vals := l.calls.evalArgs(c)
	if l.Dead() || slices.ContainsFunc(vals, func(v value) bool { return v.t == nil }) {
		return l.dead(c) // through a pointer of another type, a size may be a structure
	}
	if l.library.tooMuch(vals[1:]) {
		return l.library.noMemory(c)
	}
	size, length := l.library.sizeOf(vals[1:])
	v := l.library.allocated(c, size, length, nil, true, vals[0].t)
	if len(vals) > 2 && size < 0 && length != nil && !l.opt.Allocates {
		l.library.fits(c, v, length)
	}
	yes, failed := l.Branch(l.Pool.Truth(v.t), c.pos)
	l.Continue(yes)
	old, none := l.Branch(l.Pool.Truth(vals[0].t), c.pos)
	l.Continue(old)
	kept := memory.Copy{To: at(v.t), From: at(vals[0].t), Size: size, Partly: true}
	if size < 0 {
		kept.Length = length
	}
	l.Emit(kept, c.pos)
	l.Emit(memory.Free{Addr: vals[0].t, Unless: v.t}, c.pos)
	l.Join(none)
	ends := l.Ends()
	if l.Continue(failed); size <= 0 && len(failed) > 0 {
		l.library.freesNone(c, vals[0].t, vals[1:])
	}
	l.Join(ends)
	return v
}

// freesNone is where realloc has given NULL: of no bytes it may have freed what it was given (C17 7.22.3.5).
func (l *library) freesNone(c *callSite, old *expr.Expr, sizes []value) {
	l.Assume(cfa.AboutLibrary, c.pos,
		"%s of no bytes frees what it is given, also where it gives NULL, as common libraries do", c.name)
	bytes := l.Pool.Bool(true)
	for _, v := range sizes {
		bytes = l.Pool.Land(bytes, l.Pool.Truth(l.library.length(v)))
	}
	some, none := l.Branch(bytes, c.pos)
	if l.Continue(none); len(none) > 0 {
		there, not := l.Branch(l.Pool.Truth(old), c.pos)
		if l.Continue(there); len(there) > 0 {
			l.Emit(memory.Free{Addr: old}, c.pos)
		}
		l.Join(not)
	}
	l.Join(some)
}

// copyMemory is memcpy and memmove.
func copyMemory(l *lowerer, c *callSite) value {
	if len(c.args) != 3 {
		return l.calls.unknown(c, "")
	}
	vals := l.calls.evalArgs(c)
	if vals[0].t == nil || vals[1].t == nil || l.Dead() {
		return l.dead(c)
	}
	size := l.library.size(vals[2])
	if size != 0 {
		told := l.observing.writesBytes(c, vals[0], size, nil, vals[1].t)
		from := cfa.Loc(l.Len())
		l.Emit(memory.Copy{To: at(vals[0].t), From: at(vals[1].t), Size: size,
			Length: l.library.lengthUnless(size, vals[2]), Apart: strings.HasSuffix(c.name, "memcpy")}, c.pos)
		l.observing.wrote(from, nil, told, c.pos)
	}
	return vals[0]
}

// fillMemory is memset.
func fillMemory(l *lowerer, c *callSite) value {
	if len(c.args) != 3 {
		return l.calls.unknown(c, "")
	}
	vals := l.calls.evalArgs(c)
	if vals[0].t == nil || vals[1].t == nil || l.Dead() {
		return l.dead(c)
	}
	if size := l.library.size(vals[2]); size != 0 {
		f := memory.Fill{To: at(vals[0].t), Size: size, Val: l.Pool.Cast(expr.Uint8, vals[1].t)}
		if size < 0 {
			f.Length = l.library.length(vals[2])
		}
		told := l.observing.writesBytes(c, vals[0], size, f.Val, nil)
		from := cfa.Loc(l.Len())
		l.Emit(f, c.pos)
		l.observing.wrote(from, nil, told, c.pos)
	}
	return vals[0]
}
