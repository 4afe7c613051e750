package cfatest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/source"
	"magus/internal/sample"
)

// named is the text of a program whose generator also tells its entry.
func named(prelude string, of func(id int, seed uint64) (text, entry string)) func(seed uint64) string {
	return func(seed uint64) string {
		text, entry := of(7, seed)
		return fmt.Sprintf("%s%sint main(void) { return sizeof %s; }\n", prelude, text, entry)
	}
}

// sized is a generator that is also told how much to write.
func sized(of func(id int, seed uint64, size int) (text, entry string)) func(id int, seed uint64) (string, string) {
	return func(id int, seed uint64) (text, entry string) { return of(id, seed, 6) }
}

// called is a generator whose programs call routines that are declared only.
func called(of func(id int, seed uint64, calls int) (text, outside, entry string)) func(id int, seed uint64) (string,
	string) {
	return func(id int, seed uint64) (string, string) {
		text, outside, entry := of(id, seed, 4)
		return text + outside, entry
	}
}

// recursiveOnes is a generator of programs that call themselves.
func recursiveOnes(observe bool) func(id int, seed uint64) (string, string) {
	return func(id int, seed uint64) (text, entry string) { return Recursive(id, seed, observe) }
}

// Each generator writes the same C for a seed each time, and other C for other seeds: a seed that a test prints is
// enough to see its program again.
func TestSeedsDecide(t *testing.T) {
	sample.Long(t)
	first := func(of func(seed uint64, compiled bool) (string, bool)) func(seed uint64) string {
		return func(seed uint64) string {
			text, _ := of(seed, seed%2 == 0)
			return text
		}
	}
	for name, text := range map[string]func(seed uint64) string{
		"programs":            named(Prelude+Nondet, sized(Program)),
		"calls":               named(CallsPrelude, called(Calls)),
		"variadic calls":      named("#include <stdarg.h>\n"+CallsPrelude, called(VariadicCalls)),
		"variadic":            named(VariadicPrelude, Variadic),
		"faults":              named(FaultPrelude, sized(Faulty)),
		"leaks":               named(FaultPrelude, sized(Leaky)),
		"floating":            named(FloatingPrelude, Floating),
		"long floating":       named(LongPrelude, LongFloating),
		"floating widths":     named(WidthsPrelude, WidthsFloating),
		"parts":               named(PartsPrelude, Parts),
		"numbers":             named("", Numbers),
		"recursive":           named("", recursiveOnes(false)),
		"recursive observers": named("void out(long long);\n", recursiveOnes(true)),
		"texts":               func(seed uint64) string { return TextPrelude + Text("f", seed, 6) },
		"addresses again":     func(seed uint64) string { a := NewAgain(seed, false); return a.Claim(a.Other()) },
		"handles again":       func(seed uint64) string { a := NewAgain(seed, true); return a.Claim(a.Other()) },
		"threads":             func(seed uint64) string { return Threads(seed, seed%2 == 0) },
		"many threads":        ManyThreads,
		"few":                 Few,
		"gathering":           func(seed uint64) string { return Gathering(seed, seed%2 == 0) },
		"litmus":              func(seed uint64) string { return "#define WANT 1\n" + Litmus(seed) },
		"lockers":             Lockers,
		"synchronised":        first(Synchronised),
		"owned":               first(Owned),
	} {
		t.Run(name, func(t *testing.T) {
			seeds := map[string]uint64{}
			for seed := range uint64(16) {
				c := text(seed)
				require.Equal(t, c, text(seed))
				seeds[c] = seed
				if seed > 0 { // others are read where they are used
					continue
				}
				_, err := source.Parse(t.Context(), []source.Source{{Name: "p.c", Text: []byte(c)}}, source.Options{})
				require.NoError(t, err, "seed %d\n%s", seed, c)
			}
			require.Greater(t, len(seeds), 12)
		})
	}
}
