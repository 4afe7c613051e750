package lts

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

// TestPublishedLTSs makes every quotient of the same LTSs; making it again changes nothing.
func TestPublishedLTSs(t *testing.T) {
	sample.Long(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "shared", "bench", "lts-aut", "*.aut"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("the collection of LTSs is not there")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		m, err := ReadAut(bytes.NewReader(text), name, NewActions(), AutOptions{Tau: []string{"tau", "i"}})
		require.NoError(t, err)
		for _, relation := range append([]Relation{WeakTraceEq}, bisimulations...) {
			q, err := Minimize(context.Background(), m, relation, Limits{})
			require.NoError(t, err, "%s %v", name, relation)
			again, err := Minimize(context.Background(), q, relation, Limits{})
			require.NoError(t, err)
			require.Equal(t, withoutNames(q).String(), withoutNames(again).String(), "%s %v", name, relation)
			c, err := Compare(context.Background(), m, q, relation, Limits{})
			require.NoError(t, err)
			require.True(t, c.Holds, "%s %v", name, relation)
		}
	}
}

// TestPublishedQuotients compares the number of classes of strong bisimulation with a list, where
// the collection of LTSs is present.
func TestPublishedQuotients(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "bench", "lts-aut")
	list, err := os.ReadFile(filepath.Join(dir, "VERDICTS.tsv"))
	if err != nil {
		t.Skipf("the collection of LTSs is not there: %v", err)
	}
	checked := 0
	for _, line := range strings.Split(string(list), "\n")[1:] {
		fields := strings.Split(line, "\t")
		if len(fields) < 3 || fields[1] != "strong-bisimulation classes" {
			continue
		}
		want, err := strconv.Atoi(fields[2])
		require.NoError(t, err)
		file, err := os.Open(filepath.Join(dir, fields[0]))
		require.NoError(t, err)
		m, err := ReadAut(file, fields[0], NewActions(), AutOptions{})
		require.NoError(t, err)
		require.NoError(t, file.Close())
		q, err := Minimize(context.Background(), m, StrongBisim, Limits{})
		require.NoError(t, err)
		require.Equal(t, want, q.NumStates(), fields[0])
		checked++
	}
	require.Positive(t, checked)
}
