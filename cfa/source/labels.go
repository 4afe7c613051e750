package source

// Labels: which statement a name stands for, in goto, in &&label and in assembly that
// jumps. A name belongs to the function, or to the innermost block that declares it by
// __label__, as GCC has it. Cost: linear in the body.

import (
	"modernc.org/cc/v4"
)

// Labels are those of one function.
type Labels struct {
	uses  map[cc.Node]*labelBlock // by the node that names one
	Taken []*cc.LabeledStatement  // whose address is taken, in the order of the text
}

// A labelBlock is a function, or a block that declares labels.
type labelBlock struct {
	up     *labelBlock
	labels map[string]*cc.LabeledStatement // nil: declared, and not there yet
}

// LabelsOf finds the labels of a function's body.
func LabelsOf(body *cc.CompoundStatement) *Labels {
	l := &Labels{uses: map[cc.Node]*labelBlock{}}
	var taken []*cc.UnaryExpression
	var all []*cc.LabeledStatement
	var walk func(body *cc.CompoundStatement, in *labelBlock)
	walk = func(body *cc.CompoundStatement, in *labelBlock) {
		Inspect(body.BlockItemList, func(x any) bool {
			switch x := x.(type) {
			case *cc.BlockItem:
				return x.Case != cc.BlockItemFuncDef // its labels are its own
			case *cc.CompoundStatement:
				walk(x, declaring(x, in))
				return false
			case *cc.LabeledStatement:
				if x.Case == cc.LabeledStatementLabel {
					in.define(x)
					all = append(all, x)
				}
			case *cc.JumpStatement:
				l.uses[x] = in
			case *cc.Asm:
				l.uses[x] = in
			case *cc.UnaryExpression:
				if x.Case == cc.UnaryExpressionLabelAddr {
					l.uses[x] = in
					taken = append(taken, x)
				}
			}
			return true
		})
	}
	outer := &labelBlock{labels: map[string]*cc.LabeledStatement{}}
	if inner := declaring(body, outer); inner != outer {
		outer = inner
	}
	walk(body, outer)
	is := map[*cc.LabeledStatement]bool{}
	for _, x := range taken {
		is[l.Named(x, x.Token2.SrcStr())] = true
	}
	for _, s := range all {
		if is[s] {
			l.Taken = append(l.Taken, s)
		}
	}
	return l
}

// declaring is the block that the labels of a compound statement belong to.
func declaring(body *cc.CompoundStatement, in *labelBlock) *labelBlock {
	var names []string
	for list := body.BlockItemList; list != nil && list.BlockItem.Case == cc.BlockItemLabel; list = list.BlockItemList {
		for id := list.BlockItem.LabelDeclaration.IdentifierList; id != nil; id = id.IdentifierList {
			name := id.Token
			if id.Token2.SrcStr() != "" {
				name = id.Token2 // behind a comma
			}
			names = append(names, name.SrcStr())
		}
	}
	if names == nil {
		return in
	}
	b := &labelBlock{up: in, labels: map[string]*cc.LabeledStatement{}}
	for _, name := range names {
		b.labels[name] = nil
	}
	return b
}

// define enters a label.
func (b *labelBlock) define(s *cc.LabeledStatement) {
	for name := s.Token.SrcStr(); b != nil; b = b.up {
		if _, declared := b.labels[name]; declared || b.up == nil {
			b.labels[name] = s
			return
		}
	}
}

// Named is the label of a name that a goto, an &&label or an asm uses; nil if there is
// none.
func (l *Labels) Named(use cc.Node, name string) *cc.LabeledStatement {
	for b := l.uses[use]; b != nil; b = b.up {
		if s, declared := b.labels[name]; declared {
			return s
		}
	}
	return nil
}
