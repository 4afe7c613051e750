package cert_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/countdown"
	"magus/internal/sample"
	"magus/lts"
	"magus/lts/cert"
)

// edges builds an LTS of lines "0 a 1"; state 0 is initial.
func edges(t *lts.Actions, states int, lines ...string) *lts.LTS {
	b := lts.NewBuilder(t)
	b.AddStates(states)
	for _, line := range lines {
		f := strings.Fields(line)
		b.AddEdge(lts.State(f[0][0]-'0'), t.Intern(f[1]), lts.State(f[2][0]-'0'))
	}
	return b.Build()
}

// draw draws an LTS over some of the actions.
func draw(t *rapid.T, table *lts.Actions, actions []lts.Action, label string, mayError bool) *lts.LTS {
	b := lts.NewBuilder(table)
	n := rapid.IntRange(1, 4).Draw(t, label+" states")
	b.AddStates(n)
	own := rapid.SliceOfDistinct(rapid.SampledFrom(actions), rapid.ID).Draw(t, label+" alphabet")
	b.Alphabet(own...)
	own = append([]lts.Action{lts.Tau}, own...)
	state := rapid.IntRange(0, n-1)
	for range rapid.IntRange(0, 3*n).Draw(t, label+" edges") {
		b.AddEdge(lts.State(state.Draw(t, "from")), rapid.SampledFrom(own).Draw(t, "action"), lts.State(state.Draw(t, "to")))
	}
	if mayError && rapid.IntRange(0, 3).Draw(t, label+" error") == 3 {
		b.SetError(lts.State(state.Draw(t, "error")))
	}
	return b.Build()
}

func drawSubject(t *rapid.T) (impl []*lts.LTS, spec *lts.LTS) {
	table := lts.NewActions()
	actions := []lts.Action{table.Intern("a"), table.Intern(`b "2"`), table.Intern("c\n")}
	for range rapid.IntRange(1, 3).Draw(t, "components") {
		impl = append(impl, draw(t, table, actions, "impl", false))
	}
	return impl, draw(t, table, actions, "spec", true)
}

// Every answer of the search has a certificate, which survives its text form and holds.
func TestAnswersAreCertified(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		impl, spec := drawSubject(t)
		result := search(t, impl, spec)
		c, err := cert.Of(impl, spec, result)
		require.NoError(t, err)
		require.Equal(t, result.Verdict == lts.Holds, c.Holds)
		require.Equal(t, result.Strong, c.Strong)
		var text bytes.Buffer
		require.NoError(t, c.Write(&text))
		back, err := cert.Read(&text, "x.cert")
		require.NoError(t, err)
		require.NoError(t, back.Check(context.Background(), impl, spec))
		var again bytes.Buffer
		require.NoError(t, back.Write(&again))
		c, err = cert.Read(&again, "x.cert")
		require.NoError(t, err)
		require.Equal(t, back, c)
	})
}

// search asks one of the questions in one of the ways.
func search(t *rapid.T, impl []*lts.LTS, spec *lts.LTS) lts.Result {
	lim := lts.Limits{Antichain: true}
	lim.Order = rapid.SampledFrom([]lts.Order{lts.BreadthFirst, lts.DepthFirst}).Draw(t, "order")
	lim.Subsumption = rapid.SampledFrom([]lts.Subsumption{lts.AlwaysSubsumption, lts.NoSubsumption}).Draw(t, "subsumption")
	lim.PartialOrder = rapid.Bool().Draw(t, "partial order")
	contains := lts.Contains
	if rapid.Bool().Draw(t, "strong") {
		contains = lts.ContainsStrong
	}
	result, err := contains(context.Background(), impl, spec, lim)
	require.NoError(t, err)
	return result
}

// A certificate of whatever content holds only if its answer is right.
func TestWrongAnswersAreRefuted(t *testing.T) {
	accepted, rejected := 0, 0
	sample.Check(t, func(t *rapid.T) {
		impl, spec := drawSubject(t)
		result := search(t, impl, spec)
		c, err := cert.Of(impl, spec, result)
		require.NoError(t, err)
		forged := *c
		if rapid.Bool().Draw(t, "claim that it holds") {
			forged.Holds, forged.Trace = true, nil
			forged.Pairs = drawPairs(t, impl, spec, c.Pairs)
		} else {
			forged.Holds, forged.Pairs = false, nil
			forged.Trace = rapid.SliceOfN(rapid.SampledFrom([]string{"a", `b "2"`, "c\n", "tau"}), 0, 3).Draw(t, "trace")
		}
		err = forged.Check(context.Background(), impl, spec)
		if err == nil {
			accepted++
			require.Equal(t, result.Verdict == lts.Holds, forged.Holds)
			return
		}
		rejected++
		var refuted *cert.RefutedError
		require.ErrorAs(t, err, &refuted)
	})
	t.Logf("%d accepted, %d rejected", accepted, rejected)
	if sample.Whole() { // one in ten is accepted: none may be of a few
		require.Positive(t, accepted)
	}
	require.Positive(t, rejected)
}

