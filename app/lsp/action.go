package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"magus/app/input"
	"magus/cfa/source/libc"
	"magus/internal/pattern"
	"magus/specs"
)

// What may be done at a place: the name that was meant, a description of a routine that has
// neither a body nor an abstraction, a condition of C as a predicate to begin with, a comment that
// allows what a rule forbids.

// CodeAction implements [protocol.Server].
func (s *server) CodeAction(ctx context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	all := []protocol.CommandOrCodeAction{}
	q := s.ask(ctx, protocol.TextDocumentPositionParams{TextDocument: p.TextDocument, Position: p.Range.Start})
	if q == nil {
		return all, nil
	}
	for _, d := range p.Context.Diagnostics {
		all = append(append(all, meant(p.TextDocument.URI, d)...), allowed(q, p.TextDocument.URI, d)...)
	}
	if input.KindOf(q.path) != input.C {
		return all, nil
	}
	end := q.text.offset(p.Range.End)
	for _, g := range q.groups {
		x := s.indexes.of(ctx, g)
		to := slices.IndexFunc(g.files, func(path string) bool { return input.KindOf(path) == input.Spec })
		if to < 0 || x.specs == nil || s.docs.text(g.files[to]) == nil {
			continue
		}
		a := proposal{server: s, index: x, path: g.files[to], text: s.docs.text(g.files[to])}
		all = append(append(all, a.describe(q)...), a.predicate(q, end)...)
	}
	return all, nil
}

// names are what a message says that was perhaps meant.
var names = pattern.New(`; did you mean ([\p{L}\p{N}_.]+)(?: or ([\p{L}\p{N}_.]+))?\?$`)

// meant replaces a name by one that a message proposes.
func meant(u uri.URI, d protocol.Diagnostic) (all []protocol.CommandOrCodeAction) {
	message, ok := d.Message.(protocol.String)
	m := names().FindStringSubmatch(string(message))
	if !ok || m == nil || d.Range.Start.Line != d.Range.End.Line {
		return nil
	}
	for _, name := range m[1:] {
		if name != "" {
			a := edit("write "+name, protocol.CodeActionKindQuickFix, u, protocol.TextEdit{Range: d.Range, NewText: name})
			a.Diagnostics = []protocol.Diagnostic{d}
			all = append(all, a)
		}
	}
	return all
}

// edit is an action that changes one place of a file.
func edit(title string, kind protocol.CodeActionKind, u uri.URI, e protocol.TextEdit) *protocol.CodeAction {
	return &protocol.CodeAction{Title: title, Kind: &kind,
		Edit: &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{u: {e}}}}
}

// A proposal is about what a specification might say of the C of its group.
type proposal struct {
	server *server
	index  *index
	path   string // of the specification
	text   *text
}

// describe proposes a description of a routine without a body that nothing describes, and that is
// no function of the C library.
func (a proposal) describe(q *question) []protocol.CommandOrCodeAction {
	o, ok := a.index.at(q.path, q.offset)
	if !ok || o.kind != aProcedure || !o.inC {
		return nil
	}
	f, declared := a.index.functions[o.name]
	if _, known := libc.Known(o.name); known || !declared || f.Body.IsValid() || a.described(o.name) {
		return nil
	}
	process := a.free(o.name)
	text := fmt.Sprintf("\n// A call of %[1]s is an event of its name, and it returns anything.\n"+
		"%[2]s = ( %[1]s -> return {} -> STOP ).\nprocedure %[1]s { abstract { (1), %[2]s }; }\n", o.name, process)
	if s := a.text.s; s != "" && !strings.HasSuffix(s, "\n") {
		text = "\n" + text
	}
	end := len(a.text.s)
	return []protocol.CommandOrCodeAction{edit(fmt.Sprintf("describe %s in %s", o.name, a.server.short(a.path)),
		protocol.CodeActionKindQuickFix, uri.File(a.path),
		protocol.TextEdit{Range: a.text.span(end, end), NewText: text})}
}

// described reports whether the specifications of the group say something of a procedure.
func (a proposal) described(name string) bool {
	return slices.ContainsFunc(a.index.specs.Procedures, func(p *specs.Procedure) bool { return p.Name == name })
}

// free is a name for a process that no other has.
func (a proposal) free(name string) string {
	r := []rune(name)
	r[0] = unicode.ToUpper(r[0])
	process := string(r)
	if !unicode.IsUpper(r[0]) {
		process = "P" + process
	}
	for slices.ContainsFunc(a.index.occurrences, func(o occurrence) bool { return o.name == process }) {
		process += "_"
	}
	return process
}

// predicate proposes that the selected condition of C is a predicate of its procedure.
func (a proposal) predicate(q *question, end int) []protocol.CommandOrCodeAction {
	if end <= q.offset || end > len(q.text.s) {
		return nil
	}
	selected := strings.TrimSpace(q.text.s[q.offset:end])
	e, err := specs.ParseExpr(q.path, selected)
	procedure, about := a.within(q, end)
	if err != nil || !about || len(e.Args()) > 0 {
		return nil
	}
	at, text := len(a.text.s), fmt.Sprintf("\nprocedure %s { predicate (%s); }\n", procedure, e)
	if block, found := a.block(procedure); found {
		at, text = block, fmt.Sprintf(" predicate (%s);", e)
		if line, _, _ := strings.Cut(a.text.s[at:], "\n"); strings.TrimSpace(line) == "" {
			text = fmt.Sprintf("\n\tpredicate (%s);", e)
		}
	}
	return []protocol.CommandOrCodeAction{edit(fmt.Sprintf("make %s a predicate of %s in %s", e, procedure,
		a.server.short(a.path)),
		protocol.CodeActionKindRefactor, uri.File(a.path),
		protocol.TextEdit{Range: a.text.span(at, at), NewText: text})}
}

// within is the procedure in which a variable stands that is selected.
func (a proposal) within(q *question, end int) (string, bool) {
	for _, o := range a.index.occurrences {
		if o.path == q.path && o.inC && o.kind == aVariable && o.within != "" && q.offset <= o.from && o.to <= end {
			return o.within, true
		}
	}
	return "", false
}

// block is the offset behind the brace that begins what the specification says of a procedure.
func (a proposal) block(procedure string) (int, bool) {
	for _, m := range specs.Mentions(specs.Source{Name: a.path, Text: []byte(a.text.s)}) {
		if m.Kind != specs.MentionProcedure || m.Within != "" || m.Name != procedure {
			continue
		}
		at := a.text.ofCharacters(m.End.Line, m.End.Col)
		if rest := strings.TrimLeft(a.text.s[at:], " \t\r\n"); strings.HasPrefix(rest, "{") {
			return len(a.text.s) - len(rest) + 1, true
		}
	}
	return 0, false
}
