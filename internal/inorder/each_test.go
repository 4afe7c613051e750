package inorder_test

import (
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/inorder"
)

func TestEach(t *testing.T) {
	for _, c := range []struct{ n, workers int }{{0, 3}, {1, 3}, {2, 1}, {5, 0}, {7, 2}, {3, 8}, {100, 8}} {
		var told, want []int
		for i := range c.n {
			want = append(want, i*i)
		}
		inorder.Each(c.n, c.workers, func(i int) int { return i * i }, func(i, square int) {
			require.Equal(t, i*i, square)
			told = append(told, square)
		})
		require.Equal(t, want, told, "%v", c)
	}
}

// Two workers are two: the first number waits for the second.
func TestEachAtATime(t *testing.T) {
	var second sync.WaitGroup
	second.Add(1)
	n := 0
	inorder.Each(2, 2, func(i int) int {
		if i == 0 {
			second.Wait()
		} else {
			second.Done()
		}
		return i
	}, func(i, _ int) {
		require.Equal(t, n, i)
		n++
	})
	require.Equal(t, 2, n)
}

// One worker tells each result before it does the next.
func TestEachOfOneWorkerAlternates(t *testing.T) {
	var log []string
	work := func(i int) int { log = append(log, "work"); return i }
	inorder.Each(2, 1, work, func(int, int) { log = append(log, "tell") })
	require.Equal(t, []string{"work", "tell", "work", "tell"}, log)
}

// A panic of a worker comes to whoever called, when its turn is.
func TestEachPanics(t *testing.T) {
	var told []int
	defer func() {
		p, ok := recover().(*inorder.Panic)
		require.True(t, ok)
		require.Equal(t, "two", p.Value)
		require.Contains(t, p.String(), "each_test.go")
		require.Equal(t, []int{0, 1}, told)
	}()
	inorder.Each(4, 2, func(i int) int {
		if i == 2 {
			panic("two")
		}
		return i
	}, func(i, _ int) { told = append(told, i) })
}

// What is written in the turn of a writer goes through, what is written before it waits.
func TestWriters(t *testing.T) {
	var out strings.Builder
	w := inorder.NewWriters(&out)
	write := func(i int, text string) {
		_, err := io.WriteString(w.Writer(i), text)
		require.NoError(t, err)
	}
	write(0, "a")
	write(2, "e")
	write(1, "c")
	write(0, "b")
	require.Equal(t, "ab", out.String())
	require.NoError(t, w.Next())
	write(1, "d")
	require.Equal(t, "abcd", out.String())
	require.NoError(t, w.Next())
	require.Equal(t, "abcde", out.String())
	require.NoError(t, w.Next())
	write(3, "f")
	require.Equal(t, "abcdef", out.String())
}
