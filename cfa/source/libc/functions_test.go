package libc

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"magus/internal/golden"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A row has what rows may have, once, and is read as it is written.
func TestFunctionsAreWellFormed(t *testing.T) {
	access := regexp.MustCompile(
		`^([rwa]\d=([+]?s\d?|o{1,3}|[he]|~?\d(\*\d)?)~?(<\d)?\??|[kxcfg]\d|L(\d|std(in|out|err))|[ST]:\w+|-)$`)
	seen := map[string]bool{}
	for _, f := range Functions() {
		assert.False(t, seen[f.Name], "%s twice", f.Name)
		seen[f.Name] = true
		for _, w := range strings.Fields(f.cells[0]) {
			assert.Regexp(t, access, w, f.Name)
		}
		assert.Contains(t, []string{"any", "done", "many", "char", "count", "det", "=1", "in1", "in2", "in3", "new", "new1",
			"stack", "handle", "held", "void", "never"}, f.Result, f.Name)
		assert.Contains(t, []string{"yes", "common", "no", "refused"}, f.Threads, f.Name)
		assert.Contains(t, []string{"row", "code", "-"}, f.How, f.Name)
		assert.Equal(t, f.Threads == "no", slices.ContainsFunc(f.States, func(s State) bool { return s.Write }) ||
			f.Name == "readdir",
			"%s: two threads may not call what writes something that is kept for all", f.Name)
	}
	f, ok := Known("strncat")
	require.True(t, ok)
	require.Equal(t, []Access{
		{Kind: Reads, Arg: 0, Extent: AsText, Of: -1, Limit: -1},
		{Kind: Writes, Arg: 0, Extent: AsText, Of: 1, Limit: -1, Appends: true},
		{Kind: Reads, Arg: 1, Extent: AsText, Of: -1, Limit: 2}}, f.Accesses)
	require.Equal(t, 3, f.Arity())
	f, _ = Known("bsearch")
	require.Equal(t, []int{2, 3}, f.Accesses[1].Size)
	require.True(t, f.Accesses[1].Maybe)
	f, _ = Known("snprintf")
	require.Equal(t, 2, f.Format())
}

// Models and rows know the same functions: each model has a row, and a row without a model says what stands
// for it. What a model stores to, its row says that it is written.
func TestModelsHaveRows(t *testing.T) {
	stores := regexp.MustCompile(`(?:[^\w)]\*|__magus_(?:memory|blur|object)\()(\w+)(?: =[^=]|[,)])`)
	models := map[string]Model{}
	written := 0
	for _, m := range Models() {
		if !m.Public() {
			continue
		}
		models[m.Name] = m
		f, ok := Known(m.Name)
		require.True(t, ok, "%s has no row", m.Name)
		body := m.Text[strings.Index(m.Text, "\n{"):]
		for i, param := range strings.Split(m.Head[strings.Index(m.Head, "(")+1:], ",") {
			words := reWord().FindAllString(param, -1)
			for _, s := range stores.FindAllStringSubmatch(body, -1) {
				if len(words) > 0 && s[1] == words[len(words)-1] {
					written++
					assert.True(t, slices.ContainsFunc(f.Accesses, func(a Access) bool {
						return a.Arg == i && (a.Kind == Writes || a.Kind == Atomic)
					}), "%s stores to what argument %d points to: %s", f.Name, i+1, s[0])
				}
			}
		}
	}
	require.Greater(t, written, 20)
	for _, f := range Functions() {
		if _, ok := models[f.Name]; !ok {
			assert.True(t, f.How != "-" || len(f.States)+len(f.Accesses) > 0 || f.Threads == "refused" || f.Result != "any",
				"nothing is known of %s", f.Name)
		}
	}
}

// The document is the table.
func TestDocumentIsTheTable(t *testing.T) {
	golden.Equal(t, "../../../docs/library.md", document())
}

// document is the table as people read it.
func document() string {
	var b strings.Builder
	b.WriteString("# Functions of the C library\n\n" +
		"What magus knows of each function of the C library and of POSIX, made from " +
		"[one table](../cfa/source/libc/functions.txt). `magus libc NAME` prints the model of one that has a model;\n" +
		"[C that goes in](c-input.md#the-c-library) says when a function is the library's.\n\n")
	legend, _, _ := strings.Cut(functionsText, "\n[")
	b.WriteString("```text\n")
	for line := range strings.Lines(strings.TrimSpace(legend)) {
		b.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
	}
	b.WriteString("\n```\n")
	header := ""
	for _, f := range Functions() {
		if f.Header != header {
			header = f.Header
			fmt.Fprintf(&b, "\n## %s\n\n| function | memory | result | two threads | without a model |\n"+
				"|---|---|---|---|---|\n", header)
		}
		cells := f.cells
		for i, c := range cells {
			if cells[i] = "`" + c + "`"; c == "-" {
				cells[i] = ""
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", f.Name, strings.Join(cells[:], " | "))
	}
	return b.String()
}
