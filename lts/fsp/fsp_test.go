package fsp

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/lts"
	"magus/lts/assertion"
)

// small builds an LTS from transitions "0 a 1, 1 b 0"; "ERROR 2" marks a state, and "+ c" adds an action.
func small(t *testing.T, table *lts.Actions, text string) *lts.LTS {
	b, states := lts.NewBuilder(table), 1
	var marks []lts.State
	for item := range strings.SplitSeq(text, ",") {
		var from, to int
		var action string
		switch words := strings.Fields(item); {
		case len(words) == 0:
		case words[0] == "ERROR":
			_, err := fmt.Sscan(words[1], &to)
			require.NoError(t, err)
			marks = append(marks, lts.State(to))
		case words[0] == "+":
			for _, name := range words[1:] {
				b.Alphabet(table.Intern(name))
			}
		default:
			_, err := fmt.Sscan(item, &from, &action, &to)
			require.NoError(t, err, item)
			states = max(states, from+1, to+1)
			b.AddEdge(lts.State(from), table.Intern(action), lts.State(to))
		}
	}
	b.AddStates(states)
	for _, s := range marks {
		b.SetError(s)
	}
	return b.Build()
}

// A process is strongly bisimilar to an LTS that was made by hand, and has its alphabet.
func TestMeaning(t *testing.T) {
	tests := []struct{ name, text, process, want string }{
		{"prefix", "P = (a -> b -> P).", "P", "0 a 1, 1 b 0"},
		{"choice", "P = (a -> STOP | b -> P | c -> ERROR).", "P", "0 a 1, 0 b 0, 0 c 2, ERROR 2"},
		{"property of a formula", "fluent In = <enter, leave> ltl_property P = [](enter -> X !enter)", "P",
			"0 enter 1, 1 enter 2, ERROR 2"},
		{"property of a fluent", "fluent In = <in, out> ltl_property P = [](go -> In)", "P",
			"0 go 1, 0 in 2, 0 out 0, 2 go 2, 2 in 2, 2 out 0, ERROR 1"},
		{"constraint", "constraint C = [](ask -> X tell)", "C", "0 ask 1, 0 tell 0, 1 tell 0"},
		{"constraint beside a process", "constraint C = (!b) W a P = (a -> b -> P | b -> P). ||S = (P || C).", "S",
			"0 a 1, 1 b 2, 2 a 1, 2 b 2"},
		{"choice inside", "P = (a -> (b -> P | c -> STOP)).", "P", "0 a 1, 1 b 0, 1 c 2"},
		{"nondeterminism", "P = (a -> P | a -> STOP).", "P", "0 a 0, 0 a 1"},
		{"set of actions", "P = ({a, b} -> c -> P).", "P", "0 a 1, 0 b 1, 1 c 0"},
		{"points", "P = (a.b -> {c, d}.e -> P).", "P", "0 a.b 1, 1 c.e 0, 1 d.e 0"},
		{"index", "P = (a[1] -> b[2][3] -> P).", "P", "0 a.1 1, 1 b.2.3 0"},
		{"index as it is printed", "P = (a.1 -> b.2.c -> P).", "P", "0 a.1 1, 1 b.2.c 0"},
		{"index alone", "P = ([1] -> [2].x -> P).", "P", "0 1 1, 1 2.x 0"},
		{"range", "P = (a[i:0..1] -> b[i + 1] -> P).", "P", "0 a.0 1, 0 a.1 2, 1 b.1 0, 2 b.2 0"},
		{"range without variable", "range R = 1..2 P = (a[R] -> P).", "P", "0 a.1 0, 0 a.2 0"},
		{"constants in any order", "range R = 0..N const N = M - 1 const M = 2 P = (a[R] -> P).", "P", "0 a.0 0, 0 a.1 0"},
		{"variable in one label", "P = (a[i:1..2].b[i * i] -> P).", "P", "0 a.1.b.1 0, 0 a.2.b.4 0"},
		{"values of labels", "set S = {red, blue} P = (in[x:S] -> out[x] -> P).", "P",
			"0 in.red 1, 0 in.blue 2, 1 out.red 0, 2 out.blue 0"},
		{"labels compared", "P = (in[x:{red, blue}] -> if (x == 'red) then P else STOP).", "P", "0 in.red 0, 0 in.blue 1"},
		{"set with points", "set S = {[1..2].x} P = (a[v:S] -> b[v] -> P).", "P",
			"0 a.1.x 1, 0 a.2.x 2, 1 b.1.x 0, 2 b.2.x 0"},
		{"set without another", "set S = {a, b, c} \\ {b} P = (S -> P).", "P", "0 a 0, 0 c 0"},
		{"set in a set", "set S = {a} set T = {S, b, S.c} P = (T -> P).", "P", "0 a 0, 0 b 0, 0 a.c 0"},
		{"count and element", "set S = {x, y} P = (n[#S] -> m[@(S, 1)] -> P).", "P", "0 n.2 1, 1 m.y 0"},
		{"guard", "P = C[0], C[i:0..2] = (when (i < 2) up -> C[i + 1] | when (i > 0 && i != 5) down -> C[i - 1]).", "P",
			"0 up 1, 1 up 2, 2 down 1, 1 down 0"},
		{"guard is about one choice", "P = (when (0) a -> P | b -> P).", "P", "0 b 0"},
		{"false guards are not in the alphabet", "P = (when (1 > 2) a -> P | b -> P). ||Q = (P || R). R = (a -> R).",
			"Q", "0 a 0, 0 b 0"},
		{"names with several numbers of indices",
			"P = (a -> P[1]), P[i:1..2] = (b -> P[i][2]), P[i:1..2][j:1..2] = (c -> P).", "P",
			"0 a 1, 1 b 2, 2 c 0"},
		{"local process is another", "P = Q, Q = R[1], R[i:0..1] = (a -> Q).", "P", "0 a 0"},
		{"undeclared index is ERROR", "P = C[0], C[i:0..1] = (up -> C[i + 1]).", "P", "0 up 1, 1 up 2, ERROR 2"},
		{"if", "P(N = 1) = (a -> if (N > 0) then (b -> P) else STOP).", "P", "0 a 1, 1 b 0"},
		{"if without else", "P = (a -> if (0) then P).", "P", "0 a 1"},
		{"if at the start", "P(N = 0) = if N == 0 then Q else STOP, Q = (a -> P).", "P", "0 a 0"},
		{"parameter", "P(N = 1) = (a[N] -> P). ||Q = P(3).", "Q", "0 a.3 0"},
		{"parameters have values", "P(N = 2, M = N + 1) = (a[N][M] -> P).", "P", "0 a.2.3 0"},
		{"parameter is a label", "P(X = 'x) = ([X] -> P). ||Q = P('y).", "Q", "0 y 0"},
		{"arguments from outside", "P(N = 1) = (a[N] -> P).", "P(2 + 2)", "0 a.4 0"},
		{"sequence", "P = (a -> END). Q = (b -> END). S = P; Q; S.", "S", "0 a 1, 1 b 0"},
		{"sequence in a choice", "P(I = 0) = (a[I] -> END). Q = (x[i:0..1] -> P(i); Q | e -> END).", "Q",
			"0 x.0 1, 0 x.1 2, 1 a.0 0, 2 a.1 0, 0 e 3"},
		{"sequence with END alone", "E = END. P = (a -> E; E; P).", "P", "0 a 0"},
		{"sequence with several ends", "P = (a -> END | b -> c -> END). Q = P; R, R = (d -> STOP).", "Q",
			"0 a 1, 0 b 2, 2 c 1, 1 d 3"},
		{"alphabet extension", "P = (a -> P) + {b, c[0..1]}.", "P", "0 a 0, + b c.0 c.1"},
		{"alphabet of what is not reachable", "P = (a -> P), Q = (b -> P).", "P", "0 a 0, + b"},
		{"relabelling", "P = (a -> b -> P) / {x/a, y.z/b}.", "P", "0 x 1, 1 y.z 0"},
		{"relabelling to several", "P = (a -> P) / {{x, y}/a}.", "P", "0 x 0, 0 y 0"},
		{"relabelling several to one", "P = (a -> b -> P) / {x/{a, b}}.", "P", "0 x 0"},
		{"relabelling begins with", "P = (a.b -> a.c[1] -> d -> P) / {x/a, y/a.c}.", "P", "0 x.b 1, 1 y.1 2, 2 d 0"},
		{"relabelling with ranges", "P = (a[0..1] -> P) / {forall [i:0..1] {b[i + 1]/a[i]}}.", "P", "0 b.1 0, 0 b.2 0"},
		{"relabelling binds", "P = (a[0..1] -> P) / {b[i:0..1]/a[i]}.", "P", "0 b.0 0, 0 b.1 0"},
		{"hiding", "P = (a -> b.c -> d -> P) \\ {b, d}.", "P", "0 a 1, 1 tau 2, 2 tau 0"},
		{"showing", "P = (a -> b.c -> d -> P) @ {b}.", "P", "0 tau 1, 1 b.c 2, 2 tau 0"},
		{"minimal", "minimal P = (a -> b -> c -> P) \\ {b}.", "P", "0 a 1, 1 c 0"},
		{"deterministic", "deterministic P = (a -> b -> STOP | a -> c -> STOP).", "P", "0 a 1, 1 b 2, 1 c 2"},
		{"property", "property P = (a -> b -> P).", "P", "0 a 1, 1 b 0, 0 b 2, 1 a 2, ERROR 2"},
		{"property with more in its alphabet", "property P = (a -> STOP) + {c}.", "P", "0 a 1, 0 c 2, 1 a 2, 1 c 2, ERROR 2"},
		{"property of processes", "P = (a -> STOP). property ||Q = P.", "Q", "0 a 1, 1 a 2, ERROR 2"},
		{"composition", "P = (a -> s -> P). Q = (s -> b -> Q). ||R = (P || Q).", "R",
			"0 a 1, 1 s 2, 2 a 3, 2 b 0, 3 b 1"},
		{"labels", "P = (a -> P). ||Q = (x:P || y.z:P).", "Q", "0 x.a 0, 0 y.z.a 0"},
		{"set of labels", "P = (a -> P). ||Q = {x, y}:P.", "Q", "0 x.a 0, 0 y.a 0"},
		{"labels bind", "P(I = 0) = (a[I] -> P). ||Q = (p[i:1..2]:P(i)).", "Q", "0 p.1.a.1 0, 0 p.2.a.2 0"},
		{"indices as labels", "P = (a -> P). ||Q = [1..2]:P.", "Q", "0 1.a 0, 0 2.a 0"},
		{"sharing", "P = (a -> b -> P). ||Q = {x, y}::P.", "Q", "0 x.a 1, 0 y.a 1, 1 x.b 0, 1 y.b 0"},
		{"sharing and label", "P = (a -> P). ||Q = {x, y}::l:P.", "Q", "0 x.l.a 0, 0 y.l.a 0"},
		{"a resource for several", "R = (get -> put -> R). U = (get -> put -> U). ||S = ({a, b}:U || {a, b}::R).", "S",
			"0 a.get 1, 0 b.get 2, 1 a.put 0, 2 b.put 0"},
		{"forall", "P(I = 0) = (a[I] -> P). ||Q = forall [i:0..1] P(i).", "Q", "0 a.0 0, 0 a.1 0"},
		{"forall twice", "P = (a -> P). ||Q = forall [i:0..1][j:0..0] p[i][j]:P.", "Q", "0 p.0.0.a 0, 0 p.1.0.a 0"},
		{"if between processes", "P = (a -> P). Q = (b -> Q). ||R(N = 1) = if (N > 1) then P else Q. ||S = R(2).",
			"S", "0 a 0"},
		{"nothing composed", "P = (a -> P). ||Q = if (0) then P.", "Q", ""},
		{"composition of itself", "P = (a -> P). ||C(N = 3) = if (N == 0) then P else p[N]:C(N - 1).", "C",
			"0 p.3.p.2.p.1.a 0"},
		{"relabelling of each makes shared", "P = (a -> P). Q = (b -> c -> Q). ||R = (P || Q) / {x/a, x/b}.",
			"R", "0 x 1, 1 c 0"},
		{"relabelling of a composition makes one of two",
			"P = (a -> STOP). Q = (b -> STOP). ||R = (P || Q). ||S = R / {x/a, x/b}.", "S", "0 x 1, 1 x 2"},
		{"relabelling inside", "P = (a -> P). ||R = (P / {x/a} || P / {y/a}).", "R", "0 x 0, 0 y 0"},
		{"what is hidden is not shared", "P = (a -> STOP) \\ {a}. ||R = (P || Q). Q = (a -> STOP).", "R",
			"0 tau 1, 0 a 2, 1 a 3, 2 tau 3"},
		{"high priority", "P = (a -> P | b -> P | c -> STOP). ||Q = P << {b}.", "Q", "0 b 0, + a c"},
		{"high priority leaves others alone", "P = (a -> b -> P). ||Q = P << {b}.", "Q", "0 a 1, 1 b 0"},
		{"low priority", "P = (a -> P | b -> STOP). ||Q = P >> {b}.", "Q", "0 a 0, + b"},
		{"τ comes before low priority", "P = (h -> P | b -> STOP) \\ {h}. ||Q = P >> {b}.", "Q", "0 tau 0, + b"},
		{"τ does not come before what has none", "P = (h -> P | b -> STOP) \\ {h}. ||Q = P << {b}.", "Q", "0 b 1"},
		{"hiding after priority", "P = (a -> P | b -> STOP). ||Q = P >> {a} \\ {b}.", "Q", "0 tau 1, + a"},
		{"ERROR of one is that of all", "P = (a -> ERROR). Q = (b -> Q). ||R = (P || Q).", "R", "0 b 0, 0 a 1, ERROR 1"},
		{"a property in a composition", "P = (a -> b -> P). property M = (b -> a -> M). ||R = (P || M).", "R",
			"0 a 1, ERROR 1, + b"},
		{"menus are passed over", "menu RUN = {a, b} P = (a -> P).", "P", "0 a 0"},
		{"expressions", "P = (a[1 + 2 * 3][(1 + 2) * 3][7 / 2 % 2][1 << 3 >> 1][6 & 3 | 8 ^ 1] -> b[-1 + " +
			"2][!0][1 == 1][2 <= 1 || 1 >= 1] -> P).", "P",
			"0 a.7.9.1.4.11 1, 1 b.1.1.1.1 0"},
		{"comments", "/* a */ P // b\n= (a -> P). // c", "P", "0 a 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, err := Parse("test.lts", []byte(test.text))
			require.NoError(t, err)
			table := lts.NewActions()
			got, err := f.LTS(context.Background(), test.process, table, lts.Limits{})
			require.NoError(t, err)
			want := small(t, table, test.want)
			require.Equal(t, alphabet(want), alphabet(got))
			require.Equal(t, want.HasError(), got.HasError())
			c, err := lts.Compare(context.Background(), got, want, lts.StrongBisim, lts.Limits{})
			require.NoError(t, err)
			require.True(t, c.Holds, "%v\n%v\n%v", got, want, c.Explanation)
		})
	}
}

