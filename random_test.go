package magus_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/interp"
	"magus/internal/expr"
	"magus/lts"
	"magus/specs"
)

// Random programs of one to four components against a brute-force oracle: all
// concrete states are enumerated by the interpreter, composed and compared
// with the specification by trace containment. Every combination of options
// must give the oracle's verdict or unknown.
//
// MAGUS_RANDOM sets the number of programs.

func TestRandomPrograms(t *testing.T) {
	programs := 150
	if n, err := strconv.Atoi(os.Getenv("MAGUS_RANDOM")); err == nil {
		programs = n
	}
	ctx := context.Background()
	count := map[magus.Verdict]int{}
	for seed := range uint64(programs) {
		g := &generator{r: rand.New(rand.NewPCG(seed, 7))}
		c, spec := g.program()
		want, err := g.oracle(ctx, c, spec)
		require.NoError(t, err, "%s\n%s", c, spec)
		for _, opt := range g.options() {
			verdict, err := verdictOf(ctx, c, spec, opt, want)
			if err != nil {
				g.keep(t, seed, c, spec, opt, err)
			}
			count[verdict]++
		}
	}
	t.Logf("%d programs: %d conforms, %d violates, %d unknown", programs, count[magus.Conforms], count[magus.Violates], count[magus.Unknown])
	require.Greater(t, count[magus.Conforms], 0)
	require.Greater(t, count[magus.Violates], 0)
	require.Less(t, 10*count[magus.Unknown], count[magus.Conforms]+count[magus.Violates], "unknown is the exception")
}

// verdictOf is the verdict on the first claim; the error says what is wrong
// with it.
func verdictOf(ctx context.Context, c, spec string, opt magus.Options, want magus.Verdict) (magus.Verdict, error) {
	opt.Check = true
	p, err := magus.Load(ctx, magus.Input{C: []cfa.Source{{Name: "p.c", Text: []byte(c)}}, Specs: []specs.Source{{Name: "p.spec", Text: []byte(spec)}}})
	if err != nil {
		return magus.Unknown, err
	}
	claims, err := p.Claims(magus.Selection{})
	if err != nil {
		return magus.Unknown, err
	}
	claim := claims[len(claims)-1]
	s, err := magus.NewSession(ctx, claim, opt)
	if err != nil {
		return magus.Unknown, err
	}
	defer s.Close()
	o := s.Run(ctx, nil)
	cert, err := s.Certificate(ctx)
	switch {
	case err != nil:
		return o.Verdict, err
	case o.Verdict == magus.Unknown && strings.Contains(o.Reason, "fault"):
		return o.Verdict, errors.New(o.Reason)
	case o.Verdict == magus.Unknown:
		return o.Verdict, nil
	case o.Verdict != want:
		return o.Verdict, fmt.Errorf("%v, and it is %v", o.Verdict, want)
	case o.Verdict == magus.Violates && o.Run == nil:
		return o.Verdict, errors.New("a violation without a run")
	}
	return o.Verdict, p.Verify(ctx, claim, magus.Options{}, cert)
}

// keep makes a failing program small, keeps it as a file for [TestKeptPrograms]
// and fails.
func (g *generator) keep(t *testing.T, seed uint64, c, spec string, opt magus.Options, failure error) {
	ctx := context.Background()
	c = shrink(c, func(c string) bool {
		want, err := g.oracle(ctx, c, spec)
		if err != nil {
			return false
		}
		verdict, err := verdictOf(ctx, c, spec, opt, want)
		return err != nil && (verdict != magus.Unknown || strings.Contains(err.Error(), "fault"))
	})
	want, err := g.oracle(ctx, c, spec)
	require.NoError(t, err)
	file := filepath.Join("testdata", "random", fmt.Sprintf("seed%d.txtar", seed))
	text := fmt.Sprintf("%v: %+v\n-- p.c --\n%s-- p.spec --\n%s", want, opt, c, spec)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	require.NoError(t, failure, "%s has it\n%s", file, text)
}

// shrink leaves out lines, in ever smaller pieces, for as long as failing holds.
func shrink(text string, failing func(string) bool) string {
	lines := strings.SplitAfter(text, "\n")
	for size := len(lines) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(lines); {
			less := slices.Concat(lines[:at], lines[at+size:])
			if failing(strings.Join(less, "")) {
				lines = less
			} else {
				at++
			}
		}
	}
	return strings.Join(lines, "")
}

func TestShrink(t *testing.T) {
	require.Equal(t, "c\nf\n", shrink("a\nb\nc\nd\ne\nf\ng\n", func(s string) bool {
		return strings.Contains(s, "c") && strings.Contains(s, "f")
	}))
}

