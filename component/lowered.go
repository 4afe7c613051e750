package component

// What lowering one claim several times has in common.
//
// Idea: sessions about one claim lower it again and again, as it is and to follow elements of arrays in several ways
// ([Options.Recorded]). Each time several rounds find what calls through pointers may call, and which abstractions
// do not say all. That is the same each time, so the next one begins with it; and of an automaton of which only the
// product is looked at several products are made.
//
// Cost: such an automaton is kept as long as the session.

import (
	"fmt"

	"magus/cfa"
	"magus/cfa/lower"
)

// Lowered is what was found when a claim was lowered. The zero value is nothing.
type Lowered struct{ by map[string]*loweredBefore }

// loweredBefore is what was found of one component with some options.
type loweredBefore struct {
	known   lower.Known
	inlined []string // routines whose abstractions do not say all
	auto    *cfa.CFA // with what is recorded, of which only products are looked at; nil: there is none
}

// before is what was found of a component with such options.
func (l *Lowered) before(c *Claim, component int, opt Options) *loweredBefore {
	if l == nil {
		return &loweredBefore{}
	}
	opt.Recorded, opt.Mirrored, opt.Product, opt.Lowered = false, false, nil, nil
	key := fmt.Sprintf("%p %d %+v", c, component, opt)
	if l.by == nil {
		l.by = map[string]*loweredBefore{}
	}
	b := l.by[key]
	if b == nil {
		b = &loweredBefore{}
		l.by[key] = b
	}
	return b
}
