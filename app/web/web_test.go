package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"magus"
	"magus/app/options"
	"magus/app/repl"
	"magus/cfa/source"
	"magus/internal/golden"
	"magus/internal/sample"
	"magus/specs"
)

// memory is a host in memory that reads the files of an example.
type memory struct {
	out      bytes.Buffer
	settings *options.Settings
	read     []string            // names of files that were asked for
	split    map[string][]string // lines of files
}

func (m *memory) host() repl.Host {
	return repl.Host{Out: &m.out, Err: &m.out, Engine: m,
		ReadFile: func(name string) ([]byte, error) {
			m.read = append(m.read, name)
			return nil, os.ErrNotExist
		},
		WriteFile:  func(name string, _ []byte) error { m.read = append(m.read, name); return os.ErrPermission },
		AppendFile: func(name string, _ []byte) error { m.read = append(m.read, name); return os.ErrPermission },
		Files:      func(string) []string { return nil },
		Folder:     func() string { return "/" },
		Seconds:    func() float64 { return 0 },
		Within:     func(ctx context.Context, _ float64) (context.Context, context.CancelFunc) { return ctx, func() {} },
		Interrupt:  func(func()) func() { return func() {} },
		System:     func(context.Context, string, io.Writer) error { m.read = append(m.read, "system"); return nil },
	}
}

func (m *memory) text(name string) ([]byte, bool) {
	if text, ok := copied()[name]; ok {
		return []byte(text), true
	}
	for _, e := range Examples() {
		if text, ok := Example(e)(name); ok {
			return text, true
		}
	}
	return nil, false
}

// copied are the files of a program in which any number of clients take turns at a server that lets
// in two.
func copied() map[string]string {
	return map[string]string{
		"many.c": "extern void enter(void), leave(void);\n" +
			"void client(int n) {\n\twhile (n > 0) {\n\t\tenter();\n\t\tleave();\n\t\tn--;\n\t}\n}\n" +
			"void server(int n) {\n\twhile (n > 0) {\n\t\tenter();\n\t\tenter();\n\t\tleave();\n\t\tleave();\n" +
			"\t\tn--;\n\t}\n}\n",
		"many.spec": "Enter = ( enter -> return {} -> STOP ).\nprocedure enter { abstract { (1), Enter }; }\n" +
			"Leave = ( leave -> return {} -> STOP ).\nprocedure leave { abstract { (1), Leave }; }\n" +
			"One = ( enter -> In ),\nIn = ( leave -> One ).\n" +
			"program client*, server { specification one, {(1), (1)}, One; }\n",
	}
}

