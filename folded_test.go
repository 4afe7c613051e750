package magus_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/internal/sample"
)

// A looping makes programs of loops that add constants.
type looping struct {
	*rand.Rand
	open bool // the program asks for values
}

func (l *looping) pick(words ...string) string { return words[l.IntN(len(words))] }

// loop is one loop over a and b.
func (l *looping) loop() string {
	n, s, k := 200+l.IntN(2000), 1+l.IntN(3), 1+l.IntN(5)
	m := l.IntN(n)
	switch l.IntN(12) {
	case 11:
		return fmt.Sprintf("a = count(%d, %d); b += count(a, b);", n, s-2)
	case 0:
		return fmt.Sprintf("while (a < %d) a += %d;", n, s)
	case 1:
		return fmt.Sprintf("a = %d; while (a > %d) { a -= %d; b += %d; }", n, l.IntN(9), s, k)
	case 2:
		return fmt.Sprintf("for (int i = 0; i < %d; i++) { a += %d; b -= %d; }", n, s, k)
	case 3:
		return fmt.Sprintf("a = 0; while (a != %d) a += %d;", n*s, s)
	case 4:
		return fmt.Sprintf("while (a < %d) { if (a < %d) a += %d; else { a += %d; b++; } }", n, m, s, k)
	case 5:
		return fmt.Sprintf("for (short i = %d; i > 0; i -= %d) { for (int j = 0; j < %d; j++) b += %d; a++; }", n, s, k, s)
	case 6:
		return fmt.Sprintf("for (unsigned char i = 0; i < %d; i++) a = add(a);", n%250)
	case 7:
		l.open = true
		return fmt.Sprintf("for (int i = 0; i < %d && __VERIFIER_nondet_int() > %d; i++) { a += %d; b += %d; }", 2*n, m, s, k)
	case 8:
		return fmt.Sprintf("do { a += %d; b = a; } while (a < %d);", s, n)
	case 9:
		return fmt.Sprintf("for (long i = 0; i < %d; i++) { a += %d; if (a == %d) { b += %d; "+
			"if (b > %d) reach_error(); } }", n, s, m, k, k+l.IntN(3))
	}
	l.open = true
	return fmt.Sprintf("{ unsigned n = __VERIFIER_nondet_uint(); for (unsigned i = 0; i < n && i < %d; i++) { "+
		"a += %d; if (i == %d) break; b += __VERIFIER_nondet_int() == 3 ? 2 : 1; } }", n, s, m)
}

// program is one with one or two loops, in a function or in main.
func (l *looping) program() string {
	types := []string{"unsigned", "int", "unsigned long", "long", "short", "unsigned char"}
	loops := l.loop()
	if l.IntN(2) == 0 {
		loops += "\n\t" + l.loop()
	}
	check := fmt.Sprintf("if (a %% %d == %d) reach_error();", 2+l.IntN(2), l.IntN(2))
	if l.IntN(2) == 0 {
		check = fmt.Sprintf("if (a + b %s %d) reach_error();", l.pick(">", "<"), l.IntN(300)-50)
	}
	return fmt.Sprintf(`extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
%s a; %s b;
static int add(int x) { return x + %d; }
static int count(int n, long by) { int s = 0; for (int i = 0; i < n; i++) s += by; return s; }
static void run(void)
{
	%s
}
int main(void)
{
	a = %d; b = %d;
	run();
	%s
	return 0;
}
`, l.pick(types...), l.pick(types...), 1+l.IntN(3), loops, l.IntN(5), l.IntN(5), check)
}

// TestFoldedRuns: violations of which rounds of loops are left out are those that are written out: the same
// programs have one, the last values and the number of steps are the same where the program decides all, and
// the certificate is one.
func TestFoldedRuns(t *testing.T) {
	programs := sample.Count(10)
	rounds, violated := 0, 0
	for seed := range sample.Seeds(0, programs) {
		l := &looping{Rand: rand.New(rand.NewPCG(seed, 16))}
		text := l.program()
		opt := magus.Options{Loop: magus.Loop{Engine: cegar.BoundedEngine, FirstShare: 1, MaxIterations: 14, MaxStates: 3000}}
		want := ofProgram(t, text, opt)
		opt.Loop.Written = 1
		o := ofProgram(t, text, opt)
		require.Equal(t, want.Verdict, o.Verdict, "seed %d: %v, %v\n%s", seed, want.Reason, o.Reason, text)
		if o.Verdict != magus.Violates {
			continue
		}
		violated++
		if strings.Contains(fmt.Sprint(o.Run.Steps), "more rounds") {
			rounds++
		}
		if !l.open {
			steps, last := endOf(want.Run)
			folded, values := endOf(o.Run)
			require.Equal(t, steps, folded, text)
			require.Equal(t, last, values, text)
		}
	}
	t.Log(rounds, "of", violated, "violations have rounds that are left out")
	if !sample.Whole() {
		return
	}
	require.Greater(t, 4*rounds, violated)
	require.Greater(t, 5*violated, programs)
}

