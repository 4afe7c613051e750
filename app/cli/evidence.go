package cli

// Files that show verdicts: certificates and programs that replay violations.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/app/page"
	"magus/app/report"
	"magus/cfa"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/evidence/harness"
	"magus/evidence/witness"
)

// evidence is what the files that were asked for are written from.
type evidence struct {
	world        *World
	options      *options.Options
	certificates []*certificate.Certificate
	inputs       []*witness.Inputs
	covered      []report.Covered
	views        []*cegar.View // by claim
}

// add keeps what a claim has, and says where there is no certificate.
func (e *evidence) add(r job.Result) {
	if r.CertificateError != nil {
		fmt.Fprintf(e.world.Stderr, "magus: %s: no certificate: %v\n", r.Claim.Name, r.CertificateError)
	}
	e.covered = append(e.covered, report.Covered{Claim: r.Claim.Name, Verdict: r.Claim.Verdict, Coverage: r.Coverage})
	e.views = append(e.views, r.View)
	if r.Certificate != nil {
		e.certificates = append(e.certificates, r.Certificate)
	}
	if r.Inputs != nil {
		e.inputs = append(e.inputs, r.Inputs)
	}
}

// write writes the files. q is nil if nothing could be asked.
func (e *evidence) write(ctx context.Context, q *job.Question) error {
	return errors.Join(e.writeCertificates(ctx, q), e.writeHarnesses(ctx, q), e.writeCoverage(ctx, q),
		e.writeWitness(ctx, q))
}

// writeCertificates writes the certificates of all claims.
func (e *evidence) writeCertificates(ctx context.Context, q *job.Question) error {
	if e.options.Certificate == "" {
		return nil
	}
	d := &certificate.Document{Certificates: e.certificates}
	if q != nil {
		d.Question = q.Facts()
	}
	return e.writeInTime(ctx, "--certificate", e.options.Certificate,
		func(out io.Writer) error { return certificate.Write(out, d) })
}

// writeInTime writes a file that may be large. The time that the check had may be over, but what it came to is
// wanted, so writing has the time of a page; a file that does not become whole in it is not written.
func (e *evidence) writeInTime(ctx context.Context, flag, name string, text func(io.Writer) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.world.PageTime)
	defer cancel()
	return e.world.writeFile(flag, name, func(out io.Writer) error {
		return text(timed{ctx, out, fmt.Sprintf("not written within %v", e.world.PageTime)})
	})
}

// A timed writer writes nothing once its context has ended.
type timed struct {
	ctx  context.Context
	out  io.Writer
	late string // what is said then
}

func (t timed) Write(p []byte) (int, error) {
	if t.ctx.Err() != nil {
		return 0, errors.New(t.late)
	}
	return t.out.Write(p)
}

// writeCoverage writes what the proofs reached.
func (e *evidence) writeCoverage(ctx context.Context, q *job.Question) error {
	name := e.options.Coverage
	if name == "" {
		return nil
	}
	return e.writeInTime(ctx, "--coverage", name, func(out io.Writer) error {
		if filepath.Ext(name) == ".info" {
			return report.WriteLcov(out, e.covered)
		}
		var src report.Sources // none if nothing could be asked: then no claim was checked
		if q != nil {
			src = q.Program.Sources
		}
		return report.WriteAnnotated(out, e.covered, src)
	})
}

// drawnAtTheEnd is how long the drawings of a page may take after a check that a limit or a signal has ended.
const drawnAtTheEnd = 500 * time.Millisecond

// writeReport writes the page of the check. The time that the check had may be over, but
// what it came to is wanted: the page has its own, and what is drawn on it less if somebody waits for the end.
func (e *evidence) writeReport(ctx context.Context, q *job.Question, doc *report.Check, history *page.History) error {
	if e.options.Report == "" {
		return nil
	}
	s := page.Settings{History: history, Covered: e.covered}
	if q != nil {
		s.Sources = q.Program.Sources
	}
	limit := e.world.PageTime
	if ctx.Err() != nil {
		limit = min(limit, drawnAtTheEnd)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	err := e.world.writeNamed("--report", e.options.Report,
		func(out io.Writer) error { return page.Write(ctx, out, doc, s) })
	if ctx.Err() == nil {
		return err
	}
	fmt.Fprintf(e.world.Stderr,
		"magus: %s: without drawings of the phases of the loop: they take more than %v\n", e.options.Report, limit)
	s.Undrawn = true
	return e.world.writeNamed("--report", e.options.Report, func(out io.Writer) error {
		return page.Write(context.WithoutCancel(ctx), out, doc, s)
	})
}

// writeHarnesses writes a program for each violation: the first one in the
// file that was named, out.c, the next one in out-2.c.
func (e *evidence) writeHarnesses(ctx context.Context, q *job.Question) error {
	name := e.options.Harness
	if name == "" {
		return nil
	}
	if len(e.inputs) == 0 {
		fmt.Fprintf(e.world.Stderr, "magus: no violation to replay: %s is not written\n", name)
	}
	var wrong []error
	for i, replay := range e.inputs {
		file := name
		if i > 0 {
			ext := filepath.Ext(name)
			file = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), i+1, ext)
		}
		units := q.Program.C
		refused := replay.Refused
		if slices.ContainsFunc(units, func(u source.Source) bool { return u.LineMacros(ctx, q.Program.Options) }) {
			refused = "a macro gives the number of a #line, and so the lines of the program cannot be told"
		}
		if replay.Schedule != nil && e.asksOverflow() {
			refused = "overflows in programs with threads are not replayed"
		}
		if refused != "" {
			fmt.Fprintf(e.world.Stderr, "magus: %s: %s is not written\n", refused, file)
			continue
		}
		text := harness.Write(replay, units, harness.Settings{Defines: e.options.Defines, Undefs: e.options.Undefs})
		if err := e.world.writeFile("--harness", file, func(out io.Writer) error {
			_, err := out.Write(text)
			return err
		}); err != nil {
			wrong = append(wrong, err)
			continue
		}
		fmt.Fprintf(e.world.Stderr,
			"magus: %s: compile it with %s; exit status 1 means that %s\n", file, e.compiler(q.Program,
				file, replay), happened(replay))
	}
	return errors.Join(wrong...)
}

// happened is what a harness shows.
func happened(replay *witness.Inputs) string {
	if replay.Stands {
		return "the components came to where they stand still"
	}
	if replay.GoesOn {
		return "the components went round as the run does"
	}
	return "the violation happened"
}

// compiler is the command that compiles a harness.
func (e *evidence) compiler(p *input.Program, file string, replay *witness.Inputs) string {
	words := []string{"cc", "-w"}
	if replay.Overflows {
		words = append(words, "-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error")
	}
	switch p.Options.LongDouble {
	case cfa.Quad:
		words = append(words, "-mlong-double-128")
	case cfa.AsDouble:
		words = append(words, "-mlong-double-64")
	}
	var dirs []string
	for _, u := range p.C {
		dirs = append(append(dirs, filepath.Dir(u.Name)), u.IncludeDirs...)
	}
	for i, dir := range append(dirs, e.options.IncludeDirs...) {
		if !slices.Contains(dirs[:min(i, len(dirs))], dir) {
			words = append(words, "-I"+dir)
		}
	}
	program := strings.TrimSuffix(file, filepath.Ext(file))
	if replay.Schedule != nil { // without the sanitizer's library: the file has functions in its place
		words = append(words, "-fsanitize=thread", "-c", "-o", program+".o", file, "&&", "cc", "-pthread",
			"-o", program, program+".o")
		return strings.Join(words, " ")
	}
	return strings.Join(append(words, "-o", program, file), " ")
}
