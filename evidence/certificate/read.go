package certificate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"magus/lts"
	"magus/lts/cert"
	"magus/smt/expr"
)

// Read reads a document; file is the name that errors begin with. A fault of
// its form is a *RefutedError with its line; others are what r returned, or the cause with
// which ctx ended.
func Read(ctx context.Context, r io.Reader, file string) (*Document, error) {
	in := &reader{ctx: ctx, r: bufio.NewReader(r), file: file}
	d, err := in.document()
	var no *RefutedError
	if err != nil && !errors.As(err, &no) {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return d, err
}

type reader struct {
	ctx  context.Context
	r    *bufio.Reader
	file string
	line int
}

// An endingReader is a text within the document, which ends with the context too.
type endingReader struct {
	ctx  context.Context
	text io.Reader
}

// Read implements io.Reader.
func (c endingReader) Read(b []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.text.Read(b)
}

func (in *reader) wrong(format string, args ...any) error {
	return refuted(in.line, format, args...)
}

// text is the next line.
func (in *reader) text() ([]byte, error) {
	if in.ctx.Err() != nil {
		return nil, context.Cause(in.ctx)
	}
	b, err := in.r.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	in.line++
	if err != nil && len(b) == 0 {
		return nil, in.wrong("the certificate ends here, it is not complete")
	}
	return bytes.TrimRight(b, "\r\n"), nil
}

// record reads the next line into r; the last record has no comma behind it.
func (in *reader) record(what string, r any) error {
	b, err := in.text()
	if err != nil {
		return err
	}
	b, comma := bytes.CutSuffix(b, []byte(","))
	if _, isEnd := r.(*endRecord); comma == isEnd {
		return in.wrong("expected %s, followed by a comma unless it is the last record", what)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return in.wrong("expected %s: %v", what, err)
	}
	if rest := bytes.TrimSpace(b[d.InputOffset():]); len(rest) > 0 {
		return in.wrong("expected %s: text after it", what)
	}
	return nil
}

// count checks a number of things to come: memory is taken as they come.
func (in *reader) count(what string, n int) error {
	if n < 0 {
		return in.wrong("%d %s", n, what)
	}
	return nil
}

func (in *reader) document() (*Document, error) {
	if b, err := in.text(); err != nil {
		return nil, err
	} else if string(b) != "[" {
		return nil, in.wrong("this is no certificate: expected [ on the first line")
	}
	var h header
	if err := in.record("the header", &h); err != nil {
		return nil, err
	}
	if h.Certificates == nil || h.Version != formatVersion {
		return nil, in.wrong("this is no certificate of version %d", formatVersion)
	}
	if err := errors.Join(in.count("certificates", *h.Certificates), in.count("facts", h.Question)); err != nil {
		return nil, err
	}
	d := &Document{line: in.line}
	for range h.Question {
		f, err := in.fact()
		if err != nil {
			return nil, err
		}
		d.Question = append(d.Question, f)
	}
	for range *h.Certificates {
		c, err := in.certificate(0)
		if err != nil {
			return nil, err
		}
		d.Certificates = append(d.Certificates, c)
	}
	return d, in.end()
}

func (in *reader) fact() (Fact, error) {
	var r factRecord
	if err := in.record("a part of the question", &r); err != nil {
		return Fact{}, err
	}
	if r.Asked == nil {
		return Fact{}, in.wrong("expected a part of the question")
	}
	return Fact{*r.Asked, r.Is, in.line}, nil
}

// end reads the last record, and that nothing follows.
func (in *reader) end() error {
	var end endRecord
	if err := in.record(`{"end":true}`, &end); err != nil {
		return err
	}
	if end.End == nil || !*end.End {
		return in.wrong(`expected {"end":true}`)
	}
	if b, err := in.text(); err != nil || string(b) != "]" {
		return in.wrong("expected ]")
	}
	if rest, err := io.ReadAll(in.r); err != nil || len(bytes.TrimSpace(rest)) > 0 {
		return in.wrong("text after the end")
	}
	return nil
}

// certificate reads one that is a part of so many others.
func (in *reader) certificate(depth int) (*Certificate, error) {
	var r claimRecord
	if err := in.record("a claim", &r); err != nil {
		return nil, err
	}
	if r.Claim == nil {
		return nil, in.wrong("expected a claim")
	}
	if err := in.count("components", r.Components); err != nil {
		return nil, err
	}
	if r.Recursion < 0 {
		return nil, in.wrong("recursion followed to depth %d", r.Recursion)
	}
	c := &Certificate{Claim: *r.Claim, Verdict: r.Verdict, Recursion: r.Recursion, Inlined: r.Inlined,
		Cells: r.Cells, Once: r.Once, line: in.line}
	if r.Parts != 0 {
		return c, in.parts(c, r, depth)
	}
	if r.Threads != nil {
		if err := in.threads(c, r); err != nil || c.Threads.Whole == "" {
			return c, err
		}
	}
	switch r.Verdict {
	case "conforms":
		return c, in.conforms(c, r.Components)
	case "violates":
		return c, in.violates(c, r.Components)
	case "unknown":
		return c, nil
	}
	return nil, in.wrong("verdict %q is none of conforms, violates, unknown", r.Verdict)
}

func (in *reader) conforms(c *Certificate, components int) error {
	for range components {
		comp, err := in.component()
		if err != nil {
			return err
		}
		c.Components = append(c.Components, *comp)
	}
	return in.shown(c, components)
}

// shown reads what is shown of the models.
func (in *reader) shown(c *Certificate, components int) error {
	var r struct {
		containmentRecord
		setsRecord
		freeRecord
		simulationRecord
		livenessRecord
		endsRecord
		contractsRecord
		Unrolled  *int     `json:"unrolled"`
		Executed  *int64   `json:"executed"`
		Assumed   *int     `json:"assumed"`
		Order     []string `json:"order"`
		CutPoints int      `json:"places"`
		Ranks     *int     `json:"ranks"`
		Together  int      `json:"together"`
	}
	if err := in.record("the containment", &r); err != nil {
		return err
	}
	given := 0
	for _, is := range []bool{r.Free != nil && *r.Free, r.Containment != nil, r.Sets != nil,
		r.Unrolled != nil, r.Executed != nil, r.Assumed != nil,
		r.Simulation != nil, r.AtLast != nil, r.Contracts != nil} {
		if is {
			given++
		}
	}
	switch {
	case given == 0 && r.Ends != nil && r.Told == nil && !c.Deadlock && c.Ends == nil:
		if err := in.ends(c, *r.Ends); err != nil {
			return err
		}
		return in.shown(c, components)
	case given == 0 && r.Told != nil && !c.Deadlock && c.Told == nil:
		c.Told = r.Told
		return in.shown(c, components)
	case given != 1:
		return in.wrong("expected the containment")
	case r.Free != nil && c.Deadlock:
		return in.wrong("expected the containment")
	case r.Free != nil:
		if c.Deadlock, c.Told = true, r.Told; r.Cuts {
			return in.shown(c, components)
		}
		return nil
	case r.Unrolled != nil && components == 0:
		return in.unrolled(c, unrolledRecord{r.Unrolled, r.Order})
	case r.Executed != nil && components == 0:
		if c.Executed = (&Executed{*r.Executed, in.line}); *r.Executed < 1 {
			return in.wrong("a run of %d statements", *r.Executed)
		}
		return nil
	case r.Assumed != nil && components == 1:
		return in.induction(c, inductionRecord{r.Assumed, r.Order, r.CutPoints, r.Ranks, r.Together})
	case r.Contracts != nil && components == 1:
		return in.contracts(c, *r.Contracts)
	case r.AtLast != nil && !c.Deadlock && c.Told == nil:
		return in.liveness(c, *r.AtLast)
	case r.Simulation != nil && !c.Deadlock:
		return in.simulation(c, *r.Simulation)
	case r.Sets != nil:
		return in.sets(c, *r.Sets)
	case r.Containment == nil:
		return in.wrong("expected the containment")
	}
	return in.containment(c, *r.Containment)
}

// containment reads the certificate of an inclusion, of so many lines.
func (in *reader) containment(c *Certificate, lines int) error {
	first := in.line + 1
	c.containmentLine = first
	var text strings.Builder
	for range lines {
		var l string
		if err := in.record("a line of text", &l); err != nil {
			return err
		}
		text.WriteString(strings.ReplaceAll(l, "\n", " ") + "\n")
	}
	var err error
	c.Containment, err = cert.Read(endingReader{in.ctx, strings.NewReader(text.String())}, in.file)
	var syntax *lts.SyntaxError
	if errors.As(err, &syntax) {
		return refuted(first+syntax.Line-1, "%s", syntax.Message)
	}
	return err
}

// contracts reads what holds in procedures.
func (in *reader) contracts(c *Certificate, n int) error {
	c.Contracts = &Contracts{line: in.line}
	if err := in.count("contracts", n); err != nil {
		return err
	}
	for range n {
		var r contractRecord
		if err := in.record("a contract", &r); err != nil {
			return err
		}
		if r.Of == nil {
			return in.wrong("expected a contract")
		}
		if r.On != OnEntry && r.On != OnExit {
			if _, err := in.node(r.On); err != nil {
				return err
			}
		}
		c.Contracts.List = append(c.Contracts.List, Contract{*r.Of, r.On, r.Holds, in.line})
	}
	return nil
}

// liveness reads the ranks of a proof of what happens at last.
func (in *reader) liveness(c *Certificate, n int) error {
	c.Live = &Liveness{line: in.line}
	var err error
	c.Live.Ranks, err = in.lessenings(n)
	return err
}

// ends reads the ranks of a proof that nothing diverges.
func (in *reader) ends(c *Certificate, n int) (err error) {
	if n < 1 {
		return in.wrong("expected ranks")
	}
	c.Ends, err = in.lessenings(n)
	return err
}

func (in *reader) lessenings(n int) (all []Lessening, err error) {
	if err := in.count("ranks", n); err != nil {
		return nil, err
	}
	for range n {
		var r lesseningRecord
		if err := in.record("a rank", &r); err != nil {
			return nil, err
		}
		if r.Of == nil {
			return nil, in.wrong("expected a rank")
		}
		all = append(all, Lessening{*r.Of, r.Less, r.Up, in.line})
	}
	return all, nil
}

// simulation reads the pairs of a relation.
func (in *reader) simulation(c *Certificate, n int) error {
	c.Simulation = &Simulation{line: in.line}
	for range n {
		var r pairRecord
		if err := in.record("a pair", &r); err != nil {
			return err
		}
		if r.Pair == nil {
			return in.wrong("expected a pair")
		}
		c.Simulation.Pairs = append(c.Simulation.Pairs, SimulationPair{*r.Pair, r.Spec, in.line})
	}
	return nil
}

// branches reads the branches of a tree.
func (in *reader) branches(c *Certificate, n int) error {
	for range n {
		var r branchRecord
		if err := in.record("a branch", &r); err != nil {
			return err
		}
		if r.Branch == nil || len(r.By) != len(*r.Branch) {
			return in.wrong("expected a branch, with who takes part in each of its actions")
		}
		c.Branches = append(c.Branches, Branch{*r.Branch, r.By, r.Visible, r.Shared, in.line})
	}
	return nil
}

// round reads where what goes on for ever begins.
func (in *reader) round(c *Certificate) error {
	var r roundRecord
	if err := in.record("a round", &r); err != nil {
		return err
	}
	if r.Round == nil {
		return in.wrong("expected a round")
	}
	c.Round = &Lasso{Actions: *r.Round, Moves: r.Moves, line: in.line}
	if err := in.count("sets", r.Sets); err != nil {
		return err
	}
	for range r.Sets {
		set, err := in.set()
		if err != nil {
			return err
		}
		c.Round.Sets = append(c.Round.Sets, set)
	}
	return nil
}

// set reads a recurrence set.
func (in *reader) set() (s RecurrenceSet, err error) {
	of, err := in.component()
	if err != nil {
		return s, err
	}
	s.Component = *of
	var r othersRecord
	if err := in.record("rounds besides", &r); err != nil {
		return s, err
	}
	if r.Others == nil {
		return s, in.wrong("expected how many rounds there are besides")
	}
	if err := in.count("rounds", *r.Others); err != nil {
		return s, err
	}
	for range *r.Others {
		m, by, err := in.move()
		if err != nil {
			return s, err
		}
		if by != nil || len(m.Round) == 0 {
			return s, in.wrong("expected a round")
		}
		s.Others = append(s.Others, m)
	}
	return s, nil
}

// unrolled reads how many layers the runs have, and their order.
func (in *reader) unrolled(c *Certificate, r unrolledRecord) error {
	order, err := in.order(r.Order)
	c.Unrolled = &Unrolled{Layers: *r.Unrolled, Order: order, line: in.line}
	return errors.Join(err, in.count("layers", *r.Unrolled))
}

// order reads control points.
func (in *reader) order(texts []string) ([]Node, error) {
	var all []Node
	for _, text := range texts {
		n, err := in.node(text)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// induction reads an induction with its cut points.
func (in *reader) induction(c *Certificate, r inductionRecord) error {
	order, err := in.order(r.Order)
	if err := errors.Join(err, in.count("layers", *r.Assumed), in.count("places", r.CutPoints)); err != nil {
		return err
	}
	c.Induction = &Induction{Assumed: *r.Assumed, Order: order, line: in.line}
	for range r.CutPoints {
		var p placeRecord
		if err := in.record("a place", &p); err != nil {
			return err
		}
		if p.Place == nil {
			return in.wrong("expected a place")
		}
		at, err := in.node(*p.Place)
		if err != nil {
			return err
		}
		c.Induction.CutPoints = append(c.Induction.CutPoints, CutPoint{at, p.Spec, p.Holds, in.line})
	}
	if r.Ranks == nil {
		return nil
	}
	return in.ranking(c, *r.Ranks, r.Together)
}

// ranking reads the ranks behind an induction.
func (in *reader) ranking(c *Certificate, n, together int) error {
	if err := errors.Join(in.count("ranks", n), in.count("layers", together)); err != nil {
		return err
	}
	c.Ranking = &Ranking{Layers: together, line: in.line}
	for range n {
		var r rankRecord
		if err := in.record("a rank", &r); err != nil {
			return err
		}
		if r.Rank == nil {
			return in.wrong("expected a rank")
		}
		at, err := in.order(r.Within)
		if err != nil {
			return err
		}
		c.Ranking.Ranks = append(c.Ranking.Ranks, Rank{at, r.Rank, in.line})
	}
	return nil
}

// sets reads the sets of the composition's states.
func (in *reader) sets(c *Certificate, n int) error {
	c.Sets = &Sets{line: in.line}
	for range n {
		var r setRecord
		if err := in.record("a set", &r); err != nil {
			return err
		}
		if r.Copies == nil {
			return in.wrong("expected a set: the copies and the states of the specification")
		}
		s := Set{Spec: r.Spec, Counts: make([][]Count, len(*r.Copies)), line: in.line}
		for i, counts := range *r.Copies {
			for _, c := range counts {
				if len(c) != 2 {
					return in.wrong("a state and a number of copies are two numbers")
				}
				s.Counts[i] = append(s.Counts[i], Count{c[0], c[1]})
			}
		}
		c.Sets.List = append(c.Sets.List, s)
	}
	return nil
}

func (in *reader) component() (*Component, error) {
	var r componentRecord
	if err := in.record("a component", &r); err != nil {
		return nil, err
	}
	if r.Component == nil {
		return nil, in.wrong("expected a component")
	}
	c := &Component{Name: *r.Component, Atoms: r.Atoms, Blocks: r.Blocks, line: in.line, atomsLine: in.line}
	if r.Blocks < 0 || r.Blocks > r.States {
		return nil, in.wrong("%d blocks of %d states", r.Blocks, r.States)
	}
	var err error
	if c.Through, err = in.order(r.Through); err != nil {
		return nil, err
	}
	for range r.Terms {
		t, err := in.term()
		if err != nil {
			return nil, err
		}
		c.Terms = append(c.Terms, t)
	}
	for range r.States {
		s, err := in.state()
		if err != nil {
			return nil, err
		}
		c.States = append(c.States, s)
	}
	return c, nil
}

func (in *reader) term() (Term, error) {
	var r []any
	if err := in.record("a term", &r); err != nil {
		return Term{}, err
	}
	t, wrong := termOf(r)
	if wrong != "" {
		return t, in.wrong("%s", wrong)
	}
	t.line = in.line
	return t, nil
}

// termOf is the term of a record; wrong says why it is none.
func termOf(r []any) (t Term, wrong string) {
	name, isName := at[string](r, 0)
	typ, isType := at[string](r, 1)
	op, known := operatorNamed(name)
	t.Type, isType = typeNamed(typ, isType)
	if !isName || !known || !isType {
		return t, "expected a term: an operator, a type, operands"
	}
	t.Op = op
	operands := r[2:]
	if op == expr.Var || op == expr.Const {
		text, ok := at[string](operands, 0)
		if !ok || len(operands) != 1 {
			return t, "expected the name of a variable or the value of a constant"
		}
		t.Name = text
		if op == expr.Const {
			var err error
			if t.Value, err = strconv.ParseUint(text, 10, 64); err != nil || !t.Type.IsBool() &&
				t.Type.Trunc(t.Value) != t.Value || t.Type.IsBool() && t.Value > 1 {
				return t, text + " is no value of this type"
			}
			t.Name = ""
		}
		return t, ""
	}
	for i := range operands {
		n, ok := at[float64](operands, i)
		if !ok || n != float64(int(n)) {
			return t, "an operand is the number of a term"
		}
		t.Args = append(t.Args, int(n))
	}
	return t, ""
}

// at is element i of a list, if there is one of that type.
func at[T any](list []any, i int) (T, bool) {
	var zero T
	if i >= len(list) {
		return zero, false
	}
	v, ok := list[i].(T)
	return v, ok
}

func operatorNamed(name string) (expr.Op, bool) {
	for op, o := range operators { // names are different: the order does not matter
		if o.name == name {
			return op, true
		}
	}
	return 0, false
}

func typeNamed(name string, ok bool) (expr.Type, bool) {
	if !ok || name == "" {
		return expr.Type{}, false
	}
	if name == "bool" {
		return expr.Bool, true
	}
	if t, is := floatNamed(name); is {
		return t, true
	}
	width, err := strconv.Atoi(name[1:])
	if err != nil || width < 1 || width > 64 || name[0] != 'i' && name[0] != 'u' {
		return expr.Type{}, false
	}
	return expr.Type{Width: uint8(width), Signed: name[0] == 'i'}, true
}

// floatNamed is a type of floating point.
func floatNamed(name string) (expr.Type, bool) {
	width, exp, ok := strings.Cut(strings.TrimPrefix(name, "f"), "e")
	w, err := strconv.ParseUint(width, 10, 8)
	e, fault := strconv.ParseUint(exp, 10, 8)
	if !ok || err != nil || fault != nil || name[0] != 'f' || e == 0 || e >= w {
		return expr.Type{}, false
	}
	t := expr.Type{Width: uint8(w), Exp: uint8(e)}
	return t, t.Format().Valid()
}

func (in *reader) state() (State, error) {
	var r stateRecord
	if err := in.record("a state", &r); err != nil {
		return State{}, err
	}
	if r.At == nil {
		return State{}, in.wrong("expected a state")
	}
	s := State{Holds: r.Holds, Block: -1, line: in.line}
	var err error
	if s.At, err = in.node(*r.At); err != nil {
		return s, err
	}
	if r.Block != nil {
		if s.Block = *r.Block; s.Block < 0 {
			return s, in.wrong("block %d", s.Block)
		}
	}
	for _, e := range r.To {
		s.Edges = append(s.Edges, Edge(e))
	}
	return s, nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *edgeRecord) UnmarshalJSON(b []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil || len(list) != 2 {
		return errors.New("a transition is an action and a state")
	}
	return errors.Join(json.Unmarshal(list[0], &e.Action), json.Unmarshal(list[1], &e.To))
}

// node reads what [Node.String] writes.
func (in *reader) node(text string) (Node, error) {
	switch text {
	case "start":
		return Node{Kind: Start}, nil
	case "end":
		return Node{Kind: End}, nil
	}
	n := Node{Kind: Location}
	loc, inside, isInside := strings.Cut(text, "/")
	_, err := fmt.Sscanf(loc, "L%d", &n.Loc)
	if err == nil && isInside {
		n.Kind = Inside
		_, err = fmt.Sscanf(inside, "%d.%d", &n.Choice, &n.State)
	}
	if err != nil || n.String() != text {
		return n, in.wrong("%q is no control point", text)
	}
	return n, nil
}

func (in *reader) violates(c *Certificate, components int) error {
	var r traceRecord
	if err := in.record("the trace", &r); err != nil {
		return err
	}
	if r.Trace == nil {
		return in.wrong("expected the trace")
	}
	c.Trace, c.By, c.Order, c.traceLine = *r.Trace, r.By, r.Order, in.line
	if err := errors.Join(in.count("branches", r.Branches), in.branches(c, r.Branches)); err != nil {
		return err
	}
	if r.GoesOn {
		if err := in.round(c); err != nil {
			return err
		}
	}
	for range components {
		run, err := in.run()
		if err != nil {
			return err
		}
		c.Runs = append(c.Runs, *run)
	}
	if err := in.count("models", r.Models); err != nil {
		return err
	}
	for range r.Models {
		comp, err := in.component()
		if err != nil {
			return err
		}
		c.Components = append(c.Components, *comp)
	}
	return nil
}

func (in *reader) run() (*Run, error) {
	var r runRecord
	if err := in.record("a run", &r); err != nil {
		return nil, err
	}
	if r.Run == nil {
		return nil, in.wrong("expected a run")
	}
	run := &Run{Name: *r.Run, line: in.line, initLine: in.line}
	var err error
	if run.Init, err = in.values(r.Init); err != nil {
		return nil, err
	}
	for range r.Moves {
		m, by, err := in.move()
		if err != nil {
			return nil, err
		}
		if by != nil {
			return nil, in.wrong("a component has no thread %d", *by)
		}
		run.Moves = append(run.Moves, m)
	}
	return run, nil
}

// move reads a move, and which thread makes it, if that is said.
func (in *reader) move() (m Move, by *int, err error) {
	var r moveRecord
	if err := in.record("a move", &r); err != nil {
		return m, nil, err
	}
	if r.Seen != "" {
		if r.By == nil || r.To != nil || r.Action != "" || len(r.Set) > 0 || len(r.Round) > 0 || r.Times > 0 {
			return m, nil, in.wrong("expected a move")
		}
		return Move{Seen: r.Seen, line: in.line}, r.By, nil
	}
	m, err = in.moveOf(&r)
	for i := range r.Round {
		if err != nil {
			return m, nil, err
		}
		var of Move
		if of, err = in.moveOf(&r.Round[i]); err == nil && (r.Round[i].By != nil || r.Round[i].Round != nil) {
			err = in.wrong("expected a move of a round")
		}
		m.Round = append(m.Round, of)
	}
	if err == nil && (len(m.Round) == 0) != (m.Times == 0) {
		err = in.wrong("expected rounds of a loop, and how many")
	}
	return m, r.By, err
}

// moveOf is what a record says of a move of statements, without those of a round.
func (in *reader) moveOf(r *moveRecord) (m Move, err error) {
	if r.To == nil || r.Seen != "" {
		return m, in.wrong("expected a move")
	}
	m.Action, m.Times, m.line = r.Action, r.Times, in.line
	if m.To, err = in.node(*r.To); err != nil {
		return m, err
	}
	m.Set, err = in.values(r.Set)
	return m, err
}

// values reads bit patterns, in the order of the variables' names.
func (in *reader) values(m map[string]string) ([]Value, error) {
	var vs []Value
	for _, name := range slices.Sorted(maps.Keys(m)) {
		bits, err := strconv.ParseUint(m[name], 10, 64)
		if err != nil {
			return nil, in.wrong("%s: %q is no bit pattern", name, m[name])
		}
		vs = append(vs, Value{name, bits})
	}
	return vs, nil
}
