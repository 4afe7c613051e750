package lower

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// FuzzC parses and lowers any text: an automaton that meets its invariants,
// or an error that is not internal and whose place is in the text.
func FuzzC(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(f, err)
	for _, name := range files {
		ar, err := txtar.ParseFile(name)
		require.NoError(f, err)
		f.Add(string(ar.Files[0].Data))
	}
	f.Fuzz(func(t *testing.T, text string) { parseAny(t, source.Source{Name: "a.c", Text: []byte(text)}) })
}

// FuzzPreprocessed is FuzzC for texts with line markers, which name places
// outside of the text.
func FuzzPreprocessed(f *testing.F) {
	f.Add("# 1 \"f.c\"\nint x;\n# 9 \"f.h\" 1 3\nint main(void) { return y; }")
	f.Add("#line 3\nint main(void) {\n# 0 \"a.c\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		parseAny(t, source.Source{Name: "a.c", Text: []byte(text), Preprocessed: true})
	})
}

func parseAny(t *testing.T, s source.Source) {
	if len(s.Text) > 10_000 {
		return
	}
	inside := func(p cfa.Pos) {
		if p.File == s.Name && !s.Preprocessed && p.Line > bytes.Count(s.Text, []byte("\n"))+1 {
			t.Errorf("%v is outside of the text", p)
		}
	}
	p, err := source.Parse(context.Background(), []source.Source{s},
		source.Options{ReadFile: func(string) ([]byte, error) { return nil, os.ErrNotExist }})
	var internal *cfa.InternalError
	if errors.As(err, &internal) {
		t.Fatalf("%v\n%s", err, internal.Stack)
	}
	var errs cfa.Errors
	if errors.As(err, &errs) {
		for _, e := range errs {
			inside(e.Pos)
		}
	}
	if err != nil {
		return
	}
	for _, name := range p.Procedures() {
		c, err := Lower(context.Background(), p, name, expr.NewPool(),
			Options{InitGlobals: true, ErrorLabels: []string{"ERROR"}})
		if errors.As(err, &internal) {
			t.Fatalf("%v\n%s", err, internal.Stack)
		}
		if err != nil {
			continue
		}
		if faults := c.Check(); len(faults) > 0 {
			t.Fatalf("%v\n%v", faults, c)
		}
		for _, l := range c.Locs {
			inside(l.Pos)
		}
	}
}
