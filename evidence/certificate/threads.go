package certificate

// Programs with threads.
//
// Idea: that no execution comes to an error is shown by a proof of package evidence/threadcert, or by
// the abstraction of one automaton in place of all threads, which is then checked as that of any
// component. A violation is a run: whose statement comes next is said for each move, and the rules by
// which threads interleave are checked here; those of weaker memory models in threads_model.go.
//
// Source: docs/semantics.md and the rules in package cfa (thread.go); written from these and not from
// cfa/interp. Cost: as in evidence/threadcert; linear in the run.

import (
	"context"
	"errors"
	"fmt"

	"magus/cfa"
	"magus/component"
	"magus/evidence/threadcert"
	"magus/smt/expr"
	"magus/smt/solver"
)

// Threads shows the verdict of a claim about a program with threads.
type Threads struct {
	// Copies are those of one call that creates threads, Elements the most of an array, as the
	// program is modelled; 0: as without a certificate.
	Copies, Elements int
	// Whole is how the automaton was made that the certificate's components are about; empty where Proof or Run show
	// the verdict.
	Whole string
	// Ranges are those to which large arrays are confined before. That they are kept is part of what is shown.
	Ranges []Range
	Proof  *threadcert.Proof // of conforms
	Run    *Run              // of violates
	By     []int             // by move of the run: whose it is
	// Refuses says of a claim about what is refused that all stand behind the run; else it ends with what is forbidden.
	Refuses bool

	line  int
	proof int // the line behind which the proof has its lemmas
}

// A Range says of all scalars of Size bytes from the address First to Last that they are from Low to
// High, as numbers with a sign if Signed.
type Range struct {
	First  uint64 `json:"first"`
	Last   uint64 `json:"last"`
	Size   int64  `json:"size"`
	Signed bool   `json:"signed,omitempty"`
	Low    int64  `json:"low"`
	High   int64  `json:"high"`
}

// The automata in place of all threads.
const (
	Product   = "product" // a state is a place of each thread
	Modular   = "modular" // a state is a place of one thread, with what others may do meanwhile
	Moves     = "moves"   // a state is a place of the main thread, with how often others have moved from where to where
	Locations = "places"  // a state is a place of the main thread, with how many others are where
	// Standing is that of what matters for who waits: a state is a place of each thread, with the values of some
	// variables. It is an error that all threads stand.
	Standing = "standing"
)

// ThreadSubject is what a certificate of a program with threads is checked against.
type ThreadSubject struct {
	*component.Component // its automaton has the threads
	Question             component.Question
	Model                cfa.MemoryModel
	Solver               solver.Solver
}

// CheckThreads returns nil if the certificate shows its verdict by a proof or a run, and a *RefutedError if not. Any
// other error is ctx's, the decision procedure's, or that of what is not modelled.
func (c *Certificate) CheckThreads(ctx context.Context, sub *ThreadSubject) error {
	switch t := c.Threads; {
	case c.Verdict == "conforms" && t.Proof != nil:
		return t.checkProof(ctx, sub)
	case c.Verdict == "violates" && t.Run != nil:
		return t.checkRun(ctx, sub)
	}
	return refuted(c.line, "nothing shows that the program %s", c.Verdict)
}

func (t *Threads) checkProof(ctx context.Context, sub *ThreadSubject) error {
	err := t.Proof.Check(ctx, threadcert.Subject{
		CFA: sub.CFA, Solver: sub.Solver,
		Races: sub.Question == component.NoRace, Deadlocks: sub.Question == component.NoDeadlock, Model: sub.Model,
	})
	var no *threadcert.RefutedError
	if errors.As(err, &no) {
		return refuted(t.proof+1+no.Lemma, "%s", no.Reason)
	}
	return err
}

// An interleaving is a program with threads while it runs.
type interleaving struct {
	x      *execution
	sub    *ThreadSubject
	at     []Node
	begun  []bool
	ended  []bool
	within int  // the thread whose section it is; -1
	over   bool // the process has ended
	last   string
	late   [][]delayed         // by thread, oldest first: what others do not see yet
	shared map[*expr.Expr]bool // variables of several threads
}

func (t *Threads) checkRun(ctx context.Context, sub *ThreadSubject) error {
	r := t.Run
	s := &interleaving{sub: sub, within: -1}
	x, err := r.begin(newThreadProgram(sub.Component))
	if err != nil {
		return err
	}
	s.x = x
	for _, th := range sub.CFA.Threads {
		s.at = append(s.at, Node{Kind: Location, Loc: int(th.Entry)})
	}
	s.begun, s.ended, s.late = make([]bool, len(s.at)), make([]bool, len(s.at)), make([][]delayed, len(s.at))
	s.shared = map[*expr.Expr]bool{}
	for _, v := range sub.CFA.Shared() {
		s.shared[v] = true
	}
	s.begun[0] = true
	for i := range r.Moves {
		if i%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if i >= len(t.By) {
			return refuted(r.Moves[i].line, "it is said of no thread that it does this")
		}
		if err := s.move(t.By[i], &r.Moves[i]); err != nil {
			return err
		}
	}
	switch {
	case sub.Question == component.NoError:
		if s.last != cfa.ErrorAction {
			return refuted(r.line, "the run does not end with an error")
		}
		return nil
	case sub.Model != cfa.SC:
		return refuted(r.line, "races and deadlocks are looked for under sequential consistency")
	case sub.Question == component.NoDeadlock:
		return s.stuck(r.line)
	}
	return s.race(ctx, r.line)
}

