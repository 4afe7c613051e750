package cert_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/param"
	"magus/param/cert"
)

const readers = `
	states t, r, w; shared lock: bool, cnt: nat;
	rule r1: t -> r : lock, cnt = 0, cnt' = cnt + 1, not lock';
	rule r2: t -> r : cnt >= 1, cnt' = cnt + 1;
	rule r3: r -> t : cnt >= 1, cnt' = cnt - 1;
	rule r4: r -> t : cnt = 1, not lock, cnt' = cnt - 1, lock';
	rule w1: t -> w : lock, not lock';
	rule w2: w -> t : not lock, lock';
	init t >= 0, lock, cnt = 0; bad r, w;`

func verify(t *testing.T, model, proof string) error {
	m, err := param.Parse("m", []byte(model))
	require.NoError(t, err)
	p, err := m.ParseProof("p", []byte(proof))
	require.NoError(t, err)
	again, err := m.ParseProof("p", []byte(m.FormatProof(p)))
	require.NoError(t, err)
	require.Equal(t, p, again)
	return cert.Check(t.Context(), m, 0, p)
}

// A proof by hand, and what is no proof: parts that are missing or wrong, and other models.
func TestCheck(t *testing.T) {
	const model = `states a, b; shared x: nat, l: bool;
		rule go: a -> b : l, not l', x' = x + 1;
		rule back: b -> a : l', x' = x - 1;
		init a >= 0, l, x = 0; bad b >= 2;`
	const good = "invariant b + l <= 1; outside b >= 2;"
	require.NoError(t, verify(t, model, good))
	require.NoError(t, verify(t, model, "inside b = 0; inside l = 0, b = 1;"))
	for text, want := range map[string]string{
		"":                "a bad configuration is not excluded",
		"outside b >= 2;": "the rule go leads from elsewhere into b >= 2",
		"outside b >= 1;": "the rule go leads from elsewhere into b >= 1",
		"outside b >= 2; outside l, b; outside b >= 0;": "an initial configuration is in b >= 0",
		"invariant b <= 0; outside b >= 2;":             "the rule go may violate the invariant b <= 0",
		"invariant l = 0; outside b >= 2;":              "the invariant l = 0 does not hold in the beginning",
		"inside b <= 1;":                                "the rule go leads from inside b <= 1 elsewhere",
		"inside b >= 1;":                                "an initial configuration is not inside",
		"inside a >= 0;":                                "a bad configuration is not excluded",
	} {
		require.ErrorContains(t, verify(t, model, text), want, text)
	}
	broken := `states a, b; shared x: nat, l: bool;
		rule go: a -> b : x' = x + 1; init a >= 0, l, x = 0; bad b >= 2;`
	require.ErrorContains(t, verify(t, broken, good), "the rule go may violate")
}

// Transfers, creation, several processes at once, ranges, deadlock.
func TestRules(t *testing.T) {
	require.NoError(t, verify(t, `states a, b, c; shared k: 0..3;
		rule a, a -> b, b : k' = k + 1;
		rule b -> b : all b -> c, k' = 0;
		rule -> a : k <= 2;
		init a >= 0, k = 0; bad k = 3, b = 1, c >= 0, a < 0;`, "invariant k <= 3;"))
	require.ErrorContains(t, verify(t, `states a, b; rule b -> b : all a -> b; init a >= 0, b = 1; bad b >= 2;`,
		"outside b >= 2;"), "leads from elsewhere into b >= 2")
	require.NoError(t, verify(t, `states a, b; rule a -> b; rule b -> a; init a >= 1; bad deadlock;`,
		"outside a = 0, b = 0;"))
	require.ErrorContains(t, verify(t, `states a, b; rule a -> b; init a >= 1; bad deadlock;`,
		"outside a = 0, b = 0;"), "a bad configuration is not excluded")
}

func TestParseProof(t *testing.T) {
	m, err := param.Parse("m", []byte(readers))
	require.NoError(t, err)
	_, err = m.ParseProof("p", []byte("outside r >= 1;\nelse w;"))
	require.ErrorContains(t, err, "p:2:1: expected invariant, inside or outside, found else")
	_, err = m.ParseProof("p", []byte("outside deadlock;"))
	require.ErrorContains(t, err, "deadlock can only stand in bad")
	_, err = m.ParseProof("p", []byte("outside q;"))
	require.ErrorContains(t, err, "q is not declared")
}

// What has rational solutions and no integer ones: 2x + y = 1 with y = 0, 3x + 2y = 1.
func TestRounding(t *testing.T) {
	require.NoError(t, verify(t, `states a; shared x, y: nat; rule a -> a : 2*x + y = 1, x' = x, y' = y;
		init a >= 0, x = 0, y = 1; bad 2*x + y = 1, y <= 0;`, "invariant x <= 0;"))
	require.NoError(t, verify(t, `states a; shared x, y, z: nat; rule a -> a;
		init a >= 0, x >= 0, y >= 0, z >= 0; bad 3*x + 2*y = 1, z = x + y;`, ""))
	require.ErrorContains(t, verify(t, `states a; shared x, y, z: nat; rule a -> a;
		init a >= 0, x >= 0, y >= 0, z >= 0; bad 3*x + 2*y = 5, z = x + y;`, ""), "a bad configuration is not excluded")
}
