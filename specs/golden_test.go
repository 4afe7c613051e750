package specs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"magus/internal/golden"
	"magus/lts"
)

// Each testdata/*.txtar holds pairs of files NAME.spec and NAME.want: a
// specification and what is said about it. With -update the second is
// rewritten; review the difference.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			files := map[string]string{}
			for _, f := range archive.Files {
				files[f.Name] = string(f.Data)
			}
			updated := &txtar.Archive{Comment: archive.Comment}
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, ".want") {
					continue
				}
				updated.Files = append(updated.Files, f)
				name, isSpec := strings.CutSuffix(f.Name, ".spec")
				if !isSpec {
					continue
				}
				got := describe(f.Name, f.Data, files)
				updated.Files = append(updated.Files, txtar.File{Name: name + ".want", Data: []byte(got)})
				if !golden.Updating() {
					t.Run(name, func(t *testing.T) { require.Equal(t, files[name+".want"], got) })
				}
			}
			golden.Rewrite(t, path, string(txtar.Format(updated)))
		})
	}
}

// describe is everything that is said about a specification: errors, or else
// warnings, LTSs, and whether they can be assumed.
func describe(name string, text []byte, files map[string]string) string {
	var b strings.Builder
	f, err := Parse(context.Background(), []Source{{name, text}}, func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	})
	if err != nil {
		return err.Error() + "\n"
	}
	for _, w := range f.Warnings {
		fmt.Fprintf(&b, "warning: %v\n", w)
	}
	assumed := map[string]bool{}
	for _, p := range f.Procedures {
		for _, a := range p.Abstracts {
			assumed[a.LTS] = true
		}
	}
	for _, name := range f.LTSNames() {
		m, err := f.LTS(context.Background(), name, lts.NewActions())
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", name, err)
			continue
		}
		fmt.Fprintf(&b, "%s: %v\n", name, m)
		if assumed[name] {
			if err := f.CheckProcedureLTS(context.Background(), name, false); err != nil {
				fmt.Fprintf(&b, "%v\n", err)
			}
		}
	}
	return b.String()
}

// A missing LTS is reported where it is asked for.
func TestLTSUndefined(t *testing.T) {
	f, err := Parse(context.Background(),
		[]Source{{"a.spec", []byte("Pump = ( a -> Pump ).\nprocedure p { abstract { 1, Pmp }; }")}}, nil)
	require.NoError(t, err)
	_, err = f.LTS(context.Background(), "Pumps", lts.NewActions())
	require.EqualError(t, err, "no process Pumps is defined; did you mean Pump?")
	_, err = f.LTS(context.Background(), "Pmp", lts.NewActions())
	require.EqualError(t, err, "a.spec:2:29: no process Pmp is defined; did you mean Pump?\n"+
		"  procedure p { abstract { 1, Pmp }; }\n                              ^")
	require.Error(t, f.CheckProcedureLTS(context.Background(), "Pmp", false))
	_, err = new(File).LTS(context.Background(), "Pump", lts.NewActions())
	require.EqualError(t, err, "no process Pump is defined")
}

// Texts that archives cannot hold.
func TestBytes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "x.spec:1:1: nothing is defined"},
		{"comment only", "// nothing\r\n/* at all */\r\n", "x.spec:1:1: nothing is defined"},
		{"byte order mark only", "\uFEFF", "x.spec:1:1: nothing is defined"},
		{"not UTF-8", "A = ( a -> A ).\n// caf\xe9\n", "x.spec:2:7: not UTF-8: the byte 0xe9\n  // caf\uFFFD\n        ^"},
		{"UTF-16", "\xff\xfeA\x00", "x.spec:1:1: not UTF-8: the byte 0xff\n  \uFFFD\uFFFDA\uFFFD\n  ^"},
		{"CRLF", "A = ( a -> A ).\r\n\tB = ( b B ).\r\n", "x.spec:2:10: expected '->' after b, found B\n  " +
			"\tB = ( b B ).\n  \t        ^"},
		{"wide characters", "/* Grüße */ A = ( a A ).", "x.spec:1:21: expected '->' after a, found A\n  " +
			"/* Grüße */ A = ( a A ).\n                      ^"},
		{"NUL", "A = \x00( a -> A ).", "x.spec:1:5: the character U+0000 has no meaning in a specification"},
		{"no letter", "€ = ( a -> A ).", "x.spec:1:1: € has no meaning in a specification"},
		{"directory", "A = import \"d\".", "x.spec:1:12: cannot import: read d: is a directory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(context.Background(), []Source{{"x.spec", []byte(c.text)}}, func(path string) ([]byte, error) {
				return nil, fmt.Errorf("read %s: is a directory", path)
			})
			require.Error(t, err)
			require.True(t, strings.HasPrefix(err.Error(), c.want), "%v\nwant %v", err, c.want)
		})
	}
	f, err := Parse(context.Background(), []Source{{"x.spec", []byte("\uFEFFA = ( a ->\r\n A ).")}}, nil)
	require.NoError(t, err)
	require.Equal(t, "A = ( a -> A ).\n", f.String())
	require.Equal(t, Pos{"x.spec", 1, 1}, f.order[0].defs[0].pos)
}

// Errors of several sources come in the order of the sources, at most ten.
func TestErrorList(t *testing.T) {
	one, many := []byte("A = ( a A )."), []byte(strings.Repeat("B = ( b B ).\n", 12))
	_, err := Parse(context.Background(), []Source{{"z.spec", one}, {"a.spec", many}}, nil)
	var list ErrorList
	require.True(t, errors.As(err, &list))
	require.Len(t, list, 11)
	require.Equal(t, Pos{"z.spec", 1, 9}, list[0].Pos)
	require.Equal(t, Pos{"a.spec", 9, 9}, list[9].Pos)
	require.Equal(t, "too many errors", list[10].Error())
	var first *Error
	require.True(t, errors.As(err, &first))
	require.Same(t, list[0], first)
}

// Nothing is too deep or too long for the stack.
func TestNesting(t *testing.T) {
	deep := 100_000
	for name, text := range map[string]string{
		"parentheses": "procedure p { predicate (" + strings.Repeat("(", deep) + "1" + strings.Repeat(")", deep) + "); }",
		"signs":       "procedure p { predicate (" + strings.Repeat("- ", deep) + "1); }",
		"sum":         "procedure p { predicate (1" + strings.Repeat("+1", deep) + "); }",
		"conditions":  "procedure p { predicate (1" + strings.Repeat("?1:1", deep) + "); }",
		"indices":     "procedure p { predicate (a" + strings.Repeat("[0]", deep) + "); }",
		"choices":     "A = " + strings.Repeat("( a -> ", deep) + "STOP" + strings.Repeat(")", deep) + ".",
	} {
		_, err := Parse(context.Background(), []Source{{name, []byte(text)}}, nil)
		require.ErrorContains(t, err, "more than", name)
	}
	f, err := Parse(context.Background(),
		[]Source{{"long", []byte("A = ( " + strings.Repeat("a -> ", deep) + "A ).")}}, nil)
	require.NoError(t, err)
	m, err := f.LTS(context.Background(), "A", lts.NewActions())
	require.NoError(t, err)
	require.Equal(t, deep, m.NumStates())
}
