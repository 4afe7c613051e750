package interp_test

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/internal/sample"
	"magus/smt/expr"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:embed testdata/harness.c
var harness string

// firstSeed is the seed of the first random C program.
func firstSeed() int64 { return int64(sample.Seed(1)) }

// manyPrograms is how many random C programs a test looks at.
func manyPrograms() int { return sample.Count(20) }

// Programs execute in the interpreter as gcc executes them: the same outputs
// in the same order and the same returned value.
func TestProgramsAgreeWithGCC(t *testing.T) {
	agreeWithGCC(t, newBatch(firstSeed(), manyPrograms(), cprelude, cnondet, cprogram), 0)
}

// The same of programs with structures, pointers and allocated memory, however
// far they are told apart.
func TestRandomMemoryAgreesWithGCC(t *testing.T) {
	programs := manyPrograms() / 2
	b := newBatch(firstSeed(), programs, cfatest.Prelude, cfatest.Nondet, func(id int, seed int64) (text, entry string) {
		return cfatest.Program(id, uint64(seed), 8)
	})
	b.lowered([]lower.Options{{}, {Modelling: cfa.Modelling{CheckPointers: true}},
		{Modelling: cfa.Modelling{ArrayLimit: 1}}, {Modelling: cfa.Modelling{HeapLimit: 1}},
		{Modelling: cfa.Modelling{TargetLimit: 1}},
		{Modelling: cfa.Modelling{ArrayLimit: 2, HeapLimit: 1, CheckPointers: true}}})
	agreeWithGCC(t, b, programs*2/3)
}

// The same of programs of routines that write memory in many ways.
func TestRandomCallsAgreeWithGCC(t *testing.T) {
	programs := manyPrograms() / 2
	b := newBatch(firstSeed(), programs, cfatest.CallsPrelude, cfatest.Nondet,
		func(id int, seed int64) (text, entry string) {
			text, outside, entry := cfatest.Calls(id, uint64(seed), 4)
			return text + outside, entry
		})
	b.lowered([]lower.Options{{}, {Modelling: cfa.Modelling{CheckPointers: true}},
		{Modelling: cfa.Modelling{TargetLimit: 1}}, {Modelling: cfa.Modelling{HeapLimit: 1}}})
	agreeWithGCC(t, b, programs*2/3)
}

// The same of programs that recurse, to a depth that is followed.
func TestRecursionAgreesWithGCC(t *testing.T) {
	b := newBatch(firstSeed(), manyPrograms()/5, cfatest.Prelude, cfatest.Nondet,
		func(id int, seed int64) (text, entry string) {
			text, entry = cfatest.Recursive(id, uint64(seed), true)
			return text + fmt.Sprintf("static int main%d(void) { return %s(%d); }\n", id, entry, 2+seed%2),
				fmt.Sprintf("main%d", id)
		})
	b.lowered([]lower.Options{{Cut: "cut", Modelling: cfa.Modelling{Recursion: 4}},
		{Cut: "cut", Modelling: cfa.Modelling{Recursion: 4, CheckPointers: true}}})
	agreeWithGCC(t, b, 0)
}

// The same of functions that compute numbers: what they give for constants is found out
// while they are lowered.
func TestRecursiveNumbersAgreeWithGCC(t *testing.T) {
	sample.Long(t)
	b := newBatch(firstSeed(), manyPrograms()/4, cfatest.Prelude, cfatest.Nondet,
		func(id int, seed int64) (text, entry string) {
			return cfatest.Numbers(id, uint64(seed))
		})
	b.lowered([]lower.Options{{Cut: "cut", Modelling: cfa.Modelling{Recursion: 8}}})
	agreeWithGCC(t, b, 0)
}

// The same of calls with variable arguments.
func TestVariableArgumentsAgreeWithGCC(t *testing.T) {
	b := newBatch(firstSeed(), manyPrograms()/4, cfatest.VariadicPrelude, "",
		func(id int, seed int64) (text, entry string) {
			return cfatest.Variadic(id, uint64(seed))
		})
	b.lowered([]lower.Options{{}, {Modelling: cfa.Modelling{CheckPointers: true}}})
	agreeWithGCC(t, b, 0)
}

