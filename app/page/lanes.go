package page

// The run of threads as a drawing: a lane for each thread, from the top down what they do in the order
// of the run, a box for the steps of one line. Arrows between lanes say what must be before what: the
// creation of a thread, its end and who joins it, a value and who reads it, a mutex that one gives free
// and the other takes. In a deadlock red arrows lead from who waits to who holds.
//
// All of it is what the report of the run says; nothing is searched for. Linear but for arrows, each
// of which looks back for where it begins.

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"magus/app/report"
	"magus/internal/phrase"
)

const (
	laneWidth  = 260
	laneGap    = 120
	laneTop    = 34
	laneStep   = 16  // between boxes
	laneClip   = 36  // letters of a line
	mostEvents = 150 // boxes; of a longer run the last ones are drawn
	mostValues = 4   // lines of values in a box
)

// An event is what a thread does at one line.
type event struct {
	lane, line int
	source     string
	values     []report.Value
	joins      []string // threads whose end it waits for
	bad        bool
	x, y, h    float64
	text       []string
}

// An arrow says that one event is before another, and why.
type arrowOf struct {
	from, to  int
	why       string
	red, wait bool
}

// HasThreads reports whether a run is one of threads: of these, only the last step may be a joint one.
func HasThreads(x *report.Counterexample) bool {
	joint := func(s report.Step) bool { return len(s.With) > 0 }
	n := len(x.Steps)
	return len(x.Running) >= 2 && n > 0 && !slices.ContainsFunc(x.Steps[:n-1], joint)
}

// Threads draws a run of threads; empty if it has none.
func Threads(x *report.Counterexample) template.HTML {
	if !HasThreads(x) {
		return ""
	}
	events, left := eventsOf(x)
	y := float64(laneTop)
	for i := range events {
		e := &events[i]
		e.text = e.lines()
		e.x, e.y, e.h = float64(e.lane*(laneWidth+laneGap)), y, float64(len(e.text)*line+2*inner)
		y += e.h + laneStep
	}
	return drawLanes(x.Running, events, arrows(x, events), left, y)
}

// eventsOf are the last events of a run, and how many are before them.
func eventsOf(x *report.Counterexample) (all []event, left int) {
	for _, s := range x.Steps {
		lane := slices.Index(x.Running, s.Component)
		if len(s.With) > 0 { // a deadlock: each stands where it was
			stands := map[int]bool{lane: true}
			for _, w := range s.With {
				stands[slices.Index(x.Running, w)] = true
			}
			for k := range slices.Backward(all) {
				all[k].bad = stands[all[k].lane]
				delete(stands, all[k].lane)
			}
			continue
		}
		if lane < 0 || s.Place == nil {
			continue
		}
		n := len(all)
		if n == 0 || all[n-1].lane != lane || all[n-1].line != s.Place.Line {
			all = append(all, event{lane: lane, line: s.Place.Line, source: s.Source})
			n++
		}
		e := &all[n-1]
		e.bad = e.bad || s.Forbidden
		if name, ok := strings.CutPrefix(s.Statement, "join "); ok {
			e.joins = append(e.joins, name)
		}
		for _, v := range s.Values {
			e.values = slices.DeleteFunc(e.values, func(w report.Value) bool { return w.Name == v.Name })
			e.values = append(e.values, v)
		}
	}
	left = max(0, len(all)-mostEvents)
	return all[left:], left
}

// lines are what stands in the box of an event.
func (e *event) lines() []string {
	all := []string{phrase.Clip(fmt.Sprintf("%d: %s", e.line, e.source), laneClip)}
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
		if shown++; shown > mostValues {
			all = append(all, "  ...")
			break
		}
		all = append(all, "  "+phrase.Clip(text, laneClip-2))
	}
	return all
}

