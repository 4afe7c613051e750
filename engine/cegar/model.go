package cegar

import (
	"context"
	"errors"

	"magus/actionref"
	"magus/component"
	"magus/lts"
	"magus/minimize"
	"magus/predabs"
	"magus/smt/solver"
)

// A model is one component with its abstractions.
type model struct {
	*component.Component
	solver solver.Full
	abs    *predabs.Abstraction
	places places
	weigh  bool                                 // a candidate costs what it takes, not 1
	asked  map[predabs.Path]predabs.Feasibility // of the paths that were ever validated
	modelState
}

// modelState is what the phases change of a component, as state is of a session.
type modelState struct {
	strategy minimize.Strategy
	shared   bool           // the strategy belongs to a snapshot as well
	set      []int          // chosen candidates
	kept     []int          // candidates that are chosen whatever else is: trees need them
	excluded int            // the first so many spurious paths are those that set was chosen to eliminate
	proof    proof          // with which the claim was proved
	spurious []spuriousPath // so far
	settled  int            // how many of them there were before the present counterexample
	mp       *predabs.MP
	ended    []rank                 // those by which some of its loops were shown to end
	stale    bool                   // mp is not that of set
	ma       *actionref.Abstraction // of mp; nil if it is not built yet, or level two is off
	traces   [][]lts.Action         // refuted at level two
	splits   []Split                // of the partition, the last refinement's
	// fruitless is how many of the paths of others that it was offered last it can take
	fruitless int
}

// A proof is a set of candidates with the abstractions built from it.
type proof struct {
	set   []int
	mp    *predabs.MP
	ma    *actionref.Abstraction
	ended []rank
}

// A spuriousPath is one of MP that the component cannot take.
type spuriousPath struct {
	path predabs.Path
	core []int // positions in the program's edges whose conditions contradict each other
	// first is the first position whose condition is false whatever is chosen, if there is one
	first []int
	set   []int // the candidates that were chosen when it was found
}

// A taken path is one of MP that was validated: whether the component can take it.
type taken struct {
	path     predabs.Path
	feasible predabs.Feasibility
}

// program is the component's control graph as the program has it, which runs, searches and coverage
// are about; level one may have large blocks of it.
func (c *model) program() *component.Graph { return c.abs.Graph.Base() }

// checked is the LTS that stands for the component in the composition.
func (c *model) checked() *lts.LTS {
	if c.ma != nil {
		return c.ma.Quotient()
	}
	return c.mp.LTS
}

// partition starts from states with the same enabled actions and excludes the
// traces that level two has refuted before and that MP still does not have.
func (c *model) partition(ctx context.Context) error {
	ma, err := actionref.Weak(ctx, c.mp.LTS)
	if err != nil {
		return err
	}
	for _, t := range c.traces {
		ma, _, err = ma.Refine(ctx, t)
		if err != nil && !errors.Is(err, actionref.ErrConcreteTrace) {
			return err
		}
	}
	c.ma, c.splits = ma, nil
	return nil
}

// named gives the actions of splits their names.
func (c *model) named(splits []actionref.SplitInfo) []Split {
	named := make([]Split, len(splits))
	for i, split := range splits {
		named[i] = Split{split.Block, c.Actions.Name(split.Action), split.Into}
	}
	return named
}

// validate decides whether the component can take a path of MP. The answer is
// kept, so that the same path always has the same one, with the same core and
// model, whatever the decision procedure was asked in between.
func (c *model) validate(ctx context.Context, path []lts.Edge) (taken, error) {
	edges, err := c.mp.Edges(ctx, path)
	if err != nil {
		return taken{}, err
	}
	p, err := c.abs.Keep(edges)
	if err != nil {
		return taken{}, err
	}
	return c.ask(ctx, p)
}

// ask decides whether the component can take a path of its control graph.
func (c *model) ask(ctx context.Context, p predabs.Path) (taken, error) {
	f, known := c.asked[p]
	if !known {
		var err error
		if f, err = c.abs.Feasible(ctx, p); err != nil {
			return taken{}, err
		}
		c.asked[p] = f
	}
	return taken{p, f}, nil
}
