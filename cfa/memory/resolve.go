package memory

// Resolution: statements on memory become assignments and branches.
//
// The automaton is written anew, location by location: an access becomes a sequence
// of tests with an assignment behind each.
//
// Source: Chaki, Clarke, Groce, Ouaknine, Strichman, Yorav: Efficient Verification of
// Sequential and Concurrent C Programs, section 3.3.2 (Handling Pointer
// Dereferences), which replaces *p by the variables that p may point to. Here an
// access may also mean a part of an object, an element, or memory that is not
// modelled. Cost: linear in the automaton that comes of it.

import (
	"cmp"
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// A resolution is one run.
type resolution struct {
	*Analysis
	clobbers
	check         *checker
	rec           *recorder
	lives         *lifetimes
	entry         *entry
	argumentsStay bool // nothing stores in what argv points to
	handedOut     handedOut
	stored        map[*expr.Expr]bool // to what something is stored, where that is asked, see finds
	unseen        bool                // something may be stored where it cannot be looked for, see finds
}

// Resolve writes the automaton without statements on memory. start is where it
// begins, the result where the new one does; what was written from start on comes
// first. Resolution ends where building has stopped.
func (a *Analysis) Resolve(start cfa.Loc) cfa.Loc {
	check := &checker{a.addressSpace}
	r := &resolution{Analysis: a, clobbers: a.effects.clobbers(start), check: check, rec: newRecorder(a.Model),
		lives: newLifetimes(a.Model, a.pts, check), entry: &entry{Model: a.Model, pts: a.pts}}
	if a.pts != nil {
		for _, b := range a.allBodies() {
			if !b.Summary {
				a.aliasing.usesOf(b) // while the draft stands
			}
		}
	}
	r.lives.innerLives()
	r.entry.walks = r.entry.walked()
	r.argumentsStay = r.keepsArguments()
	sharings := r.sharings()
	r.entry.ended = r.layoutOfEnded()
	if a.looksFor() {
		a.carriers = a.findCarriers()
	}
	r.handedOut, r.unseen = a.givesOut(), a.storesUnseen()
	if a.looksFor() {
		r.stored = a.storedTo()
	}
	old := r.code.Restart(start)
	first := make([]cfa.Loc, len(old))
	ends := make([][2]cfa.Ends, len(old))
	entry := cfa.Loc(-1)
	for k := range old {
		i := cfa.Loc((k + int(start)) % len(old))
		if r.code.IsOutOfLine(i) {
			continue
		}
		if r.code.Err() != nil {
			return entry
		}
		r.code.Rewrite(i, old[i])
		first[i] = cfa.Loc(r.code.Len())
		r.code.Cut()
		if i == start {
			entry = r.begin(old[i].Pos)
		}
		r.refuseShared(sharings[i])
		ends[i] = r.rewrite(i, old[i])
	}
	for i, loc := range old {
		for k, to := range loc.Succ {
			if to >= 0 && !r.code.IsOutOfLine(cfa.Loc(i)) {
				r.code.Patch(ends[i][k], first[to])
			}
		}
	}
	r.rec.writeRecords()
	return entry
}

// begin writes what holds of memory when the component begins.
func (r *resolution) begin(pos cfa.Pos) cfa.Loc {
	entry := r.code.Emit(cfa.Goto{}, pos)
	for _, v := range slices.Concat(r.atStart, r.lives.atStart, r.zeroes) {
		r.code.Assign(v, r.pool.Const(v.Type(), 0), pos)
	}
	for _, b := range r.objects {
		if b.external && b.live != nil {
			r.code.Assign(b.live, r.pool.Const(boolean, 1), pos)
		}
		if b.external || b.global != nil && !b.starts() || b.decl.Kind == cfa.Param && b.decl.Frame == 0 {
			r.agree(b, pos)
		}
	}
	r.entry.ownOrNull(pos)
	r.entry.notAround(pos)
	r.entry.notYet(pos)
	r.entry.notBeside(pos)
	r.entry.tellLayouts()
	return entry
}

// An entry writes what is assumed of pointers and of the layout of memory when the component begins.
type entry struct {
	*Model
	pts   *pointers
	walks objectSet // see walked
	ended []cfa.Pos // see layoutOfEnded
}

// notBeside lets a run begin only where no pointer from outside points beside its
// object: the object is what the pointer points to. It matters where pointers are moved
// through their objects.
func (r *entry) notBeside(pos cfa.Pos) {
	for _, v := range r.anyAtEntry() {
		own := r.own[v]
		if own == nil || !r.walks.has(own.number) {
			continue
		}
		is, other := r.code.Branch(r.pool.Eq(v, r.AddressIn(own, 0)), pos)
		r.code.Continue(other)
		beside, elsewhere := r.code.Branch(r.near(v, own), pos)
		r.code.Continue(beside)
		if len(beside) > 0 {
			r.code.Halt("a pointer from outside", pos)
		}
		r.code.Continue(append(is, elsewhere...))
	}
}

// notAround lets a run begin only where pointers at the end of what is modelled of a list from outside do not lead back
// into it, where no violation is to rest on that.
func (r *entry) notAround(pos cfa.Pos) {
	if !r.opt.Shapes || r.pts == nil {
		return
	}
	for _, b := range r.objects {
		for _, lf := range b.leaves {
			if !b.external || lf.v == nil || lf.own != nil || lf.v.Type() != r.pointer {
				continue
			}
			r.noneOf(lf.v, pos, func([]*Object) bool { return true }, func(o *Object) bool { return o.external })
		}
	}
}

// walked are the objects that pointers may point to elsewhere than at their
// beginning, where they may also point to memory that is not modelled; none where
// pointers are checked.
func (r *entry) walked() objectSet {
	set := r.newSet()
	if r.opt.CheckPointers || r.pts == nil || len(r.anyAtEntry()) == 0 {
		return set
	}
	for at := range r.code.Len() {
		for i, ref := range r.refs(cfa.Loc(at)) {
			if b, _ := r.ObjectOf(ref.Base); b != nil {
				continue
			}
			targets := r.pts.targets(r.pts.used[cfa.Loc(at)][i])
			if len(targets) > r.targetLimit() || !slices.ContainsFunc(targets, func(t pointsto.Target) bool {
				return r.pts.at(t.Object) == nil
			}) {
				continue
			}
			for _, t := range targets {
				if b := r.pts.at(t.Object); b != nil && b.external && t.Offset != t.Last {
					set.add(b.number)
				}
			}
		}
	}
	return set
}

// ownOrNull lets a run begin only where each pointer from outside is NULL, points to its
// object or to what its initialiser names, where pointers are checked, or a violation is not to rest on them; elsewhere
// its use sees to that.
func (r *entry) ownOrNull(pos cfa.Pos) {
	if !r.opt.CheckPointers && !r.opt.Shapes && !r.opt.Own || r.pts == nil {
		return
	}
	may := map[*expr.Expr][]Initial{}
	for _, g := range r.globals {
		may[g.Var] = g.May
	}
	for _, v := range r.anyAtEntry() {
		if own := r.own[v]; own != nil {
			r.oneOf(v, r.AddressIn(own, 0), may[v], pos)
			if r.opt.Own && own.assumes.Text != "" {
				r.code.Assume(cfa.AboutPointers, own.assumes.Pos, "%s", own.assumes.Text)
			}
		}
	}
	for _, b := range r.objects {
		for _, lf := range b.leaves {
			if lf.own != nil && lf.v != nil {
				r.oneOf(lf.v, r.AddressIn(lf.own, 0), b.mayAt(lf.Extent), pos)
			}
		}
	}
}

// notYet lets a run begin only where no pointer from outside points to what does not exist yet: local variables, and
// what the component allocates. It matters where nothing else is known of the pointer, and in comparisons.
func (r *entry) notYet(pos cfa.Pos) {
	if r.pts == nil {
		return
	}
	for _, v := range r.anyAtEntry() {
		if n, ok := r.pts.vars[v]; ok && r.own[v] == nil {
			r.noneYet(v, n, pos)
		}
		for _, s := range r.relations { // what it is compared with
			switch {
			case r.own[v] == nil || r.opt.CheckPointers:
			case s.x == v:
				r.noneYet(v, r.pts.term(s.y), pos)
			case s.y == v:
				r.noneYet(v, r.pts.term(s.x), pos)
			}
		}
	}
	for _, b := range r.objects {
		if !b.external && (b.global == nil || b.starts()) {
			continue
		}
		for _, lf := range b.leaves {
			if n, ok := r.pts.leaves[lf]; ok && lf.v != nil && lf.own == nil && lf.t.Class == Pointer {
				r.noneYet(lf.v, n, pos)
			}
		}
	}
}

// noneYet does that for one pointer and what a node may point to. Objects that follow each other in memory are one
// test.
func (r *entry) noneYet(v *expr.Expr, n pointsto.Node, pos cfa.Pos) {
	if n == none {
		return
	}
	may := r.newSet()
	for b := range r.pts.objectsOf(r.pts.targets(n)) {
		may.add(b.number)
	}
	r.noneOf(v, pos, func(run []*Object) bool {
		return slices.ContainsFunc(run, func(o *Object) bool { return may.has(o.number) })
	}, (*Object).comesLater)
}

// noneOf lets control pass only where a pointer leads to no object of a kind. Objects that follow each other in memory
// are one test, of which some are left out.
func (r *entry) noneOf(v *expr.Expr, pos cfa.Pos, matters func(run []*Object) bool, is func(*Object) bool) {
	for i := 0; i < len(r.objects); i++ {
		begin := i
		for i < len(r.objects) && is(r.objects[i]) {
			i++
		}
		run := r.objects[begin:i]
		if len(run) == 0 || r.code.Dead() || !matters(run) {
			continue
		}
		last := run[len(run)-1]
		room := r.pool.Int(r.pointer, int64(r.gap()/2))
		from := r.pool.Sub(r.AddressIn(run[0], 0), room)
		size := r.pool.Sub(r.pool.Add(r.AddressIn(last, last.size), room), from)
		within, other := r.code.Branch(r.pool.Lt(r.pool.Sub(v, from), size), pos)
		if r.code.Continue(within); len(within) > 0 {
			r.code.Halt("a pointer from outside", pos)
		}
		r.code.Continue(other)
	}
}

// comesLater reports whether an object does not exist yet when the component begins. What a parameter points to does.
func (b *Object) comesLater() bool { return !b.external && (b.heap || b.onStack()) }

// mayAt are the addresses that a part of an object may still have from an initialiser.
func (b *Object) mayAt(e Extent) []Initial {
	if b.global == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(b.global.May), func(in Initial) bool { return in.Extent != e })
}

