package lower

// Handles of threads that come again.
//
// Idea: the handle of a thread is its number. When a thread has been joined, POSIX lets the next one that is
// created have its handle, and glibc does so. A program can tell only where it compares handles or makes numbers
// of them. There the handle is a variable: at its creation a thread gets its number, or, as any value decides, the
// handle of one that has been joined and that nobody has got since. Who joins looks for the thread that has the
// handle and has not been joined. The handle of a thread that is detached is not given again, which is told; so it
// is where races are asked for or the memory model is weak.
//
// Source: our own. Cost: for each thread, a test of all others where it is created.

import (
	"slices"

	"modernc.org/cc/v4"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"
)

// A handles is what is known of the handles of threads in one lowering; nil where handles are numbers.
type handles struct {
	// by thread: its handle; whether it was joined; whether another may get its handle
	of, joined, open map[int]*expr.Expr
}

// comparesHandles reports whether the text of the program may look at handles otherwise than by giving them to
// functions of threads: whatever is not seen to do nothing but that counts.
func (l *facts) comparesHandles() bool {
	if l.opt.Threads == 0 {
		return false
	}
	found := false
	for _, pr := range l.prog.Bodies() {
		if l.prog.IsModel(pr.File) {
			continue
		}
		source.Inspect(pr.Def.CompoundStatement, func(n any) bool {
			found = found || looksAtHandle(n, pr.Type.Result())
			return !found
		})
	}
	return found
}

// looksAtHandle reports whether a node compares handles, or makes something else of one or of its memory; result is
// what its function returns.
func looksAtHandle(n any, result cc.Type) bool {
	switch x := n.(type) {
	case *cc.JumpStatement:
		return x.Case == cc.JumpStatementReturn && x.ExpressionList != nil && losesHandle(x.ExpressionList.Type(), result)
	case *cc.Initializer:
		return x.AssignmentExpression != nil && isHandle(x.AssignmentExpression.Type())
	case *cc.InitDeclarator:
		return x.Case == cc.InitDeclaratorInit && x.Initializer.AssignmentExpression != nil && x.Declarator != nil &&
			losesHandle(x.Initializer.AssignmentExpression.Type(), x.Declarator.Type())
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionCall:
			return callLooksAtHandle(x)
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			return isHandle(x.Type()) && x.Field() != nil && isUnion(x.Field().ParentType())
		}
		return anyLoses(x)
	case *cc.PrimaryExpression:
		return false
	case cc.ExpressionNode:
		return anyLoses(x)
	}
	return false
}

// anyLoses reports whether an operand of an expression is a handle, and the expression is none; of pointers, whether a
// cast or an assignment makes something else of one to a handle.
func anyLoses(x cc.ExpressionNode) bool {
	if x.Type() == nil {
		return false
	}
	converts := false
	switch x.(type) {
	case *cc.CastExpression, *cc.AssignmentExpression:
		converts = true
	}
	return slices.ContainsFunc(source.Operands(x), func(o cc.ExpressionNode) bool {
		switch {
		case o.Type() == nil:
			return false
		case converts:
			return losesHandle(o.Type(), x.Type())
		}
		return isHandle(o.Type()) && !isHandle(x.Type()) && x.Type().Kind() != cc.Ptr
	})
}

// callLooksAtHandle reports whether a call compares handles, or gives one, or memory that holds one, to a parameter of
// another type. What a thread is begun with, and what is freed, is not looked at by those who get it.
func callLooksAtHandle(call *cc.PostfixExpression) bool {
	name := source.CalleeName(call)
	switch name {
	case "pthread_equal", "thrd_equal":
		return true
	case "free":
		return false
	}
	var params []*cc.Parameter
	if t := functionType(call.PostfixExpression); t != nil {
		params = source.Parameters(t)
	}
	creates := slices.Contains(source.ThreadCreators(), name)
	for i, a := range source.Arguments(call) {
		switch {
		case a.Type() == nil || creates && i > 0:
		case creates && !holdsHandle(pointee(a.Type())): // by the type alone nothing is known of it
			return true
		case i >= len(params):
			if isHandle(a.Type()) || holdsHandle(pointee(a.Type())) {
				return true
			}
		case losesHandle(a.Type(), params[i].Type()):
			return true
		}
	}
	return false
}

// losesHandle reports whether a conversion makes something else of a handle, or of a pointer to what holds one.
func losesHandle(from, to cc.Type) bool {
	if from == nil || to == nil {
		return false
	}
	return isHandle(from) && !isHandle(to) || holdsHandle(pointee(from)) && !holdsHandle(pointee(to))
}

