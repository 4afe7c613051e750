package fsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/lts"
)

// Composite processes. What stands in one composition is a list of groups: a group is one process, or the
// processes of a composition that nothing is done to, which need not be composed before the others are. New
// names are given to each process by itself, but to a group as a whole if two of its actions get one name.
// Cost: that of lts.Compose, for the whole and for each composition that is hidden, minimised and so on.

type group []*lts.LTS

// Names are the processes of the file, in the order of the text.
func (f *File) Names() []string {
	names := make([]string, len(f.order))
	for i, d := range f.order {
		names[i] = d.name
	}
	return names
}

// Warnings is what was noticed so far, by reading and by building.
func (f *File) Warnings() []*Error { return f.warnings }

// LTS builds a process, given as NAME or as NAME(2, 'a), over the actions of a table. The error is an
// *[Error], a *[lts.LimitError], or that of the context.
func (f *File) LTS(ctx context.Context, name string, table *lts.Actions, lim lts.Limits) (m *lts.LTS, err error) {
	defer caught(&err)
	b := f.builder(ctx, table, lim)
	ref, src := parseReference(name)
	d := f.processes[ref.name]
	if d == nil {
		f.src.fail(0, "there is no process %s", ref.name)
	}
	if ref.args != nil { // what is wrong with them stands in the name, not in the file
		about := *f
		about.src = src
		about.builder(ctx, table, lim).arguments(d, ref, nil)
	}
	return lts.Reachable(lts.Restrict(b.instance(d, ref, nil), []lts.Action{b.tick})), nil
}

func (f *File) builder(ctx context.Context, table *lts.Actions, lim lts.Limits) *builder {
	return &builder{File: f, ctx: ctx, lim: lim, table: table, tick: table.Intern("END"),
		values: map[string]value{}, open: map[string]bool{},
		members: map[string][]string{}, built: map[string]*lts.LTS{}, warned: map[int]bool{}}
}

// parseReference reads NAME or NAME(…); errors are about this text.
func parseReference(text string) (procRef, *source) {
	p := &parser{File: &File{src: &source{"argument", text}}}
	p.tokens = scan(p.src)
	name := p.upper("the name of a process")
	ref := procRef{name: name.text, args: p.arguments()}
	if p.tok().kind != tokEOF {
		p.expected("nothing behind the process " + ref.name)
	}
	return ref, p.src
}

// arguments is what the parameters of a process are.
func (b *builder) arguments(d *definition, ref procRef, in *env) (inner *env, key string) {
	if ref.args != nil && len(ref.args) != len(d.params) {
		parameters := "parameters"
		if len(d.params) == 1 {
			parameters = "parameter"
		}
		b.src.fail(ref.at, "%s has %d %s, not %d", d.name, len(d.params), parameters, len(ref.args))
	}
	key = d.name
	for i, p := range d.params {
		var v value
		if ref.args != nil {
			v = b.eval(ref.args[i], in)
		} else {
			v = b.eval(p.value, inner)
		}
		inner = inner.bind(p.name, v)
		key += "," + v.String()
	}
	return inner, key
}

// instance builds a process with arguments as one LTS.
func (b *builder) instance(d *definition, ref procRef, in *env) *lts.LTS {
	inner, key := b.arguments(d, ref, in)
	if m := b.built[key]; m != nil {
		return m
	}
	var m *lts.LTS
	b.within("process", key, d.at, func() {
		if d.formula != nil {
			m = b.ofFormula(d)
		} else if d.body == nil {
			m = b.primitive(d, inner)
		} else {
			m = b.composition(d, inner)
		}
	})
	b.built[key] = m
	return m
}

// composition builds a composite process.
func (b *builder) composition(d *definition, in *env) *lts.LTS {
	m := b.compose(b.groups(d.body, in))
	if d.priority != nil {
		m = b.prioritised(m, d, in)
	}
	m = b.hide(m, d, in)
	if d.property {
		m = b.property(b.minimised(m, lts.WeakTraceEq), d)
	}
	return b.quotient(lts.Reachable(m), d)
}

// quotient is what minimal and deterministic say.
func (b *builder) quotient(m *lts.LTS, d *definition) *lts.LTS {
	switch {
	case d.deterministic && !d.property:
		return b.minimised(m, lts.WeakTraceEq)
	case d.minimal:
		return b.minimised(m, lts.WeakBisim)
	}
	return m
}

func (b *builder) minimised(m *lts.LTS, r lts.Relation) *lts.LTS {
	m, err := lts.Minimize(b.ctx, m, r, b.lim)
	if err != nil {
		panic(stopped{err})
	}
	return m
}

