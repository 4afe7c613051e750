package findings_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/app/findings"
	"magus/app/report"
)

// broken is a claim that a root breaks: events at lines, the last one is forbidden.
func broken(root string, events []string, lines ...int) report.Claim {
	x := &report.Counterexample{}
	for i, e := range events {
		x.Steps = append(x.Steps, report.Step{Action: e, Procedure: "f", Forbidden: i == len(events)-1,
			Place: &report.Place{File: "a.c", Line: lines[i], Column: 1}})
	}
	return report.Claim{Name: root + ": rule r", Rule: "r", Verdict: "violates", Counterexample: x}
}

func set(t *testing.T, text string) *findings.Set {
	t.Helper()
	b := findings.NewBaseline("known.txt", "/p", "/p")
	if text != "" {
		require.NoError(t, b.Read([]byte(text)))
	}
	return findings.New(b, findings.NewAllowances())
}

func TestCauses(t *testing.T) {
	lock := []string{"lock", "lock"}
	for name, tt := range map[string]struct {
		second report.Claim
		first  bool
	}{
		"the same places":        {broken("b", lock, 3, 4), false},
		"another history before": {broken("b", []string{"lock", "unlock", "lock", "lock"}, 1, 2, 3, 4), false},
		"another event's place":  {broken("b", lock, 3, 5), true},
		"another last place":     {broken("b", lock, 2, 4), true},
		"another event":          {broken("b", []string{"lock", "end"}, 3, 4), true},
		"nothing before":         {broken("b", []string{"lock"}, 4), true},
	} {
		t.Run(name, func(t *testing.T) {
			s := set(t, "")
			one, first := s.Add("a", broken("a", lock, 3, 4))
			require.True(t, first)
			two, first := s.Add("b", tt.second)
			require.Equal(t, tt.first, first)
			if !first {
				require.Same(t, one, two)
				require.Equal(t, []string{"a", "b"}, one.Roots)
				require.Len(t, s.All(), 1)
			}
		})
	}
}

// A fingerprint does not go by lines, but by all else; two findings never share one.
func TestFingerprints(t *testing.T) {
	s := set(t, "")
	seen := map[string]string{}
	for _, c := range []report.Claim{broken("a", []string{"lock", "lock"}, 3, 4),
		broken("b", []string{"lock", "lock"}, 5, 6),
		broken("c", []string{"lock", "end"}, 3, 4), broken("d", []string{"end"}, 4)} {
		f, first := s.Add(c.Name, c)
		require.True(t, first)
		require.Empty(t, seen[f.Fingerprint])
		seen[f.Fingerprint] = c.Name
	}
	f, _ := set(t, "").Add("a", broken("a", []string{"lock", "lock"}, 30, 40))
	require.Equal(t, "a: rule r", seen[f.Fingerprint])
}

func TestBaseline(t *testing.T) {
	s := set(t, "")
	s.Add("a", broken("a", []string{"lock", "lock"}, 3, 4))
	s.Add("b", broken("b", []string{"lock", "lock"}, 5, 6))
	s.Add("c", broken("c", []string{"1", "2", "3", "4", "5", "6", "7", "end"}, 1, 2, 3, 4, 5, 6, 7, 8))
	odd := broken("d", []string{"end"}, 9)
	odd.Counterexample.Steps[0].Place.File = `a "b".c`
	s.Add("d", odd)
	text := s.Baseline()
	require.Contains(t, text, "\nr \"a \\\"b\\\".c\" f end\nr a.c f end after ... 2 3 4 5 6 7\n"+
		"r a.c f lock after lock\nr a.c f lock after lock\n")

	again := set(t, text)
	for _, c := range []report.Claim{odd, broken("b", []string{"lock", "lock"}, 50, 60),
		broken("a", []string{"lock", "lock"}, 30, 40)} {
		f, _ := again.Add(c.Name, c)
		assert.Equal(t, report.Known, f.Kind)
	}
	f, _ := again.Add("e", broken("e", []string{"lock", "lock"}, 70, 80))
	assert.Equal(t, report.New, f.Kind, "a third one, where two are known")
	anything := func(string) bool { return true }
	assert.Equal(t, []string{"known.txt:4: not found any more: r a.c f end after ... 2 3 4 5 6 7"},
		again.Gone(map[string]int{"r": 0}, anything))
	assert.Contains(t, again.Gone(map[string]int{"r": 2}, anything)[0], " (2 roots of the rule undecided)")
	assert.Empty(t, again.Gone(map[string]int{"other": 0}, anything))
	assert.Empty(t, again.Gone(map[string]int{"r": 0}, func(path string) bool { return path != "/p/a.c" }))
}

func TestDamagedBaselines(t *testing.T) {
	for text, want := range map[string]string{
		"":                     `known.txt:1: no baseline: it begins with "# magus baseline 1"`,
		"r a.c f end\n":        `known.txt:1: no baseline: it begins with "# magus baseline 1"`,
		"# magus baseline 7\n": `known.txt:1: a baseline of another format: 7, expected 1`,
		"# magus baseline 1\nr a.c f\n": `known.txt:2: the baseline is damaged: expected RULE FILE ` +
			`FUNCTION EVENT, found 3 words`,
		"# magus baseline 1\n\nr a.c f e x": `known.txt:3: the baseline is damaged: expected after and events, found x`,
		"# magus baseline 1\nr a f e after": `known.txt:2: the baseline is damaged: expected after and events, found after`,
		"# magus baseline 1\nr \"a f e\n":   `known.txt:2: the baseline is damaged: a quote is not closed`,
		"# magus baseline 1\n<<<<<<< HEAD\n": `known.txt:2: the baseline is damaged: expected RULE FILE ` +
			`FUNCTION EVENT, found 2 words`,
	} {
		require.EqualError(t, findings.NewBaseline("known.txt", "/p", "/p").Read([]byte(text)), want)
	}
	require.NoError(t, findings.NewBaseline("known.txt", "/p", "/p").
		Read([]byte("# magus baseline 1\n# a remark\n\nr a.c f end  \r\n")))
}
