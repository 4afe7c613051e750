package cli

// Certificates of verdicts: `magus check --certificate` writes them (evidence.go),
// `magus verify-certificate` checks them.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
)

const verifyLong = `Verify-certificate checks what magus check --certificate wrote, against the
same files and with the same flags that say what is checked (that they are the
same is checked first, headers and imports included), by code of its own: every
step of the program from every abstract state listed must lead to one that is
listed, the composition must be contained in the specification by the antichain
listed, a run is executed. Neither the refinement loop nor predicate abstraction
has a part in it. What is refused is named with the first line that is wrong.

Exit status: 0 every verdict is certified, 1 a certificate is refused, 3
otherwise if one says nothing or could not be checked, 2 wrong usage or input,
70 an internal error.`

const verifyExample = `  magus check --certificate lock.json lock.c lock.spec
  magus verify-certificate lock.json lock.c lock.spec`

// newVerify is the command `magus verify-certificate`.
func newVerify(w *World, status *int) *cobra.Command {
	s := w.Settings(options.Verify)
	c := &cobra.Command{
		Use:                   "verify-certificate [flags] CERTIFICATE FILE.c... [FILE.spec...]",
		Short:                 "Check certificates of verdicts",
		Long:                  verifyLong,
		Example:               verifyExample,
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			var out strings.Builder
			answer, err := verify(c.Context(), w, &out, s.Options, args)
			if err == nil {
				*status = answer
				_, err = io.WriteString(w.Stdout, out.String())
			}
			return asUsage(err, "magus verify-certificate")
		},
		ValidArgsFunction: completeSources,
	}
	addFlags(c, s)
	return c
}

// verify runs `magus verify-certificate`, writes the answers to out and returns
// the exit status.
func verify(ctx context.Context, w *World, out io.Writer, o *options.Options, args []string) (int, error) {
	if len(args) == 0 {
		return 0, &usageError{"no certificate given", "magus verify-certificate"}
	}
	file, files := args[0], args[1:]
	if input.KindOf(file) != input.Other {
		return 0, &usageError{file + " is no certificate, which comes first", "magus verify-certificate"}
	}
	if err := job.Validate(w.Host, o, files); err != nil {
		return 0, err
	}
	text, err := w.Dir.Read(file)
	if err != nil {
		return 0, input.Named(file, err)
	}
	ctx, cancel := job.Budget(ctx, w.Host, o.Timeout, o.MemoryLimit)
	defer cancel()
	d, err := certificate.Read(ctx, bytes.NewReader(text), file)
	if err != nil && ctx.Err() != nil {
		fmt.Fprintf(out, "unknown: %s\n", verdict.Stopped(ctx).Text)
		return exitUnknown, nil
	}
	if err != nil {
		return refuse(out, file, err)
	}
	q, err := job.Ask(ctx, w.Host, o, files)
	if err != nil {
		if why, ok := magus.Undecided(ctx, err); ok {
			fmt.Fprintf(out, "unknown: %s\n", why.Text)
			return exitUnknown, nil
		}
		return 0, err
	}
	if err := d.Answers(q.Facts()); err != nil {
		return refuse(out, file, err)
	}
	if len(d.Certificates) != len(q.Claims) {
		fmt.Fprintf(out, "%s: refused: it has %d certificates, for %d claims\n", file, len(d.Certificates), len(q.Claims))
		return exitViolates, nil
	}
	worst := exitConforms
	for i, c := range q.Claims {
		s := verifyClaim(ctx, out, q.Project, c, job.SessionOptions(w.Host, o), file, d.Certificates[i])
		if worst != exitViolates && s != exitConforms {
			worst = s
		}
	}
	return worst, nil
}

// refuse says that a document is refused; other errors stay what they are.
func refuse(out io.Writer, file string, err error) (int, error) {
	var no *certificate.RefutedError
	if !errors.As(err, &no) {
		return 0, input.Named(file, err)
	}
	fmt.Fprintf(out, "%s:%d: refused: %s\n", file, no.Line, no.Reason)
	return exitViolates, nil
}

// verifyClaim checks the certificate of one claim, writes the answer to out and
// returns the exit status.
func verifyClaim(ctx context.Context, out io.Writer, p job.Project, claim *magus.Claim, opt magus.Options,
	file string, c *certificate.Certificate) int {
	switch {
	case c.Claim != claim.Name:
		fmt.Fprintf(out, "%s: refused: a certificate of %q stands here\n", claim.Name, c.Claim)
		return exitViolates
	case c.Verdict == magus.Unknown.String():
		fmt.Fprintf(out, "%s: unknown: nothing is certified\n", claim.Name)
		return exitUnknown
	}
	err := p.Verify(ctx, claim, opt, c)
	var no *certificate.RefutedError
	switch {
	case err == nil:
		fmt.Fprintf(out, "%s: %s, certified\n", claim.Name, c.Verdict)
		return exitConforms
	case errors.As(err, &no):
		fmt.Fprintf(out, "%s: refused\n%s:%d: %s\n", claim.Name, file, no.Line, no.Reason)
		return exitViolates
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	fmt.Fprintf(out, "%s: unknown: %v\n", claim.Name, err)
	return exitUnknown
}
