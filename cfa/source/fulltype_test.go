package source

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"modernc.org/cc/v4"

	"magus/internal/sample"
)

// typesBefore are the declarations that the types of the test are made of.
const typesBefore = "enum e { A0, A1 }; enum f { B0, B1 }; enum g { C0 = -1, C1 };" +
	"struct s { int a; }; struct q { int a; }; union u { int a; char b; }; enum h { D0 = 0xffffffffffffffff };" +
	"typedef int *P; typedef const int *CP; typedef int *restrict RP; typedef volatile int VI; typedef int A3[3];" +
	"typedef int F(int); typedef int (*FP)(int); typedef P *PP; typedef enum e E; typedef struct s S; typedef enum g G;" +
	"typedef const int CA[3]; typedef const enum e CE; typedef RP *PRP; typedef struct s const *PCS;" +
	"const int x1 = 1; volatile int *const x2 = 0; extern int *const *restrict x3; extern enum e x4;" +
	"extern struct { const int *m; E n; CA b; } x5; int fn(const int *p, int const q, int r[3]);" +
	"\n"

var (
	typeBases = strings.Split("int;int;char;unsigned;long;enum e;enum f;enum g;enum h;struct s;struct q;union u;P;CP;RP;"+
		"VI;A3;F;FP;PP;E;S;G;CA;CE;PRP;PCS;void;signed char;unsigned char;double;_Bool;signed;unsigned int;"+
		"unsigned long;long long;short;"+
		"__typeof__(x1);__typeof__(x2);__typeof__(x3);__typeof__(P);__typeof__(int *const);__typeof__(&x1);__typeof__(*x3);"+
		"__typeof__(x4);__typeof__(x5.m);__typeof__(x5.n);__typeof__(x5.b);__typeof__(&x5.m);__typeof__(fn);"+
		"_Atomic int;_Atomic(int);_Atomic(P);_Atomic enum e", ";")
	typeQualifiers    = strings.Split(";;;const ;volatile ;const volatile ", ";")
	pointerQualifiers = strings.Split(";;; const; restrict; volatile; const restrict; _Atomic", ";")
	// typeSiblings are pairs of texts of which one takes the place of the other, to make a type that is almost the same.
	typeSiblings = [][2]string{{"P", "int *"}, {"RP", "P"}, {"RP", "int *restrict"}, {"CP", "const int *"},
		{"CP", "int *"},
		{"enum e", "unsigned"}, {"enum f", "enum e"}, {"E", "enum e"}, {"enum g", "int"}, {"A3", "int[3]"}, {"CA", "int[3]"},
		{"CA", "A3"}, {"struct s", "S"}, {"struct s", "struct q"}, {"const ", ""}, {"volatile ", ""}, {"[3]", "[]"},
		{"[3]", "[2]"}, {" const", ""}, {" restrict", ""}, {" volatile", ""}, {" _Atomic", ""}, {"int", "signed"},
		{"unsigned", "unsigned int"}, {"(void)", "()"}, {"FP", "F *"}, {"F", "FP"}, {"long", "long long"},
		{"char", "signed char"}, {"*", "* const"}, {"*", "* restrict"}, {"[3]", "*"}, {"int", "int const"}, {"int", "enum g"},
		{"unsigned", "enum e"}, {", ...", ""}, {"_Atomic int", "_Atomic(int)"}, {"_Atomic int", "int"}, {"_Atomic(P)", "P"},
		{"enum h", "unsigned long"}, {"CE", "const E"}, {"(int)", "()"}, {"PP", "P *"}}
)

// TestComparedTypesAgreeWithGCC: what __builtin_types_compatible_p and _Generic say of random types, which differ in
// little, is what they say under GCC, or is not known.
func TestComparedTypesAgreeWithGCC(t *testing.T) {
	agreeWithGCC(t, typesBefore, comparisons, comparedTypes)
}

// TestSelectedTypesAgreeWithGCC: so it is with what _Generic says of the type of an expression of numbers.
func TestSelectedTypesAgreeWithGCC(t *testing.T) {
	agreeWithGCC(t, numbersBefore, selectionsOfNumbers, comparedTypes)
}

// agreeWithGCC asks for the values of declarations behind a text, those of some seeds, one a line. What is known of one
// is its value under GCC.
func agreeWithGCC(t *testing.T, before string, declarations func(from, to int) []string,
	value func(t *testing.T, text string) (value int64, known bool)) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	n, first := sample.Count(700), int(sample.Seed(0))
	asked, unknown := 0, 0
	for from := 0; from < n; from += 1000 {
		lines := taken(t, before, declarations(first+from, first+min(n, from+1000)))
		for name, image := range objectImages(t, "-m64", before+strings.Join(lines, "")) {
			at, isComparison := strings.CutPrefix(name, "v")
			if !isComparison {
				continue
			}
			i, err := strconv.Atoi(at)
			require.NoError(t, err)
			line := declarations(i, i+1)[0]
			asked++
			if v, known := value(t, before+line); !known {
				unknown++
				t.Log("not known: ", line)
			} else {
				assert.Equal(t, int64(image[0]), v, line)
			}
		}
	}
	t.Logf("%d comparisons, %d not known", asked, unknown)
	require.Greater(t, asked, n/3)
	require.Less(t, unknown, asked/4)
}

