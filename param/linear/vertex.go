package linear

import "slices"

// Idea: that something does not follow from a conjunction is shown by a point, and the linear program that
// finds out leaves one. Whoever keeps it need not solve the next program if the point answers it too.

// A Vertex is a rational point: Num over Den, which is positive.
type Vertex struct {
	Num []int64
	Den int64
}

// Satisfies reports whether the atom is true of the point.
func (v Vertex) Satisfies(a Atom) bool { return v.sum(a) <= a.Bound*v.Den }

// Violates reports whether the atom's negation is true of the point. A point may do neither.
func (v Vertex) Violates(a Atom) bool { return v.sum(a) >= (a.Bound+1)*v.Den }

// sum is Σ Coef·Num.
func (v Vertex) sum(a Atom) int64 {
	sum := int64(0)
	for i, c := range a.Coef {
		if c != 0 {
			sum += c * v.Num[i]
		}
	}
	return sum
}

// Moved is the point to which by was added; ok is false if its numbers are too large to count with.
func (v Vertex) Moved(by []int64) (_ Vertex, ok bool) {
	if v.Den > vertexLimit {
		return Vertex{}, false
	}
	num := slices.Clone(v.Num)
	for i, k := range by {
		if num[i] > vertexLimit || k > vertexLimit/v.Den {
			return Vertex{}, false
		}
		num[i] += k * v.Den
	}
	return Vertex{Num: num, Den: v.Den}, true
}

// vertexLimit keeps sums of products with coefficients within 64 bits.
const vertexLimit = 1 << 26

// Solve is Empty, with a point of the conjunction where there is one; found is false if none is known.
func Solve(n int, atoms []Atom) (v Vertex, found, empty bool) {
	if quickEmpty(atoms) {
		return Vertex{}, false, true
	}
	d, err := newDictionary(n, atoms, nil)
	if err != nil {
		return Vertex{}, false, false
	}
	row, err := d.solve()
	if err != nil || row >= 0 {
		return Vertex{}, false, err == nil
	}
	return d.vertex(), true, false
}

// vertex is where a dictionary that has been solved stands.
func (d *dictionary) vertex() Vertex {
	v := Vertex{Num: make([]int64, len(d.nonbasic)), Den: d.den}
	for r, b := range d.basic {
		if b < len(v.Num) {
			v.Num[b] = d.cells[r][0]
		}
	}
	return v
}