// move makes a statement of a thread.
func (s *interleaving) move(thread int, m *Move) error {
	if m.Seen != "" {
		s.last = ""
		return s.seen(thread, m)
	}
	if why := s.waits(thread); why != "" {
		return refuted(m.line, "thread %d does nothing: %s", thread, why)
	}
	at := s.at[thread]
	loc := &s.sub.CFA.Locs[at.Loc]
	made, err := s.step(thread, m)
	if err != nil {
		return err
	}
	s.at[thread], s.last = made.to, m.Action
	switch stmt := loc.Stmt.(type) {
	case cfa.Spawn:
		if s.begun[stmt.Thread] {
			return refuted(m.line, "thread %d begins twice", stmt.Thread)
		}
		s.begun[stmt.Thread] = true
		s.at[stmt.Thread] = Node{Kind: Location, Loc: int(loc.Succ[1])}
	case cfa.Atomic:
		s.within = -1
		if stmt.Begin && (!stmt.Access || s.sub.Model == cfa.SC) {
			s.within = thread
		}
		if stmt.Release && s.sub.Model == cfa.PSO {
			s.releases(thread)
		}
	case cfa.End:
		s.ended[thread] = true
	case cfa.Return:
		s.over = true
	}
	return nil
}

// step makes a statement.
func (s *interleaving) step(thread int, m *Move) (*step, error) {
	if s.weak(thread) {
		return s.later(thread, m)
	}
	return s.x.move(s.at[thread], m)
}

// waits is why a thread makes no move; "" if it may.
func (s *interleaving) waits(thread int) string {
	switch {
	case thread < 0 || thread >= len(s.at):
		return "there is none such"
	case s.over:
		return "the process has ended"
	case !s.begun[thread]:
		return "it has not begun"
	case s.ended[thread]:
		return "it has ended"
	case s.at[thread].Kind != Location:
		return "it is nowhere"
	case s.within >= 0 && s.within != thread:
		return fmt.Sprintf("thread %d is in a section", s.within)
	}
	if len(s.late[thread]) > 0 && fence(s.sub.CFA.Locs[s.at[thread].Loc].Stmt) {
		return "others do not see yet all that it has written"
	}
	if j, ok := s.sub.CFA.Locs[s.at[thread].Loc].Stmt.(cfa.Join); ok && !s.ended[j.Thread] {
		return fmt.Sprintf("it waits for thread %d to end", j.Thread)
	}
	return ""
}

// stuck returns nil if no thread goes on, and one has not ended.
func (s *interleaving) stuck(line int) error {
	some := false
	for t := range s.at {
		switch {
		case s.over || s.within >= 0:
			return refuted(line, "the run ends where the process does, or in a section")
		case !s.begun[t] || s.ended[t]:
			continue
		case s.waits(t) == "" && !s.stands(t):
			return refuted(line, "thread %d goes on behind the run", t)
		}
		some = true
	}
	if !some {
		return refuted(line, "all threads have ended")
	}
	return nil
}

// stands reports whether a thread is where it waits for others, or before a section that comes to such a place. A
// section that chooses a value is taken for one that may go on.
func (s *interleaving) stands(thread int) bool {
	at := s.at[thread]
	switch stmt := s.sub.CFA.Locs[at.Loc].Stmt.(type) {
	case cfa.Halt:
		return stmt.Reason == cfa.Waiting
	case cfa.Atomic:
		if !stmt.Begin {
			return false
		}
	default:
		return false
	}
	x := s.x.clone()
	for met := map[Node]bool{}; !met[at]; {
		met[at] = true
		if h, ok := s.sub.CFA.Locs[at.Loc].Stmt.(cfa.Halt); ok {
			return h.Reason == cfa.Waiting
		}
		to, ok := x.only(at)
		if !ok {
			return false
		}
		at = to
		if at.Kind != Location {
			return false
		}
		if a, ok := s.sub.CFA.Locs[at.Loc].Stmt.(cfa.Atomic); ok && !a.Begin {
			return false
		}
	}
	return false
}

// only makes the only step that is possible, unless it chooses a value.
func (x *execution) only(at Node) (Node, bool) {
	for i := range x.prog.steps[at] {
		st := &x.prog.steps[at][i]
		if fresh(st) {
			return at, false
		}
		if made, err := x.make(st, nil, 0); err != nil || made {
			return st.to, err == nil
		}
	}
	return at, false
}
