//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreFileSize makes a limit of file sizes an error of writing, as a full disk
// is, instead of a signal that ends the program.
func ignoreFileSize() { signal.Ignore(syscall.SIGXFSZ) }
