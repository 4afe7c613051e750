package source

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/internal/sample"
)

// TestRecordsAgreeWithGCC: random structures and unions with bit-fields, packed and aligned in
// all ways, have the sizes, the alignments and the members' places that GCC gives them, for
// both data models.
func TestRecordsAgreeWithGCC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	n := sample.Count(100)
	for _, m := range []struct {
		model cfa.DataModel
		flag  string
	}{{cfa.LP64, "-m64"}, {cfa.ILP32, "-m32"}} {
		t.Run(m.model.String(), func(t *testing.T) {
			for from := 0; from < n; from += 300 {
				compareRecords(t, m.model, m.flag, from, min(n, from+300))
			}
		})
	}
}

// compareRecords compares the records with some seeds.
func compareRecords(t *testing.T, model cfa.DataModel, flag string, from, to int) {
	var text strings.Builder
	for id := from; id < to; id++ {
		g := &records{Rand: rand.New(rand.NewPCG(uint64(id), 3)), id: id}
		g.record("s"+strconv.Itoa(id), 2)
		text.WriteString(g.text.String())
		fmt.Fprintf(&text, "struct s%d v%d;\n", id, id)
	}
	p, err := Parse(t.Context(), []Source{{Name: "p.c", Text: []byte(text.String())}}, Options{Model: model})
	require.NoError(t, err)
	var asked strings.Builder
	var own []int64
	var what []string
	ask := func(name, expr string, value int64) {
		fmt.Fprintf(&asked, "ASKED long long q%d = %s;\n", len(own), expr)
		own, what = append(own, value), append(what, name)
	}
	for id := from; id < to; id++ {
		tag, object := fmt.Sprintf("struct s%d", id), p.Files[0].Objects[fmt.Sprintf("v%d", id)]
		if p.Layouts.Unknown(object.Type) != "" {
			continue
		}
		ask("size of "+tag, "sizeof("+tag+")", p.Layouts.Size(object.Type))
		ask("alignment of "+tag, "__alignof__("+tag+")", p.Layouts.Align(object.Type))
		for _, f := range Members(object.Type) {
			switch at := p.Layouts.Offset(f); {
			case f.Name() == "":
			case !f.IsBitfield():
				ask(tag+"."+f.Name(), "__builtin_offsetof("+tag+", "+f.Name()+")", at/8)
			default: // a byte for each bit that is set
				fmt.Fprintf(&asked, "ASKED struct __attribute__((packed)) { %s s; } q%d = { { .%s = -1 } };\n", tag,
					len(own), f.Name())
				own, what = append(own, -1-at), append(what, fmt.Sprintf("%s.%s:%d", tag, f.Name(), f.ValueBits()))
			}
		}
	}
	image := compiled(t, flag, "#define ASKED __attribute__((section(\".asked\"), aligned(1)))\n"+
		text.String()+asked.String())
	size := int64(0)
	for i, v := range own {
		if v >= 0 {
			got := int64(binary.LittleEndian.Uint64(image))
			image = image[8:]
			require.Equal(t, got, v, "%s\n%s", what[i], of(text.String(), what[i]))
			if strings.HasPrefix(what[i], "size of ") {
				size = got
			}
			continue
		}
		first := int64(0)
		for image[first/8]>>(first%8)&1 == 0 {
			first++
		}
		require.Equal(t, first, -1-v, "%s\n%s", what[i], of(text.String(), what[i]))
		image = image[size:]
	}
}

// of is the text of the record that something is about.
func of(text, what string) string {
	tag := strings.FieldsFunc(what[strings.Index(what, "struct s"):], func(r rune) bool { return r == '.' || r == ':' })[0]
	end := strings.Index(text, tag+" v")
	begin := strings.LastIndex(text[:end], "\nstruct s")
	return text[max(begin, 0):end]
}

