package job

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"magus"
	"magus/app/input"
	"magus/app/options"
	"magus/app/report"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/evidence/witness"
)

// A Run is a check under way.
type Run struct {
	Question *Question // nil if the files could not be loaded

	host    Host
	options *options.Options
	start   time.Time
	claims  []prepared
	queries queryFiles
	build   func() string // of the program, where a cache asks for it
	meter   workMeter
	doc     *report.Check
}

// A prepared claim has a session, or the reason why there is none.
type prepared struct {
	name    string
	session Session
	why     magus.Reason // of no session
	took    time.Duration
}

// A Result is what the check of one claim came to.
type Result struct {
	Claim report.Claim
	// Certificate shows the verdict, if the options ask for certificates. If it
	// shows none, CertificateError may say why.
	Certificate      *certificate.Certificate
	CertificateError error
	// Inputs are those of a violation, if the options ask for harnesses.
	Inputs *witness.Inputs
	// View is what the session knew at its end, if the options ask for witnesses; nil where it
	// lets nobody look.
	View *cegar.View
	// Remarks are about what an earlier check left, and about keeping what this one leaves.
	Remarks []string
	// Coverage is what a proof reached.
	Coverage []*verdict.Coverage
}

// newRun is a run that has read nothing yet.
func newRun(h Host, o *options.Options) *Run {
	return &Run{host: h, options: o, start: h.Now(), meter: workMeter{used: h.Work},
		build: sync.OnceValue(func() string {
			build, _ := h.Build() // without it, answers are not taken over
			return build
		}),
		doc: &report.Check{Schema: report.SchemaID, Options: changed(h.Options(), o), Claims: []report.Claim{},
			Warnings: []report.Remark{}}}
}

// Start reads the named files, selects the claims and prepares their sessions, so
// that all that is wrong with the input is known before anything is checked. What
// is not modelled, or a context that ended, is no error: the run then has no
// claims, and its report says why.
func Start(ctx context.Context, h Host, o *options.Options, files []string) (*Run, error) {
	return StartOf(ctx, h, o, files, func(*magus.Claim) bool { return true })
}

// changed are the options that do not have their defaults.
func changed(t options.Table, o *options.Options) []report.Option {
	var all []report.Option
	for _, f := range t.Changed(o) {
		all = append(all, report.Option{Name: f.Name, Value: f.Value})
	}
	return all
}

// StartOf is [Start] of the claims that are wanted.
func StartOf(
	ctx context.Context, h Host, o *options.Options, files []string, wanted func(*magus.Claim) bool,
) (*Run, error) {
	r := newRun(h, o)
	r.queries = queryFiles{host: h, dir: o.DumpQueries}
	var err error
	if r.Question, err = Ask(ctx, h, o, files); err == nil {
		r.Question.Claims = slices.DeleteFunc(r.Question.Claims, func(c *magus.Claim) bool { return !wanted(c) })
		err = r.prepare(ctx)
	}
	if err != nil {
		why, ok := magus.Undecided(ctx, err)
		if !ok {
			return nil, err
		}
		r.doc.Because = report.NewBecause(why)
		return r, nil
	}
	r.doc.Warnings = report.Remarks(r.Question.warnings())
	return r, nil
}

// prepare makes the sessions. Mistakes that several claims share are reported
// once.
func (r *Run) prepare(ctx context.Context) error {
	var messages []string
	for i, c := range r.Question.Claims {
		p, err := r.session(ctx, i, c)
		var mistake *input.Error
		switch {
		case err == nil:
			r.claims = append(r.claims, p)
		case !errors.As(err, &mistake):
			return err
		case !slices.Contains(messages, mistake.Message):
			messages = append(messages, mistake.Message)
		}
	}
	if len(messages) > 0 {
		return input.Errorf("%s", strings.Join(messages, "\n"))
	}
	return nil
}

// session prepares claim number i.
func (r *Run) session(ctx context.Context, i int, c *magus.Claim) (prepared, error) {
	o := SessionOptions(r.host, r.options)
	o.Loop.Queries = r.queries.writer(i)
	return r.prepared(ctx, r.Question.Project, c, o)
}

// prepared prepares a claim of a project.
func (r *Run) prepared(ctx context.Context, project Project, c *magus.Claim, o magus.Options) (prepared, error) {
	begin := r.host.Now()
	session, err := project.NewSession(ctx, c, o)
	p := prepared{name: c.Name, took: r.host.Now().Sub(begin)}
	if err == nil {
		p.session = session
		return p, nil
	}
	var ok bool
	if p.why, ok = magus.Undecided(ctx, err); ok {
		return p, nil
	}
	return p, Mistake(ctx, err)
}

// Claims is the number of claims.
func (r *Run) Claims() int { return len(r.claims) }

// Check checks claim number i, once, and lets go of its session. The watcher may
// be nil; it is not called for a claim that has no session.
func (r *Run) Check(ctx context.Context, i int, w Watcher) Result {
	result := r.checked(ctx, i, w)
	r.doc.Claims = append(r.doc.Claims, result.Claim)
	return result
}

