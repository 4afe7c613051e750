package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"magus/evidence/verdict"
)

// A row is a program with a result for each way.
type row struct {
	program
	results []result
}

// right, wrong: what a verdict is, where the known one is "true" or "false".
func (r *row) right(i int) bool {
	v := r.results[i].verdict
	return v == verdict.Conforms && r.want != "false" || v == verdict.Violates && r.want != "true"
}

func (r *row) wrong(i int) bool { return r.results[i].verdict != verdict.Unknown && !r.right(i) }

// write writes all tables. The exit status is 1 if a verdict is wrong.
func write(out io.Writer, all []row) int {
	var folders []string
	for _, r := range all {
		if !slices.Contains(folders, r.folder) {
			folders = append(folders, r.folder)
		}
	}
	verdicts(out, all, folders)
	orders(out, all)
	links(out, all)
	status := 0
	for _, r := range all {
		for i, w := range methods {
			if r.wrong(i) {
				fmt.Fprintf(out, "WRONG: %s/%s by %s: %v, known is %s\n", filepath.Base(r.folder), r.file,
					w.name, r.results[i].verdict, r.want)
				status = 1
			}
		}
		if r.contradicted() {
			fmt.Fprintf(out, "WRONG: %s/%s: the ways contradict each other\n", filepath.Base(r.folder), r.file)
			status = 1
		}
	}
	return status
}

// contradicted reports whether one way says that a program conforms and another that it violates: one
// of them is wrong, whatever is known.
func (r *row) contradicted() bool {
	says := func(v verdict.Verdict) bool {
		return slices.ContainsFunc(r.results, func(x result) bool { return x.verdict == v })
	}
	return says(verdict.Conforms) && says(verdict.Violates)
}

// verdicts is the table of folders: programs decided, seconds and the median, in each way.
func verdicts(out io.Writer, all []row, folders []string) {
	fmt.Fprint(out, "| folder | programs |")
	for _, w := range methods {
		fmt.Fprintf(out, " %s |", w.name)
	}
	fmt.Fprint(out, "\n|---|---|")
	for range methods {
		fmt.Fprint(out, "---|")
	}
	for _, f := range folders {
		n := 0
		for _, r := range all {
			if r.folder == f {
				n++
			}
		}
		fmt.Fprintf(out, "\n| %s | %d |", filepath.Base(f), n)
		for i := range methods {
			var seconds []float64
			sum := 0.0
			for _, r := range all {
				if r.folder == f && r.right(i) {
					seconds = append(seconds, r.results[i].seconds)
					sum += r.results[i].seconds
				}
			}
			slices.Sort(seconds)
			median := 0.0
			if len(seconds) > 0 {
				median = seconds[len(seconds)/2]
			}
			fmt.Fprintf(out, " %d, %.1f s, median %.2f |", len(seconds), sum, median)
		}
	}
	fmt.Fprint(out, "\n\n")
}

// orders is what the orders did for programs that all of them decided.
func orders(out io.Writer, all []row) {
	n := 0
	var seconds [3]float64
	var rounds, reasons, literals, vars, clauses [3]int
	for _, r := range all {
		if !r.right(0) || !r.right(1) || !r.right(2) {
			continue
		}
		n++
		for i := range 3 {
			st := r.results[i].stats
			seconds[i] += r.results[i].seconds
			rounds[i] += st.Rounds
			reasons[i] += st.Reasons
			literals[i] += st.Literals
			vars[i] += st.Variables
			clauses[i] += st.Clauses
		}
	}
	fmt.Fprintf(out, "Of the %d programs that all orders decide:\n\n"+
		"| order | seconds | rounds | reasons | a reason has | variables | clauses |\n|---|---|---|---|---|---|---|\n", n)
	for i := range 3 {
		fmt.Fprintf(out, "| %s | %.1f | %d | %d | %.1f literals | %d | %d |\n", methods[i].name, seconds[i],
			rounds[i], reasons[i],
			float64(literals[i])/float64(max(1, reasons[i])), vars[i], clauses[i])
	}
	fmt.Fprintln(out)
}

// links is the table of slicing and likely links, of programs where they have something to do.
func links(out io.Writer, all []row) {
	fmt.Fprint(out, "| program | verdict | theory | slice | shared, looked at | not reconstructed | "+
		"likely | reads | left, in turns | links saved |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range all {
		sl, li := r.results[3], r.results[4]
		if sl.stats.Refinements == 0 && li.stats.Queries < 2 && r.want != "?" {
			continue
		}
		v := verdict.Unknown
		for _, x := range r.results {
			if x.verdict != verdict.Unknown {
				v = x.verdict
			}
		}
		cell := func(x result) string {
			if x.verdict == verdict.Unknown {
				return "–"
			}
			return fmt.Sprintf("%.2f", x.seconds)
		}
		fmt.Fprintf(out, "| %s/%s | %v | %s | %s | %d, %d | %d | %s | %d | %d, %d | %d of %d |\n",
			filepath.Base(r.folder), r.file, v, cell(r.results[0]), cell(sl),
			sl.stats.Cells, sl.stats.Kept, sl.stats.Refinements, cell(li), li.stats.Likely, li.stats.Left,
			li.stats.Queries, li.stats.Saved, li.stats.Links)
	}
	fmt.Fprintln(out)
}
