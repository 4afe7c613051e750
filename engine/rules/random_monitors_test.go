package rules_test

import "slices"

// Monitors of rules, by hand from docs/rules.md and what the manuals say of each rule.

// A monitor watches a run.
type monitor interface {
	// call is told of each call of a function of the library: its name, what it does, and about what (nil for none).
	call(name, does string, on any, result int)
	// end is told that the root returns a value.
	end(result *value)
	// open reports whether a handle is open.
	open(*token) bool
}

func newMonitor(rule string, x *explorer) monitor {
	w := watch{rule, x}
	switch rule {
	case "pthread-mutex", "pthread-rwlock", "kernel-spinlock", "semaphore":
		return &locks{watch: w, of: map[any]string{}, atReturn: true, again: rule == "semaphore"}
	case "linux-spinlock", "linux-mutex":
		return &locks{watch: w, of: map[any]string{}, attempts: true}
	case "blocking-under-lock":
		return &blocking{watch: w, held: map[any]bool{}}
	case "linux-alloc-spinlock":
		return &allocating{watch: w, of: map[any]string{}}
	case "linux-usblock":
		return &allocating{watch: w, of: map[any]string{}, one: true}
	case "freertos-critical":
		return &counting{watch: w, most: 8, atReturn: true}
	case "linux-module":
		return &counting{watch: w, most: 16, stops: true}
	case "linux-rwlock":
		return &sharing{watch: w}
	case "socket-order":
		return &sockets{watch: w, of: map[any]string{}}
	case "use-after-close":
		return &uses{watch: w, closed: map[*token]bool{}}
	case "kernel-refcount":
		return &handles{watch: w, of: map[*token]string{}, putAgain: true}
	}
	return &handles{watch: w, of: map[*token]string{}, memory: rule == "memory"}
}

// A watch is of a rule in a run.
type watch struct {
	rule string
	x    *explorer
}

func (w watch) breach()          { w.x.breaches[breach{w.rule, w.x.where}] = true }
func (w watch) open(*token) bool { return false }
func (w watch) end(*value)       {}

// locks: taken once, given back by whoever holds it, not held at the end. A lock that was tried and got although it is
// held is none of the rule's, but for semaphores, which are used as locks; and of Linux, trying what is held is wrong.
type locks struct {
	watch
	of                        map[any]string // held, or over: looked at no further
	atReturn, again, attempts bool
}

func (l *locks) call(_, does string, on any, result int) {
	state := l.of[on]
	if state == "over" {
		return
	}
	got := does == "try" && result == 0 || does == "attempt" && result != 0 || does == "signal" && result == 0
	tried := does == "try" || does == "attempt" || does == "signal"
	switch {
	case does == "final":
		l.atEnd()
	case tried && l.attempts && state == "held":
		l.broken(on)
	case got && state == "held" && l.again:
		l.broken(on)
	case got && state == "held":
		l.of[on] = "over"
	case does == "lock" && state == "held":
		l.broken(on)
	case does == "lock" || got:
		l.of[on] = "held"
	case does == "unlock" && state != "held":
		l.broken(on)
	case does == "unlock":
		delete(l.of, on)
	}
}

func (l *locks) broken(on any) {
	l.breach()
	l.of[on] = "over"
}

func (l *locks) atEnd() {
	for on, state := range l.of {
		if state == "held" {
			l.broken(on)
		}
	}
}

func (l *locks) end(*value) {
	if l.atReturn {
		l.atEnd()
	}
}

// blocking: nothing that may wait is called while a mutex is held.
type blocking struct {
	watch
	held map[any]bool
}

func (b *blocking) call(_, does string, on any, result int) {
	switch {
	case does == "lock" || does == "try" && result == 0:
		b.held[on] = true
	case does == "unlock":
		delete(b.held, on)
	case does == "block" && len(b.held) > 0:
		b.breach()
	}
}

// allocating: memory is allocated by what does not wait while a lock is held. A lock that is taken twice, or given back
// without being held, is none of the rule's; with one lock for all, nothing of the run is then.
type allocating struct {
	watch
	of  map[any]string
	one bool
}

func (a *allocating) call(_, does string, on any, result int) {
	if a.one {
		on = nil
	}
	state := a.of[on]
	tried := does == "try" || does == "attempt"
	got := does == "try" && result == 0 || does == "attempt" && result != 0 || does == "lock"
	switch {
	case does == "alloc":
		for of, s := range a.of {
			if s == "held" {
				a.breach()
				a.of[of] = "over"
			}
		}
	case state == "over":
	case state == "held" && (got || tried && a.one), does == "unlock" && state == "":
		a.of[on] = "over"
	case got:
		a.of[on] = "held"
	case does == "unlock":
		delete(a.of, on)
	}
}

