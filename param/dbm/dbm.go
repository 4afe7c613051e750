package dbm

import (
	"encoding/binary"
	"math"
	"slices"
)

// Source: D. Dill, Timing assumptions and verification of finite-state concurrent systems, 1989. The
// closed form is that of shortest paths; adding one bound to a closed matrix costs n² instead of n³.

// Inf is the bound that says nothing.
const Inf = math.MaxInt32

// Large is the largest absolute value of a bound from which matrices are made; bounds that a move makes
// larger are given up, or rounded down to it, which loses no point. With MaxVars variables no sum on a
// path is too large for 32 bits.
const (
	Large   = 1 << 24
	MaxVars = 60
)

// A Bound is x[I] - x[J] ≤ C, where x[0] is zero.
type Bound struct {
	I, J int
	C    int32
}

// A Matrix has a bound for each pair. Invariant: it is closed and has a point. It is not changed once
// it is made.
type Matrix struct {
	n int     // variables and zero
	b []int32 // b[i*n+j] bounds x[i] - x[j]
}

// New is the matrix of all points with n variables.
func New(n int) *Matrix {
	m := empty(n + 1)
	for i := range m.n {
		m.b[i] = 0 // zero - x ≤ 0
	}
	return m
}

// empty has no bounds but those of a variable to itself.
func empty(n int) *Matrix {
	m := &Matrix{n: n, b: make([]int32, n*n)}
	for i := range m.b {
		m.b[i] = Inf
	}
	for i := range n {
		m.b[i*n+i] = 0
	}
	return m
}

// Vars is the number of variables.
func (m *Matrix) Vars() int { return m.n - 1 }

// At is the bound of x[i] - x[j].
func (m *Matrix) At(i, j int) int32 { return m.b[i*m.n+j] }

func plus(a, b int32) int32 {
	if a == Inf || b == Inf {
		return Inf
	}
	return a + b
}

// With adds bounds; ok is false if no point is left.
func (m *Matrix) With(bounds ...Bound) (_ *Matrix, ok bool) {
	var out *Matrix
	for _, b := range bounds {
		at := m
		if out != nil {
			at = out
		}
		if at.Implies(b) {
			continue
		}
		if at.Excludes(b) {
			return nil, false
		}
		if out == nil {
			out = &Matrix{n: m.n, b: slices.Clone(m.b)}
		}
		out.tighten(b)
	}
	if out == nil {
		return m, true
	}
	return out, true
}

// Implies reports whether every point satisfies the bound.
func (m *Matrix) Implies(b Bound) bool { return m.b[b.I*m.n+b.J] <= b.C }

// Excludes reports whether no point satisfies the bound.
func (m *Matrix) Excludes(b Bound) bool {
	back := m.b[b.J*m.n+b.I]
	return back != Inf && back+b.C < 0
}

// tighten adds a bound to a closed matrix that has points which satisfy it.
func (m *Matrix) tighten(b Bound) {
	n := m.n
	for i := range n {
		to := plus(m.b[i*n+b.I], b.C)
		if to == Inf {
			continue
		}
		row, from := m.b[i*n:(i+1)*n], m.b[b.J*n:(b.J+1)*n]
		for j, c := range from {
			if c != Inf && to+c < row[j] {
				row[j] = to + c
			}
		}
	}
}

// Includes reports whether every point of o is one of m.
func (m *Matrix) Includes(o *Matrix) bool {
	for i, c := range m.b {
		if o.b[i] > c {
			return false
		}
	}
	return true
}

// Key adds the bounds to b; equal keys are of equal matrices with so many variables.
func (m *Matrix) Key(b []byte) []byte {
	for _, c := range m.b {
		b = binary.LittleEndian.AppendUint32(b, uint32(c))
	}
	return b
}

// A Move is the new value of a variable: Of, which may be 0 for zero, plus C.
type Move struct {
	Of int
	C  int32
}

// Before is what leads into m when every variable i+1 becomes moves[i]; ok is false if nothing does.
func (m *Matrix) Before(moves []Move) (*Matrix, bool) {
	of := func(i int) Move {
		if i == 0 {
			return Move{}
		}
		return moves[i-1]
	}
	out := New(m.n - 1)
	for i := range m.n {
		a := of(i)
		for j := range m.n {
			c := m.b[i*m.n+j]
			if c == Inf || i == j {
				continue
			}
			b := of(j)
			// a.Of + a.C - b.Of - b.C ≤ c
			c = within(c - a.C + b.C)
			if a.Of == b.Of {
				if c < 0 {
					return nil, false
				}
				continue
			}
			if at := &out.b[a.Of*m.n+b.Of]; c < *at {
				*at = c
			}
		}
	}
	return out, out.close()
}

// within makes a bound weaker until it is not too large.
func within(c int32) int32 {
	if c > Large {
		return Inf
	}
	return max(c, -Large)
}

// After is where m leads when every variable i+1 becomes moves[i].
func (m *Matrix) After(moves []Move) (*Matrix, bool) {
	of := func(i int) Move {
		if i == 0 {
			return Move{}
		}
		return moves[i-1]
	}
	out := New(m.n - 1)
	for i := range m.n {
		for j := range m.n {
			a, b := of(i), of(j)
			if c := m.b[a.Of*m.n+b.Of]; c != Inf && i != j {
				at := &out.b[i*m.n+j]
				*at = min(*at, within(c+a.C-b.C))
			}
		}
	}
	return out, out.close()
}

// close makes the matrix closed by shortest paths; false if it has no point.
func (m *Matrix) close() bool {
	n := m.n
	for k := range n {
		via := m.b[k*n : (k+1)*n]
		for i := range n {
			c := m.b[i*n+k]
			if c == Inf || i == k {
				continue
			}
			row := m.b[i*n : (i+1)*n]
			for j, d := range via {
				if d != Inf && c+d < row[j] {
					row[j] = c + d
				}
			}
			if row[i] < 0 {
				return false
			}
		}
	}
	return true
}

// Upward is all points that are at least as large in every variable as one of m: those above the least
// point, for that is one of them.
func (m *Matrix) Upward() *Matrix {
	out := empty(m.n)
	low := out.b[:m.n]
	copy(low, m.b)
	for j := 1; j < m.n; j++ { // 0 - x[j] ≤ low: so x[0] - x[j]
		low[j] = min(low[j], 0)
	}
	return out
}

// Least is the least point.
func (m *Matrix) Least() []int64 {
	x := make([]int64, m.n-1)
	for i := range x {
		x[i] = -int64(m.b[i+1])
	}
	return x
}

// Bounds are bounds from which the matrix follows, besides that numbers are natural: those of single
// variables before those of two, and none that follows from the ones before it.
func (m *Matrix) Bounds() []Bound {
	var bs []Bound
	at := New(m.n - 1)
	add := func(i, j int) {
		b := Bound{i, j, m.At(i, j)}
		if i != j && b.C != Inf && !at.Implies(b) {
			bs = append(bs, b)
			at, _ = at.With(b)
		}
	}
	for i := 1; i < m.n; i++ {
		add(0, i)
		add(i, 0)
	}
	for i := 1; i < m.n; i++ {
		for j := 1; j < m.n; j++ {
			add(i, j)
		}
	}
	return bs
}
