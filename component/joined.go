package component

// Components that exchange messages with values, as one.
//
// Idea: where some component sends or receives a value, the claim is about their product, in which a value
// that is received is the one that was sent (package joint). What is carried falls into cells: the
// combinations of the specification's conditions on a channel that some value satisfies. Each is an action,
// and the specification is rewritten for them, as for returns.
//
// Cost: one enumeration over the conditions of a channel, and the product of the components.

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/joint"
	"magus/cfa/source"
	"magus/internal/phrase"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/specs"
)

// joined is what a claim knows of the components that it is about together.
type joined struct {
	of       *Claim // with the names of values made conditions
	names    []string
	channels map[string]*channel
	rigid    []string            // names of values
	value    expr.Type           // of what these stand for
	returned map[string][]string // by return action of the specification: those of the product
	others   []string            // return actions of the product
	backs    [][]string          // return actions of each component, the one of no condition first
	open     solver.Factory
}

// A channel is what actions of one name carry.
type channel struct {
	parts  []cfa.Carried // without values
	unmet  bool          // no run comes to where something is sent or received: what it carries is not known
	isSent bool
	conds  []specs.MessageAction // of the specification, each once
	cells  []messageCell
}

// A messageCell is one combination of the conditions.
type messageCell struct {
	action string
	holds  []bool // by condition
}

// deadlockAction is performed where components wait for each other for ever. No action of a program has such a name.
const deadlockAction = cfa.StandsPrefix + "deadlock}"

// Joined is the claim about the product of the components where some of them exchange messages with values,
// and else the claim. What is not modelled is a *cfa.UnsupportedError.
func (c *Claim) Joined(ctx context.Context, opt Options, open solver.Factory) (*Claim, error) {
	if c.joint != nil || c.Question == NoRace || c.Program == nil {
		return c, nil
	}
	mentioned := c.messages()
	if len(mentioned) == 0 && !c.Program.MayCarry() && c.Buffers == nil {
		return c, nil
	}
	j := &joined{open: open, channels: map[string]*channel{}}
	autos, err := c.lowerAll(ctx, opt)
	if err != nil {
		return nil, err
	}
	carries := false
	for i, auto := range autos {
		has, err := j.carried(auto)
		if err != nil {
			return nil, err
		}
		carries = carries || has
		j.names = append(j.names, c.partName(i)...)
	}
	if !carries && len(mentioned) == 0 && c.Buffers == nil {
		return c, nil
	}
	if err := j.findBuffers(ctx, c, autos); err != nil {
		return nil, err
	}
	for _, m := range mentioned {
		unreached := func(auto *cfa.CFA) bool { return slices.Contains(auto.Actions, m.Channel) }
		switch {
		case j.channels[m.Channel] != nil:
		case slices.ContainsFunc(autos, unreached) &&
			!slices.ContainsFunc(autos, func(auto *cfa.CFA) bool { return auto.Performs(m.Channel) }):
			j.channels[m.Channel] = &channel{parts: someNumber(), unmet: true} // no run comes to where it is sent or received
		default:
			return nil, &InputError{cfa.Pos(m.Pos),
				fmt.Sprintf("%s says what %s carries, and no component sends or receives it with a value%s",
					m.Name(), m.Channel, phrase.Misspelt(m.Channel, slices.Sorted(maps.Keys(j.channels))))}
		}
	}
	if err := c.joinable(autos); err != nil {
		return nil, err
	}
	of := *c
	of.Sources = &Sources{Program: c.Program, Specs: c.Specs, LongWidth: c.LongWidth}
	if of.Specs, j.rigid, err = c.Specs.Rigid(c.Specification, c.isConstant); err != nil {
		return nil, err
	}
	j.of = &of
	j.value = j.widest()
	if err := j.namesAsked(); err != nil {
		return nil, err
	}
	if err := j.findCells(ctx); err != nil {
		return nil, err
	}
	if err := j.findReturns(ctx, autos); err != nil {
		return nil, err
	}
	d := of
	d.joint, d.Assumed = j, slices.Clone(of.Assumed)
	d.Procedures, d.Guards, d.Copies = []string{strings.Join(j.names, "+")}, []*specs.CExpr{nil}, nil
	for i := range d.Assumed { // they are told with the verdict
		d.Assumed[i].Component = 0
	}
	if d.Live == nil {
		d.Question = NoError
	}
	if d.Relation == Failures {
		d.Relation = Traces // of the product, which says what it offers
	}
	return &d, nil
}

