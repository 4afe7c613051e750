package countdown

import (
	"context"
	"math"
	"sync/atomic"
)

// A Context counts the looks at it: how often its error is asked for. Looks at contexts made from it that do not ask
// it count as none.
type Context struct {
	context.Context
	end  context.CancelFunc
	most int64
	seen atomic.Int64
}

// Looks is a context that ends when there were more than n looks at it.
func Looks(parent context.Context, n int64) *Context {
	inner, end := context.WithCancel(parent)
	return &Context{Context: inner, end: end, most: n}
}

// Count is a context that only counts the looks at it.
func Count(parent context.Context) *Context { return Looks(parent, math.MaxInt64) }

// Err implements context.Context.
func (c *Context) Err() error {
	if c.seen.Add(1) > c.most {
		c.end()
	}
	return c.Context.Err()
}

// Seen is the number of looks until now.
func (c *Context) Seen() int64 { return c.seen.Load() }
