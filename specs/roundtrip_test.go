package specs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// Random specifications: built as syntax trees, so that every construct of
// the grammar occurs in every place.

func genExpr(t *rapid.T, depth int) *CExpr {
	pick := func(from ...string) string { return rapid.SampledFrom(from).Draw(t, "text") }
	sub := func() *CExpr { return genExpr(t, depth-1) }
	kind := exprKind(rapid.IntRange(0, 3).Draw(t, "leaf"))
	if depth > 0 {
		kind = rapid.SampledFrom([]exprKind{exprBinary, exprBinary, exprUnary, exprCond, exprCast, exprSizeof,
			exprMember, exprIndex, exprName, exprArg, exprInt, exprChar}).Draw(t, "kind")
	}
	switch kind {
	case exprName:
		return &CExpr{kind: kind, text: pick("x", "y", "_z9", "abstract", "STOP")}
	case exprArg:
		return &CExpr{kind: kind, text: pick("$1", "$2", "$10")}
	case exprInt:
		return &CExpr{kind: kind, text: pick("0", "7", "1U", "1L", "3ULL", "2147483648", "0xffffffff", "4294967295U")}
	case exprChar:
		return &CExpr{kind: kind, text: pick("'a'", `'\n'`, `'\''`, `'\xff'`)}
	case exprUnary:
		return &CExpr{kind: kind, text: pick("-", "+", "!", "~", "*", "&"), args: []*CExpr{sub()}}
	case exprBinary:
		return &CExpr{kind: kind, text: pick("||", "&&", "|", "^", "&", "==", "!=", "<", ">", "<=", ">=",
			"<<", ">>", "+", "-", "*", "/", "%"), args: []*CExpr{sub(), sub()}}
	case exprCond:
		return &CExpr{kind: kind, text: "?", args: []*CExpr{sub(), sub(), sub()}}
	case exprCast:
		return &CExpr{kind: kind, text: pick("int", "unsigned char", "long long", "_Bool", "size_t"), args: []*CExpr{sub()}}
	case exprSizeof:
		if rapid.Bool().Draw(t, "type") {
			return &CExpr{kind: kind, text: pick("unsigned int", "int8_t")}
		}
		return &CExpr{kind: kind, args: []*CExpr{sub()}}
	case exprMember:
		return &CExpr{kind: kind, text: pick(".f", "->g"), args: []*CExpr{sub()}}
	}
	return &CExpr{kind: kind, args: []*CExpr{sub(), sub()}}
}

// genNames are names of processes, few so that they meet.
var genNames = []string{"P", "Q", "R", "import", "program"}

func genLabel(t *rapid.T, f *File, tauToo bool) label {
	switch rapid.IntRange(0, 5).Draw(t, "label") {
	case 0:
		r := ReturnAction{Component: rapid.SampledFrom([]string{"", "tx"}).Draw(t, "component"),
			Void: rapid.Bool().Draw(t, "void")}
		if !r.Void {
			r.Cond = &CExpr{kind: exprBinary, text: "==", args: []*CExpr{{kind: exprArg, text: "$0"}, genExpr(t, 1)}}
		}
		f.addReturn(r)
		return label{name: r.Name(), ret: &r}
	case 1:
		if tauToo {
			return label{name: tau}
		}
	}
	return genAction(t)
}

func genAction(t *rapid.T) label {
	return label{name: rapid.SampledFrom([]string{"a", "b", "c.d", "skip", "P"}).Draw(t, "action")}
}

func genLabels(t *rapid.T, f *File, least int, tauToo bool) []label {
	ls := make([]label, rapid.IntRange(least, 3).Draw(t, "labels"))
	for i := range ls {
		ls[i] = genLabel(t, f, tauToo)
	}
	return ls
}

