package cfa

// Allocated memory, and the functions of the C library that work on memory.
//
// Idea: what a call of malloc allocates is a block. A call that control can
// pass several times gives out a fixed number of blocks in turn, and after them
// addresses of memory that is not modelled. The type of a block is what sizeof
// says in the call; without one its cells are what is accessed.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// memoryFunction is the meaning of a function whose effect on memory is
// modelled, or nil.
func memoryFunction(name string) intrinsic {
	switch name {
	case "malloc":
		return func(l *lowerer, c *callSite) value { return l.allocate(c, 1, nil, true) }
	case "alloca":
		return func(l *lowerer, c *callSite) value { return l.allocate(c, 1, nil, false) }
	case "aligned_alloc":
		return func(l *lowerer, c *callSite) value { return l.allocate(c, 2, nil, true) }
	case "calloc":
		return func(l *lowerer, c *callSite) value { return l.allocate(c, 2, l.pool.Const(expr.Uint8, 0), true) }
	case "realloc":
		return reallocate
	case "free":
		return release
	case "memcpy", "memmove":
		return copyMemory
	case "memset":
		return fillMemory
	}
	return nil
}

// readers are functions of the C library that change no memory of the
// program's. Their result may be any.
var readers = nameSet("printf fprintf puts putchar putc fputc fputs perror fflush rand")

// computers change no memory either, but have one result for their arguments.
var computers = nameSet("strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll memcmp atoi atol atoll abs labs llabs " +
	"isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toupper tolower")

// changers are functions of the C library that change memory in one way.
var changers = nameSet("strcpy strncpy stpcpy strcat strncat memchr memrchr strchr strrchr strstr strspn strcspn strpbrk strtok " +
	"strtol strtoul strtoll strtoull div ldiv lldiv sprintf snprintf mempcpy memccpy bcopy bzero bcmp")

func nameSet(names string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(names) {
		set[name] = true
	}
	return set
}

// readOnly is a call of a reader: any result.
func readOnly(l *lowerer, c *callSite) value {
	if l.opt.StrictCalls || slices.ContainsFunc(c.args, storesCount) {
		return l.unknown(c, "")
	}
	l.warnf(c.pos, "%s changes no memory and has any result", c.name)
	l.effects(c)
	return l.anyResult(c, "")
}

// storesCount reports whether an argument is a format that makes printf store
// the number of characters.
func storesCount(n cc.ExpressionNode) bool {
	s, ok := stringLiteral(n)
	return ok && reCount.MatchString(s)
}

var reCount = regexp.MustCompile(`%[-+ #0-9.*hlLqjzt]*n`)

// compute is a call of a computer: any result, which no violation may rest on.
func compute(l *lowerer, c *callSite) value {
	if l.opt.StrictCalls {
		return l.unknown(c, "")
	}
	l.warnf(c.pos, "%s changes no memory and has any result", c.name)
	l.effects(c)
	return l.anyResult(c, notModelled(c.name))
}

func notModelled(name string) string { return "what " + name + " does" }

// size is the value of an argument, if it is constant.
func (l *lowerer) size(v value) int64 {
	if v.t == nil {
		return -1
	}
	t := l.pool.Subst(v.t, l.fr.constants)
	if !t.IsConst() || t.Int() < 0 || t.Int() > 1<<32 {
		return -1
	}
	return t.Int()
}

// allocate is malloc and its like: sizes is the number of arguments whose
// product is the size (of aligned_alloc only the last one is).
func (l *lowerer) allocate(c *callSite, sizes int, fill *expr.Expr, null bool) value {
	if len(c.args) != sizes {
		return l.unknown(c, "")
	}
	vals := l.evalArgs(c)
	size := l.size(vals[len(vals)-1])
	if c.name == "calloc" {
		if n := l.size(vals[0]); n < 0 || size < 0 {
			size = -1
		} else {
			size *= n
		}
	}
	return l.allocated(c, size, fill, null)
}

func (l *lowerer) allocated(c *callSite, size int64, fill *expr.Expr, null bool) value {
	t := ctype{class: classPtr, typ: l.prog.model.ptrType()}
	name := fmt.Sprintf("%s@%d:%d", c.name, c.pos.Line, c.pos.Col)
	s := &site{name: name, size: size, fill: fill, null: null, typ: allocatedType(c.args, size),
		decl: Var{Name: name, Kind: Temp, Frame: l.fr.id, Pos: c.pos}}
	if size < 0 {
		l.warnf(c.pos, "%s of a size that is not constant: what it holds is any value", c.name)
	}
	v := l.temp(c.name, t.typ, c.pos)
	l.pointers[v] = true
	l.emit(allocStmt{v, s}, c.pos)
	return value{t, v, nil}
}

