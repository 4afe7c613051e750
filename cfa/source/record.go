package source

// How GCC lays out structures and unions.
//
// Idea: members are placed one after the other, each at the next multiple of the alignment
// that its type asks for, its declaration, and what packs it: the attribute packed
// of the record or the member, and #pragma pack. A bit-field stands right behind what is before
// it, unless it would cross more units of its type's alignment than its type has. The C library
// (the front end) knows neither packing nor all of the rules for bit-fields.
//
// Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, 3.1.2, and the
// Intel386 supplement, with what GCC's manual says of packed and aligned; where these leave
// something open, what GCC 12 does (TestRecordsAgreeWithGCC). Cost: linear.

// A slot is a member as the layout sees it; all numbers are bits.
type slot struct {
	size     int64
	width    int64 // of a bit-field; -1 for other members
	align    int64 // of its type
	user     bool  // the type's alignment was asked for
	narrow   bool  // the type is aligned to four bytes at most, as a member, where addresses have 32 bits
	declared int64 // alignment that the declaration asks for, or 0
	packed   bool
	named    bool
}

// A shape is where the members of a record stand, in bits.
type shape struct {
	at          []int64
	size, align int64
	user        bool // the alignment was asked for
}

// A packing is what holds for a whole record.
type packing struct {
	union  bool
	most   int64 // #pragma pack, or 0
	least  int64 // the attribute aligned, or 0
	narrow bool  // addresses have 32 bits
}

// layOut places members.
func layOut(members []slot, p packing) shape {
	s := shape{align: max(8, p.least), user: p.least > 0}
	var at, end int64
	for _, m := range members {
		if p.union {
			at = 0
		}
		if m.width >= 0 {
			at = s.bitField(m, at, p)
		} else {
			align := m.alignment(p)
			at = roundUp(at, align)
			s.align = max(s.align, align)
			s.user = s.user || m.user || m.declared > 0
		}
		s.at = append(s.at, at)
		if m.width >= 0 {
			at += m.width
		} else {
			at += m.size
		}
		end = max(end, at)
	}
	s.size = roundUp(end, s.align)
	return s
}

// alignment is that of a member that is no bit-field.
func (m slot) alignment(p packing) int64 {
	align := max(m.natural(p), m.declared)
	if m.packed {
		align = max(8, m.declared)
	}
	if p.most > 0 {
		align = min(align, p.most)
	}
	return align
}

// natural is the alignment of the type, of a member of a record.
func (m slot) natural(p packing) int64 {
	if p.narrow && m.narrow && !m.user {
		return min(m.align, 32)
	}
	return m.align
}

// bitField is where a bit-field begins, if what is before it ends at a place.
func (s *shape) bitField(m slot, at int64, p packing) int64 {
	unit := m.natural(p)
	if m.width == 0 {
		return roundUp(at, max(unit, m.declared))
	}
	if m.declared > 0 {
		align := m.declared
		if p.most > 0 {
			align = min(align, p.most)
		}
		at = roundUp(at, align)
		s.align, s.user = max(s.align, align), true
		if p.narrow && !m.packed && p.most == 0 && m.width == 64 && at%64 == 0 {
			s.align = max(s.align, 64) // what GCC makes of it is no bit-field, and not aligned as a member
		}
	}
	if !m.packed && p.most == 0 && (at%unit+m.width+unit-1)/unit > m.size/unit {
		at = roundUp(at, unit)
	}
	if m.named {
		switch {
		case p.most > 0:
			unit = min(unit, p.most)
		case m.packed:
			unit = 8
		}
		s.align = max(s.align, unit)
	}
	return at
}

func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }
