package source

// Static assertions.
//
// Idea: the C library judges them while it reads, with its own sizes. Where one fails, all are read
// once more as enumerators, whose values are looked at here, with ours; those that hold for the
// library are judged once more where they ask for a layout. Where one may lack its message, which the library asks for
// and GCC does not, all are given one. The enumerators' names use __COUNTER__ up, so a text that mentions it is
// refused then. An assertion about a type whose size is not known
// (the attribute mode in a macro) is taken to hold, as it does for the compiler that translates the program.

import (
	"bytes"
	"strings"

	"magus/cfa"

	"modernc.org/cc/v4"
)

const (
	assertionFailed = "assertion failed"
	assertionName   = "__magus_assertion_"
	asEnumerators   = "#define __magus_named(n) " + assertionName + "##n\n#define __magus_name(n) __magus_named(n)\n" +
		"#define _Static_assert(c, ...) enum { __magus_name(__COUNTER__) = !!(c) }\n"
)

// withMessages gives assertions a message.
const withMessages = "#define _Static_assert(...) __magus_assert(__VA_ARGS__, \"\")\n" +
	"#define __magus_assert(c, m, ...) _Static_assert(c, m)\n"

// lacksMessage reports whether an error may be one of a static assertion without a message.
func lacksMessage(s Source, err error) bool {
	return bytes.Contains(s.Text, []byte("tatic_assert")) && strings.Contains(err.Error(), "unexpected ')', expected ','")
}

// assertionFails reports whether an error is one of a static assertion that fails.
func assertionFails(err error) bool { return strings.Contains(err.Error(), assertionFailed) }

// An assertion is one to be judged, with where it stands.
type assertion struct {
	at        cc.Node
	condition cc.ExpressionNode
}

type assertions []assertion

// add notes an assertion that is read as an enumerator.
func (a *assertions) add(e *cc.Enumerator) {
	if e != nil && strings.HasPrefix(e.Token.SrcStr(), assertionName) {
		*a = append(*a, assertion{e, e.ConstantExpression})
	}
}

// judge says which assertions do not hold.
func (l *Layouts) judge(all assertions) error {
	var errs cfa.Errors
	for _, a := range all {
		if v, ok := l.Constant(a.condition); ok && v == 0 && !l.asksForUnknown(a.condition) {
			errs = append(errs, cfa.Error{Pos: Position(a.at.Position()), Msg: assertionFailed})
		}
	}
	if errs != nil {
		return errs
	}
	return nil
}

// asksForUnknown reports whether an expression asks for the layout of a type of which it is not known.
func (l *Layouts) asksForUnknown(n cc.ExpressionNode) (asks bool) {
	WalkExpr(n, func(e cc.ExpressionNode) {
		var t cc.Type
		switch x := Unparen(e).(type) {
		case *cc.UnaryExpression:
			switch x.Case {
			case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr,
				cc.UnaryExpressionAlignofType:
				t = SizedType(x)
			}
		case *cc.PostfixExpression:
			if f := x.Field(); f != nil {
				t = f.ParentType()
			}
		}
		asks = asks || t != nil && l.Unknown(t) != ""
	})
	return asks
}
