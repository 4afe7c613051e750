package lsp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"magus/app/input"
	"magus/cfa/source"
	"magus/internal/pattern"
	"magus/specs"
)

// Completion implements [protocol.Server].
func (s *server) Completion(ctx context.Context, p *protocol.CompletionParams) (protocol.CompletionResult, error) {
	q := s.ask(ctx, p.TextDocumentPositionParams)
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	if q == nil {
		return list, nil
	}
	c := &completer{question: q, seen: map[string]bool{}, from: q.offset}
	for _, g := range q.groups {
		c.index, c.names = s.indexes.named(ctx, g)
		if input.KindOf(q.path) == input.C {
			c.inC()
		} else {
			c.inSpec()
		}
	}
	slices.SortFunc(c.items, func(a, b protocol.CompletionItem) int { return cmp.Compare(a.Label, b.Label) })
	list.Items = append(list.Items, c.items...)
	return list, nil
}

// A completer collects what may stand at a place.
type completer struct {
	*question
	index, names *index // names has C as it could be read last
	from         int    // where what has been typed of the name begins
	seen         map[string]bool
	items        []protocol.CompletionItem
}

// add offers a name.
func (c *completer) add(name string, kind protocol.CompletionItemKind, detail string) {
	if c.seen[name] || name == "" {
		return
	}
	c.seen[name] = true
	item := protocol.CompletionItem{Label: name, Kind: kind,
		TextEdit: &protocol.TextEdit{Range: c.text.span(c.from, c.offset), NewText: name}}
	if detail != "" {
		item.Detail = protocol.NewOptional(detail)
	}
	c.items = append(c.items, item)
}

// inAction is a place within the name of an action that C performs.
var inAction = pattern.New(`(?:__MAGUS_ACTION__|__COPPER_HANDSHAKE__)\s*\(\s*"([^"\n]*)$`)

// inC offers the actions of the specifications.
func (c *completer) inC() {
	m := inAction().FindStringSubmatchIndex(c.text.s[:c.offset])
	if m == nil {
		return
	}
	c.from = m[2]
	c.actions()
}

// typed is the part of a name before the place.
var typed = pattern.New(`[\p{L}\p{M}\p{Nd}_$.]*$`)

// inSpec offers what may stand at the place of a specification.
func (c *completer) inSpec() {
	slot := specs.SlotAt(c.text.s, c.offset)
	c.from, _ = c.text.word(c.offset)
	if len(slot.Kinds) == 0 && strings.HasSuffix(c.text.s[:c.offset], "$") {
		c.from = c.offset - 1
		slot = specs.SlotAt(c.text.s, c.from)
	}
	if slices.Contains(slot.Kinds, specs.MentionAction) {
		c.from = c.offset - len(typed().FindString(c.text.s[:c.offset]))
	}
	if slot.Top {
		c.add("procedure", protocol.CompletionItemKindKeyword, "what is said of a C procedure")
		c.add("program", protocol.CompletionItemKindKeyword, "components that run side by side")
		return
	}
	for _, kind := range slot.Kinds {
		switch kind {
		case specs.MentionStatement:
			c.add("abstract", protocol.CompletionItemKindKeyword, "what a call does, if a condition holds")
			c.add("predicate", protocol.CompletionItemKindKeyword, "to begin with")
			c.add("assigns", protocol.CompletionItemKindKeyword, "all that the procedure writes")
			c.add("skip", protocol.CompletionItemKindKeyword, "calls have no effect")
			c.add("relation", protocol.CompletionItemKindKeyword, "what the abstractions claim: relation failures;")
			c.add("inline", protocol.CompletionItemKindKeyword, "the body stands in the place of a call")
		case specs.MentionSpecification:
			c.add("specification", protocol.CompletionItemKindKeyword, "what the program does")
			c.add("relation", protocol.CompletionItemKindKeyword, "what the specifications claim: relation failures;")
			c.add("shared", protocol.CompletionItemKindKeyword, "variables that the components share")
			c.add("buffer", protocol.CompletionItemKindKeyword, "channels that hold values: buffer data[3];")
		case specs.MentionAction:
			c.actions()
			c.add("return", protocol.CompletionItemKindKeyword, "a return action: return {$0 == 0}")
		case specs.MentionProcess:
			c.processes(slot.Within)
		case specs.MentionProcedure:
			c.procedures()
		case specs.MentionVariable:
			c.variables(slot)
		}
	}
}

// actions offers all actions.
func (c *completer) actions() {
	for _, o := range c.index.occurrences {
		if o.kind == anAction && (o.from > c.offset || o.to < c.offset || o.path != c.path) {
			c.add(o.name, protocol.CompletionItemKindEvent, "")
		}
	}
}

// processes offers the processes, and the states of the one that the place is within.
func (c *completer) processes(within string) {
	for _, o := range c.index.occurrences {
		switch {
		case !o.defines:
		case o.kind == aProcess:
			c.add(o.name, protocol.CompletionItemKindClass, "a process")
		case o.kind == aState && o.path == c.path && o.within == within:
			c.add(o.name, protocol.CompletionItemKindField, "a state of "+within)
		}
	}
	c.add("STOP", protocol.CompletionItemKindKeyword, "the end")
	c.add("ERROR", protocol.CompletionItemKindKeyword, "what must not be reached")
}

// procedures offers the functions of C.
func (c *completer) procedures() {
	for _, name := range sortedKeys(c.names.functions) {
		f := c.names.functions[name]
		if !f.Body.IsValid() && !c.names.calls(name) {
			continue // declared by a header, and of no use here
		}
		c.add(name, protocol.CompletionItemKindFunction, signature(f))
	}
}

// calls reports whether C names a function other than by declaring it.
func (x *index) calls(name string) bool {
	return slices.ContainsFunc(x.occurrences, func(o occurrence) bool {
		return o.kind == aProcedure && o.inC && o.name == name
	})
}

// signature is a function with the names of its parameters.
func signature(f source.Function) string {
	var names []string
	for i, p := range f.Params {
		names = append(names, cmp.Or(p.Name, fmt.Sprintf("$%d", i+1)))
	}
	return f.Name + "(" + strings.Join(names, ", ") + ")"
}

// variables offers what an expression may be about.
func (c *completer) variables(slot specs.Slot) {
	if slot.Returned {
		c.add("$0", protocol.CompletionItemKindVariable, "the returned value")
	} else {
		for i, p := range c.names.functions[slot.Within].Params {
			c.add(fmt.Sprintf("$%d", i+1), protocol.CompletionItemKindVariable, p.Name)
		}
	}
	for _, o := range c.names.occurrences {
		switch {
		case !o.inC || !o.defines:
		case o.kind == anEnumerator:
			c.add(o.name, protocol.CompletionItemKindEnumMember, "a constant")
		case o.kind == aVariable && o.within == "":
			c.add(o.name, protocol.CompletionItemKindVariable, "a global")
		case o.kind == aVariable && o.within == slot.Within && !slot.Returned:
			c.add(o.name, protocol.CompletionItemKindVariable, "of "+slot.Within)
		}
	}
}
