package job

import (
	"context"
	"errors"
	"strings"

	"magus"
	"magus/app/input"
	"magus/cfa"
)

// Mistake makes an [input.Error] of the messages of an error, which carry places.
// What is no mistake in the input stays what it is.
func Mistake(ctx context.Context, err error) error {
	var internal *cfa.InternalError
	if _, ok := magus.Undecided(ctx, err); ok || errors.As(err, &internal) {
		return err
	}
	var sources cfa.Errors
	if errors.As(err, &sources) {
		return input.Errorf("%s", strings.Replace(err.Error(), sources.Error(), sources.WithLines(), 1))
	}
	return input.Errorf("%s", err)
}
