package memory

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/internal/sample"
	"magus/smt/expr"
)

// A reader reads a text as sscanf does: byte by byte, as C says.
type reader struct{ text []byte }

func (r *reader) blanks() {
	for len(r.text) > 0 && (r.text[0] == ' ' || r.text[0] >= '\t' && r.text[0] <= '\r') {
		r.text = r.text[1:]
	}
}

// number is the number at the front, and how many characters it has; 0 if there is none.
func (r *reader) number() (value int64, length int) {
	i, negative := 0, false
	if i < len(r.text) && (r.text[i] == '-' || r.text[i] == '+') {
		negative = r.text[i] == '-'
		i++
	}
	first := i
	for ; i < len(r.text) && r.text[i] >= '0' && r.text[i] <= '9'; i++ {
		value = 10*value + int64(r.text[i]-'0')
	}
	if i == first {
		return 0, 0
	}
	if negative {
		value = -value
	}
	r.text = r.text[i:]
	return value, i
}

// decimals are the numbers that sscanf reads with n times %d, and what it gives.
func (r *reader) decimals(n int) (values []int64, count int) {
	for range n {
		if r.blanks(); len(r.text) == 0 && len(values) == 0 {
			return nil, -1
		}
		v, length := r.number()
		if length == 0 {
			break
		}
		values = append(values, v)
	}
	return values, len(values)
}

// TestFactsOfTexts: where a fact of a text is said to be known, it is what C says, whatever stands behind
// the characters that are looked at.
func TestFactsOfTexts(t *testing.T) {
	sample.Long(t)
	p := expr.NewPool()
	m := New(cfa.NewBuilder(p), Options{Data: cfa.LP64})
	const most = 3
	var chars []*expr.Expr
	for i := range most * prefixLength {
		chars = append(chars, p.Var("c"+string(rune('A'+i)), expr.Int8))
	}
	var fields []decimal
	for k := 0; k < len(chars); k += prefixLength {
		fields = append(fields, m.decimal(chars[k:k+prefixLength]))
	}
	random := rand.New(rand.NewPCG(14, 1))
	alphabet := []byte("0123459   --+\x00x\t")
	known := map[Fact]int{}
	for range 20_000 {
		text := make([]byte, len(chars)+4)
		for i := range text {
			text[i] = alphabet[random.IntN(len(alphabet))]
			if random.IntN(3) > 0 && i%prefixLength > 2 {
				text[i] = ' '
			}
		}
		value := func(v *expr.Expr) uint64 {
			for i, c := range chars {
				if c == v {
					return uint64(text[i])
				}
			}
			return 0
		}
		end := 0
		for end < len(text) && text[end] != 0 {
			end++
		}
		check := func(x Said, want func(r *reader) int64) {
			when, is := m.fact(x, fields)
			if expr.Eval(when, value) != 0 {
				known[x.Fact]++
				require.Equal(t, want(&reader{text[:end]}), int64(expr.Eval(p.Cast(expr.Int64, is), value)), "%q: %+v", text, x)
			}
		}
		n := 1 + random.IntN(most)
		check(Said{Fact: Numbers, Of: n}, func(r *reader) int64 { _, c := r.decimals(n); return int64(c) })
		check(Said{Fact: NumberEnd}, func(r *reader) int64 { _, length := r.number(); return int64(length) })
		of := random.IntN(n)
		if _, count := (&reader{text[:end]}).decimals(n); count > of || of == 0 && count == 0 {
			check(Said{Fact: Number, Of: of}, func(r *reader) int64 { v, _ := r.decimals(n); return append(v, 0)[of] })
		}
		when, is := m.lengthOf(chars[:prefixLength], nil)
		if expr.Eval(when, value) != 0 {
			require.Equal(t, uint64(end), expr.Eval(is, value), "%q", text)
		}
	}
	for f := Number; f <= Numbers; f++ {
		require.Greater(t, known[f], 1000, "%v", known)
	}
}
