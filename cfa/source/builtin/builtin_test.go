package builtin

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"magus/internal/golden"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A row has what rows may have, and a name is in one row.
func TestRowsAreWellFormed(t *testing.T) {
	seen := map[string]string{}
	for _, r := range Rows() {
		for _, name := range r.Names {
			assert.Empty(t, seen[name], "%s twice", name)
			seen[name] = r.Pattern
		}
		assert.Contains(t, []How{Computed, Library, Compiler, Hint, Ends, Any, Refused, Unread}, r.How, r.Pattern)
		assert.NotEmpty(t, r.Compilers, r.Pattern)
		assert.Subset(t, []string{"gcc", "gcc14", "clang"}, r.Compilers, r.Pattern)
		assert.True(t, r.declares == "-" || strings.HasSuffix(r.declares, ";"), r.Pattern)
	}
	row, ok := Known("__builtin_rotateleft16")
	require.True(t, ok)
	require.Equal(t, Computed, row.How)
	for name, declaration := range map[string]string{
		"__builtin_clzll":          "int __builtin_clzll(unsigned long long);",
		"__builtin_umull_overflow": "_Bool __builtin_umull_overflow(unsigned long, unsigned long, unsigned long *);",
		"__builtin_bitreverse16":   "__UINT16_TYPE__ __builtin_bitreverse16(__UINT16_TYPE__);",
		"__builtin_addcb": "unsigned char __builtin_addcb(unsigned char, unsigned char, " +
			"unsigned char, unsigned char *);",
	} {
		assert.Contains(t, Declarations(), declaration+"\n", name)
	}
}

// What is a macro has a row, and what a row says of operations whose types follow those of their arguments is a macro.
func TestMacrosHaveRows(t *testing.T) {
	var defined []string
	for line := range strings.Lines(Macros()) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "#define "), "(")
		assert.NotContains(t, defined, name, "twice")
		defined = append(defined, name)
	}
	require.Greater(t, len(defined), 100)
	for _, r := range Rows() {
		for _, name := range r.Names {
			if strings.HasPrefix(r.Section, "Atomic") {
				assert.Contains(t, defined, name, "no macro")
			}
		}
	}
	for _, name := range defined {
		if _, ok := Known(name); !ok {
			assert.True(t, slices.ContainsFunc([]string{"_max", "_min"},
				func(op string) bool { return strings.Contains(name, op) }),
				"%s has no row", name)
		}
	}
}

// The document is the table.
func TestDocumentIsTheTable(t *testing.T) {
	golden.Equal(t, "../../../docs/builtins.md", document())
}

// document is the table as people read it.
func document() string {
	var b strings.Builder
	b.WriteString("# Functions that are built into compilers\n\n" +
		"What magus knows of each function that is built into GCC or clang.\n\n" +
		"    __builtin_popcount(x)       computed: how many bits of x are 1\n" +
		"    __builtin_expect(x, 1)      a hint: x\n" +
		"    __builtin_return_address(0) any value: no violation rests on it\n" +
		"    __builtin_setjmp(b)         refused: a run is not followed beyond it\n\n" +
		"The page is made from\n" +
		"[one table](../cfa/source/builtin/builtins.txt). A test runs a small program for each row, " +
		"with an assertion that holds\nand one that does not. It asks GCC where it has the function.\n\n")
	legend, _, _ := strings.Cut(tableText, "\n[")
	_, legend, _ = strings.Cut(legend, "How is\n")
	b.WriteString("| how | |\n|---|---|\n")
	var rest string
	for line := range strings.Lines(legend) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#"))
		how, what, ok := strings.Cut(line, "  ")
		switch {
		case ok && rest == "":
			fmt.Fprintf(&b, "| %s | %s |\n", how, strings.ReplaceAll(strings.TrimSpace(what), "docs/library.md",
				"[library.md](library.md)"))
		case line != "":
			rest += line + "\n"
		}
	}
	b.WriteString("\n" + rest)
	b.WriteString("\n`{a,b}` in a name stands for a and for b. Names begin with `__builtin_`, " +
		"but for those of atomic operations.\n" +
		"Compilers are those that have the function: gcc 12, gcc14, clang 17.\n" +
		"`<stdatomic.h>`, `<stdbit.h>` and `<stdckdint.h>` that come with magus are made of these.\n" +
		"There `atomic_fetch_add` of a pointer counts elements, as ISO C says; the header of GCC counts bytes.\n")
	section := ""
	for _, r := range Rows() {
		if r.Section != section {
			section = r.Section
			fmt.Fprintf(&b, "\n## %s\n\n| names | compilers | how | what they do |\n|---|---|---|---|\n", section)
		}
		var names []string
		for _, name := range split(r.Pattern) {
			names = append(names, "`"+name+"`")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", strings.Join(names, ", "), strings.Join(r.Compilers, ", "), r.How, r.What)
	}
	return b.String()
}
