package cli

import (
	"io"
	"time"

	"github.com/spf13/cobra"

	"magus/app/lsp"
)

const lspLong = `Lsp is started by an editor and speaks the Language Server Protocol with it over
standard input and output. It shows mistakes in specifications and C as they are
typed, leads from names to where they are defined, across both, completes actions,
procedures and variables, says what a name stands for, and checks claims in place.

Which files are checked together is said by a suite (magus suite) in the folder or
above it, or by a comment in one of the files,

  // magus: check lock.c lock.spec --timeout=30s

or by their names: lock.c belongs to lock.spec.`

// pauseOfTyping is how long the texts stay as they are before the server looks at them.
const pauseOfTyping = 200 * time.Millisecond

// newLSP is the command `magus lsp`.
func newLSP(w *World, _ *int) *cobra.Command {
	c := &cobra.Command{
		Use:                   "lsp",
		Short:                 "Serve an editor",
		Long:                  lspLong,
		Args:                  arguments(0, 0),
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			return lsp.Serve(c.Context(), stdio{w.Stdin, w.data()},
				lsp.Settings{Host: w.Host, Version: version(), Pause: pauseOfTyping})
		},
	}
	// Editors say how they speak; it is the only way there is.
	c.Flags().Bool("stdio", true, "speak over standard input and output")
	return c
}

// stdio is standard input and output as one stream.
type stdio struct {
	io.ReadCloser
	io.Writer
}
