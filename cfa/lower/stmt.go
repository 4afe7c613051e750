package lower

// Lowering of statements.

import (
	"cmp"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/source"
	"magus/cfa/source/reword"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// jumps collects the break and continue statements of a loop or switch.
type jumps struct {
	breaks, continues cfa.Ends
	isSwitch          bool
	cases             map[*cc.LabeledStatement]cfa.Ends
	scope             *scope
}

// A label is a location to go to.
type label struct {
	at    cfa.Loc
	scope *scope
}

// A pendingGoto is a goto whose label may not have been met yet.
type pendingGoto struct {
	from  cfa.Ends
	to    *cc.LabeledStatement
	scope *scope
	pos   cfa.Pos
}

// body lowers a procedure's body into the current instance. Control that
// falls off its end is left open.
func (l *statements) body(pr *source.Procedure) {
	l.calls.findNested(pr)
	m, known := l.mistakes[pr]
	if !known {
		m = l.prog.Layouts.Mistyped(pr.Def)
		l.mistakes[pr] = m
	}
	if m != nil {
		l.fail(m.Pos, m)
	}
	for _, q := range source.Parameters(pr.Type) {
		l.objects.evaluateParameter(q)
	}
	l.compound(pr.Def.CompoundStatement)
	end := l.Ends()
	for _, g := range l.fr.gotos {
		lb := l.fr.labels[g.to]
		if lb == nil && l.Err() != nil {
			return
		}
		if lb == nil {
			panic(fmt.Sprintf("label of the goto at %v was not lowered", g.pos))
		}
		l.Continue(g.from)
		l.exit(g.scope, lb.scope, g.pos)
		l.enterScope(g.scope, lb.scope, g.pos)
		l.Patch(l.Ends(), lb.at)
	}
	l.calls.land()
	l.Continue(end)
}

func (l *statements) compound(n *cc.CompoundStatement) {
	defer l.closeBlock(l.openBlock(), source.Position(n.Token2.Position()))
	for list := n.BlockItemList; list != nil && l.Err() == nil; list = list.BlockItemList {
		l.blockItem(list.BlockItem)
	}
}

func (l *statements) blockItem(n *cc.BlockItem) {
	switch n.Case {
	case cc.BlockItemDecl:
		l.objects.declaration(n.Declaration)
	case cc.BlockItemStmt:
		l.statement(n.Statement)
	case cc.BlockItemFuncDef:
		l.calls.defines(n)
	}
}

func (l *statements) statement(n *cc.Statement) {
	if does(n) {
		defer l.EndStatement(l.begin(source.Position(n.Position())))
	}
	switch n.Case {
	case cc.StatementLabeled:
		l.labeled(n.LabeledStatement)
	case cc.StatementCompound:
		l.compound(n.CompoundStatement)
	case cc.StatementExpr:
		if e := n.ExpressionStatement.ExpressionList; e != nil && !l.Dead() {
			l.expressions.discard(e)
		}
	case cc.StatementSelection:
		l.selection(n.SelectionStatement)
	case cc.StatementIteration:
		l.iteration(n.IterationStatement)
	case cc.StatementJump:
		l.jump(n.JumpStatement)
	case cc.StatementAsm:
		if !l.Dead() {
			l.asm(n.AsmStatement.Asm)
		}
	}
}

// begin begins a statement that counts among what a proof reaches. Those of models of
// the C library belong to the call.
func (l *statements) begin(pos cfa.Pos) (before int32) {
	if l.prog.IsModel(l.fr.proc.File) {
		return l.Statement()
	}
	return l.BeginStatement(pos, l.fr.proc.Name)
}

// does reports whether a statement does something, apart from those in it: it
// counts among what a proof reaches.
func does(n *cc.Statement) bool {
	switch n.Case {
	case cc.StatementExpr:
		return n.ExpressionStatement.ExpressionList != nil
	case cc.StatementSelection, cc.StatementIteration, cc.StatementAsm:
		return true
	case cc.StatementJump:
		return n.JumpStatement.Case == cc.JumpStatementReturn
	}
	return false
}

// join is a location for several ways to meet: the label that follows.
func (l *statements) join(pos cfa.Pos) cfa.Loc { return l.Meet(pos) }

func (l *statements) labeled(n *cc.LabeledStatement) {
	pos := source.Position(n.Position())
	switch n.Case {
	case cc.LabeledStatementLabel:
		at := l.join(pos)
		l.head(at, pos, false)
		l.fr.labels[n] = &label{at, l.fr.scope}
		if name := reword.LabelName(n.Token.SrcStr()); slices.Contains(l.opt.ErrorLabels, name) {
			l.labelsSeen[name] = true
			l.failing("label "+name, pos)
		}
	default:
		sw := l.innerSwitch()
		if sw == nil {
			panic(fmt.Sprintf("%v: case outside a switch", pos))
		}
		fallThrough := l.Ends()
		l.Continue(sw.cases[n])
		l.enterScope(sw.scope, l.fr.scope, pos)
		l.Join(fallThrough)
		if l.Dead() {
			l.Because(cfa.NoWay, pos, "")
		}
	}
	l.statement(n.Statement)
}

// head notes the head of a loop, or a label, of the program.
func (l *statements) head(at cfa.Loc, pos cfa.Pos, loop bool) {
	if !l.prog.IsModel(l.fr.proc.File) {
		l.Head(at, pos, loop)
	}
}

func (l *statements) innerSwitch() *jumps {
	for _, j := range slices.Backward(l.fr.loops) {
		if j.isSwitch {
			return j
		}
	}
	return nil
}

func (l *statements) selection(n *cc.SelectionStatement) {
	if n.Case == cc.SelectionStatementSwitch {
		l.switchStmt(n)
		return
	}
	then, els := l.expressions.cond(n.ExpressionList)
	l.Decide(then, els)
	l.Continue(then)
	l.decided(then, els, n.ExpressionList, "false")
	l.statement(n.Statement)
	end := l.Ends()
	l.Continue(els)
	l.decided(els, then, n.ExpressionList, "true")
	if n.Case == cc.SelectionStatementIfElse {
		l.statement(n.Statement2)
	}
	l.Join(end)
}

// decided notes that what follows is dead because a condition always has a value:
// no control comes here, but some on the other side.
func (l *statements) decided(here, other cfa.Ends, cond cc.ExpressionNode, value string) {
	if len(here) == 0 && len(other) > 0 {
		l.Because(cfa.NeverHolds, source.Position(cond.Position()), value)
	}
}

// switchStmt tests the cases one after the other, in the order of the source.
func (l *statements) switchStmt(n *cc.SelectionStatement) {
	v := l.expressions.promote(l.expressions.rvalue(n.ExpressionList), n.ExpressionList)
	sw := &jumps{isSwitch: true, cases: map[*cc.LabeledStatement]cfa.Ends{}, scope: l.fr.scope}
	var def *cc.LabeledStatement
	seen := map[*expr.Expr]cfa.Pos{}
	labels := slices.Clone(n.LabeledStatements())
	slices.SortStableFunc(labels, func(a, b *cc.LabeledStatement) int {
		return cmp.Compare(a.CaseOrdinal(), b.CaseOrdinal())
	})
	for _, c := range labels {
		if c.Case == cc.LabeledStatementDefault {
			def = c
			continue
		}
		if v.t == nil || c.Case == cc.LabeledStatementLabel {
			continue
		}
		is, ok := l.caseCond(v, c)
		if !ok {
			continue
		}
		pos := source.Position(c.Position())
		if first, twice := seen[is]; twice && !is.IsConst() {
			l.fail(pos, cfa.Fault(pos, fmt.Sprintf("duplicate case, first at %v", first)))
			continue
		}
		seen[is] = pos
		match, rest := l.Branch(is, pos)
		sw.cases[c] = match
		l.Continue(rest)
	}
	if def != nil {
		sw.cases[def] = l.Ends()
	} else {
		sw.breaks = l.Ends()
	}
	l.Cut()
	l.fr.loops = append(l.fr.loops, sw)
	l.statement(n.Statement)
	l.fr.loops = l.fr.loops[:len(l.fr.loops)-1]
	l.Join(sw.breaks)
}

// caseCond is the condition under which v selects the case.
func (l *statements) caseCond(v value, c *cc.LabeledStatement) (*expr.Expr, bool) {
	lo, ok := l.constant(c.ConstantExpression, v.t.Type())
	if !ok {
		return nil, false
	}
	if c.Case != cc.LabeledStatementRange {
		return l.Pool.Eq(v.t, lo), true
	}
	hi, ok := l.constant(c.ConstantExpression2, v.t.Type())
	if !ok {
		return nil, false
	}
	return l.Pool.Land(l.Pool.Le(lo, v.t), l.Pool.Le(v.t, hi)), true
}

// constant is the value of an integer constant expression, converted to t.
func (l *statements) constant(n cc.ExpressionNode, t expr.Type) (*expr.Expr, bool) {
	if l.expressions.pure(n) {
		if v := l.expressions.rvalue(n); v.class == classInt && v.t.IsConst() {
			return l.Pool.Cast(t, v.t), true
		}
	}
	if v, ok := l.libraryConst(n); ok && v.t != nil {
		return l.Pool.Cast(t, v.t), true
	}
	l.refuse(n, "a case label that is not an integer constant", "")
	return nil, false
}

func (l *statements) iteration(n *cc.IterationStatement) {
	pos := source.Position(n.Position())
	defer l.closeBlock(l.openBlock(), pos)
	if l.library.unrolled(n) {
		return
	}
	j := &jumps{scope: l.fr.scope}
	switch n.Case {
	case cc.IterationStatementFor:
		if n.ExpressionList != nil {
			l.expressions.discard(n.ExpressionList)
		}
		l.forLoop(j, n.ExpressionList2, n.ExpressionList3, n.Statement, pos)
	case cc.IterationStatementForDecl:
		l.objects.declaration(n.Declaration)
		j.scope = l.fr.scope
		l.forLoop(j, n.ExpressionList, n.ExpressionList2, n.Statement, pos)
	case cc.IterationStatementWhile:
		if l.waitsOnly(n) {
			l.waitLoop(n, pos)
			break
		}
		l.forLoop(j, n.ExpressionList, nil, n.Statement, pos)
	case cc.IterationStatementDo:
		head := l.join(pos)
		l.loopBody(j, n.Statement)
		l.Join(j.continues)
		again, exit := l.expressions.cond(n.ExpressionList)
		l.Decide(again, exit)
		l.Patch(again, head)
		l.Continue(exit)
	}
	l.Join(j.breaks)
}

// forLoop lowers for (; cond; step) body.
func (l *statements) forLoop(j *jumps, cond, step cc.ExpressionNode, body *cc.Statement, pos cfa.Pos) {
	head := l.join(pos)
	l.head(head, pos, true)
	var exit cfa.Ends
	if cond != nil {
		var in cfa.Ends
		in, exit = l.expressions.cond(cond)
		l.Decide(in, exit)
		l.Continue(in)
		l.decided(in, exit, cond, "false")
	}
	l.loopBody(j, body)
	l.Join(j.continues)
	if step != nil {
		l.expressions.discard(step)
	}
	l.Patch(l.Ends(), head)
	l.Continue(exit)
	if len(exit) == 0 && len(j.breaks) == 0 {
		l.Because(cfa.NoWay, pos, "")
	}
}

func (l *statements) loopBody(j *jumps, body *cc.Statement) {
	l.fr.loops = append(l.fr.loops, j)
	l.statement(body)
	l.fr.loops = l.fr.loops[:len(l.fr.loops)-1]
}

func (l *statements) jump(n *cc.JumpStatement) {
	pos := source.Position(n.Position())
	if !l.Dead() {
		defer l.Because(cfa.NoWay, pos, "")
	}
	switch n.Case {
	case cc.JumpStatementGoto:
		to := l.labelsOf(l.fr.proc).Named(n, n.Token2.SrcStr())
		if to == nil {
			l.refuse(n, "goto "+reword.LabelName(n.Token2.SrcStr())+", which is not a label here", "")
			return
		}
		l.goTo(to, pos)
	case cc.JumpStatementGotoExpr:
		l.computedGoto(n, pos)
	case cc.JumpStatementContinue:
		for _, j := range slices.Backward(l.fr.loops) {
			if !j.isSwitch {
				l.exit(l.fr.scope, j.scope, pos)
				j.continues = append(j.continues, l.Ends()...)
				break
			}
		}
	case cc.JumpStatementBreak:
		if k := len(l.fr.loops); k > 0 {
			j := l.fr.loops[k-1]
			l.exit(l.fr.scope, j.scope, pos)
			j.breaks = append(j.breaks, l.Ends()...)
		}
	case cc.JumpStatementReturn:
		l.returnStmt(n, pos)
	}
	l.Cut()
}

func (l *statements) returnStmt(n *cc.JumpStatement, pos cfa.Pos) {
	ret := l.ctypeOf(l.fr.proc.Type.Result())
	fr := l.fr
	inner := fr.parent != nil || fr.thread > 0
	if !inner {
		ret = l.observed(l.fr.proc.Type.Result())
	}
	switch {
	case fr.resultAt != nil && n.ExpressionList != nil:
		l.objects.copyTo(*fr.resultAt, l.expressions.rvalue(n.ExpressionList), n.ExpressionList, pos)
	case inner && fr.result != nil && n.ExpressionList != nil:
		v := l.expressions.convert(l.expressions.rvalue(n.ExpressionList), ret, n.ExpressionList)
		if !l.Dead() {
			fr.returned = v.t
		}
		l.accesses.storeValue(*fr.result, v, n.ExpressionList, pos)
	case inner:
		if n.ExpressionList != nil {
			l.expressions.discardAs(n.ExpressionList, ret)
		}
		if fr.result != nil {
			l.Emit(cfa.Assign{LHS: fr.result.v, Nondet: "no return value"}, pos)
		}
	case n.ExpressionList != nil && l.objects.looksAtReturn() && l.ctypeOf(fr.proc.Type.Result()).class == classAggregate:
		l.objects.returnsStructure(n.ExpressionList, pos)
	case n.ExpressionList == nil || ret.class == classVoid:
		if n.ExpressionList != nil {
			l.expressions.discardAs(n.ExpressionList, l.ctypeOf(fr.proc.Type.Result()))
		}
		r := cfa.Return{}
		if ret.class != classVoid {
			r.Value = l.Any(ret.typ, "no return value", "", pos)
		}
		l.cleanUpAll(pos)
		l.objects.returns(nil, pos)
		l.Emit(r, pos)
	default:
		v := l.expressions.convert(l.expressions.rvalue(n.ExpressionList), ret, n.ExpressionList)
		if v.class == classOpaque {
			v.t = l.Any(ret.typ, "float", "floating point", pos)
		}
		if fr.scope.cleans(nil) {
			v = l.kept(v, n.ExpressionList, pos)
		}
		if v.t != nil {
			l.cleanUpAll(pos)
			t := l.objects.returns(v.t, pos)
			l.Emit(cfa.Return{Value: t}, pos)
		}
	}
	if inner {
		l.exit(fr.scope, nil, pos)
		fr.returns = append(fr.returns, l.Ends()...)
	}
}
