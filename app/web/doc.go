// Package web is the shell in a browser: a server for one session of package repl, and the page
// that it shows.
//
//	s := web.New(host)                  // a host of package repl
//	sh := repl.New(s.Host())            // what it prints goes to the terminal and to pages
//	s.Attach(sh, "")
//	server, err := web.Serve(ctx, s, "") // server.Address() is http://127.0.0.1:PORT/?token=…
//	status := sh.Interact(ctx, lines, mode)
//	server.Close()
//
// A command has the shell alone, whether it was typed at the terminal or in the page. After it a
// [State] is made, which does not change any more; pages are sent in what it differs from the one
// that they have ([Update], by server-sent events), so a page that comes back, or a second one,
// agrees with the first. docs/schema/web.schema.json has the messages.
//
// What the page asks for is a line of the shell, from a list of commands that touch no files
// (allowed.go), or a picture. Every request needs the random token of the address; the names that
// the page is called by and where requests come from are checked (guard.go). No file is read by
// name.
//
// Left out: deciding anything, which the session does, and writing files, which the terminal does;
// what the page exports the browser saves.
package web