// messages are those that the specification mentions, or what is asked of whole runs.
func (c *Claim) messages() []specs.MessageAction {
	if c.Live != nil {
		return c.Specs.MessagesAsked(c.Live.Progress, c.Live.Formula)
	}
	return c.Specs.MessagesIn(c.Specification)
}

// namesAsked refuses names of values in what is asked of whole runs.
func (j *joined) namesAsked() error {
	if j.of.Live == nil {
		return nil
	}
	for _, m := range j.of.messages() {
		if m.Cond == nil && !j.of.isConstant(m.Var) {
			return &InputError{cfa.Pos(m.Pos), fmt.Sprintf("%s is no enumeration constant: names of values are not spoken of "+
				"in formulas; %s($1 == 3) is a value", m.Var, m.Channel)}
		}
	}
	return nil
}

// Carrying are the actions of the components that an action of a formula is: those of all values that it carries.
func (c *Claim) Carrying(name string) []string {
	if c.joint == nil {
		return []string{name}
	}
	j := c.joint
	channel := j.channels[j.channelOf(name)]
	if channel == nil {
		return []string{name}
	}
	if m, ok := j.of.Specs.MessageOf(name); ok && m.Cond == nil {
		name = m.Equals().Name()
	}
	return channel.actions(name)
}

// actions are those of the values that a message of the channel may carry; of all if it is none of its conditions.
func (ch *channel) actions(message string) (all []string) {
	k := slices.IndexFunc(ch.conds, func(m specs.MessageAction) bool { return m.Name() == message })
	for _, c := range ch.cells {
		if k < 0 || c.holds[k] {
			all = append(all, c.action)
		}
	}
	return all
}

// IsJoint reports whether a claim is about the product of components.
func (c *Claim) IsJoint() bool { return c.joint != nil }

// Names are those of the components, one for each copy of those that are looked at together.
func (c *Claim) Names() []string {
	if c.joint != nil {
		return c.joint.names
	}
	return c.Procedures
}

// partName is the name of component i, or those of its copies.
func (c *Claim) partName(i int) []string {
	n := c.CopiesOf(i)
	if n <= 1 {
		return []string{c.Procedures[i]}
	}
	var all []string
	for k := range n {
		all = append(all, fmt.Sprintf("%s#%d", c.Procedures[i], k+1))
	}
	return all
}

// isConstant reports whether the program has an enumeration constant of a name.
func (c *Claim) isConstant(name string) bool {
	_, ok := c.Program.Enumerator(expr.NewPool(), name)
	return ok
}

// lowerAll lowers all components. Bodies stand where calls are: an abstraction does not say what is carried.
func (c *Claim) lowerAll(ctx context.Context, opt Options) ([]*cfa.CFA, error) {
	opt.Product, opt.SharedBodies = nil, false
	d := *c
	d.joint, d.multiplied = nil, true
	if abstracted := d.Lowering.Abstracted; abstracted != nil {
		d.Lowering.Abstracted = func(name string) bool { return abstracted(name) && !c.Program.HasBody(name) }
	}
	var all []*cfa.CFA
	for i := range c.Procedures {
		auto, err := d.Lower(ctx, i, opt)
		if err != nil {
			return nil, err
		}
		all = append(all, auto)
	}
	return c.buffered(all)
}

// joinable refuses what is not modelled of components together.
func (c *Claim) joinable(autos []*cfa.CFA) error {
	for i := range c.Procedures {
		pos := autos[i].Locs[autos[i].Entry].Pos
		if c.CopiesOf(i) == specs.AnyNumber {
			return cfa.Unsupported(pos, "any number of copies of "+c.Procedures[i],
				"components that exchange values are looked at together: say how many run")
		}
	}
	if c.Live != nil {
		if err := c.wholeRuns(autos); err != nil {
			return err
		}
		if err := c.turns(autos); err != nil {
			return err
		}
	}
	if c.AsksStanding() || c.Live != nil {
		return onlySender(c, autos)
	}
	return nil
}

// wholeRuns refuses what is not modelled of whole runs of components together.
func (c *Claim) wholeRuns(autos []*cfa.CFA) error {
	for i, auto := range autos {
		pos := auto.Locs[auto.Entry].Pos
		if c.CopiesOf(i) > 1 && c.Live.Fairness != NoFairness {
			return cfa.Unsupported(pos, fmt.Sprintf("several copies of %s with %s", c.Procedures[i], c.Live.Fairness.Said()),
				"they exchange values: write a component for each, or ask with --fairness none")
		}
	}
	return nil
}

