package softfloat

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"magus/internal/sample"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// operands is the number of operands that are compared with the machine; ten million take some minutes:
//
//	go run ./bench/campaign -kind floats-host -count 10000000
func operands() int { return sample.Count(200_000) }

// boundary draws values of all exponents with simple fractions as well as any bits,
// and such as are near to what was drawn before.
func boundary(r *rand.Rand, f Format, before uint64) uint64 {
	v, fraction := r.Uint64(), f.fractionMask()
	switch r.IntN(6) {
	case 0:
		v &^= fraction
	case 1:
		v |= fraction &^ 3
	case 2:
		v = v&^fraction | v&7
	case 3:
		v = before + uint64(r.IntN(7)) - 3
	case 4:
		v = before ^ f.SignBit() ^ uint64(r.IntN(4))<<f.fractionBits()
	}
	if r.IntN(3) == 0 { // near 1
		v = v&fraction | v&f.SignBit() | uint64(f.Bias()+r.IntN(2*int(f.Prec))-int(f.Prec))<<f.fractionBits()
	}
	return v & (f.SignBit()<<1 - 1)
}

// TestHost compares with the machine that runs the test, to nearest.
func TestHost(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var a, b, c uint64
	same := func(f Format, what string, want, got uint64) {
		if want != got && !(f.IsNaN(want) && f.IsNaN(got)) {
			require.Failf(t, "wrong", "%v: %s of %x %x %x: %x, not %x", f, what, a, b, c, got, want)
		}
	}
	for i := range operands() {
		a, b, c = boundary(r, Double, b), boundary(r, Double, c), boundary(r, Double, a)
		x, y, z := math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c)
		check := func(what string, want float64, got uint64, _ Flags) {
			same(Double, what, math.Float64bits(want), got)
		}
		result := func(v uint64, flags Flags) (uint64, Flags) { return v, flags }
		v, flags := result(Double.Add(NearestEven, a, b))
		check("+", x+y, v, flags)
		v, flags = result(Double.Sub(NearestEven, a, b))
		check("-", x-y, v, flags)
		v, flags = result(Double.Mul(NearestEven, a, b))
		check("*", x*y, v, flags)
		v, flags = result(Double.Div(NearestEven, a, b))
		check("/", x/y, v, flags)
		v, flags = result(Double.Sqrt(NearestEven, a))
		check("sqrt", math.Sqrt(x), v, flags)
		v, flags = result(Double.Fma(NearestEven, a, b, c))
		check("fma", math.FMA(x, y, z), v, flags)
		for m, round := range map[Mode]func(float64) float64{NearestEven: math.RoundToEven, NearestAway: math.Round,
			TowardPositive: math.Ceil, TowardNegative: math.Floor, TowardZero: math.Trunc} {
			v, flags = result(Double.RoundToIntegral(m, a))
			check("round", round(x), v, flags)
		}
		if i%16 == 0 { // slow on both sides
			v, flags = result(Double.Mod(a, b))
			check("fmod", math.Mod(x, y), v, flags)
			v, flags = result(Double.Rem(a, b))
			check("remainder", math.Remainder(x, y), v, flags)
		}
		eq, _ := Double.Eq(a, b)
		lt, _ := Double.Lt(a, b)
		le, _ := Double.Le(a, b)
		assert.Equal(t, []bool{x == y, x < y, x <= y}, []bool{eq, lt, le})
		v, _ = Double.Convert(NearestEven, Single, a)
		same(Single, "float", uint64(math.Float32bits(float32(x))), v)
		v, _ = Double.FromInt(NearestEven, Int{64, true}, a)
		same(Double, "double", math.Float64bits(float64(int64(a))), v)
		v, _ = Single.FromInt(NearestEven, Int{64, false}, a)
		same(Single, "float", uint64(math.Float32bits(float32(a))), v)
		if n, ok, _ := Double.ToInt(TowardZero, Int{64, true}, a); ok {
			same(Double, "integer", uint64(int64(x)), n)
		}
		hostSingle(a, b, same)
	}
}

// hostSingle takes what is no double for two floats.
func hostSingle(a, b uint64, same func(f Format, what string, want, got uint64)) {
	a, b = a>>32, b>>32
	x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
	check := func(what string, want float32, got uint64) { same(Single, what, uint64(math.Float32bits(want)), got) }
	v, _ := Single.Add(NearestEven, a, b)
	check("+", x+y, v)
	v, _ = Single.Mul(NearestEven, a, b)
	check("*", x*y, v)
	v, _ = Single.Div(NearestEven, a, b)
	check("/", x/y, v)
	v, _ = Single.Convert(NearestEven, Double, a)
	same(Double, "double", math.Float64bits(float64(x)), v)
}

