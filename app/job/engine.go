package job

import (
	"context"

	"magus"
	"magus/cfa"
	"magus/engine/cegar"
	"magus/evidence/certificate"
)

// An Engine reads programs. [Magus] is the real one.
type Engine interface {
	Load(ctx context.Context, in magus.Input) (Project, error)
}

// A Project offers claims, as [magus.Project] does.
type Project interface {
	Warnings() []cfa.Warning
	Claims(magus.Selection) ([]*magus.Claim, error)
	Properties(magus.Property) ([]*magus.Claim, error)
	NewSession(context.Context, *magus.Claim, magus.Options) (Session, error)
	Verify(context.Context, *magus.Claim, magus.Options, *certificate.Certificate) error
}

// A Session works on one claim.
type Session = magus.Session

// An Unending session has a run that does not end.
type Unending interface{ Endless() *cegar.View }

// A Viewed session lets its abstractions be looked at, as [cegar.Session] does.
type Viewed interface{ View() cegar.View }

// Magus is package magus.
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
	return magus.NewSession(ctx, c, o)
}

func (project) Verify(ctx context.Context, c *magus.Claim, o magus.Options, cert *certificate.Certificate) error {
	return magus.Verify(ctx, c, o, cert)
}
