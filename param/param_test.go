package param_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/param"
	"magus/param/mist"
	"magus/param/paramtest"
	"magus/param/syntax"
)

const examples = "../examples/param"

// exampleTexts are the models among the examples.
func exampleTexts(t testing.TB) map[string]string {
	files, err := filepath.Glob(filepath.Join(examples, "*.param"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	texts := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		texts[filepath.Base(f)] = string(text)
	}
	return texts
}

// What Format writes is the same model.
func TestFormat(t *testing.T) {
	texts := exampleTexts(t)
	for i := range 300 {
		texts["random"+string(rune(i))] = paramtest.Random(rand.New(rand.NewPCG(uint64(i), 7)))
	}
	for name, text := range texts {
		m, err := param.Parse(name, []byte(text))
		require.NoError(t, err, text)
		formatted := m.Format()
		again, err := param.Parse(name, []byte(formatted))
		require.NoError(t, err, formatted)
		require.Equal(t, formatted, again.Format())
		for i := range m.Rules {
			require.Equal(t, m.RuleText(i), again.RuleText(i))
		}
	}
}

func TestMistakes(t *testing.T) {
	const good = "states a, b; shared x: nat, l: bool, k: 0..2; parameter N >= 1;\n"
	const end = "\ninit a >= 0, x = 0, l, k = 0; bad b;"
	for text, want := range map[string]string{
		"":                                   "1:1: init is missing",
		"states a; init a >= 0;":             "bad is missing",
		"x":                                  "1:1: expected states, shared, parameter, rule, init or bad, found x",
		"states a, a;":                       "1:11: a is declared already, in line 1",
		"states rule;":                       "1:8: rule has a meaning of its own",
		"states a[2..1];":                    "1:13: the range 2..1 is empty",
		"shared x: int;":                     "1:11: expected nat, bool or a range such as 0..3, found int",
		"states a":                           "1:9: expected ;, found the end of the file",
		"§":                                  "1:1: § has no meaning here",
		"states a; \xff":                     "1:11: not UTF-8: the byte 0xff",
		"shared x: 0..99999999;":             "1:14: numbers go up to 1000000",
		good + "rule a -> c;" + end:          "2:11: c is not declared",
		good + "rule a -> x;" + end:          "2:11: x is no local state",
		good + "rule a b;" + end:             "2:8: expected ->, found b",
		good + "rule a -> b : a' = 1;" + end: "processes are moved by -> and all, not by an update of a",
		good + "rule a -> b : N' = 1;" + end: "N is a parameter, which no rule changes",
		good + "rule a -> b : x' = 1, x' = 2;" + end:          "x' has two values in this rule",
		good + "rule a -> b : x = 0 or x' = 2;" + end:         "what happens to x cannot depend on or, not or parentheses",
		good + "rule a -> b : not (x' = 2);" + end:            "what happens to x cannot depend on",
		good + "rule a -> b : x';" + end:                      "expected = behind x'",
		good + "rule a -> b : x;" + end:                       "expected a comparison such as = or >=",
		good + "rule a -> b : all a -> b, all a -> a;" + end:  "two all in this rule move what is in a",
		good + "rule a -> b : deadlock;" + end:                "deadlock can only stand in bad",
		good + "rule r: a -> b; rule r: b -> a;" + end:        "the rule r stands already in line 2",
		good + "rule for x in 0..1: a -> b;" + end:            "x cannot be the name of an index",
		good + "rule others: a -> b;" + end:                   "",
		good + "rule a -> b : others in {a}; states c;" + end: "local states are declared before it",
		good + "init a >= 0, x = 0; bad b;":                   "init does not say what l is",
		good + "init others in {a}; bad b;":                   "others can only stand in a rule",
		good + "init a; init b;":                              "init stands already in line 2",
		good + "init x' = 0; bad b;":                          "x can only stand in a rule",
		good + "bad p: b; bad p: a;" + end:                    "the property p stands already in line 2",
		"states q[0..1]; init q[0] >= 0; bad q;":              "q needs an index, such as q[0]",
		"init " + strings.Repeat("(", 500) + ";":              "nested too deeply",
		"init " + strings.Repeat("not ", 500) + ";":           "nested too deeply",
	} {
		_, err := param.Parse("m.param", []byte(text))
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want, text)
		var e *syntax.Error
		require.True(t, errors.As(err, &e), text)
	}
}

// An error shows its line, with a caret below the column.
func TestCaret(t *testing.T) {
	_, err := param.Parse("m.param", []byte("states a;\n\trule a -> b;"))
	require.EqualError(t, err, "m.param:2:12: b is not declared\n  \trule a -> b;\n  \t          ^")
}