// drawPairs draws the given pairs with some left out and some of their states left out, and others.
func drawPairs(t *rapid.T, impl []*lts.LTS, spec *lts.LTS, pairs []lts.Pair) (drawn []lts.Pair) {
	subset := func(states []lts.State) (kept []lts.State) {
		for _, s := range states {
			if rapid.IntRange(0, 7).Draw(t, "keep state") > 0 {
				kept = append(kept, s)
			}
		}
		return kept
	}
	for _, pair := range pairs {
		if rapid.IntRange(0, 7).Draw(t, "keep pair") > 0 {
			drawn = append(drawn, lts.Pair{Impl: pair.Impl, Spec: subset(pair.Spec), Of: drawOf(t, impl, pair.Of)})
		}
	}
	for range rapid.IntRange(0, 12).Draw(t, "more pairs") {
		var pair lts.Pair
		for _, m := range impl {
			pair.Impl = append(pair.Impl, lts.State(rapid.IntRange(0, m.NumStates()-1).Draw(t, "impl state")))
		}
		for s := range spec.NumStates() {
			if rapid.Bool().Draw(t, "spec state") {
				pair.Spec = append(pair.Spec, lts.State(s))
			}
		}
		pair.Of = drawOf(t, impl, nil)
		drawn = append(drawn, pair)
	}
	return drawn
}

// drawOf draws the components of a pair: mostly the given ones, or any.
func drawOf(t *rapid.T, impl []*lts.LTS, of []int32) []int32 {
	if rapid.IntRange(0, 7).Draw(t, "keep components") > 0 {
		return of
	}
	return rapid.SliceOfDistinct(rapid.Int32Range(0, int32(len(impl)-1)), rapid.ID).Draw(t, "components")
}

// aside is the subject of a certificate whose pairs leave components out: two components that go round by
// themselves, and what the second one does at times is observed.
func aside() (impl []*lts.LTS, spec *lts.LTS) {
	table := lts.NewActions()
	return []*lts.LTS{edges(table, 2, "0 x 1", "1 tau 0"), edges(table, 2, "0 tau 1", "1 a 0")}, edges(table, 1, "0 a 0")
}

const heldAside = `magus-certificate 2
claim weak-trace-containment
impl 2 2
impl 2 2
spec 1 1
observed 1
"a"
verdict holds
pairs 4
0 0 : 0 : 0
1 0 : 0 : 1
1 1 : 0
0 1 : 0
end
`

