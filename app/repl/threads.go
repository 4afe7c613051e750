package repl

// Programs with threads: the search of package threads instead of the loop over abstractions.
//
// A search goes forward only: it adds to one solver. reload begins it anew. What it looks at is seen
// at each step: the threads, the events of the present bound, and the clauses of the order that it
// needed so far, each with a cycle that shows why no order has all its facts.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"magus"
	"magus/app/draw"
	"magus/app/report"
	"magus/cfa"
	"magus/cfa/events"
	"magus/cfa/events/order"
	"magus/engine/cegar"
	"magus/engine/threaded"
	"magus/evidence/threadcert"
	"magus/internal/graph"
	"magus/internal/phrase"
)

// A search is a session about a claim that is none of the loop over abstractions: of threads, or of whole runs.
type search interface {
	magus.Session
	Outcome() *magus.Outcome
}

// threadSearch is the search of a claim, once somebody has asked for it.
type threadSearch struct {
	asked   bool
	session search // nil of claims of the loop
	steps   int    // that it has made
}

func (t threadSearch) end() {
	if t.session != nil {
		t.session.Close()
	}
}

// endless is more steps than any search has.
const endless = math.MaxInt

// threadCommands are the commands about programs with threads.
func threadCommands() []*Command {
	return []*Command{
		{Name: "threads", Group: groupThreads,
			Short: "List the threads that the search tells apart, and where they are created", run: lookThreads,
			Long: "step, next and run go on with the search of a claim about threads; a step\n" +
				"unrolls the program, looks for a violation, or asks whether executions go on.\n" +
				"back goes back: the steps before are made once more, which are the same."},
		{Name: "events", Group: groupThreads, Args: "[VARIABLE]",
			Short: "List the accesses to what threads share, at the present bound", run: lookEvents,
			Example: "events\nevents x"},
		{Name: "reasons", Group: groupThreads, Args: "[N]",
			Short: "List the clauses of the order so far, or the cycle of one", run: lookReasons,
			Long: "A clause has facts that no order of the accesses has all. The cycle that shows\n" +
				"it is made of the program's order, of facts, and of what follows: a write is not\n" +
				"between another one and the read that sees that."},
		{Name: "eog", Group: groupThreads, Args: "N [FILE]",
			Short: "Draw the event order graph of a clause, as DOT text or into a file", run: drawReason,
			Long: "In DOT each thread is a box. A dashed arrow leads from a write to the read that\n" +
				"sees it; the cycle, for which there is no order, is red.", Example: "eog 2\neog 2 cycle.svg"},
		{Name: "dropped", Group: groupThreads, Args: "[VARIABLE]",
			Short: "Count the conditions of the order that the search leaves out", run: lookDropped,
			Long: "Each read that may see a write has one with each other write of the variable:\n" +
				"that this is not between them. A formula with all is what --order full decides."},
	}
}

// newSearch begins the search of the present claim; nil if it is one of the loop.
func (sh *loaded) newSearch(ctx context.Context) (search, error) {
	claim := sh.claims[sh.claim]
	if claim.AsksRuns() {
		s, err := magus.NewSession(ctx, claim, sh.engine.Options())
		if err != nil {
			return nil, err
		}
		return s.(search), nil
	}
	s, err := magus.NewThreads(ctx, claim, sh.engine.Options())
	if err != nil || s == nil {
		return nil, err
	}
	return s, nil
}

// ofThreads is the search of threads that a search is, if it is one.
func ofThreads(s search) (*threaded.Session, bool) {
	t, ok := s.(*threaded.Session)
	return t, ok
}

// searchName is what a search is called.
func searchName(s search) string {
	if _, ok := ofThreads(s); ok {
		return "a search of threads"
	}
	return "a search of whole runs"
}

// threadSession is the search of the present claim; nil if that is one of the loop. It is begun
// when it is first asked for.
func (sh *loaded) threadSession(ctx context.Context) (search, error) {
	if sh.session == nil {
		return nil, nil
	}
	if !sh.threads.asked {
		s, err := sh.newSearch(ctx)
		if err != nil {
			return nil, err
		}
		sh.threads = threadSearch{asked: true, session: s}
	}
	return sh.threads.session, nil
}

