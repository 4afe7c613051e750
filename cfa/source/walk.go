package source

// Syntactic questions about C expressions.

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// Unparen strips parentheses, and what __builtin_choose_expr does not choose.
func Unparen(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch x := n.(type) {
		case *cc.PrimaryExpression:
			if x.Case != cc.PrimaryExpressionExpr {
				return n
			}
			n = x.ExpressionList
		case *cc.ExpressionList:
			if x.ExpressionList != nil {
				return n
			}
			n = x.AssignmentExpression
		case *cc.ConstantExpression:
			n = x.ConditionalExpression
		case *cc.PostfixExpression:
			chosen := chosen(x)
			if chosen == nil {
				return n
			}
			n = chosen
		default:
			return n
		}
	}
}

// chosen is the argument that __builtin_choose_expr chooses, if the call is one and
// the condition is known; nil if not.
func chosen(x *cc.PostfixExpression) cc.ExpressionNode {
	if x.Case != cc.PostfixExpressionCall {
		return nil
	}
	if p, ok := x.PostfixExpression.(*cc.PrimaryExpression); !ok || p.Case != cc.PrimaryExpressionIdent ||
		p.Token.SrcStr() != "__builtin_choose_expr" {
		return nil
	}
	args := Arguments(x)
	if len(args) != 3 {
		return nil
	}
	switch v := args[0].Value().(type) {
	case cc.Int64Value:
		if v == 0 {
			return args[2]
		}
		return args[1]
	case cc.UInt64Value:
		if v == 0 {
			return args[2]
		}
		return args[1]
	}
	return nil
}

// Operands are the direct subexpressions of an expression. Those of sizeof
// and _Alignof, which are not evaluated, and the statements of a statement
// expression are left out.
func Operands(n cc.ExpressionNode) []cc.ExpressionNode {
	switch x := Unparen(n).(type) {
	case *cc.ExpressionList:
		var list []cc.ExpressionNode
		for ; x != nil; x = x.ExpressionList {
			list = append(list, x.AssignmentExpression)
		}
		return list
	case *cc.AssignmentExpression:
		return []cc.ExpressionNode{x.UnaryExpression, x.AssignmentExpression}
	case *cc.ConditionalExpression:
		return []cc.ExpressionNode{x.LogicalOrExpression, Middle(x), x.ConditionalExpression}
	case *cc.LogicalOrExpression:
		return []cc.ExpressionNode{x.LogicalOrExpression, x.LogicalAndExpression}
	case *cc.LogicalAndExpression:
		return []cc.ExpressionNode{x.LogicalAndExpression, x.InclusiveOrExpression}
	case *cc.CastExpression:
		return []cc.ExpressionNode{x.CastExpression}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec, cc.UnaryExpressionImag, cc.UnaryExpressionReal:
			return []cc.ExpressionNode{x.UnaryExpression}
		case cc.UnaryExpressionAddrof, cc.UnaryExpressionDeref, cc.UnaryExpressionPlus,
			cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
			return []cc.ExpressionNode{x.CastExpression}
		}
	case *cc.PostfixExpression:
		return postfixOperands(x)
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionGeneric {
			if a := x.GenericSelection.Associated(); a != nil {
				return []cc.ExpressionNode{a.AssignmentExpression}
			}
		}
	default:
		if b := AsBinary(x); b != nil {
			return []cc.ExpressionNode{b.Left, b.Right}
		}
	}
	return nil
}

// Middle is b of a ? b : c, and a of GCC's a ?: c.
func Middle(x *cc.ConditionalExpression) cc.ExpressionNode {
	if x.ExpressionList == nil {
		return x.LogicalOrExpression
	}
	return x.ExpressionList
}

func postfixOperands(x *cc.PostfixExpression) []cc.ExpressionNode {
	switch x.Case {
	case cc.PostfixExpressionIndex:
		return []cc.ExpressionNode{x.PostfixExpression, x.ExpressionList}
	case cc.PostfixExpressionCall:
		return append([]cc.ExpressionNode{x.PostfixExpression}, Arguments(x)...)
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect, cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return []cc.ExpressionNode{x.PostfixExpression}
	case cc.PostfixExpressionComplit:
		var list []cc.ExpressionNode
		for l := x.InitializerList; l != nil; l = l.InitializerList {
			WalkInitializer(l.Initializer, func(e cc.ExpressionNode) { list = append(list, e) })
		}
		return list
	}
	return nil
}

// Arguments are the arguments of a call.
func Arguments(n *cc.PostfixExpression) []cc.ExpressionNode {
	var args []cc.ExpressionNode
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		args = append(args, l.AssignmentExpression)
	}
	return args
}

// WalkInitializer calls f for every subexpression of an initialiser.
func WalkInitializer(n *cc.Initializer, f func(cc.ExpressionNode)) {
	if n == nil {
		return
	}
	if n.Case == cc.InitializerExpr {
		WalkExpr(n.AssignmentExpression, f)
		return
	}
	for l := n.InitializerList; l != nil; l = l.InitializerList {
		WalkInitializer(l.Initializer, f)
	}
}

