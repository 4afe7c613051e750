package cfa

// Memory: blocks with addresses, and cells.
//
// Idea: whatever needs an address (aggregates, variables whose address is taken,
// strings, functions, allocated memory) is a block at a constant address. Its
// scalar leaves are cells: each is an ordinary variable of the automaton, made
// when something first mentions it. A scalar whose address nobody takes is a
// variable and nothing else.
//
// Addresses are numbers far from those that programs write, all different, with
// room between the blocks: what is less than gap/2 bytes outside of a block is
// taken for an address that was computed from the block's.
//
// Source: blocks with offsets are those of CompCert's memory model (Leroy,
// Blazy, JAR 41, 2008), except that a block has a number as its address. Cost:
// the layout of a block is linear in its leaves.

import (
	"fmt"
	"sort"
	"strings"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// gap is the least room between two blocks, and what addresses of blocks are
// multiples of.
func (m DataModel) gap() uint64 {
	if m == ILP32 {
		return 1 << 14
	}
	return 1 << 20
}

// firstAddress is the address of the first block.
func (m DataModel) firstAddress() uint64 {
	if m == ILP32 {
		return 0x5eed0000
	}
	return 0x5eed00000000
}

// A block is a piece of memory with an address, or a function.
type block struct {
	layout
	number  int
	name    string // unique
	base    uint64
	size    int64 // in bytes
	typ     cc.Type
	untyped bool // leaves come from accesses
	fixed   bool // nothing may store to it: strings, constants, functions
	static  *object
	fn      *cc.Declarator
	// outside says that the object is one that a pointer from outside points
	// to: there may be more around it.
	outside bool
	assumes Warning // what is assumed if it is accessed
	// limitless is memory of an extent that is not known: summarised.
	limitless bool
	heap      bool
	live      *expr.Expr // nonzero while allocated, where that is checked
	alive     *expr.Expr // nonzero until the procedure returns whose object it is, where that is checked
	inits     []initial  // values of a static object at the start
	hasInits  bool
	proc      *procedure // of a function, if it has a body
	decl      Var        // kind, frame, name of its cells
}

// A cell is a leaf with its block.
type cell struct {
	b  *block
	lf *leaf
}

// beginLife notes, where pointers are checked, that the objects of an instance
// begin to exist. Blocks within a procedure are not told apart: an object lives
// until its procedure returns.
func (l *lowerer) beginLife(fr *instance, pos Pos) Loc {
	if !l.opt.CheckPointers || len(l.open) == 0 {
		return -1
	}
	name := fr.proc.name + "::alive"
	fr.alive = l.newVar(name, name, bool1)
	return l.emit(Assign{LHS: fr.alive, RHS: l.pool.Const(bool1, 1)}, pos)
}

// endLife ends the lives of the objects of an instance that have addresses.
func (l *lowerer) endLife(fr *instance, begin Loc, pos Pos) {
	if begin < 0 {
		return
	}
	found := false
	for _, b := range l.blocks {
		k := b.decl.Kind
		if b.decl.Frame == fr.id && !b.heap && (k == Local || k == Param || k == Temp && b.decl.Name == "literal") {
			b.alive, found = fr.alive, true
		}
	}
	if !found {
		l.locs[begin].Stmt = Goto{}
		return
	}
	l.addVar(Var{Expr: fr.alive, Name: "alive", Kind: Temp, Frame: fr.id, Pos: pos})
	if len(l.open) > 0 {
		l.assign(fr.alive, l.pool.Const(bool1, 0), pos)
	}
}

// newBlock makes a block of a type; v says what its cells are.
func (l *lowerer) newBlock(name string, t cc.Type, size int64, v Var) *block {
	b := &block{number: len(l.blocks), name: l.uniqueName(name), typ: t, size: max(size, 0), decl: v}
	b.base = l.prog.model.firstAddress()
	if n := len(l.blocks); n > 0 {
		last := l.blocks[n-1]
		gap := l.prog.model.gap()
		b.base = (last.base+uint64(last.size)+gap-1)/gap*gap + gap
	}
	if end := b.base + uint64(b.size) + l.prog.model.gap(); b.size > 1<<40 || end > l.prog.model.ptrType().Mask() {
		panic(stop{&UnsupportedError{v.Pos, "more memory than the data model has addresses", ""}})
	}
	if b.untyped = t == nil; t != nil {
		l.prog.model.lay(&b.layout, t, 0, 8*b.size, "", l.arrayLimit())
	}
	l.blocks = append(l.blocks, b)
	return b
}

func (l *lowerer) uniqueName(name string) string {
	for base := name; l.names[name]; {
		l.temps[base]++
		name = fmt.Sprintf("%s#%d", base, l.temps[base]+1)
	}
	l.names[name] = true
	return name
}

func (l *lowerer) arrayLimit() int64 {
	if l.opt.ArrayLimit > 0 {
		return int64(l.opt.ArrayLimit)
	}
	return DefaultArrayLimit
}

// addressIn is the constant address at an offset of a block.
func (l *lowerer) addressIn(b *block, off int64) *expr.Expr {
	return l.pool.Const(l.prog.model.ptrType(), b.base+uint64(off))
}

// blockAt is the block whose address, give or take, a constant is, with the
// offset in it; nil for other constants.
func (l *lowerer) blockAt(addr uint64) (*block, int64) {
	room := int64(l.prog.model.gap() / 2)
	i := sort.Search(len(l.blocks), func(i int) bool { return l.blocks[i].base+uint64(l.blocks[i].size+room) > addr })
	if i < len(l.blocks) && l.blocks[i].base-uint64(room) <= addr {
		return l.blocks[i], int64(addr - l.blocks[i].base)
	}
	return nil, 0
}

// AddressName names an address as in C, "&x", "&s.f", and is false for a number
// that is no address.
func (c *CFA) AddressName(v uint64) (string, bool) {
	i := sort.Search(len(c.memory), func(i int) bool { return c.memory[i].base > v })
	if i == 0 || v > c.memory[i-1].base+uint64(c.memory[i-1].size) {
		return "", false
	}
	name, _ := c.memory[i-1].offsetName(int64(v - c.memory[i-1].base))
	return "&" + name, true
}

// nameOf names addresses among constants, and what subtracts one.
func (c *CFA) nameOf(pointer expr.Type) func(t expr.Type, v uint64) (string, bool) {
	return func(t expr.Type, v uint64) (string, bool) {
		if t != pointer {
			return "", false
		}
		sign := ""
		name, ok := c.AddressName(v)
		if !ok {
			sign = "-"
			name, ok = c.AddressName(-v & t.Mask())
		}
		if strings.Contains(name, "+") {
			name = "(" + name + ")"
		}
		return sign + name, ok
	}
}

// blockOf is blockAt for a term.
func (l *lowerer) blockOf(t *expr.Expr) (*block, int64) {
	if t == nil || !t.IsConst() || t.Type().Width != l.prog.model.ptrType().Width {
		return nil, 0
	}
	return l.blockAt(t.Value())
}

// leafAt is the leaf of a block with exactly this extent; nil if the block is
// laid out otherwise there. name says that an element of a span, or an extent
// of untyped memory, may become a leaf by being accessed.
func (l *lowerer) leafAt(b *block, e extent, t ctype, name bool) *leaf {
	if lf := b.find(e); lf != nil {
		return lf
	}
	if !name || e.at < 0 || e.end() > 8*b.size || e.kind == kindFloat {
		return nil
	}
	if s := b.spanAt(e.at); s != nil {
		var ly layout
		size := 8 * s.elem.Size()
		i := (e.at - s.at) / size
		l.prog.model.lay(&ly, s.elem, s.at+i*size, size, fmt.Sprintf("%s[%d]", s.path, i), l.arrayLimit())
		if lf := ly.find(e); lf != nil {
			return b.add(lf)
		}
		return nil
	}
	if b.untyped && !b.limitless && len(b.overlapping(e)) == 0 {
		t.cut = t.cut || e.width != int64(t.typ.Width) && t.typ != bool1
		return b.add(&leaf{extent: e, t: t, path: fmt.Sprintf("+%d", e.at/8)})
	}
	return nil
}

// cellVar is the variable of a leaf; nil for floating point.
func (l *lowerer) cellVar(b *block, lf *leaf) *expr.Expr {
	if lf.v != nil || lf.kind == kindFloat {
		return lf.v
	}
	v := b.decl
	name := b.name + lf.path
	v.Name += lf.path
	if lf.path == "" {
		name, v.Name = "*"+name, "*"+v.Name
	}
	lf.v = l.newVar(name, name, lf.t.typ)
	v.Expr = lf.v
	l.addVar(v)
	l.claimCell(b, lf)
	return lf.v
}

// claimCell notes that the leaf's variable is a cell.
func (l *lowerer) claimCell(b *block, lf *leaf) {
	l.cells[lf.v] = cell{b, lf}
	l.addressable[lf.v] = true
	l.pointers[lf.v] = lf.t.class == classPtr
}

// variableBlock makes the block of a scalar variable whose address is taken.
func (l *lowerer) variableBlock(v *expr.Expr, t cc.Type, decl Var) *block {
	if c, ok := l.cells[v]; ok {
		return c.b
	}
	b := l.newBlock(v.Name()+"&", t, t.Size(), decl)
	b.name = v.Name()
	if len(b.leaves) == 1 {
		b.leaves[0].v = v
		l.claimCell(b, b.leaves[0])
	}
	return b
}

// functionBlock is the block whose address is that of the function which d
// declares.
func (l *lowerer) functionBlock(d *cc.Declarator) *block {
	return l.functionBlockOf(function{d, l.prog.resolve(l.fr.proc.file, d.Name())})
}

func (l *lowerer) functionBlockOf(f function) *block {
	for _, b := range l.functions {
		if sameFunction(b.function(), f) {
			return b
		}
	}
	b := l.newBlock("&"+f.d.Name(), nil, 1, Var{})
	b.untyped, b.fn, b.proc, b.fixed = false, f.d, f.body, true
	l.functions = append(l.functions, b)
	return b
}

// stringBlock is the block of a string literal.
func (l *lowerer) stringBlock(x *cc.PrimaryExpression) *block {
	if b := l.strings[x]; b != nil {
		return b
	}
	t := x.Type().Undecay()
	b := l.newBlock("string", t, t.Size(), Var{Name: "string", Kind: Temp, Frame: l.fr.id, Pos: position(x.Position())})
	b.fixed, b.hasInits = true, true
	b.inits = l.stringItems(x, t, 0)
	l.strings[x] = b
	return b
}