func alphabet(m *lts.LTS) []string {
	names := append([]string{}, m.Actions().Names(m.Alphabet())...)
	slices.Sort(names)
	return names
}

// A process that is minimal and ends can be gone on from.
func TestSequenceAfterMinimisation(t *testing.T) {
	f, err := Parse("test.lts",
		[]byte("minimal P = (a -> b -> END) \\ {b}. Q = P; Q. deterministic D = (a -> END | a -> b -> END). R = D; R."))
	require.NoError(t, err)
	for process, want := range map[string]string{"Q": "0 a 0", "R": "0 a 0, 0 a 1, 1 b 0"} {
		table := lts.NewActions()
		got, err := f.LTS(context.Background(), process, table, lts.Limits{})
		require.NoError(t, err)
		c, err := lts.Compare(context.Background(), got, small(t, table, want), lts.WeakTraceEq, lts.Limits{})
		require.NoError(t, err)
		require.True(t, c.Holds, "%v\n%v", got, c.Explanation)
	}
}

// What is wrong is said with its place.
func TestMistakes(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"P = (a -> P)", "1:13: expected '.' at the end of the process P, found the end of the file"},
		{"P = (a P).", "1:8: expected '->' after an action, found P"},
		{"P = (a -> b).", "1:12: expected '->' after an action, found )"},
		{"P = (A -> P).", "1:6: expected an action; A is no set, and actions begin with a small letter"},
		{"P = (tau -> P).", "1:6: tau is what cannot be seen; no action has that name"},
		{"p = (a -> p).", "1:1: expected a definition, found p"},
		{"P = (a -> P). P = (b -> P).", "1:15: P is defined twice"},
		{"STOP = (a -> STOP).", "1:1: STOP has a meaning of its own and cannot be defined"},
		{"P = (a -> Q).", "1:11: there is no local process Q in P"},
		{"P = (a -> Q). Q = (b -> Q).",
			"1:11: Q is no local process of P; what is to go on as the process Q is written Q;END"},
		{"P = Q, Q = P.", "1:5: P is defined by itself"},
		{"P = (a[i] -> P).", "1:8: i is no variable that is bound here, no parameter and no constant"},
		{"P = (a[1/0] -> P).", "1:9: division by 0"},
		{"P = (a[2147483647 + 1] -> P).", "1:19: the number 2147483648 is too large"},
		{"P = (a[99999999999] -> P).", "1:8: 99999999999 is too large"},
		{"P = (a[x:{b}] -> c[x + 1] -> P).", "1:20: expected a number, not the label b"},
		{"const N = N + 1 P = (a[N] -> P).", "1:7: N is defined by itself"},
		{"set S = {S} P = (S -> P).", "1:5: S is defined by itself"},
		{"const N = 1 const N = 2 P = STOP.", "1:19: N is defined twice"},
		{"||P = Q.", "1:7: there is no process Q"},
		{"||P = P.", "1:3: P is defined by itself"},
		{"P(N = 1) = (a -> P). ||Q = P(1, 2).", "1:28: P has 1 parameter, not 2"},
		{"P(N) = (a -> P).", "1:4: expected '=' after the parameter N: it has a value if nothing else is said, found )"},
		{"P = (a -> P). ||Q = P. R = Q; R.", "1:28: Q is a composition, which cannot be a part of a sequence"},
		{"property P = (a -> P | a -> STOP).",
			"1:10: the property P has to be deterministic: a leads from one state to several"},
		{"P = (a -> P) + S.", "1:16: there is no set S"},
		{"P[i:2..1] = (a -> P).", "1:1: P has no state: there are no values for its indices"},
		{"/* P = STOP.", "1:1: this comment does not end: */ is missing"},
		{"P = (a ? b -> P).", "1:8: ? has no meaning in FSP"},
		{"import A = \"a.aut\"",
			"1:1: imports are not read: give the file itself, with magus lts compose to put it beside others"},
		{"P@ = (a -> P).", "1:2: accepting states are not read"},
		{"P = (a -> (b -> P).", "1:19: expected ')' or '|' after a choice, found ."},
		{"||P = (Q / {a/b).", "1:16: expected '}' or ',' after a new name, found )"},
		{"P = (a -> P) /{b}.", "1:17: expected '/' between the new name and the old one, found }"},
		{"||P = x Q.", "1:9: expected '::' or ':' after a label before a process, found Q"},
		{"range R = 1 P = STOP.", "1:13: expected '..' between the bounds of a range, found P"},
		{"P = " + strings.Repeat("(a -> ", 600) + "P", "1:3005: nested more than 500 deep"},
	}
	for _, test := range tests {
		f, err := Parse("t.lts", []byte(test.text))
		for i := 0; err == nil && i < len(f.Names()); i++ {
			_, err = f.LTS(context.Background(), f.Names()[i], lts.NewActions(), lts.Limits{})
		}
		if test.want == "" {
			require.NoError(t, err)
			continue
		}
		var wrong *Error
		require.ErrorAs(t, err, &wrong, test.text)
		first, rest, _ := strings.Cut(err.Error(), "\n")
		require.Equal(t, "t.lts:"+test.want, first)
		lines := strings.Split(rest, "\n")
		require.Len(t, lines, 2, test.text)
		require.Equal(t, wrong.Col-1-wrong.cut+2, strings.IndexByte(lines[1], '^'))
	}
}