func genChoice(t *rapid.T, f *File, depth int) body {
	b := body{kind: bodyChoice}
	for range rapid.IntRange(1, 3).Draw(t, "branches") {
		var br branch
		for range rapid.IntRange(1, 3).Draw(t, "steps") {
			if rapid.IntRange(0, 4).Draw(t, "set") == 0 {
				br.steps = append(br.steps, step{genLabels(t, f, 1, true), true})
			} else {
				br.steps = append(br.steps, step{[]label{genLabel(t, f, true)}, false})
			}
		}
		br.to = genTarget(t)
		if depth > 0 && rapid.IntRange(0, 3).Draw(t, "nested") == 0 {
			br.to = genChoice(t, f, depth-1)
		}
		b.branches = append(b.branches, br)
	}
	return b
}

func genTarget(t *rapid.T) body {
	switch rapid.IntRange(0, 4).Draw(t, "target") {
	case 0:
		return body{kind: bodyStop}
	case 1:
		return body{kind: bodyError}
	}
	return body{kind: bodyName, name: rapid.SampledFrom(genNames).Draw(t, "name")}
}

func genDef(t *rapid.T, f *File, name string) *def {
	d := &def{name: name}
	switch rapid.IntRange(0, 5).Draw(t, "body") {
	case 0:
		d.body = genTarget(t)
	case 1:
		d.body = body{kind: bodyParallel}
		for range rapid.IntRange(1, 3).Draw(t, "parts") {
			d.body.operands = append(d.body.operands, ref{name: rapid.SampledFrom(genNames).Draw(t, "part")})
		}
	default:
		d.body = genChoice(t, f, 2)
	}
	for range max(0, rapid.IntRange(-3, 2).Draw(t, "operators")) {
		o := operator{sign: rapid.SampledFrom([]byte(`+\@/`)).Draw(t, "sign")}
		if o.sign != '/' {
			o.labels = genLabels(t, f, 0, false)
		} else {
			for range rapid.IntRange(1, 2).Draw(t, "pairs") {
				o.pairs = append(o.pairs, pair{genAction(t), genAction(t)})
			}
		}
		d.ops = append(d.ops, o)
	}
	return d
}

func genProcess(t *rapid.T, f *File, name string) *process {
	p := &process{composite: rapid.Bool().Draw(t, "composite"), defs: []*def{genDef(t, f, name)}}
	for i, n := range genNames {
		if n != name && rapid.IntRange(0, 5).Draw(t, "local") == i {
			p.defs = append(p.defs, genDef(t, f, n))
		}
	}
	for _, d := range p.defs {
		d.proc = p
	}
	p.index()
	return p
}

func genFile(t *rapid.T) *File {
	f := &File{processes: map[string]*process{}, returns: map[string]ReturnAction{}, uses: map[string]Pos{}}
	for _, name := range genNames[:rapid.IntRange(1, len(genNames)).Draw(t, "processes")] {
		p := genProcess(t, f, name)
		f.order, f.items = append(f.order, p), append(f.items, p)
		f.processes[name] = p
	}
	if rapid.Bool().Draw(t, "procedure") {
		p := &Procedure{Name: "proc", Skip: rapid.Bool().Draw(t, "skip")}
		p.Inline = !p.Skip && rapid.Bool().Draw(t, "inline")
		for i := range rapid.IntRange(0, 2).Draw(t, "abstracts") {
			a := &Abstract{Name: []string{"", "first", "second"}[rapid.IntRange(0, 1).Draw(t, "named")*(i+1)],
				Guard: genExpr(t, 3), LTS: "P"}
			p.Abstracts = append(p.Abstracts, a)
		}
		for range rapid.IntRange(0, 2).Draw(t, "predicates") {
			p.Predicates = append(p.Predicates, genExpr(t, 3))
		}
		p.Relation = genRelation(t)
		f.Procedures, f.items = append(f.Procedures, p), append(f.items, p)
	}
	if rapid.Bool().Draw(t, "program") {
		copies := rapid.SampledFrom([]int{1, 2, 12, AnyNumber})
		p := &Program{Components: []string{"tx", "rx"},
			Copies: []int{copies.Draw(t, "copies of tx"), copies.Draw(t, "copies of rx")}}
		for _, name := range []string{"queue", "head"}[:rapid.IntRange(0, 2).Draw(t, "shared")] {
			p.Shared = append(p.Shared, Shared{Name: name})
		}
		for i := range rapid.IntRange(0, 2).Draw(t, "specifications") {
			p.Specs = append(p.Specs,
				&ProgramSpec{Name: []string{"s", "t"}[i], Guards: []*CExpr{genExpr(t, 3), genExpr(t, 2)}, LTS: "Q"})
		}
		p.Relation = genRelation(t)
		f.Programs, f.items = append(f.Programs, p), append(f.items, p)
	}
	return f
}

