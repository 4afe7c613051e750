package certificate_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/evidence/certificate"
	"magus/lts"
	"magus/smt/expr"
)

// What certificates say, looked at by brute force: the tuples of states of components one after the other, and
// components executed on few values. It shares the automaton with the checker, and the meaning of terms; nothing else.

// A stander is a component by its states: where they lead, and what it offers where it stands still.
type stander struct {
	first  []int
	out    [][]certificate.Edge
	stands [][]standing
}

// A standing is a way to stand still in a state.
type standing struct {
	offers []string
	ended  bool
}

// standsName tells actions by which a component says where it stands from others, and what they say.
var standsName = regexp.MustCompile(`^` + regexp.QuoteMeta(cfa.StandsPrefix) + `\d+: (ended|waits for .*)}$`)

// saidStanding is what an action says; ok is false if it is another one.
func saidStanding(action string) (s standing, ok bool) {
	m := standsName.FindStringSubmatch(action)
	if m == nil {
		return s, false
	}
	s.ended = m[1] == "ended"
	for _, quoted := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(m[1], -1) {
		s.offers = append(s.offers, quoted[1])
	}
	return s, true
}

// abstracted is the abstraction of a component in a certificate; ok is false if a step leads nowhere.
func abstracted(c *certificate.Component) (s stander, ok bool) {
	s = stander{first: []int{0}, out: make([][]certificate.Edge, len(c.States)), stands: make([][]standing, len(c.States))}
	for i, q := range c.States {
		for _, e := range q.Edges {
			if e.To < 0 || e.To >= len(c.States) {
				return s, false
			}
			if x, says := saidStanding(e.Action); says {
				s.stands[i] = append(s.stands[i], x)
			} else {
				s.out[i] = append(s.out[i], e)
			}
		}
	}
	return s, len(c.States) > 0
}

// executed is a component executed on few values.
type executed struct {
	cfa *cfa.CFA
	g   *interp.Graph
}

func execute(t *testing.T, auto *cfa.CFA) executed {
	t.Helper()
	g, err := interp.New(auto).Explore(context.Background(), func(v *expr.Expr) []uint64 {
		if v.Type().IsBool() {
			return []uint64{0, 1}
		}
		return []uint64{0, 1, 2, 5}
	}, nil, 10000)
	require.NoError(t, err)
	return executed{auto, g}
}

// stander is the component as it was executed.
func (x executed) stander() stander {
	s := stander{out: make([][]certificate.Edge, len(x.g.Nodes)), stands: make([][]standing, len(x.g.Nodes))}
	for n := range x.g.Nodes {
		if n < x.g.Initial {
			s.first = append(s.first, n)
		}
		for _, e := range x.g.Edges[n] {
			s.out[n] = append(s.out[n], certificate.Edge{Action: e.Action, To: e.To})
		}
		if a, waits := x.cfa.Locs[x.g.Nodes[n].State.Loc()].Stmt.(cfa.Act); waits {
			s.stands[n] = []standing{{offers: []string{a.Action}}}
		} else if x.ended(n) {
			s.stands[n] = []standing{{ended: true}}
		}
	}
	return s
}

// ended reports whether the component has returned.
func (x executed) ended(n int) bool {
	_, returns := x.cfa.Locs[x.g.Nodes[n].State.Loc()].Stmt.(cfa.Return)
	return returns && len(x.g.Edges[n]) == 0
}

// covered reports whether an abstraction does whatever the component does: the greatest relation in which it can follow
// has all initial states. stands asks besides that it stands wherever the component does.
func (x executed) covered(c *certificate.Component, stands bool) bool {
	model, ok := abstracted(c)
	atoms, typed := x.atoms(c)
	if !ok || !typed {
		return false
	}
	own := x.stander()
	related := make([][]bool, len(x.g.Nodes))
	for n := range related {
		related[n] = make([]bool, len(c.States))
		for s := range c.States {
			related[n][s] = x.at(n, c.States[s], atoms) && (!stands || sameStandings(own.stands[n], model.stands[s]))
		}
	}
	for again := true; again; {
		again = false
		for n := range related {
			for s := range related[n] {
				if related[n][s] && slices.ContainsFunc(own.out[n], func(e certificate.Edge) bool {
					return !slices.ContainsFunc(model.out[s], func(m certificate.Edge) bool {
						return m.Action == e.Action && related[e.To][m.To]
					})
				}) {
					related[n][s], again = false, true
				}
			}
		}
	}
	for _, n := range own.first {
		if c.States[0].At.Kind != certificate.Start || !slices.ContainsFunc(model.out[0], func(m certificate.Edge) bool {
			return m.Action == "" && related[n][m.To]
		}) {
			return false
		}
	}
	return true
}

