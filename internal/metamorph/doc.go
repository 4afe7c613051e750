// Package metamorph tests the verifier by laws that need no oracle: the
// examples are changed in ways that must not change a verdict, or only in one
// direction, and checked again. It has tests only.
//
// That leave the verdict and the length of a shortest counterexample as they
// are: variables of other names, components in another order, independent
// statements swapped, dead code, a file parted in two. That change it in one
// direction: what conforms to a specification conforms to a weaker one, and
// what violates it violates a stronger one, by no longer a trace.
//
// The changes are made to the text, by tokens, and only where tokens suffice to
// see that they are allowed.
package metamorph
