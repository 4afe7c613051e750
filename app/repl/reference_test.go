package repl

import (
	"fmt"
	"strings"
)

// Reference is the reference page of the shell as Markdown: its head, up to a mark, as it is, and then the table of
// commands.
func Reference(head string) string {
	var b strings.Builder
	head, _, _ = strings.Cut(head, mark)
	b.WriteString(head + mark)
	said := map[string]string{} // the first command with a text
	for _, g := range Groups() {
		fmt.Fprintf(&b, "\n## %s\n", g)
		for _, c := range Commands() {
			if c.Group != g {
				continue
			}
			if first := said[c.Long]; c.Long != "" && first != "" {
				c.Long = "The arguments are those of [" + first + "](#" + first + ")."
			} else {
				said[c.Long] = c.Name
			}
			c.reference(&b)
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

// mark stands behind what is written by hand.
const mark = "<!-- From here on generated from the table of commands: go test ./app/repl -update -->\n"

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
