package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/input"
	"magus/app/job"
	"magus/app/outfile"
	"magus/app/suite"
)

// The part of a job is that of the flag, else of the first system that tells one.
func TestShardOfTheEnvironment(t *testing.T) {
	tests := []struct {
		name, shard string
		env         map[string]string
		i, n        int
		wrong, said string
	}{
		{"none", "", nil, 0, 0, "", ""},
		{"the flag", "2/3", nil, 2, 3, "", ""},
		{"the flag overrules", "1/1", map[string]string{"CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "4"}, 1, 1, "", ""},
		{"GitLab counts from 1", "", map[string]string{"CI_NODE_INDEX": "4", "CI_NODE_TOTAL": "4"}, 4, 4, "",
			"shard 4/4, as CI_NODE_INDEX and CI_NODE_TOTAL say"},
		{"Buildkite counts from 0", "",
			map[string]string{"BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "2"}, 1, 2, "", "shard 1/2"},
		{"CircleCI counts from 0", "", map[string]string{"CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "2"},
			2, 2, "", "shard 2/2"},
		{"a job of one part", "", map[string]string{"CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "1"}, 0, 0, "", ""},
		{"Slurm says where it begins", "",
			map[string]string{"SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_COUNT": "3"},
			3, 3, "", "shard 3/3"},
		{"a part that is none", "", map[string]string{"CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "4"}, 0, 0,
			"CI_NODE_INDEX=5 and CI_NODE_TOTAL=4 name no part", ""},
		{"steps in Slurm's array", "", map[string]string{"SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_MIN": "1",
			"SLURM_ARRAY_TASK_COUNT": "3"}, 0, 0, "name no part", ""},
		{"no number", "", map[string]string{"CI_NODE_INDEX": "x", "CI_NODE_TOTAL": "4"}, 0, 0, "name no part", ""},
		{"a flag that is none", "3/2", nil, 0, 0, "expected i/n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var stderr bytes.Buffer
			w := &World{Env: func(name string) string { return test.env[name] }}
			w.Stderr = &stderr
			i, n, err := (&suiteFlags{shard: test.shard}).part(w)
			if test.wrong != "" {
				require.ErrorContains(t, err, test.wrong)
				return
			}
			require.NoError(t, err)
			require.Equal(t, [2]int{test.i, test.n}, [2]int{i, n})
			require.Contains(t, stderr.String(), test.said)
			require.Equal(t, test.said == "", stderr.Len() == 0)
		})
	}
}

// Bazel is told that its shards are heeded.
func TestShardStatusFile(t *testing.T) {
	dir := t.TempDir()
	env := map[string]string{"TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "2",
		"TEST_SHARD_STATUS_FILE": filepath.Join(dir, "status")}
	w := &World{Host: job.Host{Dir: input.Dir(dir)}, Env: func(name string) string { return env[name] }}
	w.Stderr = &bytes.Buffer{}
	w.see(outfile.New())
	i, n, err := (&suiteFlags{}).part(w)
	require.NoError(t, err)
	require.Equal(t, [2]int{1, 2}, [2]int{i, n})
	_, err = os.Stat(filepath.Join(dir, "status"))
	require.NoError(t, err)
}

// Bazel finds the results where it looks for them, unless a file is named.
func TestBazelResults(t *testing.T) {
	dir := t.TempDir()
	w := &World{Host: job.Host{Dir: input.Dir(dir)}, Stdout: &bytes.Buffer{}, Env: func(name string) string {
		return map[string]string{"XML_OUTPUT_FILE": filepath.Join(dir, "test.xml")}[name]
	}}
	w.see(outfile.New())
	require.NoError(t, (&suiteOutputs{junit: filepath.Join(dir, "named.xml")}).write(t.Context(), w, &suite.Document{}))
	require.NoFileExists(t, filepath.Join(dir, "test.xml"))
	require.NoError(t, (&suiteOutputs{}).write(t.Context(), w, &suite.Document{}))
	require.FileExists(t, filepath.Join(dir, "test.xml"))
}