// The same of an object that is written and read in parts that overlap: all of it is modelled.
func TestPartsAgreeWithGCC(t *testing.T) {
	b := newBatch(firstSeed(), manyPrograms()/2, cfatest.PartsPrelude, "",
		func(id int, seed int64) (text, entry string) { return cfatest.Parts(id, uint64(seed)) })
	b.lowered([]lower.Options{{}, {Modelling: cfa.Modelling{CheckPointers: true}}})
	agreeWithGCC(t, b, 0)
}

// The same of floating point, in all rounding modes.
func TestFloatsAgreeWithGCC(t *testing.T) {
	floatsAgreeWithGCC(t, manyPrograms(), cfatest.FloatingPrelude, cfatest.Floating)
}

// The same of long double.
func TestLongDoublesAgreeWithGCC(t *testing.T) {
	if out, err := exec.Command("gcc", "-dumpmachine").Output(); err != nil || !strings.HasPrefix(string(out), "x86_64") {
		t.Skip("there is no gcc for x86-64")
	}
	floatsAgreeWithGCC(t, manyPrograms(), cfatest.LongPrelude, cfatest.LongFloating)
}

// The same where long double is quad, or double, which gcc is asked for; the library's functions are then those of
// _Float128, or of double.
func TestOtherLongDoublesAgreeWithGCC(t *testing.T) {
	for _, c := range []struct {
		long               cfa.LongDouble
		flag, suffix, real string
	}{
		{cfa.Quad, "-mlong-double-128", "f128", "_Float128"}, {cfa.AsDouble, "-mlong-double-64", "", "double"},
	} {
		t.Run(c.long.String(), func(t *testing.T) {
			b := newBatch(firstSeed(), sample.Count(6), cfatest.LongPrelude, "",
				func(id int, seed int64) (text, entry string) { return cfatest.LongFloating(id, uint64(seed)) })
			b.long = c.long
			dir, functions := t.TempDir(), longFunctions(c.suffix, c.real)
			for first := 0; first < len(b.programs); first += together {
				part := b.part(first, min(first+together, len(b.programs)))
				want, err := runGCC(dir, functions+part.withHarness(), []string{"-frounding-math", "-fno-builtin",
					"-ffp-contract=off", c.flag, "-Wl,--no-as-needed", "-lm", "-DHOSTED"})
				if err != nil {
					t.Skipf("no gcc that compiles such programs: %v", err)
				}
				require.LessOrEqual(t, part.compare(t, cfa.LP64, want), together/10)
			}
		})
	}
}

// longFunctions are the functions of long double by those of another type, whose names end in suffix.
func longFunctions(suffix, real string) string {
	var b strings.Builder
	write := func(name, params, args string) {
		theirs := strings.ReplaceAll(params, "long double", real)
		fmt.Fprintf(&b, "%s %s%s(%s);\n", real, name, suffix, theirs)
		fmt.Fprintf(&b, "static long double of_%s(%s) { return %s%s(%s); }\n", name, params, name, suffix, args)
		fmt.Fprintf(&b, "#define %sl of_%s\n", name, name)
	}
	for _, name := range strings.Fields("fabs floor ceil trunc round rint nearbyint sqrt logb") {
		write(name, "long double x", "x")
	}
	for _, name := range strings.Fields("copysign fdim nextafter") {
		write(name, "long double x, long double y", "x, y")
	}
	write("fma", "long double x, long double y, long double z", "x, y, z")
	write("ldexp", "long double x, int n", "x, n")
	write("frexp", "long double x, int *n", "x, n")
	write("modf", "long double x, long double *w", "x, ("+real+" *)w")
	return b.String()
}

// The same of _Float16, computed in float, and of _Float128.
func TestWidthsAgreeWithGCC(t *testing.T) {
	floatsAgreeWithGCC(t, sample.Count(3), cfatest.WidthsPrelude, cfatest.WidthsFloating)
}

