package report

// Locks in the words of the program. The model of the library keeps the state of a mutex in its first
// int (cfa/source/libc/c/pthread.c): 0 if nobody holds it, else how often it is held, and from bit 20
// on which thread does. A run says who holds it instead, and what else the model keeps in a mutex
// is left out.
//
// Left out: other locks, whose state means something else. What is a mutex is known by the lines that
// declare it or call functions of mutexes.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	stateField = ".__state"
	ownerShift = 20
)

var (
	aboutMutex = regexp.MustCompile(`\b(PTHREAD_MUTEX_INITIALIZER|` +
		`(pthread_mutex|mtx)_(t|init|lock|trylock|timedlock|unlock))\b`)
	locking = regexp.MustCompile(`\b(?:pthread_mutex_lock|mtx_lock)\s*\(\s*&\s*([A-Za-z_][A-Za-z0-9_]*)\s*\)`)
)

// nameLocks gives the states of mutexes words, and says who waits for whom at the end.
func nameLocks(x *Counterexample) {
	mutexes := map[string]bool{}
	for _, s := range x.Steps {
		if !aboutMutex.MatchString(s.Source) || strings.Contains(s.Source, "pthread_cond") {
			continue
		}
		for _, v := range s.Values {
			if name, ok := strings.CutSuffix(v.Name, stateField); ok {
				mutexes[name] = true
			}
		}
	}
	if len(mutexes) == 0 {
		return
	}
	holder := map[string]string{}
	for i := range x.Steps {
		s := &x.Steps[i]
		s.Values = slices.DeleteFunc(s.Values, func(v Value) bool { return insideMutex(v.Name, mutexes) })
		for k := range s.Values {
			v := &s.Values[k]
			name, ok := strings.CutSuffix(v.Name, stateField)
			if !ok || !mutexes[name] {
				continue
			}
			if owner, says := mutexState(v.Value, x.Running); says != "" {
				v.State = "mutex " + name + ": " + says
				holder[name] = owner
			}
		}
	}
	x.Waits = waits(x, holder)
}

// insideMutex reports whether a variable is what the model keeps in a mutex besides its state.
func insideMutex(name string, mutexes map[string]bool) bool {
	base, _, ok := strings.Cut(name, ".__more")
	if !ok {
		base, _, ok = strings.Cut(name, ".__unused")
	}
	return ok && mutexes[base]
}

// mutexState is who holds a mutex in a state, and how that is said; "" if the number is none of a state.
func mutexState(value string, threads []string) (owner, says string) {
	n, err := strconv.Atoi(value)
	switch {
	case err != nil || n < 0:
		return "", ""
	case n == 0:
		return "", "free"
	}
	i, times := n>>ownerShift, n&(1<<ownerShift-1)
	if i >= len(threads) || times == 0 {
		return "", ""
	}
	says = "held by " + threads[i]
	if times > 1 {
		says += fmt.Sprintf(", %d times", times)
	}
	return threads[i], says
}

// waits says which threads wait at the end of a deadlock for a mutex that another thread holds.
func waits(x *Counterexample, holder map[string]string) (all []string) {
	if len(x.Trace) != 1 || x.Trace[0] != "deadlock" {
		return nil
	}
	last := map[string]string{}
	for _, s := range x.Steps {
		if s.Source != "" {
			last[s.Component] = s.Source
		}
	}
	for _, t := range x.Running {
		m := locking.FindStringSubmatch(last[t])
		if m == nil || holder[m[1]] == "" || holder[m[1]] == t || strings.Count(last[t], "_lock") != 1 {
			continue // several calls on a line, or it is behind: which one waits is not known here
		}
		all = append(all, fmt.Sprintf("%s waits for mutex %s, held by %s", t, m[1], holder[m[1]]))
	}
	return all
}