// qualifiedEnum finds a qualified enumeration. GCC takes it for the type of an unqualified integer, against C.
var qualifiedEnum = regexp.MustCompile(`\b(const|volatile|_Atomic)\b.*\b(enum|E|G|x4|n)\b|\bCE\b`)

// comparisons are declarations with some seeds, one a line.
func comparisons(from, to int) (lines []string) {
	for id := from; id < to; id++ {
		g := &typeNames{rand.New(rand.NewPCG(uint64(id), 36))}
		a := g.name()
		b := g.sibling(a)
		text := ""
		switch k := g.IntN(20); {
		case k < 10:
			text = fmt.Sprintf("__builtin_types_compatible_p(%s, %s)", a, b)
		case k < 15 || qualifiedEnum.MatchString(b):
			text = fmt.Sprintf("_Generic((__typeof__(%s) *)0, __typeof__(%s) *: 1, default: 2)", a, b)
		case k < 18:
			text = fmt.Sprintf("_Generic(*(__typeof__(%s) *)0, __typeof__(%s): 1, default: 2)", a, b)
		default:
			text = fmt.Sprintf("_Generic((%s)0, %s: 1, default: 2)", a, b)
		}
		lines = append(lines, fmt.Sprintf("int v%d = %s;\n", id, text))
	}
	return lines
}

// numbersBefore are the declarations that the expressions of the test are made of.
const numbersBefore = "enum e { A0, A1 }; enum g { C0 = -1, C1 }; enum h { D0 = 0xffffffffffffffff };" +
	"extern char c; extern signed char sc; extern unsigned char uc; extern short s; extern unsigned short us;" +
	"extern int i;extern unsigned u; extern long l; extern unsigned long ul; extern long long ll; " +
	"extern unsigned long long ull;" +
	"extern _Bool b; extern float f; extern double d; extern long double ld; extern enum e e; extern enum g g;" +
	"extern enum h h; extern const int ci; extern volatile char vc; extern int a[3]; extern int *p;" +
	"extern struct { int a : 5; unsigned u : 31; unsigned w : 32; enum e e : 3; _Bool b : 1; char c; const short s; } r;" +
	"extern _Atomic short as;\n"

// selectionsOfNumbers are declarations with some seeds, one a line.
func selectionsOfNumbers(from, to int) (lines []string) {
	for id := from; id < to; id++ {
		g := &numberExpressions{rand.New(rand.NewPCG(uint64(id), 37))}
		lines = append(lines, fmt.Sprintf("int v%d = _Generic(%s, int: 1, unsigned: 2, long: 3, unsigned long: 4, char: 5, "+
			"signed char: 6, unsigned char: 7, short: 8, unsigned short: 9, long long: 10, unsigned long long: 11, _Bool: 12, "+
			"float: 13, double: 14, long double: 15, default: 16);\n", id, g.expression(3)))
	}
	return lines
}

// numberExpressions makes expressions that are numbers.
type numberExpressions struct{ *rand.Rand }

func (g *numberExpressions) one(of string) string {
	words := strings.Split(of, ";")
	return words[g.IntN(len(words))]
}

const (
	numberLvalues  = "c;sc;uc;s;us;i;u;l;ul;ll;ull;b;f;d;ld;e;g;h;ci;vc;a[1];*p;r.c;r.s;as;(c);(e)"
	numberOperands = numberLvalues + ";r.a;r.u;r.w;r.e;r.b;A0;C0;D0;1;1u;1L;1ULL;0xffffffff;2147483648;4294967296;'a';" +
		"L'a';1.0;1.0f;1.0L;sizeof c;sizeof(int);p-p;_Alignof(int);(char)1;(enum e)1;(enum g)i;(const short)2;(enum h)1"
)

func (g *numberExpressions) expression(depth int) string {
	if depth == 0 || g.IntN(5) == 0 {
		return g.one(numberOperands)
	}
	x := "(" + g.expression(depth-1) + ")"
	switch g.IntN(12) {
	case 0:
		return g.one("+;-;~;!") + x
	case 1:
		return g.one("++;--") + g.one(numberLvalues)
	case 2:
		return g.one(numberLvalues) + g.one("++;--")
	case 3:
		return g.one(numberLvalues) + g.one(" = ; += ; <<= ; |= ") + x
	case 4:
		return x + ", " + g.expression(depth-1)
	case 5:
		return x + " ? " + g.expression(depth-1) + " : (" + g.expression(depth-1) + ")"
	case 6:
		return "({ " + g.expression(depth-1) + "; })"
	default:
		return x + " " + g.one("+;-;*;/;%;<<;>>;&;|;^;<;==;&&;||") + " (" + g.expression(depth-1) + ")"
	}
}

