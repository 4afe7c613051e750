package cegar

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/internal/sample"
	"magus/lts"
	"magus/lts/cert"
)

// certified is a claim with the session that decided it and its certificate.
func certified(t *testing.T, claim *component.Claim, opt Options) (*Session, *certificate.Certificate) {
	t.Helper()
	ctx := context.Background()
	s, err := NewSession(ctx, claim, opt)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	require.NotEqual(t, verdict.Unknown, s.Run(ctx, nil).Verdict)
	c, err := s.Certificate(ctx)
	require.NoError(t, err)
	return s, c
}

// TestTamperedCertificates: a certificate of which one thing is changed is
// refused, or the change was harmless; never is another verdict certified.
func TestTamperedCertificates(t *testing.T) {
	const c = "int main(void) { int x = __VERIFIER_nondet_int(), n = 0; while (n < 3) { if (x > 0) { " +
		"__MAGUS_ACTION__(\"up\"); x = 5; } else { __MAGUS_ACTION__(\"down\"); x = -5; } n++; } return 0; }"
	for _, test := range []struct {
		name, spec string
		opt        Options
	}{
		{"conforms, states", "S = (up -> U | down -> D), U = (up -> U | return {$0 == 0} -> STOP), " +
			"D = (down -> D | return {$0 == 0} -> STOP).\nprogram main { specification s, {(1)}, S; }", Options{}},
		{"conforms, blocks", "S = (up -> U | down -> D), U = (up -> U | return {$0 == 0} -> STOP), " +
			"D = (down -> D | return {$0 == 0} -> STOP).\nprogram main { specification s, {(1)}, S; }",
			Options{Loop: Loop{ActionAbstraction: On}}},
		{"conforms, large blocks", "S = (up -> U | down -> D), U = (up -> U | return {$0 == 0} -> STOP), " +
			"D = (down -> D | return {$0 == 0} -> STOP).\nprogram main { specification s, {(1)}, S; }",
			Options{Loop: Loop{LargeBlocks: On}}},
		{"conforms, all runs", "S = (up -> U | down -> D), U = (up -> U | return {$0 == 0} -> STOP), " +
			"D = (down -> D | return {$0 == 0} -> STOP).\nprogram main { specification s, {(1)}, S; }",
			Options{Loop: Loop{Engine: BoundedEngine}}},
		{"conforms, induction", "S = (up -> U | down -> D), U = (up -> U | return {$0 == 0} -> STOP), " +
			"D = (down -> D | return {$0 == 0} -> STOP).\nprogram main { specification s, {(1)}, S; }",
			Options{Loop: Loop{Engine: InductionEngine, FirstShare: 1}}},
		{"violates", "S = (up -> up -> S | down -> D), D = (down -> D | return {$0 == 0} -> STOP).\n" +
			"program main { specification s, {(1)}, S; }", Options{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			claim := claimOf(t, c, test.spec)
			_, good := certified(t, claim, test.opt)
			var text bytes.Buffer
			require.NoError(t, certificate.Write(&text, &certificate.Document{Certificates: []*certificate.Certificate{good}}))
			lines := strings.Split(text.String(), "\n")
			refused, accepted := 0, 0
			for seed := range uint64(sample.Count(150)) {
				r := rand.New(rand.NewPCG(seed, 1))
				at := 1 + r.IntN(len(lines)-3)
				changed := tamper(r, lines, at)
				if slices.Equal(changed, lines) {
					continue
				}
				back, err := certificate.Read(t.Context(), strings.NewReader(strings.Join(changed, "\n")), "x.json")
				if err == nil && len(back.Certificates) == 1 && back.Certificates[0].Claim == good.Claim {
					err = VerifyCertificate(context.Background(), claim, Options{}, back.Certificates[0])
				}
				if err == nil {
					accepted++
					for _, c := range back.Certificates {
						require.Equal(t, good.Verdict, c.Verdict)
					}
					continue
				}
				refused++
				var no *certificate.RefutedError
				require.ErrorAs(t, err, &no, strings.Join(changed, "\n"))
				require.Positive(t, no.Line)
			}
			t.Logf("%d refused, %d accepted", refused, accepted)
			require.True(t, !sample.Whole() || refused > 10*accepted)
		})
	}
}

