package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"magus/app/input"
	"magus/app/job"
)

// Settings are what a server is made with.
type Settings struct {
	Host    job.Host
	Version string // of magus
	// Pause is how long the server waits after a change before it looks at the texts, for
	// another one is likely to come.
	Pause time.Duration
}

// Serve answers an editor until it ends the session, the connection ends or ctx does. The
// error, if the editor does not speak the protocol, is an [input.Error].
func Serve(ctx context.Context, conn io.ReadWriteCloser, settings Settings) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	link := jsonrpc2.NewConn(jsonrpc2.NewStream(conn), jsonrpc2.WithCodec(codec{}))
	s := newServer(ctx, settings, protocol.ClientDispatcher(link))
	s.exit = cancel
	link.Go(ctx, newDispatcher(ctx, s).serve)
	var err error
	select {
	case <-link.Done():
		if err = link.Err(); errors.Is(err, io.EOF) || ctx.Err() != nil {
			err = nil
		}
	case <-ctx.Done():
		// A reader that waits is not woken by the end of a context, nor is it always
		// by the end of the stream: nobody waits for it.
		go func() { _ = link.Close() }()
		_ = conn.Close()
	}
	cancel()
	s.work.Wait()
	if err != nil {
		return input.Errorf("the editor does not speak the protocol: %v", err)
	}
	return nil
}

// codec writes and reads the protocol's messages.
type codec struct{}

// Marshal implements [jsonrpc2.Codec].
func (codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok {
		if raw == nil {
			return []byte("null"), nil
		}
		return raw, nil
	}
	return protocol.Marshal(v)
}

// Unmarshal implements [jsonrpc2.Codec].
func (codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = slices.Clone(data)
		return nil
	}
	// The bytes are the connection's, which reads the next message into them; strings of some answers lead to them.
	return protocol.Unmarshal(slices.Clone(data), v)
}

// A server answers one editor.
type server struct {
	protocol.UnimplementedServer

	ctx      context.Context // of the session
	exit     func()
	settings Settings
	client   protocol.Client
	work     sync.WaitGroup // what goes on beside the connection

	docs    *documents
	indexes *indexes
	checks  *checks

	// Set by Initialize.
	folders   []string
	refreshes bool // the editor asks again for lenses if it is told to
	rehints   bool // and for hints
	progress  bool // the editor shows progress

	wake chan struct{} // a change is to be looked at
	told map[string]bool
}

func newServer(ctx context.Context, settings Settings, client protocol.Client) *server {
	s := &server{ctx: ctx, settings: settings, client: client, docs: &documents{open: map[string]*text{}},
		wake: make(chan struct{}, 1), told: map[string]bool{}}
	s.settings.Host.Overlay = s.docs.read
	s.indexes = newIndexes(s)
	s.checks = newChecks(s)
	s.work.Go(s.watch)
	return s
}

// Initialize implements [protocol.Server].
func (s *server) Initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	if folders, ok := p.WorkspaceFolders.Get(); ok {
		for _, f := range folders {
			if path := pathOf(uri.URI(f.URI)); path != "" {
				s.folders = append(s.folders, path)
			}
		}
	}
	if w := p.Capabilities.Workspace; w != nil && w.CodeLens != nil {
		s.refreshes = isSet(w.CodeLens.RefreshSupport)
	}
	if w := p.Capabilities.Workspace; w != nil && w.InlayHint != nil {
		s.rehints = isSet(w.InlayHint.RefreshSupport)
	}
	if w := p.Capabilities.Window; w != nil {
		s.progress = isSet(w.WorkDoneProgress)
	}
	yes := true
	change := protocol.TextDocumentSyncKindIncremental
	return &protocol.InitializeResult{
		Capabilities: protocol.ServerCapabilities{
			TextDocumentSync:       &protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &change},
			CompletionProvider:     &protocol.CompletionOptions{TriggerCharacters: []string{".", "$", "\""}},
			HoverProvider:          protocol.Boolean(true),
			DefinitionProvider:     protocol.Boolean(true),
			ReferencesProvider:     protocol.Boolean(true),
			DocumentSymbolProvider: protocol.Boolean(true),
			CodeLensProvider:       &protocol.CodeLensOptions{},

			DocumentFormattingProvider: protocol.Boolean(true),
			DocumentHighlightProvider:  protocol.Boolean(true),
			FoldingRangeProvider:       protocol.Boolean(true),
			CallHierarchyProvider:      protocol.Boolean(true),
			InlayHintProvider:          protocol.Boolean(true),
			WorkspaceSymbolProvider:    protocol.Boolean(true),
			RenameProvider:             &protocol.RenameOptions{PrepareProvider: &yes},
			SemanticTokensProvider: &protocol.SemanticTokensOptions{Legend: legend(),
				Full: protocol.Boolean(true)},
			CodeActionProvider: &protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{
				protocol.CodeActionKindQuickFix, protocol.CodeActionKindRefactor}},
			ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: []string{checkCommand, stopCommand}},
		},
		ServerInfo: protocol.ServerInfo{Name: "magus", Version: protocol.NewOptional(s.settings.Version)},
	}, nil
}

