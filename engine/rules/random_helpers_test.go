package rules_test

import "slices"

// Helpers of random projects, which take something for others or give it back, and faults.

// helper is one or two functions that take and give back.
func (g *generator) helper() {
	if g.w.handle != "" {
		g.handleHelper()
		return
	}
	on := variable{g.name("a"), "dev*"}
	if g.w.lock == "" {
		g.lockHelper(nil, nil)
		return
	}
	if g.oneIn(2) {
		on.typ = "L*"
		g.lockHelper(&on, ref(on.name))
		return
	}
	g.lockHelper(&on, node("addr", field(ref(on.name), "lock")))
}

// lockHelper takes a lock of what it is given: always, or where it returns 0.
func (g *generator) lockHelper(on *variable, l *expr) {
	var params []variable
	needs, class := "", "one"
	if on != nil {
		params, needs, class = []variable{*on}, on.typ, "lock"
	}
	r := g.locked(l, class)
	give1, take := g.name("leave"), g.name("enter")
	g.begin(give1, "void", params...)
	g.finish(r.free())
	with := func(name string, e *expr) *expr {
		if e == nil {
			return callTo(name)
		}
		return callTo(name, e.clone())
	}
	free := func(e *expr) func() []*stmt { return func() []*stmt { return []*stmt{do(with(give1, e))} } }
	if r.fails || g.oneIn(2) {
		g.begin(take, "int", params...)
		all := r.take(func() []*stmt { return []*stmt{give(num(-1))} })
		if g.oneIn(2) {
			all = append(all, when(g.condition(), append(r.free(), give(num(-1)))...))
		}
		g.finish(all, []*stmt{give(num(0))})
		g.resources = append(g.resources, maker{needs, func(e *expr) resource {
			return resource{class: class, fails: true, free: free(e), take: func(fail func() []*stmt) []*stmt {
				return g.attempt(with(take, e), false, fail)
			}}
		}})
		return
	}
	g.begin(take, "void", params...)
	g.finish(r.take(nil))
	g.resources = append(g.resources, maker{needs, func(e *expr) resource {
		return resource{class: class, free: free(e), take: func(func() []*stmt) []*stmt { return []*stmt{do(with(take, e))} }}
	}})
}

// handleHelper opens for others: as its result, by an out-parameter, in a structure, or in a new one.
func (g *generator) handleHelper() {
	open, shut := pick(g, g.w.open), pick(g, g.w.close)
	use := func(e *expr) func() []*stmt { return func() []*stmt { return g.uses(e.clone()) } }
	switch g.r.IntN(4) {
	case 0:
		f := g.name("get")
		g.begin(f, "H", variable{g.name("a"), "int"})
		h := g.local("H", "h")
		all := []*stmt{set(ref(h), lib(open))}
		if g.oneIn(2) {
			all = append(all, when(node("&&", node("ok", ref(h)), g.condition()), do(lib(shut, ref(h))), give(node("none"))))
		}
		g.finish(all, []*stmt{give(ref(h))})
		g.resources = append(g.resources, maker{"", func(*expr) resource {
			h := g.local("H", "h")
			return resource{class: h, fails: true, use: use(ref(h)), take: func(fail func() []*stmt) []*stmt {
				return []*stmt{set(ref(h), callTo(f, num(1))), when(node("bad", ref(h)), fail()...)}
			}, free: func() []*stmt { return []*stmt{do(lib(shut, ref(h)))} }}
		}})
	case 1:
		f, out := g.name("get"), g.name("out")
		g.begin(f, "int", variable{out, "H*"})
		h := g.local("H", "h")
		g.finish([]*stmt{set(ref(h), lib(open)), when(node("bad", ref(h)), give(num(-1))),
			set(node("deref", ref(out)), ref(h)), give(num(0))})
		g.resources = append(g.resources, maker{"", func(*expr) resource {
			h := g.local("H", "h")
			return resource{class: h, fails: true, use: use(ref(h)), take: func(fail func() []*stmt) []*stmt {
				return []*stmt{when(node("!=", callTo(f, node("addr", ref(h))), num(0)), fail()...)}
			}, free: func() []*stmt { return []*stmt{do(lib(shut, ref(h)))} }}
		}})
	case 2:
		g.inStructure(open, shut)
	default:
		g.newStructure(open, shut)
	}
}

