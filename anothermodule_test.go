package magus_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnotherModule: a module outside of the checkout requires this one, and a program in it checks a claim.
func TestAnotherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and links a program; the examples of example_test.go do what it does")
	}
	checkout, err := filepath.Abs(".")
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name string, text []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	// A workspace, rather than a replacement: so the packages are those of the checkout, which have been compiled.
	write("go.mod", []byte("module example.com/outside\n\ngo "+goVersion(t)+"\n\nrequire magus v0.0.0\n"))
	write("go.work", []byte("go "+goVersion(t)+"\n\nuse (\n\t.\n\t"+strconv.Quote(checkout)+"\n)\n\n"+
		"replace magus v0.0.0 => "+strconv.Quote(checkout)+"\n"))
	write("main.go", []byte(outsider))
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "violates\n", string(out))
}

const outsider = `package main

import (
	"context"
	"fmt"
	"os"

	"magus"
	"magus/cfa/source"
)

func main() {
	ctx := context.Background()
	project, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: "a.c",
		Text: []byte("#include <assert.h>\nint main(int argc, char **argv) { assert(argc != 3); return 0; }\n")}}})
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	claim, err := project.Property(magus.Property{})
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	outcome, err := magus.Check(ctx, claim, magus.Options{}, nil)
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	fmt.Println(outcome.Verdict)
}
`

// goVersion is the version of Go that the checkout's module asks for.
func goVersion(t *testing.T) string {
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	for line := range strings.Lines(string(mod)) {
		if version, ok := strings.CutPrefix(line, "go "); ok {
			return strings.TrimSpace(version)
		}
	}
	t.Fatal("go.mod has no version of Go")
	return ""
}