// oneOf lets control pass only where a pointer is NULL, an address, or one from an initialiser,
// if these are known.
func (r *entry) oneOf(v, address *expr.Expr, may []Initial, pos cfa.Pos) {
	if slices.ContainsFunc(may, func(in Initial) bool { return in.Value == nil }) {
		return
	}
	ends, other := r.code.Branch(r.isNull(v), pos)
	for _, in := range append([]Initial{{Value: address}}, may...) {
		r.code.Continue(other)
		var is cfa.Ends
		is, other = r.code.Branch(r.pool.Eq(v, in.Value), pos)
		ends = append(ends, is...)
	}
	r.code.Continue(other)
	r.code.Halt("a pointer from outside", pos)
	r.code.Continue(ends)
}

func (m *addressing) isNull(addr *expr.Expr) *expr.Expr {
	return m.pool.Eq(addr, m.pool.Const(addr.Type(), 0))
}

// rewrite writes one location anew and gives its open ends.
func (r *resolution) rewrite(at cfa.Loc, loc cfa.Location) (ends [2]cfa.Ends) {
	pos := loc.Pos
	switch s := loc.Stmt.(type) {
	case cfa.Branch:
		yes, no := r.code.Fork(s, pos)
		r.code.KeepDecisions(yes, loc)
		return [2]cfa.Ends{yes, no}
	case cfa.Assign:
		r.computed(s, pos, func() {
			r.whole(pos, func() {
				r.code.Emit(s, pos)
				r.toldBy(s.LHS, pos)
			})
		})
		r.lives.outlastAll(s, pos)
	case cfa.Spawn:
		begins := r.code.Spawn(s, pos)
		return [2]cfa.Ends{r.code.Ends(), begins}
	case cfa.Call:
		r.call(at, s, pos)
	case UnknownCall:
		r.unknownCall(at, s, pos)
	case Load, Store, Copy, Fill, Touch, Measure, ScanText, Undecided, Exists, Arguments, ErrnoCall, Alloc, Free,
		Leaks, Finds, Start, IndirectCall:
		r.code.Emit(cfa.Goto{}, pos)
		r.access(at, s, pos)
	default:
		r.code.Emit(s, pos)
	}
	return [2]cfa.Ends{r.code.Ends(), nil}
}

