package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"magus/app/job"
)

// An editor is a client with documents, beside a server.
type editor struct {
	protocol.UnimplementedClient
	t      *testing.T
	dir    string
	server protocol.Server
	done   chan error

	mu          sync.Mutex
	diagnostics map[string][]protocol.Diagnostic // by the last part of the name
	published   int
	refreshed   int
	rehinted    int
	progress    []string
}

// start starts a server in a folder with the given files.
func start(t *testing.T, files map[string]string) *editor {
	t.Helper()
	e := &editor{t: t, dir: t.TempDir(), diagnostics: map[string][]protocol.Diagnostic{}, done: make(chan error, 1)}
	for name, s := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(e.path(name)), 0o777))
		require.NoError(t, os.WriteFile(e.path(name), []byte(s), 0o666))
	}
	here, there := net.Pipe()
	go func() {
		e.done <- Serve(context.Background(), there, Settings{Host: job.System(), Version: "test", Pause: time.Millisecond})
	}()
	link := jsonrpc2.NewConn(jsonrpc2.NewStream(here), jsonrpc2.WithCodec(codec{}))
	link.Go(context.Background(), inOrder(protocol.ClientHandler(e, jsonrpc2.MethodNotFoundHandler)))
	e.server = protocol.ServerDispatcher(link)
	p := &protocol.InitializeParams{}
	require.NoError(t, protocol.Unmarshal(fmt.Appendf(nil,
		`{"processId": null, "rootUri": null, "workspaceFolders": [{"uri": %q, "name": "w"}],
		"capabilities": {"workspace": {"codeLens": {"refreshSupport": true}, "inlayHint": {"refreshSupport": true}}, "window": {"workDoneProgress": true}}}`,
		uri.File(e.dir)), p))
	got, err := e.server.Initialize(t.Context(), p)
	require.NoError(t, err)
	assert.Equal(t, "magus", got.ServerInfo.Name)
	require.NoError(t, e.server.Initialized(t.Context(), &protocol.InitializedParams{}))
	t.Cleanup(func() {
		require.NoError(t, e.server.Shutdown(context.Background()))
		_ = e.server.Exit(context.Background())
		select {
		case err := <-e.done:
			require.NoError(t, err)
		case <-time.After(time.Minute):
			t.Error("the server does not end")
		}
	})
	return e
}

// inOrder handles what the server tells in the order it was told. Its questions are answered
// aside, for an answer waits until the server reads it.
func inOrder(h jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, r *jsonrpc2.Request) (any, error) {
		if r.IsCall() {
			jsonrpc2.Async(ctx)
		}
		return h(ctx, r)
	}
}

func (e *editor) path(name string) string { return filepath.Join(e.dir, name) }
func (e *editor) uri(name string) uri.URI { return uri.File(e.path(name)) }

// PublishDiagnostics implements [protocol.Client].
func (e *editor) PublishDiagnostics(_ context.Context, p *protocol.PublishDiagnosticsParams) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	p, err := protocol.Clone(p)
	e.diagnostics[filepath.Base(p.URI.FsPath())] = p.Diagnostics
	e.published++
	return err
}

// InlayHintRefresh implements [protocol.Client].
func (e *editor) InlayHintRefresh(context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rehinted++
	return nil
}

// hints are those of a file, with their lines.
func (e *editor) hints(name string) (all []string) {
	e.t.Helper()
	got, err := e.server.InlayHint(e.t.Context(), &protocol.InlayHintParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: uri.File(e.path(name))},
		Range:        protocol.Range{End: protocol.Position{Line: 1000}}})
	require.NoError(e.t, err)
	for _, h := range got {
		all = append(all, fmt.Sprintf("%d:%d %s", h.Position.Line+1, h.Position.Character+1, h.Label))
	}
	return all
}

// CodeLensRefresh implements [protocol.Client].
func (e *editor) CodeLensRefresh(context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refreshed++
	return nil
}