// inStructure opens and closes a handle of a structure.
func (g *generator) inStructure(open, shut string) {
	up, down, a := g.name("up"), g.name("down"), g.name("a")
	h := field(ref(a), "h")
	g.begin(up, "int", variable{a, "dev*"})
	g.finish([]*stmt{set(h.clone(), lib(open)), when(node("bad", h.clone()), give(num(-1))), give(num(0))})
	g.begin(down, "void", variable{a, "dev*"})
	g.finish([]*stmt{when(node("ok", h.clone()), do(lib(shut, h.clone()))), set(h.clone(), node("none"))})
	g.resources = append(g.resources, maker{"dev*", func(e *expr) resource {
		return resource{class: "h", fails: true, use: func() []*stmt { return g.uses(field(e.clone(), "h")) },
			take: func(fail func() []*stmt) []*stmt { return g.attempt(callTo(up, e.clone()), false, fail) },
			free: func() []*stmt { return []*stmt{do(callTo(down, e.clone()))} }}
	}})
}

// newStructure allocates a structure with a handle.
func (g *generator) newStructure(open, shut string) {
	up, down, a := g.name("create"), g.name("destroy"), g.name("a")
	g.begin(up, "dev*")
	d := g.local("dev*", "d")
	h := field(ref(d), "h")
	g.finish([]*stmt{set(ref(d), node("new")), when(node("!", ref(d)), give(node("null"))), set(h.clone(), lib(open)),
		when(node("bad", h.clone()), do(callTo("free", ref(d))), give(node("null"))), give(ref(d))})
	g.begin(down, "void", variable{a, "dev*"})
	g.finish([]*stmt{do(lib(shut, field(ref(a), "h"))), do(callTo("free", ref(a)))})
	g.resources = append(g.resources, maker{"", func(*expr) resource {
		d := g.local("dev*", "d")
		return resource{class: d, fails: true, use: func() []*stmt { return g.uses(field(ref(d), "h")) },
			take: func(fail func() []*stmt) []*stmt {
				return []*stmt{set(ref(d), callTo(up)), when(node("!", ref(d)), fail()...)}
			}, free: func() []*stmt { return []*stmt{do(callTo(down, ref(d)))} }}
	}})
}

// A spot is where a statement stands.
type spot struct {
	in *[]*stmt
	at int
}

func spots(all *[]*stmt) (to []spot) {
	for i, s := range *all {
		to = append(to, spot{all, i})
		to = append(to, spots(&s.body)...)
		to = append(to, spots(&s.other)...)
	}
	return to
}

// mutate makes a small fault somewhere: a statement is left out, written twice or moved, a condition turned,
// a number or a label changed.
func (g *generator) mutate() {
	for range 20 {
		f := pick(g, g.p.funcs)
		all := spots(&f.body)
		if len(all) == 0 {
			continue
		}
		sp := pick(g, all)
		s := (*sp.in)[sp.at]
		last := sp.in == &f.body && sp.at == len(f.body)-1
		switch k := g.r.IntN(8); {
		case k < 3 && s.op != "label" && !(last && s.op == "return" && f.result != "void"):
			*sp.in = slices.Delete(*sp.in, sp.at, sp.at+1)
		case k == 3 && s.op == "do" || k == 3 && s.op == "if" && len(s.other) == 0 && !last:
			*sp.in = slices.Insert(*sp.in, sp.at+1, cloneAll([]*stmt{s})...)
		case k == 4 && s.op == "if":
			s.e = node("!", s.e)
		case k == 5 && s.e != nil && len(s.e.args) == 2 && s.e.args[1].op == "int":
			s.e.args[1] = num(g.r.IntN(3))
		case k == 6 && sp.at+1 < len(*sp.in) && s.op != "label" && (*sp.in)[sp.at+1].op != "label" &&
			(*sp.in)[sp.at+1].op != "return":
			(*sp.in)[sp.at], (*sp.in)[sp.at+1] = (*sp.in)[sp.at+1], s
		case k == 7 && s.op == "goto":
			for _, o := range f.body {
				if o.op == "label" && (o.name != s.name || g.oneIn(2)) {
					s.name = o.name
				}
			}
		default:
			continue
		}
		return
	}
}
