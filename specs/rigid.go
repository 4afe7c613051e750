package specs

// Names that stand for values: ask(x) -> tell(x) -> P.
//
// Idea: one value is looked at, any, and the process says of each name whether it stands for this one or for
// another. Where a name gets its value, both may be; where it stands again, only a message with the same
// answer fits:
//
//	( ask($1 == x) -> tell($1 == x) -> P | ask($1 != x) -> tell($1 != x) -> P )
//
// A run that the process allows is allowed so for every value that may be looked at. One that it does not
// allow ends with a message whose value is not that of a name, or that another condition forbids. It is not
// allowed where this value is the one looked at, if all before could happen in one way only. So the process
// must be deterministic, which whoever asks checks.
//
// A name has the value that it has on all ways to where it stands; where there is a way on which it has none,
// it gets it there.
//
// Cost: a definition for each of the answers that it is reached with.

import (
	"maps"
	"slices"
)

// Rigid is f with the names of values in the process of that name, and in those that it leads to, made
// conditions, as above. names are those that stand for values: those that isConstant does not know. Each
// stands for the same value in conditions.
func (f *File) Rigid(name string, isConstant func(name string) bool) (out *File, names []string, err error) {
	defer func() {
		if wrong, ok := recover().(*Error); ok {
			err = wrong
		}
	}()
	r := &rigid{f: f, isConstant: isConstant, unset: map[*def]map[string]bool{}, made: map[instance]string{},
		taken: map[string]bool{}}
	reached := f.reached(name)
	bare := false
	for _, p := range reached {
		p.everyLabel(func(l label) {
			if l.msg == nil {
				return
			}
			r.plainOnly(reached, l)
			if l.msg.Var == "" {
				return
			}
			if bare = true; !isConstant(l.msg.Var) && !slices.Contains(r.names, l.msg.Var) {
				r.names = append(r.names, l.msg.Var)
			}
		})
	}
	if !bare {
		return f, nil, nil
	}
	slices.Sort(r.names)
	copied := *f
	copied.processes = maps.Clone(f.processes)
	copied.messages = maps.Clone(f.messages)
	r.f = &copied
	r.flow(f.processes[name].defs[0])
	copied.processes[name] = r.process(f.processes[name], reached)
	return &copied, r.names, nil
}

// plainOnly refuses messages with conditions where actions are hidden, renamed or composed, which goes by their names.
func (r *rigid) plainOnly(reached []*process, l label) {
	for _, p := range reached {
		for _, o := range p.ops {
			if o.sign != '+' {
				r.refuse(o.pos, "actions that say what they carry are not hidden or renamed, and %s is one", l.name)
			}
		}
		for _, d := range p.defs {
			if d.body.kind == bodyParallel {
				r.refuse(d.body.pos, "processes with actions that say what they carry are not composed, and %s is one", l.name)
			}
		}
	}
}

func (r *rigid) refuse(pos Pos, format string, args ...any) {
	e := r.f.errorAt(pos, format, args...)
	e.NotModelled = true
	panic(e)
}

type rigid struct {
	f          *File
	isConstant func(string) bool
	names      []string
	unset      map[*def]map[string]bool // names without a value on some way to a definition
	made       map[instance]string
	taken      map[string]bool
	todo       []instance
	defs       []*def
}

// An instance is a definition with an answer for each name that has a value there: "x y=" means that x is the
// value looked at.
type instance struct {
	d   *def
	env string
}

// An env says of names with a value whether it is the one that is looked at.
type env map[string]bool

func (e env) with(name string, is bool) env {
	e = maps.Clone(e)
	e[name] = is
	return e
}

// key is the same for equal ones.
func (e env) key() string {
	k := ""
	for _, name := range slices.Sorted(maps.Keys(e)) {
		if k += name; !e[name] {
			k += "'"
		}
		k += " "
	}
	return k
}

// flow finds which names are without a value at definitions.
func (r *rigid) flow(first *def) {
	all := map[string]bool{}
	for _, name := range r.names {
		all[name] = true
	}
	r.unset[first] = all
	for work := []*def{first}; len(work) > 0; {
		d := work[0]
		work = work[1:]
		var in func(b *body, unset map[string]bool)
		in = func(b *body, unset map[string]bool) {
			if b.kind == bodyName {
				if to := r.resolve(d.proc, b); to != nil && r.joins(to, unset) {
					work = append(work, to)
				}
			}
			for i := range b.branches {
				after := maps.Clone(unset)
				for _, s := range b.branches[i].steps {
					for _, l := range s.labels {
						if r.isRigid(l) {
							delete(after, l.msg.Var)
						}
					}
				}
				in(&b.branches[i].to, after)
			}
		}
		in(&d.body, r.unset[d])
	}
}

// joins notes a way to a definition, and reports whether it says something new.
func (r *rigid) joins(to *def, unset map[string]bool) bool {
	known, met := r.unset[to]
	if !met {
		known = map[string]bool{}
	}
	n := len(known)
	joined := maps.Clone(known)
	maps.Copy(joined, unset)
	r.unset[to] = joined
	return !met || len(joined) > n
}

func (r *rigid) isRigid(l label) bool { return l.msg != nil && slices.Contains(r.names, l.msg.Var) }

// resolve is the definition that a name leads to; nil if there is none.
func (r *rigid) resolve(from *process, b *body) *def {
	if d := from.local(b.name); d != nil {
		return d
	}
	if p := r.f.processes[b.name]; p != nil {
		return p.defs[0]
	}
	return nil
}