// WalkExpr calls f for an expression and all its subexpressions.
func WalkExpr(n cc.ExpressionNode, f func(cc.ExpressionNode)) {
	if n == nil {
		return
	}
	f(n)
	for _, o := range Operands(n) {
		WalkExpr(o, f)
	}
}

// Uses reports whether the expression reads or writes d.
func Uses(n cc.ExpressionNode, d *cc.Declarator) bool {
	found := false
	WalkExpr(n, func(e cc.ExpressionNode) { found = found || Declarator(e) == d })
	return found
}

// UsesIn is mentions for an initialiser.
func UsesIn(n *cc.Initializer, d *cc.Declarator) bool {
	found := false
	WalkInitializer(n, func(e cc.ExpressionNode) { found = found || Declarator(e) == d })
	return found
}

// AddressedDeclarator is d where the expression is &d, and nil elsewhere.
func AddressedDeclarator(n cc.ExpressionNode) *cc.Declarator {
	u, ok := Unparen(n).(*cc.UnaryExpression)
	if !ok || u.Case != cc.UnaryExpressionAddrof {
		return nil
	}
	return Declarator(u.CastExpression)
}

// Declarator is what an identifier names, if the expression is one and it
// names an object or a function.
func Declarator(n cc.ExpressionNode) *cc.Declarator {
	x, ok := Unparen(n).(*cc.PrimaryExpression)
	if !ok || x.Case != cc.PrimaryExpressionIdent {
		return nil
	}
	switch d := x.ResolvedTo().(type) {
	case *cc.Declarator:
		return d
	case *cc.Parameter:
		return d.Declarator
	}
	return nil
}

// IsAddress reports whether an expression has the type of a pointer or an
// array.
func IsAddress(n cc.ExpressionNode) bool {
	k := n.Type().Kind()
	return k == cc.Ptr || k == cc.Array
}

// IsArray reports whether an expression is an array, not yet an address.
func IsArray(n cc.ExpressionNode) bool {
	n = Unparen(n)
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			return true
		case cc.PrimaryExpressionIdent:
			d := Declarator(x)
			return d != nil && d.Type().Kind() == cc.Array
		}
		return false
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			return x.Field() != nil && x.Field().Type().Kind() == cc.Array
		case cc.PostfixExpressionIndex, cc.PostfixExpressionComplit:
			return n.Type().Undecay().Kind() == cc.Array
		}
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionDeref && n.Type().Undecay().Kind() == cc.Array
	}
	return false
}

// Describe names a C type that has no model.
func Describe(t cc.Type) string {
	switch t.Kind() {
	case cc.Array:
		return "array"
	case cc.Struct:
		return "struct"
	case cc.Union:
		return "union"
	case cc.Function:
		return "function designator"
	}
	return t.String()
}

// CalleeName is the name of the function called, or empty.
func CalleeName(n *cc.PostfixExpression) string {
	d := Callee(n)
	if d == nil {
		return ""
	}
	return d.Name()
}

// CalleeMember is the name of the member that points to the function called:
// x.f(…), p->f(…), (*p->f)(…); else empty.
func CalleeMember(n *cc.PostfixExpression) string {
	if m := calleeSelection(n); m != nil {
		return m.Field().Name()
	}
	return ""
}

// CalleeMembers are the names of the member that points to the function called, each the tag or a name of the
// structure's type, a point and the member; empty if no member does.
func CalleeMembers(n *cc.PostfixExpression) []string {
	m := calleeSelection(n)
	if m == nil {
		return nil
	}
	return MemberNames(selectedFrom(m), m.Field())
}

// selectedFrom is the type of what a member is selected from.
func selectedFrom(m *cc.PostfixExpression) cc.Type {
	of := m.PostfixExpression.Type()
	if p, ok := of.Decay().(*cc.PointerType); ok && m.Case == cc.PostfixExpressionPSelect {
		of = p.Elem()
	}
	return of
}

// IsVoid reports whether a type is void.
func IsVoid(t cc.Type) bool { return t.Kind() == cc.Void }

// MemberNames are the names of a member of a structure or union, each with a name of its type and a point before it.
func MemberNames(of cc.Type, f *cc.Field) []string {
	var all []string
	for _, name := range structureNames(of) {
		all = append(all, name+"."+f.Name())
	}
	return all
}

// structureNames are the tag of a structure or union, and the name of the type if it was given one; "" if it
// has neither.
func structureNames(t cc.Type) []string {
	var all []string
	if tagged, ok := t.(interface{ Tag() cc.Token }); ok {
		tag := tagged.Tag()
		all = append(all, tag.SrcStr())
	}
	if d := t.Typedef(); d != nil {
		all = append(all, d.Name())
	}
	if slices.Sort(all); len(all) > 1 && all[0] == "" {
		all = all[1:]
	}
	return slices.Compact(all)
}

