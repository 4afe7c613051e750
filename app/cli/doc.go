// Package cli is the command line of magus: commands and their flags, what is
// printed and written, and exit statuses. It decides nothing about programs, which
// is package magus, and does not run checks itself, which is app/job.
//
//	os.Exit(cli.Main(ctx, os.Args[1:], cli.System()))
//
// Everything outside the process goes through a [World], so that a test runs
// the whole program in memory. A command is one file: check.go, version.go; new
// ones are added to the list in main.go.
//
// Exit statuses are in exit.go. The one place that recovers from a panic is
// [Main].
package cli
