package countdown

import (
	"context"
	"sync/atomic"
)

// Looks is a context that ends when its error was asked for so many times; looks at contexts made from it that do not
// ask it count as none.
func Looks(parent context.Context, n int64) (context.Context, context.CancelFunc) {
	inner, end := context.WithCancel(parent)
	c := &counted{Context: inner, end: end}
	c.left.Store(n)
	return c, end
}

type counted struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func (c *counted) Err() error {
	if c.left.Add(-1) < 0 {
		c.end()
	}
	return c.Context.Err()
}
