package source

import (
	"magus/cfa"

	"modernc.org/cc/v4"
)

// A CallSite is a call of a procedure by its name.
type CallSite struct {
	Within string // the procedure with the call
	Pos    cfa.Pos
	Args   []*int64 // of the arguments those that are integer constants, else nil
}

// CallsOf are the calls of a procedure in the bodies of all units, in the order of the text.
func (p *Program) CallsOf(name string) []CallSite {
	pr := p.Procedure(name)
	p.Lock()
	defer p.Unlock()
	var all []CallSite
	p.eachBody(func(f *File, fn *cc.FunctionDefinition) {
		Inspect(fn, func(n any) bool {
			x, ok := n.(*cc.PostfixExpression)
			if !ok || x.Case != cc.PostfixExpressionCall {
				return true
			}
			if d := Callee(x); d != nil && pr != nil && p.Body(f, d.Name()) == pr {
				all = append(all, CallSite{Within: fn.Declarator.Name(), Pos: Position(x.Position()), Args: valuesOf(Arguments(x))})
			}
			return true
		})
	})
	return all
}

// CalledAt is the name of the function that a call at a place has in the text; "" if it has none, or there is no call.
func (p *Program) CalledAt(pos cfa.Pos) (name string) {
	p.Lock()
	defer p.Unlock()
	p.eachBody(func(f *File, fn *cc.FunctionDefinition) {
		Inspect(fn, func(n any) bool {
			x, ok := n.(*cc.PostfixExpression)
			if ok && x.Case == cc.PostfixExpressionCall && Position(x.Position()) == pos {
				name = CalleeName(x)
			}
			return name == ""
		})
	})
	return name
}

// valuesOf are the values of expressions that are integer constants.
func valuesOf(es []cc.ExpressionNode) []*int64 {
	var all []*int64
	for _, e := range es {
		var value *int64
		switch v := e.Value().(type) {
		case cc.Int64Value:
			n := int64(v)
			value = &n
		case cc.UInt64Value:
			n := int64(v)
			value = &n
		}
		all = append(all, value)
	}
	return all
}
