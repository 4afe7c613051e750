package source

// _Generic (C11 6.5.1.1).
//
// The C library takes pointers for alike that are not, those to pointers and functions, passes over what
// qualifies the pointee and what qualifies the type of an association, which is then that of no value, and does not
// know that an enumeration is compatible with its integer type; what it has not chosen has no type in its tree. So the
// association is chosen here, by the types that the syntax says (fulltype.go), and the unit is read once more with each
// _Generic on a pointer, or on something else of which the library chooses otherwise, as one on an int which chooses
// the same, where that is known. Those that stand in an association have types from then on, and have their turn.
// Others on pointers are not modelled.
//
// Cost: reading the unit once more for each level of _Generic in _Generic, up to ten times.

import (
	"cmp"
	"slices"

	"magus/cfa/source/preprocess"
	"magus/cfa/source/reword"

	"modernc.org/cc/v4"
)

// mostSelections is how many times a unit is read anew for its _Generics.
const mostSelections = 10

// selected is the tree of a unit with the associations of _Generics on pointers chosen as C says, where that is known.
func (u *unit) selected(ast *cc.AST, translate func(*unit) (*cc.AST, error)) *cc.AST {
	count := u.selections()
	if count == 0 {
		return ast
	}
	choices := map[int]int{}
	for range mostSelections {
		found := selections(ast)
		if len(found) != count {
			return ast
		}
		before, types := len(choices), newFullTypes(ast)
		for i, x := range found {
			if _, done := choices[i]; done || IsBitfield(x.AssignmentExpression) {
				continue
			}
			k, known := types.selects(x)
			if known && (IsAddress(x.AssignmentExpression) || association(x, k) != x.Associated()) {
				choices[i] = k
			}
		}
		if len(choices) == before {
			return ast
		}
		again := *u
		again.sources = slices.Clone(u.sources)
		last := len(again.sources) - 1
		again.sources[last].Value = written(again.sources[last].Name, reword.Select(u.out.Tokens, choices))
		next, err := translate(&again)
		if err != nil {
			return ast
		}
		ast = next
	}
	return ast
}

// selections are the _Generics of a unit in the order of the text.
func selections(ast *cc.AST) (all []*cc.GenericSelection) {
	Inspect(ast.TranslationUnit, func(n any) bool {
		if x, ok := n.(*cc.GenericSelection); ok {
			all = append(all, x)
		}
		return true
	})
	slices.SortFunc(all, func(a, b *cc.GenericSelection) int { return cmp.Compare(a.Token.Seq(), b.Token.Seq()) })
	return all
}

// selections counts the _Generics in the text of a unit.
func (u *unit) selections() (n int) {
	for _, t := range u.out.Tokens {
		if isSelection(t) {
			n++
		}
	}
	return n
}

func isSelection(t preprocess.Token) bool { return t.Is("_Generic") }

// selects is the association of a _Generic that C chooses, by its number.
func (s *fullTypes) selects(x *cc.GenericSelection) (k int, known bool) {
	t := s.of(x.AssignmentExpression).value()
	if t == nil {
		return 0, false
	}
	chosen, i, all := -1, 0, true
	for l := x.GenericAssociationList; l != nil; l = l.GenericAssociationList {
		if a := l.GenericAssociation; a.Case == cc.GenericAssociationDefault {
			if chosen < 0 {
				chosen = i
			}
		} else if same, known := s.named(a.TypeName).same(t, false); !known {
			all = false // another one decides nevertheless, for no two are compatible (6.5.1.1p2)
		} else if same {
			return i, true
		}
		i++
	}
	return chosen, chosen >= 0 && all
}

// association is the one with a number.
func association(x *cc.GenericSelection, k int) *cc.GenericAssociation {
	l := x.GenericAssociationList
	for ; k > 0; k-- {
		l = l.GenericAssociationList
	}
	return l.GenericAssociation
}

// associated is the expression of the first association whose type is the operand's, else the default one; nil where
// that is not known, or the library has chosen another.
func associated(x *cc.GenericSelection, is func(*cc.TypeName) (same, known bool)) cc.ExpressionNode {
	var chosen *cc.GenericAssociation
	for list := x.GenericAssociationList; list != nil; list = list.GenericAssociationList {
		a := list.GenericAssociation
		if a.Case == cc.GenericAssociationDefault {
			if chosen == nil {
				chosen = a
			}
			continue
		}
		same, known := is(a.TypeName)
		if !known {
			return nil
		}
		if same {
			chosen = a
			break
		}
	}
	if chosen == nil || chosen != x.Associated() {
		return nil
	}
	return chosen.AssignmentExpression
}

// Misselected finds a _Generic on a pointer, a bit-field or a number whose type the library may have wrong,
// in an expression, of which it is not known what it chooses; nil if there is none.
func Misselected(n cc.ExpressionNode) (found cc.Node) {
	Inspect(n, func(e any) bool {
		if x, ok := e.(*cc.PrimaryExpression); ok && x.Case == cc.PrimaryExpressionGeneric && Undecided(x.GenericSelection) {
			found = x
		}
		return found == nil
	})
	return found
}

// Undecided reports whether it is not known which association a _Generic chooses that stands in the tree.
func Undecided(x *cc.GenericSelection) bool {
	n := x.AssignmentExpression
	return IsAddress(n) || IsBitfield(n) || mentionsMistyped(n)
}