// WorkDoneProgressCreate implements [protocol.Client].
func (e *editor) WorkDoneProgressCreate(context.Context, *protocol.WorkDoneProgressCreateParams) error {
	return nil
}

// Progress implements [protocol.Client].
func (e *editor) Progress(_ context.Context, p *protocol.ProgressParams) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var v struct{ Kind, Title, Message string }
	err := json.Unmarshal(p.Value, &v)
	e.progress = append(e.progress, v.Kind+" "+v.Title+v.Message)
	return err
}

// open opens a document with a text; a place in it is marked by ‸.
func (e *editor) open(name, text string) (at protocol.TextDocumentPositionParams) {
	e.t.Helper()
	before, after, _ := strings.Cut(text, "‸")
	require.NoError(e.t, e.server.DidOpen(e.t.Context(), &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: e.uri(name), LanguageID: "c", Version: 1, Text: before + after}}))
	at.TextDocument.URI = e.uri(name)
	at.Position = newText(before + after).position(len(before))
	return at
}

// change replaces the text of a document.
func (e *editor) change(name, text string) {
	e.t.Helper()
	p := &protocol.DidChangeTextDocumentParams{ContentChanges: []protocol.TextDocumentContentChangeEvent{
		&protocol.TextDocumentContentChangeWholeDocument{Text: text}}}
	p.TextDocument.URI = e.uri(name)
	require.NoError(e.t, e.server.DidChange(e.t.Context(), p))
}

// said are the diagnostics of a document, once they are as expected, or after a while.
func (e *editor) said(name string, want func([]string) bool) []string {
	e.t.Helper()
	var got []string
	assert.Eventually(e.t, func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		got = nil
		for _, d := range e.diagnostics[name] {
			got = append(got, fmt.Sprintf("%d:%d-%d %v", d.Range.Start.Line+1, d.Range.Start.Character+1,
				d.Range.End.Character+1, d.Message))
		}
		return want(got)
	}, 30*time.Second, 5*time.Millisecond, "%s: %q", name, &got)
	return got
}

// expect waits for diagnostics that contain the texts, one each.
func (e *editor) expect(name string, parts ...string) {
	e.t.Helper()
	e.said(name, func(got []string) bool {
		if len(got) != len(parts) {
			return false
		}
		for i, part := range parts {
			if !strings.Contains(got[i], part) {
				return false
			}
		}
		return e.published > 0
	})
}

// labels are what completion offers.
func (e *editor) labels(at protocol.TextDocumentPositionParams) (labels []string) {
	e.t.Helper()
	got, err := e.server.Completion(e.t.Context(), &protocol.CompletionParams{TextDocumentPositionParams: at})
	require.NoError(e.t, err)
	for _, item := range got.(*protocol.CompletionList).Items {
		labels = append(labels, item.Label)
	}
	return labels
}

// places are locations as file:line:column.
func places(ls []protocol.Location) (all []string) {
	for _, l := range ls {
		all = append(all, fmt.Sprintf("%s:%d:%d", filepath.Base(l.URI.FsPath()), l.Range.Start.Line+1,
			l.Range.Start.Character+1))
	}
	return all
}

// definition is where a name is defined.
func (e *editor) definition(at protocol.TextDocumentPositionParams) []string {
	e.t.Helper()
	got, err := e.server.Definition(e.t.Context(), &protocol.DefinitionParams{TextDocumentPositionParams: at})
	require.NoError(e.t, err)
	return places(got.(protocol.LocationSlice))
}

// references is where a name is used.
func (e *editor) references(at protocol.TextDocumentPositionParams) []string {
	e.t.Helper()
	got, err := e.server.References(e.t.Context(), &protocol.ReferenceParams{TextDocumentPositionParams: at,
		Context: protocol.ReferenceContext{IncludeDeclaration: true}})
	require.NoError(e.t, err)
	return places(got)
}

