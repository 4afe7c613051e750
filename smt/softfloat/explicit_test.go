package softfloat

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

var tinyExplicit = []Explicit{{2, 3}, {3, 3}, {2, 4}}

// plain is the value of the ordinary format that a pair stands for, read by hand.
func (x Explicit) plain(a Pair) uint64 {
	most, fraction := uint64(1)<<x.Exp-1, uint64(1)<<(x.Prec-1)-1
	sign, biased, leading := a.High>>x.Exp, a.High&most, a.Low>>(x.Prec-1)
	switch {
	case biased == 0:
		biased = leading
	case leading == 0: // a signaling NaN
		return sign<<(x.Exp+x.Prec-1) | most<<(x.Prec-1) | 1
	}
	return sign<<(x.Exp+x.Prec-1) | biased<<(x.Prec-1) | a.Low&fraction
}

// TestTinyExplicit compares all operations with the oracle, for all patterns, all modes and all flags.
func TestTinyExplicit(t *testing.T) {
	for _, x := range tinyExplicit {
		f := x.Numbers()
		o := newOracle(f)
		var all []Pair
		for high := range uint64(1) << (x.Exp + 1) {
			for low := range uint64(1) << x.Prec {
				all = append(all, Pair{high, low})
			}
		}
		// same compares a result, which is a pattern that operations give.
		same := func(what string, m Mode, want uint64, flags Flags, got Pair, raised Flags, operands ...Pair) {
			canonical := got.Low>>(x.Prec-1) == 1 == (got.High&(1<<x.Exp-1) != 0)
			if x.plain(got) != want || flags != raised || !canonical {
				require.Failf(t, "wrong", "%v: %s %v %x: %x %v, not %x %v", f, what, m, operands, got, raised, want, flags)
			}
		}
		for m := range Mode(Modes) {
			for _, a := range all {
				p := x.plain(a)
				want, flags := o.sqrt(m, p)
				got, raised := x.Sqrt(m, a)
				same("sqrt", m, want, flags, got, raised, a)
				if x.unpack(a).kind <= kindFinite || x.IsNaN(a) { // an infinity is handed on
					want, flags = o.roundToIntegral(m, p)
					got, raised = x.RoundToIntegral(m, a)
					same("rint", m, want, flags, got, raised, a)
				}
				for _, b := range all {
					q := x.plain(b)
					want, flags = o.add(m, p, q)
					got, raised = x.Add(m, a, b)
					same("add", m, want, flags, got, raised, a, b)
					want, flags = o.fma(m, p, q, 0, false)
					got, raised = x.Mul(m, a, b)
					same("mul", m, want, flags, got, raised, a, b)
					want, flags = o.div(m, p, q)
					got, raised = x.Div(m, a, b)
					same("div", m, want, flags, got, raised, a, b)
				}
			}
		}
		for _, a := range all {
			for _, b := range all {
				p, q := x.plain(a), x.plain(b)
				want, flags := o.remainder(NearestEven, p, q)
				got, raised := x.Rem(a, b)
				same("rem", 0, want, flags, got, raised, a, b)
				want, flags = o.remainder(TowardZero, p, q)
				got, raised = x.Mod(a, b)
				same("mod", 0, want, flags, got, raised, a, b)
				eq, lt, unordered, bad := o.compare(p, q)
				isEq, onEq := x.Eq(a, b)
				isLt, onLt := x.Lt(a, b)
				isLe, onLe := x.Le(a, b)
				require.Equal(t, []bool{eq, bad, lt, unordered, lt || eq, unordered},
					[]bool{isEq, onEq == Invalid, isLt, onLt == Invalid, isLe, onLe == Invalid}, "%v: %x ? %x", f, a, b)
			}
		}
		testTinyExplicitConversions(t, x, o, all)
	}
}

