package predabs

// The paths that were asked about.
//
// Idea: a refinement loop keeps every path that it has examined, and paths found
// one after the other begin alike. A path is stored as the steps that follow the
// beginning it shares with an earlier one (front coding): the one with the
// longest such beginning among the last few. Numbers stand for paths everywhere;
// the same path has the same number.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 6.3, stores all counterexamples and notes the
// memory that this may take. Cost: a comparison with the last few paths to
// store one, linear in its length to read it. Memory: four bytes a step that is
// not shared, and bounded by maxSteps.

import (
	"fmt"
	"hash/maphash"
	"slices"
	"unsafe"
)

// A Path is the number of a path in the control graph, from Init.
type Path int32

// maxSteps bounds the steps that are stored: 256 MiB.
const maxSteps = 1 << 26

// recent is how many paths a new one is compared with.
const recent = 16

// errSteps says that the bound was reached.
type errSteps struct{}

func (errSteps) Error() string {
	return fmt.Sprintf("the paths examined have more than %d steps that they do not share", maxSteps)
}

// paths is the store.
type paths struct {
	list  []storedPath
	index map[uint64][]Path // by hash
	seed  maphash.Seed
	own   int // steps stored
}

// storedPath is the first steps of another path, and its own.
type storedPath struct {
	like   Path
	shared int
	own    []int32
}

func newPaths() *paths { return &paths{index: map[uint64][]Path{}, seed: maphash.MakeSeed()} }

// Keep stores a path, if it is not there already.
func (x *Abstraction) Keep(steps []int32) (Path, error) { return x.paths.keep(steps) }

// Steps are the edges of a path; the slice is the caller's.
func (x *Abstraction) Steps(p Path) []int32 { return x.paths.steps(p) }

// PathMemory is the number of paths that were examined, and the bytes that
// their steps take.
func (x *Abstraction) PathMemory() (paths, bytes int) { return len(x.paths.list), 4 * x.paths.own }

// keep is [Abstraction.Keep].
func (ps *paths) keep(steps []int32) (Path, error) {
	h := ps.hash(steps)
	for _, p := range ps.index[h] {
		if slices.Equal(ps.steps(p), steps) {
			return p, nil
		}
	}
	s := storedPath{like: -1}
	for p := len(ps.list) - 1; p >= max(0, len(ps.list)-recent); p-- {
		if n := common(ps.steps(Path(p)), steps); n > s.shared {
			s.like, s.shared = Path(p), n
		}
	}
	s.own = slices.Clone(steps[s.shared:])
	if ps.own += len(s.own); ps.own > maxSteps {
		return 0, errSteps{}
	}
	p := Path(len(ps.list))
	ps.list = append(ps.list, s)
	ps.index[h] = append(ps.index[h], p)
	return p, nil
}

func (ps *paths) hash(steps []int32) uint64 {
	if len(steps) == 0 {
		return 0
	}
	return maphash.Bytes(ps.seed, unsafe.Slice((*byte)(unsafe.Pointer(&steps[0])), 4*len(steps)))
}

func common(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// steps is [Abstraction.Steps].
func (ps *paths) steps(p Path) []int32 {
	s := &ps.list[p]
	steps := make([]int32, s.shared+len(s.own))
	copy(steps[s.shared:], s.own)
	for n := s.shared; n > 0; {
		s = &ps.list[s.like]
		if s.shared < n {
			copy(steps[s.shared:n], s.own)
			n = s.shared
		}
	}
	return steps
}
