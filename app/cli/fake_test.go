package cli_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/app/cli"
	"magus/app/input"
	"magus/app/job"
	"magus/cfa"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/evidence/witness"
)

// A fakeEngine answers without verifying anything and keeps what it was asked.
type fakeEngine struct {
	loadErr   error
	claims    []fakeClaim
	claimsErr error
	warnings  []cfa.Warning

	input     magus.Input
	selection magus.Selection
	property  *magus.Property
	options   []magus.Options
	closed    int32 // atomic
}

// A fakeClaim is a claim with the steps of its session.
type fakeClaim struct {
	name       string
	sessionErr error
	steps      []func(context.Context) cegar.Event
}

func (e *fakeEngine) Load(_ context.Context, in magus.Input) (job.Project, error) {
	e.input = in
	if e.loadErr != nil {
		return nil, e.loadErr
	}
	return e, nil
}

func (e *fakeEngine) Warnings() []cfa.Warning { return e.warnings }

func (e *fakeEngine) Claims(s magus.Selection) ([]*magus.Claim, error) {
	e.selection = s
	var claims []*magus.Claim
	for _, c := range e.claims {
		claims = append(claims, &magus.Claim{Name: c.name})
	}
	return claims, e.claimsErr
}

func (e *fakeEngine) Properties(p magus.Property) ([]*magus.Claim, error) {
	e.property = &p
	if e.claimsErr != nil {
		return nil, e.claimsErr
	}
	return []*magus.Claim{{Name: e.claims[0].name}}, nil
}

func (e *fakeEngine) NewSession(_ context.Context, c *magus.Claim, o magus.Options) (job.Session, error) {
	e.options = append(e.options, o)
	for _, f := range e.claims {
		if f.name == c.Name {
			if f.sessionErr != nil {
				return nil, f.sessionErr
			}
			return &fakeSession{engine: e, claim: f}, nil
		}
	}
	return nil, errors.New("no such claim")
}

// A fakeSession performs its claim's steps; a context that has ended ends it
// as a real one.
type fakeSession struct {
	engine *fakeEngine
	claim  fakeClaim
	n      int
}

func (s *fakeSession) Next() cegar.Phase {
	return []cegar.Phase{cegar.AbstractData, cegar.Verify, cegar.RefineData}[s.n%3]
}

func (s *fakeSession) Close() { atomic.AddInt32(&s.engine.closed, 1) }

func (s *fakeSession) Step(ctx context.Context) cegar.Event {
	if ctx.Err() != nil {
		return cegar.Ended{Outcome: &magus.Outcome{Claim: s.claim.name, Reason: verdict.Stopped(ctx)}}
	}
	step := s.claim.steps[s.n]
	s.n++
	return step(ctx)
}

// event is a step that returns e.
func event(e cegar.Event) func(context.Context) cegar.Event {
	return func(context.Context) cegar.Event { return e }
}

// ends is a claim whose session ends at once with an outcome.
func ends(name string, o magus.Outcome) fakeClaim {
	o.Claim = name
	return fakeClaim{name: name, steps: []func(context.Context) cegar.Event{event(cegar.Ended{Outcome: &o})}}
}

func conforms(name string) fakeClaim { return ends(name, magus.Outcome{Verdict: magus.Conforms}) }
func unknown(name string) fakeClaim {
	return ends(name, magus.Outcome{Reason: magus.Reason{Kind: verdict.NoProgress, Text: "no progress"}})
}

func violates(name string) fakeClaim {
	return ends(name, magus.Outcome{Verdict: magus.Violates, Run: &magus.Run{Trace: []string{"a"}, Full: []string{"a"}}})
}

// A buffer may be written by several goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// A fixture is a world in memory but for its folder.
type fixture struct {
	cli.World
	out, err *buffer
	ticks    chan time.Time
	used     atomic.Uint64 // memory
	needed   atomic.Uint64 // of it
	limited  uint64        // memory limit that the collector was given
}

// newFixture has the given files, by name, and a clock that goes on by a
// millisecond whenever somebody looks at it.
func newFixture(t *testing.T, engine job.Engine, files map[string]string) *fixture {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	f := &fixture{out: &buffer{}, err: &buffer{}, ticks: make(chan time.Time)}
	var clock atomic.Int64
	f.World = cli.World{
		Stdout: f.out, Stderr: f.err,
		Env:          func(string) string { return "" },
		GraphvizTime: time.Minute, PageTime: time.Minute,
		Host: job.Host{
			Dir: input.Dir(dir), Engine: engine,
			Work:        func() time.Duration { return 0 },
			Now:         func() time.Time { return time.UnixMilli(clock.Add(1)) },
			Ticks:       func(time.Duration) (<-chan time.Time, func()) { return f.ticks, func() {} },
			Memory:      f.used.Load,
			Needed:      f.needed.Load,
			PeakMemory:  func() uint64 { return 7 << 20 },
			LimitMemory: func(n uint64) { f.limited = n },
			LookPath:    func(string) (string, error) { return "", errors.New("not found") },
			Create:      func(path string) (io.WriteCloser, error) { return os.Create(path) },
		},
	}
	return f
}

// magus runs the program.
func (f *fixture) magus(args ...string) int {
	return cli.Main(context.Background(), args, f.World)
}

// files are a program and a specification that no fake engine reads.
func files() map[string]string {
	return map[string]string{"a.c": "int main(void) { return 0; }\n", "a.spec": "A = STOP.\n"}
}

func (e *fakeEngine) Verify(context.Context, *magus.Claim, magus.Options, *certificate.Certificate) error {
	return errors.New("not verified")
}

func (s *fakeSession) Certificate(context.Context) (*certificate.Certificate, error) {
	return nil, errors.New("none")
}

func (s *fakeSession) Inputs() *witness.Inputs { return nil }
