// Package syntax holds what the readers of model files share: tokens with their places, and errors
// that show the line they lie on.
//
//	ts, err := syntax.Scan("m.param", []byte("x' = x + 1"))
//	c := syntax.NewCursor(ts)
//	c.Name("a variable")     // x, with its place
//
// A name is a letter or _ and then letters, digits and _. Both `#` and `//` begin a comment that ends
// with the line. The mathematical signs → ≥ ≤ ≠ ∧ ∨ ¬ • ‘ ’ ′ are read as -> >= <= != and or not : '.
package syntax
