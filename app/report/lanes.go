package report

// A run by who does what: a lane for each thread or component, from the top down what they do in the order of the run,
// and arrows for what is before what: the creation of a thread, its end and who joins it, a value and who reads it, a
// mutex that one gives free and the other takes, an action that several perform together. In a deadlock arrows lead
// from who waits to who holds.
//
// All of it is what the run says; nothing is searched for. Linear but for arrows, each of which looks back for where it
// begins.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/internal/phrase"
)

const (
	laneClip   = 36  // letters of a line
	mostEvents = 150 // of a longer run the last ones are kept
	laneValues = 4   // lines of values of an event
)

// Lanes are a run by who does what.
type Lanes struct {
	Names  LaneNames
	Events []LaneEvent
	Arrows []LaneArrow
	Left   int // how many events are before those
}

// A LaneEvent is what a lane does at one line: its steps there as long as no other lane has one.
type LaneEvent struct {
	Lane, Line int
	Text       []string // the source, then values
	Bad        bool     // it is what must not happen
	file       string
	source     string
	action     string
	values     []Value
	states     []string // of mutexes and the like, all that values say
	joins      []string // threads whose end it waits for
	branch     string   // of its last condition
	with       int      // the event before it that is the same action; -1
	joint      string   // that action
}

// A LaneArrow says that one event is before another, and why.
type LaneArrow struct {
	From, To int
	Why      string
	Waits    bool // it leads from who waits to who holds
	Order    bool // of data or mutexes, not of threads that begin and end
	Together bool // both are the same action
	Again    bool // another one begins there for the same reason
}

// ByLane is the run by who does what.
func (x *Counterexample) ByLane() *Lanes {
	l := &Lanes{Names: slices.Clone(x.Running)}
	for _, s := range x.Steps {
		l.Names.Number(s.Component)
		for _, name := range s.With {
			l.Names.Number(name)
		}
	}
	for i, s := range x.Steps {
		if i == len(x.Steps)-1 && x.Standing != nil && len(s.With) > 0 {
			l.stand(s) // a deadlock: each stands where it was
			continue
		}
		l.step(s)
	}
	l.Left = max(0, len(l.Events)-mostEvents)
	l.Events = l.Events[l.Left:]
	for i := range l.Events {
		e := &l.Events[i]
		e.with -= l.Left
		e.Text = e.lines()
	}
	l.arrows()
	l.waiting(x)
	return l
}

// LaneNames are the names of a run's lanes, from the left.
type LaneNames []string

// Number is that of the lane with a name; there is a new one if none has it.
func (n *LaneNames) Number(name string) int {
	i := slices.Index(*n, name)
	if i < 0 {
		i, *n = len(*n), append(*n, name)
	}
	return i
}

// stand marks the last event of each that takes part in a deadlock.
func (l *Lanes) stand(s Step) {
	stands := map[int]bool{l.Names.Number(s.Component): true}
	for _, name := range s.With {
		stands[l.Names.Number(name)] = true
	}
	for k := range slices.Backward(l.Events) {
		e := &l.Events[k]
		e.Bad = e.Bad || stands[e.Lane]
		delete(stands, e.Lane)
	}
}

// step adds a step to the event that it belongs to, or as a new one, and what others do in the same action.
func (l *Lanes) step(s Step) {
	if s.Place == nil {
		return
	}
	e := l.at(l.Names.Number(s.Component), s.Place, s.Source)
	e.Bad = e.Bad || s.Forbidden
	e.branch = cmp.Or(s.Branch, e.branch)
	if s.Forbidden {
		e.action = s.Action
	}
	if name, ok := strings.CutPrefix(s.Statement, "join "); ok {
		e.joins = append(e.joins, name)
	}
	for _, v := range s.Values {
		e.values = slices.DeleteFunc(e.values, func(w Value) bool { return w.Name == v.Name })
		e.values = append(e.values, v)
		if v.State != "" {
			e.states = append(e.states, v.State)
		}
	}
	first := len(l.Events) - 1
	for _, o := range s.Others {
		if o.Place != nil {
			e := l.at(l.Names.Number(o.Component), o.Place, o.Source)
			e.with, e.joint, e.Bad = first, s.Action, e.Bad || s.Forbidden
		}
	}
}

// at is the event of a lane at a place: the last one, or a new one.
func (l *Lanes) at(lane int, p *Place, source string) *LaneEvent {
	n := len(l.Events)
	if n == 0 || l.Events[n-1].Lane != lane || l.Events[n-1].Line != p.Line || l.Events[n-1].file != p.File {
		l.Events = append(l.Events,
			LaneEvent{Lane: lane, Line: p.Line, file: p.File, source: source, with: -1})
		n++
	}
	return &l.Events[n-1]
}