func genRelation(t *rapid.T) Relation {
	return Relation(rapid.SampledFrom(append([]string{""}, relations...)).Draw(t, "relation"))
}

// plain is f's items without places and derived data.
func plain(f *File) []item {
	for _, it := range f.items {
		switch it := it.(type) {
		case *process:
			it.ops, it.byName = nil, nil
			for _, d := range it.defs {
				d.pos, d.proc = Pos{}, nil
				plainBody(&d.body)
				for i, o := range d.ops {
					d.ops[i].pos = Pos{}
					plainLabels(o.labels)
					for j := range o.pairs {
						o.pairs[j].new.pos, o.pairs[j].old.pos = Pos{}, Pos{}
					}
				}
			}
		case *Procedure:
			it.Pos = Pos{}
			for _, a := range it.Abstracts {
				a.Pos, a.ltsPos = Pos{}, Pos{}
				plainExpr(a.Guard)
			}
			for _, p := range it.Predicates {
				plainExpr(p)
			}
		case *Program:
			it.Pos = Pos{}
			for i := range it.Shared {
				it.Shared[i].Pos = Pos{}
			}
			for _, s := range it.Specs {
				s.Pos, s.ltsPos = Pos{}, Pos{}
				for _, g := range s.Guards {
					plainExpr(g)
				}
			}
		}
	}
	return f.items
}

func plainBody(b *body) {
	b.pos = Pos{}
	for i := range b.operands {
		b.operands[i].pos = Pos{}
	}
	for i := range b.branches {
		for _, s := range b.branches[i].steps {
			plainLabels(s.labels)
		}
		plainBody(&b.branches[i].to)
	}
}

func plainLabels(ls []label) {
	for i := range ls {
		ls[i].pos = Pos{}
		if r := ls[i].ret; r != nil {
			r.Pos = Pos{}
			if r.Cond != nil {
				plainExpr(r.Cond)
			}
		}
	}
}

func plainExpr(e *CExpr) {
	e.walk(func(x *CExpr) { x.pos, x.src = Pos{}, nil })
}

// Printing and parsing gives the same syntax tree.
func TestPrintParse(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		f := genFile(t)
		text := f.String()
		got, err := Parse(context.Background(), []Source{{"random.spec", []byte(text)}}, nil)
		require.NoError(t, err, text)
		require.Equal(t, text, got.String())
		require.Equal(t, len(f.returns), len(got.returns))
		require.Equal(t, plain(f), plain(got), text)
	})
}

func TestPrintParseExpr(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		e := genExpr(t, 5)
		got, err := ParseExpr("random", e.String())
		require.NoError(t, err, e.String())
		plainExpr(got)
		require.Equal(t, e, got, e.String())
	})
}

