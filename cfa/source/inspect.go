package source

// A walk over the nodes of a syntax tree.
//
// Idea: a tree's nodes are pointers to structures, and what is below one stands in its exported fields that are
// pointers or interfaces. Which fields these are is found out once for each type of node, of which there are some two
// hundred. Cost: linear in the fields that may have nodes.

import (
	"reflect"
	"sync"

	"modernc.org/cc/v4"
)

// A nodeShape says where a type's nodes are.
type nodeShape struct {
	isNode bool
	below  []int // the fields that may have nodes, in order, but for the rest
	rest   int   // the field that has the rest of a list, a node of the same type; -1 if there is none
}

// shapes are those of the types that have been walked over.
var shapes sync.Map // from reflect.Type to *nodeShape

// shapeOf is the shape of a pointer's type.
func shapeOf(t reflect.Type) *nodeShape {
	if s, ok := shapes.Load(t); ok {
		return s.(*nodeShape)
	}
	s := &nodeShape{isNode: isNode(t), rest: -1}
	for i := 0; s.isNode && i < t.Elem().NumField(); i++ {
		switch field := t.Elem().Field(i); {
		case !field.IsExported():
		case field.Type == t:
			s.rest = i
		case field.Type.Kind() == reflect.Interface || field.Type.Kind() == reflect.Pointer && isNode(field.Type):
			s.below = append(s.below, i)
		}
	}
	shapes.Store(t, s)
	return s
}

// isNode reports whether a pointer's type is one of nodes.
func isNode(t reflect.Type) bool {
	return t.Elem().Kind() == reflect.Struct && t.Implements(reflect.TypeFor[cc.Node]())
}

// Inspect calls f for the nodes of a syntax tree, parents first, and goes below
// those for which f returns true. A node of the same type as the one that has it is the rest of a list, which may be
// long: it comes behind what else is below, and is followed without recursion.
func Inspect(n any, f func(node any) bool) {
	if n != nil {
		inspect(reflect.ValueOf(n), f)
	}
}

func inspect(v reflect.Value, f func(node any) bool) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	for s := shapeOf(v.Type()); s.isNode && f(v.Interface()); {
		fields := v.Elem()
		for _, i := range s.below {
			if field := fields.Field(i); !field.IsNil() {
				inspect(field, f)
			}
		}
		if s.rest < 0 {
			return
		}
		if v = fields.Field(s.rest); v.IsNil() {
			return
		}
	}
}
