package graph

// Classes are a partition of the numbers 0 … len-1: union-find. c[x] is x itself where x is the
// representative of its class, else a number nearer to that.
//
// Source: Tarjan, van Leeuwen, "Worst-case analysis of set union algorithms" (JACM 1984): paths are halved by
// Find. Who becomes the representative is the caller's to say, by [Classes.Join]; so there is no rank,
// and an operation takes logarithmic time, spread over all.
type Classes[N ~int | ~int32] []N

// NewClasses has n classes of one number each.
func NewClasses[N ~int | ~int32](n int) Classes[N] {
	c := make(Classes[N], 0, n)
	for range n {
		c.Add()
	}
	return c
}

// Add adds the next number, in a class of its own, and returns it.
func (c *Classes[N]) Add() N {
	x := N(len(*c))
	*c = append(*c, x)
	return x
}

// Find is the representative of x's class.
func (c Classes[N]) Find(x N) N {
	for c[x] != x {
		c[x] = c[c[x]]
		x = c[x]
	}
	return x
}

// Join makes the classes of x and y one. Its representative is y's.
func (c Classes[N]) Join(x, y N) { c[c.Find(x)] = c.Find(y) }