// Load implements [repl.Engine].
func (m *memory) Load(ctx context.Context, files []string, definitions string) (*magus.Project, []*magus.Claim, error) {
	in := magus.Input{Options: source.Options{ReadFile: func(name string) ([]byte, error) {
		if text, ok := m.text(name); ok {
			return text, nil
		}
		return nil, os.ErrNotExist
	}}}
	for _, name := range files {
		text, ok := m.text(name)
		switch {
		case !ok:
			return nil, nil, fmt.Errorf("%s: no such file", name)
		case strings.HasSuffix(name, ".c"):
			in.C = append(in.C, source.Source{Name: name, Text: text})
		default:
			in.Specs = append(in.Specs, specs.Source{Name: name, Text: text})
		}
	}
	p, err := magus.Load(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	claims, err := p.Claims(magus.Selection{})
	return p, claims, err
}

// Line implements [repl.Engine].
func (m *memory) Line(file string, n int) string {
	lines, ok := m.split[file]
	if !ok {
		text, _ := m.text(file)
		lines = strings.Split(string(text), "\n")
		m.split[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}

// Unspecified implements [repl.Engine].
func (m *memory) Unspecified() bool { return false }

// Options implements [repl.Engine].
func (m *memory) Options() magus.Options {
	return magus.Options{Loop: m.settings.Options.Session().Loop}
}

// Settings implements [repl.Engine].
func (m *memory) Settings() *options.Settings { return m.settings }

// A fixture is a session of an example that is served to tests.
type fixture struct {
	t      testing.TB
	memory *memory
	shell  *repl.Shell
	shared *Shared
	server *Server
	http   *httptest.Server
}

// serve loads an example and serves it.
func serve(t testing.TB, name string) *fixture {
	m := &memory{settings: options.Standard().For(options.Shell), split: map[string][]string{}}
	s := New(m.host())
	sh := repl.New(s.Host())
	s.Attach(sh, "")
	s.served = true
	names := ExampleFiles(name)
	if name == "copies" {
		names = slices.Sorted(maps.Keys(copied()))
	}
	require.NoError(t, s.Began(func() error { return sh.Load(context.Background(), names) }))
	x := &fixture{t: t, memory: m, shell: sh, shared: s}
	x.http = httptest.NewUnstartedServer(nil)
	host, port, _ := strings.Cut(x.http.Listener.Addr().String(), ":")
	x.server = newServer(context.Background(), s, guard{token: strings.Repeat("5e", 32), host: host, port: port})
	x.http.Config = x.server.http
	x.http.Start()
	t.Cleanup(func() {
		x.server.cancel()
		x.http.CloseClientConnections()
		x.http.Close()
		s.Close()
		sh.Close()
	})
	return x
}

// asks sends a request with the token.
func (x *fixture) asks(method, path, body string, header ...string) (int, string) {
	x.t.Helper()
	r, err := http.NewRequest(method, x.http.URL+path, strings.NewReader(body))
	require.NoError(x.t, err)
	r.Header.Set(tokenHeader, x.server.guard.token)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Del(header[i])
		if header[i+1] != "" {
			r.Header.Set(header[i], header[i+1])
		}
	}
	answer, err := http.DefaultClient.Do(r)
	require.NoError(x.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(x.t, err)
	return answer.StatusCode, string(text)
}

// does gives a command and waits until it has ended.
func (x *fixture) does(line string) Entry {
	x.t.Helper()
	body, err := json.Marshal(Act{line})
	require.NoError(x.t, err)
	before, _, _ := x.shared.last()
	status, text := x.asks("POST", "/api/do", string(body))
	require.Equal(x.t, http.StatusAccepted, status, text)
	x.shared.work.Wait()
	now, _, _ := x.shared.last()
	require.Greater(x.t, len(now.Log), 0)
	require.True(x.t, len(now.Log) > len(before.Log) || len(now.Log) == mostEntries)
	return now.Log[len(now.Log)-1]
}

// messageSchema is that of the messages.
func messageSchema(t testing.TB, part string) *jsonschema.Schema {
	s, err := jsonschema.NewCompiler().Compile("../../docs/schema/web.schema.json" + part)
	require.NoError(t, err)
	return s
}

// A golden session: each command with the update that a page gets after it.
func TestSessions(t *testing.T) {
	schema := messageSchema(t, "")
	for _, test := range []struct {
		name  string
		lines []string
	}{
		{"lock", []string{"step", "until spurious", "trace", "next", "pred add more == 0", "run", "goto 3",
			"nonsense", "load x.c"}},
		{"lock-bad", []string{"run", "back", "choose"}},
		{"branches", []string{"until spurious", "next", "goto 2", "pred add more == 0", "step", "branch", "branch 1",
			"branch drop 2"}},
		{"copies", []string{"until counterexample"}},
		{"mutex", []string{"until counterexample", "run"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := serve(t, strings.Replace(test.name, "branches", "lock", 1))
			var b strings.Builder
			var sent *State
			tell := func(line string) {
				now, revision, _ := x.shared.last()
				text, err := json.MarshalIndent(difference(sent, now, revision), "", "  ")
				require.NoError(t, err)
				fmt.Fprintf(&b, "> %s\n%s\n", line, text)
				sent = now
				value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
				require.NoError(t, err)
				require.NoError(t, schema.Validate(value))
			}
			tell("")
			for _, line := range test.lines {
				x.does(line)
				tell(line)
			}
			golden.Equal(t, filepath.Join("testdata", test.name+".session"), b.String())
		})
	}
}

// Who has no token, or comes from elsewhere, is told nothing.
func TestGuard(t *testing.T) {
	x := serve(t, "lock")
	own := x.http.URL
	port := x.server.guard.port
	for _, test := range []struct {
		name, method, path string
		header             []string
		want               int
	}{
		{"the page itself", "GET", "/api/state", nil, 200},
		{"no token", "GET", "/api/state", []string{tokenHeader, ""}, 401},
		{"no token for a file", "GET", "/main.js", []string{tokenHeader, ""}, 401},
		{"no token for the page", "GET", "/", []string{tokenHeader, ""}, 401},
		{"wrong token", "GET", "/api/state", []string{tokenHeader, "5e"}, 401},
		{"wrong token of the right length", "GET", "/api/state", []string{tokenHeader, strings.Repeat("5f", 32)}, 401},
		{"token in the address of something else", "GET", "/api/state?token=" + x.server.guard.token,
			[]string{tokenHeader, ""}, 401},
		{"token in the address", "GET", "/?token=" + x.server.guard.token, []string{tokenHeader, ""}, 200},
		{"wrong token in the address", "GET", "/?token=x", []string{tokenHeader, ""}, 401},
		{"cookie", "GET", "/api/state",
			[]string{tokenHeader, "", "Cookie", "magus-" + port + "=" + x.server.guard.token}, 200},
		{"wrong cookie", "GET", "/api/state", []string{tokenHeader, "", "Cookie", "magus-" + port + "=1"}, 401},
		{"cookie of another port", "GET", "/api/state",
			[]string{tokenHeader, "", "Cookie", "magus-1=" + x.server.guard.token}, 401},
		{"other host", "GET", "/api/state", []string{"Host", "evil.example:" + port}, 421},
		{"other port", "GET", "/api/state", []string{"Host", "127.0.0.1:1"}, 421},
		{"host without port", "GET", "/api/state", []string{"Host", "127.0.0.1"}, 421},
		{"localhost", "GET", "/api/state", []string{"Host", "localhost:" + port}, 200},
		{"other origin", "GET", "/api/state", []string{"Origin", "http://evil.example"}, 403},
		{"no origin at all", "GET", "/api/state", []string{"Origin", "null"}, 403},
		{"origin of another port", "POST", "/api/stop", []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"origin with TLS", "POST", "/api/stop", []string{"Origin", strings.Replace(own, "http", "https", 1)}, 403},
		{"own origin", "POST", "/api/stop", []string{"Origin", own}, 200},
		{"a form of another site with the cookie", "POST", "/api/stop",
			[]string{tokenHeader, "", "Cookie", "magus-" + port + "=" + x.server.guard.token}, 403},
		{"cookie and own origin", "POST", "/api/stop", []string{tokenHeader, "", "Origin", own, "Cookie",
			"magus-" + port + "=" + x.server.guard.token}, 200},
		{"from another site", "GET", "/api/state", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"a script of another site", "GET", "/main.js",
			[]string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		{"a link of another site", "GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 200},
		{"other method", "PUT", "/api/do", nil, 405},
		{"delete", "DELETE", "/", nil, 405},
		{"get for an act", "GET", "/api/do", nil, 405},
		{"no such file", "GET", "/nothing.js", nil, 404},
		{"up", "GET", "/..%2fserver.go", nil, 404},
		{"up as it is", "GET", "/../server.go", nil, 404},
		{"up twice", "GET", "/%2e%2e/%2e%2e/etc/passwd", nil, 404},
		{"absolute", "GET", "/%2fetc%2fpasswd", nil, 404},
		{"backslash", "GET", "/..%5cserver.go", nil, 404},
		{"folder", "GET", "/page/", nil, 404},
		{"picture of a file", "GET", "/api/picture?object=/etc/passwd", nil, 200},
		{"picture of a component that is a file", "GET", "/api/picture?object=cfa&component=../../etc/passwd", nil, 200},
	} {
		status, text := x.asks(test.method, test.path, "{}", test.header...)
		require.Equal(t, test.want, status, "%s: %s", test.name, text)
		if status >= 400 || strings.Contains(test.name, "picture") {
			require.NotContains(t, text, "lock.c", test.name)
			require.NotContains(t, text, "root:", test.name)
		}
	}
	require.Empty(t, x.memory.read)
}

// Addresses that the server is asked by.
func TestHosts(t *testing.T) {
	for _, test := range []struct {
		listened, asked string
		want            bool
	}{
		{"127.0.0.1", "127.0.0.1:8", true},
		{"127.0.0.1", "localhost:8", true},
		{"127.0.0.1", "LOCALHOST:8", true},
		{"127.0.0.1", "127.0.0.2:8", false},
		{"127.0.0.1", "127.0.0.1.evil.example:8", false},
		{"127.0.0.1", "", false},
		{"::1", "[::1]:8", true},
		{"0.0.0.0", "192.168.1.5:8", true},
		{"0.0.0.0", "evil.example:8", false},
		{"192.168.1.5", "192.168.1.5:8", true},
		{"192.168.1.5", "localhost:8", false},
		{"box.example", "box.example:8", true},
		{"box.example", "evil.example:8", false},
	} {
		g := guard{host: test.listened, port: "8"}
		require.Equal(t, test.want, g.isHost(test.asked), "%s by %s", test.listened, test.asked)
	}
}

// Every answer has the policy, and the page asks for nothing in line and from nowhere else.
func TestPolicy(t *testing.T) {
	x := serve(t, "lock")
	names, err := files.ReadDir("page")
	require.NoError(t, err)
	for _, path := range []string{"/", "/page.css", "/api/state", "/nothing"} {
		r, err := http.NewRequest("GET", x.http.URL+path, nil)
		require.NoError(t, err)
		r.Header.Set(tokenHeader, x.server.guard.token)
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		answer.Body.Close()
		require.Equal(t, policy, answer.Header.Get("Content-Security-Policy"), path)
		require.Equal(t, "nosniff", answer.Header.Get("X-Content-Type-Options"))
		require.Empty(t, answer.Header.Get("Access-Control-Allow-Origin"))
	}
	for _, n := range names {
		raw, err := files.ReadFile("page/" + n.Name())
		require.NoError(t, err)
		text := strings.ReplaceAll(string(raw), "http://www.w3.org/2000/svg", "")
		require.NotRegexp(t, `https?://`, text, n.Name())
		require.NotRegexp(t, `innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function`, text, n.Name())
		if strings.HasSuffix(n.Name(), ".html") {
			require.NotRegexp(t, `<script>|<style|\sstyle=|\son[a-z]+=`, text)
		}
	}
}

// What is not one act of a command that touches no files is refused, and changes nothing.
func TestRefusedActs(t *testing.T) {
	sample.Long(t)
	x := serve(t, "lock")
	for _, body := range []string{"", "{", "[]", `{}`, `{"line":" "}`, `"step"`, `{"line":1}`,
		`{"line":"step","more":1}`, `{"line":"step"}{"line":"step"}`,
		`{"line":"` + strings.Repeat("s", mostAct) + `"}`} {
		status, text := x.asks("POST", "/api/do", body)
		require.Equal(t, http.StatusBadRequest, status, text)
	}
	status, _ := x.asks("POST", "/api/do", `{"line":"step"}`, "Content-Type", "text/plain")
	require.Equal(t, http.StatusBadRequest, status)
	for _, line := range []string{"load /etc/passwd", "lo x", "restore x", "include x", "source x",
		"save x", "cd /", "ls", "pwd", "set include /etc",
		"draw mp x.svg", "eog 1 x.svg", "lts info /etc/passwd", "dot mp > x", "dot mp >> x", "cfa | less",
		"!id", " ! id", "define", "foreach f in a b",
		"if conforms", "end", "step\nload x", "let a b", "web 0.0.0.0:1", "step > x", "mp > 'x'",
		`eval "1" > x`, "nonsense", "s$x"} {
		e := x.does(line)
		require.NotEmpty(t, e.Error, line)
	}
	now, _, _ := x.shared.last()
	require.Zero(t, now.Session.Moment)
	require.Empty(t, x.memory.read)
	require.Empty(t, x.does("pred add taken > 0").Error, "an operator is none of these")
}

// An allowed command is one of the shell's.
func TestAllowedCommands(t *testing.T) {
	n := 0
	for _, c := range repl.Commands() {
		if allowed(c.Name) {
			n++
		}
	}
	require.Equal(t, 52, n)
	for _, name := range []string{"load", "restore", "save", "include", "cd", "ls", "pwd", "set", "draw",
		"eog", "lts", "let", "web"} {
		require.False(t, allowed(name), name)
	}
}

// A page that comes late, or again, gets all there is; then what has changed only.
func TestUpdates(t *testing.T) {
	x := serve(t, "lock")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	listen := func() *bufio.Scanner {
		r, err := http.NewRequestWithContext(ctx, "GET", x.http.URL+"/api/updates", nil)
		require.NoError(t, err)
		r.Header.Set(tokenHeader, x.server.guard.token)
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { answer.Body.Close() })
		require.Equal(t, "text/event-stream", answer.Header.Get("Content-Type"))
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<24)
		return lines
	}
	read := func(lines *bufio.Scanner) (u Update) {
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				require.NoError(t, json.Unmarshal([]byte(text), &u))
				return u
			}
		}
		require.FailNow(t, "the updates have ended")
		return u
	}
	first := listen()
	u := read(first)
	require.True(t, u.Session.Loaded)
	require.NotEmpty(t, *u.Sources)
	x.does("step")
	for u = read(first); u.Moments == nil; u = read(first) {
	}
	require.Equal(t, 1, u.Moments.From)
	require.Len(t, u.Moments.Items, 1)
	require.Equal(t, 1, u.Session.Moment)
	late := read(listen())
	require.Equal(t, u.Session, late.Session)
	require.Len(t, late.Moments.Items, 2)
	require.Equal(t, u.Revision, late.Revision)
}

// Terminals and several pages at once: one command at a time, all agree in the end, and pictures are in nobody's way.
func TestTogether(t *testing.T) {
	x := serve(t, "mutex")
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 15 {
				status, text := x.asks("POST", "/api/do", `{"line":"step"}`)
				if status != http.StatusAccepted && status != http.StatusConflict {
					t.Errorf("%d %s", status, text)
				}
				x.asks("GET", "/api/picture?object="+[]string{"cfa", "mp", "ma", "spec"}[i], "")
				x.asks("GET", "/api/state", "")
			}
		})
	}
	all.Go(func() {
		for range 15 {
			x.shared.Alone("step", func() { _ = x.shell.Do(context.Background(), "step", allowed) })
		}
	})
	all.Go(func() {
		for range 15 {
			x.asks("POST", "/api/stop", "{}")
		}
	})
	all.Wait()
	x.shared.work.Wait()
	now, _, _ := x.shared.last()
	require.Equal(t, Busy{}, *now.Busy)
	require.Len(t, now.Moments, now.Session.Moment+1)
}

