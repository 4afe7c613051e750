// Command queries compares decision procedures on what runs have asked.
//
//	magus check --dump-queries DIR ...
//	go run ./bench/queries [-most N] [-limit DURATION] DIR/*.smt2
//
// The queries of each file, in their order, are put to the procedure in the house and to z3, each of which keeps what it has
// learnt. Times are elapsed ones of a single query: of the house without the reading of text, of z3 with it,
// but without what an (echo) takes to come back. A file ends for both with the first query that one of them has no answer to
// within the limit. Answers that differ are an error.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"magus/internal/expr"
	"magus/internal/solver"
	"magus/internal/solver/embedded"
)

func main() {
	most := flag.Int("most", 500, "at most so many queries of each file, `N`")
	limit := flag.Duration("limit", 10*time.Second, "of a query")
	flag.Parse()
	if err := run(flag.Args(), *most, *limit, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "queries:", err)
		os.Exit(1)
	}
}

func run(files []string, most int, limit time.Duration, out io.Writer) error {
	fmt.Fprintf(out, "| file | queries | median µs | z3 | 99 %% µs | z3 | most ms | z3 | all s | z3 | as fast or faster |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	var all [2][]time.Duration
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		times, why, err := compare(string(text), most, limit)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		row(out, filepath.Base(filepath.Dir(name))+why, times)
		for i := range all {
			all[i] = append(all[i], times[i]...)
		}
	}
	row(out, "all", all)
	return nil
}

// row prints the figures of some queries.
func row(out io.Writer, name string, times [2][]time.Duration) {
	n, faster := len(times[0]), 0
	if n == 0 {
		fmt.Fprintf(out, "| %s | 0 |\n", name)
		return
	}
	var sums [2]time.Duration
	for k := range n {
		if times[0][k] <= times[1][k] {
			faster++
		}
		for i := range sums {
			sums[i] += times[i][k]
		}
	}
	house, z3 := slices.Sorted(slices.Values(times[0])), slices.Sorted(slices.Values(times[1]))
	fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %d | %.1f | %.1f | %.2f | %.2f | %d %% |\n", name, n,
		house[n/2].Microseconds(), z3[n/2].Microseconds(), house[n*99/100].Microseconds(), z3[n*99/100].Microseconds(),
		1e3*house[n-1].Seconds(), 1e3*z3[n-1].Seconds(), sums[0].Seconds(), sums[1].Seconds(), 100*faster/n)
}

// compare puts the queries of a file to both. why says why not all, "" if all were.
func compare(text string, most int, limit time.Duration) (times [2][]time.Duration, why string, err error) {
	r := newReader()
	house := embedded.New(r.pool)
	defer house.Close()
	z3, err := startPeer()
	if err != nil {
		return times, "", err
	}
	defer z3.end()
	var conds []*expr.Expr
	scope, query := false, ""
	for line := range strings.Lines(text) {
		if len(times[0]) == most {
			return times, ", the first", nil
		}
		query += line
		switch t := r.line(line); {
		case r.err != nil:
			return times, "", r.err
		case strings.HasPrefix(line, "(push"):
			scope, conds = true, nil
		case t != nil && scope:
			conds = append(conds, t)
		case t != nil:
			house.Assert(t)
		case strings.HasPrefix(line, "(pop"):
			scope = false
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			begin := time.Now()
			answer, _ := house.Check(ctx, conds...)
			took := time.Since(begin)
			cancel()
			theirs, other, err := z3.ask(query, limit)
			query = ""
			switch {
			case err != nil:
				return times, "", err
			case answer == solver.Unknown || theirs == "":
				return times, fmt.Sprintf(", up to one that takes the house %.1f s and z3 %.1f s", took.Seconds(), other.Seconds()), nil
			case answer.String() != theirs:
				return times, "", fmt.Errorf("query %d: %v, but z3 says %s", len(times[0])+1, answer, theirs)
			}
			times[0], times[1] = append(times[0], took), append(times[1], max(0, other-z3.round))
		}
	}
	return times, "", nil
}

// A peer is a z3 that reads from a pipe.
type peer struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	round time.Duration // what an empty question takes
}

func startPeer() (*peer, error) {
	p := &peer{cmd: exec.Command("z3", "-in"), lines: make(chan string)}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	var rounds []time.Duration
	for range 200 {
		_, took, err := p.ask("(echo \"x\")\n", time.Minute)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, took)
	}
	p.round = slices.Sorted(slices.Values(rounds))[100]
	return p, nil
}

// ask is the line that comes back, "" if none does within the limit.
func (p *peer) ask(text string, limit time.Duration) (string, time.Duration, error) {
	begin := time.Now()
	if _, err := io.WriteString(p.in, text); err != nil {
		return "", 0, err
	}
	select {
	case line, ok := <-p.lines:
		if !ok || strings.HasPrefix(line, "(error") {
			return "", 0, fmt.Errorf("z3: %s", line)
		}
		return line, time.Since(begin), nil
	case <-time.After(limit):
		return "", time.Since(begin), nil
	}
}

func (p *peer) end() {
	_ = p.cmd.Process.Kill()
	for range p.lines { // until it has ended
	}
	_ = p.cmd.Wait()
}
