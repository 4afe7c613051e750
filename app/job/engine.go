package job

import (
	"context"

	"magus"
	"magus/cfa"
	"magus/engine/cegar"
	"magus/engine/threaded"
	"magus/evidence/certificate"
	"magus/evidence/witness"
)

// An Engine reads programs. [Magus] is the real one.
type Engine interface {
	Load(ctx context.Context, in magus.Input) (Project, error)
}

// A Project offers claims, as [magus.Project] does.
type Project interface {
	Warnings() []cfa.Warning
	Claims(magus.Selection) ([]*magus.Claim, error)
	Property(magus.Property) (*magus.Claim, error)
	NewSession(context.Context, *magus.Claim, magus.Options) (Session, error)
	Verify(context.Context, *magus.Claim, magus.Options, *certificate.Certificate) error
}

// A Session works on one claim, as [cegar.Session] does.
type Session interface {
	Next() cegar.Phase
	Step(context.Context) cegar.Event
	Certificate(context.Context) (*certificate.Certificate, error)
	Inputs() *witness.Inputs
	Close()
}

// A Viewed session lets its abstractions be looked at, as [cegar.Session] does.
type Viewed interface{ View() cegar.View }

// Magus is the engine of package magus, and of package threads where threads are created.
type Magus struct{}

// Load is [magus.Load].
func (Magus) Load(ctx context.Context, in magus.Input) (Project, error) {
	p, err := magus.Load(ctx, in)
	if err != nil {
		return nil, err
	}
	return project{p}, nil
}

type project struct{ *magus.Project }

func (project) NewSession(ctx context.Context, c *magus.Claim, o magus.Options) (Session, error) {
	t, err := threaded.New(ctx, c, o)
	if err != nil {
		return nil, err
	}
	if t != nil {
		return t, nil
	}
	s, err := cegar.NewSession(ctx, c, o)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (project) Verify(ctx context.Context, c *magus.Claim, o magus.Options, cert *certificate.Certificate) error {
	if cert.Threads != nil {
		return threaded.Verify(ctx, c, o, cert)
	}
	return cegar.VerifyCertificate(ctx, c, o, cert)
}