// tamper changes one line: drops, doubles or moves it, or changes a digit or a
// letter of it.
func tamper(r *rand.Rand, lines []string, at int) []string {
	changed := slices.Clone(lines)
	switch r.IntN(6) {
	case 0:
		return slices.Delete(changed, at, at+1)
	case 1:
		return slices.Insert(changed, at, changed[at])
	case 2:
		other := 1 + r.IntN(len(lines)-3)
		changed[at], changed[other] = changed[other], changed[at]
		return changed
	}
	l := []byte(changed[at])
	for range 20 {
		i := r.IntN(len(l))
		switch b := l[i]; {
		case b >= '0' && b <= '9':
			l[i] = '0' + byte((int(b-'0')+1+r.IntN(9))%10)
		case b == '-':
			l[i] = "01"[r.IntN(2)]
		case b >= 'a' && b <= 'z':
			l[i] = 'a' + byte(r.IntN(26))
		default:
			continue
		}
		break
	}
	changed[at] = string(l)
	return changed
}

// TestForgedCertificates: from the abstraction of a program that violates its
// specification, transitions are removed until what is left is contained, with
// an antichain that shows it. The checker must miss them.
func TestForgedCertificates(t *testing.T) {
	ctx := context.Background()
	forged := 0
	for _, c := range []string{
		`int main(void) { __MAGUS_ACTION__("a"); __MAGUS_ACTION__("b"); return 0; }`,
		`int main(void) { int x = __VERIFIER_nondet_int(); __MAGUS_ACTION__("a"); ` +
			`if (x > 3) __MAGUS_ACTION__("a"); __MAGUS_ACTION__("b"); return 0; }`,
		`int main(void) { unsigned char i; for (i = 0; i < 9; i += 3) if (i == 6) __MAGUS_ACTION__("b"); return 0; }`,
		`int main(void) { int x; if (x) __MAGUS_ACTION__("a"); if (!x) __MAGUS_ACTION__("a"); ` +
			`if (x == 7) __MAGUS_ACTION__("a"); return 0; }`,
	} {
		for _, blocks := range []Switch{Off, On} {
			claim := claimOf(t, c, "S = (a -> STOP) + {b}.\nprogram main { specification s, {(1)}, S; }")
			s, _ := certified(t, claim, Options{Loop: Loop{ActionAbstraction: Off, LargeBlocks: blocks}})
			require.Equal(t, verdict.Violates, s.outcome.Verdict)
			comp := s.comps[0].certifyModel(false)
			var r lts.Result
			var model *lts.LTS
			for {
				model = rebuild(s, &comp)
				var err error
				r, err = lts.Contains(ctx, []*lts.LTS{model}, s.spec, lts.Limits{Antichain: true})
				require.NoError(t, err)
				if r.Verdict == lts.Holds {
					break
				}
				path := r.Counterexample.Path(0)
				cut(s, &comp, path)
			}
			containment, err := cert.Of([]*lts.LTS{model}, s.spec, r)
			require.NoError(t, err)
			fake := &certificate.Certificate{Claim: claim.Name, Verdict: "conforms",
				Components: []certificate.Component{comp}, Containment: containment}
			err = VerifyCertificate(ctx, claim, Options{}, fake)
			var no *certificate.RefutedError
			require.ErrorAs(t, err, &no)
			require.Contains(t, no.Reason, "does not list every target")
			forged++
		}
	}
	require.Equal(t, 8, forged)
}

