package component

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/internal/phrase"
	"magus/lts"
	"magus/smt/expr"
	"magus/specs"
)

// A Claim is one thing to check, in the words of the sources: the components,
// each with conditions on its initial states, and the specification. It is
// immutable.
type Claim struct {
	*Sources
	Name string // "procedure run, abstraction run_ok", "program tx, rx, specification ok"
	// Procedures are those whose bodies are the components.
	Procedures []string
	Guards     []*specs.CExpr // per component; nil: no condition
	// Copies says of each component how many run: 1 or more, or specs.AnyNumber.
	// nil: one of each.
	Copies []int
	// Specification is the name of an LTS; "" for the built-in property that
	// `error` never happens.
	Specification string
	Question      Question  // of a claim without a specification
	Relation      Relation  // to the specification
	Live          *Liveness // what is asked of whole runs; nil if nothing is
	Lowering      lower.Options
	Assumed       []Assumption // by hand, besides the guards
	Buffers       []specs.Buffer
	Pos           cfa.Pos
	monitors      *Claim // that this one stands for; see [Claim.Monitored]
	refusing      bool   // it is about what threads refuse; see [Claim.Refusing]
	// sharing is the block of components that share variables, which Procedures begins; nil of other claims.
	sharing    *specs.Program
	joint      *joined // of a claim about the product of components; else nil
	multiplied bool    // its components become parts of a product
}

// A Question is what a claim without a specification asks.
type Question string

// The questions.
const (
	NoError Question = ""             // `error` never happens
	NoRace  Question = "no-data-race" // no two threads access a variable at once, one of them writing
	// NoDeadlock: threads do not wait for each other for ever, nor do components, or for what has ended
	NoDeadlock Question = "no-deadlock"
	Terminates Question = "terminates" // every run ends
	// NoOverflow is asked as NoError of claims for which overflows alone are errors.
	NoOverflow Question = "no-overflow"
	// NoLivelock: components do not go on for ever without an action
	NoLivelock Question = "no-livelock"
	// Live: what the claim demands of whole runs
	Live Question = "liveness"
)

// OfBlock reports whether the claim is that the components of a program block do not wait for each other for ever.
func (c *Claim) OfBlock() bool { return c.Question == NoDeadlock && c.Lowering.ErrorsEnd }

// Options say how calls and memory are modelled. The zero value is the default.
type Options struct {
	cfa.Modelling
	Weak  bool // threads do not see all writes in one order
	Races bool // data races are asked for: each access shows
	// Deadlocks says that it is asked whether threads wait for ever: who waits for a condition waits for a signal.
	Deadlocks bool
	Pointers  bool // the automaton says what its pointers may point to
	Recorded  bool // all that changes memory without variables is recorded, for who looks for proofs only
	Mirrored  bool // with Recorded: what variables of objects hold is, too, for who follows one run
	Threads   int  // threads that one call creates in a loop; 0: creating one is not modelled
	// Product, if it is not nil, makes of the automaton of several threads one that is looked at like that of one thread.
	Product func(context.Context, *cfa.CFA) (*cfa.CFA, error)
	// Inlined are routines whose bodies stand instead of their abstractions.
	Inlined []string
	// MaxLocations bounds the automaton while it is built; 0: see [cfa.MaxLocations].
	MaxLocations int
	// Lowered keeps what was found before, for whoever lowers one claim several times; nil: nothing is kept.
	Lowered *Lowered
}

// Assuming is the claim with one more condition on the initial states of
// component i: a C expression over its parameters, by their names or as $1, $2, …, and the globals.
// What is found out about it holds under this assumption, which its outcome
// names. The error is an *InputError or has a place in the text.
func (c *Claim) Assuming(i int, text string) (*Claim, error) {
	if i < 0 || i >= len(c.Procedures) {
		return nil, &InputError{Msg: fmt.Sprintf("the claim has no component %d", i+1)}
	}
	e, err := specs.ParseExpr("assumption", text)
	if err != nil {
		return nil, err
	}
	d := *c
	a := Assumption{Component: i, Cond: e}
	if pr := c.Program.Procedure(c.Procedures[i]); pr != nil {
		a.Followed = isFollowed(e, source.ParameterNames(pr))
	}
	d.Assumed = append(slices.Clip(c.Assumed), a)
	d.Lowering.Globals = slices.Concat(c.Lowering.Globals, e.Names(), e.Members())
	return &d, nil
}

// CheckAssumed refuses assumptions on globals that have one value where a program starts.
func (c *Claim) CheckAssumed() error {
	for _, a := range c.Assumed {
		proc := c.Procedures[a.Component]
		params := source.ParameterNames(c.Program.Procedure(proc))
		for _, name := range a.Cond.Names() {
			if !slices.Contains(params, name) && slices.ContainsFunc(c.Program.Files, func(f *source.File) bool {
				o := f.Objects[name]
				return o != nil && o.Defined
			}) {
				return &InputError{Msg: fmt.Sprintf("%v is assumed, and %s starts as C initialises it: what is assumed is about "+
					"the parameters of %s, what they point to, and what is defined elsewhere", a.Cond, name, proc)}
			}
		}
	}
	return nil
}