// compiled is what a program puts into the section .asked.
func compiled(t *testing.T, flags, text string) []byte {
	dir := t.TempDir()
	run := func(name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(text), 0o600))
	run("gcc", append(strings.Fields("-c -w -fno-toplevel-reorder a.c -o a.o "), strings.Fields(flags)...)...)
	run("objcopy", "-O", "binary", "-j", ".asked", "a.o", "a.bin")
	image, err := os.ReadFile(filepath.Join(dir, "a.bin"))
	require.NoError(t, err)
	return image
}

// Records writes a random record.
type records struct {
	*rand.Rand
	id, members int
	text        strings.Builder
}

// of is one of some texts.
func (g *records) of(texts ...string) string { return texts[g.IntN(len(texts))] }

// sometimes is the text in one case of n.
func (g *records) sometimes(n int, text string) string {
	if g.IntN(n) == 0 {
		return text
	}
	return ""
}

func (g *records) record(name string, deep int) {
	pack := ""
	if g.IntN(4) == 0 {
		pack = g.of("#pragma pack(push, 1)", "#pragma pack(push, 2)", "#pragma pack(push, 4)", "#pragma pack(push, 8)",
			"#pragma pack(push)\n#pragma pack(1)", "#pragma pack(push, here, 2)")
		g.text.WriteString(pack + "\n")
	}
	g.text.WriteString(g.body("struct", name, deep) + ";\n")
	if pack != "" {
		g.text.WriteString("#pragma pack(pop)\n")
	}
}

func (g *records) body(kind, name string, deep int) string {
	var b strings.Builder
	before, after := "", ""
	switch g.IntN(6) {
	case 0, 1:
		after = " __attribute__((packed))"
	case 2:
		before = " __attribute__((__packed__))"
	case 3:
		after = fmt.Sprintf(" __attribute__((aligned(%d)%s))", 1<<g.IntN(5), g.sometimes(2, ", packed"))
	}
	fmt.Fprintf(&b, "%s%s %s {\n", kind, before, name)
	for range 1 + g.IntN(6) {
		b.WriteString(g.member(deep))
	}
	b.WriteString("}" + after)
	return b.String()
}

func (g *records) member(deep int) string {
	g.members++
	name := fmt.Sprintf("m%d", g.members)
	says := g.sometimes(8, " __attribute__((packed))") +
		g.sometimes(8, fmt.Sprintf(" __attribute__((aligned(%d)))", 1<<g.IntN(4)))
	switch g.IntN(9) {
	case 0, 1, 2:
		kind, width := g.bitField()
		switch {
		case g.IntN(6) == 0:
			return fmt.Sprintf("\t%s : %d;\n", kind, g.IntN(width+1))
		default:
			return fmt.Sprintf("\t%s %s : %d%s;\n", kind, name, 1+g.IntN(width), says)
		}
	case 3:
		if deep > 0 {
			inner := g.body(g.of("struct", "union"), fmt.Sprintf("in%d_%d", g.id, g.members), deep-1)
			return fmt.Sprintf("\t%s %s%s;\n", inner, name, g.sometimes(3, "[2]"))
		}
	case 4:
		if deep > 0 {
			return fmt.Sprintf("\t%s;\n", g.body(g.of("struct", "union"), "", deep-1))
		}
	case 5:
		return fmt.Sprintf("\t%s %s[%d]%s;\n", g.scalar(), name, 1+g.IntN(3), says)
	case 6:
		return fmt.Sprintf("\t%s%s %s;\n", g.sometimes(2, fmt.Sprintf("_Alignas(%d) ", 8<<g.IntN(2))), g.scalar(), name)
	}
	return fmt.Sprintf("\t%s %s%s;\n", g.scalar(), name, says)
}

func (g *records) scalar() string {
	return g.of("char", "short", "int", "unsigned", "long", "long long", "_Bool", "void *", "double",
		"float", fmt.Sprintf("enum { A%d_%d }", g.id, g.members))
}

