package source

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"modernc.org/cc/v4"

	"magus/internal/sample"
)

// TestLiteralsAreRoundedToNearest: decimals at and beside the middle of two numbers become the one that Go's own
// conversion gives, which is the nearest.
func TestLiteralsAreRoundedToNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(sample.Seed(0), 38))
	for range sample.Count(3000) {
		x := math.Ldexp(1+r.Float64(), r.IntN(100)-50)
		middle := new(big.Float).SetPrec(200).SetFloat64(x)
		middle.Add(middle, new(big.Float).SetFloat64(math.Nextafter(x, math.Inf(1)))).Quo(middle, big.NewFloat(2))
		text := middle.Text('f', 110)
		switch r.IntN(4) {
		case 0:
			text += strconv.Itoa(r.IntN(10))
		case 1:
			text = text[:10+r.IntN(len(text)-10)]
		case 2:
			text = middle.Text('e', r.IntN(60))
		}
		want, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		f, _, ok := nearest(text, 53)
		require.True(t, ok, text)
		got, _ := f.Float64()
		require.Equal(t, want, got, text)
	}
}

// TestFloatConstantsAgreeWithGCC: comparisons of constant expressions are what they are under GCC, or not known.
func TestFloatConstantsAgreeWithGCC(t *testing.T) {
	agreeWithGCC(t, "", floatComparisons, func(t *testing.T, text string) (value int64, known bool) {
		p, err := Parse(t.Context(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
		if err != nil {
			return 0, false
		}
		Inspect(p.Files[0].ast.TranslationUnit, func(n any) bool {
			if x, ok := n.(*cc.Initializer); ok {
				var is bool
				if is, known = p.Layouts.FloatComparison(AsBinary(Unparen(x.AssignmentExpression))); is {
					value = 1
				}
			}
			return true
		})
		return value, known
	})
}

// floatComparisons are declarations with some seeds, one a line.
func floatComparisons(from, to int) (lines []string) {
	for id := from; id < to; id++ {
		g := &floatExpressions{rand.New(rand.NewPCG(uint64(id), 39))}
		a := g.expression(3)
		b := a
		if g.IntN(3) > 0 {
			b = g.expression(2)
		} else if g.IntN(2) == 0 {
			b = g.one("(float);(double);(long double)") + "(" + a + ")"
		}
		lines = append(lines, fmt.Sprintf("int v%d = (%s) %s (%s);\n", id, a, g.one("==;!=;<;>;<=;>="), b))
	}
	return lines
}

// floatExpressions makes constant expressions of floating point.
type floatExpressions struct{ *rand.Rand }

func (g *floatExpressions) one(of string) string {
	words := strings.Split(of, ";")
	return words[g.IntN(len(words))]
}

func (g *floatExpressions) expression(depth int) string {
	if depth == 0 || g.IntN(4) == 0 {
		return g.one("0.1;0.1f;0.1L;1;2.5;3;1e10;1e-10f;16777217;16777217.0f;9007199254740993;9007199254740993.0;0x1.8p3;" +
			"1.0;0.5f;3.14159265358979323846;3.14159265358979323846L;4294967295u;-1;18446744073709551615u;1e20;7;0.0;" +
			"9223372036854775807L;'a'")
	}
	x := "(" + g.expression(depth-1) + ")"
	switch g.IntN(8) {
	case 0:
		return g.one("-;+") + x
	case 1:
		return g.one("(float);(double);(long double);(int);(unsigned char);(long);(_Bool)") + x
	case 2:
		return g.one("0;1;0.5 < 1") + " ? " + x + " : (" + g.expression(depth-1) + ")"
	}
	return x + " " + g.one("+;-;*;/") + " (" + g.expression(depth-1) + ")"
}