// Fire, and what each part of a rule does.
func TestFire(t *testing.T) {
	m, err := param.Parse("m", []byte(`
		states a, b, c; shared x: nat, k: 0..2, l: bool;
		rule move: a -> b : x' = x - 1;
		rule two:  a, a -> b, c;
		rule make: -> a, a;
		rule drop: c -> ;
		rule all_: a -> b : all a -> c, all b -> a;
		rule up:   -> : k' = k + 1, l', x' = 2*x + a;
		rule alone: a -> b : others in {c};
		rule twist: a -> a : all a -> a;
		init a >= 0, x >= 0, k >= 0, l >= 0;
		bad b;`))
	require.NoError(t, err)
	for _, c := range []struct {
		rule         string
		before, want param.Config // a b c x k l; nil: it cannot be taken
	}{
		{"move", param.Config{1, 0, 0, 1, 0, 0}, param.Config{0, 1, 0, 0, 0, 0}},
		{"move", param.Config{1, 0, 0, 0, 0, 0}, nil},
		{"move", param.Config{0, 0, 0, 1, 0, 0}, nil},
		{"two", param.Config{3, 0, 0, 0, 0, 0}, param.Config{1, 1, 1, 0, 0, 0}},
		{"two", param.Config{1, 0, 0, 0, 0, 0}, nil},
		{"make", param.Config{0, 0, 0, 0, 0, 0}, param.Config{2, 0, 0, 0, 0, 0}},
		{"drop", param.Config{0, 0, 1, 0, 0, 0}, param.Config{0, 0, 0, 0, 0, 0}},
		{"all_", param.Config{4, 2, 1, 0, 0, 0}, param.Config{2, 1, 4, 0, 0, 0}},
		{"up", param.Config{2, 0, 0, 3, 1, 0}, param.Config{2, 0, 0, 8, 2, 1}},
		{"up", param.Config{2, 0, 0, 3, 2, 0}, nil},
		{"alone", param.Config{1, 0, 5, 0, 0, 0}, param.Config{0, 1, 5, 0, 0, 0}},
		{"alone", param.Config{2, 0, 0, 0, 0, 0}, nil},
		{"twist", param.Config{2, 0, 0, 0, 0, 0}, param.Config{2, 0, 0, 0, 0, 0}},
	} {
		for r := range m.Rules {
			if m.Rules[r].Name == c.rule {
				next, ok := m.Fire(r, c.before)
				assert.Equal(t, c.want, next, "%s %v", c.rule, c.before)
				assert.Equal(t, c.want != nil, ok)
			}
		}
	}
}

// The compiled system takes exactly the steps of the model, and its cubes are the model's formulas.
func TestCompile(t *testing.T) {
	steps := 0
	for i := range 300 {
		r := rand.New(rand.NewPCG(uint64(i), 11))
		text := paramtest.Random(r)
		m, err := param.Parse("random", []byte(text))
		require.NoError(t, err)
		compiled, err := param.Compile(t.Context(), m)
		var large *syntax.Error
		if errors.As(err, &large) && large.Limit {
			continue
		}
		require.NoError(t, err, text)
		if compiled.Plain != nil {
			compiled = compiled.Plain // exact everywhere; the other one where its facts hold
		}
		for range 40 {
			c := make(param.Config, len(m.Names))
			for j, n := range m.Names {
				if c[j] = r.Int64N(4); n.Kind == param.Bool || n.Kind == param.Range {
					c[j] = n.Lo + r.Int64N(n.Hi-n.Lo+1)
				}
			}
			require.Equal(t, m.Initial(c), inCubes(compiled, compiled.Init, c), "%s%v", text, c)
			for p := range m.Bad {
				require.Equal(t, m.Holds(m.Bad[p].Formula, c), inCubes(compiled, compiled.Bad[p], c), "%s%v", text, c)
			}
			for rule := range m.Rules {
				next, ok := m.Fire(rule, c)
				got := successors(compiled, rule, c)
				if !ok {
					require.Empty(t, got, "%s%v", text, c)
					continue
				}
				steps++
				require.NotEmpty(t, got, "%s%v rule %d", text, c, rule)
				for _, g := range got {
					require.Equal(t, next, g, "%s%v", text, c)
				}
			}
		}
	}
	require.Greater(t, steps, 1000)
}

