package component_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/source"
	"magus/component"
	"magus/lts"
	"magus/smt/embedded"
	"magus/specs"
)

// words are all of at most so many actions.
func words(of []lts.Action, length int, do func(word []lts.Action)) {
	var go_ func(word []lts.Action)
	go_ = func(word []lts.Action) {
		do(word)
		if len(word) < length {
			for _, a := range of {
				go_(append(slices.Clone(word), a))
			}
		}
	}
	go_(nil)
}

// violates tells whether a trace is one that a specification does not allow: it is no trace, or leads to
// ERROR. With an ERROR state, the specification allows what it does not mention.
func violates(m *lts.LTS, word []lts.Action) bool {
	if !m.HasError() {
		_, ok := lts.Member(m, word)
		return !ok
	}
	for n := range word {
		path, ok := lts.Member(m, word[:n+1])
		if !ok {
			return false
		}
		if m.IsError(path[len(path)-1].To) {
			return true
		}
	}
	return false
}

// What is asked of components whose recursion is cut off or skipped, on all words: a proof has no cut, what
// comes after a skip is no certain violation, and what is followed has neither.
func TestCutsAndSkips(t *testing.T) {
	for _, text := range []string{"A = ( a -> B ),\nB = ( b -> A ).", "A = ( a -> A | b -> a -> ERROR )."} {
		c := claim(t, "void f(void) { }", text+"\nprogram f { specification s, {1}, A; }")
		actions := lts.NewActions()
		spec, err := c.Spec(context.Background(), actions)
		require.NoError(t, err)
		act := func(name string) lts.Action { return actions.Intern(name) }
		mine, other := &cfa.CFA{}, &cfa.CFA{Silent: true}
		s, err := c.NewSystem(context.Background(), spec, []*component.Component{
			{CFA: mine, Cut: act("cut1")}, {CFA: mine, Skip: act("skip2"), Cut: act("cut2")},
			{CFA: other, Cut: act("silent")}, {CFA: mine}})
		require.NoError(t, err)
		require.Same(t, spec, s.Spec)
		cuts, skips := []lts.Action{act("cut1"), act("cut2")}, []lts.Action{act("skip2")}
		require.ElementsMatch(t, slices.Concat(spec.Alphabet(), cuts), s.Proof.Alphabet(),
			"a cut of what nobody observes does not matter")
		require.ElementsMatch(t, slices.Concat(spec.Alphabet(), skips), s.Certain.Alphabet())
		require.ElementsMatch(t, slices.Concat(spec.Alphabet(), cuts, skips), s.Followed.Alphabet())
		contains := func(word, of []lts.Action) bool {
			return slices.ContainsFunc(word, func(a lts.Action) bool { return slices.Contains(of, a) })
		}
		// A violation of the specification with some actions that it must not do: the first of either.
		bad := func(word, never []lts.Action) bool {
			i := slices.IndexFunc(word, func(a lts.Action) bool { return slices.Contains(never, a) })
			if i < 0 {
				return violates(spec, word)
			}
			return true
		}
		words(s.Proof.Alphabet(), 4, func(word []lts.Action) {
			if !contains(word, cuts) || !spec.HasError() {
				require.Equal(t, bad(word, cuts), violates(s.Proof, word), "%v", actions.Names(word))
			}
		})
		words(s.Followed.Alphabet(), 3, func(word []lts.Action) {
			if contains(word, append(cuts, skips...)) && spec.HasError() {
				first := slices.IndexFunc(word,
					func(a lts.Action) bool { return contains([]lts.Action{a}, append(cuts, skips...)) })
				if _, is := lts.Member(spec, word[:first]); !is {
					return // the specification has stopped to look before
				}
			}
			require.Equal(t, bad(word, append(cuts, skips...)), violates(s.Followed, word), "%v", actions.Names(word))
		})
		words(s.Certain.Alphabet(), 4, func(word []lts.Action) {
			i := slices.Index(word, skips[0])
			if i < 0 {
				require.Equal(t, violates(spec, word), violates(s.Certain, word))
			} else {
				require.Equal(t, violates(spec, word[:i]), violates(s.Certain, word), "%v", actions.Names(word))
			}
		})
		for name, want := range map[string]bool{"cut1": true, "cut2": true, "skip2": true, "silent": true, "a": false} {
			require.Equal(t, want, s.IsCut(act(name)), name)
		}
		require.False(t, s.IsCut(lts.Tau))
	}
}

