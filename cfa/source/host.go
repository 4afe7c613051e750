package source

// Where standard headers come from.

import (
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/internal/pattern"
)

// Headers says which standard headers are read.
type Headers int

// The headers that come with magus; these, but where a file includes one that is
// not among them and the machine has it, the machine's for all of the program; the
// machine's wherever it has them. The two are never mixed by choice, neither in one
// file nor, as far as each file can be read so, in a program: each has types of its own.
const (
	BuiltinHeaders Headers = iota
	AutoHeaders
	HostHeaders
)

// HostDirs are where machines keep the headers of their C library.
func HostDirs() []string {
	return []string{"/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include/i386-linux-gnu", "/usr/include"}
}

// readAny reads one source, with the machine's headers if it needs them.
func readAny(ctx context.Context, s Source, opt Options) (*File, error) {
	f, err := read(ctx, s, opt)
	if err == nil || opt.Headers != AutoHeaders || s.Preprocessed {
		return f, err
	}
	name := missingHeader(err)
	if name == "" || !opt.onHost(name) {
		return nil, err
	}
	opt.Headers = HostHeaders
	if f, err = read(ctx, s, opt); err != nil {
		return nil, err
	}
	f.HostHeader = name
	return f, nil
}

// alike reads files again that were read with headers that come with magus, where another file needs those of
// the machine: what both declare has one type then. A file that cannot be read so stays as it is.
func (p *Program) alike(ctx context.Context, sources []Source, opt Options) error {
	i := slices.IndexFunc(p.Files, func(f *File) bool { return f.HostHeader != "" })
	if i < 0 {
		return nil
	}
	needs := p.Files[i]
	opt.Headers = HostHeaders
	for k, f := range p.Files {
		if f.HostHeader != "" || !f.own || sources[k].Preprocessed {
			continue
		}
		again, err := read(ctx, sources[k], opt)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			again.HostHeader, again.HostWith = needs.HostHeader, needs.Name
			p.Files[k] = again
		}
	}
	return nil
}

// reMissing is the message for a header that is not found.
var reMissing = pattern.New(`^include file not found: [<"]([^>"]+)[>"]`)

// missingHeader is the first header that a unit could not be read without, or "".
func missingHeader(err error) string {
	var list cfa.Errors
	if errors.As(err, &list) {
		for _, e := range list {
			if m := reMissing().FindStringSubmatch(e.Msg); m != nil {
				return m[1]
			}
		}
	}
	return ""
}

// onHost reports whether the machine has a header.
func (opt *Options) onHost(name string) bool {
	if opt.ReadFile == nil {
		return false
	}
	for _, dir := range slices.Concat(opt.HostDirs, opt.CompilerDirs) {
		if _, err := opt.ReadFile(dir + "/" + name); err == nil {
			return true
		}
	}
	return false
}