// The same computed by the x87: each operation in 80 bits, rounded to its type where it is stored, passed or cast.
func TestExcessPrecisionAgreesWithGCC(t *testing.T) {
	flags := []string{"-frounding-math", "-ffp-contract=off", "-mfpmath=387", "-fexcess-precision=standard", "-Wl,--no-as-needed", "-lm"}
	b := newBatch(firstSeed(), manyPrograms(), cfatest.LongPrelude, "", func(id int, seed int64) (text, entry string) {
		return cfatest.LongFloating(id, uint64(seed))
	})
	b.evaluation = 2
	dir := t.TempDir()
	for first := 0; first < len(b.programs); first += together {
		part := b.part(first, min(first+together, len(b.programs)))
		want, err := runGCC(dir, part.withHarness(), append(flags, "-m64", "-DHOSTED"))
		if err != nil {
			t.Skipf("no gcc that compiles such programs: %v", err)
		}
		require.LessOrEqual(t, part.compare(t, cfa.LP64, want), together/10)
	}
}

func floatsAgreeWithGCC(t *testing.T, programs int, prelude string,
	program func(id int, seed uint64) (text, entry string)) {
	b := newBatch(firstSeed(), programs, prelude, "", func(id int, seed int64) (text, entry string) {
		return program(id, uint64(seed))
	})
	flags := []string{"-frounding-math", "-ffp-contract=off", "-msse2", "-mfpmath=sse", "-Wl,--no-as-needed", "-lm"}
	for model, width := range []string{cfa.LP64: "-m64", cfa.ILP32: "-m32"} {
		t.Run(cfa.DataModel(model).String(), func(t *testing.T) {
			dir := t.TempDir()
			for first := 0; first < len(b.programs); first += together {
				part := b.part(first, min(first+together, len(b.programs)))
				want, err := runGCC(dir, part.withHarness(), append(flags, width, "-DHOSTED"))
				if err != nil {
					t.Skipf("no gcc that compiles such programs: %v", err)
				}
				require.LessOrEqual(t, part.compare(t, cfa.DataModel(model), want), together/10)
			}
		})
	}
}

// agreeWithGCC compares; at most so many programs may do something that depends
// on what is not modelled, and are compared up to there.
func agreeWithGCC(t *testing.T, b *batch, incomplete int) {
	for _, c := range []struct {
		name  string
		model cfa.DataModel
		flags []string
	}{
		{"LP64", cfa.LP64, nil},
		{"ILP32", cfa.ILP32, []string{"-m32", "-nostdlib", "-static", "-fno-pic", "-fno-stack-protector"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := runGCC(dir, harness+"START { line(\"return\", sizeof(long)); END; }\n", c.flags); err != nil {
				t.Skipf("no gcc that compiles for %s: %v", c.name, err)
			}
			cut := 0
			for first := 0; first < len(b.programs); first += together {
				part := b.part(first, min(first+together, len(b.programs)))
				want, err := runGCC(dir, part.withHarness(), c.flags)
				require.NoError(t, err)
				cut += part.compare(t, c.model, want)
			}
			t.Logf("%d programs, %d of them up to a value that is not modelled", len(b.programs), cut)
			require.LessOrEqual(t, cut, incomplete)
		})
	}
}

// together is the number of programs in one text: the compiler starts once for them.
const together = 200

// A batch is many programs.
type batch struct {
	nondet   string // declarations that are macros for the compiler
	prelude  string
	programs []program
	// evaluation of floating point, see [source.Options]
	evaluation int
	long       cfa.LongDouble
}

type program struct {
	text, entry string
	seed        int64
	lowering    lower.Options
}

func newBatch(seed int64, programs int, prelude, nondet string,
	write func(id int, seed int64) (text, entry string)) *batch {
	b := &batch{nondet: nondet, prelude: prelude}
	for i := range programs {
		text, entry := write(i, seed+int64(i))
		b.programs = append(b.programs, program{text: text, entry: entry, seed: seed + int64(i)})
	}
	return b
}