// onlySender refuses several components that send on one channel, where it is asked whether they wait: two that send
// different values wait for each other.
func onlySender(c *Claim, autos []*cfa.CFA) error {
	sender := map[string]int{}
	for i, auto := range autos {
		for _, l := range auto.Locs {
			a, ok := l.Stmt.(cfa.Act)
			if !ok || a.Message == nil || !a.Message.Sends || c.fills(a.Action) {
				continue
			}
			if k, met := sender[a.Action]; met && k != i {
				return cfa.Unsupported(l.Pos, fmt.Sprintf("%s sent by %s and by %s", a.Action, c.Procedures[k], c.Procedures[i]),
					"both take part in it at once, and wait where the values differ")
			}
			sender[a.Action] = i
		}
	}
	return nil
}

// carried notes the channels of an automaton, and reports whether it has some.
func (j *joined) carried(auto *cfa.CFA) (has bool, err error) {
	plain := map[string]cfa.Pos{}
	for _, l := range auto.Locs {
		a, ok := l.Stmt.(cfa.Act)
		if !ok {
			continue
		}
		if a.Message == nil {
			plain[a.Action] = l.Pos
			continue
		}
		has = true
		if err := j.carries(a, l.Pos); err != nil {
			return has, err
		}
	}
	for name, pos := range plain {
		if j.channels[name] != nil {
			return has, cfa.Fault(pos, name+" carries a value elsewhere, and none here")
		}
	}
	return has, nil
}

// carries notes what a message carries: of one that is sent that is the type of the channel.
func (j *joined) carries(a cfa.Act, pos cfa.Pos) error {
	parts := slices.Clone(a.Message.Parts)
	for i := range parts {
		parts[i].Value, parts[i].Gets = nil, nil
	}
	known := j.channels[a.Action]
	switch {
	case known == nil:
		known = &channel{parts: parts}
		j.channels[a.Action] = known
	case !slices.EqualFunc(known.parts, parts, func(a, b cfa.Carried) bool { return a.Path == b.Path }):
		return cfa.Fault(pos, fmt.Sprintf("%s carries %s here and %s elsewhere", a.Action, written(parts),
			written(known.parts)))
	case known.isSent && a.Message.Sends && !slices.Equal(known.parts, parts):
		return cfa.Fault(pos, fmt.Sprintf("%s is sent as %s here and as %s elsewhere: give %s one type for each action",
			a.Action, written(parts), written(known.parts), source.Send))
	case a.Message.Sends:
		known.parts = parts
	case !known.isSent:
		for i := range parts {
			if known.parts[i].Type.Width < parts[i].Type.Width {
				known.parts[i].Type = parts[i].Type
			}
		}
	}
	known.isSent = known.isSent || a.Message.Sends
	return nil
}