// hover is what a name stands for.
func (e *editor) hover(at protocol.TextDocumentPositionParams) string {
	e.t.Helper()
	got, err := e.server.Hover(e.t.Context(), &protocol.HoverParams{TextDocumentPositionParams: at})
	require.NoError(e.t, err)
	if got == nil {
		return ""
	}
	return got.Contents.(*protocol.MarkupContent).Value
}

// lenses are the lenses of a document.
func (e *editor) lenses(name string) []protocol.CodeLens {
	e.t.Helper()
	p := &protocol.CodeLensParams{}
	p.TextDocument.URI = e.uri(name)
	got, err := e.server.CodeLens(e.t.Context(), p)
	require.NoError(e.t, err)
	return got
}

// titles are lenses with their lines.
func titles(ls []protocol.CodeLens) (all []string) {
	for _, l := range ls {
		all = append(all, fmt.Sprintf("%d: %s", l.Range.Start.Line+1, l.Command.Title))
	}
	return all
}

// click does what a lens does.
func (e *editor) click(l protocol.CodeLens) string {
	e.t.Helper()
	got, err := e.server.ExecuteCommand(e.t.Context(),
		&protocol.ExecuteCommandParams{Command: l.Command.Command, Arguments: l.Command.Arguments})
	require.NoError(e.t, err)
	var title string
	if len(got) > 0 && string(got) != "null" {
		require.NoError(e.t, json.Unmarshal(got, &title))
	}
	return title
}

// The program of most tests: a routine, described, and a procedure that is checked.
const (
	lockSpec = `Lock = ( lock -> return {} -> STOP ).
Unlock = ( unlock -> return {} -> STOP ).
procedure lock { abstract { (1), Lock }; }
procedure unlock { abstract { (1), Unlock }; }
Free = ( lock -> Held | return {$0 == 0} -> STOP ),
Held = ( unlock -> Free ).
procedure work { abstract { discipline, ($1 > 0), Free }; }
`
	lockC = `void lock(void);
void unlock(void);
int limit;
int work(int n)
{
	int held = 0;
	lock();
	if (n > 5)
		lock();
	unlock();
	return held;
}
`
	goodC = `void lock(void);
void unlock(void);
int work(int n)
{
	lock();
	unlock();
	return 0;
}
`
)

func lockFiles() map[string]string { return map[string]string{"lock.spec": lockSpec, "lock.c": lockC} }

func TestMistakesAreToldAsOneTypes(t *testing.T) {
	e := start(t, lockFiles())
	e.open("lock.spec", lockSpec)
	e.expect("lock.spec")
	e.change("lock.spec", strings.Replace(lockSpec, "-> Held |", "-> Hold |", 1))
	e.said("lock.spec", func(got []string) bool {
		return slices.ContainsFunc(got, func(s string) bool {
			return strings.HasPrefix(s, "5:18-22 ") &&
				strings.Contains(s, "Hold")
		})
	})
	e.change("lock.spec", strings.Replace(lockSpec, "$1 > 0", "limits > 0", 1))
	e.said("lock.spec", func(got []string) bool {
		return slices.ContainsFunc(got, func(s string) bool {
			return strings.HasPrefix(s, "7:") &&
				strings.Contains(s, "limits")
		})
	})
	e.change("lock.spec", lockSpec)
	e.expect("lock.spec")
	e.open("lock.c", strings.Replace(lockC, "lock();\n\tif", "lock()\n\tif", 1))
	e.said("lock.c", func(got []string) bool { return len(got) > 0 && strings.HasPrefix(got[0], "7:7-8 expected ';'") })
	e.change("lock.c", lockC)
	e.expect("lock.c")
}

