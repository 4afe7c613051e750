package main

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/record"
	"magus/smt/solvertest"
)

// TestReadsWhatIsRecorded: a condition that is read has the value of the one that was written.
func TestReadsWhatIsRecorded(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		g := solvertest.NewGenerator(random, 3, 33)
		want := g.Cond(4)
		var file bytes.Buffer
		s := record.New(embedded.New(g.Pool), &file)
		s.Assert(want)
		require.NoError(t, s.Close())
		r := newReader()
		var got *expr.Expr
		for line := range strings.Lines(file.String()) {
			if c := r.line(line); c != nil {
				got = c
			}
		}
		require.NoError(t, r.err)
		require.NotNil(t, got)
		for range 20 {
			values := map[string]uint64{}
			value := func(v *expr.Expr) uint64 {
				name := strings.Trim(v.Name(), "|:")
				if _, known := values[name]; !known {
					values[name] = random.Uint64()
				}
				if v.Type().IsBool() {
					return values[name] & 1
				}
				return v.Type().Trunc(values[name])
			}
			require.Equal(t, expr.Eval(want, value), expr.Eval(got, value), "%v\n%s", want, file.String())
		}
	}
}
