package source

// Constraints of expressions: what may be assigned, called, tested, cast.

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// expression looks at the operands of one expression.
func (c *constraints) expression(n cc.ExpressionNode) {
	switch x := n.(type) {
	case *cc.AssignmentExpression:
		c.assignment(x)
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionCall:
			c.call(x)
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			c.changed(x.PostfixExpression)
		}
	case *cc.UnaryExpression:
		c.unary(x)
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast {
			c.cast(x)
		}
	case *cc.ConditionalExpression:
		c.condition(x.LogicalOrExpression)
	case *cc.LogicalAndExpression:
		c.condition(x.LogicalAndExpression)
		c.condition(x.InclusiveOrExpression)
	case *cc.LogicalOrExpression:
		c.condition(x.LogicalOrExpression)
		c.condition(x.LogicalAndExpression)
	case *cc.ShiftExpression:
		if x.Case != cc.ShiftExpressionAdd {
			c.integers(x.ShiftExpression, x.AdditiveExpression)
		}
	}
}

// sure is the type of an expression as a value, nil if GCC may see another one.
func (c *constraints) sure(n cc.ExpressionNode) cc.Type {
	if n == nil || n.Type() == nil || n.Type() == cc.Invalid || c.unsure(n) {
		return nil
	}
	t := n.Type().Decay()
	if t == nil || t.Kind() == cc.InvalidKind || t.VectorSize() > 0 {
		return nil
	}
	return t
}

// unsure reports whether the type of an expression may depend on something that is typed by the
// library in its own way.
func (c *constraints) unsure(n cc.ExpressionNode) bool {
	switch x := Unparen(n).(type) {
	case *cc.CastExpression:
		return c.typeof(x.TypeName)
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionGeneric, cc.PrimaryExpressionStmt:
			return true
		case cc.PrimaryExpressionIdent:
			d := Declarator(x)
			return d != nil && (isBuiltin(d.Name()) || c.typeof(c.specifiers[d]))
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionCall {
			return c.unsure(x.PostfixExpression)
		}
		if x.Case == cc.PostfixExpressionComplit {
			return false
		}
	}
	for _, o := range Operands(n) {
		if c.unsure(o) {
			return true
		}
	}
	return false
}

// typeof reports whether specifiers ask for the type of something, or name one of GCC's.
func (c *constraints) typeof(specifiers any) bool {
	asks, known := c.asks[specifiers]
	if !known {
		asks = search(specifiers, func(n any) bool {
			s, ok := n.(*cc.TypeSpecifier)
			if !ok {
				return false
			}
			switch s.Case {
			case cc.TypeSpecifierTypeofExpr, cc.TypeSpecifierTypeofType:
				return true
			}
			return s.Case == cc.TypeSpecifierTypeName && isBuiltin(s.Token.SrcStr())
		})
		c.asks[specifiers] = asks
	}
	return asks
}

// isBuiltin reports whether a name is one of GCC's, which the library types in its own way.
func isBuiltin(name string) bool {
	return strings.HasPrefix(name, "__")
}

// becomes looks at a value that is given to something of another type.
func (c *constraints) becomes(n cc.ExpressionNode, to cc.Type, what string) {
	from := c.sure(n)
	if from == nil || to == nil || to.VectorSize() > 0 {
		return
	}
	fits := true
	switch {
	case from.Kind() == cc.Void:
		c.fault(n, "%s is no value: it is of type void", Text(n))
		return
	case to.Kind() == cc.Ptr:
		fits = from.Kind() == cc.Ptr || cc.IsIntegerType(from)
	case cc.IsIntegerType(to):
		fits = cc.IsScalarType(from)
	case cc.IsArithmeticType(to):
		fits = cc.IsArithmeticType(from)
	case isRecord(to):
		fits = from.Kind() == to.Kind() && (tagOf(from) == tagOf(to) || tagOf(from) == "" || tagOf(to) == "")
	}
	if !fits {
		c.fault(n, "%s must be %s, and this is %s", what, asC(to), asC(from))
	}
}

func isRecord(t cc.Type) bool { return t.Kind() == cc.Struct || t.Kind() == cc.Union }