// TestControlPointsWithoutStates: a certificate may list no states at a control point only if control goes
// on there and comes to one that has some, by one action at most.
func TestControlPointsWithoutStates(t *testing.T) {
	diamonds := strings.Repeat("if (__VERIFIER_nondet_int()) x++; ", 20)
	const up = `__MAGUS_ACTION__("up"); `
	for _, test := range []struct{ name, body, want string }{
		{"control goes on", "int y = x + 1; if (y > 3) y = 2; else y = 1; x = y;", ""},
		{"a loop", "while (x) x--;", "a run may come to L\\d+ again and again, through control points without states only"},
		{"two actions", up + "x = 1; " + up, "L\\d+ has no states between up and up"},
		{"two values", "x = __VERIFIER_nondet_int(); int y = x; x = __VERIFIER_nondet_int(); x += y;", ""},
		{"many ways", diamonds, "there are more than \\d+ ways through control points without states"},
		{"an end", "if (x) exit(1);", "L\\d+ has no states, and a run may end there"},
		{"a call", "f();", "L\\d+ has no states, and a run may end there"},
	} {
		t.Run(test.name, func(t *testing.T) {
			claim := claimOf(t, "void exit(int); void f(void); int main(void) { int x = __VERIFIER_nondet_int(); "+
				test.body+" return 0; }",
				"F = (up -> return {} -> STOP). procedure f { abstract { true, F }; }\nS = (up -> S).\n"+
					"program main { specification s, {(1)}, S; }")
			s, c := certified(t, claim, Options{Loop: Loop{Engine: LoopEngine, LargeBlocks: On}})
			require.NoError(t, VerifyCertificate(t.Context(), claim, Options{}, c))
			comp := &c.Components[0]
			at := comp.States[1].At
			comp.Through = append(comp.Through, at)
			requireRefuted(t, claim, c, fmt.Sprintf("a state at %v, which is said to have none", at))

			comp.Through = nil
			for l := range s.comps[0].CFA.Locs {
				comp.Through = append(comp.Through, certificate.Node{Kind: certificate.Location, Loc: l})
			}
			if test.want != "" {
				requireRefuted(t, claim, c, test.want)
				return
			}
			ends := func(st certificate.State) bool { return st.At.Kind == certificate.Location }
			require.True(t, slices.ContainsFunc(comp.States, ends))
			whole := certificate.State{At: certificate.Node{Kind: certificate.Start}, Block: -1,
				Holds: strings.Repeat("-", len(comp.Atoms)), Edges: []certificate.Edge{{To: 1}}}
			end := certificate.State{At: certificate.Node{Kind: certificate.End}, Block: -1, Holds: whole.Holds}
			comp.States = []certificate.State{whole, end}
			checker := certificate.NewChecker(s.comps[0].Component, s.comps[0].solver)
			require.NoError(t, checker.Data(t.Context(), comp))
			comp.States[0].Edges = nil
			require.ErrorContains(t, checker.Data(t.Context(), comp), "does not list every target")
		})
	}
}

// TestTwoValuesWithoutStates: two values that are chosen for one variable at control points without states may differ.
func TestTwoValuesWithoutStates(t *testing.T) {
	claim := claimOf(t, `void f(void);
int main(void)
{
	int x = __VERIFIER_nondet_int();
	int y = x;
	x = __VERIFIER_nondet_int();
	if (x != y)
		__MAGUS_ACTION__("up");
	return 0;
}`, "S = (up -> S).\nprogram main { specification s, {(1)}, S; }")
	s, c := certified(t, claim, Options{Loop: Loop{Engine: LoopEngine}})
	comp := &c.Components[0]
	for l := range s.comps[0].CFA.Locs {
		comp.Through = append(comp.Through, certificate.Node{Kind: certificate.Location, Loc: l})
	}
	none := strings.Repeat("-", len(comp.Atoms))
	start := certificate.State{At: certificate.Node{Kind: certificate.Start}, Block: -1, Holds: none,
		Edges: []certificate.Edge{{To: 1}, {Action: "up", To: 1}}}
	end := certificate.State{At: certificate.Node{Kind: certificate.End}, Block: -1, Holds: none}
	comp.States = []certificate.State{start, end}
	checker := certificate.NewChecker(s.comps[0].Component, s.comps[0].solver)
	require.NoError(t, checker.Data(t.Context(), comp))

	comp.States[0].Edges = comp.States[0].Edges[:1]
	require.ErrorContains(t, checker.Data(t.Context(), comp), "does not list every target")
}

// requireRefuted requires that a certificate is refused for a reason.
func requireRefuted(t *testing.T, claim *component.Claim, c *certificate.Certificate, why string) {
	t.Helper()
	var no *certificate.RefutedError
	require.ErrorAs(t, VerifyCertificate(t.Context(), claim, Options{}, c), &no)
	require.Regexp(t, why, no.Reason)
}

// rebuild is the LTS of a component's states.
func rebuild(s *Session, c *certificate.Component) *lts.LTS {
	b := lts.NewBuilder(s.actions)
	b.Alphabet(s.comps[0].mp.LTS.Alphabet()...)
	b.AddStates(len(c.States))
	for i, st := range c.States {
		for _, e := range st.Edges {
			b.AddEdge(lts.State(i), s.actions.Intern(orTau(e.Action)), lts.State(e.To))
		}
	}
	return b.Build()
}

func orTau(action string) string {
	if action == "" {
		return "tau"
	}
	return action
}