func TestDefinitionsBetweenSpecificationsAndC(t *testing.T) {
	tests := []struct {
		name, file, text   string // ‸ marks the place
		definition, others []string
	}{
		{"procedure", "lock.spec", strings.Replace(lockSpec, "procedure work", "procedure ‸work", 1),
			[]string{"lock.c:4:5", "lock.spec:7:11"}, []string{"lock.c:4:5", "lock.spec:7:11"}},
		{"routine without a body", "lock.spec", strings.Replace(lockSpec, "procedure lock", "procedure l‸ock", 1),
			[]string{"lock.c:1:6", "lock.spec:3:11"}, []string{"lock.c:1:6", "lock.c:7:2", "lock.c:9:3", "lock.spec:3:11"}},
		{"call", "lock.c", strings.Replace(lockC, "\tunlock()", "\tunlo‸ck()", 1),
			[]string{"lock.c:2:6", "lock.spec:4:11"}, []string{"lock.c:2:6", "lock.c:10:2", "lock.spec:4:11"}},
		{"action", "lock.spec", strings.Replace(lockSpec, "Free = ( lock", "Free = ( loc‸k", 1),
			[]string{"lock.spec:1:10"}, []string{"lock.spec:1:10", "lock.spec:5:10"}},
		{"state", "lock.spec", strings.Replace(lockSpec, "-> Held", "-> He‸ld", 1),
			[]string{"lock.spec:6:1"}, []string{"lock.spec:5:18", "lock.spec:6:1"}},
		{"process", "lock.spec", strings.Replace(lockSpec, "(1), Lock }", "(1), Lock‸ }", 1),
			[]string{"lock.spec:1:1"}, []string{"lock.spec:1:1", "lock.spec:3:34"}},
		{"argument", "lock.spec", strings.Replace(lockSpec, "$1 >", "$1‸ >", 1),
			[]string{"lock.c:4:14"}, []string{"lock.c:4:14", "lock.c:8:6", "lock.spec:7:42"}},
		{"local", "lock.spec", strings.Replace(lockSpec, "($1 > 0)", "(hel‸d)", 1),
			[]string{"lock.c:6:6"}, []string{"lock.c:6:6", "lock.c:11:9", "lock.spec:7:42"}},
		{"global", "lock.spec", strings.Replace(lockSpec, "($1 > 0)", "(‸limit)", 1),
			[]string{"lock.c:3:5"}, []string{"lock.c:3:5", "lock.spec:7:42"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := start(t, lockFiles())
			at := e.open(tt.file, tt.text)
			assert.Equal(t, tt.definition, e.definition(at))
			assert.Equal(t, tt.others, e.references(at))
		})
	}
}

func TestActionsOfCAreFound(t *testing.T) {
	c := "void __MAGUS_ACTION__(const char *);\nvoid f(void) { __MAGUS_ACTION__(\"go\"); }\n"
	spec := "P = ( go -> return {} -> STOP ).\nprocedure f { abstract { (1), P }; }\n"
	e := start(t, map[string]string{"a.c": c, "a.spec": spec})
	at := e.open("a.spec", strings.Replace(spec, "go", "g‸o", 1))
	assert.Equal(t, []string{"a.c:2:34"}, e.definition(at))
	assert.Contains(t, e.hover(at), "it happens by `f` (a.c:2)")
	at = e.open("a.c", strings.Replace(c, `"go"`, `"g‸"`, 1))
	assert.Equal(t, []string{"go"}, e.labels(at))
}

func TestCompletion(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"top", lockSpec + "pro‸", []string{"procedure", "program"}},
		{"action", lockSpec + "P = ( un‸", []string{"lock", "return", "unlock"}},
		{"action or process", lockSpec + "P = ( lock -> ‸",
			[]string{"ERROR", "Free", "Lock", "P", "STOP", "Unlock", "lock", "return", "unlock"}},
		{"procedure", lockSpec + "procedure ‸", []string{"lock", "unlock", "work"}},
		{"statement", lockSpec + "procedure x { ‸", []string{"abstract", "assigns", "inline", "predicate",
			"relation", "skip"}},
		{"guard", strings.Replace(lockSpec, "$1 > 0", "$1 > 0 && l‸", 1), []string{"$1", "held", "limit", "n"}},
		{"returned", strings.Replace(lockSpec, "$0 == 0", "$‸", 1), []string{"$0", "limit"}},
		{"lts", strings.Replace(lockSpec, "0), Free", "0), ‸", 1), []string{"ERROR", "Free", "Lock", "STOP", "Unlock"}},
		{"specification", lockSpec + "program work { ‸", []string{"buffer", "relation", "shared", "specification"}},
		{"comment", lockSpec + "// ‸", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := start(t, lockFiles())
			assert.Equal(t, tt.want, e.labels(e.open("lock.spec", tt.text)))
		})
	}
}

