package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/app/cli"
	"magus/app/job"
	"magus/engine/cegar"
	"magus/evidence/certificate"
	"magus/internal/sample"
)

// A countdown counts how often contexts are looked at, by whichever component;
// after a number of looks they have all ended. It notes during which work.
type countdown struct {
	mu     sync.Mutex
	looks  int
	end    int    // the look from which on they have ended; 0: never
	cancel func() // ends the context of the program as well
	work   []piece
}

// A piece of work begins after a number of looks.
type piece struct {
	what  string
	looks int
}

var errCounted = errors.New("interrupted")

func (c *countdown) begin(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.work = append(c.work, piece{what, c.looks})
}

func (c *countdown) look() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	if c.end > 0 && c.looks >= c.end {
		c.cancel()
		return errCounted
	}
	return nil
}

// ended waits until ctx has ended if the countdown is at its end.
func (c *countdown) ended(ctx context.Context) {
	c.mu.Lock()
	over := c.end > 0 && c.looks >= c.end
	c.mu.Unlock()
	if over {
		<-ctx.Done()
	}
}

// moments are the first, a middle and the last look of the first and the last
// piece of every kind of work, by kind.
func (c *countdown) moments() map[string][]int {
	all := map[string][]int{}
	last := map[string][]int{}
	for i, w := range c.work {
		to := c.looks
		if i+1 < len(c.work) {
			to = c.work[i+1].looks
		}
		if to == w.looks {
			continue
		}
		last[w.what] = []int{w.looks + 1, (w.looks + 1 + to) / 2, to}
		if all[w.what] == nil {
			all[w.what] = last[w.what]
		}
	}
	for what := range all {
		all[what] = append(slices.Clone(all[what]), last[what]...)
		slices.Sort(all[what])
		all[what] = slices.Compact(all[what])
	}
	return all
}

type countedContext struct {
	context.Context
	c *countdown
}

func (c countedContext) Err() error {
	if err := c.c.look(); err != nil {
		return err
	}
	return c.Context.Err()
}

// counted is the real engine with contexts that are counted.
type counted struct{ c *countdown }

func (e counted) on(ctx context.Context, what string) context.Context {
	e.c.begin(what)
	return countedContext{ctx, e.c}
}

func (e counted) Load(ctx context.Context, in magus.Input) (job.Project, error) {
	defer e.c.ended(ctx)
	p, err := job.Magus{}.Load(e.on(ctx, "load"), in)
	if err != nil {
		return nil, err
	}
	return countedProject{p, e}, nil
}

type countedProject struct {
	job.Project
	e counted
}

func (p countedProject) NewSession(ctx context.Context, c *magus.Claim, o magus.Options) (job.Session, error) {
	defer p.e.c.ended(ctx)
	s, err := p.Project.NewSession(p.e.on(ctx, "prepare"), c, o)
	if err != nil {
		return nil, err
	}
	return countedSession{s, p.e}, nil
}

func (p countedProject) Verify(ctx context.Context, c *magus.Claim, o magus.Options,
	cert *certificate.Certificate) error {
	defer p.e.c.ended(ctx)
	return p.Project.Verify(p.e.on(ctx, "verify certificate"), c, o, cert)
}

type countedSession struct {
	job.Session
	e counted
}

func (s countedSession) Step(ctx context.Context) cegar.Event {
	return s.Session.Step(s.e.on(ctx, s.Next().String()))
}

func (s countedSession) Certificate(ctx context.Context) (*certificate.Certificate, error) {
	return s.Session.Certificate(s.e.on(ctx, "certificate"))
}

// interrupt runs magus in dir with contexts that end at a look.
func interrupt(t *testing.T, dir string, end int, args ...string) (status int, out, stderr string, c *countdown) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c = &countdown{end: end, cancel: cancel}
	w, o, e := testWorld(dir)
	w.Engine = counted{c}
	status = cli.Main(ctx, args, w)
	return status, o.String(), e.String(), c
}

