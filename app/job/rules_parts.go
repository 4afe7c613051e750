package job

// A check of rules in parts.
//
// Idea: roots are checked apart from each other, so a check may be divided among processes and machines that share a
// folder of results. Each part has every n-th root, for all rules, and leaves what came out in the folder, undecided
// roots too; the check as a whole then takes it over, checks what is missing, and tells. A callback is
// checked in a part only if no root leads to it by name: else it is most often needless, which only the whole
// check knows.
//
// Nothing rests on what a part says of itself: what it has left in the folder is looked at as any record is.
//
// Cost: each part reads the whole project.

import (
	"slices"

	"magus"
)

// Part leaves of the rules' roots those of part number i of n, from 1 on. It is called before [Rules.All].
func (r *Rules) Part(i, n int) {
	numbers := map[string]int{} // of roots, in the order of the rules
	mine := func(entry string) bool {
		number, ok := numbers[entry]
		if !ok {
			number = len(numbers)
			numbers[entry] = number
		}
		return number%n == i-1
	}
	for k := range r.Questions {
		q := &r.Questions[k]
		q.Callbacks = alone(*q)
		q.Roots = slices.DeleteFunc(slices.Clone(q.Roots), func(entry string) bool { return !mine(entry) })
		q.Callbacks = slices.DeleteFunc(q.Callbacks, func(entry string) bool { return !mine(entry) })
	}
}

// Apart counts the roots that parts may have.
func (r *Rules) Apart() int {
	all := map[string]bool{}
	for _, q := range r.Questions {
		for _, entry := range slices.Concat(q.Roots, alone(q)) {
			all[entry] = true
		}
	}
	return len(all)
}

// alone are the callbacks to which no root leads by name.
func alone(q magus.RuleQuestion) []string {
	led := map[string]bool{}
	for _, root := range q.Roots {
		for _, name := range q.Leads(root) {
			led[name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(q.Callbacks), func(entry string) bool { return led[entry] })
}

// Identity is the digest of all that results rest on: the program magus, the options and limits, and all that
// was read. It is "" without a cache.
func (r *Rules) Identity() string {
	if r.kept == nil {
		return ""
	}
	sum, err := dataDigest(nil, r.kept.base, r.kept.program, r.kept.limits)
	if err != nil {
		return ""
	}
	return sum
}
