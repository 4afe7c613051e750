package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// header names the columns: each figure of the house, then of the others in their order.
func header(out io.Writer, peers []string) {
	others := strings.Join(append([]string{""}, peers...), " | ")
	fmt.Fprint(out, "| file | queries ")
	for _, figure := range []string{"median µs", "99 % µs", "most ms", "all s"} {
		fmt.Fprintf(out, "| %s%s ", figure, others)
	}
	for _, p := range peers {
		fmt.Fprintf(out, "| as fast as %s ", p)
	}
	fmt.Fprintf(out, "| out of time |\n|---|%s\n", strings.Repeat("--:|", 2+4*(1+len(peers))+len(peers)))
}

// row prints the figures of some queries.
func row(out io.Writer, name string, times [][]time.Duration, limit time.Duration) {
	n := len(times[0])
	if n == 0 {
		fmt.Fprintf(out, "| %s | 0 |\n", name)
		return
	}
	var median, most, tail, sum, share, late []string
	for i, t := range times {
		sorted := slices.Sorted(slices.Values(t))
		total, faster, out := time.Duration(0), 0, 0
		for k := range n {
			total += t[k]
			if times[0][k] <= t[k] {
				faster++
			}
			if t[k] >= limit {
				out++
			}
		}
		median = append(median, fmt.Sprint(sorted[n/2].Microseconds()))
		tail = append(tail, fmt.Sprint(sorted[n*99/100].Microseconds()))
		most = append(most, fmt.Sprintf("%.1f", 1e3*sorted[n-1].Seconds()))
		sum = append(sum, fmt.Sprintf("%.2f", total.Seconds()))
		late = append(late, fmt.Sprint(out))
		if i > 0 {
			share = append(share, fmt.Sprintf("%d %%", 100*faster/n))
		}
	}
	cells := slices.Concat(median, tail, most, sum, share)
	fmt.Fprintf(out, "| %s | %d | %s | %s |\n", name, n, strings.Join(cells, " | "), strings.Join(late, ", "))
}