// TestKeptPrograms: programs that once had a wrong verdict, or a fault, have the
// right one now, whatever the options. The first word is the verdict.
func TestKeptPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/random/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		require.NoError(t, err)
		want := magus.Violates
		if strings.HasPrefix(string(a.Comment), "conforms") {
			want = magus.Conforms
		}
		require.Len(t, a.Files, 2, file)
		for seed := range uint64(8) {
			g := &generator{r: rand.New(rand.NewPCG(seed, 8))}
			for _, opt := range g.options() {
				_, err := verdictOf(context.Background(), string(a.Files[0].Data), string(a.Files[1].Data), opt, want)
				require.NoError(t, err, "%s %+v", file, opt)
			}
		}
	}
}

type generator struct {
	r          *rand.Rand
	components []string
	routines   []routine
	returns    bool // the specification speaks about returns
	b          strings.Builder
	actions    []string
	loops      int
}

// A routine has no body. Called with 0 it behaves as the first list of lines,
// else as the second: it may do one of them.
type routine struct {
	name  string
	lines [2][]line
}

// A line is a sequence of actions and then the return of one of the results.
type line struct {
	actions []string
	results []uint64
}

func (g *generator) pick(xs ...string) string { return xs[g.r.IntN(len(xs))] }

func (g *generator) program() (c, spec string) {
	g.b.WriteString("_Bool __VERIFIER_nondet_bool(void);\nvoid __MAGUS_ACTION__(const char *);\n")
	all := [][]string{{"a", "b"}, {"b", "c"}, {"a", "c"}, {"c", "d"}}
	n := 1 + g.r.IntN(4)
	g.returns = n == 1 && g.r.IntN(2) == 0
	for i := range g.r.IntN(3) {
		g.routines = append(g.routines, g.routine(i))
		fmt.Fprintf(&g.b, "int %s(int);\n", g.routines[i].name)
	}
	for i := range n {
		name := fmt.Sprintf("comp%d", i)
		g.components = append(g.components, name)
		g.actions = all[i]
		fmt.Fprintf(&g.b, "int %s(void) {\n\tint x = %d, y = %d, z = 0;\n", name, g.r.IntN(3), g.r.IntN(3))
		g.block(3, 1)
		g.b.WriteString("\treturn x;\n}\n")
	}
	return g.b.String(), g.abstractions() + g.spec()
}

func (g *generator) routine(i int) routine {
	r := routine{name: fmt.Sprintf("f%d", i)}
	for k := range r.lines {
		for range 1 + g.r.IntN(2) {
			l := line{results: [][]uint64{{0}, {1}, {0, 1}, {2, 3}}[g.r.IntN(4)]}
			for range g.r.IntN(3) {
				l.actions = append(l.actions, g.pick("a", "b", "c"))
			}
			r.lines[k] = append(r.lines[k], l)
		}
	}
	return r
}

// abstractions writes the routines in the specification language.
func (g *generator) abstractions() string {
	var b strings.Builder
	for _, r := range g.routines {
		for k, lines := range r.lines {
			var ways []string
			for _, l := range lines {
				way := fmt.Sprintf("return {$0 >= %d && $0 <= %d} -> STOP", l.results[0], l.results[len(l.results)-1])
				for i := range l.actions {
					way = l.actions[len(l.actions)-1-i] + " -> " + way
				}
				ways = append(ways, way)
			}
			fmt.Fprintf(&b, "%s_%d = ( %s ).\n", strings.ToUpper(r.name), k, strings.Join(ways, " | "))
		}
		fmt.Fprintf(&b, "procedure %[1]s { abstract { ($1 == 0), %[2]s_0 }; abstract { ($1 != 0), %[2]s_1 }; }\n", r.name, strings.ToUpper(r.name))
	}
	return b.String()
}

func (g *generator) block(depth, indent int) {
	for range 1 + g.r.IntN(4) {
		g.statement(depth, indent)
	}
}

