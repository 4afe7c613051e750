package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/smt/expr"
)

// use stores an int through a pointer.
func (d *draft) use(p *expr.Expr) {
	d.Emit(memory.Store{To: at(p, 0), Val: d.Pool.Int(expr.Int32, 1)}, pos(9))
}

// allocate is malloc(4), where it does not fail.
func (d *draft) allocate() *expr.Expr {
	p := d.mem.Allocate("malloc", memory.Site{Name: "malloc", Size: 4, Type: integer, Null: true, Pos: pos(2)})
	ok, failed := d.Branch(d.Pool.Truth(p), pos(2))
	d.Continue(failed)
	d.Halt("no memory", pos(2))
	d.Continue(ok)
	return p
}

// TestLives: an access is an error, where pointers are checked, just if its object does not exist at that time.
func TestLives(t *testing.T) {
	valid, invalid := []string{"end"}, []string{cfa.ErrorAction}
	for name, c := range map[string]struct {
		write func(d *draft, p *expr.Expr)
		want  []string
	}{
		"in the block": {func(d *draft, p *expr.Expr) {
			d.block(p, func(*memory.Object) { d.use(p) })
		}, valid},
		"behind the block": {func(d *draft, p *expr.Expr) {
			d.block(p, func(*memory.Object) {})
			d.use(p)
		}, invalid},
		"in the block, when it is entered again": {func(d *draft, p *expr.Expr) {
			d.twice(func(again *expr.Expr) { d.block(p, func(*memory.Object) { d.use(p) }) })
		}, valid},
		"from the time before, when it is entered again": {func(d *draft, p *expr.Expr) {
			q := d.variable("q", pointer, cfa.Local)
			d.Assign(q, d.Pool.Const(expr.Uint64, 0), pos(2))
			d.twice(func(again *expr.Expr) {
				d.block(p, func(*memory.Object) {
					second, first := d.Branch(d.Pool.Truth(again), pos(3))
					d.Continue(second)
					d.use(q)
					d.Join(first)
					d.Assign(q, p, pos(3))
				})
			})
		}, invalid},
		"in the procedure": {func(d *draft, p *expr.Expr) { d.procedure(p, func() { d.use(p) }) }, valid},
		"behind the procedure": {func(d *draft, p *expr.Expr) {
			d.procedure(p, func() {})
			d.use(p)
		}, invalid},
		"allocated": {func(d *draft, p *expr.Expr) { d.use(d.allocate()) }, []string{"end", "no memory"}},
		"freed": {func(d *draft, _ *expr.Expr) {
			p := d.allocate()
			d.Emit(memory.Free{Addr: p}, pos(3))
			d.use(p)
		}, []string{cfa.ErrorAction, "no memory"}},
		"freed twice": {func(d *draft, _ *expr.Expr) {
			p := d.allocate()
			d.Emit(memory.Free{Addr: p}, pos(3))
			d.Emit(memory.Free{Addr: p}, pos(4))
		}, []string{cfa.ErrorAction, "no memory"}},
		"another one freed": {func(d *draft, _ *expr.Expr) {
			p := d.allocate()
			d.Emit(memory.Free{Addr: d.allocate()}, pos(3))
			d.use(p)
		}, []string{"end", "no memory"}},
		"a variable freed": {func(d *draft, p *expr.Expr) {
			d.Emit(memory.Free{Addr: d.mem.AddressIn(d.object("x", integer), 0)}, pos(3))
		}, invalid},
		"NULL freed": {func(d *draft, p *expr.Expr) {
			d.Emit(memory.Free{Addr: d.Pool.Const(expr.Uint64, 0)}, pos(3))
		}, valid},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDraft(memory.Options{Modelling: cfa.Modelling{CheckPointers: true}})
			p := d.variable("p", pointer, cfa.Local)
			d.Assign(p, d.Pool.Const(expr.Uint64, 0), pos(2))
			c.write(d, p)
			require.Equal(t, c.want, ends(d.build(t), nil))
		})
	}
}

