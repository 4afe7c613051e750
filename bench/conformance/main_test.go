package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// TestConformance asks the programs of a folder that the environment names.
func TestConformance(t *testing.T) {
	folder := os.Getenv("CONFORMANCE_DIR")
	if folder == "" {
		t.Skip("CONFORMANCE_DIR names no folder of C programs")
	}
	var out bytes.Buffer
	status := run(t.Context(), []string{"-v", folder}, &out, &out)
	t.Log(out.String())
	require.Zero(t, status)
}

// TestQuestions: what is asked of a program, and what has no question.
func TestQuestions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not here")
	}
	folder := t.TempDir()
	for i, row := range []struct {
		name, text, want string
	}{
		{"returns", "int main(void) { return 259; }", "returns: false, returns-else: true"},
		{"falls_off", "int f(void) { return 7; }\nint main()\n{\n  if (f() == 7) { f(); } }",
			"returns: false, returns-else: true"},
		{"falls_off_behind", "int f() { }\nconst union { char x[2]; char y[4]; } u = { \"ab\" };\n" +
			"int main() { if (__builtin_strlen(u.x) != 2) f(); }", "returns: false, returns-else: true"},
		{"exits", "#include <stdlib.h>\nint main(void) { exit(3); }", "returns: false, returns-else: false"},
		{"prints", "#include <stdio.h>\nint main(void) { return printf(\"%d\\n\", 3); }", "returns-else: true"},
		{"prints_list", "#include <stdarg.h>\n#include <stdio.h>\nint p(const char *f, ...)\n{ va_list v;\n" +
			"va_start(v, f); return vprintf(f, v); }\nint main(void) { return p(\"%d\\n\", 3); }", "returns-else: true"},
		{"starts", "#include <pthread.h>\nvoid *f(void *x) { return x; }\nint main(void) {\n" +
			"pthread_t t; return pthread_create(&t, 0, f, 0) != 0; }", "returns-else: true"},
		{"puts", "#include <stdio.h>\nint main(void) { puts(\"a\"); return 2; }", "returns: false, returns-else: true"},
		{"aborts", "#include <stdlib.h>\nint main() { abort(); }", "returns: true"},
		{"arguments", "int main(int argc, char **argv) { return argc; }", "returns: false, returns-else: true"},
		{"no_main", "int f(void) { return 1; }", "no main is seen in the file"},
		{"no_c", "int main(void) { return x; }", "gcc does not take it: ‘x’ undeclared (first use in this function)"},
		{"undefined", "int main(int argc, char **argv) { volatile double x = 1e9; return (char)(x * argc); }",
			"a sanitizer stops it"},
		{"depends", "int main(void) {\n#ifdef __OPTIMIZE__\nreturn 1;\n#endif\nreturn 0; }",
			"the result depends on gcc's options"},
		{"stopped", "int main(void) { return *(volatile int *)0; }", "a signal stops it: segmentation fault"},
	} {
		if sample.Thinned(i, 2) {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			file := filepath.Join(folder, row.name+".c")
			require.NoError(t, os.WriteFile(file, []byte(row.text), 0o644))
			asked, err := questions(t.Context(), cc, file)
			var got []string
			for _, q := range asked {
				got = append(got, q.name+": "+map[bool]string{true: "true", false: "false"}[q.violates])
			}
			if err != nil {
				got = append(got, strings.NewReplacer("'x'", "‘x’").Replace(err.Error()))
			}
			require.Equal(t, row.want, strings.Join(got, ", "))
		})
	}
}

// TestClassify: what a verdict is beside the truth.
func TestClassify(t *testing.T) {
	violates, conforms := question{violates: true}, question{}
	for _, row := range []struct {
		name      string
		q         question
		out, errs string
		status    int
		class     string
		reason    string
	}{
		{"right", conforms, `{"verdict":"conforms"}`, "", 0, right, ""},
		{"right run", violates, `{"verdict":"violates"}`, "", 1, right, ""},
		{"the worst", violates, `{"verdict":"conforms"}`, "", 0, wrongConforms, ""},
		{"false alarm", conforms, `{"verdict":"violates"}`, "", 1, wrongViolates, ""},
		{"unknown", conforms, `{"verdict":"unknown","claims":[{"reason":"a time limit"}]}`, "", 3, unknown, "a time limit"},
		{"refused", conforms, "", "/tmp/x/a.c:3:36: unexpected '('\n  f(\n   ^", 2, refused, "unexpected '('"},
		{"fault", conforms, "", "magus: internal error: index out of range", 4, fault,
			"magus: internal error: index out of range"},
		{"killed", conforms, "", "", -1, fault, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			class, reason := classify(row.q, []byte(row.out), row.errs, row.status)
			require.Equal(t, row.class, class)
			require.Equal(t, row.reason, reason)
		})
	}
}

// TestReport: classes are counted, reasons come by frequency, and only what is wrong changes the status.
func TestReport(t *testing.T) {
	var out bytes.Buffer
	answers := []answer{{"a.c", "returns", right, ""}, {"b.c", "returns", unknown, "floating point"},
		{"c.c", "returns", unknown, "a limit"}, {"d.c", "returns", unknown, "a limit"}}
	require.Zero(t, report(&out, answers, false))
	require.Less(t, strings.Index(out.String(), "2 a limit"), strings.Index(out.String(), "1 floating point"))
	require.NotContains(t, out.String(), "b.c")
	require.Equal(t, 1, report(&out, append(answers, answer{"e.c", "returns", wrongConforms, ""}), false))
	require.Contains(t, out.String(), "e.c returns")
}
