package magus_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"magus"
	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/internal/sample"
	"magus/lts"
	"magus/smt/expr"
	"magus/specs"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// Random programs of one to four components against a brute-force oracle: all
// concrete states are enumerated by the interpreter, composed and compared
// with the specification by trace containment. Every combination of options
// must give the oracle's verdict or unknown.

func TestRandomPrograms(t *testing.T) {
	programs, first := sample.Count(20), sample.Seed(0)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var n tally
	for seed := first; seed < first+uint64(programs); seed++ {
		g := &generator{r: rand.New(rand.NewPCG(seed, 7))}
		c, spec := g.program()
		want, err := g.oracle(t.Context(), c, spec)
		if errors.Is(err, interp.ErrLimit) {
			n.large++
			continue
		}
		require.NoError(t, err, "%s\n%s", c, spec)
		n.programs[want]++
		for _, opt := range g.options(spec) {
			runtime.GOMAXPROCS(1 + g.r.IntN(4))
			o, err := verdictOf(t.Context(), c, spec, opt, want)
			if err != nil {
				g.keep(t, seed, c, spec, opt, err)
			}
			n.add(o)
		}
	}
	n.report(t, programs)
}

// A tally counts programs by what they are, and checks by what they said.
type tally struct {
	programs, checks [3]int // by verdict
	large            int
	predicates       int // checks that chose predicates
	blocks           int // checks that split blocks
	reduced          int // checks that made components smaller
}

func (n *tally) add(o *magus.Outcome) {
	n.checks[o.Verdict]++
	for what, happened := range map[*int]bool{&n.predicates: o.Loop.Stats.PredicateIterations > 0,
		&n.blocks: o.Loop.Stats.Splits > 0, &n.reduced: o.Loop.Stats.Parts > 0} {
		if happened {
			*what++
		}
	}
}

// report prints the counts. Both verdicts must be common, and unknown and
// programs that are too large the exception.
func (n *tally) report(t *testing.T, programs int) {
	t.Logf("%d programs: %d conform, %d violate, %d have too many states", programs, n.programs[magus.Conforms],
		n.programs[magus.Violates], n.large)
	decided := n.checks[magus.Conforms] + n.checks[magus.Violates]
	t.Logf("%d checks: %d conforms, %d violates, %d unknown; %d chose predicates, %d split blocks, "+
		"%d made components smaller",
		decided+n.checks[magus.Unknown], n.checks[magus.Conforms], n.checks[magus.Violates],
		n.checks[magus.Unknown], n.predicates, n.blocks, n.reduced)
	if programs < 25 {
		return
	}
	require.Less(t, 4*n.large, programs)
	require.Greater(t, 5*n.programs[magus.Conforms], programs)
	require.Greater(t, 8*n.programs[magus.Violates], programs)
	require.Less(t, 4*n.checks[magus.Unknown], decided)
}

// verdictOf is the outcome of the last claim; the error says what is wrong with
// it.
func verdictOf(ctx context.Context, c, spec string, opt magus.Options, want magus.Verdict) (*magus.Outcome, error) {
	p, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(c)}},
		Specs: []specs.Source{{Name: "p.spec", Text: []byte(spec)}}})
	if err != nil {
		return &magus.Outcome{}, err
	}
	claims, err := p.Claims(magus.Selection{})
	if err != nil {
		return &magus.Outcome{}, err
	}
	claim := claims[len(claims)-1]
	s, err := magus.NewLoop(ctx, claim, opt)
	if err != nil {
		return &magus.Outcome{}, err
	}
	defer s.Close()
	o := s.Run(ctx, nil)
	cert, err := s.Certificate(ctx)
	switch {
	case err != nil:
		return o, err
	case o.Reason.Kind == verdict.Fault:
		return o, &o.Reason
	case o.Verdict == magus.Unknown:
		return o, nil
	case o.Verdict != want:
		return o, fmt.Errorf("%v, and it is %v", o.Verdict, want)
	case o.Verdict == magus.Violates && o.Run == nil:
		return o, errors.New("a violation without a run")
	}
	if cert, err = readAgain(cert); err != nil {
		return o, err
	}
	return o, cegar.VerifyCertificate(ctx, claim, cegar.Options{}, cert)
}

// readAgain is a certificate after it has been written to a file.
func readAgain(cert *certificate.Certificate) (*certificate.Certificate, error) {
	var file bytes.Buffer
	if err := certificate.Write(&file, &certificate.Document{Certificates: []*certificate.Certificate{cert}}); err != nil {
		return nil, err
	}
	d, err := certificate.Read(context.Background(), &file, "p.json")
	if err != nil {
		return nil, err
	}
	return d.Certificates[0], nil
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
		o, err := verdictOf(ctx, c, spec, opt, want)
		return err != nil && (o.Verdict != magus.Unknown || strings.Contains(err.Error(), "fault"))
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
			for _, opt := range g.options(string(a.Files[1].Data)) {
				_, err := verdictOf(context.Background(), string(a.Files[0].Data), string(a.Files[1].Data), opt, want)
				require.NoError(t, err, "%s %+v", file, opt)
			}
		}
	}
}