// What pages have after updates is what there is.
func TestDifferences(t *testing.T) {
	x := serve(t, "lock")
	var held State
	var sent *State
	apply := func() {
		now, revision, _ := x.shared.last()
		u := difference(sent, now, revision)
		sent = now
		if u.Session != nil {
			held.Session = u.Session
		}
		if u.Counterexample != nil {
			held.Counterexample = u.Counterexample
		}
		if u.Specification != nil {
			held.Specification = u.Specification
		}
		if u.Run != nil {
			held.Run = u.Run
		}
		if u.Threads != nil {
			held.Threads = u.Threads
		}
		if u.Busy != nil {
			held.Busy = u.Busy
		}
		if u.Components != nil {
			held.Components = *u.Components
		}
		if u.Sources != nil {
			held.Sources = *u.Sources
		}
		if u.Marks != nil {
			held.Marks = *u.Marks
		}
		if u.Branches != nil {
			held.Branches = *u.Branches
		}
		if u.Counters != nil {
			held.Counters = *u.Counters
		}
		if u.Processes != nil {
			held.Processes = u.Processes
		}
		held.Script = now.Script // which is asked for
		if u.Moments != nil {
			held.Moments = append(held.Moments[:u.Moments.From:u.Moments.From], u.Moments.Items...)
		}
		if u.Log != nil {
			held.Log = append(held.Log[:u.Log.From:u.Log.From], u.Log.Items...)
		}
		require.Equal(t, *now, held)
	}
	for _, line := range []string{"info", "step 3", "back 2", "pred add more == 0", "run", "goto 1", "reload", "exit"} {
		apply()
		x.does(line)
	}
	apply()
	require.True(t, held.Busy.Ended)
	status, left := x.shared.Status()
	require.True(t, left)
	require.Zero(t, status)
	code, _ := x.asks("POST", "/api/do", `{"line":"step"}`)
	require.Equal(t, http.StatusGone, code)
}

