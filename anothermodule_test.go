package magus_test

import (
	"os"
	"os/exec"
	"path/filepath"
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
	own, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	sums, err := os.ReadFile("go.sum")
	require.NoError(t, err)
	write("go.mod", []byte("module example.com/outside\n\n"+versions(string(own))+
		"\nrequire magus v0.0.0\n\nreplace magus => "+checkout+"\n"))
	write("go.sum", sums)
	write("main.go", []byte(outsider))
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	flags := strings.TrimSpace(os.Getenv("GOFLAGS") + " -mod=mod") // with other ones everything would be compiled again
	cmd.Env = append(os.Environ(), "GOFLAGS="+flags, "GOPROXY=off", "GOWORK=off")
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

// versions are the lines of a go.mod behind its module line.
func versions(mod string) string {
	for i := range mod {
		if mod[i] == '\n' {
			return mod[i+1:]
		}
	}
	return ""
}
