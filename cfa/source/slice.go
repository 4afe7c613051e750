package source

// What of a program a check of one procedure may depend on, as a digest.
//
// Idea: a check of a procedure looks at the bodies that it leads to by names, and, where one of them may call what it
// does not name, at those whose address is taken. Of all other bodies it depends on what they make known of what they
// name: which variables they store to, or take the address of, and which functions they use as values, as what types.
// All this is small, and is the same after most changes of a body. What stands outside of bodies counts as a whole;
// with the places where it stands, for the units of which a body is looked at, and for variables that are named, or
// that a pointer may lead to. So equal digests mean equal checks, down to the places that are told.
//
// SOUNDNESS: what else of a body lowering asks about procedures that it does not lower has to be added here. [Program]
// has all of that in fields, and in the methods Stored, SetsPointers and Nameable.
//
// Source: M. D. Weiser, Program Slicing (ICSE 1981), by names alone.
//
// Deviation: a body that declares what is seen outside of it, or has attributes or assembly, is of the outside.
//
// Cost: one pass over the syntax, and for each procedure the names of the bodies that it leads to.

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"slices"

	"modernc.org/cc/v4"

	"magus/cfa"
)

// Slices are the digests of a program's procedures.
type Slices struct {
	program   *Program
	callsBack func(name string) bool
	outside   []byte                // digest of what counts for all
	blocks    map[*Procedure]*block // those of bodies; some are of the outside
	leads     map[*Procedure]lead
	taken     []*Procedure // whose address is, or that run by themselves
	objects   map[string][]*Object
	units     map[*File][]byte
}

// A lead is what the names of a body mean.
type lead struct {
	procedures []*Procedure
	objects    []*Object
	open       bool // it may call what it does not name
}

// NewSlices prepares the digests of a program. callsBack reports whether a function without a body may call others by
// pointers that it finds.
func (p *Program) NewSlices(callsBack func(name string) bool) *Slices {
	p.Lock()
	defer p.Unlock()
	s := &Slices{program: p, callsBack: callsBack, blocks: map[*Procedure]*block{}, leads: map[*Procedure]lead{},
		objects: map[string][]*Object{}, units: map[*File][]byte{}}
	h := sha256.New()
	for _, f := range p.Files {
		if f == p.library {
			continue
		}
		blocks := s.match(f)
		fmt.Fprintf(h, "%q %q %q %v %v %v %v %x\n", f.Name, f.HostHeader, f.HostWith, f.Asm, f.acts, f.own,
			f.Refused, f.parts.plain)
		placed := sha256.New()
		fmt.Fprintf(placed, "%x\n", f.parts.placed)
		for i := range f.parts.blocks {
			if b := &f.parts.blocks[i]; !blocks[b] {
				fmt.Fprintf(h, "%x\n", b.plain)
				fmt.Fprintf(placed, "%x\n", b.placed)
			}
		}
		writeMacros(placed, f)
		s.units[f] = placed.Sum(nil)
	}
	s.known(h)
	s.outside = h.Sum(nil)
	return s
}

// match finds the bodies of a unit among its blocks, and returns those blocks that are not of the outside.
func (s *Slices) match(f *File) map[*block]bool {
	at := map[cfa.Pos]*block{}
	for i := range f.parts.blocks {
		b := &f.parts.blocks[i]
		if _, twice := at[b.at]; twice {
			at[b.at] = nil
		} else {
			at[b.at] = b
		}
	}
	matched := map[*block]bool{}
	for _, pr := range s.program.procs {
		if pr.File != f {
			continue
		}
		if b := at[Position(pr.Def.CompoundStatement.Position())]; b != nil {
			s.blocks[pr] = b
			matched[b] = !b.declares
		}
	}
	return matched
}

// known writes what bodies make known of what they name.
func (s *Slices) known(out io.Writer) {
	p := s.program
	sets := p.SetsPointers()
	for _, o := range p.globals {
		if o.Library {
			continue
		}
		s.objects[o.Name] = append(s.objects[o.Name], o)
		fmt.Fprintf(out, "object %q %v %v %v %v %v %v\n", o.Name, o.Stores > 0, o.Reads > 0, o.Addressed,
			o.Asm, o.AddressedAtStart, sets[o])
		if o.Addressed || o.AddressedAtStart || o.Type.Kind() == cc.Array {
			fmt.Fprintf(out, "at %v\n", o.Pos)
		}
	}
	p.findAllValued()
	for _, pr := range p.procs {
		v := p.valued[pr]
		if v == nil && pr.runs == nil {
			continue
		}
		s.taken = append(s.taken, pr)
		if v != nil {
			fmt.Fprintf(out, "value %q %q %v\n", pr.File.Name, pr.Name, v.untyped)
			for _, t := range v.types {
				fmt.Fprintf(out, "as %v\n", t)
			}
		}
	}
	for _, name := range sortedKeys(p.models) {
		fmt.Fprintf(out, "model %q\n", name)
	}
	for _, name := range sortedKeys(p.strangers) {
		fmt.Fprintf(out, "stranger %q %q\n", name, p.strangers[name])
	}
}