// call writes a call of a routine that is given by an abstraction. What its body writes,
// if it has one, only the body knows.
func (r *resolution) call(at cfa.Loc, s cfa.Call, pos cfa.Pos) {
	before := r.kept(at, pos)
	if b := r.bodies[at]; b != nil {
		if !b.Summary {
			r.tellAssumed(b)
		}
		r.code.Emit(s, pos)
		for _, v := range r.variables[at] {
			r.code.Emit(cfa.Assign{LHS: v, Nondet: s.Callee, Approx: "what the body of " + s.Callee +
				" writes", Body: s.Callee}, pos)
		}
	} else {
		does, may := r.split(at)
		s.Clobbers = does
		r.code.Emit(s, pos)
		for _, v := range may {
			r.code.Emit(cfa.Assign{LHS: v, Nondet: s.Callee, Approx: "what " + s.Callee + " may reach", Keeps: true}, pos)
		}
	}
	r.agreeAll(at, pos)
	r.toldBy(s.LHS, pos)
	r.keptNone(at, s.LHS, before, pos)
	if r.bodies[at] != nil && !r.code.Dead() {
		r.rec.forgetAs(cfa.Access{}, "what the body of "+s.Callee+" writes", pos)
	}
}

// tellAssumed tells what is assumed of the objects that a body accesses.
func (r *resolution) tellAssumed(b *Body) {
	if r.pts == nil {
		return
	}
	uses := r.aliasing.usesOf(b)
	for _, o := range r.objects {
		if x := uses.accesses[o]; x != nil && o.assumes.Text != "" {
			r.code.Assume(cfa.AboutPointers, o.assumes.Pos, "%s", o.assumes.Text)
		}
	}
}