// sequential is an error for claims that have a search.
func (sh *loaded) sequential(ctx context.Context) error {
	s, err := sh.threadSession(ctx)
	if s != nil {
		return errors.New(searchName(s) + " has no such events; step, next and run go on")
	}
	return err
}

// onlyForward is an error for claims that have a search.
func (sh *loaded) onlyForward(ctx context.Context) error {
	s, err := sh.threadSession(ctx)
	if s != nil {
		return errors.New(searchName(s) + " has no moments to go to; back N goes back, step and next go on")
	}
	return err
}

// rewind goes n steps back in the search of the present claim: another search makes the steps before once more, which
// are the same. If ctx ends, nothing changes.
func (sh *loaded) rewind(ctx context.Context, n int) error {
	if sh.threads.steps == 0 {
		return errors.New("this is the beginning of the session")
	}
	to := max(0, sh.threads.steps-n)
	s, err := sh.newSearch(ctx)
	if err != nil {
		return err
	}
	for range to {
		s.Step(ctx)
	}
	if ctx.Err() != nil {
		s.Close()
		return context.Cause(ctx)
	}
	sh.threads.end()
	sh.threads.session, sh.threads.steps = s, to
	return nil
}

// goBack is the command back in a search of threads.
func (c *call) goBack(ctx context.Context, n int) error {
	if err := c.rewind(ctx, n); err != nil {
		return err
	}
	c.printf("moment %d, next: %v\n", c.threads.steps, c.threads.session.Next())
	return nil
}

// searchOn makes at most n steps of a search and tells each, or only what comes out.
func (c *call) searchOn(ctx context.Context, s search, err error, n int, verbose bool) error {
	if err != nil {
		return err
	}
	if s.Next() == cegar.Finished && n != endless {
		return fmt.Errorf(
			"the search has ended (%v); back goes back, reload begins it anew, claim N another one", s.Outcome().Verdict)
	}
	begin := c.host.Seconds()
	limited, cancel := c.host.Within(ctx, c.spent)
	defer cancel()
	defer func() { c.spent += c.host.Seconds() - begin }()
	for ; n > 0 && s.Next() != cegar.Finished; n-- {
		e := s.Step(limited)
		c.threads.steps++
		if ended, ok := e.(cegar.Ended); ok {
			return c.views.printOutcome(ended.Outcome, false)
		}
		if verbose {
			c.printf("%-15s  %s\n", e.Phase(), c.views.text(false).Wrapped(fmt.Sprint(e), 17))
		}
	}
	if s.Next() == cegar.Finished {
		return c.views.printOutcome(s.Outcome(), false)
	}
	return nil
}

// threadTrace is the command trace of a search.
func (c *call) threadTrace(s search) error {
	if o := s.Outcome(); o == nil || o.Run == nil {
		return errors.New("there is no counterexample so far; run goes on")
	}
	return c.views.printOutcome(s.Outcome(), false)
}

// threadsPicture draws the program of all threads, which the search is about.
func (c *call) threadsPicture(s *threaded.Session, object string) (*draw.Picture, error) {
	if object != "cfa" {
		return nil, fmt.Errorf("a search of threads has no %s; cfa is the program of all threads, eog N a reason",
			strings.ToUpper(object))
	}
	v := s.View()
	if len(v.Components) == 0 {
		return nil, fmt.Errorf("there is no automaton of the threads: %s", s.Outcome().Reason.Text)
	}
	return draw.Automaton(v.Components[0], c.host.Engine), nil
}