// arrows are what is between the events of different threads.
func arrows(x *report.Counterexample, events []event) (all []arrowOf) {
	before := func(i int, is func(e *event) bool) int {
		for k := i - 1; k >= 0; k-- {
			if is(&events[k]) {
				return k
			}
		}
		return -1
	}
	add := func(from, to int, why string) {
		if from >= 0 && events[from].lane != events[to].lane {
			all = append(all, arrowOf{from: from, to: to, why: why})
		}
	}
	begun := map[int]bool{}
	for i := range events {
		e := &events[i]
		if !begun[e.lane] {
			begun[e.lane] = true
			add(before(i, func(c *event) bool { return c.lane != e.lane && c.line == e.line }), i, "creates")
		}
		for _, name := range e.joins {
			lane := slices.Index(x.Running, name)
			add(before(i, func(c *event) bool { return c.lane == lane }), i, "has ended")
		}
		for _, v := range e.values {
			if thread, at, ok := strings.Cut(v.Writer, ", line "); ok {
				lane := slices.Index(x.Running, thread)
				writes := func(c *event) bool { return c.lane == lane && strconv.Itoa(c.line) == at }
				add(before(i, writes), i, v.Name)
			}
			name, taken, ok := strings.Cut(v.State, ": held by ")
			if ok && taken != "" {
				frees := func(w report.Value) bool { return w.State == name+": free" }
				free := before(i, func(c *event) bool { return slices.ContainsFunc(c.values, frees) })
				if free >= 0 && strings.Contains(events[free].source, "lock") {
					add(free, i, name)
				}
			}
		}
	}
	return append(all, waiting(x, events)...)
}

// waiting are the arrows of a deadlock: from where a thread waits to where another one took the mutex.
func waiting(x *report.Counterexample, events []event) (all []arrowOf) {
	for _, st := range x.Standing {
		for _, holder := range st.Holders {
			from, to := -1, -1
			held := func(v report.Value) bool { return strings.HasPrefix(v.State, st.Object+": held by "+holder) }
			for i := range events {
				who := x.Running[events[i].lane]
				if who == st.Component {
					from = i
				}
				if who == holder && slices.ContainsFunc(events[i].values, held) {
					to = i
				}
			}
			if from >= 0 && to >= 0 {
				all = append(all, arrowOf{from: from, to: to, why: "waits for " + st.Object, red: true, wait: true})
			}
		}
	}
	return all
}

// drawLanes writes the drawing.
func drawLanes(names []string, events []event, arrows []arrowOf, left int,
	height float64) template.HTML {
	var b strings.Builder
	w := len(names)*(laneWidth+laneGap) - laneGap + 8
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 0 %d %.0f" width="%d" `+
		`height="%.0f" role="img" aria-label="the run by threads">`, w, height, w, height)
	for i, name := range names {
		x := i * (laneWidth + laneGap)
		fmt.Fprintf(&b, `<path class="lane" d="M%d %dV%.0f"/><text class="thread" x="%d" y="14">%s</text>`,
			x+laneWidth/2, laneTop-8, height, x+4, html.EscapeString(name))
	}
	if left > 0 {
		fmt.Fprintf(&b, `<text x="4" y="28">%s before</text>`, phrase.Plural(left, "event"))
	}
	for i := range events {
		e := &events[i]
		class := "node"
		if e.bad {
			class += " hot"
		}
		fmt.Fprintf(&b, `<g class="%s" data-line="%d"><rect x="%.0f" y="%.0f" width="%d" height="%.0f" rx="4"/>`,
			class, e.line, e.x, e.y, laneWidth, e.h)
		for k, text := range e.text {
			fmt.Fprintf(&b, `<text x="%.0f" y="%.0f">%s</text>`, e.x+inner, e.y+inner+float64(k+1)*line-4,
				html.EscapeString(text))
		}
		b.WriteString(`</g>`)
	}
	for _, a := range arrows {
		b.WriteString(a.path(&events[a.from], &events[a.to]))
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// path is an arrow from the side of a box to that of another, in the gaps between lanes.
func (a arrowOf) path(from, to *event) string {
	x1, x2, head, side := from.x+laneWidth, to.x, "l-8 -4v8z", 1.0
	if from.lane > to.lane {
		x1, x2, head, side = from.x, to.x+laneWidth, "l8 -4v8z", -1
	}
	y1, y2 := from.y+from.h/2, to.y+to.h/2
	if a.wait {
		y1 = from.y + from.h - 4
	}
	bend := side * laneGap * 0.7
	class := "edge"
	if a.red {
		class += " hot"
	}
	if !a.red && a.why != "creates" && a.why != "has ended" {
		class += " dashed"
	}
	anchor := "start"
	lx := x1 + 6
	if side < 0 {
		anchor, lx = "end", x1-6
	}
	line := fmt.Sprintf(`<path d="M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f"/><path class="head" d="M%.0f %.0f%s"/>`,
		x1, y1, x1+bend, y1, x2-bend, y2, x2, y2, x2, y2, head)
	return fmt.Sprintf(`<g class="%s"><title>%s</title>%s<text class="why" x="%.0f" y="%.0f" `+
		`text-anchor="%s">%s</text></g>`,
		class, html.EscapeString(a.why), line, lx, y1-3, anchor, html.EscapeString(phrase.Clip(a.why, 19)))
}
