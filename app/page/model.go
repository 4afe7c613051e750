package page

import (
	_ "embed" // of the page
	"html/template"
	"io"
	"strings"
)

//go:embed model.html
var modelHTML string

// parsedModel is the template of the page of a model, which has no script.
func parsedModel() *template.Template { return template.Must(template.New("model").Parse(modelHTML)) }

// A Model is what the page of a check of a parameterised model shows.
type Model struct {
	Name, Version string // of the file, of magus
	Source        string
	Properties    []ModelProperty
}

// A ModelProperty is a property with what was found out about it.
type ModelProperty struct {
	Name    string
	Verdict string // "safe", "unsafe" or "unknown"
	Text    string // as it is printed
}

// Class is the verdict as the other pages have it.
func (p ModelProperty) Class() string {
	switch p.Verdict {
	case "safe":
		return "conforms"
	case "unsafe":
		return "violates"
	}
	return "unknown"
}

// modelDocument is what the template is given.
type modelDocument struct {
	*Model
	CSS template.CSS
}

// Lines are the lines of the source.
func (d modelDocument) Lines() []modelLine {
	var all []modelLine
	for i, text := range strings.Split(strings.TrimSuffix(d.Source, "\n"), "\n") {
		all = append(all, modelLine{i + 1, text})
	}
	return all
}

type modelLine struct {
	Number int
	Text   string
}

// WriteModel writes the page of a model. An error is that of w.
func WriteModel(w io.Writer, m *Model) error {
	var b strings.Builder
	if err := parsedModel().Execute(&b, modelDocument{m, template.CSS(pageCSS)}); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}
