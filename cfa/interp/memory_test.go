package interp_test

import (
	_ "embed"
	"strings"
	"testing"

	"magus/cfa/source"

	"github.com/stretchr/testify/require"
)

//go:embed testdata/memory.c
var memoryPrograms string

// Programs with structures, pointers, arrays and allocated memory execute as
// gcc executes them.
func TestMemoryAgreesWithGCC(t *testing.T) {
	b := &batch{nondet: cnondet, prelude: cprelude + memoryPrograms}
	prog, err := source.Parse(ctx(), []source.Source{{Name: "memory.c", Text: []byte(b.nondet + b.prelude)}},
		source.Options{})
	require.NoError(t, err)
	for _, p := range prog.Procedures() {
		if strings.HasPrefix(p, "test_") || strings.HasPrefix(p, "heap_") {
			b.programs = append(b.programs, program{entry: p})
		}
	}
	agreeWithGCC(t, b, 1)
}
