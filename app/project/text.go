package project

import (
	_ "embed" // of the workflow
	"fmt"
	"strconv"
	"strings"

	"magus/internal/phrase"
)

// A Proposal is what a project begins with.
type Proposal struct {
	// CompileCommands is a compilation database or its folder; Output is what of it is read, "" for all.
	CompileCommands, Output string
	Made                    bool // the database was made by magus init
	Files                   []string
	Include, Define         []string
	Undefine                []string
	Rules                   []Rule
	Baseline                string
}

// A Rule is one that the project has something to do with.
type Rule struct {
	Name, Text string // what it asks for, "" if that is not known
	Functions  int    // that lead to an event of it
}

// Text is the text of a file with a proposal.
func Text(p Proposal) string {
	var b strings.Builder
	b.WriteString("# How magus looks at this project: magus rules check reads it in this folder and in those below.\n" +
		"# A key is the name of an option (magus rules check --help), which wins over it on a command line.\n\n[rules]\n")
	one := func(key, value, remark string) {
		if value != "" {
			line := fmt.Sprintf("%-16s = %s", key, quote(value))
			if remark != "" {
				line = fmt.Sprintf("%-46s # %s", line, remark)
			}
			b.WriteString(line + "\n")
		}
	}
	made := ""
	if p.Made {
		made = "magus init made it; make has the last word"
	}
	one("compile-commands", p.CompileCommands, made)
	one("output", p.Output, "")
	list(&b, files, p.Files)
	list(&b, "include", p.Include)
	list(&b, "define", p.Define)
	list(&b, "undefine", p.Undefine)
	if len(p.Rules) > 0 {
		b.WriteString("rule = [\n")
		for _, r := range p.Rules {
			remark := phrase.Plural(r.Functions, "function")
			if r.Text != "" {
				remark += ": " + mainClause(r.Text)
			}
			fmt.Fprintf(&b, "\t%-24s # %s\n", quote(r.Name)+",", remark)
		}
		b.WriteString("]\n")
	}
	one("baseline", p.Baseline, "findings that are known")
	one("function-timeout", "1m", "for one rule and one function that it begins in")
	one("timeout", "30m", "in all")
	return b.String()
}

// mainClause is what a sentence says before it goes on behind a colon or a semicolon.
func mainClause(text string) string {
	if i := strings.IndexAny(text, ":;"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSuffix(text, ".")
}

// list writes a list, if there is one.
func list(b *strings.Builder, key string, values []string) {
	if len(values) == 0 {
		return
	}
	fmt.Fprintf(b, "%-16s = [\n", key)
	for _, v := range values {
		b.WriteString("\t" + quote(v) + ",\n")
	}
	b.WriteString("]\n")
}

// quote is a basic string of TOML.
func quote(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

//go:embed workflow.yml
var workflow string

// Workflow is a workflow of GitHub's that checks a project whose compile commands the steps write.
func Workflow(steps string) string {
	return strings.Replace(workflow, "      # STEPS\n", steps, 1)
}

// Steps are those of a workflow that make compile commands in a folder, by the build files that a project has.
func Steps(cmake, meson bool, folder string) string {
	switch {
	case cmake:
		return "      - run: cmake -B " + strconv.Quote(folder) + " -DCMAKE_EXPORT_COMPILE_COMMANDS=ON\n"
	case meson:
		return "      - run: pipx run meson setup " + strconv.Quote(folder) + "\n"
	}
	return ""
}
