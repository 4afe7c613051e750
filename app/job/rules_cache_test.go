package job

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/input"
	"magus/app/options"
	"magus/app/report"
	"magus/cfa"
	"magus/internal/sample"
	"magus/smt/expr"
)

// A cachedCheck is what a check of a rule came to: verdicts by root, those taken over, and what was said of the cache.
type cachedCheck struct {
	verdicts, kept map[string]string
	said           []string
}

// withCache checks a rule over a file, with results in the folder "kept" of dir.
func withCache(t *testing.T, dir, text string, change func(h *Host, o *options.Options)) cachedCheck {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(text), 0o666))
	h := System()
	h.Dir = input.Dir(dir)
	o := h.Settings(options.Rules).Options
	o.Rules = []string{"pthread-mutex"}
	if change != nil {
		change(&h, o)
	}
	r, err := StartRules(t.Context(), h, o, []string{"a.c"})
	require.NoError(t, err)
	c := cachedCheck{verdicts: map[string]string{}, kept: map[string]string{}}
	require.NoError(t, r.Cache("kept", false, func(text string) { c.said = append(c.said, text) }))
	require.NoError(t, r.All(t.Context(), 1, unwatched{}, func(root *RuleRoot) error {
		c.verdicts[root.Entry] = root.Result.Claim.Verdict
		if root.Result.Kept {
			c.kept[root.Entry] = root.Result.Claim.Verdict
		}
		return nil
	}))
	return c
}

// unwatched tells nobody.
type unwatched struct{}

func (unwatched) BeginRoot() float64          { return 0 }
func (unwatched) EndRoot(float64, RuleResult) {}
func (unwatched) PassRoot()                   {}

const twoRoots = `#include <pthread.h>
static pthread_mutex_t m;
static int n;
int keeps(int k) { pthread_mutex_lock(&m); n = k; pthread_mutex_unlock(&m); return 1; }
int breaks(int k) { pthread_mutex_lock(&m); n = k; return 2; }
`

// What is taken over: everything if nothing has changed, and otherwise what is proved of the same automaton.
func TestKeptRuleResults(t *testing.T) {
	sample.Long(t)
	dir := t.TempDir()
	first := withCache(t, dir, twoRoots, nil)
	require.Equal(t, map[string]string{"keeps": "conforms", "breaks": "violates"}, first.verdicts)
	require.Empty(t, first.kept)
	for _, c := range []struct {
		name, text string
		change     func(*Host, *options.Options)
		kept       map[string]string
	}{
		{"nothing", twoRoots, nil, first.verdicts},
		{"the function that breaks it", strings.Replace(twoRoots, "return 2", "return 3", 1), nil,
			map[string]string{"keeps": "conforms"}},
		{"a comment in the line of what breaks it", twoRoots[:len(twoRoots)-2] + " /* */ }\n", nil,
			map[string]string{"keeps": "conforms"}},
		{"the function that keeps it", strings.Replace(twoRoots, "return 1", "return 7", 1), nil,
			map[string]string{"breaks": "violates"}},
		{"a line before it", strings.Replace(twoRoots, "static int n", "\nstatic int n", 1), nil, map[string]string{}},
		{"an option of the model", twoRoots, func(_ *Host, o *options.Options) { o.HeapLimit = 3 }, map[string]string{}},
		{"an option of the search", twoRoots, func(_ *Host, o *options.Options) { o.MaxStates = 70000 }, map[string]string{}},
		{"the model of data", twoRoots, func(_ *Host, o *options.Options) { o.DataModel = cfa.ILP32.String() },
			map[string]string{}},
		{"the program", twoRoots, func(h *Host, _ *options.Options) {
			h.Build = func() (string, error) { return "another", nil }
		}, map[string]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			withCache(t, dir, twoRoots, nil)
			again := withCache(t, dir, c.text, c.change)
			require.Equal(t, c.kept, again.kept)
			require.Empty(t, again.said)
			require.Equal(t, first.verdicts, again.verdicts)
			require.Equal(t, first.verdicts, withCache(t, dir, c.text, c.change).kept, "once more")
		})
	}
}

// A record that was damaged, or is none, is not used, which is told, and is replaced.
func TestDamagedRuleResults(t *testing.T) {
	sample.Long(t)
	for name, damage := range map[string]func(text string) string{
		"half of it":      func(text string) string { return text[:len(text)/2] },
		"nothing":         func(string) string { return "" },
		"another verdict": func(text string) string { return strings.Replace(text, `"violates"`, `"conforms"`, 1) },
		"another file":    func(string) string { return "int main(void) { return 0; }\n" },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			first := withCache(t, dir, twoRoots, nil)
			files, err := filepath.Glob(filepath.Join(dir, "kept", "*.rule"))
			require.NoError(t, err)
			require.Len(t, files, 2)
			damaged := 0
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				if changed := damage(string(text)); changed != string(text) {
					damaged++
					require.NoError(t, os.WriteFile(file, []byte(changed), 0o666))
				}
			}
			again := withCache(t, dir, twoRoots, nil)
			require.Equal(t, first.verdicts, again.verdicts)
			require.Len(t, again.kept, 2-damaged)
			require.Len(t, again.said, damaged)
			require.Contains(t, fmt.Sprint(again.said), "not used: it is no result that a check of rules has left there")
			require.Equal(t, first.verdicts, withCache(t, dir, twoRoots, nil).kept)
		})
	}
}