// checked is Check without the report.
func (r *Run) checked(ctx context.Context, i int, w Watcher) Result {
	p := r.claims[i]
	r.claims[i].session = nil // its memory
	return r.check(ctx, p, r.Question.Claims[i], w)
}

// check checks a prepared claim. What is said of the others is left alone.
func (r *Run) check(ctx context.Context, p prepared, c *magus.Claim, w Watcher) Result {
	times := phaseTimes{{Name: "prepare", Count: 1, Seconds: p.took.Seconds()}}
	var result Result
	if p.session == nil {
		o := &magus.Outcome{Claim: p.name, Verdict: magus.Unknown, Reason: p.why}
		result.Claim = report.NewClaim(o, times, p.took.Seconds(), r.Question.Program.Sources)
		result.certify(ctx, r.options, p)
	} else {
		defer p.session.Close()
		begin := r.host.Now()
		earlier := r.predicates()
		resumes, ok := p.session.(resumer)
		if ok && earlier != nil {
			result.remark(earlier.begin(p.name, resumes))
		}
		o := r.perform(ctx, p, w, &times)
		if ok && earlier != nil {
			result.remark(earlier.forgotten(p.name, resumes))
			if err := earlier.keep(p.name, resumes.Leave()); err != nil {
				result.remark("the predicates are not kept: " + err.Error())
			}
		}
		result.certify(ctx, r.options, p)
		result.Coverage = o.Coverage
		result.Claim = report.NewClaim(o, times, (p.took + r.host.Now().Sub(begin)).Seconds(), r.Question.Program.Sources)
	}
	result.Claim.Procedures = procedures(c)
	return result
}

// remark adds a remark, if there is one.
func (result *Result) remark(text string) {
	if text != "" {
		result.Remarks = append(result.Remarks, text)
	}
}

// procedures are those whose bodies are the components of a claim.
func procedures(c *magus.Claim) []report.Procedure {
	all := make([]report.Procedure, 0, len(c.Procedures))
	for _, name := range c.Procedures {
		p := report.Procedure{Name: name}
		if c.Sources != nil {
			if at, ok := c.Program.Declared(name); ok {
				p.Place = report.NewPlace(at)
			}
		}
		all = append(all, p)
	}
	return all
}

// perform drives a session to its end and measures the phases.
func (r *Run) perform(ctx context.Context, p prepared, w Watcher, times *phaseTimes) *magus.Outcome {
	if w == nil {
		w = nobody{}
	}
	w.BeginClaim(p.name)
	r.meter.begin()
	defer r.meter.end()
	work, proved := r.meter.work(), false
	for {
		phase := p.session.Next()
		w.BeginPhase(phase)
		begin := r.host.Now()
		event := p.session.Step(ctx)
		took := r.host.Now().Sub(begin)
		times.add(phase, took)
		w.EndPhase(event)
		if viewer, ok := w.(Viewer); ok {
			if session, ok := p.session.(Viewed); ok {
				viewer.View(event, session.View(), took)
			}
		}
		switch e := event.(type) {
		case cegar.Ended:
			return e.Outcome
		case cegar.Verified:
			if e.Holds && !proved {
				var stop context.CancelFunc
				ctx, stop = reducing(ctx, r.host, r.meter.work, r.meter.work()-work, r.options.ReduceTime)
				defer stop()
				proved = true
			}
		}
	}
}

// nobody watches.
type nobody struct{}

func (nobody) BeginClaim(string)      {}
func (nobody) BeginPhase(cegar.Phase) {}
func (nobody) EndPhase(cegar.Event)   {}

// certify keeps what shows the verdict, as far as it is asked for. Where nothing
// shows it, the certificate is one of unknown.
func (result *Result) certify(ctx context.Context, o *options.Options, p prepared) {
	if o.Harness != "" && p.session != nil {
		result.Inputs = p.session.Inputs()
	}
	if viewed, ok := p.session.(Viewed); ok && o.Witness != "" {
		v := viewed.View()
		result.View = &v
	}
	if unending, ok := p.session.(Unending); ok && o.Witness != "" {
		result.View = unending.Endless()
	}
	if o.Certificate == "" {
		return
	}
	result.Certificate = &certificate.Certificate{Claim: p.name, Verdict: magus.Unknown.String()}
	if p.session == nil {
		return
	}
	c, err := p.session.Certificate(ctx)
	if err == nil {
		result.Certificate = c
	}
	result.CertificateError = err
}

// Close closes the files of queries. The error is the first one of writing them.
func (r *Run) Close() error { return r.queries.close() }

// Report is the report of all claims that were checked, and what they took so far.
func (r *Run) Report() *report.Check {
	r.doc.Verdict = report.Verdict(r.doc.Claims)
	r.doc.Cost = report.Resources{Seconds: r.host.Now().Sub(r.start).Seconds(), PeakMemoryBytes: r.host.PeakMemory()}
	return r.doc
}

// phaseTimes are counts and times of phases, in order of first use.
type phaseTimes []report.Phase

// add counts a phase that took some time.
func (ts *phaseTimes) add(phase cegar.Phase, d time.Duration) {
	if phase == cegar.Finished {
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
