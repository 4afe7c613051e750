// Package repl is the shell of magus: one step of the verification at a time,
// with everything it knows open to be looked at, drawn and changed, typed at a
// prompt or read from a script.
//
// A [Shell] works on one [cegar.Session] at a time. Its commands are one table
// (table.go), which drives what is executed, the help, completion, the reference
// page ([Reference]) and the manual ([Manual]). A script is the same language
// with conditions, loops and expectations (script.go):
//
//	load lock.c lock.spec
//	run
//	expect conforms
//	expect states mp drain <= 40
//
// The steps that were made are kept as moments (history.go): going back restores
// a snapshot, and stepping again gives the same events.
//
// A Shell has parts, each in the file of its name: the console, what is loaded, the views, what steps
// through phases (step.go), what loads (session.go), the options (settings.go), the reader of commands.
// Each has those before it that it needs.
//
// Everything outside the process goes through a [Host]. The terminal is behind
// the interface [Lines]; [Terminal] is the one on chzyer/readline.
//
// Left out: deciding anything about programs, which is package magus, and the
// workbench of transition systems, which the host lends.
package repl
