package interp_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
)

//go:embed testdata/memory.c
var memoryPrograms string

// Programs with structures, pointers, arrays and allocated memory execute as
// gcc executes them.
func TestMemoryAgreesWithGCC(t *testing.T) {
	b := &batch{nondet: cnondet, text: cprelude + memoryPrograms, lowering: []cfa.LowerOptions{{}}}
	prog, err := cfa.Parse(ctx(), []cfa.Source{{Name: "memory.c", Text: []byte(b.nondet + b.text)}}, cfa.Options{})
	require.NoError(t, err)
	for _, p := range prog.Procedures() {
		if strings.HasPrefix(p, "test_") || strings.HasPrefix(p, "heap_") {
			b.entries = append(b.entries, p)
			b.programs = append(b.programs, p)
		}
	}
	agreeWithGCC(t, b, 1)
}
