package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// run is the command; the result is its exit status: 1 if a verdict is wrong or a run at fault, 2 for wrong usage.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("conformance", flag.ContinueOnError)
	flags.SetOutput(errs)
	jobs := flags.Int("jobs", 2, "how many `PROGRAMS` at a time")
	cc := flags.String("cc", "gcc", "the compiler whose runs are the truth")
	tool := flags.String("magus", "", "the program magus (default: it is built)")
	options := flags.String("options", "--timeout 10s --data-model LP64 --malloc never-fails", "of each check")
	long := flags.Bool("v", false, "list unknown verdicts and refusals by file, too")
	if flags.Parse(args) != nil {
		return 2
	}
	if flags.NArg() == 0 || *jobs < 1 {
		fmt.Fprintln(errs, "usage: conformance [-jobs N] [-magus PROGRAM] [-options OPTIONS] [-v] FOLDER...")
		return 2
	}
	magus, clean, err := built(ctx, *tool)
	if err != nil {
		fmt.Fprintln(errs, "conformance:", err)
		return 2
	}
	defer clean()
	files, err := programs(flags.Args())
	if err != nil {
		fmt.Fprintln(errs, "conformance:", err)
		return 2
	}
	answers := all(files, *jobs, func(file string) []answer {
		return about(ctx, *cc, magus, strings.Fields(*options), file)
	})
	return report(out, answers, *long)
}

// built is the program magus, which is made if none is given.
func built(ctx context.Context, tool string) (magus string, clean func(), err error) {
	if tool != "" {
		magus, err = filepath.Abs(tool)
		return magus, func() {}, err
	}
	folder, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return "", nil, err
	}
	magus = filepath.Join(folder, "magus")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", magus, "magus/cmd/magus").CombinedOutput(); err != nil {
		os.RemoveAll(folder)
		return "", nil, fmt.Errorf("go build: %w\n%s", err, text)
	}
	return magus, func() { os.RemoveAll(folder) }, nil
}

// programs are the C files of folders, sorted.
func programs(folders []string) ([]string, error) {
	var files []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ".c" {
				path, err = filepath.Abs(path)
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// all calls f with each file, some at a time; the answers are in the order of the files.
func all(files []string, jobs int, f func(file string) []answer) []answer {
	answers := make([][]answer, len(files))
	var group sync.WaitGroup
	free := make(chan struct{}, jobs)
	for i, file := range files {
		free <- struct{}{}
		group.Go(func() {
			answers[i] = f(file)
			<-free
		})
	}
	group.Wait()
	return slices.Concat(answers...)
}

// about are the answers about one program.
func about(ctx context.Context, cc, magus string, options []string, file string) []answer {
	asked, err := questions(ctx, cc, file)
	var why pass
	switch {
	case errors.As(err, &why):
		return []answer{{file: file, class: passed, reason: string(why)}}
	case err != nil:
		return []answer{{file: file, class: fault, reason: err.Error()}}
	}
	var answers []answer
	for _, q := range asked {
		answers = append(answers, ask(ctx, magus, options, file, q))
	}
	return answers
}

// report prints the classes, then the answers that are not right, those of a reason together.
func report(out io.Writer, answers []answer, long bool) int {
	byClass := map[string][]answer{}
	for _, a := range answers {
		byClass[a.class] = append(byClass[a.class], a)
	}
	for _, class := range classes {
		fmt.Fprintf(out, "%-15s %d\n", class, len(byClass[class]))
	}
	for _, class := range classes {
		if class != right {
			reasons(out, class, byClass[class], long)
		}
	}
	if len(byClass[wrongConforms])+len(byClass[wrongViolates])+len(byClass[fault]) > 0 {
		return 1
	}
	return 0
}

// reasons prints how many answers of a class each reason has, the most frequent first.
func reasons(out io.Writer, class string, answers []answer, long bool) {
	byReason := map[string][]answer{}
	for _, a := range answers {
		byReason[a.reason] = append(byReason[a.reason], a)
	}
	order := slices.SortedFunc(maps.Keys(byReason), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byReason[b]), len(byReason[a])), strings.Compare(a, b))
	})
	for _, reason := range order {
		fmt.Fprintf(out, "\n%s: %d %s\n", class, len(byReason[reason]), reason)
		if class == passed || !long && (class == unknown || class == refused) {
			continue
		}
		for _, a := range byReason[reason] {
			fmt.Fprintln(out, "  ", a.file, a.question)
		}
	}
}