// TestHostText compares reading and printing with package strconv.
func TestHostText(t *testing.T) {
	sample.Long(t)
	r := rand.New(rand.NewPCG(5, 6))
	before := uint64(0)
	for range min(operands(), 2000) {
		a := boundary(r, Double, before)
		before = a
		x := math.Float64frombits(a)
		if x != x || math.IsInf(x, 0) {
			continue
		}
		for _, text := range []string{strconv.FormatFloat(x, 'g', 1+r.IntN(25), 64),
			strconv.FormatFloat(x, 'x', r.IntN(14), 64)} {
			want, _ := strconv.ParseFloat(text, 64)
			got, _, err := Double.Parse(text, NearestEven)
			require.NoError(t, err)
			require.Equal(t, math.Float64bits(want), got, text)
			narrow, _ := strconv.ParseFloat(text, 32)
			got, _, _ = Single.Parse(text, NearestEven)
			require.Equal(t, uint64(math.Float32bits(float32(narrow))), got, text)
		}
		back, err := strconv.ParseFloat(Double.Text(a), 64)
		require.NoError(t, err)
		require.Equal(t, a, math.Float64bits(back), Double.Text(a))
		require.LessOrEqual(t, len(Double.Text(a)), len(strconv.FormatFloat(x, 'g', -1, 64))+3, Double.Text(a))
		back, err = strconv.ParseFloat(Double.Hex(a), 64)
		require.NoError(t, err)
		require.Equal(t, a, math.Float64bits(back), Double.Hex(a))
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		f               Format
		text, want, hex string
	}{
		{Single, "0.1", "0.1", "0x1.99999ap-4"},
		{Double, "0.1", "0.1", "0x1.999999999999ap-4"},
		{Single, "16777217", "16777216.0", "0x1p+24"},
		{Single, "1e30", "1e+30", "0x1.93e594p+99"},
		{Single, "1e-45", "1e-45", "0x1p-149"},
		{Single, "1e-46", "0.0", "0.0"},
		{Double, "-0", "-0.0", "-0.0"},
		{Double, "1e400", "inf", "inf"},
		{Double, "1e99999999999999999999", "inf", "inf"},
		{Double, "1e-99999999999999999999", "0.0", "0.0"},
		{Double, "0e99999999999999999999", "0.0", "0.0"},
		{Double, "0x1.8p3", "12.0", "0x1.8p+3"},
		{Double, ".5", "0.5", "0x1p-1"},
		{Double, "5.", "5.0", "0x1.4p+2"},
		{Half, "65504", "65500.0", "0x1.ffcp+15"},
		{Double, "NaN", "nan", "nan"},
	} {
		v, _, err := c.f.Parse(c.text, NearestEven)
		require.NoError(t, err, c.text)
		assert.Equal(t, c.want, c.f.Text(v))
		assert.Equal(t, c.hex, c.f.Hex(v))
	}
	for _, text := range []string{"", ".", "1e", "x", "1_0", "--1", "1e1_0", "0x", "1.2.3", "1e+", "0x.p1"} {
		_, _, err := Double.Parse(text, NearestEven)
		assert.Error(t, err, text)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"0.1", "1e-400", "0x1.8p3", "nan", "-.e5", "1e9999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, flags, err := Double.Parse(text, NearestEven)
		want, hostErr := strconv.ParseFloat(text, 64)
		if err != nil || hostErr != nil && !math.IsInf(want, 0) {
			return
		}
		if want != want {
			require.True(t, Double.IsNaN(v))
			return
		}
		require.Equal(t, math.Float64bits(want), v)
		require.Equal(t, math.IsInf(want, 0) && hostErr != nil, flags&Overflow != 0)
		back, _, err := Double.Parse(Double.Text(v), NearestEven)
		require.NoError(t, err)
		require.Equal(t, v, back)
	})
}

func TestRat(t *testing.T) {
	third := big.NewRat(-1, 3)
	for _, m := range []Mode{TowardNegative, TowardPositive} {
		v, flags := Double.FromRat(m, third)
		assert.Equal(t, Inexact, flags)
		assert.Equal(t, m == TowardPositive, Double.Rat(v).Cmp(third) > 0)
	}
}

