package svwitness

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"
)

// holds is the meaning of a disjunction of cubes where the texts are a, b, c and d, by the set of those that hold.
func holds(all []cube, set int) bool {
	return slices.ContainsFunc(all, func(c cube) bool {
		for text, sign := range c {
			if (set>>(text[0]-'a')&1 == 1) != sign {
				return false
			}
		}
		return true
	})
}

// meaning is that of all 16 sets.
func meaning(all []cube) (m [16]bool) {
	for set := range m {
		m[set] = holds(all, set)
	}
	return m
}

// read reads the text of a disjunction, with the simplest means.
func read(t *testing.T, text string) (all []cube) {
	if text == "" {
		return []cube{{}}
	}
	for _, part := range strings.Split(text, " || ") {
		c := cube{}
		require.True(t, strings.HasPrefix(part, "(") && strings.HasSuffix(part, ")"), text)
		for _, l := range strings.Split(part[1:len(part)-1], " && ") {
			name := strings.TrimPrefix(l, "!")
			require.Len(t, name, 1, text)
			c[name] = name == l
		}
		all = append(all, c)
	}
	return all
}

func randomCubes(r *rand.Rand) []cube {
	all := make([]cube, 1+r.IntN(6))
	for i := range all {
		all[i] = cube{}
		for _, name := range []string{"a", "b", "c", "d"} {
			if n := r.IntN(3); n < 2 {
				all[i][name] = n == 0
			}
		}
	}
	return all
}

// What becomes of a disjunction means the same, and nothing in it can be absorbed or joined any more.
func TestDisjunctionsKeepTheirMeaning(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		all := randomCubes(r)
		text := either(all)
		got := read(t, text)
		require.Equal(t, meaning(all), meaning(got), "%v: %s", all, text)
		require.True(t, slices.IsSorted(strings.Split(text, " || ")), text)
		for i, a := range got {
			for j, b := range got {
				require.False(t, i != j && implies(b, a), "%s: one absorbs another", text)
				if i != j && maps.EqualFunc(a, b, func(bool, bool) bool { return true }) {
					differ := 0
					for k := range a {
						if a[k] != b[k] {
							differ++
						}
					}
					require.NotEqual(t, 1, differ, "%s: two can be joined", text)
				}
			}
		}
		one := meaning(common(all))
		for set, is := range meaning(all) {
			require.True(t, !is || one[set], "what all say is said by each")
		}
	}
}

// implies tells whether all sets of one are sets of the other.
func implies(a, b cube) bool {
	for set := range 16 {
		if holds([]cube{a}, set) && !holds([]cube{b}, set) {
			return false
		}
	}
	return true
}

func TestWeaker(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		all := append(randomCubes(r), randomCubes(r)...)
		a, b := all[0], all[len(all)-1]
		require.Equal(t, implies(b, a), weaker(a, b), "%v %v", a, b)
	}
}

// What is too long is what all have in common.
func TestLongDisjunctions(t *testing.T) {
	var many []cube
	for i := range maxCubes + 1 {
		// Any two differ in two texts, so that nothing is joined.
		many = append(many, cube{"z": true, fmt.Sprint("x", i): true, fmt.Sprint("y", i): false})
	}
	assert.Equal(t, "(z)", either(many))
	short := either(many[:100])
	assert.Equal(t, 99, strings.Count(short, " || "))
	two := func(n int) []cube { // "(…) || (…)" of n characters
		return []cube{{"z": true, strings.Repeat("x", 100): true},
			{"z": true, strings.Repeat("y", n-100-len("( && z) || ( && z)")): true}}
	}
	assert.Len(t, either(two(maxText)), maxText)
	assert.Equal(t, "(z)", either(two(maxText+1)))
	fits := []cube{}
	for i := range maxCubes {
		fits = append(fits, cube{fmt.Sprintf("%03d", i): true, fmt.Sprintf("%03dy", i): true})
	}
	assert.Equal(t, maxCubes-1, strings.Count(either(fits), " || "), "as many as are allowed")
}

