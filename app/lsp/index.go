package lsp

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/app/options"
	"magus/cfa/source"
	"magus/lts"
	"magus/specs"
)

// An index is all that is known of a group's texts. It is not changed once it is made.
type index struct {
	group       group
	specs       *specs.File // nil if there is a mistake in one of them
	project     job.Project // nil if there is a mistake
	occurrences []occurrence
	functions   map[string]source.Function
	claims      []*magus.Claim
	wrong       []finding // found by reading

	server  *server
	options *options.Options
	deep    sync.Once
	deeper  []finding // found by preparing the claims
}

// An entity is what several names stand for.
type entity struct {
	kind  entityKind
	name  string
	scope string // a variable's declaration, a state's file and process
}

type entityKind uint8

const (
	aProcess entityKind = iota
	aState
	anAction
	aProcedure
	aVariable
	anEnumerator
	aClaim
	aProgress
	aFluent
	anAssertion
)

// An occurrence is a place where something is named.
type occurrence struct {
	entity
	path     string
	from, to int  // offsets
	defines  bool // it is where people are led who ask for the definition
	within   string
	inC      bool
}

// indexes are those of the groups, each for the texts as they are.
type indexes struct {
	server *server
	mu     sync.Mutex
	made   map[string]*making
}

// A making is an index that is made or being made.
type making struct {
	group      group
	generation int
	cancel     context.CancelFunc
	done       chan struct{}
	index      *index
	before     *index // the last one of which the C could be read
}

func newIndexes(s *server) *indexes { return &indexes{server: s, made: map[string]*making{}} }

// of is the index of a group; an empty one if ctx ends before it is made.
func (x *indexes) of(ctx context.Context, g group) *index {
	m := x.making(g)
	select {
	case <-m.done:
		return m.index
	case <-ctx.Done():
		return &index{group: g, server: x.server}
	}
}

// named is the index of a group with the functions and variables of C from before if the
// C cannot be read as it is.
func (x *indexes) named(ctx context.Context, g group) (now, names *index) {
	now = x.of(ctx, g)
	m := x.making(g)
	if len(now.functions) == 0 && m.before != nil {
		return now, m.before
	}
	return now, now
}

// group is the group of that key, if it has been asked about.
func (x *indexes) group(key string) (group, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	m, ok := x.made[key]
	if !ok {
		return group{}, false
	}
	return m.group, true
}

// making begins to make the index of a group, if that has not begun for the texts as they
// are.
func (x *indexes) making(g group) *making {
	at := x.server.docs.now()
	x.mu.Lock()
	defer x.mu.Unlock()
	old := x.made[g.key()]
	if old != nil && old.generation == at {
		return old
	}
	ctx, cancel := context.WithCancel(x.server.ctx)
	m := &making{group: g, generation: at, cancel: cancel, done: make(chan struct{})}
	if old != nil {
		old.cancel()
		m.before = old.before
		select {
		case <-old.done:
			if len(old.index.functions) > 0 {
				m.before = old.index
			}
		default:
		}
	}
	x.made[g.key()] = m
	x.server.work.Go(func() {
		defer cancel()
		defer close(m.done)
		m.index = x.server.read(ctx, g)
	})
	return m
}

// read makes the index of a group.
func (s *server) read(ctx context.Context, g group) *index {
	x := &index{group: g, server: s, functions: map[string]source.Function{}}
	var err error
	if x.options, err = g.settings(s.settings.Host.Options()); err != nil {
		x.wrong = append(x.wrong, finding{path: g.said, severity: isError, message: err.Error()})
		return x
	}
	settings := x.options.Reading()
	settings.Overlay = s.docs.read
	p, err := input.Read("", settings, g.files)
	if err != nil {
		x.wrong = s.findingsOf(err, g.files[0])
		return x
	}
	for _, src := range p.Specs {
		x.mention(src)
	}
	if x.specs, err = specs.Parse(ctx, p.Specs, p.Options.ReadFile); err != nil && len(p.Specs) > 0 {
		x.wrong = append(x.wrong, s.findingsOf(err, g.files[0])...)
	}
	x.load(ctx, p)
	x.connect()
	return x
}

// load reads the C, and the claims if there is no mistake.
func (x *index) load(ctx context.Context, p *input.Program) {
	if len(p.C) == 0 {
		return
	}
	in := job.Input(p)
	broken := len(p.Specs) > 0 && x.specs == nil
	if broken {
		in.Specs = nil
	}
	project, err := x.server.settings.Host.Engine.Load(ctx, in)
	if err != nil {
		if ctx.Err() == nil {
			x.wrong = append(x.wrong, x.server.findingsOf(err, p.C[0].Name)...)
		}
		return
	}
	if c, ok := project.(interface {
		Mentions() []source.Mention
		Functions() []source.Function
	}); ok {
		for _, f := range c.Functions() {
			x.functions[f.Name] = f
		}
		x.mentionC(c.Mentions())
	}
	if broken {
		return
	}
	x.project = project
	for _, w := range project.Warnings() {
		x.wrong = append(x.wrong, x.server.remark(w.Pos, isWarning, w.Text, p.C[0].Name))
	}
	if claims, err := job.Claims(project, x.options); err == nil {
		x.claims = claims
	}
}