// Texts that mean the same are printed the same.
func TestCanonicalExpr(t *testing.T) {
	for text, want := range map[string]string{
		"((($0)))==(-1)":                   "$0 == -1",
		"a+(b+c)-d":                        "a + (b + c) - d",
		"(a*b)+c":                          "a * b + c",
		"- -x+ +y":                         "- -x + +y",
		"a?b:(c?d:e)":                      "a ? b : c ? d : e",
		"(a?b:c)?d:e":                      "(a ? b : c) ? d : e",
		"0x10+010+0b11":                    "16 + 8 + 3",
		"0xFFFFFFFF":                       "0xffffffff",
		"1ul+2Ll":                          "", // a mixed suffix
		"1ul+2LL":                          "1UL + 2LL",
		"(unsigned)x":                      "(unsigned int)x",
		"(long unsigned int long)x":        "(unsigned long long)x",
		"(const char)x":                    "(char)x",
		"sizeof(int)+sizeof x+sizeof(x+1)": "sizeof(int) + sizeof(x) + sizeof(x + 1)",
		"(bool)x":                          "(_Bool)x",
		"$007":                             "$7",
		"(x)->f[(1)].g":                    "x->f[1].g",
		"a<<1<2":                           "a << 1 < 2",
		"a /* b */ < // c\n d":             "a < d",
	} {
		e, err := ParseExpr("x", text)
		if want == "" {
			require.Error(t, err, text)
			continue
		}
		require.NoError(t, err, text)
		require.Equal(t, want, e.String())
	}
	e, err := ParseExpr("x", "$2 + b*$1 + a - b")
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, e.Names())
	require.Equal(t, []string{"$1", "$2"}, e.Args())
}

// Whatever may be a name in C is one here.
func TestNamesOfC(t *testing.T) {
	long := strings.Repeat("n", 10_000)
	for _, name := range []string{"größe", "漢字", "ящик", "a$b", "_", "__x__", "e\u0301", "x٣", long} {
		file, err := Parse(context.Background(),
			[]Source{{"a.spec", []byte(fmt.Sprintf("%[1]s = (%[1]s.x -> return {$0 == %[1]s} -> %[1]s). "+
				"procedure %[1]s { abstract { %[1]s, (%[1]s->%[1]s > $1), %[1]s }; }", name))}}, nil)
		require.NoError(t, err)
		again, err := Parse(context.Background(), []Source{{"a.spec", []byte(file.String())}}, nil)
		require.NoError(t, err, file.String())
		require.Equal(t, file.String(), again.String())
	}
	for _, name := range []string{"$a", "٣", "\u0301e", "a€", "a\u00a0b"} {
		_, err := Parse(context.Background(), []Source{{"a.spec", []byte(name + " = STOP.")}}, nil)
		require.Error(t, err, name)
	}
}

// seeds adds the examples and the cases of testdata to a fuzz target.
func seeds(f *testing.F) {
	for _, pattern := range []string{"../examples/*/*.spec", "rulebook/rules/*.spec", "testdata/*.txtar",
		"testdata/*.spec"} {
		paths, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(f, err)
			f.Add(string(text))
		}
	}
}

// No input makes the parser panic; places lie in the text; what is read can
// be printed and read again.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		readFile := func(string) ([]byte, error) { return []byte("des (0, 1, 1)\n(0, a, 0)\n"), nil }
		file, err := Parse(context.Background(), []Source{{"fuzz.spec", []byte(text)}}, readFile)
		if err != nil {
			for _, e := range err.(ErrorList) {
				src := newSource("fuzz.spec", []byte(text))
				require.LessOrEqual(t, e.Pos.Line, len(src.lines))
				if e.Pos.IsValid() {
					require.LessOrEqual(t, e.Pos.Col-e.cut, len([]rune(e.Text))+1)
				}
				require.NotEmpty(t, e.Error())
			}
			return
		}
		again, err := Parse(context.Background(), []Source{{"again.spec", []byte(file.String())}}, readFile)
		require.NoError(t, err, file.String())
		require.Equal(t, file.String(), again.String())
		for _, name := range file.LTSNames() {
			if file.CheckProcedureLTS(context.Background(), name, false) == nil {
				break
			}
		}
	})
}

func FuzzParseExpr(f *testing.F) {
	for _, s := range []string{"$1 > 0 && x", "(unsigned)a[1]->b.c", "sizeof(int) + - -'\\x1'", "0x1fULL ? 1 : 2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseExpr("fuzz", text)
		if err != nil {
			return
		}
		again, err := ParseExpr("again", e.String())
		require.NoError(t, err, e.String())
		require.Equal(t, e.String(), again.String())
	})
}
