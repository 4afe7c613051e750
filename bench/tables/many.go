package main

// Many components side by side: the families of bench/families, larger and larger.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"magus/bench/families"
)

// manySizes are the numbers of components.
var manySizes = []int{10, 20, 50, 100, 200}

const manyText = "Families of n components (bench/families); " +
	"of philosophers and stuck it is asked whether they get stuck. " +
	"cpu and T: processor's and elapsed seconds of the process, mem: its largest " +
	"resident set in MiB, St: pairs that the last check explored, It: iterations of the loop. " +
	"*: given up when the time was over."

// manyJobs writes the programs into a folder, and gives a job for each.
func manyJobs(dir string) ([]*job, error) {
	jobs, err := familyJobs(dir, families.All(), manySizes)
	if err != nil {
		return nil, err
	}
	stuck, err := familyJobs(dir, families.Deadlocks(), stuckSizes)
	return append(jobs, stuck...), err
}

// familyJobs does so for some families and numbers of components.
func familyJobs(dir string, fs []families.Family, sizes []int) ([]*job, error) {
	var jobs []*job
	for _, f := range fs {
		for _, broken := range []bool{false, true} {
			for _, n := range sizes {
				q := f.Of(n, broken)
				j := &job{dir: dir, want: "conforms", name: fmt.Sprintf("%s %d", f.Name, n)}
				if q.Violates {
					j.want, j.name = "violates", j.name+" broken"
				}
				base := fmt.Sprintf("%s%d%s", f.Name, n, j.want)
				if q.Property != "" {
					j.args = []string{"--property", q.Property}
				}
				j.args = append(j.args, base+".c", base+".spec")
				for ending, text := range map[string]string{".c": q.C, ".spec": q.Spec} {
					if err := os.WriteFile(filepath.Join(dir, base+ending), []byte(text), 0o666); err != nil {
						return nil, err
					}
				}
				jobs = append(jobs, j)
			}
		}
	}
	return jobs, nil
}

// many measures the families.
func (s *suite) many(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "many")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	jobs, err := manyJobs(dir)
	if err != nil {
		return err
	}
	t := &table{title: "Many components", text: []string{manyText},
		columns: []column{{name: "program", left: true}, {name: "verdict", left: true}, {name: "cpu"},
			{name: "T"}, {name: "mem"}, {name: "St"}, {name: "It"}}}
	for _, j := range s.matching(jobs) {
		r := s.measure(ctx, j)
		t.add(j.name, mark(r.verdict, j.want), seconds(r.cpu), r.seconds(r.wall), mebibytes(r.peak),
			fmt.Sprint(r.states), fmt.Sprint(r.iterations))
	}
	return s.finish(ctx, t)
}