// threadInfo is the command info in a search of threads.
func (c *call) threadInfo(s search) {
	if t, ok := ofThreads(s); ok {
		c.printf("strategy   a search of the executions of all threads\n")
		for _, comp := range t.View().Components {
			c.printf("component  %s: %s, %s\n", comp.Name, phrase.Plural(len(comp.CFA.Locs), "location"),
				phrase.Plural(len(comp.CFA.Threads), "thread"))
		}
	} else {
		c.printf("strategy   a search of whole runs\n")
		for _, comp := range c.session.View().Components {
			c.printf("component  %s: %s\n", comp.Name, phrase.Plural(len(comp.CFA.Locs), "location"))
		}
	}
	c.printf("moment     %d\n", c.threads.steps)
	if o := s.Outcome(); s.Next() == cegar.Finished && o != nil {
		c.printf("verdict    %v\n", o.Verdict)
	} else {
		c.printf("next       %v\n", s.Next())
	}
}

// threadStats is the command stats in a search of threads.
func (c *call) threadStats(of search) {
	c.printf("%s\n", phrase.Plural(c.threads.steps, "step"))
	s, ok := ofThreads(of)
	if !ok {
		return
	}
	for _, f := range s.Figures() {
		c.printf("%-22s %d\n", f.Name, f.Value)
	}
	var b strings.Builder
	report.WriteMethods(&b, report.NewMethods(s.View().Methods), "", report.Text{})
	c.printf("%s", b.String())
}