func inCubes(s *param.System, cubes []param.Cube, c param.Config) bool {
	for _, cube := range cubes {
		if s.Model.Holds(s.Formula(cube), c) != inCube(s, cube, c) {
			panic("a cube and its formula differ")
		}
		if inCube(s, cube, c) {
			return true
		}
	}
	return false
}

func inCube(s *param.System, cube param.Cube, c param.Config) bool {
	control, x := s.Split(c)
	if control&^cube.Control != 0 {
		return false
	}
	for _, a := range cube.Atoms {
		if !a.Holds(x) {
			return false
		}
	}
	return true
}

func successors(s *param.System, rule int, c param.Config) (all []param.Config) {
	control, x := s.Split(c)
	for i := range s.Cases {
		k := &s.Cases[i]
		after, ok := s.After(k, control)
		if k.Rule != rule || !ok || !inCube(s, k.Guard, c) {
			continue
		}
		y := append([]int64(nil), x...)
		for _, d := range k.Moves {
			y[d] = k.Update[d].Const
			for j, coef := range k.Update[d].Coef {
				y[d] += coef * x[j]
			}
		}
		all = append(all, s.Join(after, y))
	}
	return all
}

// Rows tells processes apart.
func TestRows(t *testing.T) {
	m, err := param.Parse("m", []byte(`
		states a, b; shared x: nat;
		rule go: a -> b; rule new: -> a; rule end: b -> ; rule all_: -> : all a -> b;
		init a >= 0, x = 0; bad x >= 1;`))
	require.NoError(t, err)
	rows, err := m.Rows(param.Run{Start: param.Config{2, 0, 0}, Rules: []int{0, 1, 3, 2}})
	require.NoError(t, err)
	var moves [][]param.Move
	for _, r := range rows {
		moves = append(moves, r.Moves)
	}
	require.Equal(t, [][]param.Move{nil, {{1, 0, 1}}, {{3, -1, 0}}, {{2, 0, 1}, {3, 0, 1}}, {{1, 1, -1}}}, moves)
	_, err = m.Rows(param.Run{Start: param.Config{0, 0, 0}, Rules: []int{0}})
	require.ErrorContains(t, err, "step 1: rule go cannot be taken")
}

func FuzzParse(f *testing.F) {
	for _, text := range exampleTexts(f) {
		f.Add(text)
	}
	f.Add("vars\n x y\nrules\n x>=1, y in [0,2] -> x'=x-1, y'=x+y+0, x'=0;\ninit\n x>=1\ntarget\n y>=2\n" +
		"invariants\n x=1, y=1\n")
	f.Fuzz(func(t *testing.T, text string) {
		parse := param.Parse
		if mist.Is([]byte(text)) {
			parse = mist.Parse
		}
		m, err := parse("f", []byte(text))
		if err != nil {
			var e *syntax.Error
			require.True(t, errors.As(err, &e), "%v", err)
			require.Positive(t, e.Pos.Line)
			require.Positive(t, e.Pos.Col)
			return
		}
		formatted := m.Format()
		if mist.Is([]byte(text)) {
			return // its names may be words of the other language
		}
		again, err := param.Parse("f", []byte(formatted))
		require.NoError(t, err, formatted)
		require.Equal(t, formatted, again.Format())
	})
}

// The rules of a range of indices, with a colon behind the range or without, and with names.
func TestRulesOfARange(t *testing.T) {
	model := func(rule string) *param.Model {
		m, err := param.Parse("m.param",
			[]byte("states q[0..2], r;\nshared x: nat;\n"+rule+"\ninit q[0] >= 1, x = 0;\nbad r;\n"))
		require.NoError(t, err, rule)
		return m
	}
	plain := model("rule q[0] -> q[1] : x >= 1;\nrule q[1] -> q[2] : x >= 1;")
	for _, rule := range []string{"rule for i in 0..1 q[i] -> q[i+1] : x >= 1;",
		"rule for i in 0..1: q[i] -> q[i+1] : x >= 1;"} {
		require.True(t, plain.Equal(model(rule)), rule)
	}
	require.Equal(t, "step[0]", model("rule for i in 0..1: step: q[i] -> q[i+1];").Rules[0].Name)
}

// Whatever the text, it is a proof or an error that names the file.
func FuzzParseProof(f *testing.F) {
	m, err := param.Parse("m.param",
		[]byte("states a, b;\nshared x: nat;\nrule a -> b : x >= 1, x' = x - 1;\ninit a >= 1, x = 0;\nbad b, b;\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add("set b >= 2;\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := m.ParseProof("p.proof", []byte(text)); err != nil {
			require.Contains(t, err.Error(), "p.proof")
		}
	})
}
