package lsp

import (
	"context"
	"path/filepath"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"magus/app/input"
)

// documents are the texts that the editor has open, over the files on disk.
type documents struct {
	mu   sync.Mutex
	open map[string]*text // by absolute path
	// generation counts the changes, of files on disk too as far as the editor tells.
	generation int
}

// pathOf is the file that the editor means.
func pathOf(u uri.URI) string {
	if !u.IsFile() {
		return ""
	}
	return filepath.Clean(u.FsPath())
}

// set opens or changes a document.
func (d *documents) set(path, s string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open[path] = newText(s)
	d.generation++
}

// edit changes parts of a document, one after the other.
func (d *documents) edit(path string, changes []protocol.TextDocumentContentChangeEvent) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.open[path]
	if t == nil {
		t = newText("")
	}
	for _, c := range changes {
		switch c := c.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			t = newText(c.Text)
		case *protocol.TextDocumentContentChangePartial:
			from, to := t.offset(c.Range.Start), t.offset(c.Range.End)
			t = newText(t.s[:from] + c.Text + t.s[max(from, to):])
		}
	}
	d.open[path] = t
	d.generation++
}

// close gives a document back to the disk.
func (d *documents) close(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, path)
	d.generation++
}

// touch notes that files on disk have changed.
func (d *documents) touch() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.generation++
}

// paths are those of the open documents.
func (d *documents) paths() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return sortedKeys(d.open)
}

// now is the number of changes so far.
func (d *documents) now() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.generation
}

// read is the overlay of the open documents; see [input.Overlay].
func (d *documents) read(path string) ([]byte, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t := d.open[path]; t != nil {
		return []byte(t.s), true
	}
	return nil, false
}

// text is a file as it is edited, or as it is on disk; nil if there is none.
func (d *documents) text(path string) *text {
	d.mu.Lock()
	t := d.open[path]
	d.mu.Unlock()
	if t != nil {
		return t
	}
	s, err := input.Dir("").Read(path)
	if err != nil {
		return nil
	}
	return newText(string(s))
}

// DidOpen implements [protocol.Server].
func (s *server) DidOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	return s.changed(pathOf(p.TextDocument.URI), func(path string) { s.docs.set(path, p.TextDocument.Text) })
}

// DidChange implements [protocol.Server].
func (s *server) DidChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	return s.changed(pathOf(p.TextDocument.URI), func(path string) { s.docs.edit(path, p.ContentChanges) })
}

// DidClose implements [protocol.Server].
func (s *server) DidClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	return s.changed(pathOf(p.TextDocument.URI), s.docs.close)
}

// DidSave implements [protocol.Server]. What is on disk is what was edited.
func (s *server) DidSave(context.Context, *protocol.DidSaveTextDocumentParams) error { return nil }

// DidChangeWatchedFiles implements [protocol.Server].
func (s *server) DidChangeWatchedFiles(_ context.Context, p *protocol.DidChangeWatchedFilesParams) error {
	for _, c := range p.Changes {
		if err := s.changed(pathOf(c.URI), func(string) { s.docs.touch() }); err != nil {
			return err
		}
	}
	return nil
}

// changed makes a change of a file and has all that depends on it looked at again.
func (s *server) changed(path string, change func(path string)) error {
	if path == "" {
		return nil // not a file: there is nothing to read it by
	}
	change(path)
	s.checks.outdate(path)
	s.again()
	return nil
}
