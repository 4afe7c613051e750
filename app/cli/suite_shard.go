package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/app/input"
	"magus/app/suite"
)

// shardVariables are the names that systems which run several parts of a job give to their number and count.
var shardVariables = []struct {
	index, count string
	first        int    // of the numbers
	from         string // the variable with the first number, where it is no constant
}{
	{"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0, ""},                             // Bazel
	{"CI_NODE_INDEX", "CI_NODE_TOTAL", 1, ""},                                    // GitLab
	{"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0, ""},            // Buildkite
	{"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0, ""},                            // CircleCI
	{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0, "SLURM_ARRAY_TASK_MIN"}, // Slurm
}

// ofShard are the cases of the shard: that of --shard, or of the job's part that the environment names, which is said.
func (f *suiteFlags) ofShard(w *World, cases []*suiteCase) ([]*suiteCase, error) {
	i, n, err := f.part(w)
	if err != nil || n <= 1 {
		return cases, err
	}
	return slices.DeleteFunc(cases, func(c *suiteCase) bool { return !suite.Shard(c.Number, i, n) }), nil
}

// part is the shard i of n; n is 0 if there is none.
func (f *suiteFlags) part(w *World) (i, n int, err error) {
	if f.shard != "" {
		first, last, _ := strings.Cut(f.shard, "/")
		i, err1 := strconv.Atoi(first)
		n, err2 := strconv.Atoi(last)
		if errors.Join(err1, err2) != nil || i < 1 || i > n {
			return 0, 0, &usageError{fmt.Sprintf("--shard %s: expected i/n with i from 1 to n", f.shard), "magus suite"}
		}
		return i, n, nil
	}
	for _, v := range shardVariables {
		index, count, first := w.Env(v.index), w.Env(v.count), v.first
		if index == "" || count == "" || count == "1" {
			continue
		}
		if v.from != "" {
			if first, err = strconv.Atoi(w.Env(v.from)); err != nil {
				continue
			}
		}
		i, err1 := strconv.Atoi(index)
		n, err2 := strconv.Atoi(count)
		if i -= first; errors.Join(err1, err2) != nil || i < 0 || i >= n {
			return 0, 0,
				input.Errorf("magus suite: %s=%s and %s=%s name no part of a job; --shard i/n overrules them",
					v.index, index, v.count, count)
		}
		fmt.Fprintf(w.Stderr, "magus: shard %d/%d, as %s and %s say; --shard 1/1 checks all claims\n", i+1, n,
			v.index, v.count)
		if v.index == "TEST_SHARD_INDEX" { // Bazel wants to know that it was heeded
			return i + 1, n, w.touch(w.Env("TEST_SHARD_STATUS_FILE"))
		}
		return i + 1, n, nil
	}
	return 0, 0, nil
}
