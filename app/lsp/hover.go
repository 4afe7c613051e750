package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"magus/lts"
)

// Hover implements [protocol.Server]: what a name stands for.
func (s *server) Hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	q := s.ask(ctx, p.TextDocumentPositionParams)
	if q == nil {
		return nil, nil
	}
	for _, g := range q.groups {
		x := s.indexes.of(ctx, g)
		at, ok := x.at(q.path, q.offset)
		if !ok {
			continue
		}
		if text := x.describe(ctx, at); text != "" {
			r := q.text.span(at.from, at.to)
			contents := &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}
			return &protocol.Hover{Contents: contents, Range: &r}, nil
		}
	}
	return nil, nil
}

// describe is what is known of the name, as Markdown; "" if that is nothing.
func (x *index) describe(ctx context.Context, o occurrence) string {
	switch o.kind {
	case aProcess:
		return x.drawn(ctx, o.name)
	case aState:
		return fmt.Sprintf("a state of the process `%s`\n\n%s", o.within, x.drawn(ctx, o.within))
	case anAction:
		return x.describeAction(o.name)
	case aProcedure:
		return x.describeProcedure(ctx, o.name)
	case aVariable, anEnumerator:
		return x.describeVariable(o)
	}
	return ""
}

// maxDrawn is how many lines of a transition system are shown.
const maxDrawn = 30

// drawn is a process as its transition system.
func (x *index) drawn(ctx context.Context, name string) string {
	m := x.lts(ctx, name)
	if m == nil {
		return ""
	}
	var actions []string
	for _, a := range m.Alphabet() {
		actions = append(actions, m.Actions().Name(a))
	}
	slices.Sort(actions)
	return fmt.Sprintf("**%s**: %s, %s  \nalphabet: %s\n\n```\n%s\n```",
		name, count(m.NumStates(), "state"), count(m.NumEdges(), "transition"),
		strings.Join(actions, ", "), rows(m))
}

// rows are the transitions of a system, a line for each state.
func rows(m *lts.LTS) string {
	lines := []string{}
	for st := range lts.State(m.NumStates()) {
		if len(lines) == maxDrawn {
			lines = append(lines, fmt.Sprintf("… %s more", count(m.NumStates()-maxDrawn, "state")))
			break
		}
		var out []string
		for _, e := range m.Out(st) {
			out = append(out, fmt.Sprintf("—%s→ %s", m.Actions().Name(e.Action), m.StateName(e.To)))
		}
		lines = append(lines, strings.TrimRight(m.StateName(st)+"  "+strings.Join(out, "  "), " "))
	}
	return strings.Join(lines, "\n")
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// describeAction says where an action happens.
func (x *index) describeAction(name string) string {
	var performed, specified []string
	for _, o := range x.occurrences {
		switch {
		case o.kind != anAction || o.name != name:
		case o.inC:
			performed = append(performed, fmt.Sprintf("by `%s` (%s)", o.within, x.place(o)))
		case o.defines:
			performed = append(performed, fmt.Sprintf("in the description `%s` (%s)", o.within, x.place(o)))
		case o.within != "":
			specified = append(specified, "`"+o.within+"`")
		}
	}
	text := "**" + name + "**: an action"
	if performed = unique(performed); len(performed) > 0 {
		text += "\n\nit happens " + strings.Join(performed, ", ")
	} else if x.project != nil {
		text += "\n\nnothing performs it"
	}
	if specified = unique(specified); len(specified) > 0 {
		text += "\n\nspecified by " + strings.Join(specified, ", ")
	}
	return text
}

// unique are the texts, each once, in order of first use.
func unique(texts []string) (all []string) {
	for _, t := range texts {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// place is file:line of an occurrence.
func (x *index) place(o occurrence) string {
	t := x.server.docs.text(o.path)
	if t == nil {
		return filepath.Base(o.path)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(o.path), t.position(o.from).Line+1)
}

// describeProcedure is a function, and what specifications say of it.
func (x *index) describeProcedure(ctx context.Context, name string) string {
	f, known := x.functions[name]
	text := "**" + name + "**"
	if known {
		text = "**" + signature(f) + "**"
		if f.Body.IsValid() {
			text += fmt.Sprintf(", %s:%d", filepath.Base(f.Pos.File), f.Pos.Line)
		} else {
			text += ", without a body"
		}
	}
	if x.specs == nil {
		return text
	}
	p := x.specs.Procedure(name)
	if p == nil {
		return text
	}
	for _, a := range p.Abstracts {
		text += fmt.Sprintf("\n\nif `%s`: ", a.Guard)
		if drawn := x.drawn(ctx, a.LTS); drawn != "" && len(p.Abstracts) == 1 {
			text += drawn
		} else {
			text += "`" + a.LTS + "`"
		}
	}
	switch {
	case p.Skip:
		text += "\n\ncalls have no effect"
	case p.Inline:
		text += "\n\nits body stands in the place of a call"
	}
	return text
}

// describeVariable is where a variable is declared.
func (x *index) describeVariable(o occurrence) string {
	for _, d := range x.occurrences {
		if d.entity != o.entity || !d.defines || !d.inC {
			continue
		}
		if o.inC {
			return "" // that is for C's own servers to say
		}
		text := "**" + d.name + "**"
		if t := x.server.docs.text(d.path); t != nil {
			_, line := t.line(int(t.position(d.from).Line))
			text += fmt.Sprintf(", %s\n\n```c\n%s\n```", x.place(d), strings.TrimSpace(line))
		}
		return text
	}
	if !o.inC && strings.HasPrefix(o.name, "$0") {
		return "the returned value"
	}
	return ""
}
