package main

// The suite: which jobs make which table.

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A suite measures jobs and collects tables.
type suite struct {
	runner     runner
	paper      figures
	strategies []strategy
	timeout    time.Duration
	match      *regexp.Regexp
	out        io.Writer
	markdown   bool // the form of out
	log        io.Writer
	notes      []string // before the tables

	done           []*table
	right, unknown int
	wrong          int
	faults         []string // rows without the wanted verdict, with the reason
}

// measure runs a job and counts its verdict.
func (s *suite) measure(ctx context.Context, j *job, flags ...string) result {
	fmt.Fprintf(s.log, "%s  %s\n", j.name, strings.Join(flags, " "))
	r := summarize(s.runner.run(ctx, j, flags...))
	switch {
	case r.verdict == j.want:
		s.right++
		return r
	case r.decided():
		s.wrong++
	default:
		s.unknown++
	}
	s.faults = append(s.faults, strings.TrimSpace(fmt.Sprintf("%s (%s): %s. %s", j.name,
		strings.Join(flags, " "), mark(r.verdict, j.want), r.reason)))
	return r
}

// A selection says which examples make a table.
type selection struct {
	folders []string
	spec    *regexp.Regexp // of the name of the specification; nil: any
}

var (
	small     = selection{folders: []string{"figure2", "assert"}}
	kernels   = selection{folders: []string{"lock", "mutex", "socket", "driver"}}
	oneSide   = selection{[]string{"handshake"}, regexp.MustCompile(`^[sc]\d+$`)}
	bothSides = selection{[]string{"handshake"}, regexp.MustCompile(`^p\d+$`)}
	composed  = selection{folders: []string{"pipeline", "filter"}}
)

// of are the selected jobs, in the order of the selection's folders, and for
// specifications in their natural order, the server's first as in the paper.
func (sel selection) of(jobs []*job) []*job {
	var out []*job
	for _, folder := range sel.folders {
		for _, j := range jobs {
			if j.folder() == folder && (sel.spec == nil || sel.spec.MatchString(j.spec())) {
				out = append(out, j)
			}
		}
	}
	if sel.spec != nil {
		slices.SortStableFunc(out, func(a, b *job) int {
			return cmp.Or(-cmp.Compare(a.spec()[0], b.spec()[0]), cmp.Compare(number(a.spec()), number(b.spec())))
		})
	}
	return out
}

func number(spec string) int {
	n, _ := strconv.Atoi(spec[1:])
	return n
}

// matching keeps the jobs that the user asks for.
func (s *suite) matching(jobs []*job) []*job {
	return slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool { return !s.match.MatchString(j.name) })
}

// tables makes all tables that the options ask for.
func (s *suite) tables(ctx context.Context, o *options) error {
	wanted := strings.Split(o.tables, ",")
	known := []string{"minimize", "kernel", "sequential", "concurrent", "reduction", "folders", "optimality",
		"many", "stuck"}
	for _, w := range wanted {
		if !slices.Contains(known, w) {
			return fmt.Errorf("no table %q; there are %s", w, strings.Join(known, ", "))
		}
	}
	if slices.ContainsFunc(known[:5], func(k string) bool { return slices.Contains(wanted, k) }) {
		if err := s.exampleTables(ctx, o.examples, wanted); err != nil {
			return err
		}
	}
	if slices.Contains(wanted, "many") {
		if err := s.many(ctx); err != nil {
			return err
		}
	}
	if slices.Contains(wanted, "stuck") {
		if err := s.stuck(ctx, o.examples); err != nil {
			return err
		}
	}
	for _, folder := range o.folders {
		if err := s.folderTables(ctx, folder, wanted); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// folderTables makes the tables of a folder of programs with known verdicts.
func (s *suite) folderTables(ctx context.Context, folder string, wanted []string) error {
	jobs, err := collection(folder)
	if err != nil {
		return err
	}
	if jobs = s.matching(jobs); len(jobs) == 0 {
		return s.finish(ctx, &table{title: folder, text: []string{"No program to measure."}})
	}
	name := jobs[0].folder()
	if slices.Contains(wanted, "folders") {
		t := targets[name]
		if s.match.String() != "" {
			t = nil // it is about all programs
		}
		if err := s.finish(ctx, minimization(ctx, s,
			name+": programs with known verdicts (figures 11 and 12 in kind)", jobs, t)); err != nil {
			return err
		}
	}
	if js := varied(jobs); len(js) > 0 && slices.Contains(wanted, "optimality") {
		return s.finish(ctx, optimality(ctx, s, name+": bounds of enumeration (figures 14 and 15 in kind)", js))
	}
	return nil
}

func (s *suite) exampleTables(ctx context.Context, root string, wanted []string) error {
	all, err := examples(root)
	if err != nil {
		return err
	}
	for _, t := range []struct {
		key  string
		jobs []*job
		make func([]*job) *table
	}{
		{"minimize", slices.Concat(small.of(all), kernels.of(all), oneSide.of(all)), func(js []*job) *table {
			return minimization(ctx, s, "Predicate minimisation on sequential examples (figures 11 and 12 in kind)", js, nil)
		}},
		{"kernel", kernels.of(all), func(js []*job) *table { return kernel(ctx, s, js) }},
		{"sequential", oneSide.of(all), func(js []*job) *table {
			return handshake(ctx, s, "Handshake, one side alone (figure 17 in kind)", js, s.paper.sequential)
		}},
		{"concurrent", bothSides.of(all), func(js []*job) *table {
			return handshake(ctx, s, "Handshake, client and server together (figure 18 in kind)", js, s.paper.concurrent)
		}},
		{"reduction", slices.Concat(composed.of(all), bothSides.of(all)), func(js []*job) *table {
			return reduction(ctx, s, js)
		}},
	} {
		if !slices.Contains(wanted, t.key) {
			continue
		}
		made := &table{title: "Table " + t.key, text: []string{"No example to measure."}}
		if js := s.matching(t.jobs); len(js) > 0 {
			made = t.make(js)
		}
		if err := s.finish(ctx, made); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// finish prints a table.
func (s *suite) finish(ctx context.Context, t *table) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.done = append(s.done, t)
	return t.write(s.out, s.markdown)
}

// document writes everything again, as Markdown.
func (s *suite) document(w io.Writer, m machine) error {
	if err := s.begin(w, m); err != nil {
		return err
	}
	for _, t := range s.done {
		if err := t.write(w, true); err != nil {
			return err
		}
	}
	return s.end(w, true)
}

// begin writes what stands before the tables.
func (s *suite) begin(w io.Writer, m machine) error {
	for _, p := range append([]string{m.String()}, s.notes...) {
		if _, err := fmt.Fprintf(w, "%s\n\n", wrap(p, 100)); err != nil {
			return err
		}
	}
	return nil
}

// end writes how many verdicts were as wanted, and each that was not.
func (s *suite) end(w io.Writer, markdown bool) error {
	_, err := fmt.Fprintf(w, "%d checks: %d as wanted, %d wrong, %d undecided.\n", s.right+s.wrong+s.unknown,
		s.right, s.wrong, s.unknown)
	for i, f := range s.faults {
		bullet := "  "
		if markdown {
			f, bullet = markdownEscape.Replace(f), "- "
			if i == 0 {
				bullet = "\n- "
			}
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "%s%s\n", bullet, f)
		}
	}
	return err
}
