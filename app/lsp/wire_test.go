package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"magus/app/job"
)

// A wire is the other end of a server's connection, on which anything can be written.
type wire struct {
	t    *testing.T
	conn net.Conn
	in   chan map[string]any // what the server writes; closed at the end
	done chan error
	id   int
}

func newWire(t *testing.T) *wire {
	here, there := net.Pipe()
	w := &wire{t: t, conn: here, in: make(chan map[string]any, 1000), done: make(chan error, 1)}
	go func() {
		w.done <- Serve(context.Background(), there, Settings{Host: job.System(), Version: "test", Pause: time.Millisecond})
	}()
	go w.read()
	t.Cleanup(func() { _ = here.Close() })
	return w
}

func (w *wire) read() {
	defer close(w.in)
	r := bufio.NewReader(w.conn)
	for {
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			return
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		var m map[string]any
		if json.Unmarshal(body, &m) != nil {
			return
		}
		w.in <- m
	}
}

// write writes bytes as they are; the server may have ended.
func (w *wire) write(s string) {
	_ = w.conn.SetWriteDeadline(time.Now().Add(20 * time.Second))
	_, _ = io.WriteString(w.conn, s)
}

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// answer is what the server answers to a question; nil if it has ended.
func (w *wire) answer(method, params string) map[string]any {
	w.t.Helper()
	w.id++
	w.write(frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, w.id, method, params)))
	late := time.After(30 * time.Second)
	for {
		select {
		case m, more := <-w.in:
			if !more {
				return nil
			}
			if m["id"] == float64(w.id) && m["method"] == nil {
				return m
			}
		case <-late:
			require.Fail(w.t, "no answer", "%s %s", method, params)
		}
	}
}

// goesOn requires that the server still answers.
func (w *wire) goesOn(after string) {
	w.t.Helper()
	m := w.answer("textDocument/documentSymbol", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri.File("/nowhere/a.c")))
	require.NotNil(w.t, m, after)
	require.NotContains(w.t, m, "error", after)
}

// The parameters of what the server understands, as an editor sends them.
var questions = map[string]string{
	"initialize":                        `{"processId":1,"rootUri":null,"capabilities":{"workspace":{"codeLens":{"refreshSupport":true}},"window":{"workDoneProgress":true}},"workspaceFolders":[{"uri":"file:///nowhere","name":"w"}]}`,
	"textDocument/completion":           `{"textDocument":{"uri":"file:///nowhere/a.c"},"position":{"line":1,"character":2}}`,
	"textDocument/hover":                `{"textDocument":{"uri":"file:///nowhere/a.c"},"position":{"line":1,"character":2}}`,
	"textDocument/definition":           `{"textDocument":{"uri":"file:///nowhere/a.c"},"position":{"line":1,"character":2}}`,
	"textDocument/references":           `{"textDocument":{"uri":"file:///nowhere/a.c"},"position":{"line":1,"character":2},"context":{"includeDeclaration":true}}`,
	"textDocument/documentSymbol":       `{"textDocument":{"uri":"file:///nowhere/a.c"}}`,
	"textDocument/codeLens":             `{"textDocument":{"uri":"file:///nowhere/a.c"}}`,
	"textDocument/inlayHint":            `{"textDocument":{"uri":"file:///nowhere/a.c"},"range":{"start":{"line":0,"character":0},"end":{"line":4294967295,"character":0}}}`,
	"textDocument/formatting":           `{"textDocument":{"uri":"file:///nowhere/a.spec"},"options":{"tabSize":8,"insertSpaces":false}}`,
	"textDocument/prepareCallHierarchy": `{"textDocument":{"uri":"file:///nowhere/a.c"},"position":{"line":1,"character":2}}`,
	"callHierarchy/incomingCalls":       `{"item":{"name":"main","kind":12,"uri":"file:///nowhere/a.c","range":{"start":{"line":0,"character":4},"end":{"line":0,"character":8}},"selectionRange":{"start":{"line":0,"character":4},"end":{"line":0,"character":8}}}}`,
	"textDocument/rename":               `{"textDocument":{"uri":"file:///nowhere/a.spec"},"position":{"line":1,"character":2},"newName":"x"}`,
	"textDocument/codeAction":           `{"textDocument":{"uri":"file:///nowhere/a.c"},"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":4}},"context":{"diagnostics":[]}}`,
	"textDocument/foldingRange":         `{"textDocument":{"uri":"file:///nowhere/a.spec"}}`,
	"workspace/symbol":                  `{"query":"x"}`,
	"workspace/executeCommand":          `{"command":"magus.check","arguments":["file:///nowhere/a.magus","x",1]}`,
}

