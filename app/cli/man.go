package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"magus/app/repl"
)

const manLong = `Man prints the manual page in the form that man reads:

  magus man > magus.1
  man ./magus.1`

// newMan is the command `magus man`.
func newMan(w *World, _ *int) *cobra.Command {
	return &cobra.Command{
		Use:                   "man",
		Short:                 "Print the manual page",
		Long:                  manLong,
		DisableFlagsInUseLine: true,
		Args:                  arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := io.WriteString(w.data(), manual(c.Root()))
			return err
		},
	}
}

// manual is the manual page, from the commands with their flags and from the
// table of the shell's commands.
func manual(root *cobra.Command) string {
	p := &manPage{}
	p.macro("TH", "MAGUS", "1", "", "magus", "")
	p.macro("SH", "NAME")
	p.text("magus - " + strings.ToLower(root.Short[:1]) + root.Short[1:])
	p.macro("SH", "SYNOPSIS")
	p.macro("B", root.Use+" [ARGUMENT...]")
	p.macro("SH", "COMMANDS")
	p.commands(root)
	p.macro("SH", "COMMANDS OF THE SHELL")
	p.text("These are the commands of magus repl and of the scripts of magus run. A command can be shortened " +
		"as long as it is clear.")
	for _, g := range repl.Groups() {
		p.macro("SS", g)
		for _, c := range repl.Commands() {
			if c.Group == g {
				p.item(c.Usage(), c.Short+".")
				p.long(c.Long)
			}
		}
	}
	p.macro("SH", "ENVIRONMENT")
	p.item("MAGUS_HISTORY", "The file with the history of the shell. Without it the file is magus/history in "+
		"XDG_STATE_HOME, or in .local/state in the home folder.")
	p.item(debugVariable, "If it is not empty, an internal error is reported with the place in the program.")
	p.macro("SH", "EXIT STATUS")
	for _, s := range []struct{ status, meaning string }{
		{"0", "Every claim conforms; the answer is yes."},
		{"1", "A claim is violated, an expectation was not met; the answer is no."},
		{"2", "Wrong usage or input."},
		{"3", "Unknown: not modelled, or a budget was used up."},
		{"70", "An internal error."},
	} {
		p.item(s.status, s.meaning)
	}
	return p.b.String()
}

// A manPage is a manual page under way.
type manPage struct{ b strings.Builder }

// roff escapes what means something in the text of a manual page, and what is
// not ASCII.
func roff(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// macro writes a request with arguments.
func (p *manPage) macro(name string, args ...string) {
	p.b.WriteString("." + name)
	for _, a := range args {
		p.b.WriteString(` "` + strings.ReplaceAll(roff(a), `"`, `\(dq`) + `"`)
	}
	p.b.WriteByte('\n')
}

// text writes lines; none of them is taken for a request.
func (p *manPage) text(text string) {
	for line := range strings.Lines(text) {
		line = roff(strings.TrimRight(line, " \n"))
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		p.b.WriteString(line + "\n")
	}
}

// item writes something with what it is.
func (p *manPage) item(name, text string) {
	p.macro("TP")
	p.macro("B", name)
	p.text(text)
}

// long writes paragraphs; indented ones stay as they are.
func (p *manPage) long(text string) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		switch {
		case strings.TrimSpace(paragraph) == "":
		case strings.HasPrefix(paragraph, "  "):
			p.macro("IP")
			p.macro("nf")
			p.text(paragraph)
			p.macro("fi")
		default:
			p.macro("IP")
			p.text(paragraph)
		}
	}
}

// commands writes the commands below c.
func (p *manPage) commands(c *cobra.Command) {
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if sub.Name() == "completion" { // it explains itself at length
			var shells []string
			for _, s := range sub.Commands() {
				shells = append(shells, s.Name())
			}
			p.macro("SS", sub.CommandPath()+" "+strings.Join(shells, "|"))
			p.text(sub.Short + ".")
			continue
		}
		if sub.HasAvailableSubCommands() {
			p.commands(sub)
			continue
		}
		p.macro("SS", strings.TrimSuffix(sub.UseLine(), " [flags]"))
		p.text(sub.Short + ".")
		for paragraph := range strings.SplitSeq(sub.Long, "\n\n") {
			if paragraph != "" {
				p.macro("PP")
				p.paragraph(paragraph)
			}
		}
		if sub.Example != "" {
			p.macro("PP")
			p.text("Examples:")
			p.paragraph(sub.Example)
		}
		sub.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			kind, help := pflag.UnquoteUsage(f)
			name := "--" + f.Name
			if f.Shorthand != "" {
				name = "-" + f.Shorthand + ", " + name
			}
			if kind != "" {
				name += " " + kind
			}
			p.item(name, fmt.Sprintf("%s.", help))
		})
	}
}

// paragraph writes a paragraph; one that is indented or a list stays as it is.
func (p *manPage) paragraph(text string) {
	if !strings.Contains("\n"+text, "\n  ") {
		p.text(text)
		return
	}
	p.macro("nf")
	p.text(text)
	p.macro("fi")
}