// unknownCall writes a call of a routine without a body.
func (r *resolution) unknownCall(at cfa.Loc, s UnknownCall, pos cfa.Pos) {
	r.code.Emit(cfa.Goto{}, pos)
	before := r.kept(at, pos)
	does, may := r.split(at)
	r.tellKnown(does, pos)
	var exact *cfa.Exact
	if s.Foreign != nil {
		foreign := r.code.Temp("foreign", boolean, pos)
		r.code.Assign(foreign, r.pool.FromBool(boolean, s.Foreign), pos)
		exact = &cfa.Exact{When: r.pool.Truth(foreign)}
	}
	for _, v := range does {
		r.code.Emit(cfa.Assign{LHS: v, Nondet: s.Name, Approx: s.Approx, Exact: exact}, pos)
	}
	for _, v := range may {
		r.code.Emit(cfa.Assign{LHS: v, Nondet: s.Name, Approx: cmp.Or(s.Approx, "what "+s.Name+" may reach"),
			Keeps: !s.Text || v.Type().Width != 8}, pos)
	}
	r.agreeAll(at, pos)
	if s.LHS != nil {
		r.code.Emit(cfa.Assign{LHS: s.LHS, Nondet: s.Name, Approx: s.Approx, Exact: exact}, pos)
		r.toldBy(s.LHS, pos)
	}
	r.keptNone(at, s.LHS, before, pos)
}

// kept are the pointers that a call of a routine without a body may change, with what they were before.
func (r *resolution) kept(call cfa.Loc, pos cfa.Pos) map[*expr.Expr]*expr.Expr {
	before := map[*expr.Expr]*expr.Expr{}
	if r.bodies[call] != nil {
		return before
	}
	for _, v := range r.variables[call] {
		if ended, _ := r.lives.ended(v); len(ended) > 0 {
			before[v] = r.code.Temp("before", v.Type(), pos)
			r.code.Assign(before[v], v, pos)
		}
	}
	return before
}

// keptNone lets control pass only where a call of a routine without a body has left no pointer to what has ended,
// unless it may have read one.
func (r *resolution) keptNone(call cfa.Loc, result *expr.Expr, before map[*expr.Expr]*expr.Expr, pos cfa.Pos) {
	if r.bodies[call] != nil || r.pts == nil {
		return
	}
	read := r.newSet()
	for _, v := range r.variables[call] {
		if n := r.pts.term(v); v != result && n != none {
			for b := range r.pts.objectsOf(r.pts.targets(n)) {
				read.add(b.number)
			}
		}
		if was := before[v]; was != nil {
			r.lives.keptNone(v, was, nil, pos)
		}
	}
	if result != nil {
		r.lives.keptNone(result, nil, read, pos)
	}
}