// process is one process with all instances that are reached.
func (r *rigid) process(p *process, reached []*process) *process {
	out := &process{}
	r.named(p.defs[0], env{})
	for len(r.todo) > 0 {
		next := r.todo[0]
		r.todo = r.todo[1:]
		d := *next.d
		d.name, d.proc, d.ops = r.made[next], out, nil
		d.body = r.body(next.d.proc, next.d.body, r.env(next))
		r.defs = append(r.defs, &d)
	}
	alphabet := operator{sign: '+', pos: p.defs[0].pos}
	for _, q := range reached {
		q.everyLabel(func(l label) {
			if r.isRigid(l) {
				l = label{name: l.msg.Channel, pos: l.pos}
			} else {
				l = r.constant(l)
			}
			alphabet.labels = append(alphabet.labels, l)
		})
	}
	alphabet.labels = slices.DeleteFunc(alphabet.labels, func(l label) bool { return l.name == tau })
	r.defs[0].ops = []operator{alphabet}
	out.defs = r.defs
	out.index()
	return out
}

// env are the answers of an instance.
func (r *rigid) env(i instance) env {
	e := env{}
	for _, name := range r.names {
		if r.unset[i.d][name] {
			continue
		}
		for _, is := range []bool{true, false} {
			if one := (env{name: is}).key(); slices.Contains(split(i.env), one) {
				e[name] = is
			}
		}
	}
	return e
}

// split are the keys of single answers.
func split(key string) (all []string) {
	for start, i := 0, 0; i < len(key); i++ {
		if key[i] == ' ' {
			all = append(all, key[start:i+1])
			start = i + 1
		}
	}
	return all
}

// named is the name of the instance of a definition, of those answers that have a meaning there.
func (r *rigid) named(d *def, e env) string {
	kept := env{}
	for name, is := range e {
		if !r.unset[d][name] {
			kept[name] = is
		}
	}
	i := instance{d, kept.key()}
	if name, ok := r.made[i]; ok {
		return name
	}
	name := d.name
	for r.taken[name] {
		name += "'"
	}
	r.taken[name] = true
	r.made[i], r.todo = name, append(r.todo, i)
	return name
}

// body is a body with answers.
func (r *rigid) body(from *process, b body, e env) body {
	switch b.kind {
	case bodyName:
		if to := r.resolve(from, &b); to != nil {
			b.name = r.named(to, e)
		}
	case bodyChoice:
		var all []branch
		for _, br := range b.branches {
			all = append(all, r.branches(from, br.steps, br.to, e)...)
		}
		b.branches = all
	}
	return b
}

// branches are those that a branch becomes: two from where a name gets its value.
func (r *rigid) branches(from *process, steps []step, to body, e env) []branch {
	for i, s := range steps {
		made := step{set: s.set}
		for _, l := range s.labels {
			switch is, known := e[varOf(l)]; {
			case !r.isRigid(l):
				made.labels = append(made.labels, r.constant(l))
			case known:
				made.labels = append(made.labels, r.asked(l, is))
			case len(s.labels) > 1:
				r.refuse(l.pos, "%s gets no value in a set of actions: write branches", l.msg.Var)
			default:
				two := slices.Concat(r.then(from, l, true, steps[i+1:], to, e), r.then(from, l, false, steps[i+1:], to, e))
				if i == 0 {
					return two
				}
				return []branch{{slices.Clone(steps[:i]), body{kind: bodyChoice, pos: l.pos, branches: two}}}
			}
		}
		steps = slices.Clone(steps)
		steps[i] = made
	}
	return []branch{{steps, r.body(from, to, e)}}
}

func varOf(l label) string {
	if l.msg == nil {
		return ""
	}
	return l.msg.Var
}

// then is the branch in which a name gets the value looked at, or another one.
func (r *rigid) then(from *process, l label, is bool, steps []step, to body, e env) []branch {
	this := step{labels: []label{r.asked(l, is)}}
	e = e.with(l.msg.Var, is)
	if len(steps) == 0 {
		return []branch{{[]step{this}, r.body(from, to, e)}}
	}
	rest := r.branches(from, steps, to, e)
	if len(rest) == 1 {
		return []branch{{append([]step{this}, rest[0].steps...), rest[0].to}}
	}
	return []branch{{[]step{this}, body{kind: bodyChoice, pos: l.pos, branches: rest}}}
}

// asked is a message of the value that is looked at, or of another one.
func (r *rigid) asked(l label, is bool) label {
	name := &CExpr{kind: exprName, text: l.msg.Var, pos: l.pos, src: r.f.sources[l.pos.File]}
	cond := equalTo(name)
	if !is {
		cond = otherThan(name)
	}
	return r.message(l, cond)
}

// constant is a message of a constant by a condition.
func (r *rigid) constant(l label) label {
	if varOf(l) == "" {
		return l
	}
	return r.message(l, equalTo(&CExpr{kind: exprName, text: l.msg.Var, pos: l.pos, src: r.f.sources[l.pos.File]}))
}

func (r *rigid) message(l label, cond *CExpr) label {
	m := &MessageAction{Channel: l.msg.Channel, Cond: cond, Pos: l.pos}
	r.f.addMessage(*m)
	return label{name: m.Name(), msg: m, pos: l.pos}
}
