// Package pattern has regular expressions that are compiled when they are first asked for.
//
//	var rePlace = pattern.New(`^(.+?):(\d+)$`)
//	rePlace().FindStringSubmatch(line)
//
// To compile all that a program may ever need takes a tenth of what a small check takes.
// A text that is no expression panics when it is first asked for; the test of this package
// compiles all that the source has.
package pattern

import (
	"regexp"
	"sync"
)

// A Pattern gives its expression.
type Pattern func() *regexp.Regexp

// New is the pattern of a text.
func New(text string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
