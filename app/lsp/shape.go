package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"magus/app/input"
	"magus/specs"
)

// What is known from the text of one specification: its layout, what can be folded, and what its
// names are.

// specification is the text of a document that is a specification; nil if it is none.
func (s *server) specification(ctx context.Context, d protocol.TextDocumentIdentifier) (string, *text) {
	detach(ctx)
	path := pathOf(d.URI)
	if input.KindOf(path) != input.Spec {
		return path, nil
	}
	return path, s.docs.text(path)
}

// refused is an error that the editor shows.
func refused(format string, args ...any) error {
	return jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), format, args...)
}

// Formatting implements [protocol.Server]: as magus fmt. A text that does not parse is refused.
func (s *server) Formatting(ctx context.Context, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	edits := []protocol.TextEdit{}
	path, t := s.specification(ctx, p.TextDocument)
	if t == nil {
		return edits, nil
	}
	got, err := specs.Format(ctx, specs.Source{Name: path, Text: []byte(t.s)})
	if err != nil {
		return nil, refused("not formatted: %s", s.short(err.Error()))
	}
	after := specs.Lines(got)
	for _, c := range specs.Changes(specs.Lines(t.s), after) {
		edits = append(edits, protocol.TextEdit{Range: t.whole(c.From, c.To),
			NewText: strings.Join(after[c.AfterFrom:c.AfterTo], "")})
	}
	return edits, nil
}

// whole is the range of some lines with their ends.
func (t *text) whole(from, to int) protocol.Range {
	at := func(n int) int {
		if n < len(t.lines) {
			return t.lines[n]
		}
		return len(t.s)
	}
	return t.span(at(from), at(to))
}

// FoldingRanges implements [protocol.Server].
func (s *server) FoldingRanges(ctx context.Context, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	all := []protocol.FoldingRange{}
	path, t := s.specification(ctx, p.TextDocument)
	if t == nil {
		return all, nil
	}
	for _, f := range specs.Folds(specs.Source{Name: path, Text: []byte(t.s)}) {
		r := protocol.FoldingRange{StartLine: uint32(f.From), EndLine: uint32(f.To)}
		if f.Comment {
			r.Kind = protocol.FoldingRangeKindComment
		}
		all = append(all, r)
	}
	return all, nil
}

// tokenTypes are the kinds of names by their numbers in the protocol.
var tokenTypes = []string{"class", "enumMember", "event", "function", "variable", "parameter", "property", "keyword"}

// tokenType is the number of a kind of name.
func tokenType(k specs.MentionKind) uint32 {
	switch k {
	case specs.MentionProcess:
		return 0
	case specs.MentionState:
		return 1
	case specs.MentionAction:
		return 2
	case specs.MentionProcedure:
		return 3
	case specs.MentionVariable:
		return 4
	case specs.MentionArgument:
		return 5
	case specs.MentionStatement, specs.MentionSpecification:
		return 7
	}
	return 6
}

// legend says what the numbers of tokens mean.
func legend() protocol.SemanticTokensLegend {
	return protocol.SemanticTokensLegend{TokenTypes: tokenTypes, TokenModifiers: []string{"declaration"}}
}

// SemanticTokensFull implements [protocol.Server]: what each name is.
func (s *server) SemanticTokensFull(
	ctx context.Context, p *protocol.SemanticTokensParams,
) (*protocol.SemanticTokens, error) {
	got := &protocol.SemanticTokens{Data: []uint32{}}
	path, t := s.specification(ctx, p.TextDocument)
	if t == nil {
		return got, nil
	}
	all := specs.Mentions(specs.Source{Name: path, Text: []byte(t.s)})
	slices.SortStableFunc(all, func(a, b specs.Mention) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	var last protocol.Position // where the token before begins
	var end protocol.Position
	for _, m := range all {
		r := t.span(t.ofCharacters(m.Pos.Line, m.Pos.Col), t.ofCharacters(m.End.Line, m.End.Col))
		inOrder := r.Start.Line > end.Line || r.Start.Character >= end.Character
		if r.Start.Line != r.End.Line || !inOrder {
			continue // parts of a name in several lines
		}
		column := r.Start.Character
		if r.Start.Line == last.Line {
			column -= last.Character
		}
		got.Data = append(got.Data, r.Start.Line-last.Line, column, r.End.Character-r.Start.Character,
			tokenType(m.Kind), b2u(m.Defines))
		last, end = r.Start, r.End
	}
	return got, nil
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
