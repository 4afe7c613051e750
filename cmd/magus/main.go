// Command magus verifies that a C program conforms to a specification given as a
// labelled transition system. Its commands are described by `magus --help`.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"magus/internal/cli"
)

func main() {
	// The first signal ends the context, and with it the run in good order;
	// from then on signals do what they do by default, so a second one kills.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Main(ctx, os.Args[1:], cli.System()))
}
