package softfloat

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"

	"magus/internal/sample"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A bothWays compares a format of values of any width with the ordinary one of the same numbers.
type bothWays struct {
	t *testing.T
	f Format
	x Large
}

func (c bothWays) same(what string, m Mode, want any, got any, operands ...uint64) {
	if want != got {
		require.Failf(c.t, "wrong", "%v: %s %v of %x: %x, not %x", c.f, what, m, operands, got, want)
	}
}

// A raised is a value with the flags of the operation that gave it.
type raised struct {
	v     uint64
	flags Flags
}

func narrow(v uint64, flags Flags) raised { return raised{v, flags} }

func large(v Pair, flags Flags) raised { return raised{v.Low, flags} }

// two compares all operations on two operands, and fma with a third one.
func (c bothWays) two(m Mode, a, b, d uint64) {
	f, x, p, q := c.f, c.x, Pair{Low: a}, Pair{Low: b}
	c.same("+", m, narrow(f.Add(m, a, b)), large(x.Add(m, p, q)), a, b)
	c.same("*", m, narrow(f.Mul(m, a, b)), large(x.Mul(m, p, q)), a, b)
	c.same("/", m, narrow(f.Div(m, a, b)), large(x.Div(m, p, q)), a, b)
	c.same("fma", m, narrow(f.Fma(m, a, b, d)), large(x.Fma(m, p, q, Pair{Low: d})), a, b, d)
	if m != NearestEven {
		return
	}
	c.same("remainder", m, narrow(f.Rem(a, b)), large(x.Rem(p, q)), a, b)
	c.same("fmod", m, narrow(f.Mod(a, b)), large(x.Mod(p, q)), a, b)
	for name, op := range map[string]struct {
		one func(Format, uint64, uint64) (bool, Flags)
		two func(Large, Pair, Pair) (bool, Flags)
	}{"==": {Format.Eq, Large.Eq}, "<": {Format.Lt, Large.Lt}, "<=": {Format.Le, Large.Le}} {
		is, flags := op.one(f, a, b)
		also, mine := op.two(x, p, q)
		c.same(name, m, is, also, a, b)
		c.same(name, m, flags, mine, a, b)
	}
}

// one compares the operations on one operand.
func (c bothWays) one(m Mode, a uint64) {
	f, x, p := c.f, c.x, Pair{Low: a}
	c.same("sqrt", m, narrow(f.Sqrt(m, a)), large(x.Sqrt(m, p)), a)
	c.same("rint", m, narrow(f.RoundToIntegral(m, a)), large(x.RoundToIntegral(m, p)), a)
	c.same("-", m, f.Neg(a), x.Neg(p).Low, a)
	c.same("is a NaN", m, f.IsNaN(a), x.IsNaN(p), a)
	c.same("is finite", m, f.IsFinite(a), x.IsFinite(p), a)
	for _, to := range []Int{{1, true}, {3, false}, {8, true}, {32, false}, {64, true}, {64, false}} {
		v, ok, flags := f.ToInt(m, to, a)
		w, has, mine := x.ToInt(m, to, p)
		c.same("to an integer", m, raised{v, flags}, raised{w, mine}, a)
		c.same("has an integer", m, ok, has, a)
		unused := 64 - to.Width
		c.same("of an integer", m, narrow(f.FromInt(m, to, a<<unused>>unused)), large(x.FromInt(m, to, a<<unused>>unused)), a)
	}
	for _, to := range []Format{{2, 2}, {5, 11}, {8, 24}} {
		c.same("to a format", m, narrow(f.Convert(m, to, a)), narrow(x.Convert(m, to, p)), a)
		b := a & (1<<to.Width() - 1)
		c.same("of a format", m, narrow(to.Convert(m, f, b)), large(x.From(m, to, b)), b)
	}
	if f.IsFinite(a) {
		r := f.Rat(a)
		c.same("is", m, 0, r.Cmp(x.Rat(p)), a)
		c.same("of a fraction", m, narrow(f.FromRat(m, r)), large(x.FromRat(m, r)), a)
	}
}

// TestTinyLarge compares all operations in all modes, flags included, with those of the ordinary format, for all
// values.
func TestTinyLarge(t *testing.T) {
	sample.Long(t)
	formats := []Format{{2, 3}, {3, 2}}
	if sample.Campaign() {
		formats = append(formats, Format{3, 4}, Format{4, 3})
	}
	for _, f := range formats {
		c := bothWays{t, f, Large(f)}
		for m := range Mode(Modes) {
			for _, to := range []Int{{1, true}, {3, false}, {20, true}} {
				least, most := f.IntRange(m, to)
				from, until := c.x.IntRange(m, to)
				assert.Equal(t, []uint64{least, most}, []uint64{from.Low, until.Low}, "%v %v %v", f, m, to)
			}
			for a := range uint64(1) << f.Width() {
				c.one(m, a)
				for b := range uint64(1) << f.Width() {
					c.two(m, a, b, a^b<<1&(1<<f.Width()-1))
				}
			}
		}
	}
}

