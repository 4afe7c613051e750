package lsp

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"magus/app/input"
	"magus/specs"
)

// Symbols of the workspace: what specifications define, found by a part of its name.

const (
	maxEntries = 20_000 // of folders that are looked at for specifications
	maxSymbols = 500    // that are told
)

// Symbols implements [protocol.Server].
func (s *server) Symbols(ctx context.Context,
	p *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	detach(ctx)
	all := protocol.SymbolInformationSlice{}
	for _, path := range s.specifications(ctx) {
		t := s.docs.text(path)
		if t == nil {
			continue
		}
		for _, m := range specs.Mentions(specs.Source{Name: path, Text: []byte(t.s)}) {
			kind, ok := symbolKind(m)
			if !ok || !matches(p.Query, m.Name) {
				continue
			}
			symbol := protocol.SymbolInformation{Location: protocol.Location{URI: uri.File(path),
				Range: t.span(t.ofCharacters(m.Pos.Line, m.Pos.Col), t.ofCharacters(m.End.Line, m.End.Col))}}
			symbol.Name, symbol.Kind = m.Name, kind
			if m.Within != "" && m.Within != m.Name {
				symbol.ContainerName = &m.Within
			}
			if all = append(all, symbol); len(all) == maxSymbols {
				return all, nil
			}
		}
	}
	return all, nil
}

// symbolKind is what a name is as a symbol, if it gets its meaning where it stands.
func symbolKind(m specs.Mention) (protocol.SymbolKind, bool) {
	switch {
	case m.Kind == specs.MentionProcess && m.Defines:
		return protocol.SymbolKindClass, true
	case m.Kind == specs.MentionState && m.Defines:
		return protocol.SymbolKindField, true
	case m.Kind == specs.MentionProcedure && m.Within == "":
		return protocol.SymbolKindFunction, true
	case m.Kind == specs.MentionClaim:
		return protocol.SymbolKindProperty, true
	case isLiveness(m.Kind) && m.Defines:
		return protocol.SymbolKindEvent, true
	}
	return 0, false
}

// specifications are those of the workspace and those that are open, in their order. Folders
// whose name begins with a point are passed over.
func (s *server) specifications(ctx context.Context) (paths []string) {
	left := maxEntries
	for _, root := range s.folders {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			left--
			switch {
			case left < 0 || ctx.Err() != nil:
				return fs.SkipAll
			case err != nil:
				return nil // a folder that cannot be read has none for us
			case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
				return fs.SkipDir
			case d.Type().IsRegular() && input.KindOf(path) == input.Spec:
				paths = append(paths, path)
			}
			return nil
		})
	}
	for _, path := range s.docs.paths() {
		if input.KindOf(path) == input.Spec {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// matches reports whether the letters of a query are in a name, in their order.
func matches(query, name string) bool {
	rest := []rune(strings.ToLower(name))
	for _, r := range query {
		i := slices.Index(rest, unicode.ToLower(r))
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}