// A pair may leave components out only if those it has are enough.
func TestRefutationsOfOrders(t *testing.T) {
	tests := []struct{ name, before, after, want string }{
		{"as it is", "", "", ""},
		{"all steps", "0 0 : 0 : 0", "0 0 : 0 : 0 1", ""},
		{"what is observed", "1 1 : 0\n", "1 1 : 0 : 1\n", "pair 3: component 2 performs a, which is observed"},
		{"not a step later", "0 0 : 0 : 0\n1 0 : 0 : 1\n1 1 : 0\n0 1 : 0", "1 1 : 0\n0 1 : 0\n1 0 : 0 : 1\n0 0 : 0",
			"pair 3 leaves components out, and no later pair covers one of its steps"},
		{"nobody's steps", "0 0 : 0 : 0", "0 0 : 0 :",
			"pair 1 leaves components out, and no later pair covers one of its steps"},
		{"a step to nowhere", "0 1 : 0\n", "0 0 : 0\n", "pair 3: no pair covers the step tau to [0 1]"},
		{"no such component", "0 0 : 0 : 0", "0 0 : 0 : 2", "pair 1: there is no component 3"},
		{"with simulations", "verdict holds\n", "verdict holds\nsimulations spec 1\n0 : 0\n",
			"pairs that leave components out, and simulations"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, heldAside, test.before)
			c, err := cert.Read(strings.NewReader(strings.Replace(heldAside, test.before, test.after, 1)), "x.cert")
			require.NoError(t, err)
			impl, spec := aside()
			err = c.Check(context.Background(), impl, spec)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
		})
	}
	table := lts.NewActions()
	impl := []*lts.LTS{edges(table, 2, "0 x 1"), edges(table, 2, "0 tau 1", "1 x 1"), edges(table, 1, "0 y 0")}
	spec := edges(table, 1, "0 a 0")
	for of, want := range map[int32]string{0: "component 1 waits for others to perform x, " +
		"which the pair leaves out", 1: ""} {
		c := &cert.Certificate{Observed: []string{"a"},
			Impl: []cert.Size{{States: 2, Edges: 1}, {States: 2, Edges: 2}, {States: 1, Edges: 1}},
			Spec: cert.Size{States: 1, Edges: 1}, Holds: true,
			Pairs: []lts.Pair{{Impl: []lts.State{0, 0, 0}, Spec: []lts.State{0}, Of: []int32{of}},
				{Impl: []lts.State{0, 1, 0}, Spec: []lts.State{0}}, {Impl: []lts.State{1, 1, 0}, Spec: []lts.State{0}}}}
		err := c.Check(context.Background(), impl, spec)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
	}
	c := &cert.Certificate{Observed: []string{"a"},
		Impl: []cert.Size{{States: 2, Edges: 1}, {States: 2, Edges: 2}, {States: 1, Edges: 1}},
		Spec: cert.Size{States: 1, Edges: 1}, Holds: true,
		Pairs: []lts.Pair{{Impl: []lts.State{0, 1, 0}, Spec: []lts.State{0}, Of: []int32{1}},
			{Impl: []lts.State{0, 0, 0}, Spec: []lts.State{0}}}}
	require.ErrorContains(t, c.Check(context.Background(), impl, spec),
		"component 2 performs x with others, which the pair leaves out")
}

// TestOrdersOfSpecStates: each state that a specification with an ERROR state can be in is followed on its own, so that
// other components are left out where it is another one after a τ of the specification.
func TestOrdersOfSpecStates(t *testing.T) {
	table := lts.NewActions()
	impl := []*lts.LTS{edges(table, 3, "0 tau 0", "0 tau 1", "1 tau 0"),
		edges(table, 3, "0 tau 0", "0 a 0", "0 tau 2", "2 tau 0")}
	b := lts.NewBuilder(table)
	b.AddStates(4)
	b.AddEdge(0, lts.Tau, 0)
	b.AddEdge(0, lts.Tau, 1)
	b.AddEdge(1, table.Intern("a"), 0)
	b.SetError(2)
	spec := b.Build()
	for _, order := range []lts.Order{lts.BreadthFirst, lts.DepthFirst} {
		r, err := lts.Contains(t.Context(), impl, spec, lts.Limits{Antichain: true, PartialOrder: true, Order: order})
		require.NoError(t, err)
		require.Equal(t, lts.Holds, r.Verdict)
		c, err := cert.Of(impl, spec, r)
		require.NoError(t, err)
		require.NoError(t, c.Check(t.Context(), impl, spec))
		for k := range c.Pairs {
			less := *c
			less.Pairs = slices.Delete(slices.Clone(c.Pairs), k, k+1)
			require.Error(t, less.Check(t.Context(), impl, spec), "without pair %d", k)
		}
	}
}

// TestOrdersAreCertified: the answers about components of which few share an action have certificates that hold, and
// some leave components out.
func TestOrdersAreCertified(t *testing.T) {
	leaving := 0
	sample.Check(t, func(t *rapid.T) {
		table := lts.NewActions()
		var impl []*lts.LTS
		for i := range rapid.IntRange(2, 4).Draw(t, "components") {
			actions := []lts.Action{table.Intern("a"), table.Intern(fmt.Sprint("own", i)), table.Intern(fmt.Sprint("pair", i/2))}
			impl = append(impl, draw(t, table, actions, "impl", false))
		}
		spec := draw(t, table, []lts.Action{table.Intern("a"), table.Intern("own0")}, "spec", true)
		order := rapid.SampledFrom([]lts.Order{lts.BreadthFirst, lts.DepthFirst}).Draw(t, "order")
		r, err := lts.Contains(context.Background(), impl, spec,
			lts.Limits{Antichain: true, PartialOrder: true, Order: order})
		require.NoError(t, err)
		c, err := cert.Of(impl, spec, r)
		require.NoError(t, err)
		require.NoError(t, c.Check(context.Background(), impl, spec))
		if slices.ContainsFunc(c.Pairs, func(p lts.Pair) bool { return p.Of != nil && len(p.Of) < len(impl) }) {
			leaving++
		}
	})
	require.Positive(t, leaving)
}