func (g *records) bitField() (string, int) {
	switch g.IntN(6) {
	case 0:
		return "signed char", 8
	case 1:
		return "unsigned short", 16
	case 2:
		return "_Bool", 1
	case 3:
		return "long long", 64
	}
	return g.of("int", "unsigned"), 32
}

// TestConstantsOfLayouts: static assertions hold with GCC's sizes, and only with these.
func TestConstantsOfLayouts(t *testing.T) {
	const types = "#pragma pack(push, 1)\nstruct h { char t; unsigned short n; int v[2]; struct { " +
		"char a; int b; } in[2]; };\n#pragma pack(pop)\n" +
		"struct n { char t; int v; };\nenum { SIZE = sizeof(struct h), NEXT, MORE = NEXT - 1 + (SIZE > 20 ? 4 : 2) };\n" +
		"char text[sizeof(struct h) + 1];\n"
	for expr, want := range map[string]int{
		"sizeof(struct h)": 21, "sizeof(struct n)": 8, "sizeof text": 22, "NEXT": 22, "MORE": 25,
		"__builtin_offsetof(struct h, v)": 3, "_Alignof(struct h)": 1,
		"(unsigned char)(sizeof(struct h) * 13)": 17, "-(int)sizeof(struct h) >> 1": -11,
		"(sizeof(struct h) << 60) >> 60": 5, "sizeof(struct h) && !NEXT || SIZE % 2": 1,
		"sizeof(((struct h *)0)->in)": 10,
	} {
		for by := range 2 {
			text := fmt.Sprintf("%s_Static_assert((%s) == %d, \"\");\nint main(void) { _Static_assert(1, \"\"); "+
				"return 0; }\n", types, expr, want+100*by)
			_, err := Parse(t.Context(), []Source{{Name: "p.c", Text: []byte(text)}}, Options{})
			if by == 0 {
				require.NoError(t, err, expr)
			} else {
				require.ErrorContains(t, err, "assertion failed", expr)
			}
		}
	}
}

// TestLongDoublesLieWhereGCCPutsThem: members of all formats of long double and of _Float128, for both
// data models.
func TestLongDoublesLieWhereGCCPutsThem(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	const text = `struct a { char c; long double x; char d; };
struct b { int i; struct a y; double z; };
struct q { char c; _Float128 x; struct a y[2]; };
struct p { char c; long double x; } __attribute__((packed));
`
	asked := []string{"sizeof(long double)", "_Alignof(long double)", "sizeof(struct a)", "sizeof(struct b)",
		"sizeof(struct q)", "sizeof(struct p)"}
	for _, m := range []string{"a, x", "a, d", "b, y", "b, z", "q, x", "q, y", "p, x"} {
		asked = append(asked, "__builtin_offsetof(struct "+m+")")
	}
	for _, model := range []cfa.DataModel{cfa.LP64, cfa.ILP32} {
		for _, long := range cfa.LongDoubles() {
			t.Run(model.String()+" "+long.String(), func(t *testing.T) {
				flag := map[cfa.DataModel]string{cfa.LP64: "-m64", cfa.ILP32: "-m32"}[model]
				also := map[cfa.LongDouble]string{cfa.X87: "80", cfa.AsDouble: "64", cfa.Quad: "128"}[long]
				questions, claims := text, text
				for i, a := range asked {
					questions += fmt.Sprintf("long long q%d __attribute__((section(\".asked\"), aligned(1))) = %s;\n", i, a)
				}
				image := compiled(t, flag+" -mlong-double-"+also, questions)
				for i, a := range asked {
					claims += fmt.Sprintf("_Static_assert(%s == %d, %q);\n", a, binary.LittleEndian.Uint64(image[8*i:]), a)
				}
				_, err := Parse(t.Context(), []Source{{Name: "p.c", Text: []byte(claims)}},
					Options{Model: model, LongDouble: long})
				require.NoError(t, err)
			})
		}
	}
}