// typeNames makes names of types.
type typeNames struct{ *rand.Rand }

func (g *typeNames) one(of []string) string { return of[g.IntN(len(of))] }

func (g *typeNames) name() string {
	return g.one(typeQualifiers) + g.one(typeBases) + " " + g.declarator()
}

// declarator is an abstract declarator.
func (g *typeNames) declarator() (d string) {
	last := byte(0)
	for range g.IntN(4) {
		switch k := g.IntN(20); {
		case k < 12:
			d, last = "*"+g.one(pointerQualifiers)+" "+d, 'p'
		case k < 16 && last != 'f':
			d, last = parted(d, last)+g.one([]string{"[3]", "[2]"}), 'a'
		case last == 0 || last == 'p':
			d, last = parted(d, last)+"("+g.parameters()+")", 'f'
		}
	}
	return d
}

func parted(d string, last byte) string {
	if last == 'p' {
		return "(" + d + ")"
	}
	return d
}

func (g *typeNames) parameters() string {
	if g.IntN(6) == 0 {
		return g.one([]string{"void", ""})
	}
	list := g.name()
	if g.IntN(3) == 0 {
		list += ", " + g.name()
	}
	if g.IntN(10) == 0 {
		list += ", ..."
	}
	return list
}

// sibling is a type that differs in one or two words, or is written otherwise.
func (g *typeNames) sibling(name string) string {
	changed := name
	for range 30 {
		pair := typeSiblings[g.IntN(len(typeSiblings))]
		from, to := pair[0], pair[1]
		if g.IntN(2) == 0 {
			from, to = to, from
		}
		at := wholeWords(changed, from)
		if len(at) == 0 {
			continue
		}
		i := at[g.IntN(len(at))]
		changed = changed[:i] + to + " " + changed[i+len(from):]
		if g.IntN(2) == 0 {
			break
		}
	}
	return changed
}

// wholeWords are the places of a text in another at which it is no part of a word.
func wholeWords(text, part string) (at []int) {
	if part == "" {
		return nil
	}
	for _, m := range regexp.MustCompile(regexp.QuoteMeta(part)).FindAllStringIndex(text, -1) {
		around := regexp.MustCompile(`^\w{2}`)
		if m[0] > 0 && around.MatchString(text[m[0]-1:]) || around.MatchString(text[m[1]-1:]) {
			continue
		}
		at = append(at, m[0])
	}
	return at
}

// taken are the lines that GCC takes behind a text.
func taken(t *testing.T, before string, lines []string) []string {
	for {
		good := withoutErrors(t, before, lines)
		if len(good) == len(lines) {
			return good
		}
		lines = good // what a syntax error hid is seen now
	}
}

func withoutErrors(t *testing.T, before string, lines []string) (good []string) {
	file := filepath.Join(t.TempDir(), "a.c")
	require.NoError(t, os.WriteFile(file, []byte(before+strings.Join(lines, "")), 0o600))
	out, _ := exec.Command("gcc", "-fsyntax-only", "-w", "-fmax-errors=0", file).CombinedOutput()
	bad := map[int]bool{}
	for _, m := range regexp.MustCompile(`(?m)^[^:]*:(\d+):\d+: error`).FindAllStringSubmatch(string(out), -1) {
		at, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		bad[at-strings.Count(before, "\n")-1] = true
	}
	for i, line := range lines {
		if !bad[i] {
			good = append(good, line)
		}
	}
	return good
}

// comparedTypes is the value of the last initialiser of a text, where it is known what it compares.
func comparedTypes(t *testing.T, text string) (value int64, known bool) {
	p, err := Parse(t.Context(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
	if err != nil {
		return 0, false
	}
	var last *cc.Initializer
	Inspect(p.Files[0].ast.TranslationUnit, func(n any) bool {
		if x, ok := n.(*cc.Initializer); ok {
			last = x
		}
		return true
	})
	if p.Files[0].Refused != nil || p.Layouts.Mistyped(last) != nil || Misselected(last.AssignmentExpression) != nil {
		return 0, false
	}
	switch x := Unparen(last.AssignmentExpression).(type) {
	case *cc.PostfixExpression:
		is, known := p.Layouts.TypesCompatible(x)
		if is {
			value = 1
		}
		return value, known
	case *cc.PrimaryExpression:
		if SelectsByEnum(x.GenericSelection.AssignmentExpression) {
			if a := p.Layouts.GenericByEnum(x.GenericSelection); a != nil {
				return p.Layouts.Constant(a)
			}
			return 0, false
		}
		return p.Layouts.Constant(x.GenericSelection.Associated().AssignmentExpression)
	}
	return p.Layouts.Constant(last.AssignmentExpression)
}