// Pictures say what has changed, have all that is drawn, and are of the present moment.
func TestPictures(t *testing.T) {
	x := serve(t, "lock")
	picture := func(query string) (p Picture) {
		status, text := x.asks("GET", "/api/picture?"+query, "")
		require.Equal(t, http.StatusOK, status, text)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, messageSchema(t, "#/$defs/Picture").Validate(value))
		require.NoError(t, json.Unmarshal([]byte(text), &p))
		return p
	}
	require.Contains(t, picture("object=cfa&component=drain").SVG, "lock()")
	require.Contains(t, picture("object=mp").Error, "not built yet")
	x.does("step")
	require.NotContains(t, picture("object=mp").SVG, `data-phases`)
	x.does("until refine predicates")
	x.does("step")
	p := picture("object=mp")
	require.Contains(t, p.SVG, `data-phases="2"`, "what is new")
	require.Contains(t, p.DOT, "digraph")
	require.Contains(t, picture("object=product").SVG, "lock")
	require.Contains(t, picture("object=spec").SVG, "Free")
	require.Greater(t, len(picture("object=mp&unfold=1").DOT), len(p.DOT))
	x.does("run")
	first, last := picture("object=mp&since=1"), picture("object=mp&since=9")
	require.Contains(t, first.SVG, `data-phases="2"`)
	require.NotEqual(t, first.SVG, last.SVG)
	now, _, _ := x.shared.last()
	require.Equal(t, len(now.Moments)-1, now.Session.Moment, "a comparison leaves the session where it is")
	require.Contains(t, x.does("info").Text, "verdict    conforms")
	require.Contains(t, picture("object=mp&since=1000").Error, "no moment 1000")
	require.Contains(t, picture("object=mp&since=x").Error, "no moment x")
	require.Contains(t, picture("object=mp&around=x").Error, "--around needs")
}

