package cli_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/internal/sample"
)

// replays runs a check that writes a harness, and demands that each harness,
// compiled by itself, performs the violation. It gives the number of them.
func replays(t *testing.T, dir string, args []string) (n int) {
	t.Helper()
	out := t.TempDir()
	w, stdout, stderr := testWorld(dir)
	cli.Main(t.Context(), append(args, "--quiet", "--harness", filepath.Join(out, "out.c")), w)
	files, err := filepath.Glob(filepath.Join(out, "*.c"))
	require.NoError(t, err)
	for _, file := range files {
		_, command, ok := strings.Cut(stderr.String(), file+": compile it with ")
		require.True(t, ok, "%s", stderr.String())
		command, _, _ = strings.Cut(command, "; exit status")
		cc := exec.Command("sh", "-c", strings.ReplaceAll(command, "cc -", "gcc -"))
		cc.Dir = dir
		msg, err := cc.CombinedOutput()
		require.NoError(t, err, "%s\n%s", msg, stdout.String())
		b, err := exec.Command(strings.TrimSuffix(file, ".c")).Output()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 1, exit.ExitCode(), "%s", b)
	}
	return len(files)
}

func needGCC(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skipf("no gcc: %v", err)
	}
}

// The compiled program performs the violation of every example.
func TestExamplesAreReplayed(t *testing.T) {
	needGCC(t)
	const root = "../../examples"
	ran := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".c" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, e := range examplesOf(t, string(text)) {
			if e.want != "violates" {
				continue
			}
			ran++
			// What a controller is checked for takes seconds, and its harness is that of any program.
			if sample.Thinned(ran, 2) || filepath.Base(filepath.Dir(path)) == "controllers" && !sample.Campaign() {
				continue
			}
			t.Run(filepath.Base(path)+" "+strings.Join(e.args, " "), func(t *testing.T) {
				switch filepath.Base(filepath.Dir(path)) {
				case "window": // components that exchange structures: no program is written
					require.Zero(t, replays(t, filepath.Dir(path), e.args))
					return
				}
				require.Positive(t, replays(t, filepath.Dir(path), e.args))
			})
		}
		return nil
	}))
	require.Greater(t, ran, 15)
}

// The same for programs that nobody here wrote. Those that are not decided in
// a few seconds are left out; most are.
func TestBenchmarksAreReplayed(t *testing.T) {
	needGCC(t)
	if !sample.Campaign() {
		t.Skip("go run ./bench/campaign -kind replays -count 1")
	}
	for folder, want := range map[string]int{"ssh-simplified": 12, "locks": 3, "loops": 6} {
		t.Run(folder, func(t *testing.T) {
			dir := filepath.Join("../../../shared/bench", folder)
			table, err := os.ReadFile(filepath.Join(dir, "VERDICTS.tsv"))
			if err != nil {
				t.Skipf("the programs are not here: %v", err)
			}
			n := 0
			for line := range strings.Lines(string(table)) {
				if f := strings.Split(line, "\t"); len(f) > 2 && f[2] == "false" {
					n += replays(t, dir, []string{"check", "--property", "unreach-call", "--reduce-iterations", "1",
						"--timeout", "4s", f[0]})
				}
			}
			if n < want {
				t.Logf("only %d of %d violations found in the time given", n, want)
			}
			require.Positive(t, n)
		})
	}
}
