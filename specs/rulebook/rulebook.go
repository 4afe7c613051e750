package rulebook

import (
	"context"
	"embed"
	"path"
	"strings"

	"magus/specs"
)

//go:embed rules/*.spec examples/*.c
var files embed.FS

// An Entry is a rule that comes along.
type Entry struct {
	Name string
	Text string // of its file
	// Example is a C file with a function kept, which keeps the rule, and a function broken, which breaks it in the line
	// that ends in [BrokenHere].
	Example string
}

// BrokenHere ends the line of an example in which the rule is broken.
const BrokenHere = "// broken"

// Entries are the rules by name.
func Entries() []Entry {
	names, err := files.ReadDir("rules")
	if err != nil {
		panic(err) // they are part of the program
	}
	var all []Entry
	for _, f := range names {
		text, err := files.ReadFile(path.Join("rules", f.Name()))
		if err != nil {
			panic(err)
		}
		name := strings.TrimSuffix(f.Name(), ".spec")
		example, err := files.ReadFile(path.Join("examples", name+".c"))
		if err != nil {
			panic(err)
		}
		all = append(all, Entry{name, string(text), string(example)})
	}
	return all
}

// Rule is the rule itself, and what is looked for besides where it is not decided, or nil.
func (e Entry) Rule() (rule, besides *specs.Rule) {
	f, err := specs.Parse(context.Background(),
		[]specs.Source{{Name: "<rules>/" + e.Name + ".spec", Text: []byte(e.Text)}}, nil)
	if err != nil {
		panic(err) // a test parses all
	}
	if len(f.Rules) > 1 {
		besides = f.Rules[1]
	}
	return f.Rules[0], besides
}

// Explanation is the comment at the head of the text, without its marks.
func (e Entry) Explanation() string {
	var b strings.Builder
	for line := range strings.Lines(e.Text) {
		text, ok := strings.CutPrefix(line, "//")
		if !ok {
			break
		}
		b.WriteString(strings.TrimPrefix(text, " "))
	}
	return b.String()
}

// Help is the explanation with the example.
func (e Entry) Help() string {
	return e.Explanation() + "\nThe first function keeps it, the second breaks it in the line that says so:\n" +
		"\n" + indented(e.Example)
}

// indented is a text four columns further to the right.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// Summary is the first sentence of the explanation.
func (e Entry) Summary() string {
	first, _, _ := strings.Cut(e.Explanation(), "\n\n")
	return strings.Join(strings.Fields(first), " ")
}
