package elementary_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/smt/elementary"
	"magus/smt/softfloat"
)

var unary = strings.Fields("sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp expm1 " +
	"exp2 log log1p log2 log10 cbrt")

var binary = strings.Fields("atan2 hypot pow")

// argument draws a number for which many functions have a value.
func argument(r *rand.Rand) float64 {
	switch r.IntN(5) {
	case 4:
		return float64(uint64(1) << r.IntN(4))
	case 0:
		return math.Ldexp(r.Float64()-0.5, r.IntN(40)-20)
	case 1:
		return float64(r.IntN(41)-20) / 4
	case 2:
		return r.Float64()
	}
	return 20 * r.NormFloat64()
}

// TestAgainstGCC compares what common C libraries compute with what encloses it.
func TestAgainstGCC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	r := rand.New(rand.NewPCG(3, 9))
	type call struct {
		name string
		args []uint64
	}
	var calls []call
	var body strings.Builder
	for range 25 {
		for _, name := range slices.Concat(unary, binary) {
			c := call{name, []uint64{math.Float64bits(argument(r))}}
			if slices.Contains(binary, name) {
				c.args = append(c.args, math.Float64bits(argument(r)))
			}
			texts := make([]string, len(c.args))
			for i, a := range c.args {
				texts[i] = fmt.Sprintf("number(%#xull)", a)
			}
			fmt.Fprintf(&body, "	show(%s(%s));\n", name, strings.Join(texts, ", "))
			calls = append(calls, c)
		}
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "a.c")
	require.NoError(t, os.WriteFile(source, []byte(`#include <math.h>
#include <stdio.h>
#include <string.h>
static double number(unsigned long long bits) { volatile double d; memcpy((void *)&d, &bits, sizeof bits); return d; }
static void show(double d) { unsigned long long bits; memcpy(&bits, &d, sizeof d); printf("%llu\n", bits); }
int main(void)
{
`+body.String()+"}\n"), 0o666))
	out, err := exec.Command(gcc, "-O0", "-fno-builtin", source, "-o", filepath.Join(dir, "a"), "-lm").CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(filepath.Join(dir, "a")).Output()
	require.NoError(t, err)
	enclosed, exact := 0, 0
	for i, line := range strings.Fields(string(out)) {
		var got uint64
		_, err := fmt.Sscan(line, &got)
		require.NoError(t, err)
		c := calls[i]
		if v, ok := elementary.Exact(softfloat.Double, c.name, c.args...); ok {
			exact++
			assert.Equal(t, math.Float64frombits(v), math.Float64frombits(got), "%s %x", c.name, c.args)
		}
		lo, hi, ok := elementary.Enclose(softfloat.Double, c.name, c.args...)
		if !ok {
			continue
		}
		enclosed++
		x := math.Float64frombits(got)
		assert.LessOrEqual(t, beside(lo, -3), x, "%s %x", c.name, c.args)
		assert.GreaterOrEqual(t, beside(hi, 3), x, "%s %x", c.name, c.args)
	}
	require.Greater(t, enclosed, len(calls)/2)
	require.Greater(t, exact, 10)
}

// beside is the number some places further up.
func beside(bits uint64, places int) float64 {
	x := math.Float64frombits(bits)
	for ; places > 0; places-- {
		x = math.Nextafter(x, math.Inf(1))
	}
	for ; places < 0; places++ {
		x = math.Nextafter(x, math.Inf(-1))
	}
	return x
}

// TestEnclosuresAreTight compares with values of 17 digits (Abramowitz, Stegun, "Handbook of Mathematical Functions").
func TestEnclosuresAreTight(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		want string
	}{
		{"exp", []float64{1}, "2.7182818284590452354"},
		{"log", []float64{2}, "0.69314718055994530942"},
		{"sin", []float64{1}, "0.84147098480789650665"},
		{"cos", []float64{1}, "0.54030230586813971740"},
		{"tan", []float64{1}, "1.5574077246549022305"},
		{"atan", []float64{1}, "0.78539816339744830962"},
		{"acos", []float64{-1}, "3.1415926535897932385"},
		{"asin", []float64{0.5}, "0.52359877559829887308"},
		{"pow", []float64{2, 0.5}, "1.4142135623730950488"},
		{"pow", []float64{-3, -3}, "-0.037037037037037037037"},
		{"cbrt", []float64{2}, "1.2599210498948731648"},
		{"log10", []float64{2}, "0.30102999566398119521"},
		{"hypot", []float64{1, 1}, "1.4142135623730950488"},
		{"sinh", []float64{1}, "1.1752011936438014569"},
		{"cosh", []float64{1}, "1.5430806348152437785"},
		{"tanh", []float64{1}, "0.76159415595576488812"},
		{"atan2", []float64{-1, -1}, "-2.3561944901923449288"},
	} {
		args := make([]uint64, len(c.x))
		for i, x := range c.x {
			args[i] = math.Float64bits(x)
		}
		lo, hi, ok := elementary.Enclose(softfloat.Double, c.name, args...)
		require.True(t, ok, c.name)
		below, _, _ := softfloat.Double.Parse(c.want, softfloat.TowardNegative)
		above, _, _ := softfloat.Double.Parse(c.want, softfloat.TowardPositive)
		assert.Equal(t, []uint64{below, above}, []uint64{lo, hi}, c.name)
	}
}

func TestExact(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		want float64
	}{
		{"pow", []float64{2, 10}, 1024}, {"pow", []float64{9, 0.5}, 3}, {"pow", []float64{-2, 3}, -8},
		{"pow", []float64{8, -1}, 0.125},
		{"pow", []float64{0.25, 1.5}, 0.125}, {"exp2", []float64{-3}, 0.125}, {"log2", []float64{8}, 3},
		{"log10", []float64{1000}, 3}, {"cbrt", []float64{-27}, -3}, {"hypot", []float64{3, -4}, 5},
	} {
		args := make([]uint64, len(c.x))
		for i, x := range c.x {
			args[i] = math.Float64bits(x)
		}
		got, ok := elementary.Exact(softfloat.Double, c.name, args...)
		assert.True(t, ok, c.name)
		assert.Equal(t, c.want, math.Float64frombits(got), c.name)
	}
	for _, x := range []float64{2, 3.5, 0.1} {
		_, ok := elementary.Exact(softfloat.Double, "pow", math.Float64bits(x), math.Float64bits(0.5))
		assert.False(t, ok, "%v", x)
	}
}

// TestRefused asks for what has no value, or a special one.
func TestRefused(t *testing.T) {
	d, inf := math.Float64bits, math.Inf(1)
	for _, c := range []struct {
		name string
		args []uint64
	}{
		{"log", []uint64{d(-1)}}, {"log", []uint64{d(0)}}, {"exp", []uint64{d(inf)}}, {"exp", []uint64{d(1000)}},
		{"asin", []uint64{d(1.5)}}, {"pow", []uint64{d(-2), d(0.5)}}, {"pow", []uint64{d(0), d(-1)}}, {"sin", nil},
		{"pow", []uint64{d(1e300), d(2)}}, {"erf", []uint64{d(1)}}, {"sin", []uint64{d(math.NaN())}},
		{"cbrt", []uint64{d(0)}},
	} {
		_, _, ok := elementary.Enclose(softfloat.Double, c.name, c.args...)
		assert.False(t, ok, "%s %x", c.name, c.args)
	}
}
