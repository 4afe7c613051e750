package threads_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/threads"
	"magus/internal/sample"
)

// A bitStore stores a constant, or what another one holds, to a bit-field, or adds one.
type bitStore struct{ field, from, value int }

func (s bitStore) text() string {
	switch {
	case s.from == s.field:
		return fmt.Sprintf("s.f%d++;", s.field)
	case s.from >= 0:
		return fmt.Sprintf("s.f%d = s.f%d;", s.field, s.from)
	}
	return fmt.Sprintf("s.f%d = %d;", s.field, s.value)
}

// bitFields are programs of two threads that store to bit-fields of one word.
type bitFields struct {
	widths []int
	stores [2][]bitStore
}

func randomBitFields(r *rand.Rand) bitFields {
	var p bitFields
	for sum := 0; len(p.widths) < 2+r.IntN(3); sum += p.widths[len(p.widths)-1] {
		p.widths = append(p.widths, min(1+r.IntN(9), 32-sum-4))
	}
	for t := range p.stores {
		for range 1 + r.IntN(2) {
			n := len(p.widths)
			p.stores[t] = append(p.stores[t], bitStore{r.IntN(n), r.IntN(2*n) - n, 1 + r.IntN(3)})
		}
	}
	return p
}

// place is where a bit-field begins, and the piece of 8, 16 or 32 bits that a store to it reads and writes.
func (p bitFields) place(field int) (at int, field32, piece uint32) {
	for _, w := range p.widths[:field] {
		at += w
	}
	bits := 8
	for at/bits != (at+p.widths[field]-1)/bits {
		bits *= 2
	}
	piece = uint32(1<<bits-1) << (at / bits * bits)
	return at, uint32(1<<p.widths[field]-1) << at, piece
}

// A bitState is the word, and where each thread is: the next store, its step, what it has read.
type bitState struct {
	word        uint32
	at, step    [2]int
	value, read [2]uint32
}

// ends are the words that the program may end with: all interleavings of loads and stores of the machine.
func (p bitFields) ends() map[uint32]bool {
	ends := map[uint32]bool{}
	seen := map[bitState]bool{}
	for work := []bitState{{}}; len(work) > 0; {
		s := work[len(work)-1]
		if work = work[:len(work)-1]; seen[s] {
			continue
		}
		seen[s] = true
		done := true
		for t := range 2 {
			if s.at[t] < len(p.stores[t]) {
				done = false
				work = append(work, p.next(s, t))
			}
		}
		if done {
			ends[s.word] = true
		}
	}
	return ends
}

// next is the next load or store of a thread.
func (p bitFields) next(s bitState, t int) bitState {
	store := p.stores[t][s.at[t]]
	at, mask, piece := p.place(store.field)
	switch s.step[t] {
	case 0: // the value
		s.value[t] = uint32(store.value)
		if store.from >= 0 {
			from, bits, _ := p.place(store.from)
			s.value[t] = s.word & bits >> from
		}
		if store.from == store.field {
			s.value[t]++
		}
		s.step[t] = 1
	case 1: // the piece
		s.read[t], s.step[t] = s.word&piece, 2
	case 2:
		s.word = s.word&^piece | s.read[t]&^mask | s.value[t]<<at&mask
		s.at[t], s.step[t], s.value[t], s.read[t] = s.at[t]+1, 0, 0, 0
	}
	return s
}

// text is the program, which comes to an error where it ends with a word.
func (p bitFields) text(end uint32) string {
	var b strings.Builder
	b.WriteString("#include <pthread.h>\nextern void reach_error(void);\nstruct {")
	var is []string
	for i, w := range p.widths {
		fmt.Fprintf(&b, " unsigned f%d : %d;", i, w)
		at, mask, _ := p.place(i)
		is = append(is, fmt.Sprintf("s.f%d == %d", i, end&mask>>at))
	}
	b.WriteString(" } s;\nvoid *f(void *p) {")
	for _, s := range p.stores[0] {
		b.WriteString(" " + s.text())
	}
	b.WriteString(" return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0);")
	for _, s := range p.stores[1] {
		b.WriteString(" " + s.text())
	}
	fmt.Fprintf(&b, " pthread_join(t, 0); if (%s) reach_error(); return 0; }\n", strings.Join(is, " && "))
	return b.String()
}

// TestRandomBitFields compares with what words programs can end that store to bit-fields of one word from two
// threads with all interleavings of loads and stores of words: updates of neighbours are lost where they can
// be, and nowhere else.
func TestRandomBitFields(t *testing.T) {
	counts := map[threads.Answer]int{}
	for seed := range sample.Seeds(1, sample.Count(16)) {
		r := rand.New(rand.NewPCG(seed, 71))
		p := randomBitFields(r)
		ends := p.ends()
		all := make([]uint32, 0, len(ends))
		for word := range ends {
			all = append(all, word)
		}
		slices.Sort(all)
		end := all[r.IntN(len(all))]
		if r.IntN(2) == 0 { // one bit of another one
			field := r.IntN(len(p.widths))
			at, _, _ := p.place(field)
			end ^= 1 << at
		}
		want := threads.Safe
		if ends[end] {
			want = threads.Unsafe
		}
		text := p.text(end)
		out, err := threads.Run(context.Background(), automaton(t, text), threads.Options{Unwind: 1})
		require.NoError(t, err, text)
		require.Equal(t, want, out.Answer, "seed %d\n%s", seed, text)
		counts[out.Answer]++
	}
	t.Log(counts)
	if sample.Whole() {
		require.Positive(t, counts[threads.Safe])
		require.Positive(t, counts[threads.Unsafe])
	}
}
