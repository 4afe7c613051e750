package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/internal/sample"
)

// bugLine is a line of a specification in examples/real that puts a bug in: a
// call that is left out. The line after it is the trace that is found.
var bugLine = regexp.MustCompile(`(?m)^// bug: (\w+) without call (\d+) of (\w+)\n// trace: (.*)$`)

// TestRealProjects: the specifications in examples/real hold of the sources that
// they were written for, and each bug that is put into these is found, with the
// trace that the specification's head shows. The preprocessed sources are not
// part of the project; MAGUS_REAL is the folder that holds them.
func TestRealProjects(t *testing.T) {
	sample.Long(t)
	folder := os.Getenv("MAGUS_REAL")
	if folder == "" {
		folder = "../../../shared/bench/real"
	}
	if _, err := os.Stat(filepath.Join(folder, "functions.tsv")); err != nil {
		t.Skipf("the sources of real projects are not here (MAGUS_REAL): %v", err)
	}
	specs, err := filepath.Glob("../../examples/real/*.spec")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(specs), 6)
	for _, path := range specs {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			spec, err := os.ReadFile(path)
			require.NoError(t, err)
			name := regexp.MustCompile(`(?m)^// source: (.*)$`).FindSubmatch(spec)
			require.NotNil(t, name, "the specification does not say what it is about")
			source, err := os.ReadFile(filepath.Join(folder, string(name[1])))
			require.NoError(t, err)
			for _, c := range checkReal(t, string(source), path, "") {
				require.Equal(t, "conforms", c.Verdict, "%s: %s", c.Claim, c.Reason)
			}
			bugs := bugLine.FindAllStringSubmatch(string(spec), -1)
			require.NotEmpty(t, bugs, "no bug is put in")
			for _, b := range bugs {
				k, err := strconv.Atoi(b[2])
				require.NoError(t, err)
				claims := checkReal(t, withoutCall(t, string(source), b[1], b[3], k), path, b[1])
				require.Len(t, claims, 1)
				require.Equal(t, "violates", claims[0].Verdict, "%s: %s", b[0], claims[0].Reason)
				require.Equal(t, b[4], strings.Join(claims[0].Counterexample.Trace, " "), b[0])
			}
		})
	}
}

// A realClaim is what `check --json` says of a claim, as far as it matters here.
type realClaim struct {
	Claim, Verdict, Reason string
	Counterexample         struct{ Trace []string }
}

// checkReal checks the claims on one procedure of a source, or on all.
func checkReal(t *testing.T, source, spec, procedure string) []realClaim {
	dir := t.TempDir()
	text, err := os.ReadFile(spec)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "real.i"), []byte(source), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "real.spec"), text, 0o666))
	args := []string{"check", "--json", "--timeout", "2m"}
	if procedure != "" {
		args = append(args, "--procedure", procedure)
	}
	w, out, stderr := testWorld(dir)
	cli.Main(t.Context(), append(args, "real.i", "real.spec"), w)
	var report struct{ Claims []realClaim }
	require.NoError(t, json.Unmarshal([]byte(out.String()), &report), stderr.String())
	require.NotEmpty(t, report.Claims, stderr.String()+out.String())
	return report.Claims
}

// withoutCall is the source with call number k of callee, in the order of the
// text of procedure, replaced by 0.
func withoutCall(t *testing.T, source, procedure, callee string, k int) string {
	head := regexp.MustCompile(`(?m)^[^\n;#]*\b` + procedure + `\([^;{]*\)\s*\{`).FindStringIndex(source)
	require.NotNil(t, head, "no body of %s", procedure)
	end := head[1] + strings.Index(source[head[1]:], "\n}")
	body := source[head[1]:end]
	calls := regexp.MustCompile(`\b`+callee+`\b`).FindAllStringIndex(body, -1)
	require.GreaterOrEqual(t, len(calls), k, "%s calls %s less often", procedure, callee)
	// `(…, f)(x)` is a call too: only the name is replaced, by a routine that does nothing.
	nothing := fmt.Sprintf("nothing_%d", k)
	at := calls[k-1]
	rest := body[at[1]:]
	if strings.HasPrefix(strings.TrimLeft(rest, " "), ")") {
		body = body[:at[0]] + nothing + rest
	} else {
		open := strings.Index(rest, "(")
		body = body[:at[0]] + "0" + rest[open+closing(rest[open:]):]
	}
	return "static int " + nothing + "() { return 0; }\n" + source[:head[1]] + body + source[end:]
}

// closing is the offset behind the parenthesis that closes the first one.
func closing(text string) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}