// searched is the search of the present claim.
func (c *call) searched(ctx context.Context) (*threaded.Session, *events.Program, *cfa.CFA, error) {
	if c.session == nil {
		return nil, nil, nil, errNothing
	}
	any, err := c.threadSession(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	s, ok := ofThreads(any)
	if !ok {
		return nil, nil, nil, errors.New("the claim is not about a program with threads")
	}
	search, auto := s.Search()
	if search == nil {
		return nil, nil, nil, fmt.Errorf("there is no search: %s", s.Outcome().Reason.Text)
	}
	return s, search.Program(), auto, nil
}

var errNotUnrolled = errors.New("nothing is unrolled yet; step does that")

// lookThreads is the command threads.
func lookThreads(ctx context.Context, c *call) error {
	if len(c.args) > 0 {
		return c.usage()
	}
	_, p, auto, err := c.searched(ctx)
	if err != nil {
		return err
	}
	for i, t := range auto.Threads {
		where := "the main thread"
		if i > 0 {
			where = fmt.Sprintf("created at %v", t.Site)
		}
		if p != nil && i < len(p.Threads) && len(p.Threads[i]) == 0 {
			where += ", never begins at this bound"
		}
		c.row("%3d  %-24s  %s", i, t.Name, where)
	}
	return nil
}

// lookEvents is the command events.
func lookEvents(ctx context.Context, c *call) error {
	s, p, auto, err := c.searched(ctx)
	if err != nil {
		return err
	}
	if p == nil {
		return errNotUnrolled
	}
	d := describer{s, p, auto}
	cell, err := c.cell(p)
	if err != nil {
		return err
	}
	c.row("%5s  %-24s  %-6s  %-20s  %s", "event", "thread", "access", "variable", "place")
	for i := range p.Events {
		e := &p.Events[i]
		if cell >= 0 && e.Cell != cell {
			continue
		}
		access := "reads"
		if e.Write {
			access = "writes"
		}
		if e.Guard.Term().IsTrue() {
			access += "*"
		}
		c.row("%5d  %-24s  %-6s  %-20s  %s", i, auto.Threads[e.Thread].Name, access, p.Cells[e.Cell].Name(), d.place(e))
	}
	c.printf("* in every execution\n")
	return nil
}

// cell is the shared variable of the first argument; -1 without one.
func (c *call) cell(p *events.Program) (int, error) {
	if len(c.args) == 0 {
		return -1, nil
	}
	if len(c.args) > 1 {
		return 0, c.usage()
	}
	var names []string
	for i, x := range p.Cells {
		if x.Name() == c.args[0] {
			return i, nil
		}
		names = append(names, x.Name())
	}
	hint := phrase.Suggest(c.args[0], names)
	if hint == "" {
		hint = "; there are " + phrase.Few(names, 12)
	}
	return 0, fmt.Errorf("no shared variable %s%s", c.args[0], hint)
}

// lookDropped is the command dropped.
func lookDropped(ctx context.Context, c *call) error {
	s, p, _, err := c.searched(ctx)
	if err != nil {
		return err
	}
	if p == nil {
		return errNotUnrolled
	}
	only, err := c.cell(p)
	if err != nil {
		return err
	}
	reads, writes := make([]int, len(p.Cells)), make([]int, len(p.Cells))
	for i := range p.Events {
		if e := &p.Events[i]; e.Write {
			writes[e.Cell]++
		} else {
			reads[e.Cell]++
		}
	}
	c.row("%-20s  %6s  %6s  %10s", "variable", "reads", "writes", "conditions")
	total := 0
	for i, x := range p.Cells {
		n := reads[i] * writes[i] * max(writes[i]-1, 0)
		total += n
		if only < 0 || i == only {
			c.row("%-20s  %6d  %6d  %10d", x.Name(), reads[i], writes[i], n)
		}
	}
	if only < 0 {
		c.printf("at most %s in all; %s needed so far\n", phrase.Plural(total, "condition"),
			phrase.Plural(s.Stats().Reasons, "clause"))
	}
	return nil
}

// lookReasons is the command reasons.
func lookReasons(ctx context.Context, c *call) error {
	s, p, auto, err := c.searched(ctx)
	if err != nil {
		return err
	}
	if p == nil {
		return errNotUnrolled
	}
	search, _ := s.Search()
	all, err := search.Reasons(ctx)
	if err != nil {
		return err
	}
	d := describer{s, p, auto}
	switch len(c.args) {
	case 0:
		c.none(len(all), "no clause of the order was needed at this bound so far")
		for i, l := range all {
			c.printf("%3d  %s\n", i+1, c.views.text(false).Wrapped(d.lemma(l), 5))
		}
		return nil
	case 1:
		n, err := reason(c.args[0], len(all))
		if err != nil {
			return err
		}
		for _, f := range all[n] {
			c.printf("%s\n", d.fact(f))
		}
		cycle := threadcert.Explain(p, all[n])
		c.none(len(cycle), "no single cycle: both ways to order a write and a read are impossible")
		for _, a := range cycle {
			c.row("  %-34s  before  %-34s  %s", d.node(a.From), d.node(a.To), a.Why)
		}
		return nil
	}
	return c.usage()
}

// drawReason is the command eog.
func drawReason(ctx context.Context, c *call) error {
	if len(c.args) < 1 || len(c.args) > 2 {
		if _, p, _, err := c.searched(ctx); err != nil {
			return err
		} else if p == nil {
			return errNotUnrolled
		}
		return c.usage()
	}
	g, err := c.reasonDrawn(ctx, c.args[0])
	if err != nil {
		return err
	}
	if len(c.args) == 1 {
		c.printf("%s", g)
		return nil
	}
	out, err := c.Render(ctx, g, c.args[1], draw.Own)
	if err != nil {
		return err
	}
	if err := c.host.WriteFile(c.args[1], out); err != nil {
		return err
	}
	c.printf("drawn in %s\n", c.args[1])
	return nil
}

// reasonDrawn is the event order graph of a clause.
func (c *call) reasonDrawn(ctx context.Context, which string) (*graph.Drawing, error) {
	s, p, auto, err := c.searched(ctx)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, errNotUnrolled
	}
	search, _ := s.Search()
	all, err := search.Reasons(ctx)
	if err != nil {
		return nil, err
	}
	n, err := reason(which, len(all))
	if err != nil {
		return nil, err
	}
	return describer{s, p, auto}.drawing(all[n], n+1), nil
}

// reason is the index of a clause of the order.
func reason(text string, n int) (int, error) {
	if n == 0 {
		return 0, errors.New("no clause of the order was needed at this bound so far")
	}
	return number(text, "reason", n)
}

