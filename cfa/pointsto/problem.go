package pointsto

// An Object is a piece of memory, a function, or whatever else has an address.
type Object int32

// A Node stands for the targets of one pointer.
type Node int32

const (
	// Unknown is the memory that nobody described, without offsets. Its
	// contents are World.
	Unknown Object = 0
	// World holds the pointers that code nobody described may have: Unknown,
	// what has escaped, and whatever can be reached and computed from it. That
	// code stores any of these into any of these.
	World Node = 0
)

const (
	// maxOffsets is the size in bytes beyond which the offsets of an object are
	// not told apart.
	maxOffsets = 1 << 16
	// maxSize bounds sizes and steps, so that sums do not overflow. It is a
	// multiple of classes.
	maxSize = 1 << 60
)

// A Problem is a system of inclusions, built call by call. The calls may come
// in any order.
type Problem struct {
	objects     []object
	nodes       int
	constraints []constraint
}

// object is what the caller says of a piece of memory.
type object struct {
	size  int64  // 0: offsets are not told apart, nor can one leave it
	open  bool   // what lies around it is memory that nobody described
	areas []area // disjoint, ascending
	cells []cell // ascending by offset, then node
}

// An area is a range of offsets, first to last, that are not told apart.
type area struct{ first, last int64 }

// A cell is a part of an object that holds pointers: the node with its contents.
type cell struct {
	offset int64
	node   Node
}

type operation uint8

const (
	addressOf operation = iota // dst ∋ (object, delta)
	copyOf                     // dst ⊇ src
	shift                      // dst ⊇ src + delta
	anywhere                   // dst ⊇ src + any multiple of delta
	indexed                    // the same, as far as it stays in the object
	load                       // dst ⊇ contents of each of src
	store                      // contents of each of dst ⊇ src
)

type constraint struct {
	op       operation
	dst, src Node
	object   Object
	delta    int64
}

// NewProblem returns a problem with nothing but Unknown and World.
func NewProblem() *Problem {
	g := &Problem{}
	g.Contents(g.Object(0), 0, g.Node())
	g.AddressOf(World, Unknown, 0)
	g.Anywhere(World, World)
	g.Load(World, World)
	g.Store(World, World)
	return g
}

// Object adds an object of so many bytes. Size 0 is an object without offsets:
// a function, or memory of unknown extent; all offsets in it are offset 0, and
// no arithmetic leads out of it. The offsets of an object of more than 64 KiB
// are not told apart either.
func (g *Problem) Object(size uint64) Object {
	o := object{size: int64(min(size, maxSize))}
	if o.size > maxOffsets {
		o.areas = []area{{0, o.size - 1}}
	}
	g.objects = append(g.objects, o)
	return Object(len(g.objects) - 1)
}

// Surround declares that an object with offsets lies in memory that nobody
// described, as one element of an array does: a pointer that leaves it points
// to [Unknown].
func (g *Problem) Surround(o Object) {
	obj := &g.objects[o]
	obj.open = obj.size > 0
}

// Merge declares that the offsets first … last of an object, which must lie in
// it, are not told apart: elements of an array that is one to the caller.
// Ranges that overlap become one.
func (g *Problem) Merge(o Object, first, last uint64) {
	obj := &g.objects[o]
	added := area{int64(first), int64(last)}
	if added.first > added.last || added.last > obj.size {
		panic("pointsto: no such range of offsets")
	}
	var areas []area
	for _, a := range obj.areas {
		switch {
		case a.last < added.first:
			areas = append(areas, a)
		case added.last < a.first:
			areas = append(areas, added)
			added = a
		default:
			added = area{min(a.first, added.first), max(a.last, added.last)}
		}
	}
	obj.areas = append(areas, added)
}

// Node adds a node: the targets of one pointer.
func (g *Problem) Node() Node {
	g.nodes++
	return Node(g.nodes - 1)
}

// Contents declares that the pointer at an offset of an object, which must lie
// in it, is n. One offset may have several nodes, one node several offsets.
func (g *Problem) Contents(o Object, offset uint64, n Node) {
	obj := &g.objects[o]
	switch {
	case obj.size == 0:
		offset = 0
	case offset >= uint64(obj.size):
		panic("pointsto: no such offset")
	}
	obj.cells = append(obj.cells, cell{int64(offset), n})
}

// AddressOf puts one target into a node.
func (g *Problem) AddressOf(n Node, o Object, offset uint64) {
	g.add(constraint{op: addressOf, dst: n, object: o, delta: int64(offset)})
}

// Copy says dst ⊇ src.
func (g *Problem) Copy(dst, src Node) { g.add(constraint{op: copyOf, dst: dst, src: src}) }

// Shift says dst ⊇ src + delta bytes.
func (g *Problem) Shift(dst, src Node, delta int64) {
	if delta == 0 {
		g.Copy(dst, src)
		return
	}
	switch far := int64(2 * maxSize); { // outside, in the same class
	case delta < -far:
		delta = delta%classes - far
	case delta > far:
		delta = delta%classes + far
	}
	g.add(constraint{op: shift, dst: dst, src: src, delta: delta})
}

// Anywhere says that dst has every offset of every object in src: arithmetic
// that is not understood.
func (g *Problem) Anywhere(dst, src Node) { g.AnywhereStep(dst, src, 1) }

// AnywhereStep says that dst ⊇ src + i·stride for every integer i: an index
// into an array whose elements have stride bytes. Stride 0 is a copy.
func (g *Problem) AnywhereStep(dst, src Node, stride uint64) {
	if stride == 0 {
		g.Copy(dst, src)
		return
	}
	if stride > maxSize {
		stride = maxSize + stride%classes
	}
	g.add(constraint{op: anywhere, dst: dst, src: src, delta: int64(stride)})
}

// Index says that dst ⊇ src + i·stride for every integer i that does not lead
// out of the object: an index as C allows it. Stride 0 is a copy.
func (g *Problem) Index(dst, src Node, stride uint64) {
	g.AnywhereStep(dst, src, stride)
	if last := &g.constraints[len(g.constraints)-1]; last.op == anywhere {
		last.op = indexed
	}
}

// Load says that dst ⊇ the contents at the targets of src.
func (g *Problem) Load(dst, src Node) { g.add(constraint{op: load, dst: dst, src: src}) }

// Store says that the contents at the targets of dst ⊇ src.
func (g *Problem) Store(dst, src Node) { g.add(constraint{op: store, dst: dst, src: src}) }

// Escape gives the pointers of n to the world.
func (g *Problem) Escape(n Node) { g.Copy(World, n) }

func (g *Problem) add(c constraint) { g.constraints = append(g.constraints, c) }
