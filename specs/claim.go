package specs

import (
	"slices"
	"strings"
)

// Return actions belong to a component. In a claim about one component they
// need not say so; about several they must, and must name one of them.
// Otherwise the action never happens, and what the author wanted to observe
// goes unobserved. Cost: linear in the processes that the claim leads to.

// CheckClaimLTS returns nil if every return action that the process of that
// name mentions is one of the components'; otherwise the error names the first
// one, in the order of the text, that is not.
func (f *File) CheckClaimLTS(name string, components ...string) error {
	if wrong := f.foreignReturns(name, components, 1); len(wrong) > 0 {
		return wrong[0]
	}
	return nil
}

// foreignReturns are the places of return actions that are not the
// components', the first ones up to limit. Names that nothing defines are
// passed over.
func (f *File) foreignReturns(name string, components []string, limit int) []*Error {
	var wrong []*Error
	check := func(l label) {
		switch r := l.ret; {
		case len(wrong) >= limit, r == nil, r.Component == "" && len(components) == 1,
			slices.Contains(components, r.Component):
		case r.Component == "":
			wrong = append(wrong, f.errorAt(l.pos,
				"%s of which component? with several, write for example %s:%s", l.name, components[0], l.name))
		default:
			wrong = append(wrong, f.errorAt(l.pos, "%s never happens: the claim is about %s", l.name,
				strings.Join(components, ", ")))
		}
	}
	for _, p := range f.reached(name) {
		p.eachLabel(check)
		for _, o := range p.ops {
			if o.sign == '+' {
				for _, l := range o.labels {
					check(l)
				}
			}
		}
	}
	return wrong
}

// ReturnsIn are the return actions that the process of that name mentions, and those that it leads to, in the order of
// the text, each as often as it stands there.
func (f *File) ReturnsIn(name string) []ReturnAction {
	var all []ReturnAction
	note := func(l label) {
		if l.ret != nil {
			all = append(all, *l.ret)
		}
	}
	for _, p := range f.reached(name) {
		p.eachLabel(note)
		for _, o := range p.ops {
			for _, l := range o.labels {
				note(l)
			}
		}
	}
	return all
}

// Args are the arguments that the action speaks of, and the value: "$0", "$1".
func (r ReturnAction) Args() []string {
	if r.Void {
		return nil
	}
	return r.Cond.Args()
}

// reached are the processes that the one of that name leads to, itself
// included, breadth first.
func (f *File) reached(name string) []*process {
	var all []*process
	seen := map[string]bool{}
	visit := func(name string) {
		if p := f.processes[name]; p != nil && !seen[name] {
			seen[name] = true
			all = append(all, p)
		}
	}
	visit(name)
	for i := 0; i < len(all); i++ {
		p := all[i]
		p.each(func(_ *def, r ref) {
			if p.local(r.name) == nil {
				visit(r.name)
			}
		})
	}
	return all
}

// eachLabel calls visit for every action of p's branches, in the order of the
// text.
func (p *process) eachLabel(visit func(l label)) {
	var in func(b *body)
	in = func(b *body) {
		for i := range b.branches {
			for _, s := range b.branches[i].steps {
				for _, l := range s.labels {
					visit(l)
				}
			}
			in(&b.branches[i].to)
		}
	}
	for _, d := range p.defs {
		in(&d.body)
	}
}
