package threads_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cfatest"
	"magus/cfa/interp"
	"magus/cfa/sequential"
	"magus/internal/sample"
	"magus/smt/expr"
)

// owners are small programs with keys and thread-local variables: random ones with keys have products that
// are too large, for the end of each thread goes through all keys.
var owners = []string{
	`int x; pthread_key_t k; void d(void *p) { ++*(int *)p; } void *f(void *p) { pthread_setspecific(k, p); return 0; }
	int main(void) { pthread_t t; pthread_key_create(&k, d); pthread_create(&t, 0, f, &x); if (x == 1) reach_error(); return x; }`,
	`int x; pthread_key_t k; void *f(void *p) { if (pthread_getspecific(k)) x = 2; pthread_setspecific(k, p); return pthread_getspecific(k); }
	int main(void) { pthread_t t; void *r; pthread_key_create(&k, 0); pthread_setspecific(k, &x); pthread_create(&t, 0, f, &x); pthread_join(t, &r); return x + (r == &x); }`,
	`int x; __thread int own = 3; void *f(void *p) { own++; x = own; return 0; }
	int main(void) { pthread_t t, u; own = 7; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); if (own != 7 || x == 5) reach_error(); return x + own; }`,
	`int x; _Thread_local int own; void *f(void *p) { *(int *)p = 2; x = own; return 0; }
	int main(void) { pthread_t t; pthread_create(&t, 0, f, &own); if (own == 2) reach_error(); return x; }`,
}

// TestProduct compares the product of random programs, as an automaton of one thread, with all interleavings:
// they perform the same actions, and main returns the same values.
func TestProduct(t *testing.T) {
	tried, compared, erroneous := 0, 0, 0
	for seed := randomFirst(); seed < randomFirst()+uint64(randomPrograms()+len(owners)); seed++ {
		text, owner := program(seed), seed >= randomFirst()+uint64(randomPrograms())
		if seed%8 == 0 {
			text = cfatest.Lockers(seed)
		}
		if owner {
			text = "#include <pthread.h>\nextern void reach_error(void);\n" + owners[seed-randomFirst()-uint64(randomPrograms())]
		} else if !strings.Contains(text, "pthread_key_t") && !strings.Contains(text, "tss_t") {
			tried++
		}
		c := automaton(t, text)
		p, err := sequential.Product(context.Background(), c)
		if errors.Is(err, sequential.ErrLargeProduct) && !owner {
			continue
		}
		require.NoError(t, err, text)
		require.Empty(t, p.Check(), text)
		bits := func(*expr.Expr) []uint64 { return []uint64{0, 1} }
		all, err := interp.New(c).Interleave(context.Background(), bits, 40_000)
		if err != nil && !owner {
			continue
		}
		require.NoError(t, err, text)
		var everyone []uint64
		for i := range c.Threads {
			everyone = append(everyone, uint64(i))
		}
		turns := func(v *expr.Expr) []uint64 {
			if v == sequential.Scheduler(c.Pool) {
				return everyone
			}
			return bits(v)
		}
		one, err := interp.New(p).Interleave(context.Background(), turns, 400_000)
		if err != nil && !owner {
			continue
		}
		require.NoError(t, err, text)
		compared++
		want := all.Actions
		if i := slices.Index(want, cfa.ThreadLimit); i >= 0 {
			want = append(slices.Delete(slices.Clone(want), i, i+1), p.Cut)
			slices.Sort(want)
			want = slices.Compact(want)
		}
		require.Equal(t, want, one.Actions, "seed %d\n%s", seed, text)
		require.Equal(t, all.Results, one.Results, "seed %d\n%s", seed, text)
		if slices.Contains(want, cfa.ErrorAction) {
			erroneous++
		}
	}
	t.Log(tried, compared, erroneous)
	if !sample.Whole() {
		return
	}
	require.Greater(t, compared-len(owners), tried/4)
	require.Positive(t, erroneous)
}
