package specs

import (
	"context"
	"slices"
)

// What names stand for, and what may stand at a place: for editors.
//
// Idea: the parser notes each name as it takes it, so that a text with errors has
// the names that were read before and behind them. What may stand at a place is what the
// parser asks for when it comes to a name that stands there alone, at the end of the text.
//
// Cost: that of parsing.

// A MentionKind is what a name stands for.
type MentionKind uint8

// What names stand for.
const (
	MentionProcess       MentionKind = iota // an LTS
	MentionState                            // a local definition of a process
	MentionAction                           // without return actions
	MentionProcedure                        // of C: described, or a component
	MentionClaim                            // the name of an abstract or a specification
	MentionVariable                         // of C, in an expression
	MentionArgument                         // $1, or $0 in a return action
	MentionStatement                        // a word such as abstract
	MentionSpecification                    // the word specification
	MentionProgress                         // a progress property
	MentionFluent                           // where it is defined; in formulas it looks as an action does
	MentionAssertion                        // a formula that has a name
)

// A Mention is a place where a specification names something.
type Mention struct {
	Kind    MentionKind
	Name    string
	Pos     Pos
	End     Pos  // behind its last character
	Defines bool // the name gets its meaning here
	// Within is the process of a state or an action, the procedure that an expression is about, and
	// of what stands in a formula assert and its name.
	Within string
}

// Mentions are the names in a source in the order of the text, those that are followed by
// errors among them. Files that are imported are not read.
func Mentions(s Source) []Mention {
	p := newParser(context.Background(), s, nil, newFile())
	p.notes = &notes{}
	p.parseFile()
	return p.notes.resolve()
}

// A Slot is what may stand at a place.
type Slot struct {
	// Kinds are what a name there may stand for; none where there is no name.
	Kinds []MentionKind
	// Within is the procedure that an expression is about, or the process.
	Within string
	// Top says that items of the file begin there: a process, a procedure, a program.
	Top bool
	// Returned says that an expression is about the returned value.
	Returned bool
}

// cursor is a name that stands at the place that a slot is asked for.
const cursor = "_cursor"

// SlotAt is what may stand behind the first offset bytes of a text, of which a name that
// ends there has been typed already.
func SlotAt(text string, offset int) Slot {
	p := newParser(context.Background(), Source{Text: []byte(text[:min(max(0, offset), len(text))] + cursor)},
		nil, newFile())
	last := len(p.tokens) - 2
	if last < 0 || p.tokens[last].kind != tokIdent || p.tokens[last].offset+len(p.tokens[last].text) != len(p.src.text) {
		return Slot{} // in a comment, a string or a number
	}
	p.notes = &notes{asked: true, cursor: last}
	p.parseFile()
	return p.notes.slot
}

// notes are what a parser keeps of names.
type notes struct {
	all       []Mention
	processes int // begun so far
	scopes    []int
	within    string
	returned  bool
	asked     bool // for what may stand
	cursor    int  // at this token
	slot      Slot
}

// note keeps that the next token is a name.
func (p *reader) note(kind MentionKind, defines bool) {
	if p.notes == nil {
		return
	}
	p.mayStand(kind)
	t := p.tok()
	p.notes.keep(Mention{Kind: kind, Name: t.text, Pos: p.pos(), End: p.src.pos(t.offset + len(t.text)),
		Defines: defines, Within: p.notes.within})
}

// noteFrom keeps that a name of several tokens has just been read, which begins at pos.
func (p *reader) noteFrom(pos Pos, kind MentionKind, name string) {
	if p.notes == nil {
		return
	}
	last := p.tokens[p.at-1]
	p.notes.keep(Mention{Kind: kind, Name: name, Pos: pos, End: p.src.pos(last.offset + len(last.text)),
		Within: p.notes.within})
}

func (n *notes) keep(m Mention) {
	n.all, n.scopes = append(n.all, m), append(n.scopes, n.processes)
}

// mayStand keeps, if the next token is the one a slot is asked for, that a name of the
// kinds may stand here.
func (p *reader) mayStand(kinds ...MentionKind) {
	if !p.atCursor() {
		return
	}
	s := &p.notes.slot
	s.Within, s.Returned = p.notes.within, p.notes.returned
	for _, k := range kinds {
		if !slices.Contains(s.Kinds, k) {
			s.Kinds = append(s.Kinds, k)
		}
	}
}

// scope says what names are within from now on.
func (p *reader) scope(within string) {
	if p.notes != nil {
		p.notes.within = within
	}
}

// beginProcess says that another process begins.
func (p *reader) beginProcess() {
	if p.notes != nil {
		p.notes.processes++
	}
}

// noteDefinition keeps that the next token is the name of a process, or of one of its states.
func (p *reader) noteDefinition(first bool) {
	if p.notes == nil {
		return
	}
	if !first {
		p.note(MentionState, true)
		return
	}
	p.note(MentionProcess, true)
	if p.atCursor() {
		p.notes.slot.Top = true
	}
	p.scope(p.tok().text)
}

// aboutReturned says whether expressions are about the returned value from now on.
func (p *reader) aboutReturned(yes bool) {
	if p.notes != nil {
		p.notes.returned = yes
	}
}

// atCursor reports whether the next token is the one that a slot is asked for.
func (p *reader) atCursor() bool { return p.notes != nil && p.notes.asked && p.at == p.notes.cursor }

// resolve tells the states of a process from other processes.
func (n *notes) resolve() []Mention {
	type key struct {
		scope int
		name  string
	}
	states := map[key]string{}
	for i, m := range n.all {
		if m.Defines && m.Kind == MentionState {
			states[key{n.scopes[i], m.Name}] = m.Within
		}
	}
	for i := range n.all {
		m := &n.all[i]
		process, isState := states[key{n.scopes[i], m.Name}]
		switch {
		case m.Kind == MentionProcess && !m.Defines && isState && m.Name != process:
			m.Kind, m.Within = MentionState, process
		case m.Kind == MentionProcess:
			m.Within = ""
		}
	}
	return n.all
}
