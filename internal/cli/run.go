package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"magus"
	"magus/cfa"
	"magus/internal/certificate"
	"magus/internal/input"
	"magus/internal/report"
)

// check runs `magus check` and returns the overall verdict. An error is a
// mistake in usage or input; a program that cannot be verified is a verdict.
func check(ctx context.Context, w *World, f *checkFlags, names []string) (verdict string, err error) {
	r := &run{world: w, flags: f, start: w.Now(),
		text: report.Text{Quiet: f.quiet, Stats: f.stats, Verbose: f.verbose}, dump: queryFiles{world: w, dir: f.queries}}
	ctx, cancel := budget(ctx, w, f.timeout, uint64(f.memoryLimit))
	defer cancel()
	doc := &report.Check{Schema: report.SchemaID, Version: version(), Claims: []report.Claim{}, Warnings: []report.Remark{}}
	project, claims, err := r.load(ctx, names)
	if err != nil {
		reason, pos, ok := unknown(ctx, err)
		if !ok {
			return "", err
		}
		doc.Reason, doc.Place = reason, report.NewPlace(pos)
	} else {
		doc.Warnings = report.Remarks(project.Warnings())
	}
	for i := range claims {
		claim := r.claim(ctx, claims, i)
		doc.Claims = append(doc.Claims, claim)
		if !f.json {
			if err := report.WriteClaim(w.Stdout, claim, r.text); err != nil {
				return "", err
			}
		}
	}
	if err := errors.Join(r.writeCertificates(), r.writeHarnesses(), r.dump.close()); err != nil {
		return "", err
	}
	doc.Verdict = report.Verdict(doc.Claims)
	doc.Cost = report.Resources{Seconds: w.Now().Sub(r.start).Seconds(), PeakMemoryBytes: w.PeakMemory()}
	if f.json {
		return doc.Verdict, report.WriteJSON(w.Stdout, doc)
	}
	return doc.Verdict, report.WriteEnd(w.Stdout, doc, r.text)
}

// A run is one `magus check` under way.
type run struct {
	world *World
	flags *checkFlags
	start time.Time
	text  report.Text
	asked []certificate.Fact   // the question
	certs []*magus.Certificate // where they are asked for
	read  *input.Program
	// The violations, where harnesses are asked for.
	replays []*magus.Replay
	dump    queryFiles
}

// A prepared claim has a session, or the reason why there is none.
type prepared struct {
	name    string
	session Session
	reason  string
	pos     cfa.Pos
	took    time.Duration
}

// load reads everything, selects the claims and prepares their sessions, so
// that all that is wrong with the input is known before anything is checked.
func (r *run) load(ctx context.Context, names []string) (Project, []prepared, error) {
	if err := r.flags.validate(r.world, names); err != nil {
		return nil, nil, err
	}
	project, claims, err := r.question(ctx, names)
	if err != nil {
		return nil, nil, err
	}
	ps, err := r.prepare(ctx, project, claims)
	return project, ps, err
}

// question reads everything and selects the claims.
func (r *run) question(ctx context.Context, names []string) (Project, []*magus.Claim, error) {
	var err error
	if r.read, err = input.Read(r.world.dir(), r.flags.settings(), names); err != nil {
		return nil, nil, err
	}
	project, err := r.world.Engine.Load(ctx, question(r.read))
	if err != nil {
		return nil, nil, wrong(ctx, err)
	}
	r.asked = append(r.flags.facts(r.read.C, r.read.Options.Model), files(r.read.Sources.Texts())...)
	claims, err := r.claims(project)
	return project, claims, err
}

func (r *run) claims(p Project) ([]*magus.Claim, error) {
	f := r.flags
	if f.property.value == "" {
		return p.Claims(f.selection)
	}
	c, err := p.Property(magus.Property{Entry: f.entry, ErrorFunctions: f.errorFunctions, ErrorLabels: f.errorLabels})
	if err != nil {
		return nil, err
	}
	return []*magus.Claim{c}, nil
}

// prepare makes the sessions. Mistakes that several claims share are reported
// once.
func (r *run) prepare(ctx context.Context, project Project, claims []*magus.Claim) ([]prepared, error) {
	var messages []string
	ps := make([]prepared, 0, len(claims))
	for i, c := range claims {
		p := prepared{name: c.Name}
		begin := r.world.Now()
		opt := r.flags.options(r.world)
		opt.Queries = r.dump.writer(i)
		session, err := project.NewSession(ctx, c, opt)
		p.took = r.world.Now().Sub(begin)
		var mistake *input.Error
		if err == nil {
			p.session = session
		} else if reason, pos, ok := unknown(ctx, err); ok {
			p.reason, p.pos = reason, pos
		} else if err = wrong(ctx, err); !errors.As(err, &mistake) {
			return nil, err
		} else if !slices.Contains(messages, mistake.Message) {
			messages = append(messages, mistake.Message)
		}
		ps = append(ps, p)
	}
	if len(messages) > 0 {
		return nil, input.Errorf("%s", strings.Join(messages, "\n"))
	}
	return ps, nil
}

// claim checks claim i and lets go of its session.
func (r *run) claim(ctx context.Context, claims []prepared, i int) report.Claim {
	p := claims[i]
	claims[i].session = nil // its memory
	times := phaseTimes{{Name: "prepare", Count: 1, Seconds: p.took.Seconds()}}
	if p.session == nil {
		r.certify(ctx, nil, p.name)
		o := &magus.Outcome{Claim: p.name, Verdict: magus.Unknown, Reason: p.reason, Pos: p.pos}
		return report.NewClaim(o, times, p.took.Seconds(), r.read.Sources)
	}
	title := ""
	if len(claims) > 1 {
		title = fmt.Sprintf("[%d/%d] ", i+1, len(claims))
	}
	if r.flags.trace {
		fmt.Fprintln(r.world.Stderr, title+p.name)
	}
	defer p.session.Close()
	begin := r.world.Now()
	outcome := r.steps(ctx, p.session, title, &times)
	r.certify(ctx, p.session, p.name)
	r.keepReplay(p.session)
	return report.NewClaim(outcome, times, (p.took + r.world.Now().Sub(begin)).Seconds(), r.read.Sources)
}

// steps drives a session to its end, measures the phases and shows what goes
// on; title says which claim it is where there are several.
func (r *run) steps(ctx context.Context, s Session, title string, times *phaseTimes) *magus.Outcome {
	w, f := r.world, r.flags
	p := startProgress(w, title, w.Terminal && !f.quiet && !f.json && !f.trace)
	defer p.end()
	for {
		phase := s.Next()
		p.begin(phase)
		t := w.Now()
		event := s.Step(ctx)
		times.add(phase, w.Now().Sub(t))
		p.observe(event)
		if f.trace {
			fmt.Fprintf(w.Stderr, "  %-15s  %s\n", event.Phase(), event)
		}
		if end, ok := event.(magus.Ended); ok {
			return end.Outcome
		}
	}
}

// phaseTimes are counts and times of phases, in order of first use.
type phaseTimes []report.Phase

func (ts *phaseTimes) add(phase magus.Phase, d time.Duration) {
	if phase == magus.Finished {
		return
	}
	for i := range *ts {
		if t := &(*ts)[i]; t.Name == phase.String() {
			t.Count++
			t.Seconds += d.Seconds()
			return
		}
	}
	*ts = append(*ts, report.Phase{Name: phase.String(), Count: 1, Seconds: d.Seconds()})
}