var news = map[string]string{
	"initialized":                      `{}`,
	"textDocument/didOpen":             `{"textDocument":{"uri":"file:///nowhere/a.c","languageId":"c","version":1,"text":"int main(void) { return 0; }"}}`,
	"textDocument/didChange":           `{"textDocument":{"uri":"file:///nowhere/a.c","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":4}},"text":"x"}]}`,
	"textDocument/didSave":             `{"textDocument":{"uri":"file:///nowhere/a.c"}}`,
	"textDocument/didClose":            `{"textDocument":{"uri":"file:///nowhere/a.c"}}`,
	"workspace/didChangeWatchedFiles":  `{"changes":[{"uri":"file:///nowhere/a.c","type":2}]}`,
	"workspace/didChangeConfiguration": `{"settings":null}`,
	"$/setTrace":                       `{"value":"off"}`,
	"$/cancelRequest":                  `{"id":1}`,
	"$/whatever":                       `{}`,
	"of/others":                        `{}`,
}

// wrong are values of each kind, and some at the ends of their ranges.
var wrong = []string{`null`, `true`, `-1`, `1e300`, `4294967295`, `4294967296`, `0.5`, `""`, `"\ud800"`,
	`"file:///%zz"`, `"http://x/y"`, `[]`, `[[]]`, `{}`, `{"a":{"b":[1,2]}}`}

// mutants are the parameters with one part replaced, at any depth, or left out.
func mutants(params string) []string {
	var v any
	if json.Unmarshal([]byte(params), &v) != nil {
		panic(params)
	}
	text := func() string {
		s, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return string(s)
	}
	all := append([]string{}, wrong...)
	var visit func(v any)
	each := func(set func(any), was any) {
		for _, w := range wrong {
			set(json.RawMessage(w))
			all = append(all, text())
		}
		set(was)
	}
	visit = func(part any) {
		switch part := part.(type) {
		case map[string]any:
			for _, k := range sortedKeys(part) {
				was := part[k]
				each(func(x any) { part[k] = x }, was)
				delete(part, k)
				all = append(all, text())
				part[k] = was
				visit(was)
			}
		case []any:
			for i, was := range part {
				each(func(x any) { part[i] = x }, was)
				visit(was)
			}
		}
	}
	visit(v)
	return all
}

// A question with parameters of a wrong form is answered, mostly by an error, and what is told in a wrong
// form is as if it had not been: the session goes on.
func TestWrongParameters(t *testing.T) {
	w := newWire(t)
	require.NotNil(t, w.answer("initialize", questions["initialize"]))
	refused := 0
	for _, method := range sortedKeys(questions) {
		for _, params := range mutants(questions[method]) {
			m := w.answer(method, params)
			require.NotNil(t, m, "%s %s", method, params)
			if m["error"] != nil {
				refused++
			}
		}
	}
	require.Greater(t, refused, 200)
	for _, method := range sortedKeys(news) {
		for _, params := range append(mutants(news[method]), news[method]) {
			w.write(frame(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)))
			w.goesOn(method + " " + params)
		}
	}
}

