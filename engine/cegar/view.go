package cegar

// What tools may look at.

import (
	"cmp"
	"context"
	"slices"

	"magus/actionref"
	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/engine/bounded"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
	"magus/predabs"
	"magus/smt/expr"
)

// A View is what a session knows at one moment, for tools that show it. Nothing
// that it leads to may be changed; it stays valid when the session goes on.
type View struct {
	Claim    string
	Phase    Phase // the next one
	Levels   int   // 2 if level two is on, else 1
	Strategy string
	Actions  *lts.Actions
	Spec     *lts.LTS // with the components' returns observed
	// StatesAlong are the states that Spec may be in along a trace over its alphabet.
	StatesAlong func(trace []lts.Action) [][]component.SpecState
	Components  []ComponentView
	Stats       verdict.Stats
	// Trace is the present counterexample, all its visible actions; nil if there
	// is none. Status says what has become of it. Refine is the component that was
	// found to be too coarse.
	Trace  []lts.Action
	Status Status
	Refine int
	Proved bool // and smaller sets are looked for
	// Parts are the copies of components that take part in the counterexample, in
	// the order of the components; By says of each action of Trace which do.
	Parts []PartView
	By    [][]int
	// Replayed is the violation as the interpreter ran it: a run for each of Parts.
	Replayed *interp.ProgramRun
	// Endless says of a replayed run of one component that it does not end, and where it goes round; nil of others.
	Endless *EndlessView
	Outcome *verdict.Outcome // nil before the end
	Methods []verdict.Share  // what each of them had so far, and what came of it
	// Layers is the proof of the bounded search or the induction, nil if there is none.
	Layers *LayersView
}

// An EndlessView is where a run goes round for ever: behind so many steps, by so many. Same says that each round is the
// same; else others may go other ways.
type EndlessView struct {
	Stem, Round int
	Same        bool
}

// A LayersView is a proof without abstractions, about the only component.
type LayersView struct {
	Spec      *lts.LTS       // what it has to show, deterministic
	Induction *bounded.Proof // nil if all runs were searched
}

// A ComponentView is one component with its two levels.
type ComponentView struct {
	Name       string
	CFA        *cfa.CFA
	Graph      *component.Graph // with the control points that MP has states at; Base is the program's
	Guard      *expr.Expr       // on the initial states; nil for none
	Candidates []verdict.Predicate
	Chosen     []int // of the candidates
	// At are the predicates at a location.
	At func(cfa.Loc) []*expr.Expr
	MP *predabs.MP // nil before it is built
	// Stale says that MP and MA are not those of the chosen candidates any more.
	Stale  bool
	MA     *actionref.Abstraction // nil before it is built, and without level two
	Splits []Split                // of the last refinement of MA, if MA is its result
	Paths  int                    // spurious paths so far
	Traces int                    // traces refuted at level two
	// Copies is how many copies run: 1 or more, or specs.AnyNumber. Bounds are, for
	// any number, how many the last check told apart in each state of MA, or MP.
	Copies int
	Bounds []uint32
	// Path is the counterexample in MP, of the copy that was found to be spurious or
	// the first, nil before it is looked for. When it was
	// found to be spurious, Edges are those of the control graph that it takes, and
	// Core the positions among them whose conditions contradict each other, if this
	// component cannot take it; Failed are the program's edges (those of Graph.Base) that ask these.
	Path   []lts.Edge
	Edges  []int32
	Core   []int
	Failed []int32
	Env    interp.Env // what surrounds the component when it is executed
}

// A PartView is what one copy of a component does in the counterexample.
type PartView struct {
	component.Copy
	Name  string       // of the copy
	Shown bool         // in the component's view
	Trace []lts.Action // its actions
	// Path, Edges, Core and Failed are those of the component's view.
	Path   []lts.Edge
	Edges  []int32
	Core   []int
	Failed []int32
}

// Counterexample is the trace, if it is a counterexample of the present abstractions.
func (v *View) Counterexample() []lts.Action {
	if !v.Status.Shown() {
		return nil
	}
	return v.Trace
}

// View is the session as it is now.
func (s *Session) View() View {
	v := View{Claim: s.claim.Name, Phase: s.phase, Levels: 1, Strategy: cmp.Or(s.opt.Strategy, "exact"),
		Actions: s.actions, Spec: s.spec,
		Stats: s.stats, Trace: s.trace, Status: s.status, Refine: s.first(), Proved: s.proved, Outcome: s.outcome}
	if s.system != nil {
		v.StatesAlong = s.system.StatesAlong
	}
	if v.Methods = s.methodRows(verdict.Unknown); s.outcome != nil {
		v.Methods = s.outcome.Methods
	}
	if s.violated != nil {
		v.Replayed = s.violated.Run
	}
	if s.twoLevels {
		v.Levels = 2
	}
	if s.cex != nil {
		for k, c := range s.cex.copies {
			v.Parts = append(v.Parts, s.partView(k, c))
		}
		for _, j := range s.cex.joint(len(s.cex.Steps)) {
			v.By = append(v.By, j.Parts)
		}
	}
	for i, c := range s.comps {
		v.Components = append(v.Components, s.componentView(i, c))
	}
	if s.searched > 0 || s.steps > 0 || s.induced != nil || s.within != nil {
		v.Layers = &LayersView{s.layers.spec, s.induced}
	}
	return v
}

func (s *state) componentView(i int, c *model) ComponentView {
	set := c.set
	v := ComponentView{Name: c.Name, CFA: c.CFA, Graph: c.abs.Graph, Guard: c.Guard, Chosen: slices.Clone(set),
		MP: c.mp, Stale: c.stale, MA: c.ma,
		Splits: c.splits, Paths: len(c.spurious), Traces: len(c.traces), Env: witness.Env(c.Component),
		Copies: s.claim.CopiesOf(i),
		At:     func(l cfa.Loc) []*expr.Expr { return c.abs.PredicatesAt(l, set) }}
	for _, cand := range c.abs.Candidates {
		v.Candidates = append(v.Candidates, predicate(cand))
	}
	if s.checked.bounds != nil {
		v.Bounds = s.checked.bounds[i]
	}
	if k := s.shown(i); k >= 0 {
		part := s.partView(k, s.cex.copies[k])
		v.Path, v.Edges, v.Core, v.Failed = part.Path, part.Edges, part.Core, part.Failed
	}
	return v
}

func (s *state) partView(k int, c component.Copy) PartView {
	v := PartView{Copy: c, Name: s.system.CopyName(c), Shown: s.shown(c.Component) == k, Trace: s.cex.visible(k)}
	if k < len(s.paths) && s.status.Shown() {
		v.Path = s.paths[k]
	}
	if k < len(s.taken) && s.status == Refuted {
		v.refuted(s.comps[c.Component].abs, s.taken[k])
	}
	return v
}

// refuted says which edges the part has and which of them contradict each other.
func (v *PartView) refuted(x *predabs.Abstraction, t taken) {
	v.Edges = x.Steps(t.path)
	program := x.Graph.Program(v.Edges)
	for _, at := range t.feasible.Core {
		v.Failed = append(v.Failed, program[at])
	}
	for _, p := range x.Graph.Within(v.Edges, t.feasible.Core) {
		if n := len(v.Core); n == 0 || v.Core[n-1] != p.Step {
			v.Core = append(v.Core, p.Step)
		}
	}
}

// PointsTo is the automaton of a component once more, with what its pointers may
// point to.
func (s *question) PointsTo(ctx context.Context, i int) (*cfa.CFA, error) {
	opt := s.low
	opt.Pointers = true
	return s.claim.Lower(ctx, i, opt)
}
