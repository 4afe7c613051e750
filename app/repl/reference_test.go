package repl

import (
	"fmt"
	"strings"
)

// Reference is the reference page of the shell as Markdown, from the table of
// commands.
func Reference() string {
	var b strings.Builder
	b.WriteString(referenceHead)
	for _, g := range Groups() {
		fmt.Fprintf(&b, "\n## %s\n", g)
		for _, c := range Commands() {
			if c.Group == g {
				c.reference(&b)
			}
		}
		if g == groupScript {
			for _, name := range []string{"if", "foreach", "define"} {
				usage, text, _ := strings.Cut(blocks()[name], "\n\n")
				fmt.Fprintf(&b, "\n### %s\n\n    %s\n\n%s\n", name, usage, text)
			}
		}
	}
	return b.String()
}

const referenceHead = `# The shell

Generated from the table of commands; ` + "`go test ./app/repl -update`" + ` rewrites it. The
[tutorial](tutorial.md) shows the shell at work. ` + "`magus repl --web`" + ` shows its session
in a [browser](web.md) too.

` + "`magus repl [FILE...]`" + ` opens the shell, ` + "`magus run SCRIPT...`" + ` executes scripts in the same
language, ` + "`magus dot OBJECT FILE...`" + ` prints a drawing.

A line is a command with arguments, separated by blanks. Quotes hold an argument together, and so do
the braces of a return action: ` + "`return{$0 == 0}`" + `; a backslash takes the meaning from a blank and other characters.
A word that begins with # begins a remark. A command can be shortened as long as it is clear.

| behind a command | |
|---|---|
| ` + "`\\| grep TEXT`" + ` | the lines with a text only |
| ` + "`\\| head [N]`, `\\| tail [N]`" + ` | the first lines, the last lines; 10 if nothing is said |
| ` + "`\\| less`" + ` | on a terminal page by page, by the program in PAGER or less -R; elsewhere as it is |
| ` + "`> FILE`, `>> FILE`" + ` | into a file: one that is new or that the shell has written (others if set force is true), or behind what is there |

For commands that take the rest of their line as it is (pred, assume, eval, watch) an expression before
one of these stands in double quotes: ` + "`eval \"x > 1\" > x.txt`" + `. ` + "`!COMMAND`" + ` is
executed by the system if the shell was opened with ` + "`--allow-commands`" + `.

On a terminal the tab key completes commands, files, components, actions, predicates, states and
moments; control-R searches the history, control-C stops the running command and keeps the session,
control-D leaves. An empty line repeats step, next, back, forward and simulate. On a pipe there are no
prompts; ` + "`--echo`" + ` shows them together with each line, and the exit status is 2 if a command has failed.

In a script, names of files are relative to the folder of the script. ` + "`set timeout 30s`" + ` is the time for each
claim; after it the verdict is unknown, and the script goes on. Files that are not read a second
after that time are an error.
`

// reference writes the section of a command.
func (c *Command) reference(b *strings.Builder) {
	fmt.Fprintf(b, "\n### %s\n\n    %s\n\n%s.", c.Name, c.Usage(), c.Short)
	if len(c.Aliases) > 0 {
		fmt.Fprintf(b, " Short: `%s`.", strings.Join(c.Aliases, "`, `"))
	}
	b.WriteString("\n")
	for paragraph := range strings.SplitSeq(c.Long, "\n\n") {
		switch {
		case paragraph == "":
		case strings.HasPrefix(paragraph, "  "):
			fmt.Fprintf(b, "\n```text\n%s\n```\n", paragraph)
		default:
			fmt.Fprintf(b, "\n%s\n", paragraph)
		}
	}
	if c.Example != "" {
		fmt.Fprintf(b, "\n```text\n%s\n```\n", c.Example)
	}
}