// TestGcc compares all directed modes and the flags with what gcc's programs compute
// on this machine. It is skipped where there is no gcc.
func TestGcc(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc")
	}
	program := filepath.Join(t.TempDir(), "machine")
	out, err := exec.Command(gcc, "-O1", "-frounding-math", "-fsignaling-nans", "-ffp-contract=off", "-o", program,
		filepath.Join("testdata", "machine.c"), "-lm").CombinedOutput()
	require.NoError(t, err, string(out))
	r := rand.New(rand.NewPCG(7, 8))
	for n := max(operands()/10, 1000); n > 0; n -= 20_000 {
		compareMachine(t, program, r, min(n, 20_000))
	}
}

// compareMachine looks at n triples of operands.
func compareMachine(t *testing.T, program string, r *rand.Rand, n int) {
	var in bytes.Buffer
	var as [][3]uint64
	for last := uint64(0); len(as) < n; {
		v := [3]uint64{boundary(r, Double, last), 0, 0}
		v[1] = boundary(r, Double, v[0])
		v[2] = boundary(r, Double, v[1])
		last = v[2]
		as = append(as, v)
		require.NoError(t, binary.Write(&in, binary.LittleEndian, v))
	}
	cmd := exec.Command(program)
	cmd.Stdin = &in
	answer, err := cmd.Output()
	require.NoError(t, err)
	read := bufio.NewReader(bytes.NewReader(answer))
	for _, v := range as {
		for _, m := range []Mode{NearestEven, TowardPositive, TowardNegative, TowardZero} {
			for _, op := range machineOperations {
				var want [2]uint64
				require.NoError(t, binary.Read(read, binary.LittleEndian, &want))
				got, flags := op.compute(m, v[0], v[1], v[2])
				sameNaN := op.f.IsNaN(want[0]) && op.f.IsNaN(got)
				if want[0] != got && !sameNaN || want[1] != uint64(flags) && op.flags {
					require.Failf(t, "wrong", "%s %v of %x %x %x: %x %x, not %x %x", op.name, m, v[0], v[1], v[2],
						got, flags, want[0], want[1])
				}
			}
		}
	}
}

// machineOperations are those of testdata/machine.c, in its order. The flags of fma
// where a NaN meets 0 · ∞ are the machine's own matter.
var machineOperations = []struct {
	name    string
	f       Format
	flags   bool
	compute func(m Mode, a, b, c uint64) (uint64, Flags)
}{
	{"add", Double, true, func(m Mode, a, b, c uint64) (uint64, Flags) { return Double.Add(m, a, b) }},
	{"mul", Double, true, func(m Mode, a, b, c uint64) (uint64, Flags) { return Double.Mul(m, a, b) }},
	{"div", Double, true, func(m Mode, a, b, c uint64) (uint64, Flags) { return Double.Div(m, a, b) }},
	{"sqrt", Double, true, func(m Mode, a, b, c uint64) (uint64, Flags) { return Double.Sqrt(m, a) }},
	{"fma", Double, false, func(m Mode, a, b, c uint64) (uint64, Flags) { return Double.Fma(m, a, b, c) }},
	{"rint", Double, true, func(m Mode, a, b, c uint64) (uint64, Flags) { return Double.RoundToIntegral(m, a) }},
	{"float", Single, true, func(m Mode, a, b, c uint64) (uint64, Flags) { return Double.Convert(m, Single, a) }},
	{"addf", Single, true, func(m Mode, a, b, c uint64) (uint64, Flags) { return Single.Add(m, a>>32, b>>32) }},
	{"mulf", Single, true, func(m Mode, a, b, c uint64) (uint64, Flags) { return Single.Mul(m, a>>32, b>>32) }},
	{"divf", Single, true, func(m Mode, a, b, c uint64) (uint64, Flags) { return Single.Div(m, a>>32, b>>32) }},
	{"fmaf", Single, false, func(m Mode, a, b, c uint64) (uint64, Flags) { return Single.Fma(m, a>>32, b>>32, c>>32) }},
	{"from", Double, true, func(m Mode, a, b, c uint64) (uint64, Flags) { return Double.FromInt(m, Int{64, true}, a) }},
	{"fromf", Single, true, func(m Mode, a, b, c uint64) (uint64, Flags) { return Single.FromInt(m, Int{64, true}, a) }},
}
