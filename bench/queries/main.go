// Command queries compares decision procedures on what runs have asked.
//
//	magus check --dump-queries DIR ...
//	go run ./bench/queries [-most N] [-limit DURATION] [-against z3,cvc5,bitwuzla] DIR/*.smt2
//
// The queries of each file, in their order, are put to the procedure in the house and to the others
// that are installed, each of which keeps what it has learnt. Times are elapsed ones of a single
// query: of the house without the reading of text, of the others with it, but without what an (echo)
// takes to come back. A query without an answer within the limit counts as the limit, and the process
// that had it is started anew. Answers that differ are an error.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"time"
)

func main() {
	most := flag.Int("most", 500, "at most so many queries of each file, `N`")
	limit := flag.Duration("limit", 10*time.Second, "of a query")
	against := flag.String("against", "z3,cvc5,bitwuzla",
		"those to compare with, as far as they are installed; none if empty")
	profile := flag.String("profile", "", "write a profile of processor time to `FILE`")
	flag.Parse()
	if err := profiled(*profile, func() error {
		return run(flag.Args(), installed(*against), *most, *limit, os.Stdout)
	}); err != nil {
		fmt.Fprintln(os.Stderr, "queries:", err)
		os.Exit(1)
	}
}

func profiled(name string, work func() error) error {
	if name == "" {
		return work()
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return work()
}

// installed are those of the named procedures that can be run.
func installed(names string) []string {
	var found []string
	for name := range strings.SplitSeq(names, ",") {
		if _, err := exec.LookPath(name); err == nil && name != "" {
			found = append(found, name)
		}
	}
	return found
}

func run(files, peers []string, most int, limit time.Duration, out io.Writer) error {
	header(out, peers)
	all := make([][]time.Duration, 1+len(peers))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		c, err := compare(string(text), peers, most, limit)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		row(out, title(name)+c.why, c.times, limit)
		for i := range all {
			all[i] = append(all[i], c.times[i]...)
		}
	}
	row(out, "all", all, limit)
	return nil
}

// title is what a row is called: the file, or the folder of those that magus names by number and component.
func title(name string) string {
	base := strings.TrimSuffix(filepath.Base(name), ".smt2")
	if base[0] >= '0' && base[0] <= '9' {
		return filepath.Base(filepath.Dir(name))
	}
	return base
}
