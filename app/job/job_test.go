package job_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/cfa"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/evidence/witness"
)

// A script is an engine whose claims perform given steps.
type script struct {
	loadErr error
	claims  []scripted
	closed  int
}

// A scripted claim cannot be prepared if it has an error.
type scripted struct {
	name  string
	err   error
	steps []func(context.Context) cegar.Event
}

func (s *script) Load(context.Context, magus.Input) (job.Project, error) { return s, s.loadErr }
func (s *script) Warnings() []cfa.Warning                                { return []cfa.Warning{{Text: "mind this"}} }
func (s *script) Properties(magus.Property) ([]*magus.Claim, error)      { return nil, errors.New("none") }
func (s *script) Claims(magus.Selection) (all []*magus.Claim, err error) {
	for _, c := range s.claims {
		all = append(all, &magus.Claim{Name: c.name})
	}
	return all, nil
}

func (s *script) Verify(context.Context, *magus.Claim, magus.Options, *certificate.Certificate) error {
	return errors.New("not verified")
}

func (s *script) NewSession(_ context.Context, c *magus.Claim, o magus.Options) (job.Session, error) {
	if o.Loop.Queries != nil {
		fmt.Fprintf(o.Loop.Queries(c.Name), "(set-logic QF_BV)\n")
	}
	for _, k := range s.claims {
		if k.name == c.Name {
			return &session{s, k, 0}, k.err
		}
	}
	return nil, errors.New("no such claim")
}

type session struct {
	script *script
	claim  scripted
	n      int
}

func (s *session) Next() cegar.Phase { return []cegar.Phase{cegar.AbstractData, cegar.Verify}[s.n%2] }
func (s *session) Close()            { s.script.closed++ }
func (s *session) View() cegar.View  { return cegar.View{} }

func (s *session) Inputs() *witness.Inputs { return &witness.Inputs{} }
func (s *session) Step(ctx context.Context) cegar.Event {
	s.n++
	return s.claim.steps[s.n-1](ctx)
}

func (s *session) Certificate(context.Context) (*certificate.Certificate, error) {
	if s.claim.name == "without" {
		return nil, errors.New("too large")
	}
	return &certificate.Certificate{Claim: s.claim.name, Verdict: "conforms"}, nil
}

// does is a step with an event, ends one that ends.
func does(e cegar.Event) func(context.Context) cegar.Event {
	return func(context.Context) cegar.Event { return e }
}

func ends(v magus.Verdict) func(context.Context) cegar.Event {
	return does(cegar.Ended{Outcome: &magus.Outcome{Verdict: v}})
}

// host has a program in its folder, a clock that goes on by a second at each
// look, and ticks that the test gives.
type host struct {
	job.Host
	ticks        chan time.Time
	used, needed atomic.Uint64
	aim          uint64
	written      map[string]*bytes.Buffer
}