// FuzzRuleRecord: whatever a record says behind a right sum, it is read or refused, and what was read is the same
// when it was written again.
func FuzzRuleRecord(f *testing.F) {
	text, err := json.Marshal(ruleRecord{Format: ruleFormat, Key: "k", Models: []ruleModel{{Depth: 1, Digest: "d"}},
		Claim: report.Claim{Name: "f: rule r", Rule: "r", Verdict: "violates",
			Counterexample: &report.Counterexample{Steps: []report.Step{{Action: "lock"}}}}})
	require.NoError(f, err)
	f.Add(string(text), true)
	f.Add(string(text), false)
	f.Add("", true)
	f.Fuzz(func(t *testing.T, text string, summed bool) {
		if summed {
			text = fmt.Sprintf("%x %s", sha256.Sum256([]byte(text)), text)
		}
		r, ok := readRecord([]byte(text))
		if !ok {
			return
		}
		require.True(t, summed, "nobody guesses a sum")
		again, err := json.Marshal(r)
		require.NoError(t, err)
		same, ok := readRecord(fmt.Appendf(nil, "%x %s\n", sha256.Sum256(again), again))
		require.True(t, ok)
		third, err := json.Marshal(same)
		require.NoError(t, err)
		require.Equal(t, string(again), string(third))
	})
}

// What is undecided by a limit is not kept.
func TestLimitsAreNotKept(t *testing.T) {
	dir := t.TempDir()
	limited := func(_ *Host, o *options.Options) { o.FunctionTimeout = 1 }
	require.Equal(t, map[string]string{"keeps": "unknown", "breaks": "unknown"},
		withCache(t, dir, twoRoots, limited).verdicts)
	require.Empty(t, withCache(t, dir, twoRoots, limited).kept)
	require.Empty(t, withCache(t, dir, twoRoots, nil).kept)
}

// A digest tells data apart by anything that they have, and has nothing to do with where they lie.
func TestDataDigest(t *testing.T) {
	type ring struct {
		next *ring
		n    int
	}
	round := func(n int) *ring {
		r := &ring{n: n}
		r.next = &ring{next: r}
		return r
	}
	type terms struct {
		of map[*expr.Expr]string
		as []any
	}
	pool := func(names ...string) (*expr.Pool, terms) {
		p, x := expr.NewPool(), terms{of: map[*expr.Expr]string{}}
		for _, name := range names {
			v := p.Var(name, expr.Int32)
			x.of[p.Add(v, p.Int(expr.Int32, 1))] = name
			x.as = append(x.as, v)
		}
		return p, x
	}
	digest := func(p *expr.Pool, x any) string {
		sum, err := dataDigest(p, x)
		require.NoError(t, err)
		return sum
	}
	ab, abTerms := pool("a", "b")
	again, againTerms := pool("a", "b")
	ba, baTerms := pool("b", "a")
	require.Equal(t, digest(ab, abTerms), digest(again, againTerms))
	require.NotEqual(t, digest(ab, abTerms), digest(ba, baTerms))
	ofTerms := map[string]int{}
	for i, build := range []func(p *expr.Pool, a, b *expr.Expr) *expr.Expr{ // all with as many terms
		func(p *expr.Pool, a, _ *expr.Expr) *expr.Expr { return p.Add(a, p.Int(expr.Int32, 7)) },
		func(p *expr.Pool, a, _ *expr.Expr) *expr.Expr { return p.Add(a, p.Int(expr.Int32, 8)) },
		func(p *expr.Pool, a, _ *expr.Expr) *expr.Expr { return p.Mul(a, p.Int(expr.Int32, 7)) },
		func(p *expr.Pool, _, b *expr.Expr) *expr.Expr { return p.Add(b, p.Int(expr.Int32, 7)) },
		func(p *expr.Pool, a, _ *expr.Expr) *expr.Expr { return p.Add(a, p.Var("c", expr.Int32)) },
		func(p *expr.Pool, a, _ *expr.Expr) *expr.Expr { return p.Add(a, p.Var("d", expr.Int32)) },
		func(p *expr.Pool, a, b *expr.Expr) *expr.Expr { return p.Lt(a, b) },
		func(p *expr.Pool, a, b *expr.Expr) *expr.Expr { return p.Lt(b, a) },
		func(p *expr.Pool, a, _ *expr.Expr) *expr.Expr { return p.Cast(expr.Int64, a) },
		func(p *expr.Pool, a, _ *expr.Expr) *expr.Expr { return p.Cast(expr.Uint64, a) },
	} {
		p := expr.NewPool()
		sum := digest(p, build(p, p.Var("a", expr.Int32), p.Var("b", expr.Int32)))
		require.NotContains(t, ofTerms, sum, "%d and %d", i, ofTerms[sum])
		ofTerms[sum] = i
	}
	require.Equal(t, digest(nil, round(1)), digest(nil, round(1)))
	all := map[string]any{}
	for i, x := range []any{nil, 0, 1, uint(1), "1", "", []int{}, []int(nil), []int{1}, [1]int{1}, []any{1},
		[]string{"ab", "c"},
		[]string{"a", "bc"}, map[string]int{"a": 1}, map[string]int{"a": 2}, map[string]int{"b": 1}, round(1),
		round(2), 1.5, true, false,
		struct{ A, B int }{1, 2}, struct{ A, C int }{1, 2}, &struct{ A, B int }{1, 2}, [][]int{{1}, {}}, [][]int{{}, {1}}} {
		sum := digest(nil, x)
		require.NotContains(t, all, sum, "%d: %#v and %#v", i, x, all[sum])
		all[sum] = x
	}
	for _, x := range []any{func() {}, make(chan int), abTerms} {
		_, err := dataDigest(nil, x)
		require.Error(t, err)
	}
	_, err := dataDigest(ba, abTerms)
	require.Error(t, err, "terms of another pool")
}
