package verdict

import (
	"cmp"

	"magus/cfa"
)

// A Verdict is the answer to a claim.
type Verdict int

// Unknown is the zero verdict: nothing was decided.
const (
	Unknown Verdict = iota
	Conforms
	Violates
)

// String is the verdict in the words of the command line.
func (v Verdict) String() string { return [...]string{"unknown", "conforms", "violates"}[v] }

// An Outcome is a verdict with its evidence and its price.
type Outcome struct {
	Claim   string
	Verdict Verdict
	// Relation is what the claim says of its specification, by name; "" of traces.
	Relation string
	// ByTraces says that the claim is one of simulation, and was decided as one of traces, which is the same for its
	// specification.
	ByTraces bool
	// Reason says why a verdict is unknown.
	Reason Reason
	// Divergence says more of it, where the two-level loop did not come to an end.
	Divergence *Divergence
	// Components are the names of those that run side by side.
	Components []string
	// Run shows a violation.
	Run *Run
	// Assumptions are what the verdict relies on and the tool does not check,
	// in source order, each once.
	Assumptions []cfa.Warning
	// Loop is what the two-level loop says besides; nil if it was not performed.
	Loop *Loop
	// Coverage is, of a proof, what it reached of the components. Doubts are why the
	// claim may mean something else than was meant, or a proof be about less than it
	// seems.
	Coverage []*Coverage
	Doubts   []Doubt
	// Confirmation says whether the checker of certificates has looked at the verdict.
	Confirmation Confirmation
	// Methods are what was tried, with the effort that each had, in the order in which they are told.
	Methods []Share
}

// A Confirmation says whether a verdict was checked by its certificate before it was told.
type Confirmation struct {
	Checked bool
	Effort  int64  // that the check has made, counted
	Why     string // it was not, where it was not
}

// And is whether two verdicts were checked, of which another one is made.
func (c Confirmation) And(d Confirmation) Confirmation {
	return Confirmation{Checked: c.Checked && d.Checked, Effort: c.Effort + d.Effort, Why: cmp.Or(c.Why, d.Why)}
}

// A Loop is the end of the two-level loop, and of the bounded search that shares its effort.
type Loop struct {
	// Components describe the final abstractions, in the claim's order.
	Components []Abstraction
	// Bounded says that the bounded search decided: it found the violation, or all runs end
	// within Depth layers. Depth is how far it came, in loops that a run closes.
	Bounded bool
	Depth   int
	// Summaries says that the claim was proved by summaries of procedures.
	Summaries bool
	// Contracts says that it was by contracts of procedures; then Summaries is false.
	Contracts bool
	// Accelerated says that it found the violation with many unwindings of a loop as one step.
	Accelerated bool
	// Induction says that the claim was proved by induction over loops, the first Assumed+1 layers
	// of which were searched.
	Induction bool
	Assumed   int
	// Cells says that the proof is about one arbitrary element of each large array, or about one object of those
	// beyond the limit.
	Cells bool
	// Executed is how many statements the only run of the component has, which is the proof; 0 if it is not.
	Executed int64
	// Smallest says that the components' predicates are proven to be a smallest
	// set of candidates, or the cheapest by the cost asked for, that excludes the
	// spurious paths seen. Candidates are those of the program, the specification
	// and the paths; one stands for all comparisons of a term with constants, or of
	// two terms with each other. Only the exact strategy proves it, and only if
	// that takes not too many iterations.
	Smallest bool
	// NotShown says in a few words what ended the search for a smallest set
	// ("time", "--reduce-iterations 200"), where one was looked for and is not proven.
	NotShown string
	Stats    Stats
}

// AnyNumber of copies of a component, one or more.
const AnyNumber = -1

// An Abstraction is the final abstraction of one component.
type Abstraction struct {
	// Predicates are the chosen members of the candidate set (the paper's P),
	// as C, with the place of one branch or statement each comes from.
	Predicates []Predicate
	// Expressions is |⋃ P_s|; Groups counts them with mutually exclusive ones
	// taken together (the paper's "predicates").
	Expressions, Groups int
	// Copies is how many copies of the component run; AnyNumber for any number. CountedTo is, for any number,
	// how many in one state were told apart.
	Copies, CountedTo int
	Locations         int // control locations of the CFA
	MPStates          int // reachable states of MP_i
	MAStates          int // blocks of MA_i; 0 where level two was off
	ReducedStates     int // states that were composed instead in the last check; 0 if the check was not compositional
}

// A Predicate is a chosen candidate: everything that is asked about one term,
// or about two terms that are compared.
type Predicate struct {
	Text       string   // its conditions, shortened if there are many
	Conditions []string // all of them
	Pos        cfa.Pos
	Origin     string // "branch", "guard", "return", "given", "path"
}

// A Figure is a count with its name.
type Figure struct {
	Name  string
	Value int
}

// Stats are the figures of the paper's tables and where the work went.
type Stats struct {
	Iterations          int          // of the loop
	PredicateIterations int          // iterations that refined predicates
	ActionIterations    int          // iterations that refined a partition of actions
	Splits              int          // blocks split in all
	ProductStates       int          // states explored by the last check
	MaxProductStates    int          // most states explored by one check
	Parts               int          // LTSs that the last check composed, if it was compositional; else 0
	Candidates          int          // candidate predicates in all
	Minimization        Minimization // what choosing predicates has cost in all
	Paths               int          // paths examined
	PathBytes           int          // that their steps take
	SolverQueries       int
}

// Minimization is what choosing the smallest sets of predicates has cost.
type Minimization struct {
	Tests       int // of whether a set eliminates a path
	Subsets     int // sets proposed, examined or tried
	Largest     int // of these, the most candidates of one
	Clauses     int // learned from surviving paths, or eliminating sets found
	LargestGood int // the most candidates of an eliminating set
}

// Add adds up what several minimizations have cost.
func (m *Minimization) Add(n Minimization) {
	m.Tests += n.Tests
	m.Subsets += n.Subsets
	m.Largest = max(m.Largest, n.Largest)
	m.Clauses += n.Clauses
	m.LargestGood = max(m.LargestGood, n.LargestGood)
}
