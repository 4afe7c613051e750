package certificate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/component"
	"magus/internal/sample"
	"magus/lts"
	"magus/smt/expr"
)

// randomLoop is a program whose loop makes so many rounds of a few random assignments.
func randomLoop(r *rand.Rand, rounds int) string {
	var b strings.Builder
	b.WriteString("extern unsigned char __VERIFIER_nondet_uchar(void);\nint main(void) { " +
		"int x = 1; unsigned y = 2; signed char z = 3; unsigned char w = 0; int n = 0; ")
	fmt.Fprintf(&b, "while (n < %d) { ", rounds)
	names := []string{"x", "y", "z", "w"}
	for range 2 + r.IntN(4) {
		to, a, c := names[r.IntN(4)], names[r.IntN(4)], names[r.IntN(4)]
		switch r.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "%s = %s + %s; ", to, a, c)
		case 1:
			fmt.Fprintf(&b, "%s = %s < %s; ", to, a, c)
		case 2:
			fmt.Fprintf(&b, "%s = (signed char)(%s ^ %d) < %s; ", to, a, r.IntN(256), c)
		case 3:
			fmt.Fprintf(&b, "%s = %s * 3u - %s; ", to, a, c)
		case 4:
			fmt.Fprintf(&b, "%s = %s == %s; ", to, a, c)
		case 5:
			b.WriteString("w = __VERIFIER_nondet_uchar(); ")
		}
	}
	b.WriteString("n = n + 1; } return 0; }\n")
	return b.String()
}

// walked are the moves of a run, each made by itself, and where they lead. What is chosen is the same in all rounds.
func walked(t *testing.T, x *execution) (moves []Move) {
	t.Helper()
	for at := (Node{Kind: Start}); at.Kind != End; at = moves[len(moves)-1].To {
		made := false
		for _, s := range slices.Clone(x.prog.steps[at]) {
			m := Move{To: s.to}
			for _, a := range s.assign {
				if a.fresh && a.value.Type().Width == 8 {
					m.Set = append(m.Set, Value{a.to.Name(), uint64(200 + s.number%50)})
				}
			}
			if s.action != lts.Tau {
				m.Action = x.prog.comp.Actions.Name(s.action)
			}
			if _, err := x.move(at, &m); err == nil {
				moves, made = append(moves, m), true
				break
			}
		}
		if !made {
			return moves
		}
	}
	return moves
}

// Rounds that are made at once have the values that their moves have one by one, and as many are made as there are.
func TestRoundsAreTheirMoves(t *testing.T) {
	compared := 0
	for seed := range sample.Seeds(1, sample.Count(24)) {
		r := rand.New(rand.NewPCG(seed, 5))
		rounds := 2 + r.IntN(6)
		text := randomLoop(r, rounds)
		prog, err := source.Parse(t.Context(), []source.Source{{Name: "p.c", Text: []byte(text)}}, source.Options{})
		require.NoError(t, err, text)
		auto := lowered(t, prog, "main", lower.Options{})
		require.NotNil(t, auto, text)
		program := newProgram(&component.Component{Name: "main", CFA: auto, Actions: lts.NewActions()})
		begun := func() *execution {
			x, err := (&Run{}).begin(program)
			require.NoError(t, err)
			return x
		}
		single := begun()
		moves := walked(t, single)
		visits := map[Node][]int{} // by control point: how many moves lead there
		for i, m := range moves {
			visits[m.To] = append(visits[m.To], i+1)
		}
		for head, at := range visits {
			if len(at) < rounds || at[1]-at[0] < 3 {
				continue
			}
			from, behind := at[0], at[len(at)-1]
			m := Move{To: head, Times: uint64(len(at) - 1), Round: moves[from:at[1]]}
			together := begun()
			place := Node{Kind: Start}
			for i := range moves[:from] {
				_, err := together.move(place, &moves[i])
				require.NoError(t, err)
				place = moves[i].To
			}
			before := maps.Clone(together.values)
			require.NoError(t, together.rounds(t.Context(), place, &m), text)
			for i := range moves[behind:] {
				_, err := together.move(place, &moves[behind+i])
				require.NoError(t, err, text)
				place = moves[behind+i].To
			}
			for _, v := range auto.Vars {
				require.Equal(t, single.values[v.Expr], together.values[v.Expr], "%s\n%s", v.Name, text)
			}
			compared++
			together.values = before
			m.Times += uint64(rounds) // the loop ends sooner
			require.ErrorContains(t, together.rounds(t.Context(), moves[from-1].To, &m), "is not made", text)
			refusedRounds(t, begun(), place, head, m)
		}
	}
	require.GreaterOrEqual(t, compared, sample.Count(24))
}

// refusedRounds requires that no rounds are made that are not from a control point back to it.
func refusedRounds(t *testing.T, x *execution, other, head Node, m Move) {
	t.Helper()
	for what, change := range map[string]func(*Move){
		"none":      func(m *Move) { m.Times = 0 },
		"no moves":  func(m *Move) { m.Round = nil },
		"an action": func(m *Move) { m.Action = "a" },
		"a value":   func(m *Move) { m.Set = []Value{{"n", 1}} },
		"elsewhere": func(m *Move) { m.To = other },
		"no end":    func(m *Move) { m.Round = m.Round[:len(m.Round)-1] },
		"a gap":     func(m *Move) { m.Round = slices.Delete(slices.Clone(m.Round), 0, 1) },
		"a choice that is none": func(m *Move) {
			m.Round = slices.Clone(m.Round)
			m.Round[0].Set = []Value{{"n", 1}}
		},
	} {
		forged := m
		change(&forged)
		var no *RefutedError
		require.ErrorAs(t, x.rounds(t.Context(), head, &forged), &no, what)
	}
}

// A term of which a function is made has the value that it has.
func TestTermsAsFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(sample.Seed(1), 3))
	pool := expr.NewPool()
	edges := []uint64{0, 1, 2, 127, 128, 255, 1 << 31, 1<<31 - 1, ^uint64(0)}
	for _, typ := range []expr.Type{expr.Int8, expr.Uint8, expr.Int32, expr.Uint32, expr.Int64, expr.Uint64} {
		a, b := pool.Var("a"+typ.String(), typ), pool.Var("b"+typ.String(), typ)
		for range sample.Count(40) {
			x, y := a, pool.Add(pool.Mul(a, b), pool.Const(typ, typ.Trunc(edges[r.IntN(len(edges))])))
			if r.IntN(2) == 0 {
				x, y = pool.Add(x, b), pool.Add(b, pool.Const(typ, typ.Trunc(edges[r.IntN(len(edges))])))
			}
			for _, e := range []*expr.Expr{pool.Add(x, y), pool.Lt(x, y), pool.Lt(y, x), pool.Eq(x, y), pool.Not(pool.Lt(x, y))} {
				l := layout{at: map[*expr.Expr]int{}}
				f := l.term(e)
				vals := make([]uint64, len(l.vars))
				for i := range vals {
					vals[i] = typ.Trunc(edges[r.IntN(len(edges))])
				}
				require.Equal(t, expr.Eval(e, func(v *expr.Expr) uint64 { return vals[l.at[v]] }), f(vals), "%v of %v", e, vals)
			}
		}
	}
}
