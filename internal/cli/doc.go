// Package cli is the command line of magus: flags, files, budgets of time,
// progress, and what is printed. It decides nothing about programs; that is
// package magus, which it drives through [Engine].
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