// A literal is its text with its sign; what has no text, or too long a one, is left out.
func TestCubes(t *testing.T) {
	p := expr.NewPool()
	x, y := p.Var("x", expr.Int32), p.Var("y", expr.Int32)
	s := speller{func(e *expr.Expr) (string, bool) {
		if e == x {
			return "x", true
		}
		return strings.Repeat("y", maxText), e == y
	}}
	c := s.cube([]*expr.Expr{p.Lt(x, p.Int(expr.Int32, 3)), p.Not(p.Eq(x, p.Int(expr.Int32, 7))),
		p.Eq(y, p.Int(expr.Int32, 7)), p.Eq(p.Var("z", expr.Int32), x)})
	assert.Equal(t, cube{"(x < 3)": true, "(x == 7)": false}, c)
}

// A constant has its value, by the rules of C for what is written: without a suffix in int, and the least one
// is no negated number.
func TestConstants(t *testing.T) {
	for _, test := range []struct {
		typ  expr.Type
		v    uint64
		want string
	}{
		{expr.Int32, 0, "0"}, {expr.Int32, 5, "5"}, {expr.Int32, 1<<32 - 5, "(-5)"}, {expr.Int32, 1<<31 - 1, "2147483647"},
		{expr.Int32, 1 << 31, "((-2147483647) - 1)"}, {expr.Int32, 1<<31 + 1, "(-2147483647)"},
		{expr.Int64, 1 << 63, "((-9223372036854775807LL) - 1)"}, {expr.Int64, 7, "7LL"}, {expr.Int64, 1<<64 - 1, "(-1LL)"},
		{expr.Int8, 0x80, "(-128)"}, {expr.Int8, 0x7f, "127"}, {expr.Int16, 0x8000, "(-32768)"},
		{expr.Uint8, 255, "255"}, {expr.Uint16, 65535, "65535"}, {expr.Uint32, 7, "7U"},
		{expr.Uint64, 1<<64 - 1, "18446744073709551615ULL"},
		{expr.Type{Width: 33}, 1, "1ULL"}, {expr.Type{Width: 33, Signed: true}, 1, "1LL"}, {expr.Type{Width: 31}, 1, "1"},
	} {
		assert.Equal(t, test.want, constant(test.typ, test.v), "%v %x", test.typ, test.v)
	}
}

func TestTermsInC(t *testing.T) {
	p := expr.NewPool()
	i, j, u, c := p.Var("i", expr.Int32), p.Var("j", expr.Int32), p.Var("u", expr.Uint64), p.Var("c", expr.Int8)
	s := speller{func(e *expr.Expr) (string, bool) { return e.Name(), e.Name() != "hidden" }}
	n := func(t expr.Type, v int64) *expr.Expr { return p.Int(t, v) }
	bits := p.Var("f", expr.Type{Width: 5, Signed: true})
	truth := p.Var("b", expr.Bool)
	for _, test := range []struct {
		e    *expr.Expr
		want string
	}{
		{p.Add(i, j), "(int)((unsigned int)i + (unsigned int)j)"},
		{p.Mul(u, p.Var("v", expr.Uint64)), "(unsigned long long)((unsigned long long)u * (unsigned long long)v)"},
		{p.Add(c, p.Var("d", expr.Int8)), "(signed char)((unsigned int)c + (unsigned int)d)"},
		{p.Compl(u), "(unsigned long long)(~(unsigned long long)u)"},
		{p.And(i, j), "(i & j)"}, {p.Or(i, j), "(i | j)"}, {p.Xor(i, j), "(i ^ j)"},
		{p.Div(i, n(expr.Int32, 3)), "(i / 3)"}, {p.Rem(i, n(expr.Int32, 3)), "(i % 3)"},
		{p.Rem(u, n(expr.Uint64, -1)), "(u % 18446744073709551615ULL)"},
		{p.Div(i, j), ""},
		{p.Rem(i, j), ""},
		{p.Shl(i, n(expr.Int32, 5)), "(int)((unsigned int)i << 5)"},
		{p.Shr(i, n(expr.Int32, 31)), "(i >> 31)"},
		{p.Shr(i, j), ""},
		{p.Cast(expr.Int64, i), "(long long)i"}, {p.Cast(expr.Uint8, i), "(unsigned char)i"},
		{p.Cast(expr.Int16, i), "(short)i"},
		{p.Eq(i, j), "(i == j)"}, {p.Lt(i, j), "(i < j)"}, {p.Not(p.Lt(i, j)), "!(i < j)"},
		{p.Land(p.Lt(i, j), p.Eq(u, n(expr.Uint64, 1))), "((i < j) && (u == 1ULL))"},
		{p.Lor(p.Lt(i, j), p.Eq(u, n(expr.Uint64, 1))), "((i < j) || (u == 1ULL))"},
		{p.Ite(p.Lt(i, j), i, j), "((i < j) ? i : j)"},
		{p.Bool(true), "1"}, {p.Bool(false), "0"},
		{truth, ""},
		{p.Var("hidden", expr.Int32), ""},
		{p.Eq(i, p.Var("hidden", expr.Int32)), ""},
		{p.Xor(bits, p.Var("g", expr.Type{Width: 5, Signed: true})), ""},
		{bits, "f"},
	} {
		got, ok := s.text(test.e)
		assert.Equal(t, test.want != "", ok, test.e.String())
		if ok {
			assert.Equal(t, test.want, got, test.e.String())
		}
	}
}

