package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// Answers against those of ltscompare, of mCRL2, where it is installed. The
// pairs go to it as Aldebaran files, written here; an ERROR state is one that
// can do one more visible action.
//
// MAGUS_PEERS sets the number of pairs of each relation.

// peerRelations are what ltscompare is asked for. It has no weak simulation:
// the right side is saturated for it here, and then simulates step by step.
var peerRelations = map[Relation][]string{
	StrongBisim:              {"--equivalence=bisim", "--equivalence=bisim-gv"},
	BranchingBisim:           {"--equivalence=branching-bisim", "--equivalence=branching-bisim-gv"},
	DivergenceBranchingBisim: {"--equivalence=dpbranching-bisim", "--equivalence=dpbranching-bisim-gv"},
	WeakBisim:                {"--equivalence=weak-bisim"},
	TraceEq:                  {"--equivalence=trace"},
	WeakTraceEq:              {"--equivalence=weak-trace"},
	TraceIncl:                {"--preorder=trace", "--preorder=trace-ac"},
	WeakTraceIncl:            {"--preorder=weak-trace", "--preorder=weak-trace-ac"},
	Simulation:               {"--preorder=sim"},
	WeakSimulation:           {"--preorder=sim"},
}

func TestAgainstLtscompare(t *testing.T) {
	path, err := exec.LookPath("ltscompare")
	if err != nil {
		t.Skipf("ltscompare is not in PATH (it comes with mCRL2): %v", err)
	}
	pairs := uint64(sample.Count(40))
	for _, relation := range Relations() {
		t.Run(relation.String(), func(t *testing.T) {
			if peerRelations[relation] == nil {
				t.Skip("its relations of failures are not asked")
			}
			p := &ltscompare{path: path, dir: t.TempDir()}
			holding := uint64(0)
			for seed := range pairs {
				r := rand.New(rand.NewPCG(seed, 21))
				a, b, _ := similarPair(r, []int{3, 5, 12, 40}[seed%4])
				for _, option := range peerRelations[relation] {
					if p.differs(t, a, b, relation, option) {
						a, b = p.smaller(t, a, b, relation, option)
						require.Failf(t, "they differ", "seed %d: ltscompare %s and Compare with %v differ on\n%s\n%s",
							seed, option, relation, autText(a), autText(b))
					}
				}
				if c, err := Compare(context.Background(), a, b, relation, Limits{}); err == nil && c.Holds {
					holding++
				}
			}
			t.Logf("%d pairs, %d related, %d times no answer in time", pairs, holding, p.late)
			require.Less(t, uint64(10*p.late), pairs)
			require.Positive(t, holding)
			require.Less(t, holding, pairs)
		})
	}
}

// ltscompare is the program and a folder for its files.
type ltscompare struct {
	path, dir string
	late      int // how often it gave no answer in time
}

// differs has both compare a and b. No answer in time is no difference: subset
// construction may take very long.
func (p *ltscompare) differs(t *testing.T, a, b *LTS, relation Relation, option string) bool {
	ours, err := Compare(context.Background(), a, b, relation, Limits{})
	require.NoError(t, err)
	left, right := filepath.Join(p.dir, "left.aut"), filepath.Join(p.dir, "right.aut")
	require.NoError(t, os.WriteFile(left, []byte(autText(a)), 0o666))
	text := autText(b)
	if relation == WeakSimulation {
		text = saturatedText(b)
	}
	require.NoError(t, os.WriteFile(right, []byte(text), 0o666))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, p.path, "--quiet", option, left, right).Output()
	if ctx.Err() != nil {
		p.late++
		return false
	}
	require.NoError(t, err, "%s", out)
	theirs, err := strconv.ParseBool(strings.TrimSpace(string(out)))
	require.NoError(t, err, "%s", out)
	return ours.Holds != theirs
}

// smaller leaves out transitions for as long as the two differ.
func (p *ltscompare) smaller(t *testing.T, a, b *LTS, relation Relation, option string) (*LTS, *LTS) {
	for again := true; again; {
		again = false
		for i := range a.NumEdges() {
			if less := withoutEdge(a, i); p.differs(t, less, b, relation, option) {
				a, again = less, true
				break
			}
		}
		for i := range b.NumEdges() {
			if less := withoutEdge(b, i); p.differs(t, a, less, relation, option) {
				b, again = less, true
				break
			}
		}
	}
	return a, b
}

func withoutEdge(m *LTS, i int) *LTS {
	b := NewBuilder(m.Actions())
	b.AddStates(m.NumStates())
	b.SetInit(m.Init())
	n := 0
	for s := range State(m.NumStates()) {
		if m.IsError(s) {
			b.SetError(s)
		}
		for _, e := range m.Out(s) {
			if n != i {
				b.AddEdge(s, e.Action, e.To)
			}
			n++
		}
	}
	return b.Build()
}

// A labelled is a transition of a file.
type labelled struct {
	from  State
	label string
	to    State
}

func autText(m *LTS) string {
	var all []labelled
	for s := range State(m.NumStates()) {
		if m.IsError(s) {
			all = append(all, labelled{s, "err", s})
		}
		for _, e := range m.Out(s) {
			all = append(all, labelled{s, m.Actions().Name(e.Action), e.To})
		}
	}
	return transitionsText(m, all)
}

// saturatedText has a transition for each step of m with any τ before and
// after it, and for none.
func saturatedText(m *LTS) string {
	p := newPairs(m)
	var all []labelled
	for s := range State(m.NumStates()) {
		for s1 := range State(m.NumStates()) {
			if !p.star[s][s1] {
				continue
			}
			all = append(all, labelled{s, "tau", s1})
			for to := range State(m.NumStates()) {
				if m.IsError(s1) && p.star[s1][to] {
					all = append(all, labelled{s, "err", to})
				}
				for _, e := range m.Out(s1) {
					if e.Action != Tau && p.star[e.To][to] {
						all = append(all, labelled{s, m.Actions().Name(e.Action), to})
					}
				}
			}
		}
	}
	return transitionsText(m, all)
}

func transitionsText(m *LTS, all []labelled) string {
	var b strings.Builder
	slices.SortFunc(all, func(x, y labelled) int { return strings.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
	all = slices.Compact(all)
	fmt.Fprintf(&b, "des (%d,%d,%d)\n", m.Init(), len(all), m.NumStates())
	for _, e := range all {
		fmt.Fprintf(&b, "(%d,\"%s\",%d)\n", e.from, e.label, e.to)
	}
	return b.String()
}