func tagOf(t cc.Type) string {
	if r, ok := t.(record); ok {
		return tag(r)
	}
	return ""
}

// assignment looks at both sides of one.
func (c *constraints) assignment(x *cc.AssignmentExpression) {
	if x.Case == cc.AssignmentExpressionCond || !c.changed(x.UnaryExpression) {
		return
	}
	left, right := c.sure(x.UnaryExpression), c.sure(x.AssignmentExpression)
	if left == nil || right == nil {
		return
	}
	switch x.Case {
	case cc.AssignmentExpressionAssign:
		c.becomes(x.AssignmentExpression, left, "what is assigned")
	case cc.AssignmentExpressionMod, cc.AssignmentExpressionAnd, cc.AssignmentExpressionOr,
		cc.AssignmentExpressionXor, cc.AssignmentExpressionLsh, cc.AssignmentExpressionRsh:
		c.integers(x.UnaryExpression, x.AssignmentExpression)
	default:
		both := cc.IsArithmeticType(left) && cc.IsArithmeticType(right)
		moved := (x.Case == cc.AssignmentExpressionAdd || x.Case == cc.AssignmentExpressionSub) &&
			left.Kind() == cc.Ptr && cc.IsIntegerType(right)
		if !both && !moved {
			c.fault(x, "%s and %s have no %s", asC(left), asC(right), x.Token.SrcStr())
		}
	}
}

// integers looks at operands that have to be such.
func (c *constraints) integers(operands ...cc.ExpressionNode) {
	for _, o := range operands {
		if t := c.sure(o); t != nil && !cc.IsIntegerType(t) {
			c.fault(o, "this operand must be an integer, and it is %s", asC(t))
			return
		}
	}
}

// changed looks at what an operator stores to.
func (c *constraints) changed(n cc.ExpressionNode) bool {
	switch {
	case !c.isObject(n):
		c.fault(n, "%s cannot be assigned to: it is a value, not a variable", Text(n))
	case n.Type() != nil && n.Type().Undecay().Kind() == cc.Array && IsArray(n):
		c.fault(n, "%s cannot be assigned to: it is an array", Text(n))
	case c.isConst(n):
		c.fault(n, "%s cannot be assigned to: it is constant", Text(n))
	default:
		return true
	}
	return false
}

// isObject reports whether an expression stands for an object (an lvalue), or may do so.
func (c *constraints) isObject(n cc.ExpressionNode) bool {
	switch x := Unparen(n).(type) {
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionIdent:
			d := Declarator(x)
			return d != nil && d.Type().Undecay().Kind() != cc.Function
		case cc.PrimaryExpressionInt, cc.PrimaryExpressionFloat, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
			return false
		}
		return true
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionCall:
			return c.unsure(x.PostfixExpression)
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return false
		case cc.PostfixExpressionSelect:
			return c.isObject(x.PostfixExpression)
		}
		return true
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionDeref:
			return x.Type() == nil || x.Type().Undecay().Kind() != cc.Function
		case cc.UnaryExpressionReal, cc.UnaryExpressionImag:
			return c.isObject(x.UnaryExpression)
		}
		return false
	}
	return false
}

// unary looks at ++, -- and &.
func (c *constraints) unary(x *cc.UnaryExpression) {
	switch x.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		c.changed(x.UnaryExpression)
	case cc.UnaryExpressionAddrof:
		o := Unparen(x.CastExpression)
		d := Declarator(o)
		p, isMember := o.(*cc.PostfixExpression)
		switch {
		case d != nil && d.IsRegister():
			c.fault(x, "%s has no address: it is declared register", d.Name())
		case d != nil || c.isFunction(o):
		case isMember && p.Field() != nil && p.Field().IsBitfield():
			c.fault(x, "%s has no address: it is a bit-field", Text(o))
		case !c.isObject(o):
			c.fault(x, "%s has no address: it is a value, not a variable", Text(o))
		}
	case cc.UnaryExpressionSizeofExpr:
		if p, ok := Unparen(x.UnaryExpression).(*cc.PostfixExpression); ok && p.Field() != nil && p.Field().IsBitfield() {
			c.fault(x, "a bit-field has no size in bytes")
		}
	}
}

