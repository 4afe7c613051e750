package main

// What it is worth to make components smaller before they are composed.

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A reductionMode is a setting of level two and of --compositional.
type reductionMode struct {
	name  string
	flags []string
}

var reductionModes = []reductionMode{
	{"two levels", []string{"--action-abstraction", "on"}},
	{"two levels, reduced", []string{"--action-abstraction", "on", "--compositional"}},
	{"one level", []string{"--action-abstraction", "off"}},
	{"one level, reduced", []string{"--action-abstraction", "off", "--compositional"}},
}

const reductionText = "Every claim on several components with and without --compositional, " +
	"with two levels of abstraction and with one. " +
	"St: product states that the last check explored. It: iterations of the loop. " +
	"T: wall-clock time of the process in seconds. " +
	"All end after the first proof (--reduce-iterations 1). *: given up when the time was over; " +
	"totals count it as that time."

// reduction measures the jobs in all modes.
func reduction(ctx context.Context, s *suite, jobs []*job) *table {
	t := &table{title: "Components made smaller before they are composed", text: []string{reductionText},
		columns: []column{{name: "program", left: true}, {name: "verdict", left: true}}}
	for _, m := range reductionModes {
		t.columns = append(t.columns, columnsOf(m.name, "St", "It", "T")...)
	}
	sums := make([]levelSum, len(reductionModes))
	for _, j := range jobs {
		var verdicts, figures []string
		for i, m := range reductionModes {
			r := s.measure(ctx, j, append(slices.Clone(m.flags), "--reduce-iterations", "1")...)
			if v := mark(r.verdict, j.want); !slices.Contains(verdicts, v) {
				verdicts = append(verdicts, v)
			}
			sums[i].add(r, s.timeout)
			figures = append(figures, fmt.Sprint(r.states), fmt.Sprint(r.iterations), r.seconds(r.wall))
		}
		t.add(append([]string{j.name, strings.Join(verdicts, " / ")}, figures...)...)
	}
	for _, total := range []struct {
		name string
		show func(*sum, int) string
	}{{"TOTAL", (*sum).total}, {"AVERAGE", (*sum).average}} {
		row := []string{total.name, ""}
		for i := range sums {
			row = append(row, total.show(&sums[i].states, 0), total.show(&sums[i].iterations, 0), total.show(&sums[i].time, 2))
		}
		t.totals = append(t.totals, row)
	}
	return t
}