// The subject of the tables below: a lock used rightly and a specification that has to guess.
func subject() (impl []*lts.LTS, spec *lts.LTS) {
	table := lts.NewActions()
	client := edges(table, 3, "0 lock 1", "1 tau 2", "2 unlock 0")
	guess := edges(table, 3, "0 lock 1", "0 lock 2", "1 unlock 0")
	return []*lts.LTS{client}, guess
}

const held = `magus-certificate 2
claim weak-trace-containment
impl 3 3
spec 3 3
observed 2
"lock"
"unlock"
verdict holds
pairs 3
0 : 0
1 : 1 2
2 : 1 2
end
`

const pairsHeld = "pairs 3\n0 : 0\n1 : 1 2\n2 : 1 2"

func TestRefutations(t *testing.T) {
	tests := []struct {
		name          string
		before, after string
		want          string // "" for a certificate that holds
	}{
		{"as it is", "", "", ""},
		{"smaller sets, that is a stronger invariant", "1 : 1 2\n2 : 1 2", "1 : 1\n2 : 1", ""},
		{"a set smaller than what its successor claims", "1 : 1 2\n2", "1 : 1\n2",
			"pair 2: no pair covers the step tau to [2]"},
		{"a set larger than what is known", "\n2 : 1 2", "\n2 : 0 1 2", "pair 2: no pair covers the step tau to [2]"},
		{"a state that cannot follow", "1 : 1 2\n2 : 1 2", "1 : 2\n2 : 2", "pair 3: the specification cannot follow unlock"},
		{"an empty set", "\n2 : 1 2", "\n2 :", "pair 3 has no specification state"},
		{"no initial pair", "\n0 : 0", "\n2 : 1", "no pair covers the initial states"},
		{"a missing pair", "pairs 3\n0 : 0\n", "pairs 2\n", "no pair covers the initial states"},
		{"no state of the component", "\n2 : 1 2", "\n3 : 1 2", "pair 3: component 1 has no state 3"},
		{"no state of the specification", "\n2 : 1 2", "\n2 : 3", "pair 3: the specification has no state 3"},
		{"another component", "impl 3 3", "impl 4 3",
			"its component 1 has 4 states and 3 transitions, this one has 3 states and 3 transitions"},
		{"another specification", "spec 3 3", "spec 3 2",
			"its specification has 3 states and 2 transitions, this one has 3 states and 3 transitions"},
		{"another alphabet", `"unlock"`, `"open"`,
			"it observes {lock, open}, the specification's alphabet is {lock, unlock}"},
		{"another number of components", "spec 3 3", "impl 1 0\nspec 3 3", "expected a pair"},
		{"by simulation alone", pairsHeld, "simulations cross 3\n0 : 0\n1 : 1\n2 : 1\npairs 0", ""},
		{"by simulation in part", pairsHeld, "simulations cross 3\n0 : 0\n1 : 1\n2 : 1\npairs 1\n0 : 0", ""},
		{"a simulated state for one that is there", "verdict holds\npairs 3\n0 : 0\n1 : 1 2\n2 : 1 2",
			"verdict holds\nsimulations spec 1\n2 : 0 1\npairs 3\n0 : 0 2\n1 : 1 2\n2 : 1 2", ""},
		{"what does not simulate", pairsHeld, "simulations cross 3\n0 : 0\n1 : 1\n2 : 2\npairs 0",
			"simulations of impl by spec: 1 does not simulate 1, which goes by tau to 2"},
		{"what does not simulate in the specification", "verdict holds\n", "verdict holds\nsimulations spec 1\n0 : 1\n",
			"simulations of spec: 1 does not simulate 0, which goes by lock to 1"},
		{"what does not simulate in impl", "verdict holds\n", "verdict holds\nsimulations impl 1\n2 : 0\n",
			"simulations of impl: 0 does not simulate 2, which goes by unlock to 0"},
		{"a simulation of no states", "verdict holds\n", "verdict holds\nsimulations impl 1\n2 : 3\n",
			"simulations of impl: there are no states 2 and 3"},
		{"not about strong traces", "claim weak-", "claim ", "the specification cannot follow tau"},
		{"a trace that spec allows", "holds\npairs 3\n0 : 0\n1 : 1 2\n2 : 1 2", "fails\ntrace 1\n\"lock\"",
			"the trace is allowed by the specification"},
		{"a trace that impl cannot perform", "holds\npairs 3\n0 : 0\n1 : 1 2\n2 : 1 2",
			"fails\ntrace 1\n\"unlock\"", "the composition cannot perform action 1 of the trace, unlock"},
		{"τ in a trace", "holds\npairs 3\n0 : 0\n1 : 1 2\n2 : 1 2", "fails\ntrace 1\n\"tau\"",
			"action 1 of the trace, tau, is no visible action"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			impl, spec := subject()
			require.Contains(t, held, test.before)
			text := strings.Replace(held, test.before, test.after, 1)
			c, err := cert.Read(strings.NewReader(text), "x.cert")
			if err == nil {
				err = c.Check(context.Background(), impl, spec)
			}
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
			var no *cert.RefutedError
			if errors.As(err, &no) {
				require.Equal(t, lineOf(t, text, no.Reason), no.Line)
			}
		})
	}
}