func newHost(t *testing.T, e job.Engine) *host {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.c": "int main(void) { return 0; }\n", "a.spec": "A = STOP.\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	h := &host{ticks: make(chan time.Time), written: map[string]*bytes.Buffer{}}
	var clock atomic.Int64
	h.Host = job.Host{
		Dir: input.Dir(dir), Engine: e,
		Work:        func() time.Duration { return 0 },
		Now:         func() time.Time { return time.Unix(clock.Add(1), 0) },
		Ticks:       func(time.Duration) (<-chan time.Time, func()) { return h.ticks, func() {} },
		Memory:      h.used.Load,
		Needed:      h.needed.Load,
		PeakMemory:  func() uint64 { return 7 },
		LimitMemory: func(n uint64) { h.aim = n },
		LookPath:    func(string) (string, error) { return "", errors.New("not found") },
		Create: func(path string) (io.WriteCloser, error) {
			if filepath.Base(filepath.Dir(path)) == "none" {
				return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
			}
			b := &bytes.Buffer{}
			h.written[filepath.Base(path)] = b
			return nopCloser{b}, nil
		},
	}
	return h
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// A diary is a watcher that notes what it is told.
type diary []string

func (d *diary) BeginClaim(name string)       { *d = append(*d, name) }
func (d *diary) BeginPhase(phase cegar.Phase) { *d = append(*d, "> "+phase.String()) }
func (d *diary) EndPhase(e cegar.Event)       { *d = append(*d, "< "+e.String()) }

func TestRun(t *testing.T) {
	e := &script{claims: []scripted{
		{name: "p", steps: []func(context.Context) cegar.Event{does(cegar.DataAbstracted{Iteration: 1, States: []int{3}}),
			ends(magus.Conforms)}},
		{name: "unsupported", err: &cfa.UnsupportedError{Pos: cfa.Pos{File: "a.c", Line: 1, Col: 2}, What: "recursion"}},
		{name: "without", steps: []func(context.Context) cegar.Event{ends(magus.Violates)}},
	}}
	h := newHost(t, e)
	o := options.Defaults()
	o.Certificate, o.Harness, o.DumpQueries = "x", "y", "q"
	r, err := job.Start(t.Context(), h.Host, o, []string{"a.c", "a.spec"})
	require.NoError(t, err)
	require.Equal(t, 3, r.Claims())
	var d diary
	p := r.Check(t.Context(), 0, &d)
	require.Equal(t, diary{"p", "> abstract data", "< iteration 1: predicate abstraction, states [3]",
		"> verify", "< conforms"}, d)
	require.Equal(t, "conforms", p.Claim.Verdict)
	require.Equal(t, "conforms", p.Certificate.Verdict)
	require.NotNil(t, p.Inputs)
	require.Equal(t, "prepare", p.Claim.Statistics.Phases[0].Name)
	require.Len(t, p.Claim.Statistics.Phases, 3)

	d = nil
	unsupported := r.Check(t.Context(), 1, &d)
	require.Empty(t, d)
	require.Equal(t, "unknown", unsupported.Claim.Verdict)
	require.Equal(t, "not modelled: recursion", unsupported.Claim.Reason)
	require.Equal(t, "a.c:1:2", unsupported.Claim.Place.String())
	require.Equal(t, &certificate.Certificate{Claim: "unsupported", Verdict: "unknown"}, unsupported.Certificate)
	require.NoError(t, unsupported.CertificateError)
	require.Nil(t, unsupported.Inputs)

	without := r.Check(t.Context(), 2, nil)
	require.EqualError(t, without.CertificateError, "too large")
	require.Equal(t, "unknown", without.Certificate.Verdict)
	require.Equal(t, 2, e.closed)

	require.NoError(t, r.Close())
	doc := r.Report()
	require.Equal(t, "violates", doc.Verdict)
	require.Len(t, doc.Claims, 3)
	require.Equal(t, "mind this", doc.Warnings[0].Text)
	require.Equal(t, uint64(7), doc.Cost.PeakMemoryBytes)
	require.Positive(t, doc.Cost.Seconds)
	require.Equal(t, "(set-logic QF_BV)\n", h.written["1-p.smt2"].String())
	facts := r.Question.Facts()
	require.Equal(t, "file a.spec", facts[len(facts)-1].Name)
}

// What cannot be loaded because it is not modelled, or because the context ended,
// is a report without claims; a mistake is an error.
func TestStart(t *testing.T) {
	files := []string{"a.c", "a.spec"}
	h := newHost(t, &script{loadErr: &cfa.UnsupportedError{Pos: cfa.Pos{File: "a.c", Line: 3, Col: 4}, What: "recursion"}})
	r, err := job.Start(t.Context(), h.Host, options.Defaults(), files)
	require.NoError(t, err)
	require.Zero(t, r.Claims())
	require.Nil(t, r.Question)
	require.Equal(t, "unknown", r.Report().Verdict)
	require.Equal(t, "not modelled: recursion", r.Report().Reason)

	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("had enough"))
	h = newHost(t, &script{loadErr: context.Canceled})
	r, err = job.Start(ctx, h.Host, options.Defaults(), files)
	require.NoError(t, err)
	require.Equal(t, "had enough", r.Report().Reason)

	mistakes := newHost(t, &script{claims: []scripted{{name: "p", err: errors.New("a.spec:1:1: gap")},
		{name: "q", err: errors.New("a.spec:1:1: gap")}, {name: "r", err: errors.New("a.c:2:1: x")}}})
	_, err = job.Start(t.Context(), mistakes.Host, options.Defaults(), files)
	var mistake *input.Error
	require.ErrorAs(t, err, &mistake)
	require.Equal(t, "a.spec:1:1: gap\na.c:2:1: x", mistake.Message)

	fault := newHost(t, &script{claims: []scripted{{name: "p", err: &cfa.InternalError{Doing: "lowering"}}}})
	_, err = job.Start(t.Context(), fault.Host, options.Defaults(), files)
	var internal *cfa.InternalError
	require.ErrorAs(t, err, &internal)

	dump := newHost(t, &script{claims: []scripted{{name: "p"}}})
	o := options.Defaults()
	o.DumpQueries = "none"
	r, err = job.Start(t.Context(), dump.Host, o, files)
	require.NoError(t, err)
	require.EqualError(t, r.Close(), filepath.Join("none", "1-p.smt2")+": no such folder")
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		files []string
		set   func(*options.Options)
		want  string
	}{
		{nil, nil, "no C file given"},
		{[]string{"a.spec"}, nil, "no C file given"},
		{[]string{"a.spec"}, func(o *options.Options) { o.CompileCommands = "." }, ""},
		{[]string{"a.c"}, nil, "nothing to check: give a .spec file, or --property unreach-call"},
		{[]string{"a.c"}, func(o *options.Options) { o.Property = "unreach-call" }, ""},
		{[]string{"a.c", "a.spec"}, nil, ""},
		{[]string{"a.c", "a.spec"}, func(o *options.Options) { o.Timeout = -1 }, "--timeout must not be negative"},
		{[]string{"a.c", "a.spec"}, func(o *options.Options) { o.Solver = "z3" },
			"magus: --solver z3: no program z3 in PATH"},
	} {
		o := options.Defaults()
		if c.set != nil {
			c.set(o)
		}
		err := job.Validate(newHost(t, nil).Host, o, c.files)
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
}