// Without cuts and skips all are the specification.
func TestAllIsFollowed(t *testing.T) {
	s := system(t, "A = ( a -> A ).")
	require.Same(t, s.Spec, s.Proof)
	require.Same(t, s.Spec, s.Certain)
	require.Same(t, s.Spec, s.Followed)
}

func TestCopies(t *testing.T) {
	s := &component.System{Copies: []int{1, specs.AnyNumber, 2},
		Components: []*component.Component{{Name: "one"}, {Name: "any"}, {Name: "two"}}}
	written := s.Written([]int{1, 3, 2})
	require.Equal(t, []component.Copy{{Component: 0}, {1, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 2}}, written)
	var names []string
	for _, c := range written {
		names = append(names, s.CopyName(c))
	}
	require.Equal(t, []string{"one", "any#1", "any#2", "any#3", "two#1", "two#2"}, names)
	// A run has all copies, in their order: of all numbers up to 3 those that may be, and nothing else.
	for a := range 4 {
		for b := range 4 {
			for c := range 4 {
				is := a == 1 && b > 0 && c == 2
				w := s.Written([]int{a, b, c})
				require.Equal(t, is, s.Runs(w), "%d %d %d", a, b, c)
				if is && b > 1 {
					slices.Reverse(w)
					require.False(t, s.Runs(w), "another order")
				}
			}
		}
	}
	require.False(t, s.Runs(append(s.Written([]int{1, 1, 2}), component.Copy{Component: 3})))
	require.False(t, s.Runs(append(s.Written([]int{1, 1, 2}), component.Copy{Component: -1})))
	require.False(t, s.Runs([]component.Copy{{0, 1}, {1, 1}, {2, 1}, {2, 2}}), "a single copy has no number")

	for _, test := range []struct {
		copies      []int
		single, any bool
	}{{[]int{1, 1}, true, false}, {[]int{1, 2}, false, false}, {[]int{specs.AnyNumber, 1}, false, true},
		{nil, true, false}} {
		s := &component.System{Copies: test.copies}
		require.Equal(t, test.single, s.Single())
		require.Equal(t, test.any, s.AnyNumber())
	}
	require.Equal(t, 1, (&component.Claim{}).CopiesOf(3))
	require.Equal(t, 5, (&component.Claim{Copies: []int{1, 5}}).CopiesOf(1))
	c := claim(t, pair, "R = ( one:return {} -> R ). program one, two * 3 { specification r, {1, 1}, R; }")
	require.Equal(t, []int{1, 3}, bind(t, c, 0, 1).Copies)
}

const scoped = `enum { RED = 3 }; struct s { int left, right; };
int total; static int counter;
int f(int count, struct s *p) { int local = count; total = local; counter = RED; return total + p->left; }`

// Expressions have the names that stand for something where they are read, and say what is meant else.
func TestNamesInExpressions(t *testing.T) {
	c := claim(t, scoped, "R = ( return {$0} -> R ). program f { specification r, {1}, R; }")
	auto, err := c.Lower(context.Background(), 0, component.Options{})
	require.NoError(t, err)
	for text, want := range map[string]string{
		"total + 1":  "",
		"local":      "",
		"count > 2":  "",
		"$1 == $1":   "",
		"RED":        "",
		"p->left":    "",
		"$2->left":   "",
		"$3->left":   "no variable $3->left",
		"$0->left":   "no variable $0->left",
		"$0":         "$0, the returned value, has no meaning here",
		"$3":         "$3: the procedure has 2 parameters",
		"nothing":    "no variable nothing",
		"totl":       "no variable totl; did you mean total?",
		"locl":       "no variable locl; did you mean local?",
		"total == (": "expected",
	} {
		term, err := c.Term(auto, 0, text)
		if want == "" {
			require.NoError(t, err, text)
			require.NotNil(t, term)
			cond, err := c.Cond(auto, 0, text)
			require.NoError(t, err, text)
			require.True(t, cond.Type().IsBool())
			continue
		}
		require.ErrorContains(t, err, want, text)
		_, err = c.Cond(auto, 0, text)
		require.ErrorContains(t, err, want, text)
	}
	two, err := c.Term(auto, 0, "$2->left")
	require.NoError(t, err)
	named, err := c.Term(auto, 0, "p->left")
	require.NoError(t, err)
	require.Same(t, named, two)
	red, err := c.Term(auto, 0, "RED")
	require.NoError(t, err)
	require.EqualValues(t, 3, red.Value())
}