// isFunction reports whether an expression stands for a function.
func (c *constraints) isFunction(n cc.ExpressionNode) bool {
	return n.Type() != nil && n.Type().Undecay().Kind() == cc.Function
}

// cast looks at a conversion.
func (c *constraints) cast(x *cc.CastExpression) {
	to, from := x.TypeName.Type(), c.sure(x.CastExpression)
	if to == nil || from == nil || to.Kind() == cc.Void || to.VectorSize() > 0 || c.typeof(x.TypeName) ||
		to.Kind() == cc.Union {
		return
	}
	switch {
	case to.Kind() == cc.Array, to.Kind() == cc.Function, isRecord(to) && to.Kind() != from.Kind():
		c.fault(x, "nothing can be converted to %s", asC(to))
	case isRecord(to):
	case !cc.IsScalarType(from),
		to.Kind() == cc.Ptr && !cc.IsIntegerType(from) && from.Kind() != cc.Ptr,
		from.Kind() == cc.Ptr && !cc.IsIntegerType(to) && to.Kind() != cc.Ptr:
		c.fault(x, "%s cannot be converted to %s", asC(from), asC(to))
	}
}

// call looks at the arguments of one.
func (c *constraints) call(x *cc.PostfixExpression) {
	p, ok := x.PostfixExpression.Type().(*cc.PointerType)
	if ok && strings.HasPrefix(Text(x.PostfixExpression), builtinPrefix) { // not what the library resolves to one
		c.builtinCall(x, p)
	}
	if !ok || c.unsure(x.PostfixExpression) {
		return
	}
	f, ok := p.Elem().(*cc.FunctionType)
	if !ok {
		return
	}
	callee := Callee(x)
	if callee != nil && definedOldStyle(callee) {
		return
	}
	args := Arguments(x)
	if few := len(args) < f.MinArgs(); few || f.MaxArgs() >= 0 && len(args) > f.MaxArgs() {
		name, wants := Text(x.PostfixExpression), counted(f.MinArgs(), "argument")
		if f.IsVariadic() {
			wants = "at least " + wants
		}
		at := cc.Node(x.PostfixExpression)
		if !few {
			at = args[f.MaxArgs()]
		}
		declared := ""
		if callee != nil {
			declared = fmt.Sprintf("; it is declared at %v", place(callee))
		}
		given := fmt.Sprintf("%d are", len(args))
		if len(args) == 1 {
			given = "1 is"
		}
		c.fault(at, "%s takes %s, and %s given%s", name, wants, given, declared)
		return
	}
	for i, q := range Parameters(f) {
		if i < len(args) && q.Type() != nil && q.Type().Kind() != cc.Union {
			c.becomes(args[i], q.Type().Decay(), "argument "+fmt.Sprint(i+1))
		}
	}
}

// definedOldStyle reports whether a function names its parameters without their types.
func definedOldStyle(d *cc.Declarator) bool {
	for dd := d.DirectDeclarator; dd != nil; dd = dd.DirectDeclarator {
		if dd.Case == cc.DirectDeclaratorFuncIdent {
			return true
		}
	}
	return false
}

// asC is a type as C writes it, as far as there is room.
func asC(t cc.Type) string {
	switch x := t.Undecay().(type) {
	case *cc.PointerType:
		if x.Elem().Kind() == cc.Function {
			return "a pointer to a function"
		}
		if to := asC(x.Elem()); strings.HasSuffix(to, "*") {
			return to + "*"
		} else {
			return to + " *"
		}
	case *cc.ArrayType:
		return "an array of " + asC(x.Elem())
	case *cc.FunctionType:
		return "a function"
	case *cc.EnumType:
		return "an enumeration"
	}
	return named(t)
}

// builtinCall counts the arguments of a function that is built in.
func (c *constraints) builtinCall(x *cc.PostfixExpression, p *cc.PointerType) {
	f, ok := p.Elem().(*cc.FunctionType)
	args := len(Arguments(x))
	if ok && (args < f.MinArgs() || f.MaxArgs() >= 0 && args > f.MaxArgs()) {
		c.fault(x.PostfixExpression, "%s takes another number of arguments than %d", CalleeName(x), args)
	}
}
