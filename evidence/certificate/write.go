package certificate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"magus/smt/expr"
)

// Write writes a document. The error is w's.
func Write(w io.Writer, d *Document) error {
	out := &writer{w: bufio.NewWriter(w)}
	_, _ = out.w.WriteString("[\n") // an error stays with the writer
	n := len(d.Certificates)
	out.record(header{&n, formatVersion, len(d.Question)})
	for _, f := range d.Question {
		out.record(factRecord{&f.Name, f.Value})
	}
	for _, c := range d.Certificates {
		out.certificate(c)
	}
	end := true
	out.last(endRecord{&end})
	return out.w.Flush()
}

type writer struct{ w *bufio.Writer }

// record writes one line. The records hold nothing that JSON cannot say.
func (o *writer) record(r any) {
	o.line(r)
	_, _ = o.w.WriteString(",\n")
}

func (o *writer) last(r any) {
	o.line(r)
	_, _ = o.w.WriteString("\n]\n")
}

func (o *writer) line(r any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		panic(err)
	}
	_, _ = o.w.Write(bytes.TrimRight(b.Bytes(), "\n"))
}

func (o *writer) certificate(c *Certificate) {
	if len(c.Parts) > 0 {
		o.record(claimRecord{Claim: &c.Claim, Verdict: c.Verdict, Parts: len(c.Parts)})
		for _, p := range c.Parts {
			o.certificate(p)
		}
		return
	}
	if t := c.Threads; t != nil && t.Whole == "" {
		o.record(claimRecord{&c.Claim, c.Verdict, 0, c.Recursion, c.Inlined, c.Once, t.record(), c.Cells, 0})
		o.threads(t)
		return
	}
	switch c.Verdict {
	case "conforms":
		o.proof(c)
	case "violates":
		o.violation(c)
	default:
		o.record(claimRecord{Claim: &c.Claim, Verdict: c.Verdict})
	}
}

// proof writes what shows that a claim holds.
func (o *writer) proof(c *Certificate) {
	if c.Unrolled != nil {
		o.record(claimRecord{&c.Claim, c.Verdict, 0, c.Recursion, c.Inlined, c.Once, c.Threads.record(), c.Cells, 0})
		o.record(unrolledRecord{&c.Unrolled.Layers, names(c.Unrolled.Order)})
		return
	}
	if c.Executed != nil {
		o.record(claimRecord{&c.Claim, c.Verdict, 0, c.Recursion, c.Inlined, c.Once, c.Threads.record(), c.Cells, 0})
		o.record(executedRecord{&c.Executed.Steps})
		return
	}
	o.record(claimRecord{&c.Claim, c.Verdict, len(c.Components), c.Recursion, c.Inlined, c.Once,
		c.Threads.record(), c.Cells, 0})
	for i := range c.Components {
		o.component(&c.Components[i])
	}
	if c.Contracts != nil {
		o.contracts(c.Contracts)
		return
	}
	if c.Induction != nil {
		o.induction(c.Induction, c.Ranking)
		return
	}
	if c.Live != nil {
		n := len(c.Live.Ranks)
		o.record(livenessRecord{&n})
		o.lessenings(c.Live.Ranks)
		return
	}
	if len(c.Ends) > 0 {
		n := len(c.Ends)
		o.record(endsRecord{&n})
		o.lessenings(c.Ends)
	}
	if c.Deadlock {
		yes, cuts := true, c.Sets != nil || c.Containment != nil
		if o.record(freeRecord{&yes, cuts, c.Told}); !cuts {
			return
		}
	} else if c.Told != nil {
		o.record(toldRecord{c.Told})
	}
	if c.Simulation != nil {
		n := len(c.Simulation.Pairs)
		o.record(simulationRecord{&n})
		for _, p := range c.Simulation.Pairs {
			at := append([]int{}, p.At...)
			o.record(pairRecord{&at, p.Spec})
		}
		return
	}
	if c.Sets != nil {
		o.sets(c.Sets.List)
		return
	}
	var text strings.Builder
	_ = c.Containment.Write(&text) // a Builder takes everything
	lines := strings.Split(strings.TrimRight(text.String(), "\n"), "\n")
	n := len(lines)
	o.record(containmentRecord{&n})
	for _, l := range lines {
		o.record(l)
	}
}

// set writes a recurrence set: its conditions, and the rounds besides the one that is executed.
func (o *writer) set(s *RecurrenceSet) {
	n := len(s.Others)
	o.component(&s.Component)
	o.record(othersRecord{&n})
	for i := range s.Others {
		o.record(moveOf(&s.Others[i], nil))
	}
}

func (o *writer) lessenings(ranks []Lessening) {
	for _, r := range ranks {
		o.record(lesseningRecord{&r.Component, r.Term, r.Up})
	}
}

