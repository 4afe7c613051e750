package lower

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"magus/cfa"
	"magus/cfa/source"
	"magus/internal/golden"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// TestGolden lowers the C files of each archive in testdata and compares the
// automaton, or the error, with the archive's file "want". The archive's
// comment holds options, one a line: proc NAME, init, ilp32, abstract NAME,
// skip NAME, errorlabel NAME, strict, define NAME, arraylimit N, heaplimit N,
// check, threads N.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			require.NoError(t, err)
			got := lowered(t, ar)
			last := len(ar.Files) - 1
			if golden.Updating() {
				if ar.Files[last].Name != "want" {
					ar.Files = append(ar.Files, txtar.File{Name: "want"})
					last++
				}
				ar.Files[last].Data = []byte(got)
				require.NoError(t, os.WriteFile(name, txtar.Format(ar), 0o644))
				return
			}
			require.Equal(t, "want", ar.Files[last].Name, "run the test with -update and read the difference")
			require.Equal(t, string(ar.Files[last].Data), got)
		})
	}
}

func lowered(t *testing.T, ar *txtar.Archive) string {
	var opt source.Options
	var low Options
	abstracted, skipped := map[string]bool{}, map[string]bool{}
	low.Abstracted = func(n string) bool { return abstracted[n] }
	low.Skipped = func(n string) bool { return skipped[n] }
	proc := "main"
	for _, line := range strings.Split(string(ar.Comment), "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "proc":
			proc = rest
		case "init":
			low.InitGlobals = true
		case "strict":
			low.StrictCalls = true
		case "ilp32":
			opt.Model = cfa.ILP32
		case "abstract":
			abstracted[rest] = true
		case "skip":
			skipped[rest] = true
		case "errorlabel":
			low.ErrorLabels = append(low.ErrorLabels, rest)
		case "global":
			low.Globals = append(low.Globals, rest)
		case "arraylimit":
			low.ArrayLimit, _ = strconv.Atoi(rest)
		case "heaplimit":
			low.HeapLimit, _ = strconv.Atoi(rest)
		case "threads":
			low.Threads, _ = strconv.Atoi(rest)
		case "check":
			low.CheckPointers = true
		case "define":
			opt.Defines = append(opt.Defines, rest)
		}
	}
	var sources []source.Source
	headers := map[string][]byte{}
	for _, f := range ar.Files {
		switch filepath.Ext(f.Name) {
		case ".c", ".i":
			sources = append(sources, source.Source{Name: f.Name, Text: f.Data, Preprocessed: filepath.Ext(f.Name) == ".i"})
		case ".h":
			headers[f.Name] = f.Data
		}
	}
	opt.ReadFile = func(name string) ([]byte, error) {
		if b, ok := headers[name]; ok {
			return b, nil
		}
		return nil, os.ErrNotExist
	}
	p, err := source.Parse(context.Background(), sources, opt)
	if err != nil {
		return err.Error() + "\n"
	}
	c, err := Lower(context.Background(), p, proc, expr.NewPool(), low)
	if err != nil {
		return err.Error() + "\n"
	}
	require.Empty(t, c.Check())
	return c.String()
}
