// Package countdown has contexts for tests of what may take long. [Looks] ends after a number of looks at it: how far
// the work comes does not depend on the machine, nor on what else that does. [Hears] ends after a time.
//
// Only tests import it.
package countdown
