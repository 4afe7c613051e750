package magus_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/interp"
	"magus/internal/expr"
	"magus/lts"
	"magus/specs"
)

// Random programs of one to three components against a brute-force oracle: all
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
	count := map[magus.Verdict]int{}
	for seed := range uint64(programs) {
		g := &generator{r: rand.New(rand.NewPCG(seed, 7))}
		c, spec := g.program()
		ctx := context.Background()
		want := oracle(t, ctx, c, spec, g.components)
		for _, opt := range g.options() {
			opt.Check = true
			p, err := magus.Load(ctx, magus.Input{C: []cfa.Source{{Name: "p.c", Text: []byte(c)}}, Specs: []specs.Source{{Name: "p.spec", Text: []byte(spec)}}})
			require.NoError(t, err, "seed %d\n%s\n%s", seed, c, spec)
			claims, err := p.Claims(magus.Selection{})
			require.NoError(t, err)
			s, err := magus.NewSession(ctx, claims[0], opt)
			require.NoError(t, err, "seed %d\n%s\n%s", seed, c, spec)
			o := s.Run(ctx, nil)
			cert, err := s.Certificate(ctx)
			require.NoError(t, err)
			s.Close()
			count[o.Verdict]++
			if o.Verdict == magus.Unknown {
				require.NotContains(t, o.Reason, "fault", "seed %d %+v\n%s\n%s", seed, opt, c, spec)
				continue
			}
			require.Equal(t, want, o.Verdict, "seed %d %+v %s\n%s\n%s", seed, opt, o.Reason, c, spec)
			if o.Verdict == magus.Violates {
				require.NotNil(t, o.Run)
			}
			require.NoError(t, p.Verify(ctx, claims[0], magus.Options{}, cert), "seed %d %+v\n%s\n%s", seed, opt, c, spec)
		}
	}
	t.Logf("%d programs: %d conforms, %d violates, %d unknown", programs, count[magus.Conforms], count[magus.Violates], count[magus.Unknown])
	require.Greater(t, count[magus.Conforms], 0)
	require.Greater(t, count[magus.Violates], 0)
	require.Less(t, 10*count[magus.Unknown], count[magus.Conforms]+count[magus.Violates], "unknown is the exception")
}

type generator struct {
	r          *rand.Rand
	components []string
	b          strings.Builder
	actions    []string
	loops      int
}

func (g *generator) pick(xs ...string) string { return xs[g.r.IntN(len(xs))] }

func (g *generator) program() (c, spec string) {
	g.b.WriteString("_Bool __VERIFIER_nondet_bool(void);\nvoid __MAGUS_ACTION__(const char *);\n")
	all := [][]string{{"a", "b"}, {"b", "c"}, {"a", "c"}}
	for i := range 1 + g.r.IntN(3) {
		name := fmt.Sprintf("comp%d", i)
		g.components = append(g.components, name)
		g.actions = all[i]
		fmt.Fprintf(&g.b, "int %s(void) {\n\tint x = %d, y = %d, z = 0;\n", name, g.r.IntN(3), g.r.IntN(3))
		g.block(3, 1)
		g.b.WriteString("\treturn x;\n}\n")
	}
	return g.b.String(), g.spec()
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
			fmt.Fprintf(&b, " %s -> %s", g.pick("a", "b", "c"), to)
		}
		b.WriteString(" )")
	}
	b.WriteString(".\n")
	ones := strings.TrimSuffix(strings.Repeat("1,", len(g.components)), ",")
	fmt.Fprintf(&b, "program %s { specification s, {%s}, S0; }\n", strings.Join(g.components, ", "), ones)
	return b.String()
}

func (g *generator) options() []magus.Options {
	all := []magus.Options{{}}
	for range 2 {
		all = append(all, magus.Options{
			ActionAbstraction: magus.Switch(g.r.IntN(3)),
			Strategy:          g.pick("exact", "greedy", "enumerate", "none"),
			Sequential:        g.r.IntN(2) == 0,
			Reduce:            g.r.IntN(2) == 0,
			MaxIterations:     400,
		})
	}
	return all
}

// oracle decides by enumeration.
func oracle(t *testing.T, ctx context.Context, c, spec string, components []string) magus.Verdict {
	prog, err := cfa.Parse(ctx, []cfa.Source{{Name: "p.c", Text: []byte(c)}}, cfa.Options{})
	require.NoError(t, err, "%s", c)
	file, err := specs.Parse([]specs.Source{{Name: "p.spec", Text: []byte(spec)}}, nil)
	require.NoError(t, err, "%s", spec)
	actions := lts.NewActions()
	want, err := file.LTS("S0", actions)
	require.NoError(t, err)
	var impl []*lts.LTS
	for _, name := range components {
		auto, err := prog.Lower(ctx, name, expr.NewPool(), cfa.LowerOptions{InitGlobals: true})
		require.NoError(t, err, "%s", c)
		impl = append(impl, concrete(t, ctx, auto, actions))
	}
	res, err := lts.Contains(ctx, impl, want, lts.Limits{})
	require.NoError(t, err)
	if res.Verdict == lts.Holds {
		return magus.Conforms
	}
	return magus.Violates
}

// concrete is the labelled transition system of all concrete states.
func concrete(t *testing.T, ctx context.Context, auto *cfa.CFA, actions *lts.Actions) *lts.LTS {
	bits := func(v *expr.Expr) []uint64 {
		if v.Type().Width == 1 {
			return []uint64{0, 1}
		}
		return []uint64{0} // every int is assigned before it is read
	}
	g, err := interp.New(auto).Explore(ctx, bits, nil, 200000)
	require.NoError(t, err)
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
		if act, ok := l.Stmt.(cfa.Act); ok {
			b.Alphabet(actions.Intern(act.Action))
		}
	}
	return b.Build()
}