// cut removes the last transition of a path.
func cut(s *Session, c *certificate.Component, path []lts.Edge) {
	from := 0
	for _, e := range path[:len(path)-1] {
		from = int(e.To)
	}
	last := path[len(path)-1]
	st := &c.States[from]
	st.Edges = slices.DeleteFunc(slices.Clone(st.Edges), func(e certificate.Edge) bool {
		return e.To == int(last.To) && s.actions.Intern(orTau(e.Action)) == last.Action
	})
}

// TestCertificateOfAnotherProgram: what shows one program does not show
// another one.
func TestCertificateOfAnotherProgram(t *testing.T) {
	const spec = "S = (a -> STOP) + {b}.\nprogram main { specification s, {(1)}, S; }"
	program := func(limit int) string {
		return fmt.Sprintf(`int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3) { `+
			`__MAGUS_ACTION__("a"); if (x < %d) __MAGUS_ACTION__("b"); } return 0; }`, limit)
	}
	right, wrong := claimOf(t, program(4), spec), claimOf(t, program(5), spec)
	_, good := certified(t, right, Options{})
	require.Equal(t, "conforms", good.Verdict)
	require.NoError(t, VerifyCertificate(context.Background(), right, Options{}, good))
	require.Error(t, VerifyCertificate(context.Background(), wrong, Options{}, good))
	_, bad := certified(t, wrong, Options{})
	require.Equal(t, "violates", bad.Verdict)
	require.NoError(t, VerifyCertificate(context.Background(), wrong, Options{}, bad))
	require.Error(t, VerifyCertificate(context.Background(), right, Options{}, bad))
}

// TestForgedInductions: no invariants of a program show another one that violates the
// specification, however many layers are assumed; without those that are needed, they do not show their own.
func TestForgedInductions(t *testing.T) {
	ctx := context.Background()
	const spec = "S = (a -> S) + {b}.\nprogram main { specification s, {(1)}, S; }"
	for _, test := range []struct {
		text         string
		right, wrong int
	}{
		{`int main(void) { unsigned i = 0; while (__VERIFIER_nondet_int()) { i += 2; __MAGUS_ACTION__("a"); ` +
			`if (i == %d) __MAGUS_ACTION__("b"); } return 0; }`, 7, 8},
		{`int main(void) { int n = __VERIFIER_nondet_int(), i = 0, k = 0; while (i < n) { i++; k++; } ` +
			`while (n > 0) { if (k != n + %d) __MAGUS_ACTION__("b"); k--; n--; } return 0; }`, 0, 1},
		{`int main(void) { int x = 0; for (;;) { x = x == %d ? 0 : x + 1; if (x > 9) __MAGUS_ACTION__("b"); } }`, 9, 10},
	} {
		right, wrong := claimOf(t, fmt.Sprintf(test.text, test.right), spec),
			claimOf(t, fmt.Sprintf(test.text, test.wrong), spec)
		s, good := certified(t, right, Options{Loop: Loop{Engine: InductionEngine}})
		require.Equal(t, verdict.Conforms, s.outcome.Verdict)
		require.NotNil(t, good.Induction, test.text)
		require.NoError(t, VerifyCertificate(ctx, right, Options{}, good))
		forge := func(assumed int, keep func(i int) bool) *certificate.Certificate {
			fake, induction := *good, *good.Induction
			induction.Assumed, induction.CutPoints = assumed, nil
			for _, p := range good.Induction.CutPoints {
				var kept []int
				for i, inv := range p.Invariants {
					if keep(i) {
						kept = append(kept, inv)
					}
				}
				p.Invariants = kept
				induction.CutPoints = append(induction.CutPoints, p)
			}
			fake.Induction = &induction
			return &fake
		}
		var no *certificate.RefutedError
		for assumed := range 7 {
			for seed := range 8 {
				err := VerifyCertificate(ctx, wrong, Options{},
					forge(assumed, func(i int) bool { return seed == 0 || (i+seed)%3 > 0 }))
				require.ErrorAs(t, err, &no, "%s: %d layers", test.text, assumed)
			}
		}
		require.ErrorAs(t, VerifyCertificate(ctx, right, Options{}, forge(0, func(int) bool { return false })), &no)
		fewer := forge(0, func(int) bool { return true })
		fewer.Induction.CutPoints = fewer.Induction.CutPoints[1:]
		require.ErrorAs(t, VerifyCertificate(ctx, right, Options{}, fewer), &no)
	}
}

