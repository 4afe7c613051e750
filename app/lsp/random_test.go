package lsp

import (
	"testing"

	"go.lsp.dev/protocol"
	"pgregory.net/rapid"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// Whatever is typed, and wherever something is asked, the server answers and goes on.
func TestAnythingMayBeTyped(t *testing.T) {
	e := start(t, lockFiles())
	texts := map[string]string{"lock.spec": lockSpec, "lock.c": lockC}
	for name, s := range texts {
		e.open(name, s)
	}
	sample.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"lock.spec", "lock.c"}).Draw(t, "file")
		x := newText(texts[name])
		if rapid.IntRange(0, 9).Draw(t, "afresh") == 0 {
			x = newText(map[string]string{"lock.spec": lockSpec, "lock.c": lockC}[name])
			e.change(name, x.s)
		}
		from := x.offset(x.position(boundary(x.s, rapid.IntRange(0, len(x.s)).Draw(t, "from"))))
		to := x.offset(x.position(boundary(x.s, min(len(x.s), from+rapid.IntRange(0, 6).Draw(t, "deleted")))))
		s := rapid.SampledFrom([]string{"", "(", "}", "->", "é", "int ", "\"", "__MAGUS_ACTION__(\"", "/*",
			"procedure", "$", "\n"}).Draw(t, "inserted")
		p := &protocol.DidChangeTextDocumentParams{ContentChanges: []protocol.TextDocumentContentChangeEvent{
			&protocol.TextDocumentContentChangePartial{Range: x.span(from, max(from, to)), Text: s}}}
		p.TextDocument.URI = e.uri(name)
		ctx := e.t.Context()
		require.NoError(t, e.server.DidChange(ctx, p))
		texts[name] = x.s[:from] + s + x.s[max(from, to):]

		at := protocol.TextDocumentPositionParams{}
		at.TextDocument.URI = e.uri(name)
		at.Position = newText(texts[name]).position(from + len(s))
		var err error
		switch rapid.IntRange(0, 9).Draw(t, "question") {
		case 0:
			_, err = e.server.Completion(ctx, &protocol.CompletionParams{TextDocumentPositionParams: at})
		case 1:
			_, err = e.server.Hover(ctx, &protocol.HoverParams{TextDocumentPositionParams: at})
		case 2:
			_, err = e.server.Definition(ctx, &protocol.DefinitionParams{TextDocumentPositionParams: at})
		case 3:
			_, err = e.server.References(ctx, &protocol.ReferenceParams{TextDocumentPositionParams: at})
		case 4:
			lens := &protocol.CodeLensParams{}
			lens.TextDocument.URI = e.uri(name)
			_, err = e.server.CodeLens(ctx, lens)
		case 5: // a text that does not parse is refused
			_, _ = e.server.Formatting(ctx, &protocol.DocumentFormattingParams{TextDocument: at.TextDocument})
		case 6: // as is what is no name
			_, _ = e.server.Rename(ctx, &protocol.RenameParams{TextDocumentPositionParams: at, NewName: s})
		case 7:
			_, err = e.server.FoldingRanges(ctx, &protocol.FoldingRangeParams{TextDocument: at.TextDocument})
		case 8:
			_, err = e.server.SemanticTokensFull(ctx, &protocol.SemanticTokensParams{TextDocument: at.TextDocument})
		case 9:
			here := protocol.Range{Start: newText(texts[name]).position(from), End: at.Position}
			_, err = e.server.CodeAction(ctx, &protocol.CodeActionParams{TextDocument: at.TextDocument, Range: here})
		}
		require.NoError(t, err)
	})
}