// Conditions on the initial states are over parameters and globals.
func TestAssumptions(t *testing.T) {
	c := claim(t, scoped, "R = ( return {$0} -> R ). program f { specification r, {$1 > 4}, R; }")
	guard := func(c *component.Claim) string {
		ctx := context.Background()
		spec, err := c.Spec(ctx, lts.NewActions())
		require.NoError(t, err)
		auto, err := c.Lower(ctx, 0, component.Options{})
		require.NoError(t, err)
		comp, err := c.Bind(ctx, 0, auto, spec, embedded.New(auto.Pool))
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(comp.Guard)
	}
	before := guard(c)
	require.Contains(t, before, "5")
	for text, want := range map[string]string{
		"total == 7": "total == 7",
		"$1 < 9":     "count < 9",
		"count < 9":  "count < 9",
		"q == 1":     "assumption:1:1: no global variable q; parameters are $1, $2, ...",
		"local == 1": "assumption:1:1: no global variable local; did you mean total?",
		"totla == 1": "assumption:1:1: no global variable totla; did you mean total?",
	} {
		assumed, err := c.Assuming(0, text)
		require.NoError(t, err)
		require.Contains(t, guard(assumed), want, text)
		require.Equal(t, before, guard(c), "the claim is as it was")
	}
	for _, i := range []int{-1, 1} {
		_, err := c.Assuming(i, "1")
		require.ErrorContains(t, err, fmt.Sprintf("the claim has no component %d", i+1))
	}
	_, err := c.Assuming(0, "1 +")
	require.Error(t, err)

	// A global that only an assumption names is kept.
	unused := claim(t, "int unused; int f(void) { return 1; }",
		"R = ( return {$0} -> R ). program f { specification r, {1}, R; }")
	assumed, err := unused.Assuming(0, "unused == 3")
	require.NoError(t, err)
	auto, err := assumed.Lower(context.Background(), 0, component.Options{})
	require.NoError(t, err)
	require.NotEmpty(t, auto.Lookup(0, "unused"))
}

// Mistakes are told with their places.
func TestMistakesOfClaims(t *testing.T) {
	const f = "int lib(int); int rec(int n) { if (n) return rec(n - 1); return 0; } int f(int n) { return lib(n); }\n"
	for what, test := range map[string]struct{ c, spec, want string }{
		"more guards than components": {f, "R = ( a -> R ). program f { specification r, {1, 1}, R; }",
			"2 guards for 1 component"},
		"a component without a body": {"int workr(int n) { return n; }",
			"R = ( a -> R ). program worker { specification r, {1}, R; }",
			"component worker has no body in the given C files; did you mean workr?"},
		"no such process": {f, "R = ( a -> R ). program f { specification r, {1}, Q; }", "Q"},
		"a gap between guards": {f, "L = ( return {$0} -> STOP ). procedure lib { abstract { l, ($1 > 3), L }; }\n" +
			"R = ( a -> R ). program f { specification r, {1}, R; }",
			"guards of procedure lib: no guard holds for $1 = 0"},
		"no return": {"int lib(int n) { return n; } int f(int n) { return lib(n); }",
			"L = ( a -> STOP ). procedure lib { abstract { l, (1), L }; }\nR = ( a -> R ). program f { " +
				"specification r, {1}, R; }",
			"return"},
		"the name of an abstraction for its guard": {f, "L = ( return {$0} -> STOP ). procedure lib { " +
			"abstract { l, L }; }\nR = ( a -> R ). program f { specification r, {1}, R; }",
			"no global variable l"},
	} {
		t.Run(what, func(t *testing.T) {
			ctx := context.Background()
			program, err := source.Parse(ctx, []source.Source{{Name: "t.c", Text: []byte(test.c)}}, source.Options{})
			require.NoError(t, err)
			file, err := specs.Parse(ctx, []specs.Source{{Name: "t.spec", Text: []byte(test.spec)}}, nil)
			if err == nil {
				c := (&component.Sources{Program: program, Specs: file, LongWidth: 64}).ProgramClaim(file.Programs[0],
					file.Programs[0].Specs[0])
				var spec *lts.LTS
				if spec, err = c.Spec(ctx, lts.NewActions()); err == nil {
					var auto *cfa.CFA
					if auto, err = c.Lower(ctx, 0, component.Options{}); err == nil {
						_, err = c.Bind(ctx, 0, auto, spec, embedded.New(auto.Pool))
					}
				}
			}
			require.ErrorContains(t, err, test.want)
		})
	}
}