func TestHover(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"process", strings.Replace(lockSpec, "Free = ", "Fr‸ee = ", 1),
			"**Free**: 3 states, 3 transitions  \nalphabet: lock, return{$0 == 0}, unlock\n\n```\n" +
				"Free  —lock→ Held  —return{$0 == 0}→ STOP\nHeld  —unlock→ Free\nSTOP\n```"},
		{"argument", strings.Replace(lockSpec, "$1 >", "$‸1 >", 1), "**n**, lock.c:4\n\n```c\nint work(int n)\n```"},
		{"procedure", strings.Replace(lockSpec, "procedure work", "procedure ‸work", 1),
			"**work(n)**, lock.c:4\n\nif `$1 > 0`: **Free**: 3 states"},
		{"routine", strings.Replace(lockSpec, "procedure lock", "procedure ‸lock", 1), "**lock()**, without a body"},
		{"action", strings.Replace(lockSpec, "lock -> Held", "loc‸k -> Held", 1),
			"it happens in the description `Lock` (lock.spec:1)\n\nspecified by `Free`"},
		{"nothing", strings.Replace(lockSpec, "abstract { d", "ab‸stract { d", 1), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := start(t, lockFiles())
			got := e.hover(e.open("lock.spec", tt.text))
			if tt.want == "" {
				assert.Empty(t, got)
			}
			assert.Contains(t, got, tt.want)
		})
	}
}

func TestClaimsAreCheckedInPlace(t *testing.T) {
	e := start(t, lockFiles())
	e.open("lock.spec", lockSpec)
	e.open("lock.c", lockC)
	lenses := e.lenses("lock.spec")
	require.Equal(t, []string{"7: check this claim"}, titles(lenses))
	require.Equal(t, []string{"4: check this claim", "1: check the rules"}, titles(e.lenses("lock.c")))

	assert.Equal(t, "violates: lock, lock", e.click(lenses[0]))
	assert.Equal(t, []string{"7: violates: lock, lock"}, titles(e.lenses("lock.spec")))
	e.expect("lock.c", "9:3-7 procedure work, abstraction discipline: violated after lock: "+
		"lock in Held (lock.spec:6:1); allowed: unlock")
	e.mu.Lock()
	d := e.diagnostics["lock.c"][0]
	var steps []string
	for _, r := range d.RelatedInformation {
		steps = append(steps, fmt.Sprintf("%s:%d %s", filepath.Base(r.Location.URI.FsPath()),
			r.Location.Range.Start.Line+1, r.Message))
	}
	assert.Greater(t, e.refreshed, 0)
	assert.Greater(t, e.rehinted, 0)
	assert.Contains(t, e.progress[0], "begin procedure work, abstraction discipline")
	assert.Equal(t, "end violates", e.progress[len(e.progress)-1])
	e.mu.Unlock()
	require.NotEmpty(t, steps)
	assert.Equal(t, "lock.spec:6 the specification is in Held, which allows unlock", steps[0])
	assert.Contains(t, steps, "lock.c:7 2. lock: lock();")
	assert.Equal(t, []string{"7:9 Held", "9:10 lock is not allowed"}, e.hints("lock.c"))
	assert.Empty(t, e.hints("lock.spec"))

	e.change("lock.c", goodC)
	assert.Empty(t, e.hints("lock.c"), "what was true before the change")
	assert.Equal(t, []string{"7: check again (before the change: violates: lock, lock)"}, titles(e.lenses("lock.spec")))
	e.expect("lock.c")
	assert.Regexp(t, `^conforms \(\d+\.\d\d s\)$`, e.click(e.lenses("lock.c")[0]))
	e.expect("lock.c")
}

