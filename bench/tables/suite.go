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
	log        io.Writer
	notes      []string

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
	s.faults = append(s.faults, strings.TrimSpace(fmt.Sprintf("%s (%s): %s. %s", j.name, strings.Join(flags, " "), mark(r.verdict, j.want), r.reason)))
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

// select keeps the jobs that the user asks for.
func (s *suite) matching(jobs []*job) []*job {
	return slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool { return !s.match.MatchString(j.name) })
}

// tables makes all tables that the options ask for.
func (s *suite) tables(ctx context.Context, o *options) error {
	wanted := strings.Split(o.tables, ",")
	known := []string{"minimize", "kernel", "sequential", "concurrent", "folders"}
	for _, w := range wanted {
		if !slices.Contains(known, w) {
			return fmt.Errorf("no table %q; there are %s", w, strings.Join(known, ", "))
		}
	}
	if slices.ContainsFunc(known[:4], func(k string) bool { return slices.Contains(wanted, k) }) {
		if err := s.exampleTables(ctx, o.examples, wanted); err != nil {
			return err
		}
	}
	if !slices.Contains(wanted, "folders") {
		return ctx.Err()
	}
	for _, folder := range o.folders {
		jobs, err := collection(folder)
		if err != nil {
			return err
		}
		if jobs = s.matching(jobs); len(jobs) > 0 {
			name := jobs[0].folder()
			t := targets[name]
			if s.match.String() != "" {
				t = nil // it is about all programs
			}
			s.finish(minimization(ctx, s, name+": programs with known verdicts (figures 11 and 12 in kind)", jobs, t))
		} else {
			s.notes = append(s.notes, fmt.Sprintf("%s: no program to measure.", folder))
		}
	}
	return ctx.Err()
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
	} {
		if !slices.Contains(wanted, t.key) {
			continue
		}
		if js := s.matching(t.jobs); len(js) > 0 {
			s.finish(t.make(js))
		} else {
			s.notes = append(s.notes, fmt.Sprintf("Table %s: no example to measure.", t.key))
		}
	}
	return ctx.Err()
}

func (s *suite) finish(t *table) { s.done = append(s.done, t) }

// document writes the machine, all tables and what went otherwise than wanted.
func (s *suite) document(w io.Writer, m machine, markdown bool) error {
	paragraphs := append([]string{m.String()}, s.notes...)
	for _, p := range paragraphs {
		if _, err := fmt.Fprintf(w, "%s\n\n", wrap(p, 100)); err != nil {
			return err
		}
	}
	for _, t := range s.done {
		write := t.writeText
		if markdown {
			write = t.writeMarkdown
		}
		if err := write(w); err != nil {
			return err
		}
	}
	return s.summary(w, markdown)
}

func (s *suite) summary(w io.Writer, markdown bool) error {
	_, err := fmt.Fprintf(w, "%d checks: %d as wanted, %d wrong, %d undecided.\n", s.right+s.wrong+s.unknown, s.right, s.wrong, s.unknown)
	bullet := "  "
	if markdown {
		bullet = "- "
		if len(s.faults) > 0 {
			bullet = "\n- "
		}
	}
	for i, f := range s.faults {
		if i > 0 && markdown {
			bullet = "- "
		}
		if markdown {
			f = markdownEscape.Replace(f)
		}
		if _, err := fmt.Fprintf(w, "%s%s\n", bullet, f); err != nil {
			return err
		}
	}
	return err
}
