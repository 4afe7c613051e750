package mist_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/param"
	"magus/param/engine"
	"magus/param/mist"
	"magus/param/paramtest"
)

const net = `# a lock
vars
	idle busy free
rules
	idle >= 1, free >= 1 -> idle' = idle-1, busy' = busy+1, free' = free-1;
	busy >= 1 -> busy' = busy-1, idle' = idle+1, free' = free+1;
init
	idle >= 1, busy = 0, free = 1
target
	busy >= 2
invariants
	busy = 1, free = 1
`

func verdict(t *testing.T, m *param.Model) engine.Answer {
	sys, err := param.Compile(t.Context(), m)
	require.NoError(t, err)
	s, err := engine.New(sys, 0, engine.Options{MaxSets: 100000})
	require.NoError(t, err)
	return s.Check(context.Background()).Answer
}

func TestParse(t *testing.T) {
	require.True(t, mist.Is([]byte(net)))
	require.False(t, mist.Is([]byte("states vars;")))
	m, err := mist.Parse("net", []byte(net))
	require.NoError(t, err)
	require.Equal(t, engine.Safe, verdict(t, m))
	m, err = mist.Parse("net", []byte(strings.Replace(net, "free = 1\n", "free in [1,2]\n", 1)))
	require.NoError(t, err)
	require.Equal(t, engine.Unsafe, verdict(t, m))
}

// A transfer moves: what has no value of its own is empty afterwards, and 0 for what is moved to means
// nothing. Without a sum an update is what it says.
func TestTransfer(t *testing.T) {
	for rule, want := range map[string]param.Config{
		"-> a' = a+b+0, b' = 0;":         {5, 0, 7},
		"-> a' = a+b;":                   {5, 0, 7},
		"-> a' = a+b+1, a' = 0;":         {6, 0, 7},
		"true -> a' = 0;":                {0, 3, 7},
		"a in [1,2], b = 3 -> a' = a-2;": {0, 3, 7},
		"a >= 3 -> a' = a-2;":            nil,
		"c <= 7 -> ;":                    {2, 3, 7},
	} {
		m, err := mist.Parse("m", []byte("vars a b c\nrules "+rule+"\ninit a >= 0\ntarget a >= 1"))
		require.NoError(t, err, rule)
		next, _ := m.Fire(0, param.Config{2, 3, 7})
		assert.Equal(t, want, next, rule)
	}
}

// Lines of target are alternatives; a comma at the end of a line goes on.
func TestTarget(t *testing.T) {
	m, err := mist.Parse("m", []byte("vars a b\nrules\ninit\ntarget\na >= 1,\nb >= 1\nb >= 3\n"))
	require.NoError(t, err)
	require.Equal(t, "a >= 1, b >= 1 or b >= 3", m.Formula(m.Bad[0].Formula))
	require.Equal(t, "true", m.Formula(m.Init))
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "1:1: expected vars",
		"vars a a":                 "1:8: a is declared already",
		"vars a rules b >= 1 -> ;": "1:14: b is not declared in vars",
		"vars a rules a > 1 -> ;":  "expected =, >=, <= or in, found >",
		"vars a rules a >= 1 -> a' = a+1, a' = 2;":     "a' has two values in this rule",
		"vars a rules a >= 1 -> a' = 1":                "expected ;, found the end of the file",
		"vars a rules init a = 0 target":               "expected what must not be reached",
		"vars a rules init a = 0 target a >= 1 target": "expected the end of the file, found target",
	} {
		_, err := mist.Parse("m", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// What is written for mist has the verdict of the model, here and, where it is installed, there.
func TestWrite(t *testing.T) {
	files, err := filepath.Glob("../../examples/param/*.param")
	require.NoError(t, err)
	written := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		m, err := param.Parse(f, text)
		require.NoError(t, err)
		sys, err := param.Compile(t.Context(), m)
		require.NoError(t, err)
		out, err := mist.Write(sys, 0)
		if err != nil {
			continue // relates names, or forgets values
		}
		written++
		again, err := mist.Parse("written", []byte(out))
		require.NoError(t, err, out)
		require.Equal(t, verdict(t, m), verdict(t, again), f)
	}
	require.Positive(t, written)
	ask(t, net, "safe")
	ask(t, strings.Replace(net, "free = 1\n", "free >= 1\n", 1), "unsafe")
}

// Mist's backward search, where it is installed, has the verdict of the exact methods on random models that it can
// express. MAGUS_PEERS=N takes N times as many.
func TestRandomAgainstMist(t *testing.T) {
	if _, err := exec.LookPath("mist"); err != nil {
		t.Skip("mist is not installed")
	}
	n := sample.Count(100)
	count := map[string]int{}
	for i := range n {
		m, err := param.Parse("random", []byte(paramtest.Random(rand.New(rand.NewPCG(uint64(i), 11)))))
		require.NoError(t, err)
		sys, err := param.Compile(t.Context(), m)
		if err != nil {
			continue
		}
		methods, err := engine.Methods(sys, 0, engine.Options{})
		require.NoError(t, err)
		text, err := mist.Write(sys, 0)
		if err != nil || !slices.Contains(methods, "cover") {
			continue
		}
		if theirs := asked(t, text); theirs != "" {
			require.Equal(t, theirs, verdict(t, m).String(), text)
			count[theirs]++
		}
	}
	t.Log(count)
	if !sample.Whole() {
		return
	}
	require.Positive(t, count["safe"])
	require.Positive(t, count["unsafe"])
}

// asked is what mist concludes, or "" if it goes on for long.
func asked(t *testing.T, text string) string {
	file := filepath.Join(t.TempDir(), "m.spec")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, _ := exec.CommandContext(ctx, "mist", "--backward", file).CombinedOutput()
	_, conclusion, _ := strings.Cut(string(out), "backward algorithm concludes ")
	conclusion, _, _ = strings.Cut(conclusion, "\n")
	return conclusion
}

func ask(t *testing.T, text, want string) {
	if _, err := exec.LookPath("mist"); err == nil {
		require.Equal(t, want, asked(t, text))
	}
}

// Whatever the text, there is a model or an error that names the file.
func FuzzParse(f *testing.F) {
	f.Add(net)
	f.Add("vars\n\tx\nrules\n\tx >= 1 -> x' = x - 1;\ninit\n\tx >= 1\ntarget\n\tx >= 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := mist.Parse("m.spec", []byte(text))
		if err != nil {
			require.Contains(t, err.Error(), "m.spec")
			return
		}
		again, err := param.Parse("m.param", []byte(m.Format()))
		require.NoError(t, err, m.Format())
		require.True(t, m.Equal(again))
	})
}
