package main

// Figures 16 to 18 once more, for deadlocks: what the second level of abstraction is worth where it is asked whether
// components get stuck.

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"magus/bench/families"
)

// stuckSizes are the numbers of components, or of philosophers.
var stuckSizes = []int{3, 5, 10, 20, 50, 60}

// stuckJobs are the examples that ask for deadlocks, client and server of the handshake, and the families, which are
// written into a folder.
func stuckJobs(dir, root string) ([]*job, error) {
	all, err := examples(root)
	if err != nil {
		return nil, err
	}
	jobs := slices.DeleteFunc(all, func(j *job) bool { return !slices.Contains(j.args, "no-deadlock") })
	jobs = append(jobs, &job{dir: filepath.Join(root, "handshake"), want: "conforms", name: "handshake",
		args: []string{"--property", "no-deadlock", "client.c", "server.c", "lib.spec", "p01.spec"}})
	of, err := familyJobs(dir, families.Deadlocks(), stuckSizes)
	return append(jobs, of...), err
}

// stuck measures them with one level and with two.
func (s *suite) stuck(ctx context.Context, root string) error {
	dir, err := os.MkdirTemp("", "stuck")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	jobs, err := stuckJobs(dir, root)
	if err != nil {
		return err
	}
	l := levels{
		title: "Who gets stuck (figures 16 to 18 in kind)", first: "program", unit: seconds, units: "seconds", detail: true,
		name: func(j *job) string { return j.name },
	}
	return s.finish(ctx, l.table(ctx, s, s.matching(jobs)))
}
