package source

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"modernc.org/cc/v4"

	"magus/cfa"
	"magus/internal/sample"
)

// ownHeaders are the names of our own headers.
func ownHeaders(t *testing.T) (names []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(headerFiles, "headers", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, strings.TrimPrefix(path, "headers/"))
		}
		return err
	}))
	return names
}

// prototypes are the declarations of functions in one of our own headers.
func prototypes(t *testing.T, header string, model cfa.DataModel) (all []question) {
	u, err := newUnit(t.Context(),
		Source{Name: "a.c", Text: []byte("#define _GNU_SOURCE\n#include <" + header + ">\n")}, Options{Model: model})
	require.NoError(t, err)
	ast, err := cc.Translate(u.cfg, u.sources)
	require.NoError(t, err, header)
	for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		decl := tu.ExternalDeclaration.Declaration
		if decl == nil || decl.InitDeclaratorList == nil {
			continue
		}
		d := decl.InitDeclaratorList.InitDeclarator.Declarator
		if d.Type().Kind() == cc.Function && d.NameTok().Position().Filename == headerDir+"/"+header &&
			!d.IsTypename() && !strings.HasPrefix(d.Name(), "__") {
			all = append(all, question{"prototype of " + d.Name(), strings.Join(strings.Fields(cc.NodeSource(decl)), " ")})
		}
	}
	return all
}

// refusedLines are the lines of a text that GCC finds fault with, for a data model; ok is false where it has no
// such headers. For ILP32 the headers are those of LP64, which ask the compiler for its widths.
func refusedLines(t *testing.T, text string, model cfa.DataModel) (lines []int, out string, ok bool) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(text), 0o600))
	args := []string{"-std=gnu11", "-fsyntax-only", "-D_GNU_SOURCE", "-w", "-fmax-errors=0"}
	if model == cfa.ILP32 {
		require.NoError(t, os.Mkdir(filepath.Join(dir, "gnu"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "gnu", "stubs-32.h"), nil, 0o600))
		args = append(args, "-m32", "-msse2", "-mfpmath=sse", "-isystem", "/usr/include/x86_64-linux-gnu", "-isystem", dir)
	}
	cmd := exec.Command("gcc", append(args, "a.c")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	text2, err := cmd.CombinedOutput()
	out = string(text2)
	for _, m := range reErrorLine.FindAllStringSubmatch(out, -1) {
		var line int
		_, err := fmt.Sscan(m[1], &line)
		require.NoError(t, err)
		lines = append(lines, line)
	}
	return lines, out, err == nil || len(lines) > 0 && !slices.Contains(lines, 1)
}

// differentPrototypes are those between our headers and GNU's that have a reason.
var differentPrototypes = map[string]string{
	"poll.h: prototype of ppoll":               "what it is given is not declared here",
	"sys/resource.h: prototype of getpriority": "an enumeration with _GNU_SOURCE",
	"sys/resource.h: prototype of getrlimit":   "an enumeration with _GNU_SOURCE",
	"sys/resource.h: prototype of getrusage":   "an enumeration with _GNU_SOURCE",
	"sys/resource.h: prototype of setpriority": "an enumeration with _GNU_SOURCE",
	"sys/resource.h: prototype of setrlimit":   "an enumeration with _GNU_SOURCE",
	"sys/time.h: prototype of getitimer":       "an enumeration with _GNU_SOURCE",
	"sys/time.h: prototype of setitimer":       "an enumeration with _GNU_SOURCE",
}

// TestPrototypesAgreeWithGCC: GCC takes every prototype of ours behind its own header, for both data models.
func TestPrototypesAgreeWithGCC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no GCC to compare with")
	}
	for _, model := range sampled() {
		for i, header := range ownHeaders(t) {
			if sample.Thinned(i, 2) || model != cfa.LP64 && sample.Thinned(i, 3) {
				continue
			}
			if header == "tgmath.h" || header == "stdatomic.h" { // macros
				continue
			}
			qs := prototypes(t, header, model)
			text := "#include <" + header + ">\n#include <stdarg.h>\ntypedef void (*__magus_handler)(int);\n#line 2\n"
			for _, q := range qs {
				name := strings.TrimPrefix(q.what, "prototype of ")
				text += "#undef " + name + "\n" + q.expr + "\n"
			}
			lines, out, ok := refusedLines(t, text, model)
			if !ok {
				t.Logf("%v: no %s here: %s", model, header, out)
				continue
			}
			for _, line := range lines {
				q := qs[(line-2)/2]
				if _, known := differentPrototypes[header+": "+q.what]; !known {
					t.Errorf("%v: %s: %s", model, header, q.expr)
				}
			}
		}
	}
}

// TestWidthsAgreeWithGCC: what our headers say of sizes, members and constants holds for GCC where addresses
// have 32 bits.
func TestWidthsAgreeWithGCC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no GCC to compare with")
	}
	for i, header := range ownHeaders(t) {
		if sample.Thinned(i, 3) {
			continue
		}
		var qs []question
		for _, q := range ownTable(t, header).questions() {
			if !strings.HasPrefix(q.what, "function ") {
				qs = append(qs, q)
			}
		}
		own := ownAnswers(t, header, qs, cfa.ILP32)
		text := "#include <" + header + ">\n"
		var asked []question
		for _, q := range qs {
			if _, known := knownDifferences[header+": "+q.what]; !known && own[q.what] != "" {
				asked = append(asked, q)
				text += fmt.Sprintf("_Static_assert((long long)(%s) == %sLL, \"\");\n", q.expr, own[q.what])
			}
		}
		lines, out, ok := refusedLines(t, text, cfa.ILP32)
		if !ok {
			t.Logf("no %s here: %s", header, out)
			continue
		}
		for _, line := range lines {
			q := asked[line-2]
			if _, known := knownNarrow[header+": "+q.what]; !known {
				t.Errorf("%s: %s is %s in ours", header, q.what, own[q.what])
			}
		}
	}
}

// knownNarrow are the differences besides knownDifferences where addresses have 32 bits.
var knownNarrow = map[string]string{}