// TestInterruptedAnywhere: at whichever look at the context a check is
// interrupted, in whichever phase, the verdict is unknown with the figures so
// far, or the one that was found before; report and certificate are whole.
func TestInterruptedAnywhere(t *testing.T) {
	sample.Long(t)
	root, err := filepath.Abs("../../examples")
	require.NoError(t, err)
	s := checkSchema(t)
	unknown := map[string]int{}
	for _, test := range []struct {
		dir  string
		args []string
	}{
		{"handshake", []string{"--reduce-iterations", "1", "--action-abstraction", "on", "server.c", "lib.spec", "s2.spec"}},
		{"figure2", []string{"--minimize", "greedy", "--check", "figure2.c", "forgets.spec"}},
		{"figure2", []string{"--minimize", "enumerate", "--compositional", "figure2.c", "figure2.spec"}},
	} {
		if testing.Short() && test.dir == "handshake" {
			continue
		}
		dir := filepath.Join(root, test.dir)
		certificate := filepath.Join(t.TempDir(), "out.json")
		args := append([]string{"check", "--json", "--certificate", certificate}, test.args...)
		want, _, stderr, whole := interrupt(t, dir, 0, args...)
		require.Contains(t, []int{0, 1}, want, stderr)
		for what, moments := range whole.moments() {
			for _, n := range moments {
				at := fmt.Sprintf("%s: %s: look %d of %d", test.dir, what, n, whole.looks)
				got, out, stderr, _ := interrupt(t, dir, n, args...)
				s.validate(t, out)
				var doc struct {
					Verdict, Reason string
					Claims          []struct{ Reason string }
				}
				require.NoError(t, json.Unmarshal([]byte(out), &doc), at)
				requireCertificate(t, certificate, at)
				if got == want { // it was found before
					require.NotContains(t, []string{"load", "prepare"}, what, at)
					continue
				}
				require.Equal(t, 3, got, "%s%s%s", at, out, stderr)
				require.Equal(t, "unknown", doc.Verdict, at)
				reason := doc.Reason
				for _, c := range doc.Claims {
					reason += c.Reason
				}
				require.Contains(t, reason, errCounted.Error(), at)
				unknown[what]++
			}
		}
	}
	phases := []string{"load", "prepare", "abstract data", "verify", "validate MP", "validate C", "refine data"}
	if !testing.Short() {
		phases = append(phases, "abstract events", "refine events")
	}
	for _, what := range phases {
		require.Positive(t, unknown[what], what)
	}
}

// requireCertificate requires that the file is a JSON document and alone.
func requireCertificate(t *testing.T, file, at string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err, at)
	require.True(t, json.Valid(text), at)
	files, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	require.Len(t, files, 1, at)
	require.NoError(t, os.Remove(file))
}

// TestInterruptedVerification: a certificate that could not be checked to its
// end is neither certified nor refused.
func TestInterruptedVerification(t *testing.T) {
	dir, err := filepath.Abs("../../examples/handshake")
	require.NoError(t, err)
	certificate := filepath.Join(t.TempDir(), "out.json")
	files := []string{"client.c", "server.c", "lib.spec", "p01.spec"}
	w, _, stderr := testWorld(dir)
	require.Equal(t, 0, cli.Main(context.Background(),
		append([]string{"check", "--certificate", certificate}, files...), w), stderr)
	args := append([]string{"verify-certificate", certificate}, files...)
	status, _, _, whole := interrupt(t, dir, 0, args...)
	require.Equal(t, 0, status)
	moments := whole.moments()
	require.NotEmpty(t, moments["verify certificate"])
	for _, ns := range moments {
		for _, n := range ns {
			got, out, stderr, _ := interrupt(t, dir, n, args...)
			require.Equal(t, 3, got, "look %d of %d: %s%s", n, whole.looks, out, stderr)
			require.Contains(t, out, "unknown: "+errCounted.Error())
		}
	}
}

// TestInterruptedBefore: what is interrupted before it begins says so too.
func TestInterruptedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	for _, args := range [][]string{
		{"check", "examples/lock/lock.c", "examples/lock/lock.spec"},
		{"pointsto", "examples/pointers/disk.c", "--component", "disk_init"},
		{"lts", "info", "examples/lock/discipline.aut"},
		{"lts", "convert", "examples/lock/discipline.aut"},
		{"lts", "minimize", "examples/lock/discipline.aut"},
		{"lts", "compose", "examples/lock/discipline.aut", "examples/lock/discipline.aut"},
		{"lts", "compare", "examples/lock/discipline.aut", "examples/lock/discipline.aut"},
		{"lts", "trace", "--to-deadlock", "examples/lock/discipline.aut"},
		{"dot", "mp", "examples/lock/lock.c", "examples/lock/lock.spec"},
		{"run", "examples/lock.magus"},
		{"repl"},
		{"rules", "check", "examples/lock/lock.c"},
		{"rules", "plan", "--json", "examples/lock/lock.c"},
		{"rules", "job", "--part", "1/1", "--cache", filepath.Join(t.TempDir(), "kept"), "examples/lock/lock.c"},
		{"init", "--dry-run", "examples/lock/lock.c"},
		{"init", "--dry-run", "--project", "examples/lock/lock.c"},
		{"lts", "check", "docs/lts/ring.lts:RING"},
	} {
		w, out, stderr := testWorld(root)
		w.Stdin = io.NopCloser(neverAnswers{})
		require.Equal(t, 3, cli.Main(ctx, args, w), "%v: %s%s", args, out, stderr)
		require.NotContains(t, stderr.String(), "context canceled", "%v", args)
	}
}

// neverAnswers is an input that nothing comes from.
type neverAnswers struct{}

func (neverAnswers) Read([]byte) (int, error) { select {} }
