package lsp

import (
	"cmp"
	"context"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"magus/app/input"
	"magus/specs"
)

// A question is about a place of a document.
type question struct {
	path   string
	offset int
	text   *text
	groups []group
}

// ask takes a question apart; nil if the document is none of ours. The connection goes on
// beside the answer.
func (s *server) ask(ctx context.Context, p protocol.TextDocumentPositionParams) *question {
	detach(ctx)
	path := pathOf(p.TextDocument.URI)
	t := s.docs.text(path)
	if t == nil || input.KindOf(path) == input.Other {
		return nil
	}
	return &question{path, t.offset(p.Position), t, s.groups(path)}
}

// found are the occurrences of what is named at the place, in all groups.
func (s *server) found(ctx context.Context, q *question, keep func(occurrence) bool) []protocol.Location {
	var all []occurrence
	for _, g := range q.groups {
		x := s.indexes.of(ctx, g)
		at, ok := x.at(q.path, q.offset)
		if !ok {
			continue
		}
		for _, o := range x.occurrences {
			if o.entity == at.entity && keep(o) && !slices.ContainsFunc(all, func(p occurrence) bool {
				return p.path == o.path && p.from == o.from
			}) {
				all = append(all, o)
			}
		}
	}
	slices.SortFunc(all, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.from, b.from))
	})
	locations := []protocol.Location{}
	for _, o := range all {
		if t := s.docs.text(o.path); t != nil {
			locations = append(locations, protocol.Location{URI: uri.File(o.path), Range: t.span(o.from, o.to)})
		}
	}
	return locations
}

// Definition implements [protocol.Server]: from a specification to C and back.
// A procedure is defined by its body, or where it is declared, and by what a specification
// says of it; an action where it happens: by C, or in the description of a routine that
// has no body.
func (s *server) Definition(ctx context.Context, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	q := s.ask(ctx, p.TextDocumentPositionParams)
	if q == nil {
		return protocol.LocationSlice{}, nil
	}
	return protocol.LocationSlice(s.found(ctx, q, func(o occurrence) bool {
		return o.defines || o.kind == aProcedure && !o.inC
	})), nil
}

// References implements [protocol.Server].
func (s *server) References(ctx context.Context, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	q := s.ask(ctx, p.TextDocumentPositionParams)
	if q == nil {
		return []protocol.Location{}, nil
	}
	return s.found(ctx, q, func(o occurrence) bool { return p.Context.IncludeDeclaration || !o.defines }), nil
}

// DocumentSymbol implements [protocol.Server], for specifications: the processes with
// their states, the procedures and programs with their claims.
func (s *server) DocumentSymbol(
	ctx context.Context, p *protocol.DocumentSymbolParams,
) (protocol.DocumentSymbolResult, error) {
	detach(ctx)
	path := pathOf(p.TextDocument.URI)
	t := s.docs.text(path)
	all := protocol.DocumentSymbolSlice{}
	if t == nil || input.KindOf(path) != input.Spec {
		return all, nil
	}
	for _, m := range specs.Mentions(specs.Source{Name: path, Text: []byte(t.s)}) {
		kind, ok := symbolKind(m)
		if !ok {
			continue
		}
		inner := m.Kind == specs.MentionState || m.Kind == specs.MentionClaim
		r := t.span(t.ofCharacters(m.Pos.Line, m.Pos.Col), t.ofCharacters(m.End.Line, m.End.Col))
		symbol := protocol.DocumentSymbol{Name: m.Name, Kind: kind, Range: r, SelectionRange: r}
		if n := len(all); inner && n > 0 {
			all[n-1].Children = append(all[n-1].Children, symbol)
			all[n-1].Range.End = r.End
			continue
		}
		all = append(all, symbol)
	}
	return all, nil
}

// isLiveness reports whether a name is one of a progress property, a fluent or an assertion.
func isLiveness(k specs.MentionKind) bool {
	return k == specs.MentionProgress || k == specs.MentionFluent || k == specs.MentionAssertion
}
