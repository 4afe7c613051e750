package outfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"magus/app/input"
)

// A Run knows what a run of the program reads and writes. Its methods may be called by several goroutines.
type Run struct {
	// Force says that outputs may replace what magus has not written; nil: they may not.
	Force func() bool
	// Forcing is how people say so.
	Forcing string

	all   *all
	outer *Run // whose inputs are inputs of this one, too; nil for none
	owner *Run // itself, or of a command the shell

	reads    map[string]bool // by path
	inputs   []target        // of reads, as far as they were looked at
	looked   map[string]bool
	declared []*output
}

// all is what the runs of a process share.
type all struct {
	mu      sync.Mutex
	outputs []*output
}

// A Name is an output as it was named.
type Name struct {
	Flag string // such as --sarif; "" for what a shell writes
	Text string // as messages show it
	Path string
	// Appends says that what is there stays, and something comes behind it.
	Appends bool
	// Whole is what will be written, if that is known: a file that has it already may stay.
	Whole []byte
}

// An output is one of a run.
type output struct {
	Name
	run     *Run
	at      target
	tried   bool // with success
	refused bool
	written bool
}

// New has neither read nor written anything.
func New() *Run {
	r := newRun(&all{}, nil)
	r.owner = r
	return r
}

func newRun(a *all, outer *Run) *Run {
	return &Run{Forcing: "--force", all: a, outer: outer, reads: map[string]bool{}, looked: map[string]bool{}}
}

// Shell is the run of a shell within this one. It may write a file again and again.
func (r *Run) Shell() *Run {
	s := newRun(r.all, r)
	s.owner, s.Force, s.Forcing = s, r.Force, r.Forcing
	return s
}

// Command is a run of one command of the shell whose run this is: it may write what the shell has written.
func (r *Run) Command() *Run {
	c := newRun(r.all, r)
	c.owner, c.Force, c.Forcing = r.owner, r.Force, r.Forcing
	return c
}

// Reads says that the run reads files.
func (r *Run) Reads(paths ...string) {
	r.all.mu.Lock()
	defer r.all.mu.Unlock()
	for _, path := range paths {
		r.reads[path] = true
	}
}

// Try says that the run will write outputs, and looks whether it can: before any work. An output without a name is
// none. What was tried before is looked at again. The error tells of all that cannot be written.
func (r *Run) Try(names ...Name) error {
	r.all.mu.Lock()
	defer r.all.mu.Unlock()
	for _, n := range names {
		if n.Path != "" {
			r.output(n)
		}
	}
	var wrong []error
	for _, o := range r.declared {
		if o.refused {
			continue
		}
		err := r.may(o)
		if err == nil && !o.tried {
			err = o.at.probe()
		}
		o.tried, o.refused = err == nil, err != nil
		wrong = append(wrong, named(o.Text, err))
	}
	return errors.Join(wrong...)
}

// Write writes an output. One that was refused, which was said, is passed over.
func (r *Run) Write(n Name, text func(io.Writer) error) error {
	r.all.mu.Lock()
	o := r.output(n)
	o.Appends = n.Appends
	if o.refused && o.Flag != "" {
		r.all.mu.Unlock()
		return nil
	}
	err := r.may(o)
	if errors.Is(err, errForeign) && o.at.has(n.Whole) {
		o.written = true
		r.all.mu.Unlock()
		return nil
	}
	r.all.mu.Unlock()
	if err != nil {
		return named(n.Text, err)
	}
	if err = o.at.write(text); err != nil && o.at.isOld() {
		return input.Errorf("%v; %s", named(n.Text, err), old)
	}
	r.all.mu.Lock()
	defer r.all.mu.Unlock()
	o.written = o.written || err == nil && !(n.Appends && o.at.info != nil)
	if at, wrong := follow(n.Path); err == nil && wrong == nil { // another file has its name now
		o.at = at
	}
	return named(n.Text, err)
}

// May looks whether a file may be written that the caller writes itself. It is an output from then on.
func (r *Run) May(n Name) error {
	r.all.mu.Lock()
	defer r.all.mu.Unlock()
	o := r.output(n)
	err := r.may(o)
	o.written = err == nil
	return named(n.Text, err)
}

// old is said of what is in the place of an output that was not written.
const old = "what is there is of an earlier run"

// Old tells of each output that could be written and was not, and is there nevertheless.
func (r *Run) Old() []string {
	r.all.mu.Lock()
	defer r.all.mu.Unlock()
	var said []string
	for _, o := range r.declared {
		if o.tried && !o.written && !o.Appends && o.at.isOld() {
			said = append(said, o.Text+": not written; "+old)
		}
	}
	return said
}

