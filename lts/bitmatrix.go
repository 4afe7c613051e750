package lts

import "magus/internal/bitset"

// bitMatrix is a relation between numbers, as the set of the second ones by the first one. A nil
// matrix has no rows.
type bitMatrix struct {
	words int // length of a row
	flat  []uint64
}

// newBitMatrix returns the relation that relates all of rows numbers to all of columns numbers.
func newBitMatrix(rows, columns int) *bitMatrix {
	all := bitset.Full[uint32](columns)
	m := &bitMatrix{words: len(all), flat: make([]uint64, 0, rows*len(all))}
	for range rows {
		m.flat = append(m.flat, all...)
	}
	return m
}

func (m *bitMatrix) rows() int {
	if m == nil {
		return 0
	}
	return len(m.flat) / m.words
}

// row returns the numbers that i is related to; the slice is the matrix's own.
func (m *bitMatrix) row(i uint32) bitset.Set[uint32] {
	at := int(i) * m.words
	return m.flat[at : at+m.words]
}

// transpose returns the converse relation; columns is how many numbers there are on the right.
func (m *bitMatrix) transpose(columns int) *bitMatrix {
	n := m.rows()
	t := &bitMatrix{words: bitset.Words(n)}
	t.flat = make([]uint64, columns*t.words)
	for i := range uint32(n) {
		for j := range m.row(i).All() {
			t.row(j).Add(i)
		}
	}
	return t
}

func (m *bitMatrix) bytes() int64 {
	if m == nil {
		return 0
	}
	return bytesOf(m.flat)
}