// isHandle reports whether a type is that of handles, by its name.
func isHandle(t cc.Type) bool {
	d := t.Typedef()
	return d != nil && (d.Name() == "pthread_t" || d.Name() == "thrd_t")
}

func isUnion(t cc.Type) bool {
	_, is := t.(*cc.UnionType)
	return is
}

// holdsHandle reports whether a type is that of handles, or of an array or a record that holds one.
func holdsHandle(t cc.Type) bool {
	if t == nil || isHandle(t) {
		return t != nil
	}
	if a, ok := t.(*cc.ArrayType); ok {
		return holdsHandle(a.Elem())
	}
	return slices.ContainsFunc(source.Members(t), func(f *cc.Field) bool { return holdsHandle(f.Type()) })
}

// pointee is what a pointer, or an array, leads to; else nil.
func pointee(t cc.Type) cc.Type {
	switch x := t.(type) {
	case *cc.PointerType:
		return x.Elem()
	case *cc.ArrayType:
		return x.Elem()
	}
	return nil
}

// beginHandles says that no thread has a handle.
func (l *threading) beginHandles(pos cfa.Pos) {
	if !l.concurrent() || l.opt.Threads == AnyThreads || l.opt.Races || l.opt.Weak || !l.comparesHandles() {
		return
	}
	l.created.handles = &handles{map[int]*expr.Expr{}, map[int]*expr.Expr{}, map[int]*expr.Expr{}}
	for k := 1; k < len(l.threads.list); k++ {
		h := l.created.handles
		h.of[k] = l.Temp("handle of "+l.threads.list[k].Name, l.pointer, pos)
		h.joined[k] = l.Temp("joined "+l.threads.list[k].Name, bool1, pos)
		h.open[k] = l.Temp("handle free of "+l.threads.list[k].Name, bool1, pos)
		l.Assign(h.of[k], l.Pool.Const(l.pointer, 0), pos)
		l.Assign(h.joined[k], l.Pool.Const(bool1, 1), pos)
		l.Assign(h.open[k], l.Pool.Const(bool1, 0), pos)
	}
}

// giveHandle gives a thread that is created a handle.
func (l *threading) giveHandle(number int, pos cfa.Pos) {
	h := l.created.handles
	if h == nil || h.of[number] == nil || l.Dead() {
		return
	}
	which := l.Any(counterType, "which handle that was joined is given again", "", pos)
	l.section(true, pos)
	l.Assign(h.of[number], l.Pool.Const(l.pointer, handle(number)), pos)
	l.Assign(h.joined[number], l.Pool.Const(bool1, 0), pos)
	var ends cfa.Ends
	for k := 1; k < len(l.threads.list); k++ {
		if k == number {
			continue
		}
		chosen := l.Pool.Eq(which, l.Pool.Int(which.Type(), int64(k)))
		is, other := l.Branch(l.Pool.Land(chosen, l.Pool.Truth(h.open[k])), pos)
		l.Continue(is)
		l.Assign(h.of[number], h.of[k], pos)
		l.Assign(h.open[k], l.Pool.Const(bool1, 0), pos)
		ends = append(ends, l.Ends()...)
		l.Continue(other)
	}
	l.Join(ends)
	l.section(false, pos)
}

// handleOf is the handle of a thread, as a value of a type.
func (l *threading) handleOf(number int, t expr.Type) *expr.Expr {
	if h := l.created.handles; h != nil && h.of[number] != nil {
		return l.Pool.Cast(t, h.of[number])
	}
	return l.Pool.Const(t, handle(number))
}

// names is the condition that a handle is that of a thread which can be joined.
func (l *threading) names(h *expr.Expr, number int) *expr.Expr {
	is := l.Pool.Eq(h, l.handleOf(number, h.Type()))
	if all := l.created.handles; all != nil && all.of[number] != nil {
		return l.Pool.Land(is, l.Pool.Not(l.Pool.Truth(all.joined[number])))
	}
	return is
}

// handleJoined notes that a thread has been joined, or detached: then no other one gets its handle.
func (l *threading) handleJoined(number int, detached bool, pos cfa.Pos) {
	h := l.created.handles
	if h == nil || h.of[number] == nil || l.Dead() {
		return
	}
	l.section(true, pos)
	l.Assign(h.joined[number], l.Pool.Const(bool1, 1), pos)
	if !detached {
		l.Assign(h.open[number], l.Pool.Const(bool1, 1), pos)
	}
	l.section(false, pos)
}

// tellHandles tells that handles do not come again where that is not modelled and may be seen.
func (l *threading) tellHandles(pos cfa.Pos) {
	if l.concurrent() && l.created.handles == nil && l.comparesHandles() {
		l.Assume(cfa.AboutThreads, pos, "the handle of a thread that was joined is not given again")
	}
}
