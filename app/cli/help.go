package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"magus/app/repl"
)

const (
	// fewFlags is how many flags stand in one list: a command with more has them in groups, and
	// shows those that people use first.
	fewFlags = 12
	// Lines of a help end within the terminal, and within these columns.
	narrowHelp, wideHelp = 40, 100
	// Texts of flags begin in this column; a longer name has a line of its own.
	flagText = 30
	// What goes on in the next line is indented by so much.
	hanging = 10
)

// Annotations of flags.
const (
	groupOfFlag  = "group"  // in which group it is
	commonFlag   = "common" // it is among those that are shown first
	everyOptions = "all"    // the word behind --help that asks for all
)

// helpOf is the help of commands: what cobra has, with flags in groups and lines that fit.
func helpOf(w *World) func(*cobra.Command, []string) {
	return func(c *cobra.Command, _ []string) {
		h := &helpPage{width: w.helpWidth(), every: slices.Contains(c.Flags().Args(), everyOptions)}
		h.write(c)
		fmt.Fprint(c.OutOrStdout(), h.b.String())
	}
}

// helpWidth is the number of columns of a help.
func (w *World) helpWidth() int {
	if !w.OnScreen {
		return wideHelp
	}
	return min(max(repl.ScreenWidth(), narrowHelp), wideHelp)
}

// A helpPage is the help of a command under way.
type helpPage struct {
	b     strings.Builder
	width int
	every bool // all flags are shown
}

func (h *helpPage) write(c *cobra.Command) {
	if text := cmp.Or(c.Long, c.Short); text != "" {
		h.prose(strings.TrimRight(text, "\n"))
		h.b.WriteByte('\n')
	}
	fmt.Fprintf(&h.b, "Usage:\n")
	if c.Runnable() {
		fmt.Fprintf(&h.b, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		h.commands(c)
	}
	if c.Example != "" {
		fmt.Fprintf(&h.b, "\nExamples:\n%s\n", c.Example)
	}
	h.flags(c)
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&h.b, "\nMore about a command: %s COMMAND --help\n", c.CommandPath())
	}
}

// prose writes paragraphs; those that hold an indented line stay as they are.
func (h *helpPage) prose(text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			h.b.WriteByte('\n')
		}
		if strings.Contains("\n"+paragraph, "\n  ") {
			h.b.WriteString(strings.Trim(paragraph, "\n") + "\n")
			continue
		}
		for _, line := range fill(paragraph, h.width) {
			h.b.WriteString(line + "\n")
		}
	}
}

// commands writes the commands below c.
func (h *helpPage) commands(c *cobra.Command) {
	if !c.Runnable() || c == c.Root() || strings.HasSuffix(c.UseLine(), " COMMAND") {
		h.b.WriteString("\nCommands:\n")
	} else {
		fmt.Fprintf(&h.b, "  %s COMMAND\n\nCommands:\n", c.CommandPath())
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			h.item("  "+sub.Name(), sub.Short, sub.NamePadding()+4)
		}
	}
}

// flags writes the flags of a command.
func (h *helpPage) flags(c *cobra.Command) {
	groups, all := flagGroups(c.LocalFlags())
	if all <= fewFlags {
		h.group("Flags", slices.Concat(flagsOf(groups)...))
		return
	}
	hidden := 0
	for _, g := range groups {
		shown := g.flags
		if !h.every {
			shown = slices.DeleteFunc(slices.Clone(shown), func(f *pflag.Flag) bool {
				return f.Name == "help" || f.Annotations[groupOfFlag] != nil && f.Annotations[commonFlag] == nil
			})
		}
		hidden += len(g.flags) - len(shown)
		h.group(g.name, shown)
	}
	if hidden > 0 {
		fmt.Fprintf(&h.b, "\n%d more flags: %s --help %s\n", hidden, c.CommandPath(), everyOptions)
	}
}

// group writes some flags below a title.
func (h *helpPage) group(title string, flags []*pflag.Flag) {
	if len(flags) == 0 {
		return
	}
	fmt.Fprintf(&h.b, "\n%s:\n", title)
	for _, f := range flags {
		kind, text := pflag.UnquoteUsage(f)
		name := "      --" + f.Name
		if f.Shorthand != "" {
			name = "  -" + f.Shorthand + ", --" + f.Name
		}
		if kind != "" {
			name += " " + kind
		}
		h.item(name, text+shownDefault(f), flagText)
	}
}

// shownDefault says what a flag is that nobody sets, unless its text does or that goes without saying.
func shownDefault(f *pflag.Flag) string {
	if slices.Contains([]string{"", "0", "0s", "false", "[]"}, f.DefValue) {
		return ""
	}
	return " (default " + f.DefValue + ")"
}

// item writes a name and what it is, from a column on.
func (h *helpPage) item(name, text string, column int) {
	if h.width < 2*column {
		column = hanging
	}
	if len(name)+2 > column {
		for i, line := range alternatives(name, h.width) {
			if i > 0 {
				line = strings.Repeat(" ", hanging) + line
			}
			h.b.WriteString(line + "\n")
		}
		name = ""
	}
	for _, line := range fill(text, h.width-column) {
		fmt.Fprintf(&h.b, "%-*s%s\n", column, name, line)
		name = ""
	}
}

// alternatives breaks a name with many values, a|b|c, into lines.
func alternatives(name string, width int) []string {
	var lines []string
	for len(name) > width {
		at := strings.LastIndex(name[:width], "|")
		if at < 0 {
			break
		}
		lines = append(lines, name[:at+1])
		name = name[at+1:]
		width = max(width-hanging, hanging)
	}
	return append(lines, name)
}

// fill breaks a text into lines of at most width columns, between words.
func fill(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// ownFlags is the group of the flags that are no options of checks: those of the command itself.
const ownFlags = "Flags of this command"

// grouped puts flags of a command into a group, whose flags are shown first.
func grouped(c *cobra.Command, group string, names ...string) {
	for _, name := range names {
		c.Flags().Lookup(name).Annotations = map[string][]string{groupOfFlag: {group}, commonFlag: {"true"}}
	}
}

// A flagGroup has the flags of a group, in their order.
type flagGroup struct {
	name  string
	flags []*pflag.Flag
}

// flagGroups are the groups of flags, in the order of their first, and how many flags there are.
func flagGroups(set *pflag.FlagSet) (groups []flagGroup, all int) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		all++
		name := ownFlags
		if g := f.Annotations[groupOfFlag]; g != nil {
			name = g[0]
		}
		at := slices.IndexFunc(groups, func(g flagGroup) bool { return g.name == name })
		if at < 0 {
			at = len(groups)
			groups = append(groups, flagGroup{name: name})
		}
		groups[at].flags = append(groups[at].flags, f)
	})
	return groups, all
}

func flagsOf(groups []flagGroup) [][]*pflag.Flag {
	var all [][]*pflag.Flag
	for _, g := range groups {
		all = append(all, g.flags)
	}
	return all
}