func (g *generator) statement(depth, indent int) {
	tab := strings.Repeat("\t", indent)
	v, w := g.pick("x", "y", "z"), g.pick("x", "y", "z")
	switch k := g.r.IntN(10); {
	case k < 3:
		fmt.Fprintf(&g.b, "%s__MAGUS_ACTION__(\"%s\");\n", tab, g.pick(g.actions...))
	case k < 4 && len(g.routines) > 0 && g.r.IntN(2) == 0:
		fmt.Fprintf(&g.b, "%s%s = %s(%s);\n", tab, v, g.routines[g.r.IntN(len(g.routines))].name, w)
	case k < 4:
		fmt.Fprintf(&g.b, "%s%s = __VERIFIER_nondet_bool();\n", tab, v)
	case k < 5:
		fmt.Fprintf(&g.b, "%s%s = %d;\n", tab, v, g.r.IntN(4))
	case k < 6:
		fmt.Fprintf(&g.b, "%sif (%s < 3) %s++;\n", tab, v, v)
	case k < 7:
		fmt.Fprintf(&g.b, "%s%s = %s;\n", tab, v, w)
	case depth > 0 && k < 9:
		fmt.Fprintf(&g.b, "%sif (%s) {\n", tab, g.cond())
		g.block(depth-1, indent+1)
		if g.r.IntN(2) == 0 {
			fmt.Fprintf(&g.b, "%s} else {\n", tab)
			g.block(depth-1, indent+1)
		}
		fmt.Fprintf(&g.b, "%s}\n", tab)
	case depth > 0 && g.loops < 3:
		g.loops++
		fmt.Fprintf(&g.b, "%swhile (%s) {\n", tab, g.pick("__VERIFIER_nondet_bool()", g.cond()))
		g.block(depth-1, indent+1)
		fmt.Fprintf(&g.b, "%s}\n", tab)
	default:
		fmt.Fprintf(&g.b, "%s%s = !%s;\n", tab, v, w)
	}
}

func (g *generator) cond() string {
	v, w := g.pick("x", "y", "z"), g.pick("x", "y", "z")
	return g.pick(fmt.Sprintf("%s == %d", v, g.r.IntN(3)), fmt.Sprintf("%s < %s", v, w), fmt.Sprintf("%s != %s && %s > 0", v, w, v), v)
}

func (g *generator) spec() string {
	var b strings.Builder
	n := 1 + g.r.IntN(3)
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, "S%d = (", i)
		for j := range 1 + g.r.IntN(3) {
			if j > 0 {
				b.WriteString(" |")
			}
			to := fmt.Sprintf("S%d", g.r.IntN(n))
			if g.r.IntN(12) == 0 {
				to = "ERROR"
			}
			if g.returns && g.r.IntN(2) == 0 {
				fmt.Fprintf(&b, " return {%s} -> STOP", returnConditions[g.r.IntN(3)].text)
				continue
			}
			fmt.Fprintf(&b, " %s -> %s", g.pick("a", "b", "c"), to)
		}
		b.WriteString(" )")
	}
	b.WriteString(".\n")
	ones := strings.TrimSuffix(strings.Repeat("1,", len(g.components)), ",")
	fmt.Fprintf(&b, "program %s { specification s, {%s}, S0; }\n", strings.Join(g.components, ", "), ones)
	return b.String()
}

// returnConditions exclude each other.
var returnConditions = []struct {
	text  string
	holds func(v uint64) bool
}{
	{"$0 == 0", func(v uint64) bool { return v == 0 }},
	{"$0 == 1", func(v uint64) bool { return v == 1 }},
	{"$0 >= 2", func(v uint64) bool { return v == 2 || v == 3 }},
}

func (g *generator) options() []magus.Options {
	all := []magus.Options{{}}
	for range 2 {
		all = append(all, magus.Options{
			ActionAbstraction: magus.Switch(g.r.IntN(3)),
			Strategy:          g.pick("exact", "greedy", "enumerate", "none"),
			Sequential:        g.r.IntN(2) == 0,
			Reduce:            g.r.IntN(2) == 0,
			ReduceTurns:       []int{0, 1, -1}[g.r.IntN(3)],
			Solver:            g.solver(),
			DepthFirst:        g.r.IntN(4) == 0,
			MaxIterations:     400,
		})
	}
	return all
}

// solver is the embedded procedure, and now and then another one that is
// installed.
func (g *generator) solver() string {
	name := g.pick("z3", "cvc5")
	if _, err := exec.LookPath(name); err != nil || g.r.IntN(12) != 0 {
		return ""
	}
	return name
}

// oracle decides by enumeration.
func (g *generator) oracle(ctx context.Context, c, spec string) (magus.Verdict, error) {
	prog, err := cfa.Parse(ctx, []cfa.Source{{Name: "p.c", Text: []byte(c)}}, cfa.Options{})
	if err != nil {
		return magus.Unknown, err
	}
	file, err := specs.Parse([]specs.Source{{Name: "p.spec", Text: []byte(spec)}}, nil)
	if err != nil {
		return magus.Unknown, err
	}
	actions := lts.NewActions()
	want, err := file.LTS("S0", actions)
	if err != nil {
		return magus.Unknown, err
	}
	env := &surroundings{g: g}
	for _, a := range want.Alphabet() {
		if r, ok := file.ReturnOf(actions.Name(a)); ok {
			env.returns = append(env.returns, observed{actions.Name(a), r.Cond.String()})
		}
	}
	if len(env.returns) > 0 {
		want = withAction(want, actions.Intern("return{other}"))
	}
	var impl []*lts.LTS
	for _, name := range g.components {
		auto, err := prog.Lower(ctx, name, expr.NewPool(), cfa.LowerOptions{InitGlobals: true, Abstracted: func(f string) bool {
			return slices.ContainsFunc(g.routines, func(r routine) bool { return r.name == f })
		}})
		if err != nil {
			return magus.Unknown, err
		}
		m, err := concrete(ctx, auto, actions, env)
		if err != nil {
			return magus.Unknown, err
		}
		impl = append(impl, m)
	}
	res, err := lts.Contains(ctx, impl, want, lts.Limits{})
	if res.Verdict == lts.Holds {
		return magus.Conforms, err
	}
	return magus.Violates, err
}