// A check that goes on ends when it is stopped, when a text changes, and with the session.
func TestChecksCanBeStopped(t *testing.T) {
	// Whether 2^61-1, a prime, has factors keeps any solver busy.
	endless := `void go(void);
void f(unsigned long x, unsigned long y)
{
	if (x > 1 && y > 1 && x < 1ul << 31 && y < 1ul << 31 && x * y == 2305843009213693951) go();
	go();
}
`
	spec := "Go = ( go -> return {} -> STOP ).\nprocedure go { abstract { (1), Go }; }\n" +
		"Once = ( go -> return {} -> STOP ).\nprocedure f { abstract { (1), Once }; }\n"
	for _, how := range []string{"lens", "change"} {
		t.Run(how, func(t *testing.T) {
			e := start(t, map[string]string{"f.c": endless, "f.spec": spec})
			e.open("f.spec", spec)
			l := e.lenses("f.spec")[0]
			result := make(chan string, 1)
			go func() { result <- e.click(l) }()
			require.Eventually(t, func() bool {
				return slices.Equal([]string{"4: checking … (stop)"}, titles(e.lenses("f.spec")))
			}, time.Minute, time.Millisecond)
			if how == "lens" {
				e.click(e.lenses("f.spec")[0])
			} else {
				e.change("f.spec", spec+"\n")
			}
			select {
			case title := <-result:
				assert.Equal(t, "stopped", title)
			case <-time.After(30 * time.Second):
				t.Fatal("the check goes on")
			}
		})
	}
}

func TestGroups(t *testing.T) {
	files := map[string]string{
		"a/lock.spec": lockSpec, "a/one.c": goodC, "a/two.c": lockC,
		"suite.toml": "[[claim]]\nfiles = [\"a/one.c\", \"a/lock.spec\"]\nverdict = \"conforms\"\n" +
			"[[claim]]\nfiles = [\"a/two.c\", \"a/lock.spec\"]\nverdict = \"violates\"\n",
		"other.toml": "[tool]\nx = 1\n",
	}
	e := start(t, files)
	e.open("a/lock.spec", lockSpec)
	assert.Equal(t, []string{"7: check this claim with one.c", "7: check this claim with two.c"},
		titles(e.lenses("a/lock.spec")))

	e = start(t, map[string]string{
		"lock.spec": lockSpec, "one.c": "// magus: check -D LIMIT=3 --timeout=5s one.c lock.spec\n" + goodC,
		"lock.c": "int main(void) { return x; }"})
	e.open("lock.spec", lockSpec)
	assert.Equal(t, []string{"7: check this claim"}, titles(e.lenses("lock.spec")))

	e = start(t, map[string]string{"odd.spec": lockSpec})
	e.open("odd.spec", lockSpec)
	assert.Empty(t, e.lenses("odd.spec"))
	e.open("new.spec", "P = (")
	e.said("new.spec", func(got []string) bool { return len(got) == 1 })
}

func TestSymbols(t *testing.T) {
	e := start(t, lockFiles())
	e.open("lock.spec", lockSpec)
	p := &protocol.DocumentSymbolParams{}
	p.TextDocument.URI = e.uri("lock.spec")
	got, err := e.server.DocumentSymbol(t.Context(), p)
	require.NoError(t, err)
	var names []string
	for _, s := range got.(protocol.DocumentSymbolSlice) {
		name := s.Name
		for _, c := range s.Children {
			name += " " + c.Name
		}
		names = append(names, name)
	}
	assert.Equal(t, []string{"Lock", "Unlock", "lock", "unlock", "Free Held", "work discipline"}, names)
}
