package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"magus/cfa/source/libc"
	"magus/internal/phrase"
)

const libcLong = `Libc lists the functions of the C library that have a model: a body in C that
stands for a call where the program does not define the function and declares it
with the type that it has in the library. With a name it prints that body and
what it needs.

A function of the program's own, and an abstraction in a specification, take the
place of a model. --no-libc switches all of them off. What else is known of the C
library is said in docs/semantics.md.`

const libcExample = `  magus libc
  magus libc atexit`

// newLibc is the command `magus libc`.
func newLibc(w *World, _ *int) *cobra.Command {
	return &cobra.Command{
		Use:                   "libc [NAME...]",
		Short:                 "Print the models of functions of the C library",
		Long:                  libcLong,
		Example:               libcExample,
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listModels(w.Stdout)
			}
			for i, name := range args {
				text, ok := libc.Text(name)
				if !ok {
					return &usageError{name + " has no model" + phrase.Suggest(name, libc.Names()), "magus libc"}
				}
				if i > 0 {
					text = "\n" + text
				}
				if _, err := io.WriteString(w.Stdout, text); err != nil {
					return err
				}
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return libc.Names(), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// listModels prints the models, by file, each with what it does.
func listModels(out io.Writer) error {
	var b strings.Builder
	file := ""
	for _, m := range libc.Models() {
		if !m.Public() {
			continue
		}
		if m.File != file {
			if file != "" {
				b.WriteByte('\n')
			}
			file = m.File
			fmt.Fprintln(&b, strings.TrimSuffix(file, ".c"))
		}
		fmt.Fprintf(&b, "  %-26s %s\n", m.Name, m.Summary())
	}
	_, err := io.WriteString(out, b.String())
	return err
}