// Divisions and shifts that C does not define have no text. The pool simplifies some of them, so they are
// made as they are.
func TestTermsThatCDoesNotDefine(t *testing.T) {
	p := expr.NewPool()
	i := p.Var("i", expr.Int32)
	s := speller{func(e *expr.Expr) (string, bool) { return e.Name(), true }}
	for _, by := range []int64{0, -1, 32, 33, 64} {
		for _, e := range []*expr.Expr{p.Div(i, p.Int(expr.Int32, by)), p.Rem(i, p.Int(expr.Int32, by)),
			p.Shl(i, p.Int(expr.Int32, by)), p.Shr(i, p.Int(expr.Int32, by))} {
			text, _ := s.text(e)
			for _, bad := range []string{"/ 0", "% 0", "/ (-1)", "% (-1)", "<< 3", ">> 3", "<< 6", ">> 6"} {
				assert.NotContains(t, text, bad, e.String())
			}
		}
	}
}

func TestTypesInC(t *testing.T) {
	for _, test := range []struct {
		typ            expr.Type
		name, unsigned string
	}{
		{expr.Int8, "signed char", "unsigned int"}, {expr.Uint8, "unsigned char", "unsigned int"},
		{expr.Int16, "short", "unsigned int"}, {expr.Uint16, "unsigned short", "unsigned int"},
		{expr.Int32, "int", "unsigned int"}, {expr.Uint32, "unsigned int", "unsigned int"},
		{expr.Int64, "long long", "unsigned long long"}, {expr.Uint64, "unsigned long long", "unsigned long long"},
		{expr.Type{Width: 7}, "", "unsigned int"},
	} {
		assert.Equal(t, test.name, ctype(test.typ))
		assert.Equal(t, test.unsigned, unsigned(test.typ))
	}
}

func TestPlacesOfLines(t *testing.T) {
	unit := func(name, text string) source.Source { return source.Source{Name: name, Text: []byte(text)} }
	p := newPlaces([]source.Source{unit("a.c", "\ufeffint x;\nwhile (y)"), unit("m.i",
		"# 7 \"o.c\"\nint z;\n# 3 \"t.c\"\nint q;\n# 3 \"t.c\"\nint r;\n")})
	at := func(file string, line, col int) (Location, bool) {
		return p.find(cfa.Pos{File: file, Line: line, Col: col})
	}
	for _, test := range []struct {
		file      string
		line, col int
		want      Location
		ok        bool
	}{
		{"a.c", 1, 1, Location{File: "a.c", Line: 1, Column: 1}, true},
		{"a.c", 2, 9, Location{File: "a.c", Line: 2, Column: 9}, true},
		{"a.c", 2, 10, Location{}, false},
		{"a.c", 2, 0, Location{}, false},
		{"a.c", 3, 1, Location{}, false},
		{"b.c", 1, 1, Location{}, false},
		{"o.c", 7, 5, Location{File: "m.i", Line: 2, Column: 5}, true},
		{"t.c", 3, 1, Location{}, false}, // two lines are said to be this one
		{"m.i", 2, 1, Location{}, false}, // a marker says that it is another
	} {
		got, ok := at(test.file, test.line, test.col)
		require.Equal(t, test.ok, ok, "%s:%d:%d", test.file, test.line, test.col)
		if ok {
			require.Equal(t, test.want, got)
		}
	}
	here, _ := at("a.c", 2, 1)
	assert.Equal(t, "while", p.word(here))
	assert.Equal(t, "while (y)", p.rest(here))
	here.Column = 6
	assert.Empty(t, p.word(here))
	here, _ = at("a.c", 1, 5)
	assert.Equal(t, "x", p.word(here), "of a line with a mark of byte order")
}