// written is what is carried for people: int, or {int .kind, int .seq}.
func written(parts []cfa.Carried) string {
	var all []string
	for _, p := range parts {
		if p.Path == "" {
			return p.Type.String()
		}
		all = append(all, p.Type.String()+" "+p.Path)
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// someNumber is what a channel carries where no run comes to.
func someNumber() []cfa.Carried { return []cfa.Carried{{Type: expr.Int32}} }

// widest is a type that has all values that names may stand for.
func (j *joined) widest() expr.Type {
	all := j.types()
	for _, t := range all {
		if t != all[0] {
			return expr.Type{Width: 64, Signed: !slices.Contains(all, expr.Uint64)}
		}
	}
	if all == nil {
		return expr.Int32
	}
	return all[0]
}

// types are those of the channels that carry one number.
func (j *joined) types() (all []expr.Type) {
	for _, name := range slices.Sorted(maps.Keys(j.channels)) {
		if parts := j.channels[name].parts; parts[0].Path == "" {
			all = append(all, parts[0].Type)
		}
	}
	return all
}

// A carriedScope is what a condition on a message may name: the value, enumeration constants, and names of values.
type carriedScope struct {
	j       *joined
	pool    *expr.Pool
	channel string
	values  []*expr.Expr
}

// Lookup finds an enumeration constant or a name of a value.
func (s carriedScope) Lookup(name string, pos specs.Pos) (*expr.Expr, error) {
	if slices.Contains(s.j.rigid, name) {
		return s.j.ghost(s.pool), nil
	}
	if path, is := strings.CutPrefix(name, "$1"); is {
		if s.j.channels[s.channel].unmet {
			return s.pool.Var("message "+s.channel+path, expr.Int32), nil
		}
		for i, p := range s.j.channels[s.channel].parts {
			if p.Path == path {
				return s.values[i], nil
			}
		}
		return nil, fmt.Errorf("%s carries %s, and no %s", s.channel, written(s.j.channels[s.channel].parts), name)
	}
	if e, ok := s.j.of.Program.Enumerator(s.pool, name); ok {
		return e, nil
	}
	return nil, fmt.Errorf("%s is no enumeration constant: what is carried is compared with constants", name)
}

// Arg is $1.
func (s carriedScope) Arg(i int) (*expr.Expr, error) {
	parts := s.j.channels[s.channel].parts
	switch {
	case i != 1:
		return nil, fmt.Errorf("$%d: what is carried is $1", i)
	case parts[0].Path != "":
		return nil, fmt.Errorf("%s carries %s: conditions are about one of its members, $1%s", s.channel, written(parts),
			parts[0].Path)
	}
	return s.values[0], nil
}

// ghost is the variable that holds the value which is looked at, for all names of values.
func (j *joined) ghost(pool *expr.Pool) *expr.Expr { return pool.Var("the value", j.value) }

// carriers are the variables that hold what an action carries.
func (j *joined) carriers(pool *expr.Pool, name string) (all []*expr.Expr) {
	for _, p := range j.channels[name].parts {
		all = append(all, pool.Var("message "+name+p.Path, p.Type))
	}
	return all
}

// conditions are those on a channel, in a pool.
func (j *joined) conditions(pool *expr.Pool, name string) ([]*expr.Expr, error) {
	var all []*expr.Expr
	for _, m := range j.channels[name].conds {
		c, err := m.Cond.Cond(pool, carriedScope{j, pool, name, j.carriers(pool, name)}, j.of.LongWidth)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// findCells finds the combinations of conditions that some value satisfies.
func (j *joined) findCells(ctx context.Context) error {
	for _, m := range j.of.messages() {
		if m.Cond == nil { // a constant, of a formula
			m = m.Equals()
		}
		ch := j.channels[m.Channel]
		if !slices.ContainsFunc(ch.conds, func(n specs.MessageAction) bool { return n.Name() == m.Name() }) {
			ch.conds = append(ch.conds, m)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(j.channels)) {
		pool := expr.NewPool()
		conds, err := j.conditions(pool, name)
		if err != nil {
			return err
		}
		s, err := j.open(pool)
		if err != nil {
			return err
		}
		ch := j.channels[name]
		err = solver.Enumerate(ctx, s, conds, nil, func(values []bool) bool {
			ch.cells = append(ch.cells, messageCell{ch.cellName(name, values), slices.Clone(values)})
			return true
		})
		_ = s.Close() // nothing is lost with a solver
		if err != nil {
			return err
		}
		slices.SortStableFunc(ch.cells, func(a, b messageCell) int { // what satisfies nothing is last
			return -compareBool(slices.Contains(a.holds, true), slices.Contains(b.holds, true))
		})
	}
	return nil
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// cellName is the action of the values that satisfy some conditions and no others.
func (ch *channel) cellName(name string, values []bool) string {
	var all []string
	for i, v := range values {
		if v {
			all = append(all, ch.conds[i].Name())
		}
	}
	switch {
	case len(values) == 0:
		return name
	case all == nil:
		return name + "(other)"
	}
	return strings.Join(all, " and ")
}

// rewrite is a specification for the actions of cells: a transition of a message is copied for each cell that
// satisfies its condition, and one that does not say what is carried for each cell.
func (j *joined) rewrite(spec *lts.LTS, returned map[lts.Action][]lts.Action) *lts.LTS {
	actions := spec.Actions()
	instead := maps.Clone(returned)
	for name, ch := range j.channels {
		of := func(message string) (all []lts.Action) {
			for _, a := range ch.actions(message) {
				all = append(all, actions.Intern(a))
			}
			return all
		}
		for _, m := range ch.conds {
			if a, ok := actions.Lookup(m.Name()); ok {
				instead[a] = of(m.Name())
			}
		}
		if a, ok := actions.Lookup(name); ok {
			instead[a] = of(name)
		}
	}
	b := copyStates(spec)
	var alphabet []lts.Action
	for _, a := range spec.Alphabet() {
		if to, ok := instead[a]; ok {
			alphabet = append(alphabet, to...)
		} else {
			alphabet = append(alphabet, a)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(j.channels)) { // all values of a channel that is observed are
		ch := j.channels[name]
		if slices.ContainsFunc(ch.cells, func(c messageCell) bool {
			a, ok := actions.Lookup(c.action)
			return ok && slices.Contains(alphabet, a)
		}) || slices.ContainsFunc(spec.Alphabet(), func(a lts.Action) bool { return j.channelOf(actions.Name(a)) == name }) {
			for _, c := range ch.cells {
				alphabet = append(alphabet, actions.Intern(c.action))
			}
		}
	}
	for s := range lts.State(spec.NumStates()) {
		for _, e := range spec.Out(s) {
			to, ok := instead[e.Action]
			if !ok {
				to = []lts.Action{e.Action}
			}
			for _, a := range to {
				b.AddEdge(s, a, e.To)
			}
		}
	}
	b.Alphabet(alphabet...)
	return b.Build()
}

// channelOf is the channel of an action of the specification; "" if it is none.
func (j *joined) channelOf(name string) string {
	if m, ok := j.of.Specs.MessageOf(name); ok {
		return m.Channel
	}
	if j.channels[name] != nil {
		return name
	}
	return ""
}

// checkDeterministic refuses a specification with names of values that may do the same in two ways.
func (j *joined) checkDeterministic(spec *lts.LTS) error {
	if len(j.rigid) == 0 {
		return nil
	}
	for s := range lts.State(spec.NumStates()) {
		to := map[lts.Action]lts.State{}
		for _, e := range spec.Out(s) {
			if first, met := to[e.Action]; e.Action == lts.Tau || met && first != e.To {
				return cfa.Unsupported(j.of.Pos, fmt.Sprintf("names of values (%s) in a specification that may do %s in two ways",
					strings.Join(j.rigid, ", "), spec.Actions().Name(e.Action)),
					"what a name stands for is followed where each action leads to one state")
			}
			to[e.Action] = e.To
		}
	}
	return nil
}

// findReturns finds by which actions the components' returns are observed.
func (j *joined) findReturns(ctx context.Context, autos []*cfa.CFA) error {
	actions := lts.NewActions()
	spec, err := j.of.unbound(ctx, actions)
	if err != nil {
		return err
	}
	j.returned = map[string][]string{}
	for i, auto := range autos {
		s, err := j.open(auto.Pool)
		if err != nil {
			return err
		}
		b := &binder{Claim: j.of, auto: auto, actions: actions, solver: s}
		r, err := b.returns(ctx, spec, j.of.Procedures[i])
		_ = s.Close() // nothing is lost with a solver
		if err != nil {
			return err
		}
		if !r.Observed {
			continue
		}
		instead := map[lts.Action][]lts.Action{}
		r.replace(instead)
		for m, to := range instead {
			j.returned[actions.Name(m)] = actions.Names(to)
		}
		back := []string{actions.Name(r.Other)}
		for _, a := range r.Actions {
			back = append(back, actions.Name(a.Action))
		}
		j.others, j.backs = append(j.others, back...), append(j.backs, back)
	}
	return nil
}

// spec is the specification for the actions of the product, with those that say what is offered.
func (j *joined) spec(ctx context.Context, actions *lts.Actions) (*lts.LTS, error) {
	spec, err := j.plain(ctx, actions)
	if err != nil || !j.of.Relation.ofFailures() {
		return spec, err
	}
	w, err := j.wants(spec)
	if err != nil {
		return nil, err
	}
	return w.extended(), nil
}

// plain is the specification for the actions of the product.
func (j *joined) plain(ctx context.Context, actions *lts.Actions) (*lts.LTS, error) {
	if j.of.Question == NoDeadlock {
		b := lts.NewBuilder(actions)
		b.AddState("Safe")
		b.Alphabet(actions.Intern(deadlockAction))
		return b.Build(), nil
	}
	spec, err := j.of.unbound(ctx, actions)
	if err != nil {
		return nil, err
	}
	returned := map[lts.Action][]lts.Action{}
	for name, to := range j.returned {
		all := []lts.Action{}
		for _, a := range to {
			all = append(all, actions.Intern(a))
		}
		returned[actions.Intern(name)] = all
	}
	spec = j.rewrite(spec, returned)
	if j.others != nil {
		b := copyAll(spec)
		b.Alphabet(spec.Alphabet()...)
		for _, name := range j.others {
			b.Alphabet(actions.Intern(name))
		}
		spec = b.Build()
	}
	return spec, j.checkDeterministic(spec)
}

// lower is the product.
func (j *joined) lower(ctx context.Context, opt Options) (*cfa.CFA, error) {
	autos, err := j.of.lowerAll(ctx, opt)
	if err != nil {
		return nil, err
	}
	pool := expr.NewPool()
	actions := lts.NewActions()
	spec, err := j.of.unbound(ctx, actions)
	if err != nil {
		return nil, err
	}
	sv, err := j.open(pool)
	if err != nil {
		return nil, err
	}
	defer sv.Close()
	var parts []joint.Part
	for i, auto := range autos {
		for _, name := range j.of.partName(i) {
			own := j.naming(autos, i, name)
			made, _ := joint.Import(auto, pool, own)
			part, err := j.part(ctx, i, name, made, spec, actions, sv)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part)
		}
	}
	q := joint.Question{Channels: map[string]joint.Channel{}, Buffers: j.buffers(pool)}
	if j.of.Question == NoDeadlock {
		q.Deadlock = deadlockAction
	}
	q.WholeRuns = j.of.Live != nil
	if q.WholeRuns {
		var first []*cfa.CFA // by component, that of its first part
		for _, part := range parts {
			if part.Group == len(first) {
				first = append(first, part.Auto)
			}
		}
		if q.Watched, err = j.of.Watched(first); err != nil {
			return nil, err
		}
	}
	if j.of.Relation.ofFailures() {
		if err := j.asksOffers(ctx, &q); err != nil {
			return nil, err
		}
	}
	for name := range j.channels {
		if q.Channels[name], err = j.channel(pool, name); err != nil {
			return nil, err
		}
	}
	if len(j.rigid) > 0 {
		q.Rigid = []cfa.Var{{Expr: j.ghost(pool), Name: strings.Join(j.rigid, ", "), Kind: cfa.Global,
			Frame: -1, Pos: j.of.Pos}}
	}
	return joint.Product(ctx, parts, q)
}

// naming says what variables of a part are called: as in its own automaton where no other has the name.
func (j *joined) naming(autos []*cfa.CFA, i int, part string) func(v cfa.Var) string {
	return func(v cfa.Var) string {
		name := v.Expr.Name()
		if len(j.of.partName(i)) == 1 {
			shared := false
			for k, auto := range autos {
				shared = shared || k != i && slices.ContainsFunc(auto.Vars, func(w cfa.Var) bool { return w.Expr.Name() == name })
			}
			if !shared {
				return name
			}
		}
		return part + "." + name
	}
}

// part is a component of the product.
func (j *joined) part(ctx context.Context, i int, name string, auto *cfa.CFA, spec *lts.LTS, actions *lts.Actions,
	s solver.Full) (joint.Part, error) {
	part := joint.Part{Name: name, Group: i, Auto: auto}
	b := &binder{Claim: j.of, auto: auto, actions: actions, solver: s}
	var err error
	if part.Guard, err = b.guard(j.of.Guards[i], j.of.assumed(i)); err != nil {
		return part, err
	}
	if len(j.of.Assumed) > 0 {
		if err = b.checkSatisfied(ctx, i, part.Guard); err != nil {
			return part, err
		}
	}
	r, err := b.returns(ctx, spec, j.of.Procedures[i])
	if err != nil || !r.Observed {
		return part, err
	}
	part.Result = r.Result
	for _, a := range r.Actions {
		part.Returns = append(part.Returns, joint.Cell{Action: actions.Name(a.Action), Cond: a.Cond})
	}
	part.Returns = append(part.Returns, joint.Cell{Action: actions.Name(r.Other)})
	return part, nil
}

// channel is a channel of the product.
func (j *joined) channel(pool *expr.Pool, name string) (joint.Channel, error) {
	ch := joint.Channel{Carried: j.carriers(pool, name)}
	for _, p := range j.channels[name].parts {
		ch.Paths = append(ch.Paths, p.Path)
	}
	conds, err := j.conditions(pool, name)
	if err != nil {
		return ch, err
	}
	exclusive := !slices.ContainsFunc(j.channels[name].cells, func(c messageCell) bool {
		return len(slices.DeleteFunc(slices.Clone(c.holds), func(v bool) bool { return !v })) > 1
	})
	for _, c := range j.channels[name].cells {
		var all []*expr.Expr
		for i, v := range c.holds {
			switch {
			case v:
				all = append(all, conds[i])
			case !exclusive:
				all = append(all, pool.Not(conds[i]))
			}
		}
		ch.Cells = append(ch.Cells, joint.Cell{Action: c.action, Cond: pool.Land(all...)})
	}
	return ch, nil
}