// allocatedType is the type whose size the arguments take, if size is a
// multiple of it or it ends in an array without a length.
func allocatedType(args []cc.ExpressionNode, size int64) (t cc.Type) {
	for _, a := range args {
		walkExpr(a, func(e cc.ExpressionNode) {
			u, ok := unparen(e).(*cc.UnaryExpression)
			switch {
			case !ok:
			case u.Case == cc.UnaryExpressionSizeofType:
				t = u.TypeName.Type()
			case u.Case == cc.UnaryExpressionSizeofExpr:
				t = u.UnaryExpression.Type().Undecay()
			}
		})
	}
	if t == nil || t.Size() <= 0 || t.Size() > size {
		return nil
	}
	if s, ok := t.(*cc.StructType); size%t.Size() != 0 && !(ok && s.HasFlexibleArrayMember()) {
		return nil
	}
	return t
}

// newHeapBlock makes a block of a site.
func (l *lowerer) newHeapBlock(s *site) *block {
	l.allocations[s.name]++
	d := s.decl
	d.Name = fmt.Sprintf("%s#%d", s.name, l.allocations[s.name])
	b := l.newBlock(d.Name, nil, s.size, d)
	b.heap = true
	switch {
	case s.size < 0:
		b.limitless = true
	case s.typ != nil:
		l.layOut(b, s.typ)
	}
	if l.opt.CheckPointers && s.null {
		b.live = l.newVar(b.name+".live", b.name+".live", bool1)
		l.addVar(Var{Expr: b.live, Name: d.Name + ".live", Kind: Temp, Frame: d.Frame, Pos: d.Pos})
	}
	return b
}

// layOut gives a block the leaves of one or several objects of a type.
func (l *lowerer) layOut(b *block, t cc.Type) {
	b.untyped = false
	n := b.size / t.Size()
	switch {
	case n <= 1 || b.size%t.Size() != 0:
		l.prog.model.lay(&b.layout, t, 0, 8*b.size, "", l.arrayLimit())
	case n > l.arrayLimit():
		b.spans = append(b.spans, span{0, 8 * n * t.Size(), t, ""})
	default:
		for i := range n {
			l.prog.model.lay(&b.layout, t, 8*i*t.Size(), 8*t.Size(), fmt.Sprintf("[%d]", i), l.arrayLimit())
		}
	}
}

// release is free.
func release(l *lowerer, c *callSite) value {
	if len(c.args) != 1 {
		return l.unknown(c, "")
	}
	if v := l.evalArgs(c)[0]; l.opt.CheckPointers && v.t != nil {
		l.emit(freeStmt{v.t, c.name}, c.pos)
	}
	return value{ctype: ctVoid}
}

// reallocate is realloc: new memory with what the old one held.
func reallocate(l *lowerer, c *callSite) value {
	if len(c.args) != 2 {
		return l.unknown(c, "")
	}
	vals := l.evalArgs(c)
	if vals[0].t == nil || len(l.open) == 0 {
		return l.dead(c)
	}
	size := l.size(vals[1])
	v := l.allocated(c, size, nil, true)
	yes, failed := l.branch(l.pool.Truth(v.t), c.pos)
	l.open = yes
	old, none := l.branch(l.pool.Truth(vals[0].t), c.pos)
	l.open = old
	from := ref{base: vals[0].t}
	l.emit(copyStmt{to: ref{base: v.t}, from: from, size: size, between: &transit{frame: l.fr.id}, partly: true}, c.pos)
	if l.opt.CheckPointers {
		l.emit(freeStmt{vals[0].t, c.name}, c.pos)
	}
	l.open = append(append(l.open, none...), failed...)
	return v
}

// copyMemory is memcpy and memmove.
func copyMemory(l *lowerer, c *callSite) value {
	if len(c.args) != 3 {
		return l.unknown(c, "")
	}
	vals := l.evalArgs(c)
	if vals[0].t == nil || vals[1].t == nil || len(l.open) == 0 {
		return l.dead(c)
	}
	size := l.size(vals[2])
	if size != 0 {
		l.emit(copyStmt{to: ref{base: vals[0].t}, from: ref{base: vals[1].t}, size: size, between: &transit{frame: l.fr.id}}, c.pos)
	}
	return vals[0]
}

// fillMemory is memset.
func fillMemory(l *lowerer, c *callSite) value {
	if len(c.args) != 3 {
		return l.unknown(c, "")
	}
	vals := l.evalArgs(c)
	if vals[0].t == nil || vals[1].t == nil || len(l.open) == 0 {
		return l.dead(c)
	}
	if size := l.size(vals[2]); size != 0 {
		f := fillStmt{to: ref{base: vals[0].t}, size: size, val: l.pool.Cast(expr.Uint8, vals[1].t)}
		if size < 0 {
			f.val, f.nondet, f.approx = nil, c.name, c.name+" of a size that is not constant"
		}
		l.emit(f, c.pos)
	}
	return vals[0]
}