// sameStandings reports whether the ways to stand are the same ones.
func sameStandings(a, b []standing) bool {
	within := func(a, b []standing) bool {
		return !slices.ContainsFunc(a, func(s standing) bool {
			return !slices.ContainsFunc(b,
				func(o standing) bool { return s.ended == o.ended && slices.Equal(s.offers, o.offers) })
		})
	}
	return within(a, b) && within(b, a)
}

// at reports whether a state stands for what was executed.
func (x executed) at(n int, q certificate.State, atoms []*expr.Expr) bool {
	state := x.g.Nodes[n].State
	if x.ended(n) != (q.At.Kind == certificate.End) {
		return false
	}
	if q.At.Kind != certificate.End && (q.At.Kind != certificate.Location || q.At.Loc != int(state.Loc())) ||
		len(q.Holds) != len(atoms) {
		return false
	}
	for i, a := range atoms {
		if said := q.Holds[i]; said != '-' && fmt.Sprint(state.Eval(a)) != string(said) {
			return false
		}
	}
	return true
}

// atoms are the conditions of an abstraction; ok is false if they are none.
func (x executed) atoms(c *certificate.Component) (atoms []*expr.Expr, ok bool) {
	terms, ok := x.terms(c)
	for _, a := range c.Atoms {
		if !ok || a < 0 || a >= len(terms) || !terms[a].Type().IsBool() {
			return nil, false
		}
		atoms = append(atoms, terms[a])
	}
	return atoms, ok
}

// terms are those of an abstraction over the automaton's variables.
func (x executed) terms(c *certificate.Component) (terms []*expr.Expr, ok bool) {
	defer func() { // ill-typed ones
		if recover() != nil {
			terms, ok = nil, false
		}
	}()
	for _, t := range c.Terms {
		switch t.Op {
		case expr.Var:
			k := slices.IndexFunc(x.cfa.Vars, func(v cfa.Var) bool { return v.Expr.Name() == t.Name && v.Expr.Type() == t.Type })
			if k < 0 {
				return nil, false
			}
			terms = append(terms, x.cfa.Vars[k].Expr)
		case expr.Const:
			terms = append(terms, x.cfa.Pool.Const(t.Type, t.Value))
		default:
			var args []*expr.Expr
			for _, a := range t.Args {
				args = append(args, terms[a])
			}
			terms = append(terms, x.cfa.Pool.Apply(t.Op, t.Type, args...))
		}
	}
	return terms, true
}

// A crowd is so many copies of standers, beside a specification.
type crowd struct {
	parts    []stander
	of       []int // by copy
	spec     *lts.LTS
	question component.Question
	relation component.Relation
	owned    []map[string]bool // by part: its actions
}

func newCrowd(asked *question, parts []stander, copies []int, owned []map[string]bool) *crowd {
	c := &crowd{parts: parts, spec: asked.spec, question: asked.claim.Question,
		relation: asked.claim.Relation, owned: owned}
	for i, n := range copies {
		for range n {
			c.of = append(c.of, i)
		}
	}
	return c
}

// A moment is where the copies are, where the specification may be, and how much of a trace is done.
type moment struct {
	at    []int
	known []lts.State
	done  int
}

// after are the states of the specification behind some by an action, or by none with "".
func (c *crowd) after(known []lts.State, action string) (next []lts.State) {
	add := func(s lts.State) {
		if !slices.Contains(next, s) {
			next = append(next, s)
		}
	}
	for _, s := range known {
		if action == "" {
			add(s)
		}
		for _, e := range c.spec.Out(s) {
			if e.Action != lts.Tau && c.spec.Actions().Name(e.Action) == action {
				add(e.To)
			}
		}
	}
	for i := 0; i < len(next); i++ {
		for _, e := range c.spec.OutBy(next[i], lts.Tau) {
			add(e.To)
		}
	}
	slices.Sort(next)
	return next
}

// observes reports whether the specification does an action.
func (c *crowd) observes(action string) bool {
	a, ok := c.spec.Actions().Lookup(action)
	return ok && c.spec.HasAction(a)
}

// steps calls emit for each step: of a copy alone with no action, or of one copy of each component that has it.
func (c *crowd) steps(at []int, emit func(action string, next []int)) {
	var join func(next []int, action string, part int)
	join = func(next []int, action string, part int) {
		if part == len(c.parts) {
			emit(action, slices.Clone(next))
			return
		}
		if !c.owned[part][action] {
			join(next, action, part+1)
			return
		}
		for k, i := range c.of {
			if i == part {
				for _, e := range c.parts[i].out[at[k]] {
					if e.Action == action {
						then := slices.Clone(next)
						then[k] = e.To
						join(then, action, part+1)
					}
				}
			}
		}
	}
	var met []string
	for k, i := range c.of {
		for _, e := range c.parts[i].out[at[k]] {
			if e.Action == "" {
				next := slices.Clone(at)
				next[k] = e.To
				emit("", next)
			} else if !slices.Contains(met, e.Action) {
				met = append(met, e.Action)
				join(at, e.Action, 0)
			}
		}
	}
}