// tellKnown tells of objects that a routine may change though the component gives them
// to none: the program takes their address, perhaps before the component begins.
func (r *resolution) tellKnown(changed []*expr.Expr, pos cfa.Pos) {
	for _, v := range changed {
		if c, ok := r.cells[v]; ok && c.Object.global != nil && c.Object.global.Known &&
			!c.Object.global.Elsewhere && !r.given.has(c.Object.number) {
			r.code.Assume(cfa.AboutRoutine, pos,
				"routines without a body may have the address of %s, which the program takes: they may change it", c.Object.name)
		}
	}
}

// split tells the cells that a call is certainly given from those that it may
// reach.
func (r *resolution) split(at cfa.Loc) (does, may []*expr.Expr) {
	for _, v := range r.variables[at] {
		if c, ok := r.cells[v]; ok && !r.certain[at].has(c.Object.number) {
			may = append(may, v)
		} else {
			does = append(does, v)
		}
	}
	return does, may
}

// toldBy tells the cells that overlap a variable what has been stored in it.
func (r *resolution) toldBy(v *expr.Expr, pos cfa.Pos) {
	if c, ok := r.cells[v]; ok {
		r.tell(c.Object, c.leaf.Extent, v, pos)
	}
}

// agreeAll lets the cells of the objects agree that a call has given any value.
func (r *resolution) agreeAll(call cfa.Loc, pos cfa.Pos) {
	var last *Object
	for _, v := range r.variables[call] {
		if c, ok := r.cells[v]; ok && c.Object != last {
			last = c.Object
			r.agree(last, pos)
		}
	}
}

// whole writes what do does as an atomic section, where there are threads and it is more than
// one access: a store that overlapping cells are told of, a load of several.
func (r *resolution) whole(pos cfa.Pos, do func()) {
	if !r.opt.Threads {
		do()
		return
	}
	begin := r.code.Emit(cfa.Goto{}, pos)
	do()
	made := r.code.Since(begin + 1)
	n := 0
	for _, loc := range made {
		n += r.cellsIn(loc.Stmt)
	}
	if n < 2 {
		return
	}
	r.code.Replace(begin, cfa.Atomic{Begin: true, Plain: true})
	if !r.code.Dead() {
		r.code.Emit(cfa.Atomic{}, pos)
	}
}

// cellsIn is how many accesses to cells a statement makes.
func (r *resolution) cellsIn(s cfa.Stmt) int {
	var all []*expr.Expr
	switch s := s.(type) {
	case cfa.Assign:
		all = []*expr.Expr{s.LHS}
		if s.RHS != nil {
			all = append(all, expr.Vars(s.RHS)...)
		}
	case cfa.Branch:
		all = expr.Vars(s.Cond)
	}
	return len(slices.DeleteFunc(all, func(v *expr.Expr) bool { _, is := r.cells[v]; return !is }))
}