// The examples that come along are whole, and each begins.
func TestExamples(t *testing.T) {
	for _, e := range examples() {
		for _, f := range slices.Concat(e.files, e.others) {
			_, ok := Example(e.name)(f)
			require.True(t, ok, f)
		}
		x := serve(t, e.name)
		now, _, _ := x.shared.last()
		require.True(t, now.Session.Loaded, e.name)
	}
	text, ok := Example("lock")("/somewhere/lock.c")
	require.True(t, ok)
	require.NotEmpty(t, text)
	_, ok = Example("lock")("/etc/passwd")
	require.False(t, ok)
}

// Messages made of pieces of what means something: each is answered, and none reaches a file.
func TestManyMessages(t *testing.T) {
	x := serve(t, "lock")
	pieces := []string{`{"line":"`, `"}`, "step", "back ", "load ", "x.c", "/etc/passwd", " > ", "| less",
		"!id", "\\n", "mp ", "at ", "12", "'", `\"`, "$", "{",
		"}", "\x00", "é", "pred add ", "drain ", "split ", "eval ", "lts info ", "save ", "web ", "0.0.0.0:1",
		"9999999999999999999", "-1", " | grep ", "goto ", "choose "}
	random := rand.New(rand.NewPCG(sample.Seed(1), 2))
	for range sample.Count(10_000) {
		body := pieces[0]
		for range random.IntN(6) {
			body += pieces[random.IntN(len(pieces))]
		}
		if random.IntN(8) > 0 {
			body += `"}`
		}
		r := httptest.NewRequest("POST", x.http.URL+"/api/do", strings.NewReader(body))
		r.Header.Set(tokenHeader, x.server.guard.token)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		x.server.handler().ServeHTTP(w, r)
		require.Contains(t, []int{http.StatusAccepted, http.StatusBadRequest}, w.Code, body)
		x.shared.work.Wait()
	}
	require.Empty(t, x.memory.read)
	require.Empty(t, x.does("info").Error)
}

