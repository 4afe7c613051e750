package lsp

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"magus/app/input"
	"magus/specs"
)

// Renaming, and where else a name stands in a file.
//
// Idea: the occurrences of all groups that a file is in, then of those that the files found are
// in, until there are no more. The texts that would result are read again: their names must be
// those of before with the new one in place of the old. So there is no list of what may be a
// name, and none that captures another one is given.

// DocumentHighlight implements [protocol.Server].
func (s *server) DocumentHighlight(
	ctx context.Context, p *protocol.DocumentHighlightParams,
) ([]protocol.DocumentHighlight, error) {
	all := []protocol.DocumentHighlight{}
	q := s.ask(ctx, p.TextDocumentPositionParams)
	if q == nil {
		return all, nil
	}
	for _, l := range s.found(ctx, q, func(o occurrence) bool { return o.path == q.path }) {
		all = append(all, protocol.DocumentHighlight{Range: l.Range, Kind: protocol.DocumentHighlightKindText})
	}
	return all, nil
}

// PrepareRename implements [protocol.Server].
func (s *server) PrepareRename(
	ctx context.Context, p *protocol.PrepareRenameParams,
) (protocol.PrepareRenameResult, error) {
	q := s.ask(ctx, p.TextDocumentPositionParams)
	if q == nil {
		return nil, refused("there is nothing to rename")
	}
	at, err := s.renamed(ctx, q)
	if err != nil {
		return nil, err
	}
	return &protocol.PrepareRenamePlaceholder{Range: q.text.span(at.from, at.to), Placeholder: at.name}, nil
}

// renamed is the occurrence that is to be renamed.
func (s *server) renamed(ctx context.Context, q *question) (occurrence, error) {
	for _, g := range q.groups {
		at, ok := s.indexes.of(ctx, g).at(q.path, q.offset)
		switch {
		case !ok:
		case at.kind == aProcedure, at.kind == aVariable, at.kind == anEnumerator:
			return at, refused("C gives %s its name: rename it there", at.name)
		default:
			return at, nil
		}
	}
	return occurrence{}, refused("there is nothing to rename")
}

// Rename implements [protocol.Server]: processes, states, actions (where C performs them, too),
// claims, progress properties, fluents and assertions.
func (s *server) Rename(ctx context.Context, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	q := s.ask(ctx, p.TextDocumentPositionParams)
	if q == nil {
		return nil, refused("there is nothing to rename")
	}
	at, err := s.renamed(ctx, q)
	if err != nil {
		return nil, err
	}
	r := &renaming{server: s, from: at.entity, to: p.NewName, places: map[string][]occurrence{}}
	if err := r.collect(ctx, q.path); err != nil {
		return nil, err
	}
	edit := &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{}}
	for _, path := range sortedKeys(r.places) {
		t := s.docs.text(path)
		if t == nil {
			return nil, refused("%s cannot be read", s.short(path))
		}
		if err := r.check(ctx, path, t); err != nil {
			return nil, err
		}
		for _, o := range r.places[path] {
			edit.Changes[uri.File(path)] = append(edit.Changes[uri.File(path)],
				protocol.TextEdit{Range: t.span(o.from, o.to), NewText: r.to})
		}
	}
	return edit, nil
}

// A renaming gives what several names stand for another name.
type renaming struct {
	server *server
	from   entity
	to     string
	places map[string][]occurrence // by file, in the order of the text
}

// collect finds all occurrences, from a file on.
func (r *renaming) collect(ctx context.Context, path string) error {
	known, seen := []string{path}, map[string]bool{}
	for i := 0; i < len(known); i++ {
		for _, g := range r.server.groups(known[i]) {
			if seen[g.key()] {
				continue
			}
			seen[g.key()] = true
			x := r.server.indexes.of(ctx, g)
			if err := cmp.Or(ctx.Err(), r.whole(x), r.free(x)); err != nil {
				return err
			}
			for _, o := range x.occurrences {
				if o.entity == r.from {
					r.add(o)
					if !slices.Contains(known, o.path) {
						known = append(known, o.path)
					}
				}
			}
		}
	}
	return nil
}

// add keeps an occurrence, once.
func (r *renaming) add(o occurrence) {
	at, known := slices.BinarySearchFunc(r.places[o.path], o, func(a, b occurrence) int {
		return cmp.Compare(a.from, b.from)
	})
	if !known {
		r.places[o.path] = slices.Insert(r.places[o.path], at, o)
	}
}

// whole refuses an action of which the places in C are not known.
func (r *renaming) whole(x *index) error {
	hasC := slices.ContainsFunc(x.group.files, func(path string) bool { return input.KindOf(path) == input.C })
	if r.from.kind == anAction && hasC && len(x.functions) == 0 {
		return refused("the C with %s cannot be read as it is: it may perform %s", r.server.short(x.group.files[0]),
			r.from.name)
	}
	return nil
}

// free refuses a name that stands for something else already.
func (r *renaming) free(x *index) error {
	for _, o := range x.occurrences {
		if o.name == r.to && o.entity != r.from && r.meets(o.entity) {
			return refused("%s stands for something else already (%s)", r.to,
				r.server.short(filepath.Clean(o.path)))
		}
	}
	return nil
}

// meets reports whether something may be mistaken for what is renamed if it has the same name.
func (r *renaming) meets(e entity) bool {
	of := func(kinds ...entityKind) bool {
		return slices.Contains(kinds, r.from.kind) && slices.Contains(kinds, e.kind)
	}
	return of(aProcess, aState) || of(anAction, aFluent) || of(aProgress) || of(anAssertion)
}

// check refuses a new name with which a specification would be read in another way.
func (r *renaming) check(ctx context.Context, path string, t *text) error {
	if input.KindOf(path) != input.Spec {
		return nil // the name of an action, in quotes
	}
	var b strings.Builder
	at := 0
	for _, o := range r.places[path] {
		b.WriteString(t.s[at:o.from] + r.to)
		at = o.to
	}
	before := specs.Source{Name: path, Text: []byte(t.s)}
	after := specs.Source{Name: path, Text: []byte(b.String() + t.s[at:])}
	if _, err := specs.Format(ctx, before); err != nil {
		return refused("%s has a mistake: mend it first", r.server.short(path))
	}
	_, err := specs.Format(ctx, after)
	was, is := specs.Mentions(before), specs.Mentions(after)
	if err != nil || !slices.EqualFunc(was, is, func(a, b specs.Mention) bool {
		return a.Kind == b.Kind && a.Defines == b.Defines && (a.Name == b.Name || r.isPlace(path, t, a) && b.Name == r.to)
	}) {
		return refused("%q is no name here", r.to)
	}
	return nil
}

// isPlace reports whether a name is one of those that are renamed.
func (r *renaming) isPlace(path string, t *text, m specs.Mention) bool {
	from := t.ofCharacters(m.Pos.Line, m.Pos.Col)
	return slices.ContainsFunc(r.places[path], func(o occurrence) bool { return o.from == from })
}
