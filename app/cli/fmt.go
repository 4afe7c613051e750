package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"magus/app/input"
	"magus/specs"
)

const fmtLong = `Fmt prints specification files in the layout that all have, as gofmt does for Go.
Without files, or for the name -, it reads standard input.

Only blanks, empty lines and the ends of lines change: lines stay parted as they
are, comments stay, and what stands below each other in columns stays below each
other. What is formatted already stays as it is. A file that does not parse is not
formatted; its mistakes are told.

With -w a file is replaced at once: it is there completely, before or after. A link
is not followed; name the file that it leads to.

Exit status: 0 done, 1 with -l or -d if a file is not formatted, unless -w is given,
2 wrong usage or input, 70 an internal error.`

const fmtExample = `  magus fmt lock.spec
  magus fmt -w specs/*.spec
  magus fmt -l specs/*.spec
  magus fmt -d < lock.spec`

// stdinName is how messages call standard input.
const stdinName = "<standard input>"

// fmtFlags are the flags of `magus fmt`.
type fmtFlags struct{ list, write, diff bool }

// newFmt is the command `magus fmt`.
func newFmt(w *World, status *int) *cobra.Command {
	var f fmtFlags
	c := &cobra.Command{
		Use:                   "fmt [flags] [FILE.spec...]",
		Short:                 "Format specification files",
		Long:                  fmtLong,
		Example:               fmtExample,
		DisableFlagsInUseLine: true,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"spec"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(c *cobra.Command, args []string) (err error) {
			*status, err = f.run(c.Context(), w, args)
			return err
		},
	}
	c.Flags().BoolVarP(&f.list, "list", "l", false, "print the names of files that are not formatted")
	c.Flags().BoolVarP(&f.write, "write", "w", false, "replace files that are not formatted")
	c.Flags().BoolVarP(&f.diff, "diff", "d", false, "print what would change")
	return c
}

// run formats files and returns the exit status. One that cannot be formatted does not keep the
// others from it.
func (f fmtFlags) run(ctx context.Context, w *World, names []string) (status int, err error) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	var wrong []error
	for _, name := range names {
		changed, err := f.file(ctx, w, name)
		if ctx.Err() != nil {
			return exitInput, input.Errorf("%s: interrupted; this file and those behind it are as they were", name)
		}
		if err != nil {
			wrong = append(wrong, err)
		}
		if changed && (f.list || f.diff) && !f.write {
			status = exitViolates
		}
	}
	return status, errors.Join(wrong...)
}

// file formats a file and reports whether it was not formatted.
func (f fmtFlags) file(ctx context.Context, w *World, name string) (changed bool, err error) {
	text, said, err := f.read(w, name)
	if err != nil {
		return false, err
	}
	got, err := specs.Format(ctx, specs.Source{Name: said, Text: text})
	if err != nil {
		return false, err
	}
	if changed = got != string(text); changed && f.write {
		out := w.named("", name)
		if err := w.run.Write(out, func(out io.Writer) error { return put(out, got) }); err != nil {
			return true, err
		}
	}
	return changed, f.print(w.data(), said, string(text), got)
}

// print writes to standard output what the flags ask for.
func (f fmtFlags) print(out io.Writer, name, before, after string) error {
	var err error
	if f.list && before != after {
		err = put(out, name+"\n")
	}
	if f.diff {
		err = errors.Join(err, put(out, unified(name, before, after)))
	}
	if !f.list && !f.diff && !f.write {
		err = errors.Join(err, put(out, after))
	}
	return err
}

func put(out io.Writer, text string) error {
	_, err := io.WriteString(out, text)
	return err
}

// read reads a file that is to be formatted, and says how messages call it.
func (f fmtFlags) read(w *World, name string) (text []byte, said string, err error) {
	switch {
	case name == "-" && f.write:
		return nil, "", &usageError{"-w replaces files, and standard input is none", "magus fmt"}
	case name == "-":
		text, err = io.ReadAll(io.LimitReader(w.Stdin, input.Limit+1))
		if len(text) > input.Limit {
			err = fmt.Errorf("more than %d bytes", input.Limit)
		}
		return text, stdinName, input.Named(stdinName, err)
	case input.KindOf(name) != input.Spec:
		return nil, "", input.Errorf("%s: not formatted: the name of a specification ends with .spec", name)
	}
	if f.write {
		w.run.Force = func() bool { return true } // people write specifications
		if info, err := os.Lstat(w.Dir.Path(name)); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return nil, "", input.Errorf("%s: not written: it is a link; name the file that it leads to", name)
		}
	}
	text, err = w.Dir.Read(name)
	return text, name, input.Named(name, err)
}