// Spec is the claim's specification over actions, as the files have it; for the
// built-in property, one state that never allows `error`. An error means that
// the claim makes no sense, or that ctx ended.
func (c *Claim) Spec(ctx context.Context, actions *lts.Actions) (*lts.LTS, error) {
	if c.joint != nil {
		return c.joint.spec(ctx, actions)
	}
	spec, err := c.unbound(ctx, actions)
	if err != nil {
		return nil, err
	}
	if len(c.Guards) != len(c.Procedures) {
		return nil, &InputError{c.Pos, fmt.Sprintf("%d guards for %d components", len(c.Guards), len(c.Procedures))}
	}
	return spec, nil
}

func (c *Claim) unbound(ctx context.Context, actions *lts.Actions) (*lts.LTS, error) {
	if c.Specification == "" {
		b := lts.NewBuilder(actions)
		b.AddState("Safe")
		if c.Question == NoError {
			b.Alphabet(actions.Intern("error"))
		}
		return b.Build(), nil
	}
	spec, err := c.Specs.LTS(ctx, c.Specification, actions)
	if err != nil {
		return nil, err
	}
	if spec.HasError() && c.Relation != Traces {
		what := "what it must not refuse is not said"
		if c.Relation == Simulation {
			what = "what it can follow is not said"
		}
		return nil, &InputError{c.Pos, fmt.Sprintf("%s has an ERROR state: %s (--relation %s)", c.Specification, what,
			c.Relation)}
	}
	return spec, c.Specs.CheckClaimLTS(c.Specification, c.Procedures...)
}

// Lower is the automaton of component i, in a pool of its own.
func (c *Claim) Lower(ctx context.Context, i int, opt Options) (*cfa.CFA, error) {
	if c.joint != nil {
		return c.joint.lower(ctx, opt)
	}
	proc := c.Procedures[i]
	if !c.Program.HasBody(proc) {
		return nil, &InputError{c.Pos, fmt.Sprintf("component %s has no body in the given C files%s", proc,
			phrase.Misspelt(proc, c.Program.Procedures()))}
	}
	low := c.lowering(opt)
	low.Cut = fmt.Sprintf("%s%d}", cfa.CutPrefix, i+1)
	low.Skip = fmt.Sprintf("%s%d, any}", cfa.CutPrefix, i+1)
	for _, a := range c.Assumed {
		if a.Component == i && (a.Followed || c.Specification == "") {
			low.Starts = append(low.Starts, c.start(a))
			low.Skip = "" // what is skipped might call the procedure again
		}
	}
	if c.multiplied {
		low.Cut, low.Skip = cfa.CutPrefix+"1}", ""
	}
	if c.beyondTraces() || c.asksEnd() || opt.Deadlocks { // what is skipped might end the component, wait, or not end
		low.Skip = ""
	}
	before := opt.Lowered.before(c, i, opt)
	if opt.Recorded && opt.Product != nil && before.auto != nil {
		return opt.Product(ctx, before.auto)
	}
	auto, err := c.lower(ctx, proc, low, opt.Inlined, before)
	if err != nil {
		return nil, err
	}
	if len(auto.MissingLabels) > 0 {
		return nil, &InputError{Msg: fmt.Sprintf("%s and what it calls have no label %s (--error-label)", proc,
			strings.Join(auto.MissingLabels, ", "))}
	}
	if c.sharing != nil {
		if auto, err = c.checkTogether(auto); err != nil {
			return nil, err
		}
	}
	if len(auto.Threads) > 0 {
		if auto, err = c.together(ctx, auto); err != nil {
			return nil, err
		}
	}
	if opt.Product != nil {
		if opt.Recorded {
			before.auto = auto
		}
		return opt.Product(ctx, auto)
	}
	return auto, nil
}

func (c *Claim) lowering(opt Options) lower.Options {
	low := c.Lowering
	low.Modelling, low.Pointers, low.Threads, low.Races = opt.Modelling, opt.Pointers, opt.Threads, opt.Races
	low.Deadlocks = opt.Deadlocks
	low.Weak, low.Recorded, low.Mirrored = opt.Weak, opt.Recorded, opt.Mirrored
	low.Called, low.MaxLocations = c.called(), opt.MaxLocations
	low.Starts = nil
	if low.OverflowsOnly {
		low.SignedOverflow = cfa.OverflowIsError
	}
	low.InlineInapplicable = c.Specification != "" || c.monitors != nil // else nothing checks the abstractions

	// What traces show of a body says nothing of where it stands still or decides, of whether it ends, and of
	// what it does while other threads run.
	whole := c.beyondTraces() || c.asksEnd() || opt.Deadlocks || c.monitors != nil ||
		c.Specification == "" && low.SignedOverflow == cfa.OverflowIsError // a body may overflow
	if abstracted := low.Abstracted; whole && abstracted != nil {
		low.Abstracted = func(name string) bool { return abstracted(name) && !c.Program.HasBody(name) }
	}
	return low
}

// Term is a C expression over the variables that one frame of a component's
// automaton can see; $1, $2, … are the parameters of the component's own
// procedure. The error has a place in the text.
func (c *Claim) Term(auto *cfa.CFA, frame int, text string) (*expr.Expr, error) {
	e, err := specs.ParseExpr("expression", text)
	if err != nil {
		return nil, err
	}
	return e.Term(auto.Pool, c.scope(auto, frame), c.LongWidth)
}

// Cond is the condition that the value of such an expression is not 0.
func (c *Claim) Cond(auto *cfa.CFA, frame int, text string) (*expr.Expr, error) {
	e, err := specs.ParseExpr("expression", text)
	if err != nil {
		return nil, err
	}
	return e.Cond(auto.Pool, c.scope(auto, frame), c.LongWidth)
}
