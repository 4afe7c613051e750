package component

// Components that share variables: program tx, rx { shared queue; … }.
//
// Idea: they become a program with threads. A procedure that the sources do not have creates one thread for each
// component and waits for all; the claim is about that procedure. So each statement of one component is between any
// statements of the others, on one memory. What is checked is that nothing is shared that the block does not
// name: a variable of the program that two components access, one of them writing. An address may lead
// anywhere: what is reached by pointers alone need no name.
//
// Components that share variables do not wait for each other on actions, so none may have an action of
// another one. Nor may a component end the process, for the others would go on. Both are refused.
//
// Cost: linear in the automaton.

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/cfa/source/libc"
	"magus/internal/phrase"
	"magus/smt/expr"
	"magus/specs"
)

// entryOf is the procedure that begins the components of a block that share variables.
func entryOf(prog *specs.Program) string { return strings.Join(prog.Components, "_and_") + "_together" }

// Together is C text with the procedures that begin components which share variables, one for each block of that kind;
// none if there are no such blocks. The error is an *InputError.
func (s *Sources) Together() ([]source.Source, error) {
	var all []source.Source
	for _, prog := range s.Specs.Programs {
		if len(prog.Shared) == 0 {
			continue
		}
		if err := s.checkSharing(prog); err != nil {
			return nil, err
		}
		var declared, created, joined strings.Builder
		for i, name := range prog.Components {
			fmt.Fprintf(&declared, "%s %s(void); ",
				map[bool]string{true: "void", false: "int"}[source.IsVoid(s.Program.Procedure(name).Type.Result())], name)
			fmt.Fprintf(&created, "pthread_create(&t[%d], 0, (void *(*)(void *))(void *)%s, 0); ", i, name)
			fmt.Fprintf(&joined, "pthread_join(t[%d], 0); ", i)
		}
		text := fmt.Sprintf("#include <pthread.h>\n#line %d %q\n%svoid %s(void) { pthread_t t[%d]; %s%s}\n",
			prog.Pos.Line, prog.Pos.File,
			declared.String(), entryOf(prog), len(prog.Components), created.String(), joined.String())
		all = append(all, source.Source{Name: fmt.Sprintf("<components %d>.c", len(all)+1), Text: []byte(text)})
	}
	return all, nil
}

// checkSharing looks whether components can share variables, and whether there are these.
func (s *Sources) checkSharing(prog *specs.Program) error {
	for i, name := range prog.Components {
		pr := s.Program.Procedure(name)
		switch {
		case pr == nil || !s.Program.HasBody(name):
			return &InputError{cfa.Pos(prog.Pos), fmt.Sprintf("component %s has no body in the given C files%s", name,
				phrase.Misspelt(name, s.Program.Procedures()))}
		case len(source.Parameters(pr.Type)) > 0:
			return &InputError{cfa.Pos(prog.Pos),
				fmt.Sprintf("component %s has parameters: components that share variables have none", name)}
		case prog.Copies[i] != 1 || slices.Index(prog.Components, name) != i:
			return &InputError{cfa.Pos(prog.Pos),
				fmt.Sprintf("%s runs in copies: of components that share variables one copy runs", name)}
		}
	}
	for _, v := range prog.Shared {
		if !slices.ContainsFunc(s.Program.Files, func(f *source.File) bool { return f.Objects[v.Name] != nil }) {
			return &InputError{cfa.Pos(v.Pos), "the C files have no variable " + v.Name + " of a whole file"}
		}
	}
	if len(prog.Buffers) > 0 {
		return &InputError{cfa.Pos(prog.Buffers[0].Pos), "components that share variables exchange no messages: buffer " +
			prog.Buffers[0].Channel + " is for others"}
	}
	for _, spec := range prog.Specs {
		for _, g := range spec.Guards {
			if g != nil && g.String() != "1" {
				return &InputError{cfa.Pos(spec.Pos),
					"components that share variables have no conditions on initial states: write (1)"}
			}
		}
	}
	return nil
}

// begunTogether makes a claim about components that share variables one about the procedure that begins them.
func (c *Claim) begunTogether(prog *specs.Program) *Claim {
	if len(prog.Shared) > 0 {
		c.sharing, c.Procedures, c.Guards, c.Copies = prog, []string{entryOf(prog)}, []*specs.CExpr{nil}, nil
	}
	return c
}

// sharer looks at the threads of components that share variables.
type sharer struct {
	claim *Claim
	auto  *cfa.CFA
	of    []int // by thread: the component that it belongs to; -1 for the one that begins them
	at    []int32
}

// BegunTogether reports whether the claim is about components that share variables.
func (c *Claim) BegunTogether() bool { return c.sharing != nil }

