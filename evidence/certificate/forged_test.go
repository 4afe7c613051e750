package certificate_test

import (
	"context"
	"errors"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/component"
	"magus/evidence/certificate"
	"magus/internal/sample"
	"magus/lts"
)

// A question is a claim with what brute force needs.
type question struct {
	claim      *magus.Claim
	spec       *lts.LTS
	components []executed
	owned      []map[string]bool // by component: its actions
}

func asked(t *testing.T, claim *magus.Claim) *question {
	t.Helper()
	q := &question{claim: claim}
	var err error
	q.spec, err = claim.Spec(context.Background(), lts.NewActions())
	require.NoError(t, err)
	for i := range claim.Procedures {
		auto, err := claim.Lower(context.Background(), i, component.Options{})
		require.NoError(t, err)
		q.components = append(q.components, execute(t, auto))
		own := map[string]bool{}
		for _, l := range auto.Locs {
			if a, ok := l.Stmt.(cfa.Act); ok {
				own[a.Action] = true
			}
		}
		q.owned = append(q.owned, own)
	}
	return q
}

// crowds are the numbers of copies that brute force looks at.
func (q *question) crowds(parts []stander) (all []*crowd) {
	for any := range 3 {
		copies := make([]int, len(parts))
		again := false
		for i := range copies {
			copies[i] = 1
			if q.claim.Copies != nil {
				copies[i] = q.claim.Copies[i]
			}
			if copies[i] < 1 {
				copies[i], again = any+1, true
			}
		}
		if all = append(all, newCrowd(q, parts, copies, q.owned)); !again {
			break
		}
	}
	return all
}

// shown reports whether a certificate shows that the claim holds, as far as brute force tells: its
// abstractions cover what the components do, and in them the claim holds; or its ranks get smaller.
func (q *question) shown(c *certificate.Certificate) bool {
	if c.Verdict != "conforms" || len(c.Components) != len(q.components) {
		return false
	}
	if c.Ranking != nil {
		return q.components[0].lessens(c)
	}
	var parts []stander
	for i := range c.Components {
		standing := q.claim.Question == component.NoDeadlock || q.claim.Relation == component.Failures ||
			q.claim.Relation == component.Divergences
		s, ok := abstracted(&c.Components[i])
		if !ok || !q.components[i].covered(&c.Components[i], standing) {
			return false
		}
		parts = append(parts, s)
	}
	if c.Live != nil { // what its models show is looked at by the checker only; that the claim holds is known
		return true
	}
	if c.Simulation != nil {
		return newCrowd(q, parts, []int{1}, q.owned).follows(c.Simulation.Pairs)
	}
	for _, crowd := range q.crowds(parts) {
		if !crowd.holds() {
			return false
		}
	}
	return true
}

// seen reports whether a certificate of a violation is about one, as far as brute force tells: its trace leads there.
func (q *question) seen(c *certificate.Certificate) bool {
	var parts []stander
	for _, x := range q.components {
		parts = append(parts, x.stander())
	}
	if c.Branches != nil { // whatever a tree looks like, its branches are runs
		own := newCrowd(q, parts, []int{1}, q.owned)
		for _, b := range c.Branches {
			if own.relation = component.Traces; !own.performs(b.Trace) {
				return false
			}
		}
		return true
	}
	trace := []string{}
	for _, name := range c.Trace {
		if _, says := saidStanding(name); !says {
			trace = append(trace, name)
		}
	}
	if q.claim.Live != nil { // whatever goes round, the trace is one, and the round once more is
		if c.Round == nil {
			return newCrowd(q, parts, []int{1, 1}[:len(parts)], q.owned).performs(trace)
		}
		return c.Round.Actions >= 0 && c.Round.Actions <= len(trace) &&
			newCrowd(q, parts, []int{1, 1}[:len(parts)], q.owned).performs(slices.Concat(trace, trace[c.Round.Actions:]))
	}
	if c.Round != nil {
		if c.Round.Actions < 0 || c.Round.Actions > len(trace) {
			return false
		}
		trace = trace[:c.Round.Actions]
	}
	for _, crowd := range q.crowds(parts) {
		if crowd.shows(trace) {
			return true
		}
	}
	return false
}

// knows reports whether brute force says something of a certificate: it has no ranks, and no runs that never end.
func (q *question) knows(c *certificate.Certificate) bool {
	return len(c.Ends) == 0 && (c.Verdict == "conforms" || q.claim.Question != component.Terminates)
}