// A claim that is made by hand needs a guard, or none, for each component.
func TestGuardsOfClaimsMadeByHand(t *testing.T) {
	c := *claim(t, "void f(void) { }", "R = ( a -> R ). program f { specification r, {1}, R; }")
	c.Guards = nil
	_, err := c.Spec(context.Background(), lts.NewActions())
	require.ErrorContains(t, err, "0 guards for 1 components")
	c.Specification, c.Guards = "", []*specs.CExpr{nil}
	spec, err := c.Spec(context.Background(), lts.NewActions())
	require.NoError(t, err)
	require.Equal(t, "\nerror", text(spec), "the built-in property")
}

// Routines that are known by abstractions can be seen with their bodies, all at once or, where that is not
// modelled, each alone.
func TestInlined(t *testing.T) {
	lower := func(c string) []string {
		cl := claim(t, c, `L = ( return {$0} -> STOP ). procedure g { abstract { l, (1), L }; } procedure h { abstract { l, (1), L }; }
			R = ( a -> R ). program f { specification r, {1}, R; }`)
		auto, err := cl.Lower(context.Background(), 0, component.Options{})
		require.NoError(t, err)
		all, err := cl.Inlined(context.Background(), 0, auto, component.Options{})
		require.NoError(t, err)
		var got []string
		for _, a := range all {
			calls := ""
			for _, l := range a.Locs {
				if call, ok := l.Stmt.(cfa.Call); ok {
					calls += call.Callee + " "
				}
			}
			got = append(got, calls)
		}
		return got
	}
	require.Nil(t, lower("int f(int n) { return n; }"), "nothing is called")
	require.Nil(t, lower("int g(int); int f(int n) { return g(n); }"), "no body")
	require.Equal(t, []string{""},
		lower("int g(int n) { return n; } int h(int n) { return n; } int f(int n) { return g(n) + h(n) + g(1); }"))
	require.Equal(t, []string{"h "}, lower("int h(int); int g(int n) { return n; } int f(int n) { return g(n) + h(n); }"))
	require.Equal(t, []string{"h h ", "g g "},
		lower("int h(int); int g(int n) { return h(n); } int h(int n) { return g(n); } int f(int n) { return g(n) + h(n); }"),
		"they call each other")
}

// A component shares what the routines that it calls perform, but for their returns; τ is in no alphabet.
func TestSharedActions(t *testing.T) {
	c := claim(t, "void lib(void); int f(void) { lib(); return 1; }", `
		L = ( ask -> tell -> return {} -> STOP ). procedure lib { abstract { l, (1), L }; }
		R = ( ask -> tell -> R ). program f { specification r, {1}, R; }`)
	comp := bind(t, c, 0).Components[0]
	require.ElementsMatch(t, []string{"ask", "tell"}, comp.Actions.Names(comp.Shared))
	require.ElementsMatch(t, []string{"ask", "tell"}, comp.Actions.Names(component.NewGraph(comp).Alphabet()))
}

// An automaton with threads is none of a component.
func TestThreadsAreNotBound(t *testing.T) {
	c := claim(t, "#include <pthread.h>\nvoid *g(void *p) { return 0; } int f(void) { pthread_t t; "+
		"pthread_create(&t, 0, g, 0); return 1; }",
		"R = ( a -> R ). program f { specification r, {1}, R; }")
	spec, err := c.Spec(context.Background(), lts.NewActions())
	require.NoError(t, err)
	auto, err := c.Lower(context.Background(), 0, component.Options{Threads: 2})
	require.NoError(t, err)
	_, err = c.Bind(context.Background(), 0, auto, spec, embedded.New(auto.Pool))
	require.Error(t, err)
}

