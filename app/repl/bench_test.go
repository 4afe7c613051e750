package repl

import (
	"strings"
	"testing"
	"time"
)

// BenchmarkLatency prints how long commands that run no phase take on the
// handshake example, at its first counterexample that level two refutes: what
// a person waits for at the prompt, which should be less than 100 ms.
func BenchmarkLatency(b *testing.B) {
	m := example(b, "handshake", "client.c", "server.c", "lib.spec", "p03.spec")
	sh := New(m.host())
	defer sh.Close()
	m.do(sh, "load client.c server.c lib.spec p03.spec", "until refine actions", "until validate C")
	for _, line := range []string{
		"info", "cfa client", "cfa server 12", "preds", "preds server 20", "mp client", "ma client",
		"block client 1", "product", "spec",
		"alphabet", "state client 5", "trace", "trace client", "diff", "stats", "history", "help", "show", "choose",
		"back", "forward", "goto 3", "simulate product", "simulate random 20 1", "simulate undo 3", "simulate run server 7",
		"dot cfa client", "dot mp client", "dot mp client --all", "dot ma server", "dot product",
		"draw cfa client x.svg", "draw mp client x.svg", "draw ma server x.svg", "coverage client",
		"save session", "pred add client state == 3",
	} {
		b.Run(strings.ReplaceAll(line, " ", "_"), func(b *testing.B) {
			worst := time.Duration(0)
			for b.Loop() {
				start := time.Now()
				m.do(sh, line)
				worst = max(worst, time.Since(start))
			}
			b.ReportMetric(float64(worst.Microseconds())/1000, "ms/worst")
		})
	}
}