// violation writes the run that shows that a claim does not hold.
func (o *writer) violation(c *Certificate) {
	o.record(claimRecord{&c.Claim, c.Verdict, len(c.Runs), c.Recursion, c.Inlined, c.Once, c.Threads.record(), c.Cells, 0})
	trace := append([]string{}, c.Trace...)
	o.record(traceRecord{&trace, c.By, len(c.Branches), c.Round != nil, c.Order, len(c.Components)})
	for _, b := range c.Branches {
		own := append([]string{}, b.Trace...)
		o.record(branchRecord{&own, append([][]int{}, b.By...), b.Visible, append([]int{}, b.Shared...)})
	}
	if c.Round != nil {
		o.record(roundRecord{&c.Round.Actions, append([]int{}, c.Round.Moves...), len(c.Round.Sets)})
		for i := range c.Round.Sets {
			o.set(&c.Round.Sets[i])
		}
	}
	for i := range c.Runs {
		o.run(&c.Runs[i])
	}
	for i := range c.Components {
		o.component(&c.Components[i])
	}
}

func (o *writer) induction(c *Induction, ranking *Ranking) {
	r := inductionRecord{&c.Assumed, names(c.Order), len(c.CutPoints), nil, 0}
	if ranking != nil {
		n := len(ranking.Ranks)
		r.Ranks, r.Together = &n, ranking.Layers
	}
	o.record(r)
	for _, p := range c.CutPoints {
		at := p.At.String()
		o.record(placeRecord{&at, append([]int{}, p.Spec...), append([]int{}, p.Invariants...)})
	}
	if ranking != nil {
		for i := range ranking.Ranks {
			o.record(rankRecord{names(ranking.Ranks[i].At), append([]int{}, ranking.Ranks[i].Terms...)})
		}
	}
}

func (o *writer) contracts(c *Contracts) {
	n := len(c.List)
	o.record(contractsRecord{&n})
	for i := range c.List {
		k := &c.List[i]
		o.record(contractRecord{&k.Body, k.On, append([]int{}, k.Holds...)})
	}
}

// names are control points as the text has them.
func names(order []Node) []string {
	all := []string{}
	for _, n := range order {
		all = append(all, n.String())
	}
	return all
}

func (o *writer) sets(sets []Set) {
	n := len(sets)
	o.record(setsRecord{&n})
	for _, s := range sets {
		copies := make([][][]int, len(s.Counts))
		for i, counts := range s.Counts {
			copies[i] = [][]int{}
			for _, c := range counts {
				copies[i] = append(copies[i], []int{c.State, c.Copies})
			}
		}
		o.record(setRecord{&copies, append([]int{}, s.Spec...)})
	}
}

func (o *writer) component(c *Component) {
	o.record(componentRecord{&c.Name, len(c.Terms), append([]int{}, c.Atoms...), c.Blocks, names(c.Through),
		len(c.States)})
	for i := range c.Terms {
		o.term(&c.Terms[i])
	}
	for i := range c.States {
		s := &c.States[i]
		at := s.At.String()
		r := stateRecord{At: &at, Holds: s.Holds, To: []edgeRecord{}}
		if s.Block >= 0 {
			r.Block = &s.Block
		}
		for _, e := range s.Edges {
			r.To = append(r.To, edgeRecord(e))
		}
		o.record(r)
	}
}

func (o *writer) term(t *Term) { o.record(t.record()) }

// record is ["<", "bool", 3, 4], ["var", "i32", "x"].
func (t *Term) record() []any {
	r := []any{operators[t.Op].name, typeName(t.Type)}
	switch t.Op {
	case expr.Var:
		r = append(r, t.Name)
	case expr.Const:
		r = append(r, strconv.FormatUint(t.Value, 10))
	}
	for _, a := range t.Args {
		r = append(r, a)
	}
	return r
}

func (o *writer) run(r *Run) {
	o.record(runRecord{&r.Name, values(r.Init), len(r.Moves)})
	for i := range r.Moves {
		o.record(moveOf(&r.Moves[i], nil))
	}
}

// moveOf is a move as a record, with the thread that makes it, if there are several.
func moveOf(m *Move, by *int) moveRecord {
	to := m.To.String()
	r := moveRecord{To: &to, Action: m.Action, By: by, Set: values(m.Set), Times: m.Times}
	for i := range m.Round {
		r.Round = append(r.Round, moveOf(&m.Round[i], nil))
	}
	return r
}

func values(vs []Value) map[string]string {
	m := map[string]string{}
	for _, v := range vs {
		m[v.Var] = strconv.FormatUint(v.Bits, 10)
	}
	return m
}

// typeName is bool, i32, u8 and so on; f64e11 has an exponent of 11 bits.
func typeName(t expr.Type) string {
	switch {
	case t.IsBool():
		return "bool"
	case t.IsFloat():
		return fmt.Sprintf("f%de%d", t.Width, t.Exp)
	case t.Signed:
		return "i" + strconv.Itoa(int(t.Width))
	}
	return "u" + strconv.Itoa(int(t.Width))
}

// An edgeRecord is ["action", target].
type edgeRecord Edge

// MarshalJSON implements json.Marshaler.
func (e edgeRecord) MarshalJSON() ([]byte, error) { return json.Marshal([]any{e.Action, e.To}) }
