package skeleton

// Idea: the graph of who mentions whom tells the roots, and the events that each leads to.
// Deviation: a function that is only mentioned, not called, counts as called.
// Cost: linear in the mentions of functions, for each root.

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"magus/cfa/source"
)

// A Skeleton is what a specification of a program has to be about.
type Skeleton struct {
	Events []Event // functions first, each in the order of the text
	Claims []Claim // in the order of the text
}

// An Event is something that a program does and a specification may speak of.
type Event struct {
	Name    string
	Routine bool // a function without a body, otherwise an action
	Value   bool // which returns something
}

// A Claim is about a function that nothing calls.
type Claim struct {
	Function string
	Value    bool     // it returns something
	Events   []string // that it leads to, in the order of [Skeleton.Events]
	Threads  bool     // it creates threads
}

// Of is the skeleton of a program.
func Of(p *source.Program) Skeleton {
	functions := map[string]source.Function{}
	var bodies []string
	for _, f := range p.Functions() {
		functions[f.Name] = f
		if f.Body.IsValid() && f.Pos.IsValid() && p.LibraryFunction(f.Name) == nil && p.ModelOf(f.Name) == nil {
			bodies = append(bodies, f.Name)
		}
	}
	g := &graph{leads: map[string][]string{}}
	var s Skeleton
	seen := map[string]bool{}
	for _, m := range mentions(p) {
		f, isFunction := functions[m.Name]
		switch {
		case m.Kind == source.MentionAction:
			g.add(m.Within, action+m.Name)
			if !seen[action+m.Name] {
				s.Events = append(s.Events, Event{Name: m.Name})
			}
			seen[action+m.Name] = true
		case m.Kind != source.MentionFunction || m.Defines || m.Within == "" || !isFunction:
		case f.Body.IsValid():
			g.add(m.Within, m.Name)
		case slices.Contains(source.ThreadCreators(), m.Name):
			g.add(m.Within, m.Name)
		case !p.IsSystem(m.Name) && !isOwn(m.Name):
			g.add(m.Within, m.Name)
			if !seen[m.Name] {
				s.Events = append(s.Events, Event{Name: m.Name, Routine: true, Value: !f.Void})
			}
			seen[m.Name] = true
		}
	}
	slices.SortStableFunc(s.Events, func(a, b Event) int { return rank(a) - rank(b) })
	for _, root := range g.roots(bodies) {
		events, threads := g.events(root, s.Events)
		s.Claims = append(s.Claims, Claim{root, !functions[root].Void, events, threads})
	}
	return s
}

// isOwn reports whether a name is one of the verifier or of the compiler, or of an error.
func isOwn(name string) bool {
	return name == "reach_error" || strings.HasPrefix(name, "__")
}

func rank(e Event) int {
	if e.Routine {
		return 0
	}
	return 1
}

// mentions are those of the program, in the order of the text.
func mentions(p *source.Program) []source.Mention {
	all := p.Mentions()
	units := map[string]int{}
	for i, f := range p.Files {
		units[f.Name] = i
	}
	slices.SortStableFunc(all, func(a, b source.Mention) int {
		if a.Pos.File != b.Pos.File {
			return units[a.Pos.File] - units[b.Pos.File]
		}
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Col - b.Pos.Col
	})
	return all
}

// action marks the names of actions in a graph.
const action = "="

// A graph says which functions and actions a function mentions.
type graph struct{ leads map[string][]string }

func (g *graph) add(from, to string) {
	if from != to && !slices.Contains(g.leads[from], to) {
		g.leads[from] = append(g.leads[from], to)
	}
}

// roots are the functions that no other one mentions; where all are mentioned, in a circle, all.
func (g *graph) roots(bodies []string) []string {
	called := map[string]bool{}
	for _, to := range g.leads {
		for _, name := range to {
			called[name] = true
		}
	}
	roots := slices.DeleteFunc(slices.Clone(bodies), func(name string) bool { return called[name] })
	if len(roots) == 0 {
		return bodies
	}
	return roots
}