// lineOf is the line of a text that a reason speaks of.
func lineOf(t *testing.T, text, reason string) int {
	lines := strings.Split(text, "\n")
	begins := func(word string) int {
		return 1 + slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, word) })
	}
	var k int
	for format, line := range map[string]func() int{
		"pair %d":                            func() int { return begins("pairs") + k },
		"action %d":                          func() int { return begins("trace") + k },
		"the composition cannot perform":     func() int { return begins("trace") + 1 },
		"no pair covers the initial":         func() int { return begins("pairs") },
		"the trace is allowed":               func() int { return begins("trace") },
		"it observes":                        func() int { return begins("observed") },
		"its component %d":                   func() int { return begins("impl") + k - 1 },
		"its specification":                  func() int { return begins("spec") },
		"it is about":                        func() int { return begins("impl") },
		"simulations of impl by spec: 1":     func() int { return begins("1 : 1") },
		"simulations of spec: 1 does":        func() int { return begins("0 : 1") },
		"simulations of impl: 0 does":        func() int { return begins("2 : 0") },
		"simulations of impl: there are no ": func() int { return begins("2 : 3") },
	} {
		prefix, _, _ := strings.Cut(format, "%d")
		if rest, ok := strings.CutPrefix(reason, prefix); ok {
			_, _ = fmt.Sscanf(rest, "%d", &k)
			return line()
		}
	}
	t.Fatalf("no line for %q", reason)
	return 0
}

// The search gives the sets of all that spec can be in.
func TestSearchFindsTheCertificate(t *testing.T) {
	impl, spec := subject()
	result, err := lts.Contains(context.Background(), impl, spec, lts.Limits{Antichain: true})
	require.NoError(t, err)
	require.Equal(t, []lts.Pair{
		{Impl: []lts.State{0}, Spec: []lts.State{0}},
		{Impl: []lts.State{1}, Spec: []lts.State{1, 2}},
		{Impl: []lts.State{2}, Spec: []lts.State{1, 2}},
	}, result.Antichain)
}

func TestNothingToCertify(t *testing.T) {
	impl, spec := subject()
	_, err := cert.Of(impl, spec, lts.Result{Verdict: lts.Unknown})
	require.ErrorIs(t, err, cert.ErrNothingToCertify)
	result, err := lts.Contains(context.Background(), impl, spec, lts.Limits{})
	require.NoError(t, err)
	_, err = cert.Of(impl, spec, result)
	require.ErrorIs(t, err, cert.ErrNothingToCertify)
}

func TestCheckEnds(t *testing.T) {
	impl, spec := subject()
	c, err := cert.Read(strings.NewReader(held), "x.cert")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, c.Check(ctx, impl, spec), context.Canceled)
	other := edges(lts.NewActions(), 3)
	require.ErrorContains(t, c.Check(context.Background(), impl, other), "different Actions tables")
}