// checkTogether refuses an automaton of components that share variables where they share more than is named, or where
// they are no threads of one program.
func (c *Claim) checkTogether(auto *cfa.CFA) (*cfa.CFA, error) {
	if len(auto.Threads) == 0 { // lowered for a question that is asked of one thread
		return nil, cfa.Unsupported(c.Pos, "components that share variables", "this question is not asked of threads")
	}
	s := &sharer{claim: c, auto: auto, at: auto.ThreadOf()}
	for t, thread := range auto.Threads {
		of := -1
		if t > 0 {
			of = slices.Index(c.sharing.Components, thread.Proc)
			if thread.Parent > 0 {
				of = s.of[thread.Parent]
			}
		}
		s.of = append(s.of, of)
	}
	for _, check := range []func() error{s.ends, s.actions, s.variables} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return s.named(), nil
}

// named is the automaton in which the threads of components have their names.
func (s *sharer) named() *cfa.CFA {
	out := *s.auto
	out.Threads = slices.Clone(out.Threads)
	for i := range out.Threads {
		if t := &out.Threads[i]; s.of[i] >= 0 && t.Parent == 0 {
			t.Name = t.Proc
		}
	}
	return &out
}

// each calls f for the locations of components.
func (s *sharer) each(f func(component int, l *cfa.Location)) {
	for l := range s.auto.Locs {
		if of := s.of[s.at[l]]; of >= 0 {
			f(of, &s.auto.Locs[l])
		}
	}
}

// ends refuses what ends the process.
func (s *sharer) ends() (err error) {
	s.each(func(of int, l *cfa.Location) {
		if h, ok := l.Stmt.(cfa.Halt); ok && h.Ends && err == nil {
			err = cfa.Unsupported(l.Pos, "a component that ends otherwise than by returning ("+h.Reason+
				"), and shares variables", "")
		}
	})
	return err
}

// actions refuses an action that several components have.
func (s *sharer) actions() (err error) {
	by := map[string]int{}
	s.each(func(of int, l *cfa.Location) {
		var name string
		switch stmt := l.Stmt.(type) {
		case cfa.Act:
			if name = stmt.Action; name == s.auto.Cut || name == s.auto.Skip || name == cfa.ThreadLimit ||
				name == cfa.ErrorAction {
				return
			}
		case cfa.Call:
			name = "what " + stmt.Callee + " does"
		default:
			return
		}
		other, met := by[name]
		if by[name] = of; met && other != of && err == nil {
			err = cfa.Unsupported(l.Pos, fmt.Sprintf("%s of both %s and %s, which share variables", name,
				s.claim.sharing.Components[other],
				s.claim.sharing.Components[of]), "they do not wait for each other on actions")
		}
	})
	return err
}

// noVariable stands for memory without variables, of which it is not known who shares it.
const noVariable = ""

// A use says who accesses a variable.
type use struct {
	first   int
	place   cfa.Pos // of an access
	several bool
	written bool
}

// variables refuses variables that components share and the block does not name.
func (s *sharer) variables() (err error) {
	vars := map[*expr.Expr]*cfa.Var{}
	for i := range s.auto.Vars {
		vars[s.auto.Vars[i].Expr] = &s.auto.Vars[i]
	}
	uses := map[string]*use{}
	var names []string
	note := func(name string, of int, at cfa.Pos, writes bool) {
		u := uses[name]
		if u == nil {
			u = &use{first: of, place: at}
			uses[name], names = u, append(names, name)
		}
		if u.first != of && !u.several {
			u.several, u.place = true, at
		}
		u.written = u.written || writes
	}
	s.each(func(of int, l *cfa.Location) {
		for k, list := range s.accesses(l) {
			for _, v := range list {
				if x := vars[v]; x != nil && x.Kind == cfa.Global && !strings.HasPrefix(x.Pos.File, libc.Dir+"/") {
					note(rootOf(x), of, l.Pos, k == 1)
				}
			}
		}
		if a, ok := l.Stmt.(cfa.Assign); ok && a.Memory != nil {
			note(noVariable, of, l.Pos, a.Memory.Kind != cfa.Read)
		}
	})
	for _, name := range names {
		u := uses[name]
		if u.several && u.written && name == noVariable {
			return cfa.Unsupported(u.place, "memory without variables that several components access", "raise --array-limit")
		}
		if u.several && u.written && !slices.ContainsFunc(s.claim.sharing.Shared,
			func(v specs.Shared) bool { return v.Name == name }) {
			return &InputError{u.place,
				fmt.Sprintf("%s is shared: %s and another component access it, one of them writing, and "+
					"the program block does not say so (shared %s)", name, s.claim.sharing.Components[u.first], name)}
		}
	}
	return nil
}

// accesses are the variables that a location reads, and those that it writes.
func (s *sharer) accesses(l *cfa.Location) [2][]*expr.Expr {
	one := *s.auto
	one.Locs = []cfa.Location{*l}
	read, written := one.Accesses(0)
	return [2][]*expr.Expr{read, written}
}

// rootOf is the name of the variable of the program that a variable is a part of.
func rootOf(v *cfa.Var) string {
	name := v.Name
	if i := strings.IndexAny(name, ".[#"); i > 0 {
		name = name[:i]
	}
	if v.Proc != "" {
		name = v.Proc + "::" + name
	}
	return name
}