func TestWordsAreIdentifiers(t *testing.T) {
	for c := range 256 {
		want := c == '_' || strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", rune(c))
		assert.Equal(t, want, isWord(byte(c)), strconv.QuoteRune(rune(c)))
	}
}

func TestClosingOfCalls(t *testing.T) {
	for _, test := range []struct {
		text string
		want int // column, 0: none
	}{
		{"f()", 3}, {"f(a, (b))", 9}, {"f (a) + g()", 5}, {"f\t()", 4}, {"f((a)(b))", 9},
		{"g()", 0}, {"ff()", 0}, {"f;", 0}, {"f + (1)", 0}, {"f(a", 0}, {`f(")")`, 0}, {"f(')')", 0}, {"f", 0}, {"f)", 0},
	} {
		p := newPlaces([]source.Source{{Name: "a.c", Text: []byte(test.text)}})
		at, ok := p.closing(Location{File: "a.c", Line: 1, Column: 1}, "f")
		assert.Equal(t, test.want != 0, ok, test.text)
		if ok {
			assert.Equal(t, test.want, at.Column, test.text)
		}
	}
}

func TestOrderOfLocations(t *testing.T) {
	sorted := []Location{{File: "a", Line: 9, Column: 9}, {File: "b", Line: 1, Column: 2},
		{File: "b", Line: 1, Column: 3}, {File: "b", Line: 2, Column: 1}, {File: "c"}}
	for i, a := range sorted {
		for j, b := range sorted {
			got := a.compare(b)
			assert.Equal(t, i < j, got < 0)
			assert.Equal(t, i == j, got == 0)
		}
	}
}

// Of recursion only a part is inlined: what calls itself, at once or by way of another, and what is called below.
func TestPartlyFollowed(t *testing.T) {
	frames := func(parents []int, procs ...string) *cfa.CFA {
		c := &cfa.CFA{}
		for i, p := range procs {
			c.Frames = append(c.Frames, cfa.Frame{Proc: p, Parent: parents[i]})
		}
		return c
	}
	of := func(c *cfa.CFA) (all []string) {
		for p, is := range partlyFollowed(c) {
			if is {
				all = append(all, p)
			}
		}
		slices.Sort(all)
		return all
	}
	assert.Empty(t, of(frames([]int{-1, 0, 0, 1}, "main", "f", "f", "g")), "two calls side by side")
	assert.Equal(t, []string{"f", "g", "h"}, of(frames([]int{-1, 0, 1, 2, 3, 0}, "main", "f", "g", "f", "h", "i")))
	assert.Equal(t, []string{"main", "s"}, of(frames([]int{-1, 0, 1}, "main", "main", "s")))
}

// document is a witness as a reader sees it.
type document []struct {
	Kind     string `yaml:"entry_type"`
	Metadata struct {
		Format   string `yaml:"format_version"`
		UUID     string
		Created  string `yaml:"creation_time"`
		Producer struct{ Name, Version string }
		Task     struct {
			Files         []string          `yaml:"input_files"`
			Hashes        map[string]string `yaml:"input_file_hashes"`
			Specification string
			Model         string `yaml:"data_model"`
			Language      string
		}
	}
	Content []map[string]any
}

