package predabs

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
)

var errInterrupted = errors.New("interrupted")

// A plan whose tables have many rows each has as many successors as there are
// combinations: they are bounded, and the context is looked at between them.
func TestProductIsBounded(t *testing.T) {
	wide := func(tables int) (*cplan, *postBuffer) {
		c, buf := &cplan{plan: &plan{}}, newPostBuffer(1)
		for i := range tables {
			c.tables = append(c.tables, ctable{dst: []int{i}})
			buf.rows, buf.pick = append(buf.rows, []uint64{0, 1}), append(buf.pick, 0)
		}
		return c, buf
	}
	count := func(tables int, ctx context.Context) (n int, err error) {
		c, buf := wide(tables)
		err = c.product(ctx, buf, func(int32, []uint64) error { n++; return nil })
		return n, err
	}
	n, err := count(10, t.Context())
	require.NoError(t, err)
	require.Equal(t, 1<<10, n)

	n, err = count(40, t.Context())
	require.ErrorAs(t, err, new(*ErrStates))
	require.Equal(t, maxSuccessors, n)

	n, err = count(40, countdown.Looks(t.Context(), 3))
	require.Error(t, err)
	require.Less(t, n, 1<<15)

	c, buf := wide(40)
	require.ErrorIs(t, c.product(t.Context(), buf, func(int32, []uint64) error { return errInterrupted }),
		errInterrupted, "whoever takes the successors may have enough")
}
