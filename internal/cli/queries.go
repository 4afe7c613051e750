package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"magus/internal/input"
)

// queryFiles are the files of --dump-queries, one for each claim and component.
type queryFiles struct {
	world *World
	dir   string
	open  []*queryFile
}

// A queryFile keeps the first error of writing it.
type queryFile struct {
	name string
	file *os.File
	err  error
}

// Write implements io.Writer.
func (f *queryFile) Write(b []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.file.Write(b)
	f.err = err
	return n, err
}

// writer returns what [magus.Options] asks for about claim number i: it opens
// DIR/i-component.smt2. What cannot be opened is reported by close.
func (q *queryFiles) writer(i int) func(component string) io.Writer {
	if q.dir == "" {
		return nil
	}
	return func(component string) io.Writer {
		name := filepath.Join(q.dir, fmt.Sprintf("%d-%s.smt2", i+1, strings.ReplaceAll(component, string(filepath.Separator), "_")))
		file, err := os.Create(q.world.dir().Path(name))
		f := &queryFile{name, file, err}
		q.open = append(q.open, f)
		return f
	}
}

// close closes the files and reports the first error.
func (q *queryFiles) close() error {
	var first error
	for _, f := range q.open {
		err := f.err
		if f.file != nil {
			if closed := f.file.Close(); err == nil {
				err = closed
			}
		}
		switch {
		case err == nil || first != nil:
		case os.IsNotExist(err):
			first = input.Errorf("%s: no such folder", f.name)
		default:
			first = input.Named(f.name, err)
		}
	}
	q.open = nil
	return first
}
