package lower

// Models of the C library (package libc), and what means something in them only.
//
// Idea: a model is inlined like a body of the program's. A loop over the characters of a
// text is written out, one copy for each character, where it is known how far it
// can go: the characters of a string literal, or an array of few elements. A copy
// has its own locations, so that no predicate has to tell how far the loop is.
// Where that is not known, models that read only write out a few, behind which they give
// a value that no violation rests on; other models of a text are left to library.go.
//
// Cost: of a loop that is written out, as many copies as there are characters.

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/cfa/source/libc"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

const (
	modelPrefix = "__magus_"
	modelSteps  = modelPrefix + "steps"
	modelOrFew  = modelSteps + "_or_few"
	// maxSteps is the most copies of a loop, fewSteps how many there are where it may go further.
	maxSteps, fewSteps = 64, 12
)

// model is the model that a call means, or nil.
func (l *library) model(c *callSite) *source.Procedure {
	if how := l.prog.Stranger(c.name); how != "" && c.body == nil {
		l.Assume(cfa.AboutLibrary, c.pos,
			"%s is declared with another type than in the C library (%s): nothing is known of it", c.name, how)
		return nil
	}
	m := l.prog.ModelOf(c.name)
	if m == nil || m.Pos.File == keyModels && !l.opt.InitGlobals || c.body != nil ||
		l.prog.Body(l.fr.proc.File, c.name) != nil || slices.Contains(l.opt.ErrorFunctions, c.name) ||
		l.threading.threadFunction(c.name) != nil || slices.ContainsFunc(c.args, storesCount) && printsNew(c.name) {
		return nil
	}
	loops := loopBounds(m, l.opt.CheckPointers)
	if len(loops) == 0 {
		return m
	}
	l.evalModelArgs(c, m)
	for _, params := range loops {
		if l.steps(pick(c.vals, params)) == 0 && !l.Dead() {
			return nil
		}
	}
	return m
}

// evalModelArgs evaluates the arguments of a call as the parameters of a model take them.
func (l *library) evalModelArgs(c *callSite, m *source.Procedure) {
	taken := *c
	taken.typ = m.Type
	if c.vals = l.calls.evalArgs(&taken); c.vals == nil {
		c.vals = []value{}
	}
}

// pick are some of the values.
func pick(vals []value, which []int) []value {
	var some []value
	for _, i := range which {
		if 0 <= i && i < len(vals) {
			some = append(some, vals[i])
		}
	}
	return some
}

// keepErrno are the files whose functions leave errno alone but where they say so. C
// lets any other function change it, also one that succeeds.
var keepErrno = nameSet("string.c ctype.c pthread.c semaphore.c threads.c key.c number.c")

// keyModels begin without any key, as a program does: elsewhere nothing is known of keys, and of what is kept for them.
const keyModels = libc.Dir + "/key.c"

// inlineModel is a call that a model stands for.
func (l *library) inlineModel(c *callSite, m *source.Procedure) value {
	if !keepErrno[path.Base(m.Pos.File)] {
		if c.vals == nil {
			l.evalModelArgs(c, m)
		}
		l.changesErrno(c)
	}
	if path.Base(m.Pos.File) != "math.c" {
		l.usesPrinted(c, m)
		l.usesUnmentioned(c, m)
		return l.calls.inline(c, m)
	}
	if v, ok := l.longRemainder(c); ok {
		return v
	}
	if v, ok := l.elementary(c); ok {
		return v
	}
	args := slices.Clone(c.vals)
	l.usesUnmentioned(c, m)
	return l.bounded(c, args, l.calls.inline(c, m))
}

// loopBounds are, for each loop of a model that is written out, the parameters on
// which it depends how far it can go. Where pointers are checked a loop goes over all
// characters, or the model is not used.
func loopBounds(m *source.Procedure, checked bool) (loops [][]int) {
	source.Inspect(m.Def.CompoundStatement, func(n any) bool {
		call, ok := n.(*cc.PostfixExpression)
		if !ok || call.Case != cc.PostfixExpressionCall {
			return true
		}
		if name := source.CalleeName(call); name != modelSteps && !(checked && name == modelOrFew) {
			return true
		}
		var params []int
		for _, a := range source.Arguments(call) {
			params = append(params, parameterOf(m, a))
		}
		loops = append(loops, params)
		return false
	})
	return loops
}

