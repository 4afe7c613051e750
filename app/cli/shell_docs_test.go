package cli_test

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/internal/golden"
)

// shellDocuments hold sessions of the shell: blocks fenced by ```magus. A block
// that begins with "$ " names the command that opens the shell, run in the top
// folder of the repository; others go on with the session before. Lines behind
// the prompt are typed, the lines up to the next are what is printed.
var shellDocuments = []string{"docs/shell.md", "docs/tutorial.md", "docs/walk.md", "docs/many.md", "docs/param.md"}

var (
	reSession = regexp.MustCompile("(?ms)^```magus\n(.*?)^```$")
	reTyped   = regexp.MustCompile(`^magus(?: \d+/\d+)?> |^param> |^\.\.\.\.> `)
)

// Sessions in documents show what the shell prints. `go test ./app/cli -run
// ShellTranscripts -update` rewrites them.
func TestShellTranscripts(t *testing.T) {
	const root = "../.."
	for _, name := range shellDocuments {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(root, name)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			blocks := reSession.FindAllStringSubmatch(string(text), -1)
			require.NotEmpty(t, blocks)
			var printed []string // what each block should be
			for i := 0; i < len(blocks); {
				n := i + 1
				for n < len(blocks) && !strings.HasPrefix(blocks[n][1], "$ ") {
					n++
				}
				printed = append(printed, playSession(t, root, blocks[i:n])...)
				i = n
			}
			if !golden.Updating() {
				for i, b := range blocks {
					assert.Equal(t, b[1], printed[i], "go test ./app/cli -run ShellTranscripts -update rewrites it")
				}
				return
			}
			i := -1
			got := reSession.ReplaceAllStringFunc(string(text), func(string) string {
				i++
				return "```magus\n" + printed[i] + "```"
			})
			require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
		})
	}
}

// playSession types what the blocks of one session say and gives the blocks as
// they should be.
func playSession(t *testing.T, root string, blocks [][]string) []string {
	t.Helper()
	first, _, _ := strings.Cut(blocks[0][1], "\n")
	command, ok := strings.CutPrefix(first, "$ ./magus ")
	require.True(t, ok, first)
	shell, files, ok := strings.Cut(command, " --echo ")
	require.True(t, ok && (shell == "repl" || shell == "param step"), first)
	var typed []string
	var counts []int
	for _, b := range blocks {
		n := 0
		for line := range strings.Lines(b[1]) {
			if at := reTyped.FindString(line); at != "" {
				typed = append(typed, strings.TrimPrefix(line, at))
				n++
			}
		}
		require.Positive(t, n, "a block in which nothing is typed")
		counts = append(counts, n)
	}
	w, out, stderr := testWorld(root)
	w.Stderr = out
	w.Stdin = io.NopCloser(strings.NewReader(strings.Join(typed, "")))
	cli.Main(t.Context(), append(append(strings.Fields(shell), "--echo"), strings.Fields(files)...), w)
	require.Empty(t, stderr.String())
	pages := []string{first + "\n"}
	left := counts[0]
	for line := range strings.Lines(out.String()) {
		if reTyped.MatchString(line) {
			if left == 0 {
				pages = append(pages, "")
				left = counts[len(pages)-1]
			}
			left--
		}
		pages[len(pages)-1] += line
	}
	require.Len(t, pages, len(blocks))
	return pages
}

// The pictures in the documents are those that the shell draws. docs/pictures has
// a script that draws them.
func TestPictures(t *testing.T) {
	const pictures = "../../docs/pictures"
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("../../examples")))
	script, err := os.ReadFile(filepath.Join(pictures, "pictures.magus"))
	require.NoError(t, err)
	folder := filepath.Join(dir, "docs", "pictures")
	require.NoError(t, os.MkdirAll(folder, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "pictures.magus"), script, 0o666))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "docs", "flash"), os.DirFS("../../docs/flash")))
	w, _, stderr := testWorld(dir)
	require.Zero(t, cli.Main(t.Context(), []string{"run", "docs/pictures/pictures.magus"}, w), stderr.String())
	drawn, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	require.NoError(t, err)
	require.NotEmpty(t, drawn)
	for _, path := range drawn {
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		golden.Equal(t, filepath.Join(pictures, filepath.Base(path)), string(got))
	}
}
