package magus

import (
	"context"

	"magus/cfa"
	"magus/specs"
)

// Input is the text a project is made of.
type Input struct {
	C       []cfa.Source
	Specs   []specs.Source
	Options cfa.Options
	// ReadFile reads what spec files import.
	ReadFile func(path string) ([]byte, error)
}

// A Project is a parsed program with its specifications. It is immutable.
type Project struct {
	program *cfa.Program
	specs   *specs.File // empty, not nil, without spec files
}

// A Selection restricts claims; empty fields select everything.
type Selection struct {
	Procedure     string
	Specification string
}

// A Property asks that the action `error` never happens.
type Property struct {
	Entry          string   // default "main"
	ErrorFunctions []string // besides reach_error and __VERIFIER_error
	ErrorLabels    []string
}

// A Claim is one thing to check.
type Claim struct {
	Name string // "procedure run, abstraction run_ok", "program tx, rx, specification ok", "main: error never happens"
}

// Load parses the input. The error is cfa.Errors, specs.Errors or another with
// positions in its text: input that is wrong.
func Load(ctx context.Context, in Input) (*Project, error) { return nil, nil }

// Warnings are remarks about the sources that do not stop a check.
func (p *Project) Warnings() []cfa.Warning { return nil }

// Claims are the selected claims: every abstraction of a procedure that has a
// body, then every program specification, in source order. Selecting what does
// not exist, or nothing at all, is an *InputError.
func (p *Project) Claims(sel Selection) ([]*Claim, error) { return nil, nil }

// Property is the claim that `error` never happens.
func (p *Project) Property(q Property) (*Claim, error) { return nil, nil }

// An InputError is a mistake in what was asked for: a name that nothing
// defines, an empty selection.
type InputError struct{ Msg string }

func (e *InputError) Error() string { return e.Msg }

// A Session works on one claim.
type Session struct{}

// NewSession lowers the claim's components and binds the specification to
// them. C that is not modelled is no error: the session's first Step ends it
// with the verdict unknown and the place. An error means that the input is
// wrong (a guard with a name that nothing defines, say), or that ctx ended.
func NewSession(ctx context.Context, c *Claim, opt Options) (*Session, error) { return nil, nil }

// Step performs one phase and says what happened. Once it has returned Ended
// it returns the same Ended again. A context that ends makes the outcome
// unknown, with the reason "time-out" or "interrupted"; the session can go on
// with a new context. A fault of our own panics.
func (s *Session) Step(ctx context.Context) Event { return nil }

// Next is the phase that the next Step performs.
func (s *Session) Next() Phase { return Finished }

// Run steps until the end. observe, if not nil, sees every event.
func (s *Session) Run(ctx context.Context, observe func(Event)) *Outcome { return nil }