// TestLarge does the same with random values of larger formats.
func TestLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 1))
	for _, f := range []Format{Half, Single, Double, {15, 40}} {
		c, last := bothWays{t, f, Large(f)}, uint64(0)
		for range operands() / 2000 {
			a := boundary(r, f, last)
			b, m := boundary(r, f, a), Mode(r.IntN(Modes))
			last = boundary(r, f, b)
			c.one(m, a)
			c.two(m, a, b, last)
			if f.IsFinite(a) && r.IntN(20) == 0 {
				c.same("text", m, f.Text(a), c.x.Text(Pair{Low: a}), a)
				c.same("hex", m, f.Hex(a), c.x.Hex(Pair{Low: a}), a)
			}
		}
	}
}

func TestQuadText(t *testing.T) {
	for text, want := range map[string]Pair{
		"0.1": {0x3ffb999999999999, 0x999999999999999a},
		"-1":  {0xbfff000000000000, 0},
		"1.18973149535723176508575932662800702e+4932": {0x7ffeffffffffffff, ^uint64(0)},
		"0x1p-16494":           {0, 1},
		"1e5000":               {0x7fff000000000000, 0},
		"1e-5000":              {},
		"36893488147419103233": {0x4040000000000000, 0x0000800000000000},
	} {
		got, _, err := Quad.Parse(text, NearestEven)
		require.NoError(t, err)
		assert.Equal(t, want, got, text)
	}
	assert.Equal(t, "0x1.999999999999999999999999999ap-4", Quad.Hex(Pair{0x3ffb999999999999, 0x999999999999999a}))
	assert.Equal(t, "-0.1", Quad.Text(Pair{0xbffb999999999999, 0x999999999999999a}))
}

// quadBoundary is [boundary] for numbers of 128 bits.
func quadBoundary(r *rand.Rand, before Pair) Pair {
	v := Pair{r.Uint64(), r.Uint64()}
	const fraction = 1<<48 - 1
	switch r.IntN(8) {
	case 0:
		v.High, v.Low = v.High&^fraction, 0
	case 1:
		v.High, v.Low = v.High|fraction, v.Low|^uint64(3)
	case 2:
		v.High, v.Low = v.High&^fraction, v.Low&7
	case 3:
		v = Pair{before.High, before.Low + uint64(r.IntN(7)) - 3}
	case 4:
		v = Pair{before.High ^ 1<<63 ^ uint64(r.IntN(4))<<48, before.Low}
	case 5: // as doubles, long doubles and integers have them
		v.Low &= ^uint64(0) << (40 + r.IntN(24))
	}
	switch r.IntN(6) {
	case 0, 1: // near 1
		v.High = v.High&(1<<63|fraction) | uint64(0x3fff+r.IntN(240)-120)<<48
	case 2: // subnormal, infinite, NaN
		v.High = v.High&(1<<63|fraction) | uint64(0x7fff*r.IntN(2))<<48
	case 3: // small and large numbers of narrower types
		v.High = v.High&(1<<63|fraction) | uint64(0x3fff+[]int{-1074, -149, -24, 15, 127, 1023}[r.IntN(6)]+r.IntN(5)-2)<<48
	}
	return v
}