// block writes an inner block with an object that p points to.
func (d *draft) block(p *expr.Expr, write func(*memory.Object)) {
	b := d.object("b", integer)
	d.Emit(memory.Exists{Object: b, Begins: true, Declares: true}, pos(3))
	d.Assign(p, d.mem.AddressIn(b, 0), pos(3))
	write(b)
	d.Emit(memory.Exists{Object: b}, pos(3))
}

// twice writes a loop of two rounds; again is nonzero in the second one.
func (d *draft) twice(write func(again *expr.Expr)) {
	again := d.variable("again", integer, cfa.Local)
	d.Assign(again, d.Pool.Int(expr.Int32, 0), pos(2))
	head := d.Emit(cfa.Goto{}, pos(2))
	write(again)
	over, more := d.Branch(d.Pool.Truth(again), pos(2))
	d.Continue(more)
	d.Assign(again, d.Pool.Int(expr.Int32, 1), pos(2))
	d.Patch(d.Ends(), head)
	d.Continue(over)
}

// procedure writes a call of a procedure with a variable that p points to.
func (d *draft) procedure(p *expr.Expr, write func()) {
	frame := d.NewFrame("f", pos(3))
	life := d.mem.BeginLife("f", pos(3))
	b := d.mem.NewObject("b", integer, integer.Size, cfa.Var{Name: "b", Kind: cfa.Local, Frame: frame, Pos: pos(3)})
	d.Assign(p, d.mem.AddressIn(b, 0), pos(3))
	write()
	d.mem.EndLife(life, pos(3))
	d.Enter(0)
}

// TestLeaks: memory that is not freed at the end is an error, where that is checked.
func TestLeaks(t *testing.T) {
	for freed, want := range map[bool][]string{true: {"end", "no memory"}, false: {cfa.ErrorAction, "no memory"}} {
		d := newDraft(memory.Options{Modelling: cfa.Modelling{CheckLeaks: true}})
		p := d.allocate()
		if freed {
			d.Emit(memory.Free{Addr: p}, pos(3))
		}
		d.Emit(memory.Leaks{}, pos(4))
		require.Equal(t, want, ends(d.build(t), nil), "freed: %v", freed)
	}
}

// bytesOf is an array of so many bytes.
func bytesOf(size int64) *memory.Type {
	return &memory.Type{Size: size, Len: size, Elem: &memory.Type{Size: 1, Scalar: &memory.Scalar{Type: expr.Uint8}}}
}

// TestRangesOfBytes: an access of n bytes is an error just if there are any, and they do not all lie in the object; a
// copy also if its source and its target overlap and are not the same. All ranges of small objects are tried.
func TestRangesOfBytes(t *testing.T) {
	for _, size := range []int64{1, 4} {
		for to := range size + 1 {
			for from := int64(-1); from <= size; from++ {
				d := newDraft(memory.Options{Modelling: cfa.Modelling{CheckPointers: true}})
				number := &memory.Type{Size: 8, Scalar: &memory.Scalar{Type: expr.Uint64}}
				b, n := d.object("b", bytesOf(size)), d.variable("n", number, cfa.Param)
				ref := func(off int64) memory.Ref {
					return memory.CharacterAt(memory.Address{Base: d.mem.AddressIn(b, 0), Off: off})
				}
				if from < 0 {
					d.Emit(memory.Touch{At: ref(to), Size: -1, Length: n}, pos(2))
				} else {
					d.Emit(memory.Copy{To: ref(to), From: ref(from), Size: -1, Length: n, Apart: true}, pos(2))
				}
				c := d.build(t)
				for length := range size + 2 {
					wrong := length > 0 && to+length > size
					if from >= 0 {
						overlap := to != from && max(to-from, from-to) < length
						wrong = wrong || length > 0 && (from+length > size || overlap)
					}
					want := "end"
					if wrong {
						want = cfa.ErrorAction
					}
					require.Equal(t, []string{want}, ends(c, map[*expr.Expr]uint64{n: uint64(length)}),
						"%d bytes to %d from %d in %d", length, to, from, size)
				}
			}
		}
	}
}
