package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/smt/expr"
)

// list is struct list { int n; struct list *next; }.
func list() *memory.Type {
	node := &memory.Type{Size: 16}
	next := &memory.Type{Size: 8, Scalar: pointer.Scalar, Target: node}
	node.Members = []memory.Member{{Name: "n", Type: integer}, {Name: "next", At: 64, Type: next}}
	return node
}

// TestPointees: a pointer from outside leads to objects of their own, as deep as ExternalDepth says; each of them is an
// assumption if it is accessed.
func TestPointees(t *testing.T) {
	checked := memory.Options{Modelling: cfa.Modelling{CheckPointers: true}}
	for name, c := range map[string]struct {
		typ     *memory.Type
		opt     memory.Options
		objects int
	}{
		"an int":                               {integer, memory.Options{}, 1},
		"a list":                               {list(), memory.Options{}, 1 + memory.ExternalDepth},
		"a list, checked":                      {list(), checked, 1 + memory.ExternalDepth},
		"nothing known":                        {nil, memory.Options{}, 0},
		"bytes":                                {memory.Bytes, memory.Options{}, 1},
		"bytes, of which nobody says how many": {memory.Bytes, checked, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDraft(c.opt)
			p := d.variable("p", pointer, cfa.Param)
			d.mem.OwnParameter(p, c.typ)
			require.Len(t, d.mem.Objects(), c.objects)
			require.Equal(t, c.objects > 0, d.mem.Own(p) != nil)
		})
	}
	d := newDraft(memory.Options{})
	for range 300 {
		d.mem.Pointee("p", integer, cfa.Var{}, 0)
	}
	require.Len(t, d.mem.Objects(), 256, "of one component")
}

// TestEntry: a run begins with pointers from outside that are NULL or point to their object; others are left out.
func TestEntry(t *testing.T) {
	const other = 0x1234_5678
	for checked, want := range map[bool]map[string]string{
		false: {"NULL": cfa.InvalidPointer, "object": "end", "behind": cfa.InvalidPointer, "other": cfa.InvalidPointer},
		true: {"NULL": cfa.ErrorAction, "object": "end", "behind": "a pointer from outside",
			"other": "a pointer from outside"},
	} {
		d := newDraft(memory.Options{Modelling: cfa.Modelling{CheckPointers: checked}})
		p := d.variable("p", pointer, cfa.Param)
		d.mem.OwnParameter(p, integer)
		d.use(p)
		c := d.build(t)
		object := d.mem.AddressIn(d.mem.Own(p), 0).Value()
		for name, value := range map[string]uint64{"NULL": 0, "object": object, "behind": object + 4, "other": other} {
			require.Equal(t, []string{want[name]}, ends(c, map[*expr.Expr]uint64{p: value}), "%s, checked: %v", name, checked)
		}
		require.Contains(t, c.Warnings, cfa.Warning{Pos: pos(1), Kind: cfa.AboutPointers,
			Text: "p points to an object of its own, or is NULL"})
	}
}
