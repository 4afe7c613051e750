package specs

import (
	"context"
	"fmt"
	"slices"
)

// What can be said about names once all sources are read: names defined
// twice are errors, names that nothing defines or nothing uses are warnings.

// declare enters the processes under their names and returns what is defined
// twice.
func (f *File) declare() []*Error {
	var errs []*Error
	seen := map[string]Pos{}
	twice := func(pos Pos, scope, what, name string) {
		first, ok := seen[scope+name]
		switch {
		case !ok:
			seen[scope+name] = pos
		case len(errs) <= maxErrors:
			errs = append(errs, f.errorAt(pos, "%s %s is defined twice, first at %v", what, name, first))
		}
	}
	for i, p := range f.order {
		twice(p.defs[0].pos, "", "the process", p.name())
		if _, ok := f.processes[p.name()]; !ok {
			f.processes[p.name()] = p
		}
		for _, d := range p.defs {
			twice(d.pos, fmt.Sprintf("process %d ", i), "in the process "+p.name()+" the state", d.name)
		}
	}
	for _, p := range f.Procedures {
		twice(p.Pos, "procedure ", "the procedure", p.Name)
		for _, a := range p.Abstracts {
			if a.Name != "" {
				twice(a.Pos, "procedure "+p.Name+" ", "the abstract", a.Name)
			}
		}
	}
	for _, r := range f.Rules {
		twice(r.Pos, "rule ", "the rule", r.Name)
	}
	for i, p := range f.Programs {
		for _, s := range p.Specs {
			twice(s.Pos, fmt.Sprintf("program %d ", i), "the specification", s.Name)
		}
	}
	return append(errs, f.declareLiveness()...)
}

// each calls visit for every name that p's definitions mention; from is the
// definition.
func (p *process) each(visit func(from *def, r ref)) {
	for _, d := range p.defs {
		var in func(b *body)
		in = func(b *body) {
			if b.kind == bodyName {
				visit(d, ref{b.name, b.pos})
			}
			for _, r := range b.operands {
				visit(d, r)
			}
			for i := range b.branches {
				in(&b.branches[i].to)
			}
		}
		in(&d.body)
	}
}

// eachUse calls visit for every name of an LTS in abstracts and
// specifications.
func (f *File) eachUse(visit func(r ref)) {
	for _, p := range f.Procedures {
		for _, a := range p.Abstracts {
			visit(ref{a.LTS, a.ltsPos})
		}
	}
	for _, p := range f.Programs {
		for _, s := range p.Specs {
			visit(ref{s.LTS, s.ltsPos})
		}
	}
}

// warn returns the warnings about f; some of them if ctx ends.
func (f *File) warn(ctx context.Context) []*Error {
	w := &warner{f: f, used: map[*process]bool{}}
	for _, p := range f.order {
		w.states(p)
	}
	f.eachUse(func(r ref) { w.global(nil, r) })
	for _, p := range f.order {
		if !w.used[p] && len(f.Procedures)+len(f.Programs) > 0 {
			w.add(p.defs[0].pos, "the process %s is used by nothing", p.name())
		}
	}
	for _, p := range f.Procedures {
		if ctx.Err() != nil {
			break
		}
		for _, a := range p.Abstracts {
			w.foreignReturns(a.LTS, []string{p.Name})
		}
		if len(p.Abstracts)+len(p.Predicates)+len(p.Demands) == 0 && !p.Skip && !p.Inline && !p.Framed {
			w.add(p.Pos, "nothing is said about the procedure %s", p.Name)
		} else if p.Relation != "" && len(p.Abstracts) == 0 {
			w.add(p.Pos, "relation %s is of no claim: there is no abstract about %s here", p.Relation, p.Name)
		}
	}
	for _, p := range f.Programs {
		for _, s := range p.Specs {
			w.foreignReturns(s.LTS, p.Components)
		}
		if len(p.Specs)+len(p.Demands) == 0 {
			w.add(p.Pos, NoSpecification)
		} else if p.Relation != "" && len(p.Specs) == 0 {
			w.add(p.Pos, "relation %s is of no claim: there is no specification here", p.Relation)
		}
	}
	w.liveness()
	return w.list
}

// NoSpecification is the warning about a program of which nothing is claimed.
const NoSpecification = "the program has no specification"

// maxWarnings is how many warnings a File has at most.
const maxWarnings = 100

type warner struct {
	f    *File
	used map[*process]bool
	list []*Error
}

func (w *warner) full() bool { return len(w.list) >= maxWarnings }

func (w *warner) add(pos Pos, format string, args ...any) {
	if !w.full() {
		w.list = append(w.list, w.f.errorAt(pos, format, args...))
	}
}

func (w *warner) foreignReturns(lts string, components []string) {
	if !w.full() {
		w.list = append(w.list, w.f.foreignReturns(lts, components, maxWarnings-len(w.list))...)
	}
}

// global notes the use of a name that is not local to from.
func (w *warner) global(from *process, r ref) {
	switch p := w.f.processes[r.name]; {
	case p == nil && w.full():
	case p == nil:
		w.list = append(w.list, w.f.undefined(from, r))
	case p != from:
		w.used[p] = true
	}
}

// states warns about p's names.
func (w *warner) states(p *process) {
	locals := map[string]bool{}
	for _, d := range p.defs {
		locals[d.name] = true
	}
	used := map[string]bool{p.name(): true}
	p.each(func(from *def, r ref) {
		if !locals[r.name] {
			w.global(p, r)
		} else if r.name != from.name {
			used[r.name] = true
		}
	})
	for _, d := range p.defs {
		if !used[d.name] {
			w.add(d.pos, "the state %s of the process %s is used by nothing", d.name, p.name())
		}
	}
}

// undefined is the error for a name that nothing defines, in the process from
// or elsewhere if that is nil.
func (f *File) undefined(from *process, r ref) *Error {
	hint := f.similar(from, r.name)
	if owner := f.ownerOf(r.name); hint == "" && owner != nil {
		hint = fmt.Sprintf(": a state of %s, unknown outside of it", owner.name())
	}
	if !r.pos.IsValid() {
		return &Error{Message: fmt.Sprintf("no process %s is defined%s", r.name, hint)}
	}
	return f.errorAt(r.pos, "no process %s is defined%s", r.name, hint)
}

// ownerOf is the first process that has a local state of that name, or nil.
func (f *File) ownerOf(name string) *process {
	if len(f.order) > maxSimilar {
		return nil
	}
	i := slices.IndexFunc(f.order, func(p *process) bool { return p.local(name) != nil })
	if i < 0 {
		return nil
	}
	return f.order[i]
}

// maxSimilar is how many names are compared for a hint.
const maxSimilar = 1000

// similar says which state of from or process a name was perhaps meant to be.
func (f *File) similar(from *process, name string) string {
	if len(f.order) > maxSimilar || from != nil && len(from.defs) > maxSimilar {
		return ""
	}
	known := []string{"STOP", "ERROR"}
	if from != nil {
		for _, d := range from.defs {
			known = append(known, d.name)
		}
	}
	for _, k := range f.LTSNames() {
		if !slices.Contains(known, k) {
			known = append(known, k)
		}
	}
	return token{kind: tokIdent, text: name}.misspelt(known...)
}
