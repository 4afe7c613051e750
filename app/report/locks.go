package report

// Mutexes and conditions in the words of the program. The model of the library keeps the state of a mutex in its
// member __held (cfa/source/libc/c/pthread.c): 0 if nobody holds it, else how often it is held, and from bit 20
// on which thread does; a condition has in __waiting a bit for each thread that waits for a signal. A run says who
// holds the one and who waits for the other instead, and what else the model keeps in a mutex is left out.
//
// Left out: other locks, whose state means something else, and headers that are not ours.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/evidence/verdict"
)

const (
	mutexField     = ".__held"
	mutexRest      = ".__rest"
	conditionField = ".__waiting"
	ownerShift     = 20
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
	for i := range x.Steps {
		s := &x.Steps[i]
		s.Values = slices.DeleteFunc(s.Values, func(v Value) bool { return strings.Contains(v.Name, mutexRest) })
		for k := range s.Values {
			v := &s.Values[k]
			if name, ok := strings.CutSuffix(v.Name, mutexField); ok {
				v.State = said("mutex", name, mutexState(v.Value, threads))
			} else if name, ok := strings.CutSuffix(v.Name, conditionField); ok {
				v.State = said("condition", name, conditionState(v.Value, threads))
			}
		}
	}
}

func said(kind, name, says string) string {
	if says == "" {
		return ""
	}
	return kind + " " + name + ": " + says
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