// calleeSelection is the selection of the member that points to the function called, or nil.
func calleeSelection(n *cc.PostfixExpression) *cc.PostfixExpression {
	e := Unparen(n.PostfixExpression)
	for u, ok := e.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionDeref; u, ok = e.(*cc.UnaryExpression) {
		e = Unparen(u.CastExpression)
	}
	m, ok := e.(*cc.PostfixExpression)
	if !ok || m.Case != cc.PostfixExpressionSelect && m.Case != cc.PostfixExpressionPSelect || m.Field() == nil {
		return nil
	}
	return m
}

// Callee is the function called if it is named: f(…), (*f)(…), (&f)(…).
func Callee(n *cc.PostfixExpression) *cc.Declarator {
	e := Unparen(n.PostfixExpression)
	for {
		u, ok := e.(*cc.UnaryExpression)
		if !ok || u.Case != cc.UnaryExpressionDeref && u.Case != cc.UnaryExpressionAddrof {
			break
		}
		e = Unparen(u.CastExpression)
	}
	if d := Declarator(e); d != nil && d.Type().Kind() == cc.Function {
		return d
	}
	return nil
}

// StripPointerCasts strips casts to pointers.
func StripPointerCasts(a cc.ExpressionNode) cc.ExpressionNode {
	for {
		a = Unparen(a)
		c, ok := a.(*cc.CastExpression)
		if !ok || c.Type().Kind() != cc.Ptr {
			return a
		}
		a = c.CastExpression
	}
}

// StringLiteral is the text of an expression that is a string literal.
func StringLiteral(n cc.ExpressionNode) (string, bool) {
	x, ok := StripPointerCasts(n).(*cc.PrimaryExpression)
	if !ok || x.Case != cc.PrimaryExpressionString {
		return "", false
	}
	s, ok := x.Value().(cc.StringValue)
	return strings.TrimSuffix(string(s), "\x00"), ok
}

// ScalarInit is the expression that initialises a scalar: e or {e}.
func ScalarInit(n *cc.Initializer) cc.ExpressionNode {
	for n != nil && n.Case == cc.InitializerInitList {
		if n.InitializerList == nil {
			return nil
		}
		n = n.InitializerList.Initializer
	}
	if n == nil {
		return nil
	}
	return n.AssignmentExpression
}

// Members are the Members of a structure or union, in order.
func Members(t cc.Type) []*cc.Field {
	var fs []*cc.Field
	switch x := t.(type) {
	case *cc.StructType:
		for i := range x.NumFields() {
			fs = append(fs, x.FieldByIndex(i))
		}
	case *cc.UnionType:
		for i := range x.NumFields() {
			fs = append(fs, x.FieldByIndex(i))
		}
	}
	return fs
}

// A BinaryOp is an operator of arithmetic or comparison.
type BinaryOp int

const (
	OpMul BinaryOp = iota
	OpDiv
	OpRem
	OpAdd
	OpSub
	OpShl
	OpShr
	OpAnd
	OpXor
	OpOr
	OpEq
	OpNe
	OpLt
	OpGt
	OpLe
	OpGe
)

// A BinaryExpr is an expression with such an operator.
type BinaryExpr struct {
	Op          BinaryOp
	Left, Right cc.ExpressionNode
}

// AsBinary reads n as a binary expression, or is nil. The library numbers the
// cases of each production from 0, which is a mere operand, in the order of
// the operators above.
func AsBinary(n cc.ExpressionNode) *BinaryExpr {
	of := func(first BinaryOp, c int, left, right cc.ExpressionNode) *BinaryExpr {
		if c == 0 {
			return nil
		}
		return &BinaryExpr{first + BinaryOp(c-1), left, right}
	}
	switch x := n.(type) {
	case *cc.MultiplicativeExpression:
		return of(OpMul, int(x.Case), x.MultiplicativeExpression, x.CastExpression)
	case *cc.AdditiveExpression:
		return of(OpAdd, int(x.Case), x.AdditiveExpression, x.MultiplicativeExpression)
	case *cc.ShiftExpression:
		return of(OpShl, int(x.Case), x.ShiftExpression, x.AdditiveExpression)
	case *cc.AndExpression:
		return of(OpAnd, int(x.Case), x.AndExpression, x.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return of(OpXor, int(x.Case), x.ExclusiveOrExpression, x.AndExpression)
	case *cc.InclusiveOrExpression:
		return of(OpOr, int(x.Case), x.InclusiveOrExpression, x.ExclusiveOrExpression)
	case *cc.EqualityExpression:
		return of(OpEq, int(x.Case), x.EqualityExpression, x.RelationalExpression)
	case *cc.RelationalExpression:
		return of(OpLt, int(x.Case), x.RelationalExpression, x.ShiftExpression)
	}
	return nil
}