// parameterOf is the parameter that an expression is, or -1.
func parameterOf(pr *source.Procedure, n cc.ExpressionNode) int {
	d := source.Declarator(source.Unparen(n))
	return slices.IndexFunc(source.Parameters(pr.Type), func(p *cc.Parameter) bool {
		return d != nil && p.Declarator == d
	})
}

// steps is how far a loop over the characters of texts, or over a number of them,
// can go, one more than there are; 0 if that is not known.
func (l *library) steps(vals []value) int64 {
	least := int64(0)
	for _, v := range vals {
		if n := l.extent(v); n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	if least > maxSteps {
		return 0
	}
	return least
}

// extent is that for one text or number.
func (l *library) extent(v value) int64 {
	if v.t == nil {
		return 0
	}
	t := l.Pool.Subst(v.t, l.fr.constants)
	if v.class != classPtr {
		if t.IsConst() && t.Int() >= 0 && t.Int() < maxSteps {
			return t.Int() + 1
		}
		return 0
	}
	if n, ok := l.objects.textLength(t); ok {
		return n + 1
	}
	b, off := l.mem.ObjectOf(t)
	if b != nil && !b.IsFunction() && off >= 0 && b.Size()-off <= l.library.arrayLimit() {
		return max(b.Size()-off, 0) + 1
	}
	return 0
}

// arrayLimit is up to how many elements of an array have variables.
func (l *library) arrayLimit() int64 {
	if l.opt.ArrayLimit == 0 {
		return DefaultArrayLimit
	}
	return int64(l.opt.ArrayLimit)
}

// unrolled lowers the loop `for (size_t i = 0; i < __magus_steps(…); i++)` of a
// model: one copy of its body for each value of i.
func (l *library) unrolled(n *cc.IterationStatement) bool {
	if !l.prog.IsModel(l.fr.proc.File) || n.Case != cc.IterationStatementForDecl {
		return false
	}
	less, ok := n.ExpressionList.(*cc.RelationalExpression)
	if !ok {
		return false
	}
	call, ok := less.ShiftExpression.(*cc.PostfixExpression)
	if !ok || !strings.HasPrefix(source.CalleeName(call), modelSteps) {
		return false
	}
	d := n.Declaration.InitDeclaratorList.InitDeclarator.Declarator
	var vals []value
	for _, a := range source.Arguments(call) {
		vals = append(vals, l.expressions.rvalue(a))
	}
	var breaks cfa.Ends
	steps := l.steps(vals)
	if steps == 0 && source.CalleeName(call) == modelOrFew {
		steps = fewSteps
	}
	for k := range steps {
		if l.Dead() {
			break
		}
		l.fr.locals[d] = l.Pool.Int(l.ctypeOf(d.Type()).typ, k)
		j := &jumps{scope: l.fr.scope}
		l.statements.loopBody(j, n.Statement)
		l.Join(j.continues)
		breaks = append(breaks, j.breaks...)
	}
	l.Join(breaks)
	return true
}

// constantResult is what a model gives that does nothing but return a constant.
func (l *library) constantResult(pr *source.Procedure, ret ctype) (v value, ok bool) {
	if !l.prog.IsModel(pr.File) || !ret.scalar() {
		return v, false
	}
	e := onlyReturns(pr.Def.CompoundStatement)
	if e == nil || !l.expressions.pure(e) {
		return v, false
	}
	v = l.expressions.convert(l.expressions.rvalue(e), ret, e)
	return v, v.t != nil && v.t.IsConst()
}

// onlyReturns is the value that a body returns which does nothing else, or nil. The
// front end declares __func__ in each.
func onlyReturns(body *cc.CompoundStatement) cc.ExpressionNode {
	for b := body.BlockItemList; b != nil; b = b.BlockItemList {
		switch s := b.BlockItem.Statement; {
		case s != nil && s.JumpStatement != nil && s.JumpStatement.Case == cc.JumpStatementReturn &&
			s.JumpStatement.ExpressionList != nil:
			return s.JumpStatement.ExpressionList
		case s != nil || b.BlockItem.Declaration == nil || !source.DeclaresFunc(b.BlockItem.Declaration):
			return nil
		}
	}
	return nil
}

// noteAlias notes that a parameter of a model is a variable of the caller's that
// nothing changes while the model runs: a local one whose address nobody has.
func (l *library) noteAlias(pr *source.Procedure, param *expr.Expr, val value) {
	if !l.prog.IsModel(pr.File) || val.t == nil || val.t.Op() != expr.Var || val.t.Type() != param.Type() {
		return
	}
	for fr := l.fr.parent; fr != nil; fr = fr.parent {
		for d, v := range fr.locals {
			if v == val.t && !d.AddressTaken() {
				l.fr.constants[param] = val.t
				return
			}
		}
	}
}

// called is the call of the program's by which control came to the current model,
// and the model's name.
func (l *library) called() (name string, pos cfa.Pos) {
	for fr := l.fr; fr != nil && l.prog.IsModel(fr.proc.File); fr = fr.parent {
		name, pos = fr.proc.Name, fr.call
	}
	return name, pos
}

// modelIntrinsic is the meaning of a name that models use, or nil.
func modelIntrinsic(name string) intrinsic {
	switch strings.TrimPrefix(name, modelPrefix) {
	case "int", "long", "double", "pointer":
		return modelResult
	case "open_int", "open_long":
		return func(l *lowerer, c *callSite) value {
			name, _ := l.library.called()
			return value{c.ret, l.Any(c.ret.typ, "what C leaves open of "+name, "", c.pos), nil}
		}
	case "unknown_int", "unknown_long", "unknown_long_long", "unknown_pointer":
		return func(l *lowerer, c *callSite) value {
			name, _ := l.library.called()
			v := l.Any(c.ret.typ, name, notModelled(name), c.pos)
			l.mem.MarkPointer(v, c.ret.class == classPtr)
			return value{c.ret, v, nil}
		}
	case "unknown_double", "unknown_float", "unknown_long_double", "unknown_float128":
		return unknownNumber
	case "bits", "bitsf", "number_of", "number_off":
		return bitsOfNumber
	case "trunc", "truncf", "truncl", "copysign", "copysignf", "copysignl", "truncf128", "copysignf128", "remainder",
		"remainderf":
		return floatFunction(strings.TrimPrefix(name, modelPrefix))
	case "number":
		return func(l *lowerer, c *callSite) value { return modelFact(l, c, memory.Number) }
	case "text_end", "text_endf", "text_endl", "text_number", "text_numberf", "text_numberl", "text_error", "text_errorf",
		"text_errorl", "text_endf128", "text_numberf128", "text_errorf128":
		return textNumber
	case "number_end":
		return func(l *lowerer, c *callSite) value { return modelFact(l, c, memory.NumberEnd) }
	case "error":
		return modelError
	case "known":
		return func(l *lowerer, c *callSite) (v value) {
			l.Known(func() { v = assume(l, c) })
			return v
		}
	case "assume":
		return assume
	case "told":
		return func(l *lowerer, c *callSite) value {
			what, _ := source.StringLiteral(c.args[0])
			name, pos := l.library.called()
			l.Assume(cfa.AboutLibrary, pos, "%s: %s", name, what)
			return value{ctype: ctVoid}
		}
	case "succeeds":
		return modelSucceeds
	case "memory", "blur":
		return modelMemory
	case "object":
		return modelObject
	case "touch", "output":
		return modelTouch
	case "handle":
		return modelHandle
	case "new":
		return modelNew
	case "printed":
		return modelPrinted
	case "closed":
		return func(l *lowerer, c *callSite) value {
			if v := l.calls.evalArgs(c)[0]; v.t != nil {
				l.Emit(memory.Free{Addr: v.t, Handle: true}, c.pos)
			}
			return value{ctype: ctVoid}
		}
	case "halt":
		return halt
	case "wait":
		return func(l *lowerer, c *callSite) value {
			l.Wait(c.name, c.pos)
			return l.dead(c)
		}
	case "threads":
		return func(l *lowerer, c *callSite) value {
			return value{c.ret, l.Pool.FromBool(c.ret.typ, l.Pool.Bool(l.threading.concurrent())), nil}
		}
	case "thread":
		return func(l *lowerer, c *callSite) value {
			return value{c.ret, l.Pool.Const(c.ret.typ, uint64(l.fr.thread)), nil}
		}
	case "deadlocks":
		return func(l *lowerer, c *callSite) value {
			return value{c.ret, l.Pool.FromBool(c.ret.typ, l.Pool.Bool(l.threading.waitsForSignals())), nil}
		}
	case "early":
		return func(l *lowerer, c *callSite) value { return value{c.ret, l.threading.early(c.ret.typ, c.pos), nil} }
	case "atomic_begin", "atomic_end":
		return sectionEnd
	case "undefined":
		return modelUndefined
	case "unmodelled":
		return func(l *lowerer, c *callSite) value {
			what, _ := source.StringLiteral(c.args[0])
			name, pos := l.library.called()
			return l.refuseAt(pos, "call of "+name, what)
		}
	}
	return nil
}

// modelSucceeds tells that the program's call of a model succeeds, where somebody looks.
func modelSucceeds(l *lowerer, c *callSite) value {
	fr := l.fr
	for fr.parent != nil && l.prog.IsModel(fr.parent.proc.File) {
		fr = fr.parent
	}
	if fr.result != nil {
		l.Assume(cfa.AboutLibrary, fr.call, "%s succeeds", fr.proc.Name)
	}
	return value{ctype: ctVoid}
}

// modelResult is any value as what the function gives.
func modelResult(l *lowerer, c *callSite) value {
	name, pos := l.library.called()
	l.Assume(cfa.AboutLibrary, pos, "%s gives any result that C allows", name)
	if c.ret.class == classOpaque {
		return value{ctOpaque, nil, nil}
	}
	if c.ret.class == classFloat || c.ret.class == classExtended {
		return value{c.ret, l.Any(c.ret.typ, name, "", pos), nil}
	}
	if c.ret.class == classPtr {
		v := l.Any(c.ret.typ, "what C leaves open of "+name, "", pos)
		l.mem.MarkPointer(v, true)
		return value{c.ret, v, nil}
	}
	return value{c.ret, l.Any(c.ret.typ, name, "", pos), nil}
}

// modelFact is what a text says.
func modelFact(l *lowerer, c *callSite, fact memory.Fact) value {
	text := l.calls.evalArgs(c)[0]
	if text.t == nil || l.Dead() {
		return l.dead(c)
	}
	name, pos := l.library.called()
	v := l.Temp("text", c.ret.typ, pos)
	l.Emit(memory.ScanText{At: textAt(text.t), Says: []memory.Said{{LHS: v, Fact: fact}}, Approx: notModelled(name)}, pos)
	return value{c.ret, v, nil}
}

// textAt is the text at an address.
func textAt(addr *expr.Expr) memory.Ref { return memory.CharacterAt(memory.Address{Base: addr}) }

// modelError is any positive number.
func modelError(l *lowerer, c *callSite) value {
	name, pos := l.library.called()
	v := l.Any(c.ret.typ, "errno of "+name, "", pos)
	positive, not := l.Branch(l.Pool.Lt(l.Pool.Int(v.Type(), 0), v), pos)
	l.Continue(not)
	l.Halt("assume", pos)
	l.Continue(positive)
	return value{c.ret, v, nil}
}

// modelUndefined is what C or POSIX leave undefined, and libraries do in some way: an error
// where pointers are checked, else an assumption.
func modelUndefined(l *lowerer, c *callSite) value {
	what, _ := source.StringLiteral(c.args[0])
	name, pos := l.library.called()
	switch {
	case l.Dead():
	case l.opt.CheckPointers:
		l.Error(name+": "+what, pos)
	default:
		l.Assume(cfa.AboutThreads, pos, "%s: where %s, it does what common libraries do", name, what)
	}
	return value{ctype: ctVoid}
}

// modelMemory gives any value to so many bytes.
func modelMemory(l *lowerer, c *callSite) value {
	vals := l.calls.evalArgs(c)
	if vals[0].t == nil || vals[1].t == nil || l.Dead() {
		return l.dead(c)
	}
	name, pos := l.library.called()
	f := memory.Fill{To: at(vals[0].t), Size: l.library.size(vals[1]), Nondet: name}
	if f.Size < 0 {
		f.Length = l.library.length(vals[1])
	}
	if c.name == modelPrefix+"blur" {
		f.Approx = notModelled(name)
	}
	if f.Size != 0 {
		l.Emit(f, pos)
	}
	return value{ctype: ctVoid}
}

// modelObject gives any value to what a parameter is declared to point to.
func modelObject(l *lowerer, c *callSite) value {
	v := l.calls.evalArgs(c)[0]
	if v.t == nil || l.Dead() {
		return l.dead(c)
	}
	name, pos := l.library.called()
	f := memory.Fill{To: at(v.t), Size: -1, Nondet: name, Approx: "how much " + name + " stores"}
	if t := l.prog.Pointee(name, parameterOf(l.fr.proc, c.args[0])); t != nil && l.bytes(t) > 0 && !t.IsIncomplete() {
		f.Size, f.Approx = l.bytes(t), ""
	}
	l.Emit(f, pos)
	return value{ctype: ctVoid}
}

// modelTouch uses so many bytes, or gives them out.
func modelTouch(l *lowerer, c *callSite) value {
	vals := l.calls.evalArgs(c)
	if vals[0].t == nil || vals[1].t == nil || l.Dead() {
		return l.dead(c)
	}
	if c.name == modelPrefix+"output" {
		l.library.emitTouch(memory.Touch{At: at(vals[0].t), Maybe: true, Out: true}, l.library.length(vals[1]), c.pos)
	} else {
		l.library.touch(c, vals[0], l.library.length(vals[1]), false, false)
	}
	return value{ctype: ctVoid}
}

// modelHandle is the address of something new.
func modelHandle(l *lowerer, c *callSite) value {
	name, pos := l.library.called()
	s := memory.Site{Name: fmt.Sprintf("%s@%d:%d", name, pos.Line, pos.Col), Size: 1, Lasts: true, Pos: pos}
	return value{ctype{class: classPtr, typ: l.pointer}, l.mem.Allocate(name, s), nil}
}

// modelNew is the address of new memory, or NULL.
func modelNew(l *lowerer, c *callSite) value {
	vals := l.calls.evalArgs(c)
	if vals[0].t == nil || l.Dead() {
		return l.dead(c)
	}
	of := callSite{}
	of.name, of.pos = l.library.called()
	if l.library.tooMuch(vals) {
		return l.library.noMemory(&of)
	}
	size, length := l.library.sizeOf(vals)
	return l.library.allocated(&of, size, length, nil, true, nil)
}

// modelPrinted is how many characters the program's call prints, if that is known: else any number. No text is longer
// than the number can say.
func modelPrinted(l *lowerer, c *callSite) value {
	n := l.library.prints
	if l.library.prints = nil; n == nil {
		name, pos := l.library.called()
		n = l.Any(c.ret.typ, name, notModelled(name), pos)
	}
	return value{c.ret, l.Pool.And(l.Pool.Cast(c.ret.typ, n), l.Pool.Int(c.ret.typ, math.MaxInt32)), nil}
}

// hasAtExit reports whether the end of the program may call something.
func (l *facts) hasAtExit() bool {
	return l.prog.LibraryFunction(libc.AtExit) != nil || len(l.prog.Destructors()) > 0
}

// runAtExit calls what atexit was given, and then the destructors.
func (l *library) runAtExit(pos cfa.Pos) {
	defer l.statements.destruct(pos)
	m := l.prog.LibraryFunction(libc.AtExit)
	if m == nil || l.Dead() {
		return
	}
	if l.calls.calling(m) {
		l.refuseAt(pos, "a function given to atexit that ends the program", "")
		return
	}
	l.calls.inline(&callSite{name: m.Name, pos: pos, typ: m.Type, vals: []value{}, ret: ctVoid}, m)
}