// writeMacros writes the definitions at the end of a unit, by which values have names.
func writeMacros(out io.Writer, f *File) {
	for _, name := range sortedKeys(f.macros) {
		m := f.macros[name]
		fmt.Fprintf(out, "%q %v %v %v %q\n", name, m.Pos, m.Function, m.Builtin, m.Body)
	}
}

// Of is the digest of a procedure, with what else is to be in it, and the unique names of the procedures that it may
// lead to, its own among them.
func (s *Slices) Of(entry string, more func(reached []string) string) string {
	s.program.Lock()
	defer s.program.Unlock()
	h := sha256.New()
	h.Write(s.outside)
	reached, objects := s.reached(s.program.Procedure(entry))
	var units []*File
	var names []string
	for _, pr := range reached {
		if !slices.Contains(units, pr.File) {
			units = append(units, pr.File)
		}
		names = append(names, s.program.UniqueName(pr))
	}
	for _, f := range s.program.Files {
		if slices.Contains(units, f) {
			fmt.Fprintf(h, "unit %q %x\n", f.Name, s.units[f])
		}
	}
	for _, pr := range reached {
		fmt.Fprintf(h, "body %q %v", pr.Name, pr.Pos)
		if b := s.blocks[pr]; b != nil {
			h.Write(b.placed[:])
		}
	}
	s.places(h, objects)
	io.WriteString(h, more(names))
	return fmt.Sprintf("%x", h.Sum(nil))
}

// places writes where variables are that are named.
func (s *Slices) places(h hash.Hash, objects map[*Object]bool) {
	for _, o := range s.program.globals {
		if objects[o] {
			fmt.Fprintf(h, "%q at %v\n", o.Name, o.Pos)
		}
	}
}

// reached are the procedures that one may lead to, in the order of the text, with it, and the variables that they name.
func (s *Slices) reached(entry *Procedure) (all []*Procedure, objects map[*Object]bool) {
	seen, objects := map[*Procedure]bool{}, map[*Object]bool{}
	open := false
	var todo []*Procedure
	add := func(procedures []*Procedure) {
		for _, pr := range procedures {
			if pr != nil && !seen[pr] {
				seen[pr] = true
				todo = append(todo, pr)
			}
		}
	}
	add([]*Procedure{entry})
	add(s.running())
	for len(todo) > 0 {
		pr := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		l := s.leadOf(pr)
		add(l.procedures)
		for _, o := range l.objects {
			objects[o] = true
		}
		if l.open && !open {
			open = true
			add(s.taken)
		}
	}
	for _, pr := range s.program.procs {
		if seen[pr] {
			all = append(all, pr)
		}
	}
	return all, objects
}

// running are the procedures that run before main or at its end.
func (s *Slices) running() (all []*Procedure) {
	for _, pr := range s.taken {
		if pr.runs != nil {
			all = append(all, pr)
		}
	}
	return all
}

// leadOf is what the names of a body mean; anything, where its names are not known.
func (s *Slices) leadOf(pr *Procedure) lead {
	if l, ok := s.leads[pr]; ok {
		return l
	}
	l := lead{open: s.isOpen(pr)}
	if b := s.blocks[pr]; b != nil {
		for _, name := range b.names {
			if body := s.program.Body(pr.File, name); body != nil {
				l.procedures = append(l.procedures, body)
			}
			l.objects = append(l.objects, s.objects[name]...)
		}
	} else {
		l.procedures, l.objects = s.program.procs, s.program.globals
	}
	s.leads[pr] = l
	return l
}

// isOpen reports whether a body calls through pointers, or what may do that.
func (s *Slices) isOpen(pr *Procedure) bool {
	found := false
	Inspect(pr.Def, func(n any) bool {
		if x, ok := n.(*cc.PostfixExpression); ok && x.Case == cc.PostfixExpressionCall {
			callee := CalleeName(x)
			found = found || callee == "" || s.program.Body(pr.File, callee) == nil && s.callsBack(callee)
		}
		return !found
	})
	return found
}
