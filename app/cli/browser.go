package cli

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"os/exec"
	"runtime"
)

// A page in the browser of who sits at the terminal.
//
// Idea (as notebooks do it): the address has the token, and what a program is started with others on the machine can
// read. So the browser is given a file that only its owner can read, which leads on to the address.

// systemBrowser opens a file in a browser; nil where there is none, as on a machine without a screen.
func systemBrowser(env func(string) string) func(ctx context.Context, file string) error {
	command := []string{env("BROWSER")}
	switch {
	case command[0] != "":
	case runtime.GOOS == "darwin":
		command = []string{"open"}
	case runtime.GOOS == "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "":
		command = []string{"xdg-open"}
	default:
		return nil
	}
	return func(ctx context.Context, file string) error {
		c := exec.CommandContext(context.WithoutCancel(ctx), command[0], append(command[1:], file)...)
		if err := c.Start(); err != nil {
			return err
		}
		go func() { _ = c.Wait() }() // it may be the browser itself, which goes on
		return nil
	}
}

// pointer writes a file that leads a browser on to an address.
func pointer(address string) (name string, err error) {
	f, err := os.CreateTemp("", "magus-*.html") // which nobody else can read
	if err != nil {
		return "", err
	}
	to := html.EscapeString(address)
	_, err = fmt.Fprintf(f, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>magus</title>"+
		"<meta http-equiv=\"refresh\" content=\"0; url=%s\"></head><body><a href=\"%s\">magus</a></body></html>\n", to, to)
	return f.Name(), errors.Join(err, f.Close())
}

// show opens an address in a browser, if there is one and somebody sits at the terminal. That it cannot is said;
// the address is printed in any case.
func (b *browsing) show(address string, errs io.Writer) {
	if b.opens == nil {
		return
	}
	err := error(nil)
	if b.pointer == "" {
		b.pointer, err = pointer(address)
	}
	if err == nil {
		err = b.opens(b.ctx, b.pointer)
	}
	if err != nil {
		fmt.Fprintf(errs, "the browser was not opened: %v\n", err)
	}
}
