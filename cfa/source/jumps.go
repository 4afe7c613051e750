package source

// Jumps into the scope of an array whose length is computed (C11 6.8.6.1, 6.8.4.2): its declaration would not have
// been passed. Such declarations of a block make a chain; a goto, and the switch of a label, has to stand behind all
// that its target stands behind. Cost: linear in the body, and for each jump in the chain.

import (
	"modernc.org/cc/v4"
)

// A passed is the last declaration of such an array that a place stands behind, with those before it.
type passed struct {
	declarator *cc.Declarator
	before     *passed
}

// jumps are the places of a function's jumps and labels.
type jumps struct {
	c        *constraints
	labels   map[*cc.LabeledStatement]*passed
	gotos    []*cc.JumpStatement
	from     []*passed // of each goto
	at       *passed
	switched *passed // where the switch around stands
}

// jumps looks at those of a function's body.
func (c *constraints) jumps(body *cc.CompoundStatement) {
	j := &jumps{c: c, labels: map[*cc.LabeledStatement]*passed{}}
	j.inspect(body)
	if len(j.gotos) == 0 || j.c.walk.err != nil {
		return
	}
	named := LabelsOf(body)
	for i, g := range j.gotos {
		if target := named.Named(g, g.Token2.SrcStr()); target != nil {
			j.into(g, j.from[i], j.labels[target])
		}
	}
}

func (j *jumps) inspect(n any) { Inspect(n, j.visit) }

func (j *jumps) visit(n any) bool {
	if j.c.interrupted() {
		return false
	}
	switch x := n.(type) {
	case *cc.BlockItem:
		return x.Case != cc.BlockItemFuncDef
	case *cc.CompoundStatement:
		outer := j.at
		j.inspect(x.BlockItemList)
		j.at = outer
		return false
	case *cc.IterationStatement:
		outer := j.at
		for _, part := range parts(x) {
			j.inspect(part)
		}
		j.at = outer
		return false
	case *cc.SelectionStatement:
		if x.Case == cc.SelectionStatementSwitch {
			outer := j.switched
			j.switched = j.at
			j.inspect(x.Statement)
			j.switched = outer
			return false
		}
	case *cc.Declaration:
		for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			if d := l.InitDeclarator.Declarator; j.c.variable(d) {
				j.at = &passed{d, j.at}
			}
		}
	case *cc.LabeledStatement:
		if x.Case == cc.LabeledStatementLabel {
			j.labels[x] = j.at
		} else {
			j.into(x, j.switched, j.at)
		}
	case *cc.JumpStatement:
		if x.Case == cc.JumpStatementGoto {
			j.gotos, j.from = append(j.gotos, x), append(j.from, j.at)
		}
	}
	return true
}

// parts are those of a loop in the order of the text.
func parts(x *cc.IterationStatement) []any {
	return []any{x.Declaration, x.ExpressionList, x.ExpressionList2, x.ExpressionList3, x.Statement}
}

// into looks whether a jump passes a declaration.
func (j *jumps) into(n cc.Node, from, to *passed) {
	if to == nil {
		return
	}
	for ; from != nil; from = from.before {
		if from == to {
			return
		}
	}
	j.c.fault(n, "this jumps behind the declaration of %s, whose length is computed there", to.declarator.Name())
}

// variable reports whether the length of an array in a declarator's type is surely computed.
func (c *constraints) variable(d *cc.Declarator) bool {
	for t := d.Type(); t != nil; {
		switch x := t.(type) {
		case *cc.ArrayType:
			if size := x.SizeExpression(); size != nil && c.reads(size) != nil {
				return true
			}
			t = x.Elem()
		case *cc.PointerType:
			t = x.Elem()
		default:
			return false
		}
	}
	return false
}
