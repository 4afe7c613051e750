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
// decides nothing in Larger (a mutant that is equivalent). A loop that never ends is killed by time.
func TestKilledAndSurviving(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package for each mutant")
	}
	before, err := os.ReadFile("testdata/toy/toy.go")
	require.NoError(t, err)
	var out, errs bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"-room", "testdata/toy", "-count", "100", "-limit", "3s"},
		&out, &errs), errs.String())
	after, err := os.ReadFile("testdata/toy/toy.go")
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after), "no file of the checkout changes")

	assert.ElementsMatch(t, []string{
		"survived testdata/toy/toy.go:6:7: > became >=",
	}, lines(out.String(), "survived"))
	assert.ElementsMatch(t, []string{
		"killed testdata/toy/toy.go:6:7: > became <=",
		"killed testdata/toy/toy.go:6:5: condition became true",
		"killed testdata/toy/toy.go:6:5: condition became false",
		"killed testdata/toy/toy.go:14:6: ! left out",
		"killed by time testdata/toy/toy.go:14:6: condition became true",
		"killed testdata/toy/toy.go:14:6: condition became false",
	}, lines(errs.String(), "killed"))
	assert.Contains(t, out.String(), "85.7 % killed")
}

// TestKinds: which places have mutants, and which. A panic, the capacity of make and what assigns nothing have none.
func TestKinds(t *testing.T) {
	var out, errs bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"-room", "testdata/kinds", "-count", "100", "-list"},
		&out, &errs), errs.String())
	assert.ElementsMatch(t, []string{
		"testdata/kinds/kinds.go:5:22: 0 became 0+1",
		"testdata/kinds/kinds.go:6:5: condition became true",
		"testdata/kinds/kinds.go:6:5: condition became false",
		"testdata/kinds/kinds.go:6:5: condition became its opposite",
		"testdata/kinds/kinds.go:7:3: assignment left out",
		"testdata/kinds/kinds.go:7:5: += became -=",
		"testdata/kinds/kinds.go:7:8: 2 became 2+1",
		"testdata/kinds/kinds.go:9:5: condition became true",
		"testdata/kinds/kinds.go:9:5: condition became false",
		"testdata/kinds/kinds.go:9:5: condition became its opposite",
		"testdata/kinds/kinds.go:9:10: && became ||",
		"testdata/kinds/kinds.go:9:15: == became !=",
		"testdata/kinds/kinds.go:14:3: assignment left out",
		"testdata/kinds/kinds.go:14:4: ++ became --",
		"testdata/kinds/kinds.go:16:2: call left out",
		"testdata/kinds/kinds.go:17:11: * became /",
	}, strings.Split(strings.TrimSpace(out.String()), "\n"))
}

// lines are those lines of a text that begin with a word.
func lines(text, word string) []string {
	return regexp.MustCompile(`(?m)^`+word+` .*\.go:.*$`).FindAllString(text, -1)
}

// Tests are short unless they are asked for in full.
func TestHowLongTestsAre(t *testing.T) {
	for flag, want := range map[string]string{"-list": "-test.short=true", "-long": "-test.short=false"} {
		o, err := parse([]string{"-room", "x", flag}, t.Output())
		require.NoError(t, err)
		assert.Equal(t, []string{"./tests", want, "-test.failfast", "-test.run", "Law"},
			o.arguments("./tests", suite{folder: "x", pattern: "Law"}))
	}
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