// Whatever is sent, the server answers, reads nothing and goes on.
func FuzzRequests(f *testing.F) {
	f.Add("POST", "/api/do", `{"line":"step"}`)
	f.Add("POST", "/api/do", `{"line":"load /etc/passwd"}`)
	f.Add("POST", "/api/do", `{"line":"mp at 12 | grep x"}`)
	f.Add("POST", "/api/do", "{\"line\":\"pred add \\u0000 \\\"'$x{\"}")
	f.Add("GET", "/api/picture?object=mp&component=drain&around=1", "")
	f.Add("GET", "/%2e%2e/web.go", "")
	f.Add("POST", "/api/stop", "{}")
	x := serve(f, "lock")
	f.Fuzz(func(t *testing.T, method, target, body string) {
		if len(body) > 2*mostAct || !strings.HasPrefix(target, "/") {
			return
		}
		r, err := http.NewRequest(method, x.http.URL+target, strings.NewReader(body))
		if err != nil {
			return
		}
		if strings.HasPrefix(r.URL.Path, "/api/updates") { // which go on
			return
		}
		r.Header.Set(tokenHeader, x.server.guard.token)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		x.server.handler().ServeHTTP(w, r)
		require.Less(t, w.Code, 500)
		done := make(chan struct{})
		go func() { x.shared.work.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			x.shared.Stop()
		}
		require.Empty(t, x.memory.read)
		if _, left := x.shared.Status(); left { // and comes back, for the next one
			x.shared.ended = make(chan struct{})
			x.shared.finish("")
		}
	})
}