// Initialized implements [protocol.Server].
func (s *server) Initialized(context.Context, *protocol.InitializedParams) error { return nil }

// SetTrace implements [protocol.Server].
func (s *server) SetTrace(context.Context, *protocol.SetTraceParams) error { return nil }

// Shutdown implements [protocol.Server].
func (s *server) Shutdown(context.Context) error {
	s.checks.stopAll()
	return nil
}

// Exit implements [protocol.Server].
func (s *server) Exit(context.Context) error {
	s.exit()
	return nil
}

// again has all open documents looked at again, soon.
func (s *server) again() {
	select {
	case s.wake <- struct{}{}:
	default: // that is going to happen
	}
}

// watch tells the editor what is wrong with the open documents whenever something has
// changed.
func (s *server) watch() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.wake:
		}
		for paused := false; !paused; {
			select {
			case <-s.ctx.Done():
				return
			case <-s.wake:
			case <-s.pause():
				paused = true
			}
		}
		s.tell()
	}
}

// pause is over when the texts have stayed as they are for a while.
func (s *server) pause() <-chan time.Time {
	ticks, end := s.settings.Host.Ticks(s.settings.Pause)
	over := make(chan time.Time, 1)
	s.work.Go(func() {
		defer end()
		select {
		case t := <-ticks:
			over <- t
		case <-s.ctx.Done():
		}
	})
	return over
}

// tell publishes the remarks on all files of the open documents' groups.
func (s *server) tell() {
	at := s.docs.now()
	found := map[string][]finding{}
	seen := map[string]bool{}
	for _, path := range s.docs.paths() {
		found[path] = append([]finding{}, found[path]...) // nothing is something to say, too
		for _, g := range s.groups(path) {
			if seen[g.key()] {
				continue
			}
			seen[g.key()] = true
			for _, f := range s.indexes.of(s.ctx, g).findings(s.ctx) {
				found[f.path] = append(found[f.path], f)
			}
			for _, f := range s.checks.findings(g) {
				found[f.path] = append(found[f.path], f)
			}
			if s.ctx.Err() != nil || s.docs.now() != at {
				return // there is news, which will be told
			}
		}
	}
	for path := range s.told {
		if _, still := found[path]; !still {
			found[path] = nil
		}
	}
	for _, path := range sortedKeys(found) {
		s.publish(path, found[path])
	}
}

// publish tells the editor all that is to be said about a file.
func (s *server) publish(path string, fs []finding) {
	t := s.docs.text(path)
	if t == nil {
		t = newText("")
	}
	p := &protocol.PublishDiagnosticsParams{URI: uri.File(path), Diagnostics: []protocol.Diagnostic{}}
	said := map[string]bool{}
	for _, f := range fs {
		d := f.diagnostic(s, t)
		if key := fmt.Sprint(d.Range, f.message); !said[key] {
			said[key] = true
			p.Diagnostics = append(p.Diagnostics, d)
		}
	}
	s.told[path] = len(p.Diagnostics) > 0
	if !s.told[path] {
		delete(s.told, path)
	}
	_ = s.client.PublishDiagnostics(s.ctx, p)
}

// sortedKeys are the keys of a map in their order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// isSet reports whether a capability is there.
func isSet(b *bool) bool { return b != nil && *b }
