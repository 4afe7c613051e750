package source

// GCC's attributes that change what a program does.
//
// The C library notes attributes and heeds few. Those that call functions behind
// the program's back, or make two names one, are not modelled: constructor,
// destructor, alias and its like for the whole program, cleanup where the
// variable is declared. packed, mode and weak are looked at where they matter;
// no other attribute changes a value.

import (
	"reflect"
	"strings"

	"magus/cfa"

	"modernc.org/cc/v4"
)

// behindTheBack are the attributes of functions and objects that the whole
// program is refused for.
var behindTheBack = []string{"constructor", "destructor", "alias", "ifunc", "weakref"}

// attribute finds an attribute of a declarator; list are those that follow it.
func attribute(d *cc.Declarator, list *cc.AttributeSpecifierList, names ...string) string {
	for _, name := range names {
		if HasAttribute(d.Type(), name) || listed(list, name) {
			return name
		}
	}
	return ""
}

// listed reports whether attributes in the source, anywhere below a node, have
// one of the name.
func listed(n any, name string) bool {
	found := false
	Inspect(reflect.ValueOf(n), func(x any) bool {
		if a, ok := x.(*cc.AttributeValue); ok {
			found = found || strings.Trim(a.Token.SrcStr(), "_") == name
		}
		return !found
	})
	return found
}

// noteAttributes notes why no program with this declarator can be verified.
func (f *File) noteAttributes(d *cc.Declarator, list *cc.AttributeSpecifierList) {
	if name := attribute(d, list, behindTheBack...); name != "" && f.Refused == nil {
		f.Refused = cfa.Unsupported(Position(d.NameTok().Position()), d.Name()+", which has the attribute "+name, "")
	}
}

// noteTypes does so for a declaration whose types the library got wrong, and
// notes members that are packed one by one.
func (f *File) noteTypes(n *cc.Declaration) {
	if m := Mistyped(n); m != nil && f.Refused == nil {
		f.Refused = m
	}
	Inspect(reflect.ValueOf(n), func(x any) bool {
		if s, ok := x.(*cc.StructDeclaration); ok && listed(s.AttributeSpecifierList, "packed") {
			f.Packs = true
		}
		return !f.Packs
	})
}

// Cleaned reports whether a function is called at the end of a variable's life.
func Cleaned(n *cc.InitDeclarator) bool {
	return attribute(n.Declarator, n.AttributeSpecifierList, "cleanup") != ""
}