func testTinyExplicitConversions(t *testing.T, x Explicit, o *oracle, all []Pair) {
	for m := range Mode(Modes) {
		for _, g := range tiny {
			to := newOracle(g)
			for _, a := range all {
				require.Equal(t, got(to.convert(m, o, x.plain(a))), got(x.Convert(m, g, a)), "to %v %v: %x", g, m, a)
			}
			for a := range uint64(1) << g.Width() {
				v, flags := x.From(m, g, a)
				require.Equal(t, got(o.convert(m, to, a)), got(x.plain(v), flags), "from %v %v: %x", g, m, a)
			}
		}
		for _, i := range []Int{{1, false}, {1, true}, {3, true}, {4, false}, {6, true}, {20, true}} {
			least, most := x.IntRange(m, i)
			for _, a := range all {
				v, ok, flags := o.toInt(m, i, x.plain(a))
				w, has, raised := x.ToInt(m, i, a)
				require.Equal(t, []any{v, ok, flags}, []any{w, has, raised}, "to %v %v: %x", i, m, a)
				above, _ := x.Le(least, a)
				below, _ := x.Le(a, most)
				require.Equal(t, ok, above && below, "to %v %v: %x", i, m, a)
			}
			for v := range uint64(1) << min(i.Width, 8) {
				n := int64(v)
				if i.Signed && v>>(i.Width-1) == 1 {
					n -= 1 << i.Width
				}
				pair, flags := x.FromInt(m, i, v)
				require.Equal(t, got(o.number(m, new(big.Rat).SetInt64(n), false)), got(x.plain(pair), flags))
			}
		}
	}
}

// extendedBoundary is [boundary] for pairs.
func extendedBoundary(r *rand.Rand, before Pair) Pair {
	v := Pair{r.Uint64() & 0xffff, r.Uint64() | 1<<63}
	switch r.IntN(8) {
	case 0:
		v.Low = 1 << 63
	case 1:
		v.Low |= ^uint64(3)
	case 2:
		v.Low = v.Low&7 | 1<<63
	case 3:
		v = Pair{before.High, before.Low + uint64(r.IntN(7)) - 3}
	case 4:
		v = Pair{before.High ^ 0x8000 ^ uint64(r.IntN(4)), before.Low}
	case 5: // as doubles and integers have them
		v.Low = v.Low &^ (1<<uint(r.IntN(60)) - 1)
	case 6:
		v.Low >>= r.IntN(3)
	}
	switch r.IntN(6) {
	case 0, 1: // near 1
		v.High = v.High&0x8000 | uint64(0x3fff+r.IntN(140)-70)
	case 2: // subnormal, infinite, NaN
		v.High = v.High&0x8000 | uint64(0x7fff*r.IntN(2))
		v.Low = v.Low << r.IntN(2) >> r.IntN(3)
	}
	return v
}

// machineExtended are the operations of testdata/extended.c, in its order. A result is a pair, or in its low
// word a number of another type; ok is whether C defines it and the flags are compared.
var machineExtended = []struct {
	name    string
	f       Format // of the result, if it is not the zero format, or a pair
	pair    bool
	compute func(m Mode, a, b, c Pair) (v Pair, flags Flags, ok bool)
}{
	{"add", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return checked(Extended.Add(m, a, b)) }},
	{"sub", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Extended.Add(m, a, Extended.Neg(b)))
	}},
	{"mul", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return checked(Extended.Mul(m, a, b)) }},
	{"div", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return checked(Extended.Div(m, a, b)) }},
	{"sqrt", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return checked(Extended.Sqrt(m, a)) }},
	{"rint", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Extended.RoundToIntegral(m, a))
	}},
	{"fmod", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return checked(Extended.Mod(a, b)) }},
	{"remainder", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return checked(Extended.Rem(a, b)) }},
	{"fma", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return software(Extended.Fma(m, a, b, c))(a, b, c)
	}},
	{"double", Double, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return low(Extended.Convert(m, Double, a))
	}},
	{"float", Single, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return low(Extended.Convert(m, Single, a))
	}},
	{"of double", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Extended.From(m, Double, a.Low))
	}},
	{"of long", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Extended.FromInt(m, Int{64, true}, a.Low))
	}},
	{"of unsigned long", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Extended.FromInt(m, Int{64, false}, a.Low))
	}},
	{"of int", Format{}, true, func(m Mode, a, b, c Pair) (Pair, Flags, bool) {
		return checked(Extended.FromInt(m, Int{32, true}, a.Low&0xffffffff))
	}},
	{"long", Format{}, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return whole(Int{64, true}, a) }},
	{"int", Format{}, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return whole(Int{32, true}, a) }},
	{"unsigned long", Format{}, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return whole(Int{64, false}, a) }},
	{"==", Format{}, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return truth(Extended.Eq(a, b)) }},
	{"<", Format{}, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return truth(Extended.Lt(a, b)) }},
	{"<=", Format{}, false, func(m Mode, a, b, c Pair) (Pair, Flags, bool) { return truth(Extended.Le(a, b)) }},
}

// noFlags is no set of flags: they are not compared.
const noFlags = Flags(0xff)

