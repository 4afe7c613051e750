package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"magus/internal/phrase"
)

// A Command is a row of the table of commands, from which the help, completion,
// the reference page and the manual are made.
type Command struct {
	Name    string
	Aliases []string
	Group   string
	Args    string // as the help shows them
	Short   string // one line, without a full stop
	Long    string // paragraphs; may be empty
	Example string // lines

	kinds   []kind // of the arguments, for completion
	raw     bool   // > is an argument like any other; the rest of the line may be taken as it is
	repeats bool   // an empty line at the prompt repeats it
	list    bool   // what it prints may be more than a screen, which is shown at once
	checks  bool   // there has to be a specification
	run     func(ctx context.Context, c *call) error
}

const (
	groupSession = "The session"
	groupStep    = "Stepping"
	groupLook    = "Looking"
	groupDraw    = "Drawing"
	groupThreads = "Threads"
	groupAct     = "Acting"
	groupScript  = "Scripts"
)

// Groups are the groups of commands, in the order of the help.
func Groups() []string {
	return []string{groupSession, groupStep, groupLook, groupDraw, groupThreads, groupAct, groupScript}
}

// Commands is the table, in the order of the help within each group.
func Commands() []*Command {
	return slices.Concat(sessionCommands(), fileCommands(), stepCommands(), listing(lookCommands()), drawCommands(),
		threadCommands(), actCommands(), scriptCommands())
}

// listing are commands, all of which print lists.
func listing(all []*Command) []*Command {
	for _, c := range all {
		c.list = true
	}
	return all
}

// Usage is the command with its arguments.
func (c *Command) Usage() string { return strings.TrimSpace(c.Name + " " + c.Args) }

// A commandTable has the commands of a shell.
type commandTable []*Command

// names are all names that the shell understands as a first word.
func (t commandTable) names() []string {
	names := []string{"if", "foreach", "define"}
	for _, c := range t {
		names = append(names, c.Name)
	}
	return names
}

// find is the command of that name or alias, or the only one whose name begins
// so.
func (t commandTable) find(name string) (*Command, error) {
	var begins []*Command
	for _, c := range t {
		if c.Name == name || slices.Contains(c.Aliases, name) {
			return c, nil
		}
		if strings.HasPrefix(c.Name, name) {
			begins = append(begins, c)
		}
	}
	switch len(begins) {
	case 1:
		return begins[0], nil
	case 0:
		return nil, fmt.Errorf("no command %s%s", name, orHelp(phrase.Suggest(name, t.names())))
	}
	names := make([]string, len(begins))
	for i, c := range begins {
		names[i] = c.Name
	}
	return nil, fmt.Errorf("%s may be %s", name, strings.Join(names, " or "))
}

// orHelp is a text, or a hint where there is none.
func orHelp(text string) string {
	if text == "" {
		return "; help lists them"
	}
	return text
}

// helpCommand prints the table or a row of it.
func helpCommand() *Command {
	return &Command{Name: "help", Aliases: []string{"h", "?"}, Group: groupSession, Args: "[COMMAND]", list: true,
		Short: "Say what commands there are, or what one of them does", kinds: []kind{kindCommand},
		run: func(_ context.Context, c *call) error {
			if len(c.args) == 0 {
				c.printf("%s", c.table.overview(c.width()))
				return nil
			}
			if len(c.args) > 1 {
				return c.usage()
			}
			if text, ok := blocks()[c.args[0]]; ok {
				c.printf("%s", reflowed(text, c.width()))
				return nil
			}
			cmd, err := c.table.find(c.args[0])
			if err != nil {
				return err
			}
			c.printf("%s", cmd.help(c.width()))
			return nil
		}}
}

// blocks explains the words that open a block.
func blocks() map[string]string {
	return map[string]string{
		"if": "if CONDITION ... elif CONDITION ... else ... end\n\n" +
			"Execute the first block whose condition holds; see help expect for conditions.",
		"foreach": "foreach NAME in WORD... ... end\n\nExecute the block once for each word, which is $NAME in it.",
		"define": "define ... end\n\nAdd the lines up to end to the specifications, as one more file, and load\n" +
			"everything again.",
	}
}

// commandColumn is where the help says what a command does.
const commandColumn = 25

// overview is the list of commands by groups, in lines of a width.
func (t commandTable) overview(width int) string {
	var b strings.Builder
	for _, g := range Groups() {
		fmt.Fprintf(&b, "%s:\n", g)
		for _, c := range t {
			if c.Group != g {
				continue
			}
			name := c.Name
			if len(c.Aliases) > 0 {
				name += " (" + strings.Join(c.Aliases, ", ") + ")"
			}
			writeFilled(&b, "  "+name, c.Short, commandColumn, width)
		}
		if g == groupScript {
			writeFilled(&b, "  if, foreach, define", "Blocks, closed by end", commandColumn, width)
		}
		b.WriteByte('\n')
	}
	b.WriteString(reflowed(helpEnd, width))
	return b.String()
}

const helpEnd = `help COMMAND says more. A command can be shortened as long as it is clear. A number
is one behind the list that was printed last: of moves, counterexamples, claims or moments.

COMMAND > FILE writes what it prints to a file, >> FILE behind what is there. A
file that magus has not written is replaced if set force is true, one that was
read never.

COMMAND | grep TEXT prints the lines with a text only, | head [N] and | tail [N] the
first and the last ones; | less shows them page by page. !COMMAND is for the system,
if magus repl --allow-commands allows it.`

// help is what help COMMAND prints, in lines of a width.
func (c *Command) help(width int) string {
	var b strings.Builder
	writeFilled(&b, "", c.Usage(), 0, width)
	b.WriteByte('\n')
	writeFilled(&b, "", c.Short+".", 0, width)
	if len(c.Aliases) > 0 {
		fmt.Fprintf(&b, "Short: %s\n", strings.Join(c.Aliases, ", "))
	}
	if c.Long != "" {
		fmt.Fprintf(&b, "\n%s", reflowed(c.Long, width))
	}
	if c.Example != "" {
		b.WriteString("\nExamples:\n")
		for line := range strings.Lines(c.Example) {
			b.WriteString("  " + line)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// errNothing is the error of a command that needs a session.
var errNothing = errors.New("nothing is loaded; load FILES does it")
