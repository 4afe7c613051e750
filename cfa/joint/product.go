package joint

// The product of components that exchange messages.
//
// Idea: a location is where each component is. What a component does alone touches its own variables only, so
// that nobody can tell when it does it: it is done at once, the first component first. Where a loop has
// nothing but such steps its head waits, and others may go first. Where all wait, one variable chooses among
// the actions that all who know them are at, and the steps from heads. An action that carries a value assigns
// it to a variable, looks at it as far as somebody asks, and gives it to who receives it.
//
// Source: Clarke, Emerson, Sistla (1986), for the product; that local steps of one component are enough where
// each cycle has a place at which all are taken is Peled, "All from one, one for all" (1993). Deviation from
// predicate abstraction of each component alone (Chaki et al., FMSD 25 (2004)): there no predicate speaks of
// two of them, and what was sent and what was received is equal only as far as finitely many classes of
// values tell.
//
// Cost: the product of the locations at which components wait.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/sequential"
	"magus/smt/expr"
)

// most bounds the locations of a product.
const most = 60_000

// A Part is a component with what is asked of it. The terms are of one pool, and no two parts have a variable
// in common.
type Part struct {
	Name  string
	Group int // the same of copies of one component, ascending: one of them takes part in an action
	Auto  *cfa.CFA
	Guard *expr.Expr // on its initial states; nil for none
	// Returns are how its return is observed, by the value in Result; none where it is not.
	Returns []Cell
	Result  *expr.Expr
}

// A Cell is one of the classes into which what is carried falls: the last takes what no other does.
type Cell struct {
	Action string
	Cond   *expr.Expr
}

// A Channel is what actions of one name carry.
type Channel struct {
	Carried []*expr.Expr // the variables that hold it: one, or one for each member
	Paths   []string     // by Carried: the member; "" where it is one number
	Cells   []Cell
}

// A Question says what is looked at.
type Question struct {
	Channels map[string]Channel // by name; all that carry something
	Buffers  []Buffer           // whose actions are two of the channels, or one
	Rigid    []cfa.Var          // variables that keep the value they begin with
	Deadlock string             // the action where all wait for ever for each other; "" if nobody asks
	// WholeRuns: which parts can go on is said of each location, and a failing assumption of one part ends the run.
	WholeRuns bool
	// Watched are variables of which all orders count in which they change, but for their first values, which are
	// set before anything else.
	Watched []*expr.Expr
	// Stands names the action by which a run says what is offered, and ends, where all parts stand still; nil if nobody
	// asks. Observed tells which actions are no silent steps then.
	Stands   func(offered []string) string
	Observed func(action string) bool
}

// Where a part is, if it is at no location.
const (
	hasEnded cfa.Loc = -1 - iota
	waits            // for ever, for what is no action
	noRun            // goes on from here: an assumption does not hold
)

// ended says why the product has ended.
var ended = map[bool]string{true: "all have ended", false: cfa.AssumptionFails}

