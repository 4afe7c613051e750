package cli

// The shell in a browser.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"magus/app/repl"
	"magus/app/web"
	"magus/internal/phrase"
)

// browsing is what a shell shows in a browser, if it does.
type browsing struct {
	on      bool
	listen  string
	example string

	ctx    context.Context
	stop   func() // ends the shell
	shared *web.Shared
	server *web.Server
}

// validate is the error of flags that do not go together.
func (b *browsing) validate(files []string) error {
	switch {
	case b.listen != "" && !b.on:
		return errors.New("--listen is for --web")
	case b.example != "" && len(files) > 0:
		return errors.New("--example loads its own files; none are named beside it")
	case b.example != "" && !web.IsExample(b.example):
		hint := phrase.Suggest(b.example, web.Examples())
		if hint == "" {
			hint = "; there are " + strings.Join(web.Examples(), ", ")
		}
		return fmt.Errorf("no example %s%s", b.example, hint)
	}
	return nil
}

// host is the host of the shell: that of the terminal, and what a browser needs beside it.
func (b *browsing) host(ctx context.Context, h repl.Host, e *engine) repl.Host {
	b.ctx = ctx
	if b.example != "" {
		e.embedded = web.Example(b.example)
	}
	b.shared = web.New(h)
	h = b.shared.Host()
	h.Browse = b.open
	return h
}

// attach makes a shell the one that is shared.
func (b *browsing) attach(sh *repl.Shell) { b.shared.Attach(sh, b.example) }

// start begins to serve, if that is asked for, and says where.
func (b *browsing) start(out io.Writer, lines repl.Lines, stop func()) error {
	b.stop = stop
	if p, ok := lines.(repl.Printer); ok {
		b.shared.Above(p.Above())
	}
	if !b.on {
		return nil
	}
	address, err := b.open("")
	if err == nil {
		fmt.Fprintf(out, "in a browser: %s\n", address)
	}
	return err
}

// open begins to serve, unless that was done before, and gives the address.
func (b *browsing) open(listen string) (string, error) {
	if b.server != nil {
		return b.server.Address(), nil
	}
	if listen == "" {
		listen = b.listen
	}
	server, err := web.Serve(b.ctx, b.shared, listen)
	if err != nil {
		return "", err
	}
	b.server = server
	go func() {
		select {
		case <-b.shared.Ended():
			b.stop()
		case <-b.ctx.Done():
		}
	}()
	return server.Address(), nil
}

// close ends what is served.
func (b *browsing) close() {
	if b.server != nil {
		b.server.Close()
	}
}

// files are those that are loaded first.
func (b *browsing) files(named []string) []string {
	if b.example == "" {
		return named
	}
	return web.ExampleFiles(b.example)
}

// alone loads the files.
func (b *browsing) alone(load func() error) error { return b.shared.Began(load) }

// status is the exit status: that of the terminal, unless a page has left the shell.
func (b *browsing) status(terminal int) int {
	if status, left := b.shared.Status(); left {
		return status
	}
	return terminal
}