// moments are all that can be come to, by a trace if it is not nil; without a specification any trace is its own.
func (c *crowd) moments(trace []string) (all []moment, leaves bool) {
	seen := map[string]bool{}
	meet := func(m moment) {
		if k := fmt.Sprint(m); !seen[k] {
			seen[k] = true
			all = append(all, m)
		}
	}
	var begin func(at []int)
	begin = func(at []int) {
		if len(at) == len(c.of) {
			meet(moment{at, c.after([]lts.State{c.spec.Init()}, ""), 0})
			return
		}
		for _, n := range c.parts[c.of[len(at)]].first {
			begin(append(slices.Clone(at), n))
		}
	}
	begin(nil)
	for i := 0; i < len(all); i++ {
		m := all[i]
		c.steps(m.at, func(action string, next []int) {
			after := moment{next, m.known, m.done}
			if action != "" && trace != nil {
				if m.done == len(trace) || trace[m.done] != action {
					return
				}
				after.done++
			}
			if action != "" && c.observes(action) {
				if after.known = c.after(m.known, action); len(after.known) == 0 {
					leaves = true
					return
				}
			}
			meet(after)
		})
	}
	return all, leaves
}

// holds reports whether the claim does, of these states.
func (c *crowd) holds() bool {
	all, leaves := c.moments(nil)
	return !leaves && !slices.ContainsFunc(all, c.wrong)
}

// shows reports whether a trace leads to where the claim does not hold, if the trace is allowed.
func (c *crowd) shows(trace []string) bool {
	all, leaves := c.moments(trace)
	return leaves || slices.ContainsFunc(all, func(m moment) bool { return m.done == len(trace) && c.wrong(m) })
}

// wrong reports whether copies are stuck, refuse what must be offered, or may go on for ever unobserved.
func (c *crowd) wrong(m moment) bool {
	switch {
	case c.question == component.NoDeadlock || c.relation == component.Failures:
		return c.stuck(m, nil)
	case c.relation == component.Divergences:
		return c.stuck(m, nil) || c.endless(m.at)
	}
	return false
}

// stuck reports whether the copies can all stand still, the first ones so, in a deadlock or where too much is refused.
func (c *crowd) stuck(m moment, stands []standing) bool {
	if k := len(stands); k < len(m.at) {
		return slices.ContainsFunc(c.parts[c.of[k]].stands[m.at[k]], func(s standing) bool {
			return c.stuck(m, append(slices.Clone(stands), s))
		})
	}
	var offered []string
	for _, s := range stands {
		for _, a := range s.offers {
			can := true
			for i := range c.parts {
				can = can && (!c.owned[i][a] || c.offers(stands, i, a))
			}
			if can {
				offered = append(offered, a)
			}
		}
	}
	if c.question == component.NoDeadlock {
		return len(offered) == 0 && slices.ContainsFunc(stands, func(s standing) bool { return !s.ended })
	}
	if slices.ContainsFunc(offered, func(a string) bool { return !c.observes(a) }) {
		return false
	}
	return !slices.ContainsFunc(m.known, func(q lts.State) bool {
		return !slices.ContainsFunc(c.spec.Out(q), func(e lts.Edge) bool {
			return e.Action == lts.Tau || !slices.Contains(offered, c.spec.Actions().Name(e.Action))
		})
	})
}

// offers reports whether a copy of a component offers an action.
func (c *crowd) offers(stands []standing, part int, action string) bool {
	for k, s := range stands {
		if c.of[k] == part && slices.Contains(s.offers, action) {
			return true
		}
	}
	return false
}

// endless reports whether steps that are not observed can go on for ever.
func (c *crowd) endless(from []int) bool {
	behind := func(start []int) (all [][]int) {
		seen := map[string]bool{}
		todo := [][]int{start}
		for len(todo) > 0 {
			at := todo[0]
			todo = todo[1:]
			c.steps(at, func(action string, next []int) {
				if k := fmt.Sprint(next); (action == "" || !c.observes(action)) && !seen[k] {
					seen[k] = true
					all, todo = append(all, next), append(todo, next)
				}
			})
		}
		return all
	}
	return slices.ContainsFunc(append(behind(from), from), func(at []int) bool {
		return slices.ContainsFunc(behind(at), func(b []int) bool { return slices.Equal(at, b) })
	})
}