// compose is the parallel composition of all groups, with one ERROR state.
func (b *builder) compose(gs []group) *lts.LTS {
	var all []*lts.LTS
	for _, g := range gs {
		for _, m := range g {
			all = append(all, lts.Restrict(m, []lts.Action{b.tick}))
		}
	}
	if len(all) == 0 {
		return lts.NewBuilder(b.table).Build()
	}
	if len(all) > maxComposed {
		panic(stopped{&lts.LimitError{Reason: fmt.Sprintf("more than %d processes side by side", maxComposed)}})
	}
	m, err := lts.Compose(b.ctx, all, b.lim)
	if err != nil {
		panic(stopped{err})
	}
	return oneError(m, b.table)
}

// maxComposed bounds the processes of one composition.
const maxComposed = 4096

// oneError makes one state without transitions of all ERROR states.
func oneError(m *lts.LTS, table *lts.Actions) *lts.LTS {
	if !m.HasError() {
		return m
	}
	r := lts.NewBuilder(table)
	r.Alphabet(m.Alphabet()...)
	for s := range lts.State(m.NumStates()) {
		if !m.IsError(s) {
			r.AddState(m.StateName(s))
		} else {
			r.AddState("")
		}
	}
	wrong := r.AddState("ERROR")
	r.SetError(wrong)
	to := func(s lts.State) lts.State {
		if m.IsError(s) {
			return wrong
		}
		return s
	}
	r.SetInit(to(m.Init()))
	for s := range lts.State(m.NumStates()) {
		if m.IsError(s) {
			continue
		}
		for _, e := range m.Out(s) {
			r.AddEdge(s, e.Action, to(e.To))
		}
	}
	return lts.Reachable(r.Build())
}

// groups are the processes of a body.
func (b *builder) groups(c *composite, in *env) []group {
	b.step()
	switch c.kind {
	case compositeIf:
		if b.holds(c.cond, in) {
			return b.groups(c.then, in)
		}
		if c.otherwise == nil {
			return nil
		}
		return b.groups(c.otherwise, in)
	case compositeForall:
		var all []group
		b.expand(c.ranges, in, func(_ string, in *env) { all = append(all, b.groups(c.then, in)...) })
		return all
	}
	all := b.prefixed(c, in)
	if c.access != nil {
		var names []string
		b.expand(c.access, in, func(text string, _ *env) { names = append(names, text) })
		each(all, func(m *lts.LTS) *lts.LTS {
			return b.renamed(m, func(name string) []string { return under(names, name) })
		})
	}
	if c.relabels != nil {
		names := b.newNames(c.relabels, in)
		for i, g := range all {
			if len(g) > 1 && b.merges(g, names) {
				all[i] = group{b.compose([]group{g})}
			}
		}
		each(all, func(m *lts.LTS) *lts.LTS { return b.renamed(m, names.of) })
	}
	return all
}

// each changes all processes.
func each(all []group, change func(*lts.LTS) *lts.LTS) {
	for _, g := range all {
		for i := range g {
			g[i] = change(g[i])
		}
	}
}

func under(prefixes []string, name string) []string {
	all := make([]string, len(prefixes))
	for i, p := range prefixes {
		all[i] = p + "." + name
	}
	return all
}

// prefixed are the processes for each label before them.
func (b *builder) prefixed(c *composite, in *env) (all []group) {
	if c.prefix == nil {
		return b.unlabelled(c, in)
	}
	b.expand(c.prefix, in, func(text string, in *env) {
		some := b.unlabelled(c, in)
		each(some, func(m *lts.LTS) *lts.LTS {
			return b.renamed(m, func(name string) []string { return under([]string{text}, name) })
		})
		all = append(all, some...)
	})
	return all
}

func (b *builder) unlabelled(c *composite, in *env) (all []group) {
	if c.kind == compositeParallel {
		for _, part := range c.parts {
			all = append(all, b.groups(part, in)...)
		}
		return all
	}
	d := b.processes[c.ref.name]
	if d == nil {
		b.src.fail(c.ref.at, "there is no process %s", c.ref.name)
	}
	if d.body == nil || d.priority != nil || d.hidden != nil || d.property || d.minimal || d.deterministic || d.composed {
		return []group{{b.instance(d, c.ref, in)}}
	}
	inner, key := b.arguments(d, c.ref, in)
	var one group
	b.within("process", key, d.at, func() {
		for _, g := range b.groups(d.body, inner) {
			one = append(one, g...)
		}
	})
	return []group{one}
}

