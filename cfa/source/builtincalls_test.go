package source

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/source/builtin"

	"magus/internal/sample"
	"modernc.org/cc/v4"
)

// TestBuiltinCallsAgreeWithGCC: functions that are built in take as many arguments as GCC says, one less and one more
// being tried for each prototype.
func TestBuiltinCallsAgreeWithGCC(t *testing.T) {
	sample.Long(t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc in PATH")
	}
	calls := builtinCalls()
	require.Greater(t, len(calls), 300)
	file := filepath.Join(t.TempDir(), "a.c")
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(calls, "\n")+"\n"), 0o666))
	out, _ := exec.Command(gcc, "-std=gnu11", "-fsyntax-only", "-fmax-errors=0", "-w", file).CombinedOutput()
	unknown, _ := exec.Command(gcc, "-std=gnu11", "-fsyntax-only", "-fmax-errors=0",
		"-Werror=implicit-function-declaration", file).CombinedOutput()
	refused := map[int]bool{} // by line
	for l := range strings.Lines(string(out)) {
		var line, column int
		if _, err := fmt.Sscanf(strings.TrimPrefix(l, file), ":%d:%d:", &line, &column); err == nil {
			refused[line] = true
		}
	}
	told := 0
	for i, call := range calls {
		if name, _, _ := strings.Cut(strings.Fields(call)[3],
			"("); regexp.MustCompile(`implicit declaration of function .*\b` + name + `\b`).Match(unknown) {
			continue // GCC does not have it
		}
		_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(call + "\n")}}, Options{})
		if err != nil && strings.Contains(err.Error(), "another number") {
			require.True(t, refused[i+1], "%s: GCC takes it", call)
			told++
		}
	}
	require.Greater(t, told, 200)
}

// builtinCalls are functions that call one that is built in with too few, enough and too many arguments.
func builtinCalls() (calls []string) {
	for line := range strings.Lines(cc.Builtin + builtin.Declarations()) {
		name := prototype(line)
		if name == "" || strings.HasPrefix(name, "__builtin_ia32") || strings.HasPrefix(name, "__builtin_va_") {
			continue
		}
		_, params, _ := strings.Cut(line, "(")
		n := strings.Count(params, ",") + 1
		if strings.HasPrefix(params, "void)") || strings.HasPrefix(params, ")") {
			n = 0
		}
		for _, args := range []int{n - 1, n, n + 1} {
			if args >= 0 {
				calls = append(calls, fmt.Sprintf("void f%d(void) { %s(%s); }", len(calls), name,
					strings.TrimSuffix(strings.Repeat("0,", args), ",")))
			}
		}
	}
	return calls
}

// prototype is the function that a line declares, if that is all that it does; else "".
func prototype(line string) string {
	_, rest, found := strings.Cut(line, builtinPrefix)
	if !found || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "typedef") || !strings.HasSuffix(line, ");\n") {
		return ""
	}
	return builtinPrefix + slices.Collect(wordsOf(rest))[0]
}