func (r *resolution) access(at cfa.Loc, s cfa.Stmt, pos cfa.Pos) {
	if r.opt.Races {
		showing{r}.showAccesses(at, s, pos)
	}
	switch s := s.(type) {
	case Load:
		t := r.find.search(at, 0, s.From)
		r.along(t, s.From, pos, func(h hit) { r.whole(pos, func() { r.load(s, h, pos) }) }, func() {
			r.unmodelled(s, t, pos)
		}, func() { r.loadSummarised(s, t, pos) })
	case Store:
		t := r.find.search(at, 0, s.To)
		r.along(t, s.To, pos, func(h hit) { r.whole(pos, func() { r.store(s, h, pos) }) }, func() {
			r.rec.storeUnmodelled(s, pos)
		}, func() {
			r.elsewhere(t, s.To, pos, func() { r.rec.storeUnmodelled(s, pos) }, func() {
				r.blur(t, 0, &s, pos)
				r.rec.storeUnmodelled(s, pos)
			})
		})
	case Copy:
		r.check.some(byteRange{length: s.Length}, pos, func() { r.copy(at, s, pos) })
	case Fill:
		to := byteRange{at: s.To, size: s.Size, length: s.Length, store: !s.Init}
		r.check.some(to, pos, func() {
			t := r.find.search(at, 0, s.To)
			unmodelled := func() { r.rec.fillUnmodelled(s, nil, pos) }
			r.along(t, s.To, pos, func(h hit) { r.check.room(h, to, pos); r.fill(s, h, pos) }, unmodelled, func() {
				r.elsewhere(t, s.To, pos, unmodelled, func() { r.blur(t, s.Size, nil, pos); unmodelled() })
			})
		})
	case Touch:
		if s.Out && !r.opt.CheckPointers {
			return
		}
		of := byteRange{s.At, s.Size, s.Length, s.Store, s.Maybe}
		r.check.some(of, pos, func() {
			r.along(r.find.search(at, 0, s.At), s.At, pos, func(h hit) { r.check.room(h, of, pos) }, func() {}, func() {})
		})
	case Measure:
		t := r.find.search(at, 0, s.At)
		unmodelled := func() {
			r.unmeasured(s, pos, func() []*expr.Expr {
				return r.charactersUnmodelled(t, r.Term(s.At.Address), prefixLength, pos)
			})
		}
		r.along(t, s.At, pos, func(h hit) { r.measure(s, h, pos) }, unmodelled, func() { r.unmeasured(s, pos, nil) })
	case ScanText:
		t := r.find.search(at, 0, s.At)
		unmodelled := func() { r.say(s, r.charactersUnmodelled(t, r.Term(s.At.Address), s.wanted(), pos), pos) }
		r.along(t, s.At, pos, func(h hit) { r.say(s, r.charactersAt(h, s.wanted(), pos), pos) }, unmodelled,
			func() { r.say(s, nil, pos) })
	case Undecided:
		r.check.undecided(s.What, pos)
	case Exists:
		r.lives.exists(s, pos)
	case Arguments:
		r.startArguments(s.Object, pos)
	case ErrnoCall:
		r.changeErrno(s.Name, pos)
	case Leaks:
		r.unfreed(s, pos)
	case Finds:
		finding{r}.finds(s, pos)
	case Alloc:
		r.allocate(s, pos)
	case Free:
		r.free(s, pos)
	case Start:
		r.start(s.Object, pos)
	}
}

// along writes the tests of a tree, with do behind each hit, unknown where the
// memory is not modelled, and summarised where targets are not told apart.
func (r *resolution) along(t *tree, ref Ref, pos cfa.Pos, do func(hit), unknown, summarised func()) {
	if t.hit != nil {
		if a := t.hit.b.assumes; a.Text != "" {
			r.code.Assume(cfa.AboutPointers, a.Pos, "%s", a.Text)
		}
		if r.gone(t.hit.b) {
			r.Invalid(pos)
			return
		}
		r.check.inLife(t.hit.b.live, pos)
		if b, _ := r.ObjectOf(ref.Base); b == nil {
			r.check.inLife(t.hit.b.alive, pos)
			r.check.inLife(t.hit.b.inner, pos)
			r.lives.notDangling(t.hit.b, pos)
		}
		r.check.notFreed(t.hit.b, pos)
		if t.hit.doubtful {
			r.check.undecided("whether an index stays in its array", pos)
		}
		h := *t.hit
		h.base = ref.found
		do(h)
		return
	}
	var ends cfa.Ends
	for _, a := range t.arms {
		yes, no := r.code.Branch(r.test(a, ref), pos)
		r.code.Continue(yes)
		then := ref
		if a.base {
			then.found = r.AddressIn(a.b, a.off)
		}
		r.along(a.tree(), then, pos, do, unknown, summarised)
		ends = append(ends, r.code.Ends()...)
		r.code.Continue(no)
	}
	r.check.noneFreed(t, ref, pos)
	switch {
	case r.code.Dead():
	case len(t.summarised) > 0:
		r.among(t, ref, pos)
		summarised()
	default:
		r.missed(t.els, ref, pos, unknown)
	}
	r.code.Join(ends)
}

// missed is where no test has held.
func (r *resolution) missed(o miss, ref Ref, pos cfa.Pos, unknown func()) {
	if o == isInvalid {
		r.Invalid(pos)
		return
	}
	if r.code.Dead() {
		return
	}
	r.code.Assume(cfa.AboutPointers, pos, "memory that is not modelled overlaps no object that is modelled")
	r.notNull(ref, pos)
	r.check.undecided("whether a pointer to memory that is not modelled is valid", pos)
	if !r.code.Dead() {
		unknown()
	}
}

