package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/internal/golden"
	"magus/internal/sample"
)

// documents hold transcripts: blocks fenced by ```console in which every line
// that begins with "$ " is a command, run in the top folder of the repository,
// and the lines up to the next are what it prints.
var documents = []string{"README.md", "docs/tutorial.md", "docs/tutorial-deadlock.md", "docs/c-input.md",
	"docs/many.md",
	"docs/threads.md", "docs/threads-how.md", "docs/limits.md"}

// Documents show what the program prints.
func TestTranscripts(t *testing.T) {
	sample.Long(t)
	const root = "../.."
	for _, name := range documents {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(root, name)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			n := 0
			got := rewrite(string(text), func(c command) string {
				n++
				output := c.run(t, root)
				if masked(output) == masked(c.output) {
					return c.output // times and sizes as they were once
				}
				if !golden.Updating() {
					assert.Equal(t, c.output, output, "%s: go test ./app/cli -update rewrites it", c.command)
				} else if reMeasured.MatchString(output) {
					return c.measured(t, root)
				}
				return output
			})
			require.Positive(t, n, "no transcript")
			golden.Rewrite(t, path, got)
		})
	}
}

// retold compares what the commands of a document print, each run by run, with what the document says.
func retold(t *testing.T, path, text string, run func(command) string) {
	t.Helper()
	n := 0
	got := rewrite(text, func(c command) string {
		n++
		output := run(c)
		if !golden.Updating() {
			assert.Equal(t, c.output, output, "%s: go test ./app/cli -update rewrites it", c.command)
		}
		return output
	})
	require.Positive(t, n, "no transcript")
	golden.Rewrite(t, path, got)
}

var reBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// rewrite replaces the output of every command in a document.
func rewrite(text string, output func(command) string) string {
	return reBlock.ReplaceAllStringFunc(text, func(block string) string {
		var b strings.Builder
		for _, c := range transcript(reBlock.FindStringSubmatch(block)[1]) {
			b.WriteString("$ " + c.command + "\n" + output(c))
		}
		return "```console\n" + b.String() + "```"
	})
}

type command struct{ command, output string }

func transcript(body string) []command {
	var parts []command
	for line := range strings.Lines(body) {
		if c, ok := strings.CutPrefix(line, "$ "); ok {
			parts = append(parts, command{command: strings.TrimSuffix(c, "\n")})
		} else if len(parts) > 0 {
			parts[len(parts)-1].output += line
		}
	}
	return parts
}

// run gives what a command prints; `; echo $?` behind it shows the exit status.
func (c command) run(t *testing.T, root string) string {
	line, showStatus := strings.CutSuffix(c.command, "; echo $?")
	words := strings.Fields(line)
	require.NotEmpty(t, words)
	require.Contains(t, []string{"magus", "./magus"}, words[0], "a transcript runs magus")
	w, out, stderr := testWorld(root)
	status := cli.Main(t.Context(), words[1:], w)
	output := stderr.String() + out.String()
	if showStatus {
		output += strconv.Itoa(status) + "\n"
	}
	return output
}

// measured gives what a command prints as a process of its own: the memory of this one is that of all tests.
func (c command) measured(t *testing.T, root string) string {
	exe := filepath.Join(t.TempDir(), "magus")
	build := exec.Command("go", "build", "-o", exe, "./cmd/magus")
	build.Dir = root
	msg, err := build.CombinedOutput()
	require.NoError(t, err, "%s", msg)
	run := exec.Command(exe, strings.Fields(c.command)[1:]...)
	run.Dir = root
	output, err := run.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return string(output)
}

var reExcerpt = regexp.MustCompile("(?ms)^```(?:c|text) ([^\n]+)\n(.*?)^```$")

// A block whose fence names a file shows paragraphs of that file.
func TestExcerpts(t *testing.T) {
	const root = "../.."
	for _, name := range documents {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		blocks := reExcerpt.FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, blocks, name)
		for _, block := range blocks {
			source, err := os.ReadFile(filepath.Join(root, block[1]))
			require.NoError(t, err)
			for paragraph := range strings.SplitSeq(strings.TrimSpace(block[2]), "\n\n") {
				require.Contains(t, string(source), paragraph, name)
			}
		}
	}
}

var reMeasured = regexp.MustCompile(` *\d+\.\d+ (s|[KMG]iB)\b`)

// masked hides what differs from run to run.
func masked(output string) string { return reMeasured.ReplaceAllString(output, " #") }

func TestMasked(t *testing.T) {
	require.Equal(t, masked("verify  6   0.020 s\npeak memory 7.0 MiB"),
		masked("verify  6  10.123 s\npeak memory 17.4 MiB"))
	require.NotEqual(t, masked("states 7"), masked("states 8"))
}
