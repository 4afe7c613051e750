package component

// Several copies of one component.

import (
	"fmt"
	"slices"

	"magus/specs"
)

// A Copy is one of the copies of a component that run.
type Copy struct {
	Component int
	Number    int // from 1; 0 where one runs only
}

// CopiesOf says how many copies of component i run: 1 or more, or
// specs.AnyNumber.
func (c *Claim) CopiesOf(i int) int {
	if c.Copies == nil {
		return 1
	}
	return c.Copies[i]
}

// Single reports whether exactly one copy of each component runs.
func (s *System) Single() bool {
	return !slices.ContainsFunc(s.Copies, func(n int) bool { return n != 1 })
}

// AnyNumber reports whether any number of copies of some component runs.
func (s *System) AnyNumber() bool { return slices.Contains(s.Copies, specs.AnyNumber) }

// Written are the copies where numbers[i] of component i run, in the order of the
// components.
func (s *System) Written(numbers []int) []Copy {
	var all []Copy
	for i, n := range numbers {
		for k := range n {
			c := Copy{i, k + 1}
			if s.Copies[i] == 1 {
				c.Number = 0
			}
			all = append(all, c)
		}
	}
	return all
}

// Runs reports whether a run of the system has these copies: of each component as
// many as there are, in the order of the components.
func (s *System) Runs(copies []Copy) bool {
	numbers := make([]int, len(s.Copies))
	for _, c := range copies {
		if c.Component < 0 || c.Component >= len(numbers) {
			return false
		}
		numbers[c.Component]++
	}
	for i, n := range numbers {
		if n == 0 || s.Copies[i] != specs.AnyNumber && n != s.Copies[i] {
			return false
		}
	}
	return slices.Equal(copies, s.Written(numbers))
}

// CopyName is how people call a copy: worker#2, or server where there is one
// only.
func (s *System) CopyName(c Copy) string {
	name := s.Components[c.Component].Name
	if c.Number > 0 {
		name = fmt.Sprintf("%s#%d", name, c.Number)
	}
	return name
}