// lowered lowers the programs with these options in turn.
func (b *batch) lowered(in []lower.Options) {
	for i := range b.programs {
		b.programs[i].lowering = in[i%len(in)]
	}
}

// part are some of the programs.
func (b *batch) part(first, end int) *batch {
	return &batch{b.nondet, b.prelude, b.programs[first:end], b.evaluation, b.long}
}

func (b *batch) text() string {
	var text strings.Builder
	text.WriteString(b.prelude)
	for _, p := range b.programs {
		text.WriteString(p.text)
	}
	return text.String()
}

func (b *batch) withHarness() string {
	var text, main strings.Builder
	fmt.Fprintf(&text, "%s#line %d\n%s", harness, 1+strings.Count(b.nondet, "\n"), b.text())
	for i, p := range b.programs {
		fmt.Fprintf(&text, "RUN(%d, %s())\n", i, p.entry)
		fmt.Fprintf(&main, "\trun%d();\n", i)
	}
	return text.String() + "START {\n" + main.String() + "\tEND;\n}\n"
}

// compare executes each program and shows those that differ. It gives the number of those that
// were not executed to the end.
func (b *batch) compare(t *testing.T, model cfa.DataModel, want map[int][]string) (cut int) {
	prog, err := source.Parse(ctx(), []source.Source{{Name: "programs.c", Text: []byte(b.nondet + b.text() + tell)}},
		source.Options{Model: model, Evaluation: b.evaluation, LongDouble: b.long})
	require.NoError(t, err)
	for i, p := range b.programs {
		got, complete := execute(t, prog, p.entry, p.lowering)
		want := want[i]
		if !complete { // up to where it depends on what is not modelled
			cut++
			want = want[:min(len(got), len(want))]
		}
		if !slices.Equal(want, got) {
			assert.Equal(t, want, got, "seed %d\n%s", p.seed, p.text)
		}
	}
	return cut
}

// runGCC compiles and runs a program and gives its output lines by the number
// that they begin with.
func runGCC(dir, text string, flags []string) (map[int][]string, error) {
	src, bin := filepath.Join(dir, "programs.c"), filepath.Join(dir, "programs")
	if err := os.WriteFile(src, []byte(text), 0o644); err != nil {
		return nil, err
	}
	args := append([]string{"-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-o", bin}, flags...)
	if msg, err := exec.Command("gcc", append(args, src)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %.400s", err, msg)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		return nil, err
	}
	lines := map[int][]string{}
	for l := range strings.Lines(string(out)) {
		var i int
		var what string
		var v int64
		if _, err := fmt.Sscan(l, &i, &what, &v); err != nil {
			return nil, fmt.Errorf("output %q: %w", l, err)
		}
		lines[i] = append(lines[i], fmt.Sprintf("%s %d", what, v))
	}
	return lines, nil
}

// execute runs a procedure without parameters and gives the lines that the
// harness would write. What a program leaves open otherwise than by
// __VERIFIER_nondet_… must never be looked at. It ends early where something
// depends on a value that is not modelled.
func execute(t *testing.T, prog *source.Program, entry string, opt lower.Options) (lines []string, complete bool) {
	opt.InitGlobals, opt.Pointers = true, true
	c, err := lower.Lower(ctx(), prog, entry, expr.NewPool(), opt)
	if refused := (*cfa.UnsupportedError)(nil); errors.As(err, &refused) {
		return nil, false
	}
	if !assert.NoError(t, err, entry) {
		return nil, true
	}
	m := interp.New(c)
	s := m.Initial(func(v *expr.Expr) uint64 { return junk })
	known := targets(c)
	for range 1_000_000 {
		r := m.Step(s, choices{c})
		if r.Tainted != nil {
			return lines, false
		}
		for _, b := range r.Changed {
			require.True(t, known.admit(b), "%s: %v: %v points elsewhere than %v", entry, c.Locs[s.Loc()].Pos, b,
				known.of[b.Var])
		}
		switch e := r.Event.(type) {
		case interp.Acted:
			val := int64(0)
			if e.Action == "out" {
				val = toldValue(c, s)
			}
			lines = append(lines, fmt.Sprintf("%s %d", e.Action, val))
		case interp.Returned:
			return append(lines, fmt.Sprintf("return %d", signed(c.Ret, e.Value))), true
		case interp.Halted:
			if slices.Contains(lines, "error 0") {
				return lines, true
			}
			return append(lines, "halt 0"), true
		}
		s = r.Next
	}
	return append(lines, "no end"), true
}