// performs reports whether the copies have a trace.
func (c *crowd) performs(trace []string) bool {
	if trace == nil {
		trace = []string{}
	}
	all, _ := c.moments(trace)
	for _, m := range all {
		if m.done == len(trace) {
			return true
		}
	}
	return false
}

// Whatever is changed in a certificate, nothing shows a claim that does not hold, or a violation of one that
// holds; and what is accepted for the claim of its own is one that brute force accepts too: a fact that is
// needed cannot be forged.
func TestForgedCertificatesAreRefused(t *testing.T) {
	sample.Long(t)
	forged, distinct, equivalent, looked, wrong := 0, 0, 0, 0, 0
	rnd := rand.New(rand.NewSource(int64(sample.Seed(1))))
	for _, p := range pairsBeyond() {
		t.Run(p.name, func(t *testing.T) {
			opt := magus.Options{Loop: p.loop}
			good, bad := p.claimOf(t, p.good), p.claimOf(t, p.bad)
			try := func(own, other *magus.Claim, verdict string, accepts func(*question, *certificate.Certificate) bool) {
				c, _ := decided(t, own, opt, verdict)
				q := asked(t, own)
				exact := !p.partial && (len(c.Components) == 0 || c.Components[0].Blocks == 0) && q.knows(c)
				require.True(t, !exact || accepts(q, c), "brute force does not accept what is shown: %s", written(t, c))
				some, all := chosen(t, rnd, c)
				distinct += all
				kept := 0
				for _, f := range some {
					if forged++; exact {
						looked++
					}
					if f.cert = readAgain(t, f.cert); f.cert == nil || f.cert.Verdict == "unknown" {
						continue
					}
					refusedForged(t, other, opt, f)
					if err := magus.Verify(context.Background(), own, opt, f.cert); err == nil {
						kept++
						require.True(t, !exact || accepts(q, f.cert), "%s is accepted, and shows nothing:\n%s\n%s", f.what,
							written(t, c), written(t, f.cert))
					} else {
						isRefused(t, err, f.what)
						if exact && !accepts(q, f.cert) {
							wrong++
						}
					}
				}
				equivalent += kept
				t.Logf("%s: %d forgeries, %d of those that were tried show it as well", verdict, all, kept)
			}
			try(good, bad, "conforms", (*question).shown)
			if !p.proofsOnly() {
				try(bad, good, "violates", (*question).seen)
			}
		})
	}
	t.Logf("%d forgeries tried, of one thing each there are %d; %d show what is so; "+
		"brute force does not accept %d either", forged,
		distinct, equivalent, wrong)
	if sample.Whole() {
		require.Greater(t, forged, 500)
		require.Greater(t, forged, 4*equivalent)
		require.Greater(t, wrong, looked/4) // it tells them apart
	}
}

// chosen are the forgeries that are tried, and how many of one thing there are; a campaign has more, of which two
// things are changed.
func chosen(t *testing.T, rnd *rand.Rand, c *certificate.Certificate) (some []forgery, all int) {
	t.Helper()
	once, all := forgeries(t, rnd, c, sample.Count(200))
	some = slices.Clone(once)
	for sample.Campaign() && len(some) < sample.Count(0) {
		f := once[rnd.Intn(len(once))]
		twice, _ := forgeries(t, rnd, f.cert, 20)
		for _, g := range twice {
			some = append(some, forgery{f.what + ", " + g.what, g.cert})
		}
	}
	return some, all
}

// readAgain is a certificate as it is read from its file; nil if that is none.
func readAgain(t *testing.T, c *certificate.Certificate) *certificate.Certificate {
	t.Helper()
	d, err := certificate.Read(context.Background(), strings.NewReader(written(t, c)), "x.json")
	if err != nil || len(d.Certificates) != 1 {
		return nil
	}
	return d.Certificates[0]
}

// refusedForged requires that a forgery is refused.
func refusedForged(t *testing.T, claim *magus.Claim, opt magus.Options, f forgery) {
	t.Helper()
	isRefused(t, magus.Verify(context.Background(), claim, opt, f.cert), f.what)
}

func isRefused(t *testing.T, err error, what string) {
	t.Helper()
	var no *certificate.RefutedError
	require.True(t, errors.As(err, &no), "%s: %v", what, err)
}
