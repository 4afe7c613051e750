package component_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/source"
	"magus/component"
	"magus/lts"
	"magus/smt/embedded"
	"magus/specs"
)

// TestGuardsOfUncalled: of what calls the abstractions of a procedure do not speak is
// told with each claim about one of them, even if nothing calls it.
func TestGuardsOfUncalled(t *testing.T) {
	for _, c := range []struct{ guards, remark string }{
		{"abstract { a, ($1 > 0), F };", "guards of procedure f: no guard holds for n = 0; of such calls nothing is claimed"},
		{"abstract { a, ($1 > 0), F }; abstract { b, ($1 > 1), F };",
			"guards of procedure f: guards 1 and 2 both hold for n = 2"},
		{"abstract { a, ($1 > 0), F }; abstract { b, ($1 <= 0), F };", ""},
		{"abstract { a, (1), F };", ""},
		{"abstract { a, (g == 0), F }; abstract { b, (g > 0), F };",
			"guards of procedure f: no guard holds for g = -1; of such calls nothing is claimed"},
	} {
		t.Run(c.guards, func(t *testing.T) {
			ctx := context.Background()
			program, err := source.Parse(ctx,
				[]source.Source{{Name: "t.c", Text: []byte("int g; int f(int n) { return 1; }")}}, source.Options{})
			require.NoError(t, err)
			file, err := specs.Parse(context.Background(),
				[]specs.Source{{Name: "t.spec",
					Text: []byte("F = ( return {$0 == 1} -> STOP ).\nprocedure f { " + c.guards + " }")}}, nil)
			require.NoError(t, err)
			proc := file.Procedures[0]
			claim := (&component.Sources{Program: program, Specs: file, LongWidth: 64}).ProcedureClaim(proc, proc.Abstracts[0])
			spec, err := claim.Spec(context.Background(), lts.NewActions())
			require.NoError(t, err)
			auto, err := claim.Lower(ctx, 0, component.Options{})
			require.NoError(t, err)
			comp, err := claim.Bind(ctx, 0, auto, spec, embedded.New(auto.Pool))
			require.NoError(t, err)
			if c.remark == "" {
				require.Empty(t, comp.Remarks)
				return
			}
			require.Equal(t, []cfa.Warning{{Pos: cfa.Pos(proc.Pos), Text: c.remark, Kind: cfa.AboutAbstraction}}, comp.Remarks)
		})
	}
}