// Product is the product. Its frame 0 is of all parts together. The error is a *cfa.UnsupportedError or ctx's.
func Product(ctx context.Context, parts []Part, q Question) (*cfa.CFA, error) {
	p := &product{Question: q, parts: parts, pool: parts[0].Auto.Pool, knows: map[string][][]int{},
		ready: map[cfa.Loc]uint64{}}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	start := make([]cfa.Loc, len(parts))
	for i := range parts {
		start[i] = parts[i].Auto.Entry
	}
	entry := p.begin(start)
	for len(p.work) > 0 && p.refused == nil {
		if len(p.Locs) > most {
			return nil, cfa.Unsupported(p.Locs[0].Pos,
				fmt.Sprintf("more than %d control locations of components together", most),
				"components that exchange values are looked at together")
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s := p.work[len(p.work)-1]
		p.work = p.work[:len(p.work)-1]
		first := cfa.Loc(len(p.Locs))
		p.expand(s)
		p.noteReady(s, first)
	}
	if p.refused != nil {
		return nil, p.refused
	}
	return p.finish(entry), nil
}

type product struct {
	Question
	sequential.Interleaving // of the parts
	parts                   []Part
	pool                    *expr.Pool
	silent                  [][]bool           // by part and location: a step that nobody can tell
	first                   [][]bool           // by part and location: first values are set, if some are watched
	frames                  []int              // by part: its first frame
	knows                   map[string][][]int // by action: the parts of each group that knows it
	joint                   cfa.Joint
	work                    []state
	refused                 error
	ready                   map[cfa.Loc]uint64 // of whole runs: the parts that can go on
}

// A state says where the parts are.
type state struct {
	at   []cfa.Loc
	fill []cfa.Loc // how many values the buffers hold
	loc  cfa.Loc
}

// prepare looks at the parts.
func (p *product) prepare() error {
	p.Interleaving = sequential.NewInterleaving(p.pool.Var("__magus_next", expr.Uint32))
	p.joint.Exchanges, p.joint.Opens = map[cfa.Loc]cfa.Exchange{}, map[cfa.Loc]bool{}
	p.joint.Deadlocks, p.joint.Offered = map[cfa.Loc][]cfa.JointStand{}, map[cfa.Loc][]string{}
	if p.WholeRuns && len(p.parts) > cfa.MostReady {
		return cfa.Unsupported(p.parts[0].Auto.Locs[p.parts[0].Auto.Entry].Pos,
			fmt.Sprintf("more than %d components together", cfa.MostReady), "")
	}
	frame := 1
	memory := false
	for i, part := range p.parts {
		c := part.Auto
		if err := c.NotSequential(); err != nil {
			return err
		}
		silent := make([]bool, len(c.Locs))
		accesses := false
		for l, loc := range c.Locs {
			switch s := loc.Stmt.(type) {
			case cfa.Assign:
				accesses = accesses || s.Memory != nil
				silent[l] = !p.changesWatched(c, cfa.Loc(l))
			case cfa.Branch, cfa.Goto:
				silent[l] = true
			case cfa.Call:
				return cfa.Unsupported(loc.Pos, "call of "+s.Callee+" by its abstraction",
					"components that exchange values are looked at together, with the bodies of what they call")
			}
		}
		if accesses && memory {
			return cfa.Unsupported(c.Locs[c.Entry].Pos, "memory without variables in two components that exchange values", "")
		}
		memory = memory || accesses
		heads := sequential.Heads(c, func(l cfa.Loc) bool { return !silent[l] })
		for l, head := range heads {
			silent[l] = silent[l] && !head
		}
		first := make([]bool, len(c.Locs))
		for _, l := range c.FirstValues() {
			if first[l] = len(p.Watched) > 0; first[l] {
				silent[l] = true
			}
		}
		p.silent, p.first = append(p.silent, silent), append(p.first, first)
		p.frames = append(p.frames, frame)
		made := cfa.JointPart{Name: part.Name, Frame: frame}
		for _, v := range c.Vars {
			if v.Kind == cfa.Global {
				made.Globals = append(made.Globals, v.Expr)
			}
		}
		p.joint.Parts = append(p.joint.Parts, made)
		frame += len(c.Frames)
		for _, a := range c.Actions {
			n, _ := p.buffer(a)
			if len(p.knows[a]) > 0 && (n >= 0 || i > 0 && p.parts[i-1].Group == part.Group) { // one of these performs it
				last := &p.knows[a][len(p.knows[a])-1]
				*last = append(*last, i)
			} else {
				p.knows[a] = append(p.knows[a], []int{i})
			}
		}
	}
	return nil
}

// changesWatched reports whether a location of a part changes a variable that is watched.
func (p *product) changesWatched(c *cfa.CFA, l cfa.Loc) bool {
	if len(p.Watched) == 0 {
		return false
	}
	if c.Locs[l].Stmt.(cfa.Assign).Memory != nil {
		return true
	}
	_, written := c.Accesses(l)
	return slices.ContainsFunc(written, func(v *expr.Expr) bool { return slices.Contains(p.Watched, v) })
}

// begin is where the product begins: behind the guards.
func (p *product) begin(start []cfa.Loc) cfa.Loc {
	first := cfa.Loc(-1)
	var last cfa.Loc
	for i := range p.parts {
		g := p.parts[i].Guard
		if g == nil {
			continue
		}
		at := p.Emit(p.own(i, cfa.Branch{Cond: g}, p.parts[i].Auto.Entry), -1)
		no := p.Emit(p.own(i, cfa.Halt{Reason: cfa.AssumptionFails}, p.parts[i].Auto.Entry), -1)
		p.joint.Opens[at] = true
		p.Locs[at].Succ = []cfa.Loc{-1, no}
		if first < 0 {
			first = at
		} else {
			p.Locs[last].Succ[0] = at
		}
		last = at
	}
	at := p.at(start, make([]cfa.Loc, len(p.Buffers)))
	if first < 0 {
		return at
	}
	p.Locs[last].Succ[0] = at
	return first
}

// own is a location of a part with another statement and no successors.
func (p *product) own(i int, s cfa.Stmt, at cfa.Loc) cfa.Location {
	l := p.parts[i].Auto.Locs[at]
	return cfa.Location{Stmt: s, Pos: l.Pos, Frame: p.frames[i] + l.Frame}
}

// at is the location of a state.
func (p *product) at(at, fill []cfa.Loc) cfa.Loc {
	l, isNew := p.At(slices.Concat(at, fill)...)
	if isNew {
		p.work = append(p.work, state{at, fill, l})
	}
	return l
}

// An option is what may happen next: a step of a part, or an action that some perform together.
type option struct {
	part   int
	action string // "": a step of part
	parts  []int
	isSaid bool // what is offered is said: that of says
	says   []option
}

// expand gives a state's location what is done there.
func (p *product) expand(s state) {
	for i, l := range s.at {
		if l >= 0 && p.first[i][l] {
			p.step(s, i, s.loc)
			return
		}
	}
	for i, l := range s.at {
		if l >= 0 && p.silent[i][l] {
			p.step(s, i, s.loc)
			return
		}
	}
	for i, l := range s.at {
		if l >= 0 && p.stops(s, i, l) {
			return
		}
	}
	switch options := p.options(s); {
	case p.offers(s, options):
		p.choose(s, append(options, option{says: options, isSaid: true}))
	case len(options) == 0:
		p.stuck(s)
	default:
		p.choose(s, options)
	}
}

// stops has a part end that is where it ends, and reports whether it is.
func (p *product) stops(s state, i int, l cfa.Loc) bool {
	c := p.parts[i].Auto
	switch stmt := c.Locs[l].Stmt.(type) {
	case cfa.Return:
		if len(p.parts[i].Returns) > 0 {
			return false
		}
		p.ends(s, i, hasEnded)
		return true
	case cfa.Halt:
		to := noRun
		if stmt.Ends {
			to = hasEnded
		} else if stmt.Waits {
			to = waits
		} else if p.WholeRuns {
			p.Locs[s.loc], p.Of[s.loc] = p.own(i, stmt, l), i
			return true
		}
		p.ends(s, i, to)
		return true
	}
	return false
}

// ends leaves a part where it goes no further.
func (p *product) ends(s state, i int, to cfa.Loc) {
	here := p.own(i, cfa.Goto{}, s.at[i])
	here.Succ = []cfa.Loc{p.at(moved(s.at, i, to), s.fill)}
	p.Locs[s.loc], p.Of[s.loc] = here, i
}

func moved(at []cfa.Loc, i int, to cfa.Loc) []cfa.Loc {
	at = slices.Clone(at)
	at[i] = to
	return at
}

// options are what may happen where no part does anything alone.
func (p *product) options(s state) []option {
	var all []option
	var met []string
	for i, l := range s.at {
		if l < 0 {
			continue
		}
		act, ok := p.parts[i].Auto.Locs[l].Stmt.(cfa.Act)
		if !ok { // the head of a loop, or a return
			all = append(all, option{part: i})
			continue
		}
		groups := p.knows[act.Action]
		if !slices.Contains(p.parts[i].Auto.Actions, act.Action) { // an error, what is not followed: nobody waits for it
			all = append(all, option{action: act.Action, parts: []int{i}})
			continue
		}
		if slices.Contains(met, act.Action) || !p.holds(s.fill, act.Action) {
			continue
		}
		met = append(met, act.Action)
		for _, parts := range p.together(s, groups, act.Action) {
			all = append(all, option{action: act.Action, parts: parts})
		}
	}
	return all
}

// together are the ways in which one part of each group may perform an action.
func (p *product) together(s state, groups [][]int, action string) [][]int {
	all := [][]int{nil}
	for _, g := range groups {
		var more [][]int
		for _, some := range all {
			for _, i := range g {
				if p.isAt(s, i, action) {
					more = append(more, append(slices.Clip(some), i))
				}
			}
		}
		all = more
	}
	return all
}

func (p *product) isAt(s state, i int, action string) bool {
	if s.at[i] < 0 {
		return false
	}
	act, ok := p.parts[i].Auto.Locs[s.at[i]].Stmt.(cfa.Act)
	return ok && act.Action == action
}

// stuck ends the product where nothing more happens.
func (p *product) stuck(s state) {
	anywhere := cfa.Location{Pos: p.parts[0].Auto.Locs[p.parts[0].Auto.Entry].Pos}
	for i, l := range s.at {
		if l >= 0 {
			anywhere = p.own(i, nil, l)
			break
		}
	}
	end := func(reason string) cfa.Location {
		l := anywhere
		l.Stmt = cfa.Halt{Reason: reason, Ends: reason != cfa.AssumptionFails}
		return l
	}
	all := !slices.ContainsFunc(s.at, func(l cfa.Loc) bool { return l != hasEnded })
	if p.Deadlock == "" || all || slices.Contains(s.at, noRun) {
		p.Locs[s.loc] = end(ended[all || p.Deadlock == ""])
		return
	}
	anywhere.Stmt = cfa.Act{Action: p.Deadlock}
	anywhere.Succ = []cfa.Loc{p.Emit(end("deadlock"), -1)}
	p.Locs[s.loc] = anywhere
	for i, l := range s.at {
		p.joint.Deadlocks[s.loc] = append(p.joint.Deadlocks[s.loc], p.stands(s, i, l))
	}
}

// stands says where a part waits, and for whom.
func (p *product) stands(s state, i int, l cfa.Loc) cfa.JointStand {
	if l < 0 {
		return cfa.JointStand{Ended: l == hasEnded}
	}
	loc := p.parts[i].Auto.Locs[l]
	act := p.act(s, i)
	out := cfa.JointStand{At: true, Action: act.Action, Message: act.Message, Pos: loc.Pos,
		Frame: p.frames[i] + loc.Frame}
	if !p.holds(s.fill, out.Action) {
		for k, other := range p.parts {
			if k != i && other.Auto.Performs(p.other(out.Action)) {
				out.Without = append(out.Without, k)
			}
		}
		return out
	}
	for _, g := range p.knows[out.Action] {
		if p.parts[g[0]].Group != p.parts[i].Group &&
			!slices.ContainsFunc(g, func(k int) bool { return p.isAt(s, k, out.Action) }) {
			out.Without = append(out.Without, g...)
		}
	}
	return out
}

func (p *product) takesPart(x *cfa.Exchange, i int, l cfa.Loc) {
	loc := p.parts[i].Auto.Locs[l]
	x.Parts, x.Pos = append(x.Parts, i), append(x.Pos, loc.Pos)
	x.Frames, x.Texts = append(x.Frames, p.frames[i]+loc.Frame), append(x.Texts, loc.Stmt.String())
}

// choose lets one of some options happen.
func (p *product) choose(s state, options []option) {
	pos := p.parts[0].Auto.Locs[p.parts[0].Auto.Entry].Pos
	between := p.Choose(p.pool, s.loc, len(options), cfa.Location{Pos: pos}, "what happens next",
		func(i int, at cfa.Loc) { p.happens(s, options[i], at) })
	for _, l := range between {
		p.joint.Opens[l] = true
	}
}

func (p *product) happens(s state, o option, here cfa.Loc) {
	if o.isSaid {
		p.say(s, o.says, here)
	} else if o.action != "" {
		p.exchange(s, o, here)
	} else if _, ok := p.parts[o.part].Auto.Locs[s.at[o.part]].Stmt.(cfa.Return); ok {
		p.returns(s, o.part, here)
	} else {
		p.step(s, o.part, here)
	}
}

// step makes a silent step of a part at a location.
func (p *product) step(s state, i int, here cfa.Loc) {
	c := p.parts[i].Auto
	from := s.at[i]
	l := p.own(i, c.Locs[from].Stmt, from)
	l.Decides = c.Locs[from].Decides
	for _, n := range c.Locs[from].Succ {
		l.Succ = append(l.Succ, p.at(moved(s.at, i, n), s.fill))
	}
	p.Locs[here], p.Of[here] = l, i
}

// finish makes an automaton of what was built.
func (p *product) finish(entry cfa.Loc) *cfa.CFA {
	out := &cfa.CFA{Pool: p.pool, Locs: p.Locs, Entry: entry, Joint: &p.joint, Silent: true, Ret: expr.Bool}
	out.Frames = []cfa.Frame{{Parent: -1}}
	for i, part := range p.parts {
		c := part.Auto
		if i > 0 {
			out.Name += "+"
		}
		out.Name += part.Name
		for _, f := range c.Frames {
			if f.Parent += p.frames[i]; f.Parent < p.frames[i] {
				f.Parent, f.Call = 0, c.Locs[c.Entry].Pos
			}
			out.Frames = append(out.Frames, f)
		}
		for _, v := range c.Vars {
			if v.Frame >= 0 {
				v.Frame += p.frames[i]
			}
			out.Vars = append(out.Vars, v)
		}
		out.Warnings = append(out.Warnings, c.Warnings...)
		out.Cut, out.Silent, out.Errors = max(out.Cut, c.Cut), out.Silent && c.Silent, out.Errors || c.Errors
		out.Unset = append(out.Unset, c.Unset...)
		out.Unrecorded = append(out.Unrecorded, c.Unrecorded...)
		out.MissingLabels = append(out.MissingLabels, c.MissingLabels...)
		if len(p.parts) == 1 {
			out.Params, out.Objects, out.PointsTo = c.Params, c.Objects, c.PointsTo
		}
	}
	out.Frames[0].Proc = out.Name
	out.Vars = append(out.Vars, cfa.Var{Expr: p.Chooses, Name: "next", Kind: cfa.Temp, Frame: 0})
	for _, b := range p.Buffers {
		for _, v := range slices.Concat(b.Slots...) {
			out.Vars = append(out.Vars, cfa.Var{Expr: v, Name: v.Name(), Kind: cfa.Temp, Frame: 0})
		}
	}
	for _, name := range names(p.Channels) {
		for i, v := range p.Channels[name].Carried {
			out.Vars = append(out.Vars, cfa.Var{Expr: v, Name: name + p.Channels[name].Paths[i], Kind: cfa.Temp, Frame: 0})
		}
	}
	for _, part := range p.parts {
		if part.Result != nil && !slices.ContainsFunc(out.Vars, func(v cfa.Var) bool { return v.Expr == part.Result }) {
			out.Vars = append(out.Vars, cfa.Var{Expr: part.Result, Name: part.Name + " returns", Kind: cfa.Temp, Frame: 0})
		}
	}
	out.Vars = append(out.Vars, p.Rigid...)
	out.Actions = p.alphabet()
	p.joint.Of = p.Of
	p.dropDead(out)
	return out
}

// alphabet are all actions that the parts know, as cells.
func (p *product) alphabet() []string {
	var all []string
	for a := range p.knows {
		if ch, ok := p.Channels[a]; ok {
			for _, c := range ch.Cells {
				all = append(all, c.Action)
			}
		} else {
			all = append(all, a)
		}
	}
	for _, part := range p.parts {
		for _, c := range part.Returns {
			all = append(all, c.Action)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