func TestReadErrors(t *testing.T) {
	tests := []struct{ before, after, want string }{
		{"magus-certificate 2", "magus-certificate 1", `x.cert:1:1: certificate of version "1", expected 2`},
		{"magus-certificate 2", "des (0, 0, 1)", "x.cert:1:1: expected magus-certificate"},
		{"weak-trace-containment", "bisimilarity",
			`x.cert:2:1: a claim of "bisimilarity", expected weak-trace-containment or trace-containment`},
		{"impl 3 3", "impl 3 x", `x.cert:3:1: expected a number up to 2147483647, found "x"`},
		{"impl 3 3", "impl 3 4294967296", `x.cert:3:1: expected a number up to 2147483647, found "4294967296"`},
		{"verdict holds\n", "verdict holds\nsimulations spec 1\n0 1\n",
			"x.cert:10:1: expected a simulation: a state, a colon, the states that simulate it"},
		{"verdict holds\n", "verdict holds\nsimulations cross 1\n0 : 1\nsimulations spec 1\n0 : 1\n",
			"x.cert:11:1: expected pairs"},
		{`"unlock"`, "unlock", "x.cert:7:1: expected a label in quotes"},
		{"verdict holds", "verdict maybe", `x.cert:8:1: verdict "maybe", expected holds or fails`},
		{"pairs 3", "pairs 4", "x.cert:13:1: expected a pair: 1 component states, a colon, specification states"},
		{"pairs 3", "pairs 2", "x.cert:12:1: expected end"},
		{"1 : 1 2\n2", "1 1\n2", "x.cert:11:1: expected a pair: 1 component states, a colon, specification states"},
		{"end\n", "end\nmore\n", "x.cert:14:1: text after the end"},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			require.Contains(t, held, test.before)
			_, err := cert.Read(strings.NewReader(strings.Replace(held, test.before, test.after, 1)), "x.cert")
			require.EqualError(t, err, test.want)
			var syntax *lts.SyntaxError
			require.ErrorAs(t, err, &syntax)
		})
	}
}

// A file that is cut off after any line is an error.
func TestReadTruncated(t *testing.T) {
	lines := slices.Collect(strings.Lines(held))
	for n := range lines {
		_, err := cert.Read(strings.NewReader(strings.Join(lines[:n], "")), "x.cert")
		require.ErrorContains(t, err, "the certificate ends here, it is not complete", n)
	}
	_, err := cert.Read(failing{}, "x.cert")
	require.EqualError(t, err, "x.cert: broken")
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken") }

// Whatever is read can be written and read again.
func FuzzRead(f *testing.F) {
	f.Add(held)
	f.Add(strings.Replace(held, "holds\npairs 3\n0 : 0\n1 : 1 2\n2 : 1 2", "fails\ntrace 1\n\"unl\\\"ock\\n\"", 1))
	f.Add(strings.Replace(held, pairsHeld, "simulations spec 1\n2 : 0 1\nsimulations impl 1\n0 : 0\n"+
		"simulations cross 3\n0 : 0\n1 : 1\n2 : 1\npairs 0", 1))
	f.Add("magus-certificate 2\nclaim weak-trace-containment\nimpl 1 0\nimpl 1 0\nspec 1 0\nobserved 0\n" +
		"verdict holds\npairs 1\n0 0 : 0\nend")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := cert.Read(strings.NewReader(text), "x.cert")
		if err != nil {
			return
		}
		var out bytes.Buffer
		require.NoError(t, c.Write(&out))
		written := out.String()
		again, err := cert.Read(&out, "x.cert")
		require.NoError(t, err)
		var twice bytes.Buffer
		require.NoError(t, again.Write(&twice))
		require.Equal(t, written, twice.String())
		impl, spec := subject()
		_ = c.Check(context.Background(), impl, spec)
	})
}

// TestTracesOfMany: what components do unseen is followed in each of them alone, of which there may be many; the check
// ends with its context.
func TestTracesOfMany(t *testing.T) {
	table := lts.NewActions()
	a := table.Intern("a")
	var impl []*lts.LTS
	for i := range 60 {
		b := lts.NewBuilder(table)
		b.AddStates(3)
		b.AddEdge(0, lts.Tau, 1)
		if i == 0 {
			b.AddEdge(1, a, 2)
		}
		impl = append(impl, b.Build())
	}
	b := lts.NewBuilder(table)
	b.AddStates(1)
	b.Alphabet(a)
	stop := b.Build()
	result, err := lts.Contains(t.Context(), impl, stop, lts.Limits{PartialOrder: true})
	require.NoError(t, err)
	require.Equal(t, lts.Fails, result.Verdict)
	c, err := cert.Of(impl, stop, result)
	require.NoError(t, err)
	require.NoError(t, c.Check(t.Context(), impl, stop))
	require.NoError(t, c.Check(countdown.Looks(t.Context(), 1<<10), impl, stop))
	require.ErrorIs(t, c.Check(countdown.Looks(t.Context(), 1), impl, stop), context.Canceled)
}