// follows reports whether pairs are a simulation of one component by the specification, by its definition.
func (c *crowd) follows(pairs []certificate.SimulationPair) bool {
	related := func(at int, spec lts.State) bool {
		return slices.ContainsFunc(pairs, func(p certificate.SimulationPair) bool {
			return len(p.At) == 1 && p.At[0] == at && lts.State(p.Spec) == spec
		})
	}
	if !related(0, c.spec.Init()) {
		return false
	}
	for _, p := range pairs {
		if p.Spec < 0 || p.Spec >= c.spec.NumStates() || len(p.At) != 1 || p.At[0] < 0 || p.At[0] >= len(c.parts[0].out) {
			return false
		}
		for _, e := range c.parts[0].out[p.At[0]] {
			answers := []lts.State{lts.State(p.Spec)}
			if e.Action != "" && c.observes(e.Action) {
				answers = c.after(c.after(answers, ""), e.Action)
			}
			if !slices.ContainsFunc(answers, func(q lts.State) bool { return related(e.To, q) }) {
				return false
			}
		}
	}
	return true
}

// lessens reports whether what is said of cut points is so, and no rank gets greater between two visits of
// them; and that what leaves all ranks as they are leads in no circle of control points.
func (x executed) lessens(c *certificate.Certificate) bool {
	r := ranks{executed: x, cert: c}
	var ok bool
	if r.terms, ok = x.terms(&c.Components[0]); !ok || c.Induction == nil {
		return false
	}
	same := map[int][]int{} // by location: where a way leads that makes no rank smaller
	for n := range x.g.Nodes {
		p := r.cut(n)
		if p == nil {
			continue
		}
		for _, k := range p.Invariants {
			if k < 0 || k >= len(r.terms) || x.g.Nodes[n].State.Eval(r.terms[k]) == 0 {
				return false
			}
		}
		for _, m := range x.nextCuts(n, func(m int) bool { return r.cut(m) != nil }) {
			switch r.compare(n, m) {
			case greater:
				return false
			case equal:
				same[p.At.Loc] = append(same[p.At.Loc], r.cut(m).At.Loc)
			}
		}
	}
	for from := range same {
		met := slices.Clone(same[from])
		for i := 0; i < len(met); i++ {
			if met[i] == from {
				return false
			}
			for _, to := range same[met[i]] {
				if !slices.Contains(met, to) {
					met = append(met, to)
				}
			}
		}
	}
	return true
}

// ranks are those of a certificate.
type ranks struct {
	executed
	cert  *certificate.Certificate
	terms []*expr.Expr
}

// cut is what is said of the cut point of a node; nil if it is at none.
func (r *ranks) cut(n int) *certificate.CutPoint {
	for i := range r.cert.Induction.CutPoints {
		p := &r.cert.Induction.CutPoints[i]
		if p.At.Kind == certificate.Location && p.At.Loc == int(r.g.Nodes[n].State.Loc()) && !r.ended(n) {
			return p
		}
	}
	return nil
}

const (
	smaller = iota
	equal
	greater
)

// compare says what becomes of the ranks between two visits: of the first one that changes.
func (r *ranks) compare(n, m int) int {
	for _, rank := range r.cert.Ranking.Ranks {
		e, before, in := r.rank(n, rank)
		_, after, stays := r.rank(m, rank)
		switch {
		case !in || !stays || before == after:
		case e.Type().Less(before, after):
			return greater
		default:
			return smaller
		}
	}
	return equal
}

// rank is the value of a rank at a node.
func (r *ranks) rank(n int, rank certificate.Rank) (e *expr.Expr, value uint64, ok bool) {
	k := slices.Index(rank.At, r.cut(n).At)
	if k < 0 || k >= len(rank.Terms) || rank.Terms[k] < 0 || rank.Terms[k] >= len(r.terms) {
		return nil, 0, false
	}
	e = r.terms[rank.Terms[k]]
	return e, r.g.Nodes[n].State.Eval(e), !e.Type().IsBool()
}

// nextCuts are the next nodes behind one at cut points.
func (x executed) nextCuts(n int, isCut func(int) bool) (all []int) {
	seen := map[int]bool{}
	for todo := []int{n}; len(todo) > 0; todo = todo[1:] {
		for _, e := range x.g.Edges[todo[0]] {
			switch {
			case seen[e.To]:
			case isCut(e.To):
				seen[e.To] = true
				all = append(all, e.To)
			default:
				seen[e.To] = true
				todo = append(todo, e.To)
			}
		}
	}
	return all
}
