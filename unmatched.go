package magus

// Names in specifications that nothing in the program answers to.
//
// Idea: a rule about a function that was misspelt is kept by every program. An event of which no name and no pattern
// is that of a declared function, or of a member that the program calls through or assigns to, is told, and so is a
// name that is nearly one of the program's. Of rules that come along nothing is told: they name more than a program
// has.
//
// Cost: linear in the program's text, and in its names for each pattern.

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/internal/phrase"
	"magus/specs"
)

// programNames are the names that specifications may speak of.
type programNames struct {
	functions []string
	called    []string // members, with their types
	assigned  []string
}

// unmatched are remarks on the names of the specifications that nothing in the program answers to.
func (p *Project) unmatched() (all []cfa.Warning) {
	f := p.sources.Specs
	hasMember := func(proc *specs.Procedure) bool { return strings.Contains(proc.Name, ".") }
	if len(f.Rules) == 0 && !slices.ContainsFunc(f.Procedures, hasMember) {
		return nil
	}
	names := p.names()
	for _, proc := range f.Procedures {
		if hasMember(proc) && !slices.Contains(names.called, proc.Name) {
			all = append(all, cfa.Warning{Pos: cfa.Pos(proc.Pos), Text: "the program calls nothing through a member " +
				proc.Name + phrase.Misspelt(proc.Name, names.called)})
		}
	}
	for _, r := range f.Rules {
		for _, e := range r.Events {
			switch e.Kind {
			case specs.CallEvent:
				all = append(all, names.without(fmt.Sprintf("the event %s of the rule %s", e.Name, r.Name), e.Pos, e.Callees)...)
			case specs.AssignEvent:
				if !slices.ContainsFunc(names.assigned, func(m string) bool { return specs.MatchesCallee(e.Callees, m) }) {
					all = append(all, cfa.Warning{Pos: cfa.Pos(e.Pos), Text: fmt.Sprintf("the event %s of the rule %s never happens: "+
						"the program assigns to no member %s%s", e.Name, r.Name, phrase.Or(e.Callees, 4),
						phrase.Misspelt(e.Callees[0], names.assigned))})
				}
			}
		}
		for _, described := range r.Functions {
			all = append(all, names.without("function in the rule "+r.Name, described.Pos, described.Callees)...)
		}
		if len(r.Never) > 0 {
			all = append(all, names.without("never in the rule "+r.Name, r.Pos, r.Never)...)
		}
	}
	return all
}

// without are remarks on names of callees that the program does not have: on all together, or on those that are nearly
// one.
func (n programNames) without(what string, pos specs.Pos, callees []string) (all []cfa.Warning) {
	var missing []string
	for _, c := range callees {
		if n.has(c) {
			continue
		}
		missing = append(missing, c)
		if hint := phrase.Misspelt(c, slices.Concat(n.functions, n.called)); hint != "" {
			all = append(all, cfa.Warning{Pos: cfa.Pos(pos), Text: fmt.Sprintf("%s names %s, which the program does not have%s",
				what, c, hint)})
		}
	}
	if len(all) > 0 || len(missing) < len(callees) {
		return all
	}
	return []cfa.Warning{{Pos: cfa.Pos(pos), Text: fmt.Sprintf("%s is about nothing that the program has: %s",
		what, phrase.Or(missing, 4))}}
}

// has reports whether a name or pattern is that of something that may be called.
func (n programNames) has(callee string) bool {
	among := n.functions
	if strings.Contains(callee, ".") {
		among = n.called
	}
	return callee == specs.AnyCallee || strings.HasPrefix(callee, "__builtin_") ||
		slices.ContainsFunc(among, func(name string) bool { return specs.MatchesCallee([]string{callee}, name) })
}

// names are those of the program.
func (p *Project) names() (n programNames) {
	for _, f := range p.sources.Program.Functions() {
		n.functions = append(n.functions, f.Name)
	}
	for _, u := range p.sources.Program.Uses() {
		if u.Called && strings.Contains(u.Name, ".") && !strings.Contains(u.Name, ":") {
			n.called = append(n.called, u.Name)
		}
	}
	for _, u := range p.sources.Program.AssignedMembers() {
		n.assigned = append(n.assigned, strings.TrimPrefix(u.Name, source.AssignedPrefix))
	}
	for _, names := range []*[]string{&n.called, &n.assigned} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	return n
}