// notNull lets control pass only if a pointer is not NULL.
func (r *resolution) notNull(ref Ref, pos cfa.Pos) {
	null, other := r.code.Branch(r.isNull(ref.Base), pos)
	if r.code.Continue(null); len(null) > 0 {
		r.Invalid(pos)
	}
	r.code.Continue(other)
}

// Invalid is what happens where a pointer is dereferenced that points to
// nothing.
func (s *addressSpace) Invalid(pos cfa.Pos) {
	if s.code.Dead() {
		return
	}
	if s.opt.CheckPointers {
		s.code.Error(cfa.InvalidPointer, pos)
		return
	}
	s.code.Assume(cfa.AboutPointers, pos, "pointers that are dereferenced are valid, and indices within their arrays")
	s.code.Halt(cfa.InvalidPointer, pos)
}

// inLife lets control pass only while a flag is set, of memory that has not been
// freed or of a procedure that has not returned; nil always is.
func (r *checker) inLife(flag *expr.Expr, pos cfa.Pos) {
	if flag == nil {
		return
	}
	if r.opt.Uses && !r.opt.CheckPointers {
		r.before(flag, "memory is used that was freed", pos)
		return
	}
	yes, no := r.code.Branch(r.pool.Truth(flag), pos)
	r.code.Continue(no)
	r.Invalid(pos)
	r.code.Continue(yes)
}

// noneFreed looks for uses of memory that was freed, where it is not known what is accessed: of allocated memory whose
// size is not constant, and of targets that are not told apart.
func (r *checker) noneFreed(t *tree, ref Ref, pos cfa.Pos) {
	if !r.opt.Uses || r.opt.CheckPointers {
		return
	}
	for _, b := range t.untold() {
		if b.freed != nil {
			r.perhapsFreed(b, pos)
		}
		if b.live == nil || r.code.Dead() {
			continue
		}
		meant := r.near(r.Term(ref.Address), b)
		if p := r.pointerIn(ref.Base); p != nil { // arithmetic stays within an object
			r.code.Assume(cfa.AboutPointers, pos, "pointers that are dereferenced are valid, and indices within their arrays")
			meant = r.pool.Land(meant, r.near(p, b))
		}
		is, other := r.code.Branch(meant, pos)
		if r.code.Continue(is); len(is) > 0 {
			r.inLife(b.live, pos)
		}
		r.code.Join(other)
	}
}

// pointerIn is the pointer that an address is computed from by adding and subtracting numbers; nil if that is not
// known.
func (s *addressSpace) pointerIn(t *expr.Expr) *expr.Expr {
	switch {
	case s.pointers[t]:
		return t
	case t.Op() == expr.Add:
		x, y := s.pointerIn(t.Args()[0]), s.pointerIn(t.Args()[1])
		if x == nil || y == nil {
			return cmp.Or(x, y)
		}
	case t.Op() == expr.Sub && s.pointerIn(t.Args()[1]) == nil:
		return s.pointerIn(t.Args()[0])
	}
	return nil
}

// perhapsFreed is where an object is used that is not told apart: once such an object has been freed it may be this
// one.
func (r *checker) perhapsFreed(b *Object, pos cfa.Pos) {
	if r.code.Dead() {
		return
	}
	some, none := r.code.Branch(r.pool.Truth(b.freed), pos)
	if r.code.Continue(some); len(some) > 0 {
		freed := r.code.Any(boolean, "freed", "whether an object of "+b.decl.Name+" has been freed", pos)
		r.before(r.pool.Not(freed), "memory is used that was freed", pos)
	}
	r.code.Join(none)
}

// untold are the objects that are meant, perhaps, where no test holds, each once.
func (t *tree) untold() []*Object {
	all := slices.Clone(t.unbounded)
	for h := range t.summarisedHits {
		if !slices.Contains(all, h.b) {
			all = append(all, h.b)
		}
	}
	return all
}

// before performs the action error where a flag is not set any more.
func (r *checker) before(flag *expr.Expr, what string, pos cfa.Pos) {
	yes, no := r.code.Branch(r.pool.Truth(flag), pos)
	if r.code.Continue(no); len(no) > 0 {
		r.code.Error(what, pos)
	}
	r.code.Continue(yes)
}
