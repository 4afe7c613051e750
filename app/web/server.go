package web

// The server.

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"magus/app/page"
)

//go:embed page
var files embed.FS

// Limits of what is asked.
const (
	mostAct     = 64 << 10 // bytes of an act
	mostHeader  = 16 << 10
	toRead      = 10 * time.Second // the head of a request, or an act
	betweenPing = 15 * time.Second
	toEnd       = time.Second
)

// A Server serves a session to pages.
type Server struct {
	shared *Shared
	guard  guard
	ctx    context.Context // of all that pages begin
	http   *http.Server
	done   chan struct{}
	cancel context.CancelFunc
}

// Serve begins to serve a session at an address, such as 127.0.0.1:8080; at a free port of this
// machine only if it is "".
func Serve(ctx context.Context, s *Shared, listen string) (*Server, error) {
	if listen == "" {
		listen = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return nil, fmt.Errorf("--listen is HOST:PORT, not %q", listen)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if host == "" {
		host = "0.0.0.0"
	}
	s.mu.Lock()
	s.served = true
	s.mu.Unlock()
	x := newServer(ctx, s, guard{token: newToken(), host: host, port: port})
	go func() {
		defer close(x.done)
		_ = x.http.Serve(l) // it ends with Close
	}()
	return x, nil
}

// newServer is a server that does not listen yet.
func newServer(ctx context.Context, s *Shared, g guard) *Server {
	ctx, cancel := context.WithCancel(ctx)
	x := &Server{shared: s, guard: g, ctx: ctx, cancel: cancel, done: make(chan struct{})}
	x.http = &http.Server{Handler: x.handler(), ReadHeaderTimeout: toRead, MaxHeaderBytes: mostHeader}
	return x
}

// Address is the address of the page, with the token.
func (x *Server) Address() string {
	host := x.guard.host
	if host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, x.guard.port) + "/?token=" + x.guard.token
}

// Close ends the server and what pages have begun.
func (x *Server) Close() {
	x.cancel()
	ctx, cancel := context.WithTimeout(context.Background(), toEnd)
	defer cancel()
	_ = x.http.Shutdown(ctx) // answers that are on their way still arrive
	_ = x.http.Close()
	<-x.done
	x.shared.Close()
}

// handler answers what is asked, once the guard has let it pass.
func (x *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", x.index)
	mux.HandleFunc("GET /page.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = io.WriteString(w, page.Style())
	})
	mux.HandleFunc("GET /{file}", x.file)
	mux.HandleFunc("GET /api/updates", x.updates)
	mux.HandleFunc("GET /api/state", x.state)
	mux.HandleFunc("GET /api/picture", x.picture)
	mux.HandleFunc("GET /api/script", x.script)
	mux.HandleFunc("POST /api/do", x.do)
	mux.HandleFunc("POST /api/stop", x.stop)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if x.guard.check(w, r) {
			r.Body = http.MaxBytesReader(w, r.Body, mostAct)
			mux.ServeHTTP(w, r)
		}
	})
}

// index is the page.
func (x *Server) index(w http.ResponseWriter, _ *http.Request) {
	x.guard.remember(w)
	serveFile(w, "index.html")
}

// file is one of the files that belong to the page.
func (x *Server) file(w http.ResponseWriter, r *http.Request) { serveFile(w, r.PathValue("file")) }

// serveFile answers with an embedded file. Its name is a name in one folder of the program, never a
// path.
func serveFile(w http.ResponseWriter, name string) {
	kind := map[string]string{".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
	text, err := files.ReadFile("page/" + name)
	if err != nil {
		http.Error(w, "there is no such file", http.StatusNotFound)
		return
	}
	dot := len(name)
	for i := range name {
		if name[i] == '.' {
			dot = i
		}
	}
	w.Header().Set("Content-Type", kind[name[dot:]]+"; charset=utf-8")
	_, _ = w.Write(text)
}

// updates are the server-sent events: first all there is, then what changes.
func (x *Server) updates(w http.ResponseWriter, r *http.Request) {
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	ping := time.NewTicker(betweenPing)
	defer ping.Stop()
	var sent *State
	for {
		now, revision, changed := x.shared.last()
		if now != sent {
			text, err := json.Marshal(difference(sent, now, revision))
			if err != nil {
				return
			}
			if _, err := fmt.Fprintf(w, "id: %d\ndata: %s\n\n", revision, text); err != nil {
				return
			}
			sent = now
		}
		if out.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-ping.C:
			if _, err := io.WriteString(w, ": still here\n\n"); err != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-x.ctx.Done():
			return
		}
	}
}

// state is all there is, at once.
func (x *Server) state(w http.ResponseWriter, _ *http.Request) {
	now, revision, _ := x.shared.last()
	answer(w, http.StatusOK, difference(nil, now, revision))
}

// script is a script that leads to the present moment.
func (x *Server) script(w http.ResponseWriter, _ *http.Request) {
	now, _, _ := x.shared.last()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, now.Script)
}

// answer writes a message.
func answer(w http.ResponseWriter, status int, message any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(message)
}

// do begins a command.
func (x *Server) do(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(toRead)) // what cannot has no slow senders
	act, err := readAct(r)
	if err != nil {
		answer(w, http.StatusBadRequest, Answer{Error: err.Error()})
		return
	}
	switch revision, err := x.shared.Do(x.ctx, act.Line); {
	case errors.Is(err, errBusy):
		answer(w, http.StatusConflict, Answer{Error: err.Error()})
	case err != nil:
		answer(w, http.StatusGone, Answer{Error: err.Error()})
	default:
		answer(w, http.StatusAccepted, Answer{Started: true, Revision: revision})
	}
}

// readAct reads the one act that a request has.
func readAct(r *http.Request) (Act, error) {
	var act Act
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return act, errors.New("an act is application/json")
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&act); err != nil {
		return act, errors.New("this is no act")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return act, errors.New("one act at a time")
	}
	if strings.TrimSpace(act.Line) == "" {
		return act, errors.New("no command")
	}
	return act, nil
}

// stop interrupts the command that runs.
func (x *Server) stop(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, Answer{Started: x.shared.Stop()})
}
