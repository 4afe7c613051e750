package interp

// Many rounds of a loop, executed.
//
// Idea: a way through a loop and back that is taken millions of times is laid out once, as a straight
// line of instructions for one round; at a branch stands a check that control goes on as the way says.
// What a round computes of constants only is the same in each, and computed when it is laid out. All
// rounds are executed, one after the other; of what they do nothing is kept but the values at the end.
//
// Source: traces of compilers that compile while a program runs (Gal et al., Trace-based Just-in-Time
// Type Specialization for Dynamic Languages, PLDI 2009, without machine code). Deviations: none of
// their optimisations but constants. Cost: an instruction takes 1 to 2 ns; a round of while (x < n) x
// += 2 has four.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A Repeat prescribes many rounds of a loop: the steps of a way from a location back to it, and how
// often they are made. They are assignments, branches and jumps, and what they choose is the same in
// all rounds.
type Repeat struct {
	Round []ScriptStep
	Times uint64
}

// Steps is how many statements all rounds execute.
func (r *Repeat) Steps() uint64 { return r.Times * uint64(len(r.Round)) }

// roundsAtOnce is how many instructions are executed between two looks at the context.
const roundsAtOnce = 1 << 22

// A round is one way through a loop, laid out.
type round struct {
	m       *Machine
	before  []uint64 // the variables before the first round
	regs    []uint64
	known   []bool // by register: it is the same in all rounds
	ins     []roundInstr
	begins  map[int32]int32  // by variable that is read: the register with its value at the beginning of a round
	reads   []int32          // these variables, in the order of the first reads
	now     map[int32]int32  // by variable: the register with its value where the way has come to
	writes  []int32          // variables that are assigned, in the order of the first assignments
	numbers map[uint64]int32 // registers of constants
}

// A roundKind says how an instruction is executed.
type roundKind uint8

const (
	general    roundKind = iota // as its term says
	sum                         // what most loops are made of
	conversion                  // moved to the left end and back, which extends signs
	less                        // of unsigned numbers
	lessSigned                  // both moved to the left end of the register
	same
	check // that the register is want; all that follow are as the ones before, and a check of the result
	checkLess
	checkLessSigned
	checkSame
	move
)

// A roundInstr is one instruction. Operands are registers.
type roundInstr struct {
	kind    roundKind
	shift   uint8
	a, b, c int32
	words   []int32 // operands of an operator of 80 bits
	to      int32
	mask    uint64
	want    uint64
	of      *instr
}

// repeat executes the rounds; it says why if the component does not make them. The error is ctx's.
func (r *replayer) repeat(ctx context.Context, want *ScriptStep) (res StepResult, why string, err error) {
	s := &r.state
	t := &round{m: r.m, before: s.vals, begins: map[int32]int32{}, now: map[int32]int32{}, numbers: map[uint64]int32{}}
	if why := t.layOut(want.Repeat.Round); why != "" {
		return res, why, nil
	}
	t.close()
	made, err := t.run(ctx, want.Repeat.Times)
	if err != nil {
		return res, "", err
	}
	if made < want.Repeat.Times {
		return res, fmt.Sprintf("the component leaves the way in round %d of %d", made+1, want.Repeat.Times), nil
	}
	origin := int32(0)
	for _, v := range t.reads {
		if s.taint != nil && origin == 0 {
			origin = s.taint[v]
		}
	}
	res.Tainted = s.tainted(origin)
	for _, v := range t.writes {
		s.set(v, t.regs[t.now[v]], origin)
		res.Changed = append(res.Changed, Binding{s.m.vars[v], s.vals[v]})
	}
	res.Event = Repeated{Times: want.Repeat.Times, Round: locations(want.Repeat.Round)}
	return res, "", nil
}

func locations(steps []ScriptStep) []cfa.Loc {
	all := make([]cfa.Loc, len(steps))
	for i := range steps {
		all[i] = steps[i].Loc
	}
	return all
}

// register is a new one.
func (t *round) register(val uint64, known bool) int32 {
	t.regs, t.known = append(t.regs, val), append(t.known, known)
	return int32(len(t.regs) - 1)
}

// number is the register of a constant.
func (t *round) number(val uint64) int32 {
	r, ok := t.numbers[val]
	if !ok {
		r = t.register(val, true)
		t.numbers[val] = r
	}
	return r
}

// variable is the register that has a variable's value where the way has come to.
func (t *round) variable(v int32) int32 {
	r, ok := t.now[v]
	if !ok {
		r = t.register(t.before[v], false)
		t.begins[v], t.now[v], t.reads = r, r, append(t.reads, v)
	}
	return r
}

// layOut makes the instructions of a round; it says why if there can be none.
func (t *round) layOut(steps []ScriptStep) (why string) {
	for i := range steps {
		next := steps[(i+1)%len(steps)].Loc
		if why := t.statement(&steps[i], next); why != "" {
			return fmt.Sprintf("step %d of the round: %s", i+1, why)
		}
	}
	return ""
}