// output is the output of that name, new or known.
func (r *Run) output(n Name) *output {
	i := slices.IndexFunc(r.declared, func(o *output) bool { return o.Flag == n.Flag && o.Path == n.Path })
	if i >= 0 {
		return r.declared[i]
	}
	o := &output{Name: n, run: r}
	r.declared, r.all.outputs = append(r.declared, o), append(r.all.outputs, o)
	return o
}

// may is nil if an output may be written now, as far as what is there tells.
func (r *Run) may(o *output) (err error) {
	if _, own := Descriptor(o.Path); own {
		return nil
	}
	if o.at, err = follow(o.Path); err != nil {
		return err
	}
	if r.isRead(o.at) {
		return refusal("this run reads it")
	}
	switch info := o.at.info; {
	case info == nil:
	case info.Mode()&os.ModeCharDevice != 0:
		return nil
	case !info.Mode().IsRegular():
		return o.at.special()
	}
	if other := r.another(o); other != nil {
		if other.run == r {
			return refusal(fmt.Sprintf("%s and %s name one file", asked(other), asked(o)))
		}
		return refusal("another part of the run writes it")
	}
	return r.replaceable(o)
}

// asked is how an output was asked for.
func asked(o *output) string {
	if o.Flag == "" {
		return o.Text
	}
	return o.Flag
}

// replaceable is nil if what is in the place of an output may be replaced.
func (r *Run) replaceable(o *output) error {
	info := o.at.info
	switch {
	case info == nil:
		return nil
	case info.Mode().Perm()&0o222 == 0:
		return refusal("the file is read-only")
	case o.Appends, r.Force != nil && r.Force():
		return nil
	}
	own, err := isWritten(o.at.path)
	if err != nil || own || o.written && r.owner == r {
		return err
	}
	why := "magus has not written what is there"
	if input.KindOf(o.Text) != input.Other && o.Flag != "" {
		why += " (is the name of the output missing behind " + o.Flag + "?)"
	}
	return foreign{refusal(why + "; " + r.Forcing + " replaces it")}
}

// A foreign error says that what is there was written by somebody else.
type foreign struct{ error }

var errForeign = errors.New("foreign")

func (foreign) Is(other error) bool { return other == errForeign }

// isRead reports whether the run, or one that it is part of, reads a file.
func (r *Run) isRead(t target) bool {
	for ; r != nil; r = r.outer {
		for path := range r.reads {
			if r.looked[path] {
				continue
			}
			r.looked[path] = true
			if in, err := follow(path); err == nil {
				r.inputs = append(r.inputs, in)
			}
		}
		if slices.ContainsFunc(r.inputs, t.same) {
			return true
		}
	}
	return false
}

// another is an output in the same file that is not to be replaced by this one; nil if there is none.
func (r *Run) another(o *output) *output {
	for _, p := range r.all.outputs {
		if p.run == r && p.Flag == o.Flag && p.Flag == "" || p == o {
			continue
		}
		if (p.run == r || p.run.owner != r.owner) && (p.written || !p.refused) && p.at.path != "" && p.at.same(o.at) {
			return p
		}
	}
	return nil
}

// refusal is why an output is not written.
func refusal(why string) error { return errors.New("not written: " + why) }

// named is an error about a file, by its name.
func named(name string, err error) error {
	if os.IsNotExist(err) {
		return input.Errorf("%s: no such folder", name)
	}
	return input.Named(name, err)
}

// probe looks whether the target can be written, as far as that can be known without writing it.
func (t target) probe() error {
	if t.info != nil {
		if err := t.opens(); err != nil || !t.info.Mode().IsRegular() {
			return err
		}
	}
	if t.path == "" { // of an open file of the process
		return nil
	}
	return tryBeside(t.path)
}

// TryFolder looks whether files can be written in a folder.
func TryFolder(path string) error {
	switch info, err := os.Stat(path); {
	case os.IsNotExist(err):
		return errors.New("no such folder")
	case err != nil:
		return err
	case !info.IsDir():
		return syscall.ENOTDIR
	}
	return tryBeside(filepath.Join(path, "magus"))
}

// tryBeside looks whether there is room for a file beside a path.
func tryBeside(path string) error {
	file, err := temporary(path, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, block))
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}

// block is how much is written to see whether there is room at all.
const block = 4096

// temporary creates a file beside path that nobody else has, not even what was
// left behind by a process of the same number.
func temporary(path string, mode os.FileMode) (file *os.File, err error) {
	dir, base := filepath.Split(path)
	for n := range 100 {
		name := fmt.Sprintf("%s.%d-%d.tmp", base[:min(len(base), longest)], os.Getpid(), n)
		file, err = os.OpenFile(dir+name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !os.IsExist(err) {
			break
		}
	}
	return file, err
}

// longest is how much of a name is part of that of the temporary file: names are up to 255 bytes long.
const longest = 200