func checked(v Pair, flags Flags) (Pair, Flags, bool) { return v, flags, true }

// software is a result that the machine's C library computes with integers: it does not look for patterns that
// are no numbers.
func software(v Pair, _ Flags) func(operands ...Pair) (Pair, Flags, bool) {
	return func(operands ...Pair) (Pair, Flags, bool) {
		for _, a := range operands {
			if a.High&0x7fff != 0 && a.Low>>63 == 0 {
				return v, noFlags, false
			}
		}
		return v, noFlags, true
	}
}

func low(v uint64, flags Flags) (Pair, Flags, bool) { return Pair{Low: v}, flags, true }
func truth(is bool, flags Flags) (Pair, Flags, bool) {
	if is {
		return Pair{Low: 1}, flags, true
	}
	return Pair{}, flags, true
}

func whole(to Int, a Pair) (Pair, Flags, bool) {
	v, ok, _ := Extended.ToInt(TowardZero, to, a)
	return Pair{Low: v}, noFlags, ok
}

// TestExtended compares with what gcc's programs compute in the x87 of this machine, in all modes, flags
// included. It is skipped where there is no gcc or no x87; see [operands] for a longer one.
func TestExtended(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc")
	}
	if out, err := exec.Command(gcc, "-dumpmachine").Output(); err != nil || !bytes.HasPrefix(out, []byte("x86_64")) {
		t.Skip("this machine has no x87")
	}
	program := filepath.Join(t.TempDir(), "extended")
	out, err := exec.Command(gcc, "-O1", "-frounding-math", "-fsignaling-nans", "-ffp-contract=off", "-o", program,
		filepath.Join("testdata", "extended.c"), "-lm").CombinedOutput()
	require.NoError(t, err, string(out))
	r := rand.New(rand.NewPCG(11, 12))
	n := min(max(operands()/20, 1000), 10_000_000)
	for n > 0 {
		batch := min(n, 20_000)
		compareExtended(t, program, r, batch)
		n -= batch
	}
}

func compareExtended(t *testing.T, program string, r *rand.Rand, n int) {
	var in bytes.Buffer
	var as [][3]Pair
	for last := (Pair{}); len(as) < n; {
		v := [3]Pair{extendedBoundary(r, last)}
		v[1] = extendedBoundary(r, v[0])
		v[2] = extendedBoundary(r, v[1])
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
			for _, op := range machineExtended {
				var want [3]uint64
				require.NoError(t, binary.Read(read, binary.LittleEndian, &want))
				got, flags, ok := op.compute(m, v[0], v[1], v[2])
				machine := Pair{want[1], want[0]}
				sameNaN := op.pair && Extended.IsNaN(machine) && Extended.IsNaN(got) ||
					op.f != Format{} && op.f.IsNaN(machine.Low) && op.f.IsNaN(got.Low)
				if ok && machine != got && !sameNaN || flags != noFlags && uint64(flags) != want[2] {
					require.Failf(t, "wrong", "%s %v of %x: %x %x, not %x %x", op.name, m, v, got, flags, machine, want[2])
				}
			}
		}
	}
}

func TestExtendedText(t *testing.T) {
	sample.Long(t)
	for text, want := range map[string]Pair{
		"0.1":                          {0x3ffb, 0xcccccccccccccccd},
		"-1":                           {0xbfff, 1 << 63},
		"1e4932":                       {0x7ffe, 0xd72cb2a95c7ef6cd},
		"0x1.fffffffffffffffep+16383":  {0x7ffe, ^uint64(0)},
		"0x0.0000000000000002p-16382":  {0, 1},
		"3.64519953188247460253e-4951": {0, 1},
		"1e5000":                       {0x7fff, 1 << 63},
		"1e-5000":                      {},
		"18446744073709551617":         {0x403f, 1 << 63},
		"18446744073709551615.5":       {0x403f, 1 << 63},
	} {
		got, _, err := Extended.Parse(text, NearestEven)
		require.NoError(t, err)
		assert.Equal(t, want, got, text)
	}
	r := rand.New(rand.NewPCG(1, 9))
	last := Pair{}
	for range 300 {
		v := Extended.pack(Extended.unpack(extendedBoundary(r, last))) // as operations give it
		last = v
		for _, text := range []string{Extended.Text(v), Extended.Hex(v)} {
			got, _, err := Extended.Parse(text, NearestEven)
			require.NoError(t, err)
			assert.Equal(t, v, got, text)
		}
	}
}
