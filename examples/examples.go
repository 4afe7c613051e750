// Package examples holds the examples that the program brings along, for people who have no checkout.
package examples

import "embed"

// Files are those of the examples in the browser's tour.
//
//go:embed lock/lock.c lock/lock_bad.c lock/lock.spec mutex/mutex_lock.c mutex/mutex.h mutex/mutex.spec
//go:embed handshake/client.c handshake/server.c handshake/messages.h handshake/lib.spec handshake/p03.spec
var Files embed.FS
