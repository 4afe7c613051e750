package cert_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/param"
	"magus/param/cert"
	"magus/param/engine"
)

// Solvers that are installed accept the proofs of the examples, from queries that share nothing with the
// checker.
func TestSolversAccept(t *testing.T) {
	sample.Long(t)
	files, err := filepath.Glob("../../examples/param/*.param")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, solver := range [][]string{{"z3", "-in", "-T:60"}, {"cvc5", "--incremental", "--lang=smt2"}} {
		t.Run(solver[0], func(t *testing.T) {
			if _, err := exec.LookPath(solver[0]); err != nil {
				t.Skip(err)
			}
			for _, f := range files {
				t.Run(filepath.Base(f), func(t *testing.T) { solve(t, solver, proofQueries(t, f)) })
			}
		})
	}
}

// proofQueries are those of the proof of an example, if it has one of less than 100 sets.
func proofQueries(t *testing.T, file string) []string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	m, err := param.Parse(file, text)
	require.NoError(t, err)
	sys, err := param.Compile(t.Context(), m)
	require.NoError(t, err)
	s, err := engine.New(sys, 0, engine.Options{})
	require.NoError(t, err)
	proof := s.Check(t.Context()).Proof
	if proof == nil || len(proof.Outside) >= 100 {
		return nil
	}
	return cert.Queries(sys.Model, 0, proof)
}

// solve asks a solver whether all queries are unsatisfiable.
func solve(t *testing.T, solver, queries []string) {
	cmd := exec.CommandContext(t.Context(), solver[0], solver[1:]...)
	cmd.Stdin = strings.NewReader("(set-logic QF_LIA)\n" + strings.Join(queries, ""))
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("unsat\n", len(queries)), string(out))
	t.Logf("%d queries", len(queries))
}
