package engine_test

import (
	"testing"

	"magus/param/engine"
)

// The case studies of the paper that need linear inequalities.
func BenchmarkLinear(b *testing.B) {
	for _, name := range []string{"garbage-collector.param", "missionaries-m1-strict.param"} {
		b.Run(name, func(b *testing.B) {
			sys := load(b, name)
			for b.Loop() {
				check(b, sys, engine.Options{})
			}
		})
	}
}
