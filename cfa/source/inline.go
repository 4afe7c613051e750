package source

// Definitions that are there to be inlined only (C11 6.7.4p7; GCC's manual, "An Inline Function is As Fast As a
// Macro").
//
// Idea: such a definition, inline without extern in C, extern inline with the attribute gnu_inline, defines no
// function that other units see, so another unit may define it. Its own unit calls it: C leaves open which of both is
// called. (With the attribute its own unit may define it again, which then counts: that is reworded.) Where
// nothing else defines the function, it is the definition of all units, as where the program is compiled so
// that each call is inlined.

import "modernc.org/cc/v4"

// isInlineOnly reports whether a definition is there to be inlined only.
func (f *File) isInlineOnly(def *cc.FunctionDefinition) bool {
	d := def.Declarator
	if !d.IsInline() || d.Linkage() == cc.Internal {
		return false
	}
	if listed(def.DeclarationSpecifiers, "gnu_inline") || HasAttribute(d.Type(), "gnu_inline") {
		return d.IsExtern()
	}
	for _, n := range f.ast.Scope.Nodes[d.Name()] {
		if other, ok := n.(*cc.Declarator); ok && (other.IsExtern() || !other.IsInline()) {
			return false
		}
	}
	return true
}

// publish makes definitions those of all units that were there to be inlined only where there is no other one.
func (p *Program) publish() {
	for _, pr := range p.procs {
		if pr.inlined && p.byName[pr.Name] == nil && p.aliases[pr.Name] == nil {
			p.byName[pr.Name] = pr
			pr.Static = false
		}
	}
}
