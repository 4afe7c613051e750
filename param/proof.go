package param

import (
	"fmt"
	"math/bits"
	"strings"

	"magus/param/linear"
	"magus/param/syntax"
)

// A Proof says why the configurations of one property cannot be reached. Every reachable configuration
// satisfies all invariants, satisfies one of Inside unless there are none, and none of Outside: that is so
// in the beginning, no rule changes it, and it excludes what is bad.
type Proof struct {
	Invariants, Inside, Outside []Formula
}

// parts are the words of a proof's text and what stands behind them.
func (p *Proof) parts() []struct {
	word string
	list *[]Formula
} {
	return []struct {
		word string
		list *[]Formula
	}{{"invariant", &p.Invariants}, {"inside", &p.Inside}, {"outside", &p.Outside}}
}

// FormatProof writes a proof: a line for each formula, with the word that says what it is.
func (m *Model) FormatProof(p *Proof) string {
	var b strings.Builder
	for _, part := range p.parts() {
		for _, f := range *part.list {
			fmt.Fprintf(&b, "%s %s;\n", part.word, m.Formula(f))
		}
	}
	return b.String()
}

// ParseProof reads what FormatProof writes. The error is a *syntax.Error.
func (m *Model) ParseProof(name string, text []byte) (*Proof, error) {
	src, tokens, err := syntax.Scan(name, text)
	if err != nil {
		return nil, err
	}
	p := &parser{Cursor: syntax.NewCursor(src, tokens), m: m, names: map[string]int{}}
	for i, n := range m.Names {
		p.names[n.Text] = i
	}
	proof := &Proof{}
next:
	for p.Peek().Kind != syntax.End {
		for _, part := range proof.parts() {
			if p.Accept(part.word) {
				f, err := p.formula()
				if err == nil {
					err = p.Expect(";")
				}
				if err != nil {
					return nil, err
				}
				*part.list = append(*part.list, f)
				continue next
			}
		}
		return nil, p.Unexpected("expected invariant, inside or outside")
	}
	return proof, nil
}

// Formula is what a cube says.
func (s *System) Formula(c Cube) Formula {
	var and And
	for _, g := range s.Groups {
		if mask := c.Control & g.Bits; mask != g.Bits {
			and = append(and, s.controlFormula(g, mask>>g.Shift))
		}
	}
	for _, a := range c.Atoms {
		and = append(and, s.AtomFormula(a))
	}
	if len(and) == 1 {
		return and[0]
	}
	return and
}

// controlFormula is a range of values where they are one, and otherwise each of them.
func (s *System) controlFormula(g Group, mask uint64) Formula {
	value := func(bit int) Linear { return Linear{Const: g.Lo + int64(bit)} }
	low, high := bits.TrailingZeros64(mask), 63-bits.LeadingZeros64(mask)
	v := Variable(g.Name)
	if low == high {
		return Compare{Eq, v, value(low)}
	}
	if bits.OnesCount64(mask) == high-low+1 {
		return And{Compare{Ge, v, value(low)}, Compare{Le, v, value(high)}}
	}
	var or Or
	for b := low; b <= high; b++ {
		if mask>>b&1 != 0 {
			or = append(or, Compare{Eq, v, value(b)})
		}
	}
	return or
}

// AtomFormula is an atom with what is added on the left and what is taken away on the right.
func (s *System) AtomFormula(a linear.Atom) Formula {
	left, right := Linear{}, Linear{Const: a.Bound}
	for d, c := range a.Coef {
		switch {
		case c > 0:
			left = left.Add(c, Variable(s.Dims[d]))
		case c < 0:
			right = right.Add(-c, Variable(s.Dims[d]))
		}
	}
	switch {
	case len(left.Terms) == 0: // 0 <= right
		return Compare{Ge, Linear{Terms: right.Terms}, Linear{Const: -a.Bound}}
	case a.Bound < 0 && len(right.Terms) > 0:
		left.Const, right.Const = -a.Bound, 0
	}
	return Compare{Le, left, right}
}