func write(t *testing.T, w *Witness) (d document) {
	var b strings.Builder
	require.NoError(t, Write(&b, w))
	require.NoError(t, yaml.Unmarshal([]byte(b.String()), &d), b.String())
	require.Len(t, d, 1)
	return d
}

func TestWriteWitness(t *testing.T) {
	task := Task{Files: []File{{Name: "a.c", Text: nil}, {Name: "b\".c", Text: []byte("x")}},
		Specification: "G \\ !", DataModel: "LP64"}
	at := Location{File: "a.c", Line: 3, Column: 4, Function: "main"}
	nowhere := at
	nowhere.Function = ""
	where := func(function bool) map[string]any {
		m := map[string]any{"file_name": "a.c", "line": 3, "column": 4}
		if function {
			m["function"] = "main"
		}
		return m
	}
	d := write(t, &Witness{Task: task, Version: "1", Created: "now", Violation: true, Waypoints: []Waypoint{
		{Kind: "function_return", Location: at, Value: `\result == 1`},
		{Kind: "branching", Location: nowhere, Value: "true"}, {Kind: "target", Location: at}}})
	assert.Equal(t, "violation_sequence", d[0].Kind)
	m := d[0].Metadata
	assert.Equal(t, [4]string{"2.0", "now", "magus", "1"},
		[4]string{m.Format, m.Created, m.Producer.Name, m.Producer.Version})
	assert.Equal(t, []string{"a.c", "b\".c"}, m.Task.Files)
	assert.Equal(t, map[string]string{"a.c": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"b\".c": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}, m.Task.Hashes,
		"SHA-256 of nothing and of x")
	assert.Equal(t, [3]string{"G \\ !", "LP64", "C"}, [3]string{m.Task.Specification, m.Task.Model, m.Task.Language})
	segment := func(waypoint map[string]any) map[string]any {
		waypoint["action"] = "follow"
		return map[string]any{"segment": []any{map[string]any{"waypoint": waypoint}}}
	}
	assert.Equal(t, []map[string]any{
		segment(map[string]any{"type": "function_return", "location": where(true),
			"constraint": map[string]any{"value": `\result == 1`, "format": "ext_c_expression"}}),
		segment(map[string]any{"type": "branching", "location": where(false), "constraint": map[string]any{"value": "true"}}),
		segment(map[string]any{"type": "target", "location": where(true)}),
	}, d[0].Content)

	d = write(t, &Witness{Task: task, Invariants: []Invariant{{true, at, "(x < 3)"}, {false, nowhere, "y"}}})
	assert.Equal(t, "invariant_set", d[0].Kind)
	invariant := func(kind, value string, function bool) map[string]any {
		return map[string]any{"invariant": map[string]any{"type": kind, "location": where(function),
			"value": value, "format": "c_expression"}}
	}
	assert.Equal(t, []map[string]any{invariant("loop_invariant", "(x < 3)", true),
		invariant("location_invariant", "y", false)}, d[0].Content)

	d = write(t, &Witness{Task: task})
	assert.Equal(t, "invariant_set", d[0].Kind)
	assert.NotNil(t, d[0].Content)
	assert.Empty(t, d[0].Content)
}

// The number of a witness is that of its content, of version 8 and the variant of RFC 9562.
func TestNumbersOfWitnesses(t *testing.T) {
	base := Witness{Version: "1", Task: Task{Files: []File{{Name: "a.c"}}}}
	seen := map[string]bool{}
	for i := range 40 {
		w := base
		w.Created = fmt.Sprint(i)
		id := write(t, &w)[0].Metadata.UUID
		assert.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, id)
		assert.False(t, seen[id])
		seen[id] = true
		assert.Equal(t, id, w.uuid())
	}
}

// What is quoted is read again as the same text.
func TestQuotes(t *testing.T) {
	for _, text := range []string{"", "a b", `"\`, "\n\t\x00\x7f", "\u0080\u009f\u00a0\u00ad\u00ff",
		"\u0100\u2028\ufeff\uffff", "\U00010000\U000e0001\U0010ffff", "ü€𝄞"} {
		var read string
		require.NoError(t, yaml.Unmarshal([]byte(quote(text)), &read), quote(text))
		assert.Equal(t, text, read)
	}
}
