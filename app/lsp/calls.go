package lsp

import (
	"cmp"
	"context"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"magus/cfa/source"
)

// Who calls whom, and who performs which action: from C through the descriptions of routines that
// have no body. A call is a name of a function within the body of another one.

// PrepareCallHierarchy implements [protocol.Server].
func (s *server) PrepareCallHierarchy(
	ctx context.Context, p *protocol.CallHierarchyPrepareParams,
) ([]protocol.CallHierarchyItem, error) {
	all := []protocol.CallHierarchyItem{}
	q := s.ask(ctx, p.TextDocumentPositionParams)
	if q == nil {
		return all, nil
	}
	for _, g := range q.groups {
		x := s.indexes.of(ctx, g)
		at, ok := x.at(q.path, q.offset)
		if !ok || at.kind != aProcedure && at.kind != anAction {
			continue
		}
		if item, ok := x.item(at.entity); ok && !slices.ContainsFunc(all, func(i protocol.CallHierarchyItem) bool {
			return i.URI == item.URI && i.Range == item.Range
		}) {
			all = append(all, item)
		}
	}
	return all, nil
}

// item is a function where its body is, or where it is described, or an action where it happens;
// else the first place of the name.
func (x *index) item(e entity) (protocol.CallHierarchyItem, bool) {
	described := e.kind == aProcedure && !x.functions[e.name].Body.IsValid()
	var best *occurrence
	for i := range x.occurrences {
		o := &x.occurrences[i]
		good := o.defines && !described || described && !o.inC && o.within == ""
		if o.entity == e && (best == nil || good) {
			if best = o; good {
				break
			}
		}
	}
	if best == nil {
		return protocol.CallHierarchyItem{}, false
	}
	t := x.server.docs.text(best.path)
	if t == nil {
		return protocol.CallHierarchyItem{}, false
	}
	kind := protocol.SymbolKindFunction
	if e.kind == anAction {
		kind = protocol.SymbolKindEvent
	}
	r := t.span(best.from, best.to)
	return protocol.CallHierarchyItem{Name: e.name, Kind: kind, URI: uri.File(best.path), Range: r,
		SelectionRange: r}, true
}

// A link is a place at which a procedure calls something or performs an action.
type link struct {
	from, to entity
	at       occurrence
}

// links are those of a group.
func (x *index) links() (all []link) {
	processes := x.descriptions()
	for _, o := range x.occurrences {
		switch {
		case o.kind != aProcedure && o.kind != anAction || o.within == "":
		case o.kind == aProcedure && source.PerformsAction(o.name): // the action is told
		case o.inC && (o.kind == anAction || !o.defines):
			all = append(all, link{entity{kind: aProcedure, name: o.within}, o.entity, o})
		case !o.inC && o.kind == anAction:
			for _, name := range processes[o.within] {
				all = append(all, link{entity{kind: aProcedure, name: name}, o.entity, o})
			}
		}
	}
	return all
}

// descriptions are the procedures without a body by the processes that describe them.
func (x *index) descriptions() map[string][]string {
	all := map[string][]string{}
	if x.specs == nil {
		return all
	}
	for _, p := range x.specs.Procedures {
		for _, a := range p.Abstracts {
			if !x.functions[p.Name].Body.IsValid() && !slices.Contains(all[a.LTS], p.Name) {
				all[a.LTS] = append(all[a.LTS], p.Name)
			}
		}
	}
	return all
}

// IncomingCalls implements [protocol.Server].
func (s *server) IncomingCalls(
	ctx context.Context, p *protocol.CallHierarchyIncomingCallsParams,
) ([]protocol.CallHierarchyIncomingCall, error) {
	all := []protocol.CallHierarchyIncomingCall{}
	err := s.calls(ctx, p.Item, func(l link) entity { return l.to }, func(l link) entity { return l.from },
		func(item protocol.CallHierarchyItem, at []protocol.Range) {
			all = append(all, protocol.CallHierarchyIncomingCall{From: item, FromRanges: at})
		})
	return all, err
}

// OutgoingCalls implements [protocol.Server].
func (s *server) OutgoingCalls(
	ctx context.Context, p *protocol.CallHierarchyOutgoingCallsParams,
) ([]protocol.CallHierarchyOutgoingCall, error) {
	all := []protocol.CallHierarchyOutgoingCall{}
	err := s.calls(ctx, p.Item, func(l link) entity { return l.from }, func(l link) entity { return l.to },
		func(item protocol.CallHierarchyItem, at []protocol.Range) {
			all = append(all, protocol.CallHierarchyOutgoingCall{To: item, FromRanges: at})
		})
	return all, err
}

// calls tells of the other ends of the links that have an item at one end, in the order of their
// names.
func (s *server) calls(ctx context.Context, item protocol.CallHierarchyItem, near, far func(link) entity,
	tell func(protocol.CallHierarchyItem, []protocol.Range),
) error {
	detach(ctx)
	of := entity{kind: aProcedure, name: item.Name}
	if item.Kind == protocol.SymbolKindEvent {
		of.kind = anAction
	}
	told := map[entity]bool{}
	for _, g := range s.groups(pathOf(item.URI)) {
		x := s.indexes.of(ctx, g)
		found := map[entity][]protocol.Range{}
		for _, l := range x.links() {
			if t := s.docs.text(l.at.path); near(l) == of && t != nil {
				found[far(l)] = append(found[far(l)], t.span(l.at.from, l.at.to))
			}
		}
		for _, e := range inOrderOfNames(found) {
			if other, ok := x.item(e); ok && !told[e] {
				told[e] = true
				tell(other, found[e])
			}
		}
	}
	return ctx.Err()
}

func inOrderOfNames(found map[entity][]protocol.Range) (all []entity) {
	for e := range found {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b entity) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.kind, b.kind))
	})
	return all
}