// lines are typed at a terminal, one after the other.
type lines struct{ left []string }

// Line implements [repl.Lines].
func (l *lines) Line(string) (string, error) {
	if len(l.left) == 0 {
		return "", io.EOF
	}
	line := l.left[0]
	l.left = l.left[1:]
	return line, nil
}

// Close implements [repl.Lines].
func (l *lines) Close() error { return nil }

// A terminal at which lines are typed, and completed, while pages do something.
func TestTerminalAndPages(t *testing.T) {
	x := serve(t, "mutex")
	typed := &lines{}
	for range 20 {
		typed.left = append(typed.left, "step", "", "back", "claim 2", "foreach c in 1 2", "claim $c", "end", "mp")
	}
	complete := x.shared.Completing(x.shell.Complete)
	var all sync.WaitGroup
	all.Go(func() { x.shell.Interact(t.Context(), typed, repl.Mode{Prompt: true}) })
	all.Go(func() {
		for range 200 {
			complete("mp ")
		}
	})
	all.Go(func() {
		for i := range 60 {
			x.asks("POST", "/api/do", fmt.Sprintf(`{"line":"claim %d"}`, i%3+1))
			x.asks("POST", "/api/do", `{"line":"step"}`)
			x.asks("GET", "/api/picture?object=cfa", "")
		}
	})
	all.Wait()
	x.shared.work.Wait()
	require.Empty(t, typed.left)
	require.Empty(t, x.does("info").Error)
}

// The scripts of pages are written alike: two blanks a level, none at the end of a line, equality that
// converts nothing, no text that is read as HTML or as a program, and no name that is imported or
// exported for nobody.
func TestScriptsAreTidy(t *testing.T) {
	names, err := files.ReadDir("page")
	require.NoError(t, err)
	var all strings.Builder
	sources := map[string]string{}
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), ".js") {
			continue
		}
		text, err := files.ReadFile("page/" + n.Name())
		require.NoError(t, err)
		sources[n.Name()] = string(text)
		all.Write(text)
	}
	require.Greater(t, len(sources), 5)
	for name, text := range sources {
		require.True(t, strings.HasSuffix(text, "\n") && !strings.HasSuffix(text, "\n\n"), name)
		for i, line := range strings.Split(text, "\n") {
			at := fmt.Sprintf("%s:%d", name, i+1)
			indent := len(line) - len(strings.TrimLeft(line, " "))
			require.Zero(t, indent%2, at)
			require.NotContains(t, line, "\t", at)
			require.Equal(t, strings.TrimRight(line, " "), line, at)
			require.LessOrEqual(t, len(line), 320, at)
			require.NotRegexp(t, `(^|[^=!])==($|[^=])|!=($|[^=])|\bvar |\beval\(|innerHTML|outerHTML|insertAdjacentHTML|document\.write`,
				line, at)
		}
		for _, m := range regexp.MustCompile(`import \{([^}]*)\} from`).FindAllStringSubmatch(text, -1) {
			for _, word := range strings.Split(m[1], ",") {
				uses := regexp.MustCompile(`\b`+strings.TrimSpace(word)+`\b`).FindAllString(text, -1)
				require.Greater(t, len(uses), 1, "%s imports %s for nothing", name, word)
			}
		}
		for _, m := range regexp.MustCompile(`export (?:async )?(?:function|const|class) (\w+)`).FindAllStringSubmatch(text, -1) {
			uses := regexp.MustCompile(`import \{[^}]*\b`+m[1]+`\b[^}]*\} from`).FindAllString(all.String(), -1)
			require.NotEmpty(t, uses, "%s exports %s for nobody", name, m[1])
		}
	}
}