// statement lays out one step of the way, after which the next one is at a location.
func (t *round) statement(step *ScriptStep, next cfa.Loc) (why string) {
	if int(step.Loc) >= len(t.m.locs) || len(step.Actions) > 0 || step.Inside || step.Repeat != nil {
		return "it is none that is repeated"
	}
	p := &t.m.locs[step.Loc]
	for _, b := range step.Choices {
		if !open(p.stmt, b.Var) {
			return fmt.Sprintf("the script chooses a value for %s, which this statement does not leave open", b.Var.Name())
		}
	}
	switch stmt := p.stmt.(type) {
	case cfa.Assign:
		if why := t.assign(stmt, p, step); why != "" {
			return why
		}
	case cfa.Branch:
		return t.branch(p, next)
	case cfa.Goto:
	default:
		return fmt.Sprintf("%v is not repeated", stmt)
	}
	if p.succ[0] != next {
		return fmt.Sprintf("location %d does not lead to %d", step.Loc, next)
	}
	return ""
}

func (t *round) assign(stmt cfa.Assign, p *laidOut, step *ScriptStep) (why string) {
	if stmt.Approx != "" || stmt.Memory != nil || stmt.Keeps || stmt.Exact != nil {
		return "what is not modelled is not repeated"
	}
	r := int32(0)
	if p.val == nil {
		val, _ := lookup(step.Choices, stmt.LHS)
		r = t.number(cut(stmt.LHS.Type(), val))
	} else {
		r = t.term(p.val)
	}
	if !slices.Contains(t.writes, p.lhs) {
		t.writes = append(t.writes, p.lhs)
	}
	t.now[p.lhs] = r
	return ""
}

// begin is the register with a variable's value at the beginning of a round, -1 if no round reads it.
func (t *round) begin(v int32) int32 {
	if r, ok := t.begins[v]; ok {
		return r
	}
	return -1
}

// branch checks that control goes on at a location.
func (t *round) branch(p *laidOut, next cfa.Loc) (why string) {
	yes, no := p.succ[0] == next, p.succ[1] == next
	switch {
	case !yes && !no:
		return fmt.Sprintf("the branch does not lead to %d", next)
	case yes && no:
		return ""
	}
	r, want := t.term(p.val), truth(yes)
	own := p.val.ins[len(p.val.ins)-1].op != expr.Var // nothing else reads the register
	switch last := len(t.ins) - 1; {
	case own && !t.known[r] && less <= t.ins[last].kind && t.ins[last].kind <= same:
		t.ins[last].kind, t.ins[last].want = t.ins[last].kind-less+checkLess, want
	case !t.known[r]:
		t.ins = append(t.ins, roundInstr{kind: check, a: r, want: want})
	case t.regs[r] != want:
		return "the branch is never left like this"
	}
	return ""
}

// term lays out a term; the result is the register that it is computed into.
func (t *round) term(c *code) int32 {
	regs := make([]int32, len(c.ins))
	for i := range c.ins {
		in := &c.ins[i]
		switch in.op {
		case expr.Const:
			regs[i] = t.number(in.val)
		case expr.Var:
			regs[i] = t.variable(in.a)
		default:
			if in.words != nil {
				regs[i] = t.extended(in, regs)
				continue
			}
			regs[i] = t.operator(in, regs[in.a], regs[in.b], regs[in.c])
		}
	}
	return regs[len(regs)-1]
}

// extended applies an operator of 80 bits; regs are the registers of the term's instructions.
func (t *round) extended(in *instr, regs []int32) int32 {
	words, known := make([]int32, len(in.words)), true
	for i, k := range in.words {
		words[i] = regs[k]
		known = known && t.known[words[i]]
	}
	if known {
		return t.number(in.applyExtended(t.regs, words))
	}
	out := roundInstr{words: words, to: t.register(0, false), of: in}
	t.ins = append(t.ins, out)
	return out.to
}

// operator applies an operator to registers.
func (t *round) operator(in *instr, a, b, c int32) int32 {
	if n := arity(in.op); t.known[a] && (n < 2 || t.known[b]) && (n < 3 || t.known[c]) {
		return t.number(in.apply(t.regs[a], t.regs[b], t.regs[c]))
	}
	out := roundInstr{a: a, b: b, c: c, to: t.register(0, false), of: in}
	switch {
	case in.op == expr.Add:
		out.kind, out.mask = sum, cut(in.to, ^uint64(0))
	case in.op == expr.Cast:
		out.kind, out.mask = conversion, cut(in.to, ^uint64(0))
		if in.typ.Signed {
			out.shift = uint8(64 - in.typ.Width)
		}
	case in.op == expr.Eq:
		out.kind = same
	case in.op == expr.Lt && in.typ.Signed:
		out.kind, out.shift = lessSigned, uint8(64-in.typ.Width)
	case in.op == expr.Lt:
		out.kind = less
	}
	t.ins = append(t.ins, out)
	return out.to
}