// describer says what facts are about.
type describer struct {
	s    *threaded.Session
	p    *events.Program
	auto *cfa.CFA
}

func (d describer) lemma(l threadcert.Lemma) string {
	var facts []string
	for _, f := range l {
		facts = append(facts, d.fact(f))
	}
	return strings.Join(facts, "; ")
}

func (d describer) fact(f threadcert.Fact) string {
	switch f.Kind {
	case threadcert.Happens:
		return d.event(f.A) + " happens"
	case threadcert.Sees:
		return fmt.Sprintf("%s sees %s", d.event(f.B), d.event(f.A))
	}
	return fmt.Sprintf("%s comes before %s", d.node(d.p.Edges[f.A].From), d.node(d.p.Edges[f.A].To))
}

// event is "7 (worker@4:2#1 writes x, line 5)".
func (d describer) event(i int) string {
	e := &d.p.Events[i]
	verb := "reads"
	if e.Write {
		verb = "writes"
	}
	return fmt.Sprintf("%d (%s %s %s, %s)", i, d.auto.Threads[e.Thread].Name, verb, d.p.Cells[e.Cell].Name(), d.line(e))
}

// pos is where an event is, false if that is before the first thread is created.
func (d describer) pos(e *events.Event) (cfa.Pos, bool) {
	l := d.p.Locs[e.Node]
	if l < 0 || int(l) >= len(d.auto.Locs) {
		return cfa.Pos{}, false
	}
	return d.s.Place(l), true
}

func (d describer) place(e *events.Event) string {
	if pos, ok := d.pos(e); ok {
		return pos.String()
	}
	return "before the first thread is created"
}

func (d describer) line(e *events.Event) string {
	if pos, ok := d.pos(e); ok {
		return fmt.Sprintf("line %d", pos.Line)
	}
	return "at the beginning"
}

// node is what happens at a node.
func (d describer) node(n order.Node) string {
	var all []string
	first := -1
	for i := range d.p.Events {
		if d.p.Events[i].Node == n {
			if first < 0 {
				first = i
			}
			all = append(all, strconv.Itoa(i))
		}
	}
	thread := d.auto.Threads[d.p.Thread[n]].Name
	switch len(all) {
	case 0:
		return thread + ", a beginning or an end"
	case 1:
		return d.event(first)
	}
	return fmt.Sprintf("%s of %s, %s", phrase.Few(all, 6), thread, d.line(&d.p.Events[first]))
}

// drawing is what a lemma speaks of: a column for each thread, what is seen as dashed arrows, what
// follows as hollow ones, and the cycle in red.
func (d describer) drawing(l threadcert.Lemma, number int) *graph.Drawing {
	arcs, cycle := threadcert.Arcs(d.p, l), threadcert.Explain(d.p, l)
	g := graph.NewDrawing(fmt.Sprintf("reason %d", number))
	columns, nodes := map[int]graph.Cluster{}, map[order.Node]int{}
	node := func(n order.Node) int {
		if _, ok := nodes[n]; !ok {
			t := d.p.Thread[n]
			if _, ok := columns[t]; !ok {
				columns[t] = g.Cluster(d.auto.Threads[t].Name)
			}
			red := slices.ContainsFunc(cycle, func(a threadcert.Arc) bool { return a.From == n })
			label := d.node(n)
			name, _, _ := strings.Cut(strings.Fields(label)[0], ",")
			nodes[n] = g.Node(graph.Node{Label: label, Name: name, Cluster: columns[t], Shape: "box", Highlight: red})
		}
		return nodes[n]
	}
	for _, a := range arcs {
		other := func(b threadcert.Arc) bool { return b != a && b.From == a.From && b.To == a.To }
		if a.Why == threadcert.Program && slices.ContainsFunc(arcs, other) {
			continue // another reason says more
		}
		g.Edge(graph.Edge{From: node(a.From), To: node(a.To), Label: a.Why, Dashed: a.Why == threadcert.Seen,
			Highlight: slices.Contains(cycle, a)})
	}
	return g
}