// mention keeps the names of a specification.
func (x *index) mention(src specs.Source) {
	t := x.server.docs.text(src.Name)
	if t == nil {
		return
	}
	kinds := map[specs.MentionKind]entityKind{specs.MentionProcess: aProcess, specs.MentionState: aState,
		specs.MentionAction:    anAction,
		specs.MentionProcedure: aProcedure, specs.MentionClaim: aClaim, specs.MentionVariable: aVariable,
		specs.MentionArgument: aVariable,
		specs.MentionProgress: aProgress, specs.MentionFluent: aFluent, specs.MentionAssertion: anAssertion}
	for _, m := range specs.Mentions(specs.Source{Name: src.Name, Text: []byte(t.s)}) {
		o := occurrence{entity: entity{kind: kinds[m.Kind], name: m.Name}, path: src.Name, defines: m.Defines,
			within: m.Within,
			from:   t.ofCharacters(m.Pos.Line, m.Pos.Col), to: t.ofCharacters(m.End.Line, m.End.Col)}
		switch o.kind {
		case aState:
			o.scope = src.Name + " " + m.Within
		case aClaim:
			o.scope = fmt.Sprint(src.Name, o.from)
		}
		x.occurrences = append(x.occurrences, o)
	}
}

// mentionC keeps the names of C.
func (x *index) mentionC(all []source.Mention) {
	kinds := map[source.MentionKind]entityKind{source.MentionFunction: aProcedure, source.MentionVariable: aVariable,
		source.MentionEnumerator: anEnumerator, source.MentionAction: anAction}
	texts := map[string]*text{}
	for _, m := range all {
		t, known := texts[m.Pos.File]
		if !known {
			t = x.server.docs.text(m.Pos.File)
			texts[m.Pos.File] = t
		}
		if t == nil {
			continue
		}
		from := t.ofBytes(m.Pos.Line, m.Pos.Col)
		o := occurrence{entity: entity{kind: kinds[m.Kind], name: m.Name}, path: m.Pos.File, from: from,
			to:      from + len(m.Name),
			defines: m.Defines, within: m.Within, inC: true}
		switch m.Kind {
		case source.MentionVariable:
			o.scope = m.Declared.String()
		case source.MentionAction:
			o.defines, o.from, o.to = true, from+1, from+1+len(m.Name) // behind the quotation mark
		}
		if o.to <= len(t.s) && t.s[o.from:o.to] == m.Name { // else a macro made it
			x.occurrences = append(x.occurrences, o)
		}
	}
}

// connect finds what names of specifications stand for in C, and which actions happen in
// procedures that are only described.
func (x *index) connect() {
	locals, globals, enumerators := map[[2]string]entity{}, map[string]entity{}, map[string]entity{}
	fluents := map[string]bool{}
	for _, o := range x.occurrences {
		switch {
		case o.kind == aFluent:
			fluents[o.name] = true
		case !o.inC || !o.defines:
		case o.kind == aVariable && o.within != "":
			if key := [2]string{o.within, o.name}; locals[key].name == "" {
				locals[key] = o.entity
			}
		case o.kind == aVariable:
			globals[o.name] = o.entity
		case o.kind == anEnumerator:
			enumerators[o.name] = o.entity
		}
	}
	described := x.described()
	for i := range x.occurrences {
		o := &x.occurrences[i]
		switch {
		case o.inC:
		case o.kind == anAction && inFormula(*o) && fluents[o.name]:
			o.kind = aFluent
		case o.kind == anAction:
			o.defines = described[o.within]
		case o.kind == aVariable:
			name := x.argument(o.within, o.name)
			for _, e := range []entity{locals[[2]string{o.within, name}], globals[name], enumerators[name]} {
				if e.name != "" {
					o.entity = e
					break
				}
			}
		}
	}
}

// inFormula reports whether a name stands in the formula of an assertion.
func inFormula(o occurrence) bool { return strings.HasPrefix(o.within, "assert ") }

// argument is the parameter that $1 stands for, say; other names stand for themselves.
func (x *index) argument(procedure, name string) string {
	var i int
	if _, err := fmt.Sscanf(name, "$%d", &i); err != nil {
		return name
	}
	if ps := x.functions[procedure].Params; i >= 1 && i <= len(ps) {
		return ps[i-1].Name
	}
	return name
}

// described are the processes that say what a procedure without a body does.
func (x *index) described() map[string]bool {
	all := map[string]bool{}
	if x.specs == nil {
		return all
	}
	for _, p := range x.specs.Procedures {
		if !x.functions[p.Name].Body.IsValid() {
			for _, a := range p.Abstracts {
				all[a.LTS] = true
			}
		}
	}
	return all
}

// lts is a process as a transition system, nil if that cannot be made.
func (x *index) lts(ctx context.Context, name string) *lts.LTS {
	if x.specs == nil {
		return nil
	}
	m, err := x.specs.LTS(ctx, name, lts.NewActions())
	if err != nil {
		return nil
	}
	return m
}

// at is the occurrence at a place of a file.
func (x *index) at(path string, offset int) (occurrence, bool) {
	for _, o := range x.occurrences {
		if o.path == path && o.from <= offset && offset <= o.to {
			return o, true
		}
	}
	return occurrence{}, false
}
