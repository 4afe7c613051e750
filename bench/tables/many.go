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

const manyText = "Rings, pipelines and stars of n components (bench/families). cpu and T: processor's and elapsed seconds of the process, mem: its largest " +
	"resident set in MiB, St: pairs that the last check explored, It: iterations of the loop. *: given up when the time was over."

// manyJobs writes the programs into a folder, and gives a job for each.
func manyJobs(dir string) ([]*job, error) {
	var jobs []*job
	for _, f := range families.All() {
		for _, broken := range []bool{false, true} {
			for _, n := range manySizes {
				q := f.Of(n, broken)
				j := &job{dir: dir, want: "conforms", name: fmt.Sprintf("%s %d", f.Name, n)}
				if q.Violates {
					j.want, j.name = "violates", j.name+" broken"
				}
				base := fmt.Sprintf("%s%d%s", f.Name, n, j.want)
				j.args = []string{base + ".c", base + ".spec"}
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