// What is no message ends the session with an error, or is answered; it never hangs, whatever is broken.
func TestWrongFrames(t *testing.T) {
	good := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":%s}`, questions["initialize"])
	tests := []string{
		"\r\n\r\n", "x", "Content-Length\r\n\r\n", "Content-Length: \r\n\r\n{}", "Content-Length: 0\r\n\r\n",
		"Content-Length: -5\r\n\r\n{}",
		"Content-Length: 99999999999999999999\r\n\r\n{}", "Content-Length: 1073741825\r\n\r\n{}",
		"Content-Length: 1073741824\r\n\r\n{}", "Content-Length: 2x\r\n\r\n{}",
		"Content-Type: x\r\n\r\n{}", "Content-Length: 5\r\nContent-Length: 2\r\n\r\n{}", "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		frame(""), frame("{"), frame("}"), frame("null"), frame("[]"), frame("[1]"), frame("[[]]"), frame("{}"),
		frame(`"x"`), frame("\x00\xff"),
		frame(`{"jsonrpc":"1.0","id":1,"method":"initialize"}`), frame(`{"id":1,"method":"initialize"}`),
		frame(`{"jsonrpc":"2.0","id":1,"method":7}`),
		frame(`{"jsonrpc":"2.0","id":{},"method":"initialize"}`),
		frame(`{"jsonrpc":"2.0","id":null,"method":"shutdown"}`), frame(`{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}`),
		frame(`{"jsonrpc":"2.0","id":77,"result":null}`), frame(`{"jsonrpc":"2.0","id":"x","error":7}`),
		frame(`{"jsonrpc":"2.0","id":1}`),
		frame(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}`),
		frame(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20) + `"}`),
		frame(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":` + strings.Repeat("[", 100_000) +
			strings.Repeat("]", 100_000) + `}`),
		frame("[" + strings.Repeat(good+",", 20) + good + "]"),
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 { // bytes changed, cut off or put in
		b := []byte(frame(good))
		for range 1 + r.IntN(3) {
			i := r.IntN(len(b))
			switch r.IntN(3) {
			case 0:
				b[i] = byte(r.IntN(256))
			case 1:
				b = append(b[:i:i], b[min(len(b), i+1+r.IntN(5)):]...)
			case 2:
				b = append(b[:i:i], append([]byte{byte(r.IntN(256))}, b[i:]...)...)
			}
			if len(b) == 0 {
				break
			}
		}
		tests = append(tests, string(b))
	}
	for _, test := range tests {
		w := newWire(t)
		go func() { // which may be longer than what the server reads
			w.write(test)
			w.write(frame(`{"jsonrpc":"2.0","method":"exit"}`))
			_ = w.conn.Close()
		}()
		select {
		case err := <-w.done:
			if err != nil {
				require.NotContains(t, err.Error(), "panic", "%.200q", test)
			}
		case <-time.After(30 * time.Second):
			require.Fail(t, "the server hangs", "%.200q", test)
		}
	}
}

// Whatever a message says, the server answers the next one or has ended.
func FuzzMessage(f *testing.F) {
	for method, params := range questions {
		f.Add(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`, method, params))
	}
	f.Fuzz(func(t *testing.T, body string) {
		w := newWire(t)
		go w.write(frame(body) + frame(`{"jsonrpc":"2.0","method":"exit"}`))
		for range w.in {
		}
		<-w.done
	})
}

// TestMessagesAreOwned: what was read of a message stays, whatever the connection does with its bytes afterwards.
func TestMessagesAreOwned(t *testing.T) {
	data := []byte(`[{"title": "allow it"}]`)
	var actions []protocol.CommandOrCodeAction
	require.NoError(t, codec{}.Unmarshal(data, &actions))
	for i := range data {
		data[i] = 'x'
	}
	require.Len(t, actions, 1)
	require.Equal(t, "allow it", actions[0].(*protocol.CodeAction).Title)
}