// Answers are checked by an outside solver only if checks are asked for and there
// is one.
func TestSecondSolver(t *testing.T) {
	h, o := newHost(t, nil), options.Defaults()
	o.Audit = true
	require.Empty(t, job.SessionOptions(h.Host, o).Loop.SecondSolver)
	h.LookPath = func(name string) (string, error) { return "/bin/" + name, nil }
	require.Equal(t, "z3", job.SessionOptions(h.Host, o).Loop.SecondSolver)
	o.Solver = "z3"
	require.Empty(t, job.SessionOptions(h.Host, o).Loop.SecondSolver)
	o.Solver, o.Audit = "embedded", false
	require.Empty(t, job.SessionOptions(h.Host, o).Loop.SecondSolver)
}

func TestBudget(t *testing.T) {
	h := newHost(t, nil)
	cause := func(ctx context.Context) string {
		<-ctx.Done()
		return context.Cause(ctx).Error()
	}
	tick := func(ctx context.Context) {
		select {
		case h.ticks <- time.Time{}:
		case <-ctx.Done():
		}
	}
	ctx, cancel := job.Budget(t.Context(), h.Host, time.Millisecond, 0)
	require.Equal(t, "time-out", cause(ctx))
	cancel()

	parent, interrupt := context.WithCancel(context.Background())
	ctx, cancel = job.Budget(parent, h.Host, time.Hour, 0)
	require.NoError(t, ctx.Err())
	interrupt()
	require.Equal(t, "interrupted", cause(ctx))
	cancel()
	ctx, cancel = job.Budget(parent, h.Host, 0, 0) // it ended before
	require.Equal(t, "interrupted", cause(ctx))
	cancel()

	ctx, cancel = job.Budget(t.Context(), h.Host, 0, 2<<20)
	require.Equal(t, uint64(7<<18), h.aim)
	h.used.Store(2 << 20)
	h.needed.Store(7 << 18)
	h.ticks <- time.Time{} // just enough
	h.ticks <- time.Time{} // the one before was looked at
	require.NoError(t, ctx.Err())
	h.used.Store(2<<20 + 1)
	tick(ctx)
	require.Equal(t, "more memory needed than the limit of 2.0 MiB", cause(ctx))
	cancel()
	h.used.Store(0)
	ctx, cancel = job.Budget(t.Context(), h.Host, 0, 2<<20)
	h.needed.Store(7<<18 + 1)
	tick(ctx)
	require.Equal(t, "more memory needed than the limit of 2.0 MiB", cause(ctx))
	cancel()
}

func TestProgress(t *testing.T) {
	var p job.Progress
	p.BeginClaim("p")
	require.Equal(t, "iteration 0, abstract data, states , predicates 0", p.String())
	p.EndPhase(cegar.DataAbstracted{Iteration: 2, States: []int{4, 7}})
	p.BeginPhase(cegar.Verify)
	p.EndPhase(cegar.DataRefined{Component: 1, Predicates: []string{"x == 0", "y > 1"}})
	p.EndPhase(cegar.DataRefined{Component: 0, Predicates: []string{"z"}})
	require.Equal(t, "iteration 2, verify, states 4+7, predicates 3", p.String())
	p.BeginClaim("q")
	require.Equal(t, "iteration 0, abstract data, states , predicates 0", p.String())
}

// The real engine, as a caller without a command line would use it.
func TestSystem(t *testing.T) {
	h := job.System()
	h.Dir = "../../examples/lock"
	o := options.Defaults()
	ctx, cancel := job.Budget(t.Context(), h, time.Minute, 0)
	defer cancel()
	r, err := job.Start(ctx, h, o, []string{"lock.c", "lock.spec"})
	require.NoError(t, err)
	var p job.Progress
	for i := range r.Claims() {
		require.Equal(t, "conforms", r.Check(ctx, i, &p).Claim.Verdict)
		require.Positive(t, p.Iteration)
	}
	require.NoError(t, r.Close())
	require.Equal(t, "conforms", r.Report().Verdict)
	require.Positive(t, r.Report().Cost.PeakMemoryBytes)
}

// A search without iterations, as that of programs with threads, says itself how far it is.
func TestProgressOfSearch(t *testing.T) {
	var p job.Progress
	p.BeginClaim("main")
	p.EndPhase(searched{})
	require.Equal(t, "loops unrolled twice", p.String())
	p.BeginClaim("other")
	require.Contains(t, p.String(), "iteration 0")
}

type searched struct{ cegar.Ended }

func (searched) Progress() string { return "loops unrolled twice" }
