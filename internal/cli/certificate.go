package cli

// Certificates of verdicts: `magus check --certificate` writes them, `magus
// verify-certificate` checks them.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"magus"
	"magus/internal/certificate"
	"magus/internal/input"
)

// certify keeps the certificate of a claim, if they are asked for. session is
// nil if there was none.
func (r *run) certify(ctx context.Context, session Session, claim string) {
	if r.flags.certificate == "" {
		return
	}
	nothing := &magus.Certificate{Claim: claim, Verdict: magus.Unknown.String()}
	if session == nil {
		r.certs = append(r.certs, nothing)
		return
	}
	c, err := session.Certificate(ctx)
	if err != nil {
		fmt.Fprintf(r.world.Stderr, "magus: %s: no certificate: %v\n", claim, err)
		c = nothing
	}
	r.certs = append(r.certs, c)
}

func (r *run) writeCertificates() error {
	if r.flags.certificate == "" {
		return nil
	}
	d := &certificate.Document{Question: r.asked, Certificates: r.certs}
	return r.world.writeFile(r.flags.certificate, func(out io.Writer) error { return certificate.Write(out, d) })
}

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

func newVerify(w *World, status *int) *cobra.Command {
	f := newCheckFlags()
	c := &cobra.Command{
		Use:                   "verify-certificate [flags] CERTIFICATE FILE.c... [FILE.spec...]",
		Short:                 "Check certificates of verdicts",
		Long:                  verifyLong,
		Example:               verifyExample,
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			var out strings.Builder
			verdict, err := verify(c.Context(), w, &out, f, args)
			if err == nil {
				*status = verdict
				_, err = io.WriteString(w.Stdout, out.String())
			}
			return err
		},
		ValidArgsFunction: completeSources,
	}
	fs := c.Flags()
	fs.SortFlags = false
	f.registerQuestion(c)
	fs.Var(&f.solver, "solver", "decision procedure; z3 and cvc5 must be in PATH")
	fs.DurationVar(&f.timeout, "timeout", 0, "give up after `DURATION`, such as 90s or 5m, over all claims")
	fs.Var(&f.memoryLimit, "memory-limit", "give up when more memory than SIZE is in use, such as 2GiB")
	return c
}

// verify runs `magus verify-certificate`, writes the answers to out and returns
// the exit status.
func verify(ctx context.Context, w *World, out io.Writer, f *checkFlags, args []string) (int, error) {
	if len(args) == 0 {
		return 0, &usageError{"no certificate given", "magus verify-certificate"}
	}
	file := args[0]
	if input.KindOf(file) != input.Other {
		return 0, &usageError{file + " is no certificate, which comes first", "magus verify-certificate"}
	}
	if err := f.validate(w, args[1:]); err != nil {
		var usage *usageError
		if errors.As(err, &usage) {
			usage.command = "magus verify-certificate"
		}
		return 0, err
	}
	text, err := w.dir().Read(file)
	if err != nil {
		return 0, input.Named(file, err)
	}
	d, err := certificate.Read(bytes.NewReader(text), file)
	if err != nil {
		return refuse(out, file, err)
	}
	r := &run{world: w, flags: f}
	ctx, cancel := budget(ctx, w, f.timeout, uint64(f.memoryLimit))
	defer cancel()
	project, claims, err := r.question(ctx, args[1:])
	if err != nil {
		if reason, _, ok := unknown(ctx, err); ok {
			fmt.Fprintf(out, "unknown: %s\n", reason)
			return exitUnknown, nil
		}
		return 0, err
	}
	if err := d.Answers(r.asked); err != nil {
		return refuse(out, file, err)
	}
	if len(d.Certificates) != len(claims) {
		fmt.Fprintf(out, "%s: refused: it has %d certificates, for %d claims\n", file, len(d.Certificates), len(claims))
		return exitViolates, nil
	}
	worst := exitConforms
	for i, c := range claims {
		s := verifyClaim(ctx, out, project, c, f.options(w), file, d.Certificates[i])
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

func verifyClaim(ctx context.Context, out io.Writer, p Project, claim *magus.Claim, opt magus.Options, file string, c *magus.Certificate) int {
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
