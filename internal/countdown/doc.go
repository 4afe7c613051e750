// Package countdown has a context that ends after a number of looks at it, for tests of what may take long: how far it
// comes does not depend on the machine, nor on what else that does.
//
// Only tests import it.
package countdown
