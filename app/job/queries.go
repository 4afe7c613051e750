package job

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"magus/app/input"
)

// queryFiles are the files of what the decision procedure is asked, one for each
// claim and component.
type queryFiles struct {
	host Host
	dir  string // "": none
	mu   sync.Mutex
	open []*queryFile
}

// A queryFile keeps the first error of writing it.
type queryFile struct {
	name string
	file io.WriteCloser // nil if it could not be created
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
// DIR/i-component.smt2, and DIR/i-component-2.smt2 and so on where a component is
// made anew because recursion is followed deeper. What cannot be opened is reported
// by close.
func (q *queryFiles) writer(i int) func(component string) io.Writer {
	if q.dir == "" {
		return nil
	}
	made := map[string]int{}
	return func(component string) io.Writer {
		name := fmt.Sprintf("%d-%s", i+1, strings.ReplaceAll(component, string(filepath.Separator), "_"))
		if made[name]++; made[name] > 1 {
			name += fmt.Sprintf("-%d", made[name])
		}
		f := &queryFile{name: filepath.Join(q.dir, name+".smt2")}
		if f.file, f.err = q.host.Create(q.host.Dir.Path(f.name)); f.err != nil {
			f.file = nil
		}
		q.mu.Lock()
		defer q.mu.Unlock()
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
		case errors.Is(err, fs.ErrNotExist):
			first = input.Errorf("%s: no such folder", f.name)
		default:
			first = input.Named(f.name, err)
		}
	}
	q.open = nil
	return first
}
