package job

import (
	"context"
	"errors"
	"slices"
	"strings"

	"magus/cfa"
	"magus/internal/input"
	"magus/specs"
)

// Unknown finds in an error the reason and place of an unknown verdict: valid C
// that is not modelled, or a context that ended. ok is false if the error is a
// mistake in the input or a fault.
func Unknown(ctx context.Context, err error) (reason string, pos cfa.Pos, ok bool) {
	var c *cfa.UnsupportedError
	var inSpec specs.ErrorList
	switch {
	case errors.As(err, &c):
		return strings.TrimPrefix(c.Error(), c.Pos.String()+": "), c.Pos, true
	case errors.As(err, &inSpec) && !slices.ContainsFunc(inSpec, func(e *specs.Error) bool { return !e.NotModelled }):
		return inSpec[0].Message, cfa.Pos(inSpec[0].Pos), true
	case ctx.Err() != nil:
		return context.Cause(ctx).Error(), cfa.Pos{}, true
	}
	return "", cfa.Pos{}, false
}

// Mistake makes an [input.Error] of the messages of an error, which carry places.
// What is no mistake in the input stays what it is.
func Mistake(ctx context.Context, err error) error {
	var internal *cfa.InternalError
	if _, _, ok := Unknown(ctx, err); ok || errors.As(err, &internal) {
		return err
	}
	return input.Errorf("%s", err)
}
