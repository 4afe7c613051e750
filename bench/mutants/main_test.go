package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestKilledAndSurviving runs all mutants of a package whose tests are known: the comparison of equal numbers
// decides nothing in Larger (a mutant that is equivalent), and nothing tests Untested. A loop that never ends
// is killed by time.
func TestKilledAndSurviving(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package for each mutant")
	}
	before, err := os.ReadFile("testdata/toy/toy.go")
	require.NoError(t, err)
	var out, errs bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"-room", "testdata/toy", "-count", "100", "-limit", "1s"},
		&out, &errs), errs.String())
	after, err := os.ReadFile("testdata/toy/toy.go")
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "no file of the checkout changes")

	assert.ElementsMatch(t, []string{
		"survived testdata/toy/toy.go:6:7: > became >=",
		"survived testdata/toy/toy.go:14:11: + became -",
		"survived testdata/toy/toy.go:14:13: 1 became 1+1",
	}, lines(out.String(), "survived"))
	assert.ElementsMatch(t, []string{
		"killed testdata/toy/toy.go:6:7: > became <=",
		"killed testdata/toy/toy.go:6:5: condition became true",
		"killed testdata/toy/toy.go:6:5: condition became false",
		"killed testdata/toy/toy.go:19:7: 0 became 0+1",
		"killed testdata/toy/toy.go:20:8: < became <=",
		"killed by time testdata/toy/toy.go:20:8: < became >=",
		"killed by time testdata/toy/toy.go:20:6: condition became true",
		"killed testdata/toy/toy.go:20:6: condition became false",
		"killed by time testdata/toy/toy.go:21:3: assignment left out",
		"killed by time testdata/toy/toy.go:21:4: ++ became --",
	}, lines(errs.String(), "killed"))
	assert.Contains(t, out.String(), "76.9 % killed")
}

// lines are those lines of a text that begin with a word.
func lines(text, word string) []string {
	return regexp.MustCompile(`(?m)^`+word+` .*\.go:.*$`).FindAllString(text, -1)
}

func TestSameSeedSameMutants(t *testing.T) {
	list := func(seed string) string {
		var out, errs bytes.Buffer
		require.Zero(t, run(context.Background(), []string{"-room", ".", "-seed", seed, "-count", "20", "-list"},
			&out, &errs), errs.String())
		return out.String()
	}
	one := list("1")
	assert.Equal(t, 20, strings.Count(one, "\n"))
	assert.Equal(t, one, list("1"))
	assert.NotEqual(t, one, list("2"))
}

func TestMistakes(t *testing.T) {
	for _, args := range [][]string{{}, {"-room", "nowhere"}, {"-room", ".", "-match", "("}, {"-room", ".", "more"}} {
		var out, errs bytes.Buffer
		assert.Equal(t, 2, run(context.Background(), args, &out, &errs), args)
		assert.NotEmpty(t, errs.String(), args)
	}
}