// Formulas are passed over, wherever the next definition begins, and read when they are asked for.
func TestFormulasArePassedOver(t *testing.T) {
	text := `P = (a -> b -> P).
fluent F = <{a}, {b}> initially 0
assert SOME = [](a -> <> (F || !X b)) && forall [i:0..1] (F U b)
||Q = (P).
assert LAST = SOME
R(N = 1) = (c -> R).
assert END_OF_IT = <>b`
	f, err := Parse("t.lts", []byte(text))
	require.NoError(t, err)
	require.Equal(t, []string{"P", "Q", "R"}, f.Names())
	require.Empty(t, f.Warnings())
	all, err := f.Asserts(t.Context())
	require.NoError(t, err)
	var got []string
	for _, a := range all {
		got = append(got, a.Name+": "+a.Formula.Text(func(n int) string { return a.Props[n].Name }))
	}
	both := "([] (<> (F || X !b) || !a) && (F U b))"
	require.Equal(t, []string{"SOME: " + both, "LAST: " + both, "END_OF_IT: <> b"}, got)
}

// What formulas say, and mistakes in them. The rest of the file is read nevertheless.
func TestFormulas(t *testing.T) {
	t.Parallel()
	before := "P = (a[0..2] -> b -> P).\nrange R = 0..2\nset S = {x, y}\nfluent F[i:R] = <a[i], b> initially (i == 1)\n"
	for text, want := range map[string]string{
		"assert A = forall[i:0..1] (F[i] && !<>a[i])": "((F[0] && [] !a.0) && (F[1] && [] !a.1))",
		"assert A = exists[i:R] F[i]":                 "((F[0] || F[1]) || F[2])",
		"assert A = (a[0] || S) -> {b, a[R]}":         "({b, a.0, a.1, a.2} || (!a.0 && !{x, y}))",
		"assert A = a[0] -> b || S":                   "((b || {x, y}) || !a.0)",
		"assert A = (a[0] W b) && True":               "(b R (a.0 || b))",
		"assert A = b <-> X b":                        "((b && X b) || (!b && X !b))",
		"assert A = forall[i:R][j:0..0] []a[i+j]":     "(([] a.0 && [] a.1) && [] a.2)",
		"assert A[i:R] = []F[(i + 1) % 3]":            "[] F[1]; [] F[2]; [] F[0]",
		"assert A = a[0] || b -> S":                   "5:22: write parentheses around the formula with ||",
		"assert A = a[0] U b && S":                    "5:17: write parentheses around the formula with U beside &&",
		"assert A = b U b U b":                        "5:18: write parentheses: a U b U c",
		"assert A = []G":                              "5:14: there is no fluent and no assertion G",
		"assert A = []F[3]":                           "5:14: F[3] is declared for no such values",
		"assert A = B assert B = !A":                  "5:8: A is defined by itself",
		"assert A = (b":                               "5:14: expected ')' after a formula, found the end of the file",
		"assert A = b fluent A = <b, b>":              "5:21: A is defined twice",
		"assert A = B fluent B = <b, b>":              "5:21: b begins and ends B",
		"assert A = b fluent B = <b>":                 "5:27: expected ',' before the actions that end a fluent, found >",
		"assert A(N=1) = b":                           "5:9: parameters of assertions are not read",
		"assert A = forall[i:R] a[i] -> a[i]":         "5:34: i is no variable that is bound here",
	} {
		f, err := Parse("t.lts", []byte(before+text))
		require.NoError(t, err, text)
		require.Equal(t, []string{"P"}, f.Names())
		all, err := f.Asserts(t.Context())
		if err != nil {
			assert.Contains(t, err.Error(), "t.lts:"+want, text)
			continue
		}
		var got []string
		for _, a := range all {
			got = append(got, a.Formula.Text(func(n int) string { return a.Props[n].Name }))
		}
		assert.Equal(t, want, strings.Join(got, "; "), text)
	}
	f, err := Parse("t.lts", []byte(before+"assert A = F[0] && F[1]"))
	require.NoError(t, err)
	all, err := f.Asserts(t.Context())
	require.NoError(t, err)
	require.False(t, all[0].Props[0].Initially)
	require.True(t, all[0].Props[1].Initially)
	require.True(t, all[0].Props[0].Begins("a.0") && all[0].Props[0].Ends("b") && !all[0].Props[0].Begins("a.1"))
}