// events are those that a function leads to; threads says that it creates some.
func (g *graph) events(root string, all []Event) (names []string, threads bool) {
	seen := map[string]bool{root: true}
	for work := []string{root}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, to := range g.leads[at] {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	for _, e := range all {
		if e.Routine && seen[e.Name] || !e.Routine && seen[action+e.Name] {
			names = append(names, e.Name)
		}
	}
	return names, slices.ContainsFunc(source.ThreadCreators(), func(c string) bool { return seen[c] })
}

// Text is the specification: c are the names of the C files, spec its own.
func (s Skeleton) Text(c []string, spec string) string {
	t := &text{taken: map[string]bool{"STOP": true, "ERROR": true}}
	t.line("// What %s may do. Written by magus init as a start; check it with", strings.Join(c, ", "))
	t.line("//")
	t.line("//     magus check %s %s", strings.Join(c, " "), spec)
	t.line("//")
	t.line("// As it stands it allows everything. Take out what must not happen.")
	t.routines(s.Events)
	for _, claim := range s.Claims {
		t.claim(claim)
	}
	return t.b.String()
}

// A text is a specification under way.
type text struct {
	b     strings.Builder
	taken map[string]bool // names of processes
}

func (t *text) line(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

// routines writes what functions without a body do.
func (t *text) routines(events []Event) {
	if !slices.ContainsFunc(events, func(e Event) bool { return e.Routine }) {
		return
	}
	t.line("\n// Functions without a body. A call of one is an event of its name, and it returns anything.")
	for _, e := range events {
		if !e.Routine {
			continue
		}
		process := t.process(e.Name)
		if e.Value {
			t.line("// To tell results apart: ( %s -> return {$0 == 0} -> STOP | %s -> return {$0 != 0} -> STOP ).",
				e.Name, e.Name)
		}
		t.line("%s = ( %s -> return {} -> STOP ).", process, e.Name)
		t.line("procedure %s { abstract { (1), %s }; }", e.Name, process)
	}
}

// claim writes what a function may do.
func (t *text) claim(c Claim) {
	process := t.process(c.Function)
	last := []string{"return {} -> STOP"}
	if c.Threads {
		t.line("\n// %s and the threads that it creates, together: any of their events in any order.", c.Function)
		if len(c.Events) > 0 {
			last = nil
		}
	} else {
		t.line("\n// %s: any of its events in any order, and at last it returns.", c.Function)
	}
	if len(c.Events) >= 2 {
		next := t.process(c.Function + "_after_" + c.Events[0])
		t.line("// To demand an order, name the states between: %s = ( %s -> %s ),",
			process, c.Events[0], strings.Join(append([]string{next}, last...), " | "))
		t.line("// %s = ( %s -> %s ).", next, c.Events[1], process)
	}
	if c.Value && !c.Threads {
		t.line("// To demand a result, say which: return {$0 == 0} -> STOP.")
	}
	var steps []string
	for _, e := range c.Events {
		steps = append(steps, e+" -> "+process)
	}
	t.line("%s = ( %s ).", process, strings.Join(append(steps, last...), "\n    | "))
	if c.Threads {
		t.line("program %s { specification together, {(1)}, %s; }", c.Function, process)
		return
	}
	t.line("procedure %s { abstract { (1), %s }; }", c.Function, process)
}

// process is a name for a process that no other has.
func (t *text) process(name string) string {
	r := []rune(strings.Map(func(r rune) rune {
		if r == '.' {
			return '_'
		}
		return r
	}, name))
	r[0] = unicode.ToUpper(r[0])
	process := string(r)
	if !unicode.IsUpper(r[0]) {
		process = "P" + process
	}
	for t.taken[process] {
		process += "_"
	}
	t.taken[process] = true
	return process
}

// Functions are those that are claimed about.
func (s Skeleton) Functions() (names []string) {
	for _, c := range s.Claims {
		names = append(names, c.Function)
	}
	return names
}

// Names are those of the events.
func (s Skeleton) Names() (names []string) {
	for _, e := range s.Events {
		names = append(names, e.Name)
	}
	return names
}
