package options

import (
	"fmt"
	"strings"
)

// Reference is the reference page of the options as Markdown, from the table.
func Reference() string {
	var b strings.Builder
	b.WriteString(referenceHead)
	group := ""
	for _, r := range Standard() {
		if r.Group != group {
			group = r.Group
			fmt.Fprintf(&b, "\n## %s\n\n| option | default | meaning | applies to |\n|---|---|---|---|\n", group)
		}
		name := "`--" + r.Name
		if r.Short != "" {
			name = "`-" + r.Short + "`, " + name
		}
		if r.Kind != Bool {
			name += " " + r.argument()
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(name+"`"), cell(r.shownDefault()), cell(r.Plain()), r.In)
	}
	return b.String()
}

// argument is the option's value in the help.
func (r *Option) argument() string {
	if _, rest, ok := strings.Cut(r.Help, "`"); ok {
		name, _, _ := strings.Cut(rest, "`")
		return name
	}
	return r.Of(&Options{}).Type()
}

// shownDefault is the option's default, unless it goes without saying.
func (r *Option) shownDefault() string {
	if r.Kind == Bool {
		return ""
	}
	return r.Default
}

// cell is a text in a table of Markdown.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

const referenceHead = `# Options

All options of all commands, with what they do and their defaults.

    magus check --property unreach-call --timeout 90s --memory-limit 2GiB main.c

The page is made from the table of options; ` + "`go test ./app/options -update`" + ` rewrites it.

The shell is ` + "`magus repl`" + `, where ` + "`set`" + ` takes the options without the dashes, and ` +
	"`magus dot`" + `, whose
` + "`--output`" + ` is where the drawing goes. What is repeatable collects its values. Sizes are numbers with a unit such as MiB, durations such as 90s or 5m.
`
