package compdb_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/app/compdb"
	"magus/internal/sample"
)

func TestResponseFiles(t *testing.T) {
	files := map[string]string{
		"flags": "-DA='1 2' \"-DB=x\\\"y\"\n  @more -o out/a.o", "more": "-I inc\\ dir", "empty": " \n", "loop": "-DA @loop",
	}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("no such file")
	}
	c := compdb.Command{Arguments: []string{"@cc", "@flags", "@empty", "-c", "a.c"}}
	require.NoError(t, c.Expand(read))
	require.Equal(t, []string{"@cc", "-DA=1 2", `-DB=x"y`, "-I", "inc dir", "-o", "out/a.o", "-c", "a.c"}, c.Arguments)
	require.Equal(t, "out/a.o", c.Output)
	s, err := c.Settings()
	require.NoError(t, err)
	require.Equal(t, compdb.Settings{IncludeDirs: []string{"inc dir"}, Defines: []string{"A=1 2", `B=x"y`}}, s)
	for args, want := range map[string]string{
		"cc @gone a.c": "the response file @gone: no such file",
		"cc @loop a.c": "the response file @loop: more than 200 of them lead to each other",
	} {
		c := compdb.Command{Arguments: strings.Fields(args)}
		require.EqualError(t, c.Expand(read), want)
		require.Equal(t, strings.Fields(args), c.Arguments)
	}
}

// What GCC takes out of a response file is what we do.
func TestResponseFilesAreGCCs(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no GCC to compare with")
	}
	dir := t.TempDir()
	sample.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", " -DY=", "\n-DZ=", "\t-DW=", `\ `, `\'`, `\"`, `\\`, `\a`,
			"'a b'", "'\"'", `'\''`, `"a b"`, `"\""`, `"\a'"`, `""`, "c"})
		text := "-DX=" + strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		if strings.Count(text, `\`)%2 == 1 { // one at the end
			text += "b"
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "rsp"), []byte(text), 0o600))
		c := compdb.Command{Arguments: []string{"gcc", "@rsp"}}
		require.NoError(t, c.Expand(func(string) ([]byte, error) { return []byte(text), nil }))
		cmd := exec.Command("gcc", "-###", "-E", "-xc", "/dev/null", "@rsp")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%q: %s", text, out)
		at := strings.Index(string(out), "/cc1 ")
		require.Positive(t, at, string(out))
		line, _, _ := strings.Cut(string(out[at:]), "\n")
		got, err := compdb.Split(line)
		require.NoError(t, err, line)
		var macros []string
		for i, a := range got {
			if a == "-D" {
				macros = append(macros, "-D"+got[i+1])
			}
		}
		require.Equal(t, macros, c.Arguments[1:], "%q: %s", text, line)
	})
}
