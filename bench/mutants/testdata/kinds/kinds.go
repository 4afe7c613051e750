// Package kinds has a place for each kind of mutant. Nothing runs it.
package kinds

func kinds(a, b int, both bool) int {
	list := make([]int, 0, 8)
	if both {
		a += 2
	}
	if both && a == b {
		panic("both")
	}
	for i := range list {
		_ = i
		a++
	}
	copy(list, list)
	return a * b
}
