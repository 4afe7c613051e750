package lts

import "unsafe"

// pages is a list that only grows, in pages that never move: when it grows, nothing is copied, and no second list is
// there beside it.
type pages[T any] struct {
	all   []*[longPage]T
	count int
}

const (
	longBits = 10
	longPage = 1 << longBits
)

func (p *pages[T]) add(x T) {
	if p.count == len(p.all)*longPage {
		p.all = append(p.all, new([longPage]T))
	}
	p.all[p.count>>longBits][p.count&(longPage-1)] = x
	p.count++
}

func (p *pages[T]) at(i int) T { return p.all[i>>longBits][i&(longPage-1)] }

func (p *pages[T]) bytes() int64 {
	var one T
	return int64(len(p.all))*longPage*int64(unsafe.Sizeof(one)) + bytesOf(p.all)
}

// narrow is a list of numbers in as few bytes as their bound needs.
type narrow struct {
	bytes1 pages[uint8]
	bytes2 pages[uint16]
	bytes4 pages[uint32]
	width  int
}

// newNarrow returns a list for numbers below a bound.
func newNarrow(bound int) narrow {
	switch {
	case bound <= 1<<8:
		return narrow{width: 1}
	case bound <= 1<<16:
		return narrow{width: 2}
	}
	return narrow{width: 4}
}

func (n *narrow) add(x uint32) {
	switch n.width {
	case 1:
		n.bytes1.add(uint8(x))
	case 2:
		n.bytes2.add(uint16(x))
	default:
		n.bytes4.add(x)
	}
}

func (n *narrow) at(i int) uint32 {
	switch n.width {
	case 1:
		return uint32(n.bytes1.at(i))
	case 2:
		return uint32(n.bytes2.at(i))
	}
	return n.bytes4.at(i)
}

func (n *narrow) bytes() int64 { return n.bytes1.bytes() + n.bytes2.bytes() + n.bytes4.bytes() }
