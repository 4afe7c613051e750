package source

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
)

// TestFurtherMacrosAreGCCs: each macro of the table is one of GCC 12, with this value, for both data models and all
// formats of long double.
func TestFurtherMacrosAreGCCs(t *testing.T) {
	for _, c := range []struct {
		m          cfa.DataModel
		long       cfa.LongDouble
		flag, also string
	}{
		{cfa.LP64, cfa.X87, "-m64", "-mlong-double-80"}, {cfa.ILP32, cfa.X87, "-m32", "-mlong-double-80"},
		{cfa.LP64, cfa.Quad, "-m64", "-mlong-double-128"}, {cfa.LP64, cfa.AsDouble, "-m64", "-mlong-double-64"},
	} {
		out, err := exec.Command("gcc", c.flag, c.also, "-msse2", "-mfpmath=sse", "-dM", "-E", "-xc",
			"/dev/null").Output()
		if err != nil || !strings.Contains(string(out), "#define __GNUC__ 12\n") {
			t.Skip("no gcc 12")
		}
		theirs := map[string]bool{}
		for line := range strings.Lines(string(out)) {
			theirs[strings.TrimSpace(line)] = true
		}
		for line := range strings.Lines(further(c.m, c.long)) {
			require.True(t, theirs[strings.TrimSpace(line)], "%s %s %s", c.flag, c.also, line)
		}
	}
}

// TestConditionsAskForPredefinedMacros: conditions see them, the names of the operating system only in GNU C.
func TestConditionsAskForPredefinedMacros(t *testing.T) {
	text := `#if __INT_WIDTH__ != 32 || __SIZE_MAX__ <= 0xffffffff || !defined __ATOMIC_SEQ_CST || __INT64_C(5) != 5
#error
#endif
`
	for std, also := range map[string]string{"gnu11": "#ifndef linux\n#error\n#endif\n", "c11": "int linux;\n"} {
		_, err := Parse(t.Context(), []Source{{Name: "a.c", Std: std, Text: []byte(text + also)}}, Options{})
		require.NoError(t, err, std)
	}
}