// concrete is the labelled transition system of all concrete states.
func concrete(ctx context.Context, auto *cfa.CFA, actions *lts.Actions, env *surroundings) (*lts.LTS, error) {
	bits := func(v *expr.Expr) []uint64 {
		if v.Type().Width == 1 {
			return []uint64{0, 1}
		}
		// Every int is assigned before it is read: these are results of routines.
		return []uint64{0, 1, 2, 3}
	}
	g, err := interp.New(auto).Explore(ctx, bits, env, 400000)
	if err != nil {
		return nil, err
	}
	b := lts.NewBuilder(actions)
	b.SetInit(b.AddState(""))
	first := b.AddStates(len(g.Nodes))
	for i := range g.Initial {
		b.AddEdge(0, lts.Tau, first+lts.State(i))
	}
	for i, es := range g.Edges {
		for _, e := range es {
			a := lts.Tau
			if e.Action != "" {
				a = actions.Intern(e.Action)
			}
			b.AddEdge(first+lts.State(i), a, first+lts.State(e.To))
		}
	}
	for _, l := range auto.Locs {
		switch s := l.Stmt.(type) {
		case cfa.Act:
			b.Alphabet(actions.Intern(s.Action))
		case cfa.Call:
			for _, lines := range env.routine(s.Callee).lines {
				for _, way := range lines {
					for _, a := range way.actions {
						b.Alphabet(actions.Intern(a))
					}
				}
			}
		}
	}
	for _, r := range env.returns {
		b.Alphabet(actions.Intern(r.action), actions.Intern("return{other}"))
	}
	return b.Build(), nil
}

// withAction is m with one more action in its alphabet, which it never allows.
func withAction(m *lts.LTS, a lts.Action) *lts.LTS {
	b := lts.NewBuilder(m.Actions())
	b.AddStates(m.NumStates())
	b.SetInit(m.Init())
	for s := range lts.State(m.NumStates()) {
		for _, e := range m.Out(s) {
			b.AddEdge(s, e.Action, e.To)
		}
		if m.IsError(s) {
			b.SetError(s)
		}
	}
	b.Alphabet(m.Alphabet()...)
	b.Alphabet(a)
	return b.Build()
}

// surroundings are what is around a component, made of what was generated and
// not of what was written about it: the routines, and which actions returns are.
type surroundings struct {
	g       *generator
	returns []observed // in the specification
}

// observed is a return action with its condition.
type observed struct{ action, cond string }

func (v *surroundings) routine(name string) routine {
	return v.g.routines[slices.IndexFunc(v.g.routines, func(r routine) bool { return r.name == name })]
}

// Start begins one of the lines for the argument. A state is 100 lines of 10
// places: which list, which line, how far.
func (v *surroundings) Start(c *interp.Site) []int {
	k := 0
	if c.Args[0] != 0 {
		k = 1
	}
	return []int{k * 1000}
}

// Moves are the first actions of all lines, then the rest of one line.
func (v *surroundings) Moves(c *interp.Site, state int) []interp.Move {
	lines := v.routine(c.Callee).lines[state/1000]
	var moves []interp.Move
	for i, l := range lines {
		at := state % 10
		if chosen := state / 10 % 100; chosen != 0 && chosen != i+1 {
			continue
		}
		if at < len(l.actions) {
			moves = append(moves, interp.Move{Action: l.actions[at], To: state/1000*1000 + (i+1)*10 + at + 1})
			continue
		}
		moves = append(moves, interp.Move{Returns: true, Admits: func(value uint64) bool { return slices.Contains(l.results, value) }})
	}
	return moves
}

// Return finds the action of a value.
func (v *surroundings) Return(r interp.Returned) []string {
	if len(v.returns) == 0 {
		return nil
	}
	for _, c := range returnConditions {
		for _, o := range v.returns {
			if o.cond == c.text && c.holds(r.Value) {
				return []string{o.action}
			}
		}
	}
	return []string{"return{other}"}
}