// counting: what was entered is left as often. More than most at once, and an attempt that fails while there are some
// (stops), are not looked at further.
type counting struct {
	watch
	n, most         int
	over            bool
	atReturn, stops bool
}

func (c *counting) call(_, does string, _ any, result int) {
	switch {
	case c.over:
	case does == "final":
		c.over = c.n > 0
		if c.over {
			c.breach()
		}
	case does == "lock" || does == "attempt" && result != 0:
		c.n++
		c.over = c.n > c.most
	case does == "unlock" && c.n == 0:
		c.breach()
		c.over = true
	case does == "unlock":
		c.n--
	}
}

func (c *counting) end(*value) {
	if c.atReturn && !c.over && c.n > 0 {
		c.breach()
	}
}

// sharing: locks for reading are counted, one for writing is taken once; nothing is read while writing.
type sharing struct {
	watch
	readers int
	writing bool
	over    bool
}

func (s *sharing) call(_, does string, _ any, result int) {
	broken := func() {
		s.breach()
		s.over = true
	}
	if s.over {
		return
	}
	switch {
	case does == "read" || does == "tryread" && result != 0:
		if s.writing {
			broken()
		}
		s.readers++
		s.over = s.over || s.readers > 8
	case does == "unread":
		if s.readers == 0 {
			broken()
		}
		s.readers--
	case does == "write" || does == "trywrite" && result != 0:
		if s.writing {
			broken()
		}
		s.writing = true
	case does == "unwrite":
		if !s.writing {
			broken()
		}
		s.writing = false
	case does == "final" && (s.writing || s.readers > 0):
		broken()
	}
}

// handles: what was opened is closed, once, or handed over. A descriptor that is open already is not opened. Of
// references, what others got may be put as often as one likes.
type handles struct {
	watch
	of               map[*token]string // open, closed, over
	memory, putAgain bool
}

func (h *handles) open(t *token) bool { return h.of[t] == "open" }

func (h *handles) call(_, does string, on any, _ int) {
	t, ok := on.(*token)
	if !ok || t == nil || h.of[t] == "over" {
		return
	}
	switch does {
	case "open", "new":
		if does == "new" && !h.memory {
			return
		}
		h.of[t] = "open"
	case "close":
		if (t.heap != nil) != (h.memory && t.heap != nil) {
			return
		}
		if h.of[t] == "closed" {
			h.breach()
			h.of[t] = "over"
			return
		}
		h.of[t] = "closed"
		if h.putAgain {
			delete(h.of, t)
		}
		if h.memory && t.heap == nil {
			t.gone = true
		}
	}
}

func (h *handles) end(result *value) {
	kept := h.x.kept(result)
	for t, state := range h.of {
		if state == "open" && !kept[t] {
			h.breach()
			return
		}
	}
}

// kept are the handles that somebody finds when the root has returned: what it returns, and what variables and memory
// hold that outlive it; allocated memory where such hold it.
func (x *explorer) kept(result *value) map[*token]bool {
	all := map[*token]bool{}
	var todo []*object
	find := func(v *value) {
		switch {
		case v == nil:
		case v.token != nil:
			all[v.token] = true
		case v.to != nil && v.to.heap != nil && !all[v.to.heap]:
			all[v.to.heap] = true
			todo = append(todo, v.to)
		}
	}
	find(result)
	todo = append(todo, x.objects...)
	for len(todo) > 0 {
		o := todo[0]
		todo = todo[1:]
		if o.freed {
			continue
		}
		for _, c := range o.cells {
			find(c.v)
		}
	}
	return all
}

// sockets: listen after a bind that succeeded, send after such a connect; only of those that the run made.
type sockets struct {
	watch
	of map[any]string
}

func (s *sockets) call(_, does string, on any, result int) {
	state, known := s.of[on]
	switch {
	case does == "open" && on != nil:
		s.of[on] = "made"
		return
	case !known || state == "over":
		return
	case does == "close":
		delete(s.of, on)
		return
	}
	allowed := map[string][]string{"made": {"bind", "connect"}, "bind": {"listen", "connect"}, "listen": {"accept"},
		"connect": {"send"}}
	switch {
	case !slices.Contains([]string{"bind", "listen", "connect", "send"}, does):
	case !slices.Contains(allowed[state], does):
		s.breach()
		s.of[on] = "over"
	case result == 0 && does != "send":
		s.of[on] = does
	}
}

// uses: what was closed or freed is not used.
type uses struct {
	watch
	closed map[*token]bool
}

func (u *uses) call(_, does string, on any, _ int) {
	t, ok := on.(*token)
	if !ok || t == nil {
		return
	}
	switch does {
	case "open":
		delete(u.closed, t)
	case "close":
		u.closed[t] = true
		if t.heap == nil && u.x.p.words.name == "memory" {
			t.gone = true
		}
	case "use", "bind", "listen", "connect", "send":
		if u.closed[t] {
			u.breach()
		}
	}
}