// options are the default and two combinations of others. Mostly the loop
// checks itself.
func (g *generator) options(spec string) []magus.Options {
	all := []magus.Options{{Loop: magus.Loop{Check: true, MaxIterations: 60, MaxStates: 3000}}}
	for i := range 2 {
		all = append(all, magus.Options{Loop: magus.Loop{LargeBlocks: []cegar.Switch{cegar.Off, cegar.On}[i],
			ActionAbstraction: cegar.Switch(g.r.IntN(3)), Strategy: g.pick("exact", "greedy", "enumerate", "none"),
			Cost: g.pick("one", "wp"), Seed: int64(g.r.IntN(3)), Sequential: g.oneIn(2), Compositional: g.oneIn(2),
			ReduceIterations: []int{0, 1, -1}[g.r.IntN(3)], Solver: g.solver(), SecondSolver: g.solver(),
			Search:       []cegar.SearchOrder{cegar.AutoOrder, cegar.BreadthFirst, cegar.DepthFirst}[g.r.IntN(3)],
			BreadthPairs: []int{0, 4, 50}[g.r.IntN(3)], FirstShare: []int64{0, 1, 2000}[g.r.IntN(3)],
			GlobalPredicates: g.oneIn(4), MaxIterations: 60, MaxStates: 3000, Check: !g.oneIn(4)}})
	}
	if len(g.components) == 1 && !strings.Contains(spec, "ERROR") {
		for _, e := range []cegar.Engine{cegar.BoundedEngine, cegar.InductionEngine} {
			all = append(all, magus.Options{Loop: magus.Loop{Engine: e, Bound: 30, Check: true, MaxIterations: 60,
				MaxStates: 3000}})
		}
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

// oracle decides by enumeration. The error is interp.ErrLimit if there is too
// much to enumerate.
func (g *generator) oracle(ctx context.Context, c, spec string) (magus.Verdict, error) {
	impl, want, err := g.composition(ctx, c, spec)
	if err != nil {
		return magus.Unknown, err
	}
	return exhaust(impl, want)
}

// composition is all concrete states of each component, and the specification.
func (g *generator) composition(ctx context.Context, c, spec string) (impl []*lts.LTS, want *lts.LTS, err error) {
	prog, err := source.Parse(ctx, []source.Source{{Name: "p.c", Text: []byte(c)}}, source.Options{})
	if err != nil {
		return nil, nil, err
	}
	file, err := specs.Parse(context.Background(), []specs.Source{{Name: "p.spec", Text: []byte(spec)}}, nil)
	if err != nil {
		return nil, nil, err
	}
	actions := lts.NewActions()
	if want, err = file.LTS(context.Background(), "S0", actions); err != nil {
		return nil, nil, err
	}
	g.explored = nil
	for _, name := range g.components {
		env := g.surroundings(file, want, name)
		if len(env.returns) > 0 {
			want = withAction(want, actions.Intern(env.other))
		}
		auto, err := lower.Lower(ctx, prog, name, expr.NewPool(),
			lower.Options{InitGlobals: true, Abstracted: func(f string) bool {
				return slices.ContainsFunc(g.routines, func(r routine) bool { return r.name == f })
			}})
		if err != nil {
			return nil, nil, err
		}
		m, x, err := concrete(ctx, auto, actions, env)
		if err != nil {
			return nil, nil, err
		}
		g.explored = append(g.explored, x)
		impl = append(impl, m)
	}
	return impl, want, nil
}

// concrete is the labelled transition system of all concrete states.
func concrete(ctx context.Context, auto *cfa.CFA, actions *lts.Actions, env *surroundings) (*lts.LTS, explored, error) {
	bits := func(v *expr.Expr) []uint64 {
		if v.Type().Width == 1 {
			return []uint64{0, 1}
		}
		// Every int is assigned before it is read: these are results of routines.
		return []uint64{0, 1, 2, 3}
	}
	g, err := interp.New(auto).Explore(ctx, bits, env, maxOracle)
	if err != nil {
		return nil, explored{}, err
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
	for _, a := range auto.Actions {
		b.Alphabet(actions.Intern(a))
	}
	for _, name := range auto.Routines {
		for _, lines := range env.routine(name).lines {
			for _, way := range lines {
				for _, a := range way.actions {
					b.Alphabet(actions.Intern(a))
				}
			}
		}
	}
	for _, r := range env.returns {
		b.Alphabet(actions.Intern(r.action), actions.Intern(env.other))
	}
	return b.Build(), explored{auto, g.Nodes}, nil
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
	other   string     // the action of all other returns
}

// surroundings are those of a component.
func (g *generator) surroundings(file *specs.File, want *lts.LTS, component string) *surroundings {
	env, of := &surroundings{g: g}, ""
	if len(g.components) > 1 {
		of = component
		env.other = component + ":"
	}
	env.other += "return{other}"
	for _, a := range want.Alphabet() {
		if r, ok := file.ReturnOf(want.Actions().Name(a)); ok && r.Component == of {
			env.returns = append(env.returns, observed{want.Actions().Name(a), r.Cond.String()})
		}
	}
	return env
}

// observed is a return action with its condition.
type observed struct{ action, cond string }

func (v *surroundings) routine(name string) routine {
	return v.g.routines[slices.IndexFunc(v.g.routines, func(r routine) bool { return r.name == name })]
}

// Start begins one of the lines for the arguments. A state is 100 lines of 10
// places: which list, which line, how far.
func (v *surroundings) Start(c *interp.Site) []int {
	k := 1
	if v.routine(c.Callee).guard.holds(int32(c.Args[0]), int32(c.Args[1])) {
		k = 0
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
		moves = append(moves, interp.Move{Returns: true,
			Admits: func(value uint64) bool { return slices.Contains(l.results, value) }})
	}
	return moves
}

// Return finds the action of a value.
func (v *surroundings) Return(r interp.Returned, _ *interp.Site) []string {
	if len(v.returns) == 0 {
		return nil
	}
	for _, c := range returnConditions {
		for _, o := range v.returns {
			if o.cond == c.text && c.holds(int32(r.Value)) {
				return []string{o.action}
			}
		}
	}
	return []string{v.other}
}