// endOf is how many steps a run has, and the last value of each variable.
func endOf(run *magus.Run) (steps uint64, last map[string]string) {
	last = map[string]string{}
	for _, s := range run.Steps {
		if steps++; s.Rounds != nil {
			steps += s.Rounds.Steps - 1
		}
		for _, v := range s.Values {
			last[v.Name] = v.Value
		}
	}
	return steps, last
}

// ofProgram is the outcome of a program, whose certificate is checked.
func ofProgram(t *testing.T, text string, opt magus.Options) *magus.Outcome {
	t.Helper()
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(text)}},
		Options: source.Options{Model: cfa.LP64}})
	require.NoError(t, err, text)
	claim, err := p.Property(magus.Property{})
	require.NoError(t, err)
	s, err := magus.NewLoop(t.Context(), claim, opt)
	require.NoError(t, err, text)
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := 0
	o := s.Run(ctx, func(cegar.Event) {
		if events++; events > 5 { // what is not decided by then takes long
			cancel()
		}
	})
	if o.Verdict == magus.Violates {
		cert, err := s.Certificate(t.Context())
		require.NoError(t, err)
		cert, err = readAgain(cert)
		require.NoError(t, err, text)
		require.NoError(t, cegar.VerifyCertificate(context.Background(), claim, cegar.Options{}, cert), text)
	}
	return o
}

// TestOtherRoundsAreRefused: the checker makes the rounds of a certificate, and refuses what the program does not do.
func TestOtherRoundsAreRefused(t *testing.T) {
	sample.Long(t)
	const text = `extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
		int main(void) { unsigned x = 0; while (x < 3000000) { int n = __VERIFIER_nondet_int(); if (n == 5) x++; else x += 3; } if (x == 3000002) reach_error(); return 0; }`
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(text)}},
		Options: source.Options{Model: cfa.LP64}})
	require.NoError(t, err)
	claim, err := p.Property(magus.Property{})
	require.NoError(t, err)
	for _, c := range []struct {
		name  string
		spoil func(m *certificate.Move)
		want  string
	}{
		{"as it is", func(*certificate.Move) {}, ""},
		{"one more", func(m *certificate.Move) { m.Times++ }, "cannot go from"},
		{"one less", func(m *certificate.Move) { m.Times-- }, "cannot go from"},
		{"many more", func(m *certificate.Move) { m.Times *= 2 }, "is not made"},
		{"no rounds", func(m *certificate.Move) { m.Times = 0 }, "are no rounds"},
		{"half a round", func(m *certificate.Move) { m.Round = m.Round[:1] }, "are no rounds"},
		{"from elsewhere", func(m *certificate.Move) { m.To.Loc++ }, "are no rounds"},
		{"an action", func(m *certificate.Move) { m.Action = "error" }, "are no rounds"},
		{"other values", func(m *certificate.Move) { each(m, func(v *certificate.Value) { v.Bits = 5 - v.Bits }) },
			"is not made"},
		{"values of others", func(m *certificate.Move) { each(m, func(v *certificate.Value) { v.Var = "main.x" }) },
			"do not leave open"},
		{"another way", func(m *certificate.Move) { m.Round[0].To.Loc += 50 }, "no round of a loop goes"},
	} {
		s, err := cegar.NewSession(t.Context(), claim,
			cegar.Options{Loop: cegar.Loop{Engine: cegar.BoundedEngine, FirstShare: 1}})
		require.NoError(t, err)
		require.Equal(t, magus.Violates, s.Run(t.Context(), nil).Verdict)
		cert, err := s.Certificate(t.Context())
		require.NoError(t, err)
		s.Close()
		i := slices.IndexFunc(cert.Runs[0].Moves, func(m certificate.Move) bool { return m.Times > 0 })
		require.Positive(t, i)
		c.spoil(&cert.Runs[0].Moves[i])
		err = cegar.VerifyCertificate(t.Context(), claim, cegar.Options{}, cert)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		var refused *certificate.RefutedError
		require.ErrorAs(t, err, &refused, c.name)
		require.Contains(t, refused.Reason, c.want, c.name)
	}
}

// each changes the values that a round sets.
func each(m *certificate.Move, change func(*certificate.Value)) {
	for i := range m.Round {
		for k := range m.Round[i].Set {
			change(&m.Round[i].Set[k])
		}
	}
}
