package main

// Figures 14 and 15 in kind: what the bounds of the paper's strategy buy.

import (
	"context"
	"fmt"
	"slices"
)

// A setting is a strategy with its bounds, and what the paper measured with
// them, by program.
type setting struct {
	sub, elm int // 0: the exact strategy, which has none
	paper    map[string][]string
}

// settings are the exact strategy, those of figure 14, where MAXELM varies, and
// of figure 15, where MAXELM is MAXSUB. The paper's cells are those of the table
// below; figure 14 does not give M.
var settings = []setting{
	{},
	{250, 50, map[string][]string{"ssl-srvr-4": {"656", "8", "2", "64", "34/-/1"},
		"ssl-clnt-1": {"1089", "13", "2", "67", "66/-/1"}}},
	{250, 150, map[string][]string{"ssl-srvr-4": {"657", "8", "2", "64", "34/-/1"},
		"ssl-clnt-1": {"1090", "13", "2", "67", "66/-/1"}}},
	{250, 250, map[string][]string{"ssl-srvr-4": {"656", "8", "2", "64", "34/-/1"},
		"ssl-clnt-1": {"1090", "13", "2", "67", "66/-/1"}}},
	{100, 100, map[string][]string{"ssl-srvr-4": {"262", "8", "2", "44", "34/2/1"},
		"ssl-clnt-1": {"310", "11", "2", "40", "58/2/1"}}},
	{200, 200, map[string][]string{"ssl-srvr-4": {"474", "7", "2", "57", "27/2/1"},
		"ssl-clnt-1": {"683", "12", "2", "51", "63/2/1"}}},
	{400, 400, map[string][]string{"ssl-srvr-4": {"1039", "9", "2", "71", "38/2/1"},
		"ssl-clnt-1": {"2731", "13", "2", "208", "67/3/1"}}},
	{800, 800, map[string][]string{"ssl-srvr-4": {"2182", "7", "2", "165", "25/2/1"},
		"ssl-clnt-1": {"5843", "14", "2", "296", "75/3/1"}}},
	{1600, 1600, map[string][]string{"ssl-srvr-4": {"6718", "9", "2", "410", "35/3/1"},
		"ssl-clnt-1": {"13169", "12", "2", "633", "61/3/1"}}},
	{3200, 3200, map[string][]string{"ssl-srvr-4": {"13656", "9", "2", "461", "40/3/1"},
		"ssl-clnt-1": {"36155", "12", "2", "1155", "67/4/1"}}},
	{6400, 6400, map[string][]string{"ssl-srvr-4": {"26203", "9", "2", "947", "31/3/1"},
		"ssl-clnt-1": {"> 57528", "4", "1", "2110", "22/4/1"}}},
}

var optimalityText = []string{
	"A row is one run of magus check, by the exact strategy or by the paper's with MAXSUB (SUB) sets " +
		"examined and MAXELM (ELM) " +
		"eliminating sets collected for each counterexample. Columns as in the table before. " +
		"Paper: figures 14 and 15, for the program of the " +
		"same name; G is 1 there too: one candidate alone eliminates most counterexamples.",
}

// varied are the jobs that the paper's figures 14 and 15 have.
func varied(jobs []*job) []*job {
	return slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool { return settings[1].paper[j.key] == nil })
}

// optimality measures jobs with all settings.
func optimality(ctx context.Context, s *suite, title string, jobs []*job) *table {
	out := &table{title: title, text: optimalityText}
	out.columns = []column{{name: "program", left: true}, {name: "SUB"}, {name: "ELM"}, {name: "verdict", left: true}}
	out.columns = append(out.columns, columnsOf("magus", "time", "iter", "|P|", "mem", "tests", "tried", "T/M/G")...)
	out.columns = append(out.columns, columnsOf("paper", "time", "iter", "|P|", "mem", "T/M/G")...)
	for _, j := range jobs {
		for _, set := range settings {
			flags, sub, elm := []string{"--minimize", "exact"}, "exact", ""
			if set.sub > 0 {
				sub, elm = fmt.Sprint(set.sub), fmt.Sprint(set.elm)
				flags = []string{"--minimize", "enumerate", "--max-sub", sub, "--max-elm", elm}
			}
			r := s.measure(ctx, j, flags...)
			paper := set.paper[j.key]
			if paper == nil {
				paper = make([]string, 5)
			}
			out.add(append([]string{j.name, sub, elm, mark(r.verdict, j.want), r.seconds(r.wall),
				fmt.Sprint(r.iterations), fmt.Sprint(r.chosen),
				mebibytes(r.peak), fmt.Sprint(r.tests), fmt.Sprint(r.subsets), r.sizes()}, paper...)...)
		}
	}
	return out
}