// machineQuad are the operations of testdata/quad.c, in its order, as those of machineExtended.
var machineQuad = []struct {
	name    string
	f       Format // of the result, if it is not the zero format
	x       bool   // the result is one of 80 bits
	pair    bool
	compute func(m Mode, a, b, c Pair) (v Pair, flags Flags, ok bool)
}{
	{"add", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return checked(Quad.Add(m, a, b)) }},
	{"sub", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Quad.Add(m, a, Quad.Neg(b)))
	}},
	{"mul", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return checked(Quad.Mul(m, a, b)) }},
	{"div", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return checked(Quad.Div(m, a, b)) }},
	{"sqrt", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return checked(Quad.Sqrt(m, a)) }},
	{"rint", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Quad.RoundToIntegral(m, a))
	}},
	{"fmod", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return valued(Quad.Mod(a, b)) }},
	{"remainder", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		v, flags, ok := valued(Quad.Rem(a, b))
		return v, flags, ok && m != TowardNegative // where the GNU C library gives -0 for a positive a
	}},
	{"fma", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return valued(Quad.Fma(m, a, b, c)) }},
	{"long double", Format{}, true, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Quad.ToExplicit(m, Extended, a))
	}},
	{"double", Double, false, false,
		func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return low(Quad.Convert(m, Double, a)) }},
	{"float", Single, false, false,
		func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return low(Quad.Convert(m, Single, a)) }},
	{"half", Half, false, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return low(Quad.Convert(m, Half, a)) }},
	{"of long double", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Quad.FromExplicit(m, Extended, longOf(a)))
	}},
	{"of double", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Quad.From(m, Double, a.Low))
	}},
	{"of long", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Quad.FromInt(m, Int{64, true}, a.Low))
	}},
	{"of unsigned long", Format{}, false, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Quad.FromInt(m, Int{64, false}, a.Low))
	}},
	{"long", Format{}, false, false,
		func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return quadWhole(Int{64, true}, a) }},
	{"int", Format{}, false, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return quadWhole(Int{32, true}, a) }},
	{"unsigned long", Format{}, false, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return quadWhole(Int{64, false}, a)
	}},
	{"==", Format{}, false, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return truth(Quad.Eq(a, b)) }},
	{"<", Format{}, false, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return truth(Quad.Lt(a, b)) }},
	{"<=", Format{}, false, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return truth(Quad.Le(a, b)) }},
	{"half of double", Half, false, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return low(Double.Convert(m, Half, a.Low))
	}},
	{"half of float", Half, false, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		y, _ := Double.Convert(NearestEven, Single, a.Low)
		return low(Single.Convert(m, Half, y))
	}},
	{"half of long double", Half, false, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return low(Extended.Convert(m, Half, longOf(a)))
	}},
}

// valued is a result whose flags are the machine's own matter.
func valued(v Pair, _ Flags) (Pair, Flags, bool) { return v, noFlags, true }

// longOf is the number of 80 bits that testdata/quad.c makes of one of 128.
func longOf(a Pair) Pair {
	v := Pair{a.High >> 48, a.Low &^ (1 << 63)}
	if v.High&0x7fff != 0 {
		v.Low |= 1 << 63
	}
	return v
}

func quadWhole(to Int, a Pair) (Pair, Flags, bool) {
	v, ok, _ := Quad.ToInt(TowardZero, to, a)
	return Pair{Low: v}, noFlags, ok
}

// TestQuad compares with what gcc's programs compute by its library, in all modes, flags included; conversions to half
// too. It is skipped where there is no gcc that has these types; see [operands] for a longer one.
func TestQuad(t *testing.T) {
	sample.Long(t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc")
	}
	program := filepath.Join(t.TempDir(), "quad")
	out, err := exec.Command(gcc, "-O1", "-frounding-math", "-fsignaling-nans", "-ffp-contract=off", "-o", program,
		filepath.Join("testdata", "quad.c"), "-lm").CombinedOutput()
	if err != nil {
		t.Skipf("this gcc has no such types: %s", out)
	}
	r := rand.New(rand.NewPCG(21, 22))
	for n := min(max(operands()/200, 200), 10_000_000); n > 0; n -= 20_000 {
		compareQuad(t, program, r, min(n, 20_000))
	}
}

func compareQuad(t *testing.T, program string, r *rand.Rand, n int) {
	var in bytes.Buffer
	var as [][3]Pair
	for last := (Pair{}); len(as) < n; {
		v := [3]Pair{quadBoundary(r, last)}
		v[1] = quadBoundary(r, v[0])
		v[2] = quadBoundary(r, v[1])
		last = v[2]
		as = append(as, v)
		for _, p := range v {
			require.NoError(t, binary.Write(&in, binary.LittleEndian, [2]uint64{p.Low, p.High}))
		}
	}
	cmd := exec.Command(program)
	cmd.Stdin = &in
	answer, err := cmd.Output()
	require.NoError(t, err)
	read := bufio.NewReader(bytes.NewReader(answer))
	for _, v := range as {
		for _, m := range []Mode{NearestEven, TowardPositive, TowardNegative, TowardZero} {
			for _, op := range machineQuad {
				var want [3]uint64
				require.NoError(t, binary.Read(read, binary.LittleEndian, &want))
				got, flags, ok := op.compute(m, v[0], v[1], v[2])
				machine := Pair{want[1], want[0]}
				isNaN := Quad.IsNaN
				if op.x {
					isNaN = Extended.IsNaN
				}
				sameNaN := op.pair && isNaN(machine) && isNaN(got) ||
					op.f != Format{} && op.f.IsNaN(machine.Low) && op.f.IsNaN(got.Low)
				if ok && machine != got && !sameNaN || flags != noFlags && uint64(flags) != want[2] {
					require.Failf(t, "wrong", "%s %v of %x: %x %x, not %x %x", op.name, m, v, got, flags, machine, want[2])
				}
			}
		}
	}
}