// Names.

// newNames are the new names of old ones.
type newNames map[string][]string

func (b *builder) newNames(all []relabel, in *env) newNames {
	n := newNames{}
	for i := range all {
		b.addNames(n, &all[i], in)
	}
	return n
}

func (b *builder) addNames(n newNames, r *relabel, in *env) {
	if r.ranges != nil {
		b.expand(r.ranges, in, func(_ string, in *env) {
			for i := range r.all {
				b.addNames(n, &r.all[i], in)
			}
		})
		return
	}
	b.expand(r.new, in, func(after string, in *env) {
		b.expand(r.old, in, func(before string, _ *env) {
			b.work += len(n[before]) / 16
			if !slices.Contains(n[before], after) {
				n[before] = append(n[before], after)
			}
		})
	})
}

// of are the new names of an action: those of its longest beginning that has any.
func (n newNames) of(name string) []string {
	for end := len(name); end >= 0; end = strings.LastIndexByte(name[:end], '.') {
		if news := n[name[:end]]; news != nil {
			all := make([]string, len(news))
			for i, after := range news {
				all[i] = after + name[end:]
			}
			return all
		}
	}
	return []string{name}
}

// merges says whether two actions of a group get one name.
func (b *builder) merges(g group, n newNames) bool {
	from := map[string]string{}
	for _, m := range g {
		for _, name := range b.table.Names(m.Alphabet()) {
			for _, after := range n.of(name) {
				if before, ok := from[after]; ok && before != name {
					return true
				}
				from[after] = name
			}
		}
	}
	return false
}

func (b *builder) relabelled(m *lts.LTS, all []relabel, in *env) *lts.LTS {
	if all == nil {
		return m
	}
	return b.renamed(m, b.newNames(all, in).of)
}

// renamed gives actions other names, or several.
func (b *builder) renamed(m *lts.LTS, names func(string) []string) *lts.LTS {
	to := map[lts.Action][]lts.Action{lts.Tau: {lts.Tau}, b.tick: {b.tick}}
	r := lts.NewBuilder(b.table)
	for _, a := range m.Alphabet() {
		if a == b.tick {
			continue
		}
		for _, name := range names(b.table.Name(a)) {
			b.step()
			to[a] = append(to[a], b.table.Intern(name))
		}
		r.Alphabet(to[a]...)
	}
	copyStates(r, m)
	for s := range lts.State(m.NumStates()) {
		for _, e := range m.Out(s) {
			for _, a := range to[e.Action] {
				b.step()
				r.AddEdge(s, a, e.To)
			}
		}
	}
	return r.Build()
}

// A setOf is a set of labels that stands for all actions that begin with them.
type setOf map[string]bool

func newSet(labels []string) setOf {
	s := setOf{}
	for _, label := range labels {
		s[label] = true
	}
	return s
}

// covers says whether the set has an action or a beginning of it.
func (s setOf) covers(name string) bool {
	for end := len(name); end >= 0; end = strings.LastIndexByte(name[:end], '.') {
		if s[name[:end]] {
			return true
		}
	}
	return false
}

// hide makes τ of what is to be hidden.
func (b *builder) hide(m *lts.LTS, d *definition, in *env) *lts.LTS {
	if d.hidden == nil {
		return m
	}
	set := newSet(b.elements(d.hidden, in))
	keep := slices.DeleteFunc(slices.Clone(m.Alphabet()), func(a lts.Action) bool {
		return a != b.tick && set.covers(b.table.Name(a)) != d.expose
	})
	return lts.Hide(m, keep)
}

// prioritised leaves out transitions where others come first. With << those of the set come first, with >>
// all others, τ among them.
func (b *builder) prioritised(m *lts.LTS, d *definition, in *env) *lts.LTS {
	set := newSet(b.elements(d.priority, in))
	first := map[lts.Action]bool{lts.Tau: d.low}
	for _, a := range m.Alphabet() {
		first[a] = set.covers(b.table.Name(a)) != d.low
	}
	r := lts.NewBuilder(b.table)
	r.Alphabet(m.Alphabet()...)
	copyStates(r, m)
	for s := range lts.State(m.NumStates()) {
		out := m.Out(s)
		some := slices.ContainsFunc(out, func(e lts.Edge) bool { return first[e.Action] })
		for _, e := range out {
			if !some || first[e.Action] {
				r.AddEdge(s, e.Action, e.To)
			}
		}
	}
	return lts.Reachable(r.Build())
}