// A progress property without a condition says what []<> says with fair choice, where no run ends.
func TestProgressIsAlwaysEventually(t *testing.T) {
	t.Parallel()
	fails := 0
	r := rand.New(rand.NewSource(7))
	for range 200 {
		text := "P = Q[0]"
		for i := range 4 {
			text += fmt.Sprintf(",\nQ[%d] = (a[%d] -> Q[%d] | b -> Q[%d])", i, r.Intn(4), r.Intn(4), r.Intn(4))
		}
		text += ".\nprogress A = {a[0]}\nassert A = []<>a[0]\n"
		f, err := Parse("t.lts", []byte(text))
		require.NoError(t, err)
		m, err := f.LTS(t.Context(), "P", lts.NewActions(), lts.Limits{})
		require.NoError(t, err)
		progress, err := f.Progress(t.Context())
		require.NoError(t, err)
		_, _, violated := progress[0].Violated(m)
		all, err := f.Asserts(t.Context())
		require.NoError(t, err)
		run, err := all[0].Violated(t.Context(), m, assertion.Choice, lts.Limits{})
		require.NoError(t, err)
		require.Equal(t, violated, run != nil, text)
		if violated {
			fails++
		}
	}
	require.Greater(t, fails, 20)
	require.Less(t, fails, 180)
}