// Code that is not modelled may leave alone what it may change; other assignments stay.
func TestPreserving(t *testing.T) {
	g := graphOf(t, "int f(void) { x = 1; x = any(); y = x; return 1; }")
	kept := g.Preserving()
	require.Equal(t, g, kept, "nothing that is not modelled")
	locs := g.Comp.CFA.Locs
	n := 0
	for l := range locs {
		a, ok := locs[l].Stmt.(cfa.Assign)
		if !ok {
			continue
		}
		n++
		a.Keeps, a.Approx = n%2 == 0, []string{"", "assembly"}[n/2%2]
		locs[l].Stmt = a
	}
	require.Greater(t, n, 3)
	kept = g.Preserving()
	require.Len(t, kept.Edges, len(g.Edges))
	for i, e := range g.Edges {
		if e.Loc >= 0 {
			if a, ok := locs[e.Loc].Stmt.(cfa.Assign); ok && a.Keeps && a.Approx != "" {
				require.Empty(t, kept.Edges[i].Update)
				continue
			}
		}
		require.Equal(t, e, kept.Edges[i])
	}
}

// Bodies that perform what their abstractions do not mention are inlined, where what they do is observed; and
// refused, but for error, where nothing checks the abstractions.
func TestUnmentionedActions(t *testing.T) {
	lower := func(body, says string, property bool) (calls int, err error) {
		cl := claim(t, "void a(void); void b(void); void reach_error(void); void g(void) { "+body+
			" } void f(void) { g(); }", `
			A = ( a -> return {} -> STOP ). B = ( b -> return {} -> STOP ).
			procedure a { abstract { a, (1), A }; } procedure b { abstract { b, (1), B }; }
			L = ( `+says+`return {} -> STOP ). procedure g { abstract { l, (1), L }; }
			R = ( a -> R | b -> R ). program f { specification r, {1}, R; }`)
		if property {
			cl = cl.Sources.ErrorClaim("f", component.NoError, []string{"reach_error"}, nil)
		}
		auto, err := cl.Lower(context.Background(), 0, component.Options{})
		if err != nil {
			return 0, err
		}
		for _, l := range auto.Locs {
			if call, ok := l.Stmt.(cfa.Call); ok && call.Callee == "g" {
				calls++
			}
		}
		return calls, nil
	}
	for _, test := range []struct {
		body, says string
		property   bool
		calls      int
		err        string
	}{
		{"a();", "a -> ", false, 1, ""},
		{"a(); b();", "a -> ", false, 0, ""},
		{"", "a -> ", false, 1, ""},
		{"a();", "a -> ", true, 1, ""},
		{"b();", "a -> ", true, 0, "g performs b, which its abstraction l does not mention"},
		{"reach_error();", "a -> ", true, 0, ""},
	} {
		calls, err := lower(test.body, test.says, test.property)
		if test.err != "" {
			require.ErrorContains(t, err, test.err)
			continue
		}
		require.NoError(t, err, test.body)
		require.Equal(t, test.calls, calls, "%s %v", test.body, test.property)
	}
}

// TestLowered: what earlier times have found changes no automaton, and products are made of one.
func TestLowered(t *testing.T) {
	c := claim(t, `int one(void) { return 1; }
		static int (*ops[2])(void) = { one, one };
		int a[100];
		int f(int i) { a[7] = ops[i & 1](); return a[i]; }`,
		"R = ( return {$0} -> R ). program f { specification r, {1}, R; }")
	lowered := &component.Lowered{}
	lower := func(lowered *component.Lowered, recorded bool) (auto *cfa.CFA) {
		opt := component.Options{Recorded: recorded, Lowered: lowered}
		if recorded {
			opt.Product = func(_ context.Context, c *cfa.CFA) (*cfa.CFA, error) { return c, nil }
		}
		auto, err := c.Lower(context.Background(), 0, opt)
		require.NoError(t, err)
		return auto
	}
	for _, recorded := range []bool{false, true} {
		require.Equal(t, lower(nil, recorded).String(), lower(lowered, recorded).String())
	}
	require.Same(t, lower(lowered, true), lower(lowered, true))
	require.NotSame(t, lower(lowered, false), lower(lowered, false))
}
