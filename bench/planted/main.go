// Command planted measures how many faults that are planted into C programs the rules that come along find.
//
//	go run ./bench/planted [-count 10] [-seed N] [-limit 5s] [-rule NAME,...] [-each] [-cache DIR] [-list] FILE.c...
//
// The files are those of one project, or with -each each is one of its own. They are checked first, -limit a
// root. Faults are then planted one at a time (places.go), at places that the seed chooses among those whose
// rule is kept by a root that looks at them and broken by none; each kind in turn, as long as there are
// places for it. The project is checked once more with each, by the rule and from the roots that kept it. A
// fault is found if one of them breaks the rule now.
//
// Printed is a table, and each fault that is not found, with what became of it. The exit status is 0 however
// many are found.
//
// Left out: whether a fault can happen. What is kept with it has to be looked at by people: no run may lead there, or
// nothing be held there.
//
// Cost: one check of the whole project, and for each fault reading and the roots that look at the place.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	count      int
	seed       uint64
	limit      time.Duration
	rules      []string
	each, list bool
	cache      string
	files      []string
}

func parse(args []string, errs io.Writer) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("planted", flag.ContinueOnError)
	fs.SetOutput(errs)
	fs.IntVar(&o.count, "count", 10, "plant `N` faults a project")
	fs.Uint64Var(&o.seed, "seed", 1, "choose places by this `NUMBER`")
	fs.DurationVar(&o.limit, "limit", 5*time.Second, "a `TIME` for each root")
	rules := fs.String("rule", "",
		"only these rules, `NAME,...` (default: all that are about something that the files call)")
	fs.BoolVar(&o.each, "each", false, "each file is a project of its own")
	fs.BoolVar(&o.list, "list", false, "print the faults that would be planted")
	fs.StringVar(&o.cache, "cache", "", "keep what was decided of the files as they are in folder `DIR`")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if o.files = fs.Args(); len(o.files) == 0 || o.count < 1 {
		err := errors.New("name the files of a project")
		fmt.Fprintln(errs, "planted:", err)
		return nil, err
	}
	if *rules != "" {
		o.rules = strings.Split(*rules, ",")
	}
	return o, nil
}

// run prints the table and returns the exit status.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	o, err := parse(args, errs)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	projects := [][]string{o.files}
	if o.each {
		projects = nil
		for _, file := range o.files {
			projects = append(projects, []string{file})
		}
	}
	t := &table{}
	for _, files := range projects {
		if err := measure(ctx, o, files, t, out, errs); err != nil {
			fmt.Fprintln(errs, "planted:", err)
			return 2
		}
	}
	if !o.list {
		t.write(out)
	}
	return 0
}

// measure plants faults into a project.
func measure(ctx context.Context, o *options, files []string, t *table, out, errs io.Writer) error {
	p, err := newProject(ctx, o, files)
	if err != nil {
		return err
	}
	name := p.name()
	t.begin(name)
	for _, f := range choose(p.places, o.seed, o.count) {
		if o.list {
			fmt.Fprintln(out, f)
			continue
		}
		a, err := p.plant(ctx, f)
		if err != nil {
			return err
		}
		t.add(name, f, a)
		fmt.Fprintf(errs, "%s: %s\n", a, f)
	}
	return nil
}

// choose are some places, of each kind in turn; no two are of one statement as long as there are others.
func choose(all []place, seed uint64, count int) (chosen []place) {
	r := rand.New(rand.NewPCG(seed, 0))
	var by [kinds][]place
	for _, f := range all {
		by[f.kind] = append(by[f.kind], f)
	}
	for _, places := range by {
		r.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	}
	taken := map[string]int{}
	for k := 0; len(chosen) < min(count, len(all)); k = (k + 1) % int(kinds) {
		if len(by[k]) == 0 {
			continue
		}
		at := func(f place) string { return fmt.Sprint(f.file, f.from) }
		fewest := slices.MinFunc(by[k], func(a, b place) int { return cmp.Compare(taken[at(a)], taken[at(b)]) })
		taken[at(fewest)]++
		by[k] = slices.DeleteFunc(by[k], func(f place) bool { return f == fewest })
		chosen = append(chosen, fewest)
	}
	return chosen
}

// A table counts what became of faults, by project and kind.
type table struct {
	projects []string
	counts   map[string]*[kinds][answers]int
	open     []string // faults that were not found
}

func (t *table) begin(project string) {
	if t.counts == nil {
		t.counts = map[string]*[kinds][answers]int{}
	}
	if t.counts[project] == nil {
		t.projects = append(t.projects, project)
		t.counts[project] = &[kinds][answers]int{}
	}
}

func (t *table) add(project string, f place, a answer) {
	t.counts[project][f.kind][a.was]++
	if a.was != found {
		t.open = append(t.open, fmt.Sprintf("%s: %s", f, a))
	}
}

// write writes the table, with the sum over the projects.
func (t *table) write(out io.Writer) {
	fmt.Fprintf(out, "%-24s", "project")
	for k := range kinds {
		fmt.Fprintf(out, " %12s", k)
	}
	fmt.Fprintf(out, " %8s %9s %6s\n", "found", "undecided", "kept")
	var sum [kinds][answers]int
	for _, p := range t.projects {
		for k, as := range t.counts[p] {
			for a, n := range as {
				sum[k][a] += n
			}
		}
		row(out, p, t.counts[p])
	}
	if len(t.projects) > 1 {
		row(out, "all", &sum)
	}
	for _, text := range t.open {
		fmt.Fprintln(out, text)
	}
}

// row writes a line of the table, unless nothing was planted.
func row(out io.Writer, name string, counts *[kinds][answers]int) {
	var became [answers]int
	total, line := 0, fmt.Sprintf("%-24s", filepath.Base(name))
	for _, as := range counts {
		all := 0
		for a, n := range as {
			became[a] += n
			all += n
		}
		total += all
		line += fmt.Sprintf(" %12s", fmt.Sprintf("%d of %d", as[found], all))
	}
	if total > 0 {
		fmt.Fprintf(out, "%s %8d %9d %6d\n", line, became[found], became[undecided], became[kept])
	}
}
