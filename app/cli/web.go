package cli

// The shell in a browser.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"magus/app/repl"
	"magus/app/web"
	"magus/internal/phrase"
)

// browsing is what a shell shows in a browser, if it does.
type browsing struct {
	on      bool
	silent  bool // opens no browser
	listen  string
	example string

	ctx    context.Context
	stop   func() // ends the shell
	shared *web.Shared
	server *web.Server

	opens   func(ctx context.Context, file string) error // a browser; nil: none is opened
	errs    io.Writer
	pointer string // the file that leads a browser to the address; "" before there is one
}

// validate is the error of flags that do not go together.
func (b *browsing) validate(files []string) error {
	switch {
	case b.listen != "" && !b.on:
		return errors.New("--listen is for --web")
	case b.silent && !b.on:
		return errors.New("--no-browser is for --web")
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
	if b.example != "" {
		e.embedded = web.Example(b.example)
	}
	h = b.shares(ctx, h)
	h.Browse = b.open
	return h
}

// shares makes a session that pages and a terminal share, and gives the host of its shell.
func (b *browsing) shares(ctx context.Context, h repl.Host) repl.Host {
	b.ctx = ctx
	b.shared = web.New(h)
	return b.shared.Host()
}

// flags are those of every shell with a page.
func (b *browsing) flags(fs *pflag.FlagSet) {
	fs.BoolVar(&b.on, "web", false, "show the session in a browser too, and print its address")
	fs.BoolVar(&b.silent, "no-browser", false, "with --web: print the address only, open no browser")
	fs.StringVar(&b.listen, "listen", "",
		"with --web: the address HOST:PORT to serve at, instead of a free port of this machine only")
}

// attach makes a shell the one that is shared.
func (b *browsing) attach(sh *repl.Shell) { b.shared.Attach(sh, b.example) }

// start begins to serve, if that is asked for, and says where.
func (b *browsing) start(w *World, lines repl.Lines, stop func()) error {
	b.stop, b.errs = stop, w.Stderr
	if w.Interactive && !b.silent {
		b.opens = w.Browse
	}
	if p, ok := lines.(repl.Printer); ok {
		b.shared.Above(p.Above())
	}
	if !b.on {
		return nil
	}
	address, err := b.open("")
	if err == nil {
		fmt.Fprintf(w.Stdout, "in a browser: %s\n", address)
	}
	return err
}

// open begins to serve, unless that was done before, shows the page and gives its address.
func (b *browsing) open(listen string) (string, error) {
	address, err := b.serve(listen)
	if err == nil {
		b.show(address, b.errs)
	}
	return address, err
}

// serve begins to serve, unless that was done before, and gives the address.
func (b *browsing) serve(listen string) (string, error) {
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
	if b.pointer != "" {
		_ = os.Remove(b.pointer) // it leads nowhere any more
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
