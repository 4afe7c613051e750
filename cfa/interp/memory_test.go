package interp_test

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/cfa"
)

//go:embed testdata/memory.c
var memoryPrograms string

// Programs with structures, pointers, arrays and allocated memory execute as
// gcc executes them.
func TestMemoryAgreesWithGCC(t *testing.T) {
	for _, c := range []struct {
		name  string
		model cfa.DataModel
		heap  bool
		flags []string
	}{
		{"LP64", cfa.LP64, true, nil},
		{"ILP32", cfa.ILP32, false, []string{"-m32", "-nostdlib", "-static", "-fno-pic", "-fno-stack-protector"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := runGCC(dir, harness+"START { line(\"return\", sizeof(long)); END; }\n", c.flags); err != nil {
				t.Skipf("no gcc that compiles for %s: %v", c.name, err)
			}
			text, _, _ := strings.Cut(memoryPrograms, "int heap_list")
			if c.heap {
				text = memoryPrograms
			}
			text = cprelude + text
			prog, err := cfa.Parse(ctx(), []cfa.Source{{Name: "memory.c", Text: []byte(cnondet + text)}}, cfa.Options{Model: c.model})
			require.NoError(t, err)
			b := &batch{text: text}
			for _, p := range prog.Procedures() {
				if strings.HasPrefix(p, "test_") || strings.HasPrefix(p, "heap_") {
					b.entries = append(b.entries, p)
				}
			}
			want, err := runGCC(dir, memoryHelpers+b.withHarness(), c.flags)
			require.NoError(t, err)
			for i, entry := range b.entries {
				assert.Equal(t, want[i], execute(t, prog, entry), fmt.Sprintf("%s %s", c.name, entry))
			}
		})
	}
}

// memoryHelpers are what gcc calls where there is no C library.
const memoryHelpers = `
#ifndef __LP64__
void *memset(void *p, int c, unsigned n) { for (unsigned i = 0; i < n; i++) ((volatile char *)p)[i] = c; return p; }
void *memcpy(void *p, const void *q, unsigned n) { for (unsigned i = 0; i < n; i++) ((volatile char *)p)[i] = ((const char *)q)[i]; return p; }
#endif
`
