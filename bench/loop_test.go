package bench

// The whole loop on the handshake example, with one and two levels of
// abstraction.

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/specs"
)

const handshakeDir = "../examples/handshake"

// loops are claims of the handshake: the C files, the specification, and what
// it costs to decide them: s4 and p04 hold on the first abstraction, s5 and s1
// need predicates, c2 many iterations until the set is smallest, s7 is violated, p01
// and p10 are about both sides.
var loops = []struct {
	spec string
	c    []string
	want magus.Verdict
}{
	{"s4", []string{"server.c"}, magus.Conforms},
	{"s5", []string{"server.c"}, magus.Conforms},
	{"s1", []string{"server.c"}, magus.Conforms},
	{"c2", []string{"client.c"}, magus.Conforms},
	{"s7", []string{"server.c"}, magus.Violates},
	{"p04", []string{"client.c", "server.c"}, magus.Conforms},
	{"p01", []string{"client.c", "server.c"}, magus.Conforms},
	{"p10", []string{"client.c", "server.c"}, magus.Conforms},
}

func readSource(tb testing.TB, name string) (string, []byte) {
	path := filepath.Join(handshakeDir, name)
	text, err := os.ReadFile(path)
	require.NoError(tb, err)
	return path, text
}

// loadHandshake reads the C files, the library's abstractions and one
// specification.
func loadHandshake(tb testing.TB, spec string, c []string) []*magus.Claim {
	in := magus.Input{ReadFile: os.ReadFile, Options: source.Options{ReadFile: os.ReadFile}}
	for _, name := range c {
		path, text := readSource(tb, name)
		in.C = append(in.C, source.Source{Name: path, Text: text})
	}
	for _, name := range []string{"lib.spec", spec + ".spec"} {
		path, text := readSource(tb, name)
		in.Specs = append(in.Specs, specs.Source{Name: path, Text: text})
	}
	project, err := magus.Load(context.Background(), in)
	require.NoError(tb, err)
	claims, err := project.Claims(magus.Selection{})
	require.NoError(tb, err)
	return claims
}

// work runs a claim to its end and gives the states of the final space, the
// iterations of the loop and the verdict.
func work(tb testing.TB, claim *magus.Claim, level cegar.Switch) (states, iterations int, v magus.Verdict) {
	s, err := cegar.NewSession(context.Background(), claim, cegar.Options{Loop: cegar.Loop{ActionAbstraction: level}})
	require.NoError(tb, err)
	defer s.Close()
	o := s.Run(context.Background(), nil)
	states = o.Loop.Stats.ProductStates
	if len(o.Components) == 1 {
		if states = o.Loop.Components[0].MPStates; level == cegar.On {
			states = o.Loop.Components[0].MAStates
		}
	}
	return states, o.Loop.Stats.Iterations, o.Verdict
}

// BenchmarkHandshake decides claims with one and two levels. A specification
// with several claims is measured by its last one.
func BenchmarkHandshake(b *testing.B) {
	for _, l := range loops {
		claims := loadHandshake(b, l.spec, l.c)
		for _, level := range []struct {
			name string
			is   cegar.Switch
		}{{"one", cegar.Off}, {"two", cegar.On}} {
			b.Run(l.spec+"/levels="+level.name, func(b *testing.B) {
				var states, iterations int
				var v magus.Verdict
				b.ReportAllocs()
				for b.Loop() {
					states, iterations, v = work(b, claims[len(claims)-1], level.is)
					if v != l.want {
						b.Fatalf("%v, want %v", v, l.want)
					}
				}
				b.ReportMetric(float64(states), "states")
				b.ReportMetric(float64(iterations), "iterations")
			})
		}
	}
}

// The claim that needs no refinement is decided alike by one and two levels.
func TestHandshake(t *testing.T) {
	claims := loadHandshake(t, "s4", []string{"server.c"})
	require.Len(t, claims, 1)
	for _, level := range []cegar.Switch{cegar.Off, cegar.On} {
		states, iterations, v := work(t, claims[0], level)
		require.Equal(t, magus.Conforms, v)
		require.Equal(t, 1, iterations)
		require.Positive(t, states)
	}
}
