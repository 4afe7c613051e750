package cli_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/cli"
)

var update = flag.Bool("update", false, "rewrite the transcripts in the documents")

// documents hold transcripts: blocks fenced by ```console in which every line
// that begins with "$ " is a command, run in the top folder of the repository,
// and the lines up to the next are what it prints.
var documents = []string{"README.md", "docs/tutorial.md"}

// Documents show what the program prints.
func TestTranscripts(t *testing.T) {
	const root = "../.."
	for _, name := range documents {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(root, name)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			got, n := rewrite(t, root, string(text))
			require.Positive(t, n, "no transcript")
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
				return
			}
			require.Equal(t, string(text), got, "run go test ./internal/cli -update and look at the difference")
		})
	}
}

var reBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// rewrite replaces the output in all transcripts of a document by the real one
// and counts the commands.
func rewrite(t *testing.T, root, text string) (string, int) {
	n := 0
	return reBlock.ReplaceAllStringFunc(text, func(block string) string {
		body := reBlock.FindStringSubmatch(block)[1]
		var b strings.Builder
		for _, part := range transcript(body) {
			n++
			output := part.run(t, root)
			if masked(output) == masked(part.output) {
				output = part.output // times and sizes as they were once
			}
			b.WriteString("$ " + part.command + "\n" + output)
		}
		return "```console\n" + b.String() + "```"
	}), n
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

var reMeasured = regexp.MustCompile(` *\d+\.\d+ (s|[KMG]iB)\b`)

// masked hides what differs from run to run.
func masked(output string) string { return reMeasured.ReplaceAllString(output, " #") }

func TestMasked(t *testing.T) {
	require.Equal(t, masked("verify  6   0.020 s\npeak memory 7.0 MiB"), masked("verify  6  10.123 s\npeak memory 17.4 MiB"))
	require.NotEqual(t, masked("states 7"), masked("states 8"))
}