// lines are the text of an event.
func (e *LaneEvent) lines() []string {
	all := []string{phrase.Clip(fmt.Sprintf("%d: %s", e.Line, e.source), laneClip)}
	shown := 0
	for _, v := range e.values {
		if v.Idle || v.Made && v.State == "" {
			continue
		}
		text := v.Name + " = " + v.Value
		if v.Before != "" && v.Before != v.Value {
			text = v.Name + ": " + v.Before + " -> " + v.Value
		}
		if v.State != "" {
			text = v.State
		}
		if shown++; shown > laneValues {
			all = append(all, "  ...")
			break
		}
		all = append(all, "  "+phrase.Clip(text, laneClip-2))
	}
	if e.branch != "" {
		all = append(all, "  "+e.branch)
	}
	if e.action != "" {
		all = append(all, "  "+phrase.Clip(e.action+" is not allowed", laneClip-2))
	}
	return all
}

// before is the last event before another one of which something is so; -1 if there is none.
func (l *Lanes) before(i int, is func(e *LaneEvent) bool) int {
	for k := i - 1; k >= 0; k-- {
		if is(&l.Events[k]) {
			return k
		}
	}
	return -1
}

// arrow adds one between lanes.
func (l *Lanes) arrow(a LaneArrow) {
	if a.From >= 0 && l.Events[a.From].Lane != l.Events[a.To].Lane {
		same := func(b LaneArrow) bool { return b.From == a.From && b.Why == a.Why }
		a.Again = slices.ContainsFunc(l.Arrows, same)
		l.Arrows = append(l.Arrows, a)
	}
}

// arrows adds those of what is before what.
func (l *Lanes) arrows() {
	begun := map[int]bool{}
	for i := range l.Events {
		e := &l.Events[i]
		if e.with >= 0 {
			l.arrow(LaneArrow{From: e.with, To: i, Why: e.joint, Together: true})
		}
		if !begun[e.Lane] {
			begun[e.Lane] = true
			creates := func(c *LaneEvent) bool { return c.Lane != e.Lane && c.Line == e.Line && c.file == e.file }
			if e.with < 0 {
				l.arrow(LaneArrow{From: l.before(i, creates), To: i, Why: "creates"})
			}
		}
		for _, name := range e.joins {
			lane := slices.Index(l.Names, name)
			ended := l.before(i, func(c *LaneEvent) bool { return c.Lane == lane })
			l.arrow(LaneArrow{From: ended, To: i, Why: "has ended"})
		}
		for _, v := range e.values {
			l.orders(i, v)
		}
	}
}

// orders adds the arrows from where a value comes that an event reads, or from who gave free a mutex that it takes.
func (l *Lanes) orders(i int, v Value) {
	if thread, at, ok := strings.Cut(v.Writer, ", line "); ok {
		lane := slices.Index(l.Names, thread)
		writes := func(c *LaneEvent) bool { return c.Lane == lane && strconv.Itoa(c.Line) == at }
		l.arrow(LaneArrow{From: l.before(i, writes), To: i, Why: v.Name, Order: true})
	}
	name, taken, ok := strings.Cut(v.State, ": held by ")
	if !ok || taken == "" {
		return
	}
	holds := func(state string) bool { return strings.HasPrefix(state, name+": held by ") }
	held := false // somebody had it before: what makes it a mutex that is free orders nothing
	free := l.before(i, func(c *LaneEvent) bool { return slices.Contains(c.states, name+": free") })
	for k := 0; k <= free && !held; k++ {
		held = slices.ContainsFunc(l.Events[k].states, holds)
	}
	if held {
		l.arrow(LaneArrow{From: free, To: i, Why: name, Order: true})
	}
}

// waiting adds the arrows of a deadlock: from where a thread waits to where another one took the mutex.
func (l *Lanes) waiting(x *Counterexample) {
	for _, st := range x.Standing {
		for _, holder := range st.Holders {
			from, to := -1, -1
			held := func(v Value) bool { return strings.HasPrefix(v.State, st.Object+": held by "+holder) }
			for i := range l.Events {
				who := l.Names[l.Events[i].Lane]
				if who == st.Component {
					from = i
				}
				if who == holder && slices.ContainsFunc(l.Events[i].values, held) {
					to = i
				}
			}
			if from >= 0 && to >= 0 {
				why := "waits for " + st.Object
				l.Arrows = append(l.Arrows, LaneArrow{From: from, To: to, Why: why, Waits: true})
			}
		}
	}
}