// TestForgedUnrollings: nothing shows that all runs are searched and allowed, where one
// is not, whatever the order and the number of layers; where all are, fewer layers do not
// show it.
func TestForgedUnrollings(t *testing.T) {
	ctx := context.Background()
	const spec = "S = (a -> STOP) + {b}.\nprogram main { specification s, {(1)}, S; }"
	orders := func(seed uint64, nodes []certificate.Node) []certificate.Node {
		all := slices.Clone(nodes)
		if seed == 0 {
			return all
		}
		rand.New(rand.NewPCG(seed, 4)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return all
	}
	for _, c := range []struct {
		text  string
		right bool
	}{
		{`int main(void) { int i; for (i = 0; i < 5; i++) if (i == 2) __MAGUS_ACTION__("a"); return 0; }`, true},
		{`int main(void) { int x = __VERIFIER_nondet_int(), n = 0; if (x < 0 || x > 4) return 1; ` +
			`while (x > 0) { x--; n++; } if (n > 4) __MAGUS_ACTION__("b"); return 0; }`, true},
		{`int main(void) { int i; for (i = 0; i < 5; i++) if (i == 4) __MAGUS_ACTION__("b"); return 0; }`, false},
		{`int main(void) { __MAGUS_ACTION__("a"); if (__VERIFIER_nondet_int()) __MAGUS_ACTION__("a"); return 0; }`, false},
		// its runs do not end within so many layers
		{`int main(void) { unsigned x = __VERIFIER_nondet_uint(); while (x > 0) x--; return 0; }`, false},
		{`int main(void) { for (;;) if (__VERIFIER_nondet_int()) __MAGUS_ACTION__("a"); }`, false},
	} {
		claim := claimOf(t, c.text, spec)
		s, err := NewSession(ctx, claim, Options{Loop: Loop{Engine: BoundedEngine, Bound: 8}})
		require.NoError(t, err)
		o := s.Run(ctx, nil)
		require.Equal(t, c.right, o.Verdict == verdict.Conforms, c.text)
		good := &certificate.Certificate{Claim: claim.Name, Verdict: "conforms"}
		s.searched = max(s.searched, 6)
		certifying{&s.state}.certifyRuns(good)
		accepted := 0
		for seed := range uint64(sample.Count(20)) {
			for layers := range 24 {
				fake := *good
				fake.Unrolled = &certificate.Unrolled{Layers: layers, Order: orders(seed, good.Unrolled.Order)}
				err := VerifyCertificate(ctx, claim, Options{}, &fake)
				var no *certificate.RefutedError
				switch {
				case err == nil:
					accepted++
					require.True(t, c.right, "%s: %d layers", c.text, layers)
				case !errors.As(err, &no):
					require.NoError(t, err)
				}
			}
		}
		require.Equal(t, c.right, accepted > 0, c.text)
		for _, order := range [][]certificate.Node{good.Unrolled.Order[1:],
			append(slices.Clone(good.Unrolled.Order), good.Unrolled.Order[0])} {
			fake := *good
			fake.Unrolled = &certificate.Unrolled{Layers: 6, Order: order}
			require.Error(t, VerifyCertificate(ctx, claim, Options{}, &fake))
		}
		s.Close()
	}
}

// TestRefusedVerdicts: what the checker refuses is not told, and what it accepts is told as checked.
func TestRefusedVerdicts(t *testing.T) {
	const c = "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0) __MAGUS_ACTION__(\"up\"); return 0; }"
	violating, _ := certified(t,
		claimOf(t, c, "S = (up -> up -> S | return {$0 == 0} -> STOP).\n"+
			"program main { specification s, {(1)}, S; }"), Options{})
	require.Equal(t, verdict.Violates, violating.outcome.Verdict)
	require.True(t, violating.outcome.Confirmation.Checked)
	run := *violating.taken[0].feasible.Run
	violating.taken[0].feasible.Run, run.Edges = &run, run.Edges[:1] // it goes no further
	violating.check(t.Context(), Ended{violating.outcome}, verdict.Violates)
	require.Equal(t, verdict.Unknown, violating.outcome.Verdict)
	require.Equal(t, verdict.Refused, violating.outcome.Reason.Kind)

	proved, _ := certified(t,
		claimOf(t, c, "S = (up -> R | return {$0 == 0} -> STOP), R = (return {$0 == 0} -> STOP).\n"+
			"program main { specification s, {(1)}, S; }"),
		Options{Loop: Loop{Engine: LoopEngine}})
	require.True(t, proved.outcome.Confirmation.Checked, proved.outcome.Confirmation.Why)
}
