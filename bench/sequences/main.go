// Command sequences checks protocols with sequence numbers, for more and more numbers, and prints what that takes:
//
//	go run ./bench/sequences                    # from 2 to 16
//	go run ./bench/sequences -most 64 -limit 1m
//
// They are the alternating bit (examples/messages) and the sliding window (examples/window). What a table shows is
// whether the work grows with the numbers, or goes by what is compared.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/specs"
)

// A protocol is an example that has the macro NUMBERS.
type protocol struct {
	name, dir, spec string
	files           []string
}

var protocols = []protocol{
	{"alternating bit", "examples/messages", "in_order.spec", []string{"sender.c", "receiver.c", "line.c"}},
	{"sliding window", "examples/window", "window.spec", []string{"sender.c", "receiver.c"}},
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the command; the result is its exit status.
func run(args []string, out, errs io.Writer) int {
	fs := flag.NewFlagSet("sequences", flag.ContinueOnError)
	fs.SetOutput(errs)
	most := fs.Int("most", 16, "up to how many `NUMBERS`")
	limit := fs.Duration("limit", time.Minute, "`DURATION` for each")
	root := fs.String("root", ".", "the `FOLDER` with the examples' folder")
	if fs.Parse(args) != nil {
		return 2
	}
	fmt.Fprintln(out, "| protocol | numbers | verdict | states | iterations | time |")
	fmt.Fprintln(out, "|---|---:|---|---:|---:|---:|")
	for _, p := range protocols {
		for n := 2; n <= *most; n *= 2 {
			row, err := p.check(*root, n, *limit)
			if err != nil {
				fmt.Fprintln(errs, "sequences:", err)
				return 1
			}
			fmt.Fprintln(out, row)
		}
	}
	return 0
}

// check is the row of a protocol with so many numbers.
func (p protocol) check(root string, numbers int, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	in := magus.Input{Options: source.Options{Defines: []string{fmt.Sprintf("NUMBERS=%d", numbers)},
		ReadFile: os.ReadFile}}
	for _, f := range p.files {
		name := filepath.Join(root, p.dir, f)
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		in.C = append(in.C, source.Source{Name: name, Text: text})
	}
	text, err := os.ReadFile(filepath.Join(root, p.dir, p.spec))
	if err != nil {
		return "", err
	}
	in.Specs = []specs.Source{{Name: p.spec, Text: text}}
	project, err := magus.Load(ctx, in)
	if err != nil {
		return "", err
	}
	claims, err := project.Claims(magus.Selection{})
	if err != nil {
		return "", err
	}
	begin := time.Now()
	s, err := magus.NewSession(ctx, claims[0], magus.Options{})
	if err != nil {
		return "", err
	}
	defer s.Close()
	for s.Next() != magus.Finished {
		s.Step(ctx)
	}
	viewed, ok := s.(interface{ View() cegar.View })
	if !ok {
		return "", fmt.Errorf("%s: nothing is known of how it was decided", p.name)
	}
	v := viewed.View()
	return fmt.Sprintf("| %s | %d | %v | %d | %d | %.1f s |", p.name, numbers, v.Outcome.Verdict, v.Stats.MaxProductStates,
		v.Stats.Iterations, time.Since(begin).Seconds()), nil
}