// What is too large ends at a limit, and at the end of the context.
func TestLimits(t *testing.T) {
	sample.Long(t)
	f, err := Parse("t.lts",
		[]byte("P = (a[0..9999][0..9999][0..9999] -> P). Q = C[0], C[i:0..9] = (a -> C[(i + 1) % 10]). "+
			"||R = (a:Q || b:Q || c:Q)."))
	require.NoError(t, err)
	var limit *lts.LimitError
	_, err = f.LTS(context.Background(), "P", lts.NewActions(), lts.Limits{})
	require.ErrorAs(t, err, &limit)
	_, err = f.LTS(context.Background(), "R", lts.NewActions(), lts.Limits{MaxStates: 999})
	require.ErrorAs(t, err, &limit)
	m, err := f.LTS(context.Background(), "R", lts.NewActions(), lts.Limits{MaxStates: 1000})
	require.NoError(t, err)
	require.Equal(t, 1000, m.NumStates())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = f.LTS(ctx, "P", lts.NewActions(), lts.Limits{})
	require.ErrorIs(t, err, context.Canceled)
}

// Progress properties look at what is never left.
func TestProgress(t *testing.T) {
	text := `P = (choose -> L | choose -> R | wait -> P), L = (l -> more -> L), R = (r -> R).
||S = P.
progress BOTH[i:1..2] = {l, r}
progress LEFT = {l}
progress IF_MORE = if {more} then {l}
progress NEVER = {wait}
T = (a -> STOP).
progress HIDDEN = {h}`
	f, err := Parse("t.lts", []byte(text))
	require.NoError(t, err)
	all, err := f.Progress(context.Background())
	require.NoError(t, err)
	table := lts.NewActions()
	got := map[string]string{}
	for _, process := range []string{"S", "T"} {
		m, err := f.LTS(context.Background(), process, table, lts.Limits{})
		require.NoError(t, err)
		for _, p := range all {
			path, can, found := p.Violated(m)
			if found {
				got[process+" "+p.Name] = fmt.Sprint(len(path), table.Names(can))
			}
		}
	}
	require.Equal(t, map[string]string{"S LEFT": "1 [r]", "S NEVER": "1 [l more]", "S HIDDEN": "1 [l more]"}, got)
}

// Whatever the text, reading and building end, with a place if they fail.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"../../docs/lts/ring.lts", "testdata/features.lts"} {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // ends what hangs
		defer cancel()
		file, err := Parse("f.lts", []byte(text))
		for i := 0; err == nil && i < len(file.Names()); i++ {
			_, err = file.LTS(ctx, file.Names()[i], lts.NewActions(), lts.Limits{MaxStates: 1000})
			if err == nil {
				_, err = file.Progress(ctx)
			}
		}
		if err == nil || errors.Is(err, context.DeadlineExceeded) {
			return
		}
		var wrong *Error
		var limit *lts.LimitError
		switch {
		case asError(err, &wrong):
			require.GreaterOrEqual(t, wrong.Line, 1)
			require.GreaterOrEqual(t, wrong.Col, 1)
			require.LessOrEqual(t, wrong.Line, strings.Count(text, "\n")+1)
		default:
			require.ErrorAs(t, err, &limit)
		}
	})
}

func asError(err error, target **Error) bool {
	e, ok := err.(*Error)
	*target = e
	return ok
}
