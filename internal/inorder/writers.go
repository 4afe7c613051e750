package inorder

import (
	"bytes"
	"io"
	"sync"
)

// Writers are numbered writers of one output, which gets what was written to the first, then what was written to the
// second, and so on: what is written to the one whose turn it is goes through, what is written to later ones waits.
// Several may write at a time.
type Writers struct {
	mu      sync.Mutex
	out     io.Writer
	turn    int
	waiting map[int]*bytes.Buffer
}

// NewWriters are writers of an output; the turn is that of number 0.
func NewWriters(out io.Writer) *Writers { return &Writers{out: out, waiting: map[int]*bytes.Buffer{}} }

// Writer is number i.
func (w *Writers) Writer(i int) io.Writer { return writer{w, i} }

// Next ends the turn of a writer, which must not be written to any more.
func (w *Writers) Next() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.turn++
	b := w.waiting[w.turn]
	if b == nil {
		return nil
	}
	delete(w.waiting, w.turn)
	_, err := w.out.Write(b.Bytes())
	return err
}

type writer struct {
	all    *Writers
	number int
}

// Write implements io.Writer. What waits gives no error.
func (w writer) Write(p []byte) (int, error) {
	w.all.mu.Lock()
	defer w.all.mu.Unlock()
	if w.number == w.all.turn {
		return w.all.out.Write(p)
	}
	b := w.all.waiting[w.number]
	if b == nil {
		b = &bytes.Buffer{}
		w.all.waiting[w.number] = b
	}
	return b.Write(p)
}
