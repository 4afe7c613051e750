package rulebook

import (
	"context"
	"embed"
	"path"
	"strings"

	"magus/specs"
)

//go:embed rules/*.spec
var files embed.FS

// An Entry is a rule that comes along.
type Entry struct {
	Name string
	Text string // of its file
}

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
		all = append(all, Entry{strings.TrimSuffix(f.Name(), ".spec"), string(text)})
	}
	return all
}

// Rule is the rule itself, and what is looked for besides where it is not decided, or nil.
func (e Entry) Rule() (rule, besides *specs.Rule) {
	f, err := specs.Parse(context.Background(), []specs.Source{{Name: "<rules>/" + e.Name + ".spec", Text: []byte(e.Text)}}, nil)
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

// Summary is the first sentence of the explanation.
func (e Entry) Summary() string {
	first, _, _ := strings.Cut(e.Explanation(), "\n\n")
	return strings.Join(strings.Fields(first), " ")
}
