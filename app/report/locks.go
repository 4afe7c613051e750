package report

// Locks and conditions in the words of the program. The model of the library keeps the state of a mutex in its first
// int (cfa/source/libc/c/pthread.c): 0 if nobody holds it, else how often it is held, and from bit 20
// on which thread does; that of a condition has a bit for each thread that waits for a signal. A run says who holds
// the one and who waits for the other instead, and what else the model keeps in a mutex is left out.
//
// Left out: other locks, whose state means something else. What is a mutex or a condition is known by the lines that
// declare it or call functions of such.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"magus/evidence/verdict"
)

const (
	stateField = ".__state"
	ownerShift = 20
)

var (
	aboutMutex = regexp.MustCompile(`\b(PTHREAD_MUTEX_INITIALIZER|` +
		`(pthread_mutex|mtx)_(t|init|lock|trylock|timedlock|unlock))\b`)
	aboutCondition = regexp.MustCompile(`\b(PTHREAD_COND_INITIALIZER|` +
		`(pthread_cond|cnd)_(t|init|signal|broadcast))\b`)
	ofConditions = regexp.MustCompile(`\b(PTHREAD_COND|pthread_cond|cnd)_`)
)

// threadsOf are the names of threads, by the numbers that states have of them; "" of one that does not run.
func threadsOf(r *verdict.Run) (names []string) {
	for i, thread := range r.Threads {
		for len(names) <= thread {
			names = append(names, "")
		}
		names[thread] = r.Components[i]
	}
	return names
}

// nameLocks gives the states of mutexes and conditions words.
func nameLocks(x *Counterexample, threads []string) {
	mutexes, conditions := stateful(x, aboutMutex, ofConditions), stateful(x, aboutCondition, aboutMutex)
	for i := range x.Steps {
		s := &x.Steps[i]
		s.Values = slices.DeleteFunc(s.Values, func(v Value) bool { return insideMutex(v.Name, mutexes) })
		for k := range s.Values {
			v := &s.Values[k]
			name, ok := strings.CutSuffix(v.Name, stateField)
			if ok && mutexes[name] {
				v.State = said("mutex", name, mutexState(v.Value, threads))
			} else if ok && conditions[name] {
				v.State = said("condition", name, conditionState(v.Value, threads))
			}
		}
	}
}

// stateful are the variables with a state on lines that are about one kind of them, and not about another one.
func stateful(x *Counterexample, about, not *regexp.Regexp) map[string]bool {
	all := map[string]bool{}
	for _, s := range x.Steps {
		if !about.MatchString(s.Source) || not.MatchString(s.Source) {
			continue
		}
		for _, v := range s.Values {
			if name, ok := strings.CutSuffix(v.Name, stateField); ok {
				all[name] = true
			}
		}
	}
	return all
}

func said(kind, name, says string) string {
	if says == "" {
		return ""
	}
	return kind + " " + name + ": " + says
}

// insideMutex reports whether a variable is what the model keeps in a mutex besides its state.
func insideMutex(name string, mutexes map[string]bool) bool {
	base, _, ok := strings.Cut(name, ".__more")
	if !ok {
		base, _, ok = strings.Cut(name, ".__unused")
	}
	return ok && mutexes[base]
}

// mutexState says who holds a mutex in a state; "" if the number is none of a state.
func mutexState(value string, threads []string) (says string) {
	n, err := strconv.Atoi(value)
	switch {
	case err != nil || n < 0:
		return ""
	case n == 0:
		return "free"
	}
	i, times := n>>ownerShift, n&(1<<ownerShift-1)
	if i >= len(threads) || threads[i] == "" || times == 0 {
		return ""
	}
	says = "held by " + threads[i]
	if times > 1 {
		says += fmt.Sprintf(", %d times", times)
	}
	return says
}

// conditionState says who waits for a signal; "" if the number is none of a state.
func conditionState(value string, threads []string) string {
	n, err := strconv.ParseUint(value, 10, 31)
	if err != nil || n>>len(threads) != 0 {
		return ""
	}
	var waits []string
	for i, t := range threads {
		if n>>i&1 != 0 && t == "" {
			return ""
		}
		if n>>i&1 != 0 {
			waits = append(waits, t)
		}
	}
	switch len(waits) {
	case 0:
		return "nobody waits"
	case 1:
		return waits[0] + " waits"
	}
	return strings.Join(waits, ", ") + " wait"
}
