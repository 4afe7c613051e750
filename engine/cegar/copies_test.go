package cegar

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/evidence/verdict"
	"magus/internal/sample"
)

// programOf writes a random procedure: act writes an action of it.
type programOf struct {
	r   *rand.Rand
	act func(name string) string
	of  string // its actions, a letter each
}

func (p programOf) text(name string) string {
	return fmt.Sprintf("void %s(void) { int v = %d; %s }\n", name, p.r.Intn(3), p.block(3))
}

func (p programOf) block(depth int) string {
	var b strings.Builder
	for range 1 + p.r.Intn(3) {
		b.WriteString(p.statement(depth))
	}
	return b.String()
}

func (p programOf) statement(depth int) string {
	action := func() string { return p.act(string(p.of[p.r.Intn(len(p.of))])) }
	if depth == 0 {
		return action()
	}
	conditions := []string{"v == 0", "v == 1", "v < 2", "__VERIFIER_nondet_int()"}
	cond := conditions[p.r.Intn(len(conditions))]
	switch p.r.Intn(8) {
	case 0:
		return fmt.Sprintf("if (%s) { %s } else { %s } ", cond, p.block(depth-1), p.block(depth-1))
	case 1:
		return fmt.Sprintf("while (%s) { %s } ", cond, p.block(depth-1))
	case 2:
		return fmt.Sprintf("v = %d; ", p.r.Intn(3))
	case 3:
		return "if (v < 3) v = v + 1; "
	case 4:
		return fmt.Sprintf("if (%s) return; ", cond)
	}
	return action()
}

// specOf writes a random process over actions, each written by act.
func specOf(r *rand.Rand, act func(name string) string) string {
	n := 1 + r.Intn(3)
	var defs []string
	for s := range n {
		var branches []string
		for _, a := range "abc" {
			if r.Intn(4) > 0 {
				branches = append(branches, fmt.Sprintf("%s -> S%d", act(string(a)), r.Intn(n)))
			}
		}
		body := "STOP"
		if branches != nil {
			body = "( " + strings.Join(branches, " | ") + " )"
		}
		defs = append(defs, fmt.Sprintf("S%d = %s", s, body))
	}
	return strings.Join(defs, ",\n") + "."
}

// intrinsic performs an action.
func intrinsic(name string) string { return fmt.Sprintf("__MAGUS_ACTION__(%q); ", name) }

// randomQuestion is a random program of a worker and a server, in the words of the claim:
// "worker*, server".
func randomQuestion(seed int64, components string) (c, spec string) {
	r := rand.New(rand.NewSource(seed))
	c = programOf{r, intrinsic, "ab"}.text("worker") +
		programOf{r, intrinsic, []string{"a", "abc", "bc"}[r.Intn(3)]}.text("server")
	guards := strings.Repeat(", (1)", strings.Count(components, ","))
	return c, specOf(r, func(a string) string { return a }) +
		fmt.Sprintf("\nprogram %s { specification s, {(1)%s}, S0; }", components, guards)
}

// writtenOut is the same question for two workers, as an ordinary program of three
// components: the actions of each worker are its own, and the server and the
// specification perform either.
func writtenOut(seed int64) (c, spec string) {
	r := rand.New(rand.NewSource(seed))
	worker := programOf{r, func(a string) string { return "ACT_" + a + "; " }, "ab"}.text("worker")
	of := []string{"a", "abc", "bc"}[r.Intn(3)]
	either := func(a string) string {
		if a == "c" {
			return intrinsic(a)
		}
		return fmt.Sprintf("if (__VERIFIER_nondet_int()) { %s} else { %s} ", intrinsic(a+"1"), intrinsic(a+"2"))
	}
	server := programOf{r, either, of}.text("server")
	for _, k := range []string{"1", "2"} {
		own := strings.NewReplacer("ACT_a; ", intrinsic("a"+k), "ACT_b; ", intrinsic("b"+k), "worker", "worker"+k)
		c += own.Replace(worker)
	}
	spec = specOf(r, func(a string) string {
		if a == "c" {
			return a
		}
		return "{" + a + "1, " + a + "2}"
	})
	return c + server, spec + "\nprogram worker1, worker2, server { specification s, {(1), (1), (1)}, S0; }"
}

func decided(t *testing.T, c, spec string, opt Options) *verdict.Outcome {
	s, err := NewSession(context.Background(), claimOf(t, c, spec), opt)
	require.NoError(t, err, "%s\n%s", c, spec)
	defer s.Close()
	o := s.Run(context.Background(), nil)
	require.NotEqual(t, verdict.Fault, o.Reason.Kind, "%s\n%s\n%v", c, spec, o.Reason)
	return o
}

// TestRandomCopies: the verdict for any number of workers is that for some number of
// them, and the ordinary program of two workers with actions of their own has the
// verdict of two copies.
func TestRandomCopies(t *testing.T) {
	seeds := sample.Count(40)
	seen := map[verdict.Verdict]int{}
	most := 0
	for s := range sample.Seeds(10, seeds) {
		seed := int64(s)
		components := []string{"worker%s, server", "worker%s", "server, worker%s"}[seed%3]
		opt, upTo := Options{Loop: Loop{Check: seed%4 == 0}}, 4
		if seed%5 == 0 {
			opt.ActionAbstraction, upTo = Off, 2 // without level two products are large
		}
		ask := func(copies string) *verdict.Outcome {
			c, spec := randomQuestion(seed, fmt.Sprintf(components, copies))
			return decided(t, c, spec, opt)
		}
		any, name := ask("*"), fmt.Sprintf("seed %d", seed)
		seen[any.Verdict]++
		worst := verdict.Conforms
		for n := 1; n <= upTo; n++ {
			some := ask(fmt.Sprintf("*%d", n))
			if some.Verdict == verdict.Violates && worst == verdict.Conforms {
				worst = some.Verdict
			}
			if any.Verdict == verdict.Conforms {
				require.Equal(t, verdict.Conforms, some.Verdict, "%s, %d copies", name, n)
			}
			require.False(t, worst == verdict.Violates && some.Verdict == verdict.Conforms, "%s: more copies do less", name)
			if n == 2 && seed%3 == 0 {
				c, spec := writtenOut(seed)
				require.Equal(t, decided(t, c, spec, Options{}).Verdict, some.Verdict, name)
			}
		}
		if any.Verdict != verdict.Violates {
			require.Equal(t, any.Verdict, worst, name)
			continue
		}
		require.True(t, worst == verdict.Violates || len(any.Run.Components) > upTo, name)
		n := 0
		for _, c := range any.Run.Components {
			if strings.HasPrefix(c, "worker#") {
				n++
			}
		}
		most = max(most, n)
		require.Equal(t, verdict.Violates, ask(fmt.Sprintf("*%d", n)).Verdict, "%s, %d copies", name, n)
	}
	t.Log(seen, "most copies", most)
	if !sample.Whole() {
		return
	}
	require.Greater(t, seen[verdict.Conforms], seeds/10)
	require.Greater(t, seen[verdict.Violates], seeds/10)
	require.Zero(t, seen[verdict.Unknown])
	require.Greater(t, most, 1)
}