// arity is how many operands an operator has.
func arity(op expr.Op) int {
	switch op {
	case expr.Not, expr.Neg, expr.Compl, expr.Cast,
		expr.FNeg, expr.FAbs, expr.FSqrt, expr.FRound, expr.FCast, expr.FToInt, expr.IntToF, expr.FBits, expr.FFrom:
		return 1
	case expr.Ite, expr.FFma:
		return 3
	}
	return 2
}

// close makes the values at the end of a round those at the beginning of the next one. What is only a
// variable's value of the beginning is saved first, for that variable gets another one.
func (t *round) close() {
	isBegin := map[int32]bool{}
	for _, r := range t.begins {
		isBegin[r] = true
	}
	for _, v := range t.writes {
		if r := t.now[v]; isBegin[r] && r != t.begin(v) {
			saved := t.register(t.regs[r], false)
			t.ins = append(t.ins, roundInstr{kind: move, a: r, to: saved})
			t.now[v] = saved
		}
	}
	for _, v := range t.writes {
		if r := t.begin(v); r >= 0 && r != t.now[v] && !isBegin[t.now[v]] {
			t.settle(v, r)
		}
	}
	for _, v := range t.writes {
		if r := t.begin(v); r >= 0 && r != t.now[v] {
			t.ins = append(t.ins, roundInstr{kind: move, a: t.now[v], to: r})
		}
	}
}

// settle lets the instruction that computes a variable's last value write it where the next round
// begins with it, if what is there is not read any more.
func (t *round) settle(v, begin int32) {
	r := t.now[v]
	k := slices.IndexFunc(t.ins, func(in roundInstr) bool { return in.to == r && (in.kind < check || in.kind == move) })
	if k < 0 || slices.ContainsFunc(t.ins[k+1:], func(in roundInstr) bool {
		return slices.Contains(in.operands(), begin)
	}) {
		return
	}
	t.ins[k].to = begin
	for i := range t.ins[k+1:] {
		in := &t.ins[k+1+i]
		for _, operand := range []*int32{&in.a, &in.b, &in.c} {
			if *operand == r {
				*operand = begin
			}
		}
		for j := range in.words {
			if in.words[j] == r {
				in.words[j] = begin
			}
		}
	}
	for _, w := range t.writes {
		if t.now[w] == r {
			t.now[w] = begin
		}
	}
}

// operands are the registers that an instruction reads.
func (in *roundInstr) operands() []int32 {
	if in.words != nil {
		return in.words
	}
	n := 2
	switch in.kind {
	case check, move, conversion:
		n = 1
	case general:
		n = arity(in.of.op)
	}
	return []int32{in.a, in.b, in.c}[:n]
}

// run executes rounds, and says how many were made before one left the way.
func (t *round) run(ctx context.Context, times uint64) (made uint64, err error) {
	batch := uint64(max(1, roundsAtOnce/(len(t.ins)+1)))
	for made < times {
		if ctx.Err() != nil {
			return made, context.Cause(ctx)
		}
		for range min(batch, times-made) {
			if !t.once() {
				return made, nil
			}
			made++
		}
	}
	return made, nil
}

// once executes one round; false if it leaves the way.
func (t *round) once() bool {
	regs := t.regs
	for i := range t.ins {
		in := &t.ins[i]
		switch in.kind {
		case sum:
			regs[in.to] = (regs[in.a] + regs[in.b]) & in.mask
		case conversion:
			regs[in.to] = uint64(int64(regs[in.a]<<in.shift)>>in.shift) & in.mask
		case less:
			regs[in.to] = truth(regs[in.a] < regs[in.b])
		case lessSigned:
			regs[in.to] = truth(int64(regs[in.a]<<in.shift) < int64(regs[in.b]<<in.shift))
		case same:
			regs[in.to] = truth(regs[in.a] == regs[in.b])
		case check:
			if regs[in.a] != in.want {
				return false
			}
		case checkLess:
			if truth(regs[in.a] < regs[in.b]) != in.want {
				return false
			}
		case checkLessSigned:
			if truth(int64(regs[in.a]<<in.shift) < int64(regs[in.b]<<in.shift)) != in.want {
				return false
			}
		case checkSame:
			if truth(regs[in.a] == regs[in.b]) != in.want {
				return false
			}
		case move:
			regs[in.to] = regs[in.a]
		default:
			if in.words != nil {
				regs[in.to] = in.of.applyExtended(regs, in.words)
				continue
			}
			regs[in.to] = in.of.apply(regs[in.a], regs[in.b], regs[in.c])
		}
	}
	return true
}
