package job

import (
	"context"
	"errors"

	"magus"
	"magus/cfa"
	"magus/internal/input"
)

// Mistake makes an [input.Error] of the messages of an error, which carry places.
// What is no mistake in the input stays what it is.
func Mistake(ctx context.Context, err error) error {
	var internal *cfa.InternalError
	if _, ok := magus.Undecided(ctx, err); ok || errors.As(err, &internal) {
		return err
	}
	return input.Errorf("%s", err)
}