// A pointsTo is what the analysis says of an automaton.
type pointsTo struct {
	of  map[*expr.Expr][]cfa.Pointee
	all []cfa.Pointee
}

func targets(c *cfa.CFA) pointsTo {
	p := pointsTo{of: map[*expr.Expr][]cfa.Pointee{}}
	for _, v := range c.PointsTo {
		p.of[v.Var] = v.Targets
		p.all = append(p.all, v.Targets...)
	}
	return p
}

// admit reports whether a pointer has a value that it may have: one of its
// targets, or none that any pointer has, such as NULL.
func (p pointsTo) admit(b interp.Binding) bool {
	among := func(ts []cfa.Pointee) bool {
		return slices.ContainsFunc(ts,
			func(t cfa.Pointee) bool { return t.First <= b.Value && b.Value <= t.Last && t.First > 0 })
	}
	own, ok := p.of[b.Var]
	return !ok || among(own) || !among(p.all)
}

// tell is out for the interpreter. That it decides by the value shows whether
// the value is modelled.
const tell = `long long told;
void out(long long v) { told = v; if (told) __MAGUS_ACTION__("out"); else __MAGUS_ACTION__("out"); }
`

// toldValue is what out was called with.
func toldValue(c *cfa.CFA, s interp.State) int64 {
	i := slices.IndexFunc(c.Vars, func(v cfa.Var) bool { return v.Name == "told" && v.Kind == cfa.Global })
	val, _ := s.Value(c.Vars[i].Expr)
	return int64(val)
}

const junk = 0xdeadbeefdeadbeef

// choices are the harness's values for __VERIFIER_nondet_…, and junk.
type choices struct{ c *cfa.CFA }

func (ch choices) Value(loc cfa.Loc, v *expr.Expr) uint64 {
	l := &ch.c.Locs[loc]
	if s, ok := l.Stmt.(cfa.Assign); !ok || !strings.HasPrefix(s.Nondet, "__VERIFIER_nondet_") {
		return junk
	}
	val := uint64(l.Pos.Line)*6364136223846793005 + 1442695040888963407
	if val>>32&8 != 0 {
		return val >> 58
	}
	return val >> 13
}

// signed reads a bit pattern by its type.
func signed(t expr.Type, v uint64) int64 {
	if t.Signed {
		return t.Sext(v)
	}
	return int64(v)
}

// A part of a cell that nothing else reads, at one of more places than are told apart: a run
// that knows the address reads what is there, or does not go on.
func TestPartsAmongManyPlaces(t *testing.T) {
	prog := parsed(t, cfatest.Nondet+tell+`
union u { short a; unsigned short b; };
static union u v[3] = { { .b = 0 } };
static int g = 7;
int f(void)
{
	int k = __VERIFIER_nondet_int();
	signed char *p = (signed char *)&v[k & 1].b;
	if (k == 77) p = (signed char *)&g; else if (k == 78) p = (signed char *)&v[2];
	out(*p);
	return 0;
}`, cfa.LP64)
	want := []string{"out 0", "return 0"}
	got, complete := execute(t, prog, "f", lower.Options{Modelling: cfa.Modelling{TargetLimit: 1}})
	require.True(t, slices.Equal(want[:min(len(got), 2)], got), got)
	require.Equal(t, complete, len(got) == len(want))
	got, complete = execute(t, prog, "f", lower.Options{})
	require.True(t, complete)
	require.Equal(t, want, got)
}
