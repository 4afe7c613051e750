package job

// Which roots have to be checked since a revision.
//
// Idea: the project is read once more as it was, and a root is passed over if all that it may depend on is the same
// (cfa/source, slice.go), the rule too, and it was a root then. One that another root leads to may have been looked at
// with that only, and is passed over if those that led to it are unchanged; where one is checked, so are those that
// lead to it, so that it is checked alone only where a whole check does that.
//
// What cannot be known is taken for changed: if a file that is read, or looked for, is not known as it was, all roots
// are checked, and so they are if the project as it was cannot be read.
//
// Cost: reading the project once more, and the names that roots lead to.

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"

	"magus"
	"magus/app/input"
	"magus/specs"
)

// A Past gives the texts of files as they were, by absolute paths; there is false where there was none, known where
// that cannot be known.
type Past func(path string) (text []byte, there, known bool, err error)

// ChangedSince leaves of the rules' roots those that may have changed. It is called before [Rules.Part] and
// [Rules.All]. seen are the paths of all files that were read. It says why all are left, if something is not known,
// and how many are passed over by question.
func (r *Rules) ChangedSince(ctx context.Context, past Past, seen []string) (passed []int, why string, err error) {
	passed = make([]int, len(r.Questions))
	if len(r.Questions) == 0 {
		return passed, "", nil
	}
	p := &pastProject{Rules: r, past: past}
	old, err := p.read(ctx, seen)
	if err != nil || p.why != "" {
		return passed, p.why, err
	}
	before, err := old.RuleQuestions(r.run.options.Rules, r.run.options.Wrappers, r.run.options.InlineSize)
	if err != nil {
		return passed, "the project as it was cannot be asked: " + err.Error(), nil
	}
	for i := range r.Questions {
		q := &r.Questions[i]
		now, then := sliced(r.project, *q), map[string]slicedRoot{}
		if k := slices.IndexFunc(before, func(b magus.RuleQuestion) bool { return sameRule(*q, b) }); k >= 0 {
			then = sliced(old, before[k])
		}
		over := passedOver(now, then)
		isOver := func(entry string) bool { return over[entry] }
		q.Roots = slices.DeleteFunc(slices.Clone(q.Roots), isOver)
		q.Callbacks = slices.DeleteFunc(slices.Clone(q.Callbacks), isOver)
		passed[i] = len(over)
	}
	return passed, "", nil
}

// sameRule reports whether two questions are about the same rule.
func sameRule(a, b magus.RuleQuestion) bool {
	if a.Rule.Name != b.Rule.Name {
		return false
	}
	x, errX := dataDigest(nil, []*specs.Rule{a.Rule, a.Besides})
	y, errY := dataDigest(nil, []*specs.Rule{b.Rule, b.Besides})
	return errX == nil && errY == nil && x == y
}

// A slicedRoot is a root or callback with the digest of what it may depend on, and the procedures that it may lead to.
type slicedRoot struct {
	slice   string
	reached []string
}

func sliced(p RuleProject, q magus.RuleQuestion) map[string]slicedRoot {
	all := map[string]slicedRoot{}
	for _, entry := range slices.Concat(q.Roots, q.Callbacks) {
		slice, reached := p.RuleSlice(q, entry)
		all[entry] = slicedRoot{slice, reached}
	}
	return all
}

// passedOver are the roots that need not be checked, of those that there are now and were then.
func passedOver(now, then map[string]slicedRoot) map[string]bool {
	over := map[string]bool{}
	same := func(entry string) bool {
		was, ok := then[entry]
		return ok && was.slice == now[entry].slice
	}
	for entry := range now {
		if over[entry] = same(entry); !over[entry] {
			delete(over, entry)
		}
	}
	for entry := range over { // what led to it then is unchanged
		for by, was := range then {
			if _, still := now[by]; by != entry && slices.Contains(was.reached, entry) && !(still && same(by)) {
				delete(over, entry)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for entry := range over { // nothing that it leads to is checked alone
			for _, to := range now[entry].reached {
				if _, isRoot := now[to]; isRoot && !over[to] {
					delete(over, entry)
					changed = true
				}
			}
		}
	}
	return over
}

// A pastProject reads a project as it was.
type pastProject struct {
	*Rules
	past Past
	why  string // something is not known
}

// doubt notes why something is not known.
func (p *pastProject) doubt(format string, args ...any) {
	if p.why == "" {
		p.why = fmt.Sprintf(format, args...)
	}
}

// text is the text that a path led to, nil if there was none or it is not known.
func (p *pastProject) text(path string) ([]byte, error) {
	text, there, known, err := p.past(path)
	if err != nil {
		return nil, err
	}
	if !known {
		p.doubt("%s cannot be known as it was", p.run.host.Dir.Short(path))
	}
	if !known || !there {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), nil
}

// read reads the project as it was, if all is known.
func (p *pastProject) read(ctx context.Context, seen []string) (RuleProject, error) {
	dir := p.run.host.Dir
	isC := map[string]bool{}
	for _, t := range p.Question().Read() {
		isC[dir.Absolute(t.Path)] = input.KindOf(t.Path) == input.C || input.KindOf(t.Path) == input.Other
	}
	for _, m := range p.Question().Missed() {
		_, _, known, err := p.past(dir.Absolute(m.Path))
		if err != nil {
			return nil, err
		}
		if !known {
			p.doubt("%s, which is looked for, cannot be known as it was", m.Path)
		}
	}
	for _, path := range seen {
		text, err := p.text(path)
		if now, readErr := input.ReadFile(path); p.why == "" && !isC[path] && (err != nil || readErr != nil ||
			!bytes.Equal(text, bytes.TrimPrefix(now, []byte("\ufeff")))) {
			p.doubt("%s is another one", dir.Short(path))
		}
	}
	if p.why != "" {
		return nil, nil
	}
	in := p.input
	in.C = nil
	for _, s := range p.input.C {
		text, err := p.text(dir.Absolute(s.Name))
		if err == nil { // else it was not there
			s.Text = text
			in.C = append(in.C, s)
		}
	}
	in.ReadFile = func(name string) ([]byte, error) { return p.text(dir.Absolute(name)) }
	in.Options.ReadFile = in.ReadFile
	old, err := p.run.host.Engine.Load(ctx, in)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case p.why != "":
		return nil, nil
	case err != nil:
		p.doubt("the project as it was cannot be read: %v", err)
		return nil, nil
	}
	return old.(RuleProject), nil
}
