package source

import (
	"debug/elf"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"modernc.org/cc/v4"

	"magus/cfa"
	"magus/internal/sample"
)

// TestInitialisersAgreeWithGCC: objects with random initialisers have the bytes that GCC gives them, for both data
// models.
func TestInitialisersAgreeWithGCC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	n, first := sample.Count(400), int(sample.Seed(0))
	for _, m := range []struct {
		model cfa.DataModel
		flag  string
	}{{cfa.LP64, "-m64"}, {cfa.ILP32, "-m32"}} {
		t.Run(m.model.String(), func(t *testing.T) {
			refused := 0
			for from := 0; from < n; from += 400 {
				refused += compareInitialisers(t, m.model, m.flag, first+from, first+min(n, from+400))
			}
			t.Logf("%d declarations, %d refused", n, refused)
			require.True(t, !sample.Whole() || refused < n/4) // values without room, mostly
		})
	}
}

// compareInitialisers compares the declarations with some seeds, and counts those that are refused.
func compareInitialisers(t *testing.T, model cfa.DataModel, flag string, from, to int) (refused int) {
	var text strings.Builder
	type object struct {
		declaration string
		image       []byte
	}
	own := map[string]object{}
	for id := from; id < to; id++ {
		g := &initialisers{Rand: rand.New(rand.NewPCG(uint64(id), 35)), id: id}
		declaration := g.declaration()
		image, ok := initialImage(t, model, declaration, fmt.Sprintf("v%d", id))
		if !ok {
			refused++
			continue
		}
		text.WriteString(strings.Replace(declaration, "OBJECT", "", 1))
		own[fmt.Sprintf("v%d", id)] = object{declaration, image}
	}
	theirs := objectImages(t, flag, text.String())
	for _, name := range slices.Sorted(maps.Keys(own)) {
		require.Equal(t, theirs[name], own[name].image, own[name].declaration)
	}
	return refused
}

// objectImages are the bytes with which the objects of a program begin, as GCC has them.
func objectImages(t *testing.T, flag, text string) map[string][]byte {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(text), 0o600))
	cmd := exec.Command("gcc", "-c", "-w", "-fno-common", "-fno-zero-initialized-in-bss", flag, "a.c", "-o", "a.o")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return imagesOf(t, filepath.Join(dir, "a.o"))
}

// imagesOf are the bytes of the objects in a file of object code, by name.
func imagesOf(t *testing.T, name string) map[string][]byte {
	file, err := elf.Open(name)
	require.NoError(t, err)
	defer file.Close()
	symbols, err := file.Symbols()
	require.NoError(t, err)
	images, data := map[string][]byte{}, map[elf.SectionIndex][]byte{}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) != elf.STT_OBJECT {
			continue
		}
		if data[s.Section] == nil {
			data[s.Section], err = file.Sections[s.Section].Data()
			require.NoError(t, err)
		}
		images[s.Name] = data[s.Section][s.Value : s.Value+s.Size]
	}
	return images
}

// initialImage is what an object begins with; ok is false if the declaration is refused.
func initialImage(t *testing.T, model cfa.DataModel, declaration, name string) (image []byte, ok bool) {
	text := strings.Replace(declaration, "OBJECT", "", 1)
	p, err := Parse(t.Context(), []Source{{Name: "p.c", Text: []byte(text)}}, Options{Model: model})
	if err != nil {
		return nil, false
	}
	object := p.Files[0].Objects[name]
	parts, err := p.Layouts.Initialise(object.Init, object.Type)
	require.NoError(t, err, declaration)
	image = make([]byte, p.Layouts.Size(object.Type))
	set := func(at, bits int64, v uint64) {
		for i := range bits {
			image[(at+i)/8] &^= 1 << ((at + i) % 8)
			image[(at+i)/8] |= byte(v>>i&1) << ((at + i) % 8)
		}
	}
	for _, part := range parts {
		if part.Expr == nil {
			for i := range part.Bits {
				set(part.At+i, 1, 0)
			}
			continue
		}
		if x, ok := Unparen(part.Expr).(*cc.PrimaryExpression); ok && part.Type.Kind() == cc.Array {
			switch v := x.Value().(type) {
			case cc.StringValue:
				for i, c := range []byte(v) {
					if int64(i) < p.Layouts.Size(part.Type) {
						set(part.At+8*int64(i), 8, uint64(c))
					}
				}
			case cc.UTF32StringValue:
				for i, c := range v {
					if 4*int64(i) < p.Layouts.Size(part.Type) {
						set(part.At+32*int64(i), 32, uint64(c))
					}
				}
			}
			continue
		}
		v, ok := p.Layouts.Constant(part.Expr)
		if !ok { // a text for a character, say
			return nil, false
		}
		set(part.At, part.Bits, uint64(v))
	}
	return image, true
}

// initialisers makes declarations at random.
type initialisers struct {
	*rand.Rand
	id, names, values int
}

// A randomType is a scalar, an array or a record.
type randomType struct {
	scalar  string
	bits    int // of a bit-field
	elem    *randomType
	length  int
	union   bool
	members []randomMember
}

type randomMember struct {
	name string // "" where a record has none
	typ  *randomType
}

func (g *initialisers) declaration() string {
	t := g.aggregate(3)
	text := g.list(t, 2, g.IntN(5))
	if t.elem != nil && text != "{  }" && g.IntN(3) == 0 {
		t.length = 0
	}
	return fmt.Sprintf("OBJECT %s = %s;\n", g.declare(t, fmt.Sprintf("v%d", g.id)), text)
}

func (g *initialisers) aggregate(depth int) *randomType {
	if g.IntN(3) == 0 {
		return &randomType{elem: g.typ(depth - 1), length: 1 + g.IntN(4)}
	}
	t := &randomType{union: g.IntN(4) == 0}
	for range 1 + g.IntN(4) {
		m := randomMember{typ: g.typ(depth - 1)}
		switch {
		case m.typ.members != nil && g.IntN(3) == 0: // no name
		case m.typ.elem == nil && m.typ.members == nil && g.IntN(4) == 0:
			m.typ = &randomType{scalar: "unsigned", bits: 1 + g.IntN(20)}
			fallthrough
		default:
			g.names++
			m.name = fmt.Sprintf("m%d", g.names)
		}
		t.members = append(t.members, m)
	}
	return t
}

func (g *initialisers) typ(depth int) *randomType {
	if depth > 0 && g.IntN(2) == 0 {
		return g.aggregate(depth)
	}
	if g.IntN(6) == 0 {
		return &randomType{elem: &randomType{scalar: "char"}, length: 1 + g.IntN(5)}
	}
	return &randomType{scalar: []string{"char", "short", "int", "long long", "unsigned char", "long"}[g.IntN(6)]}
}

// declare is a declaration of a name with a type.
func (g *initialisers) declare(t *randomType, name string) string {
	switch {
	case t.bits > 0:
		return fmt.Sprintf("%s %s : %d", t.scalar, name, t.bits)
	case t.elem != nil && t.length == 0:
		return g.declare(t.elem, name+"[]")
	case t.elem != nil:
		return g.declare(t.elem, fmt.Sprintf("%s[%d]", name, t.length))
	case t.members == nil:
		return t.scalar + " " + name
	}
	var b strings.Builder
	b.WriteString(map[bool]string{false: "struct {", true: "union {"}[t.union])
	for _, m := range t.members {
		b.WriteString(" " + g.declare(m.typ, m.name) + ";")
	}
	return b.String() + " } " + name
}

func (g *initialisers) value() string {
	g.values++
	return strconv.Itoa([]int{g.values, -g.values, g.values * 7919}[g.IntN(3)])
}

// list is an initialiser in braces.
func (g *initialisers) list(t *randomType, depth, length int) string {
	var items []string
	for range length {
		part, name := t, ""
		if g.IntN(2) == 0 || len(items) > 0 && g.IntN(2) == 0 {
			part, name = g.designation(t)
			name += " = "
		} else if t.elem != nil {
			part = t.elem
		} else if len(t.members) > 0 {
			part = t.members[0].typ // of some member; braces are taken where it is an aggregate
			if len(items) > 0 {
				part = &randomType{scalar: "int"}
			}
		}
		items = append(items, name+g.initialiser(part, depth, name != ""))
	}
	return "{ " + strings.Join(items, ", ") + " }"
}

// designation names a part of a type.
func (g *initialisers) designation(t *randomType) (part *randomType, name string) {
	for first := true; first || (t.elem != nil || t.members != nil) && g.IntN(2) == 0; first = false {
		if t.elem != nil {
			low := g.IntN(t.length)
			if high := low + g.IntN(t.length-low); high > low && g.IntN(2) == 0 {
				name += fmt.Sprintf("[%d ... %d]", low, high)
			} else {
				name += fmt.Sprintf("[%d]", low)
			}
			t = t.elem
			continue
		}
		if len(t.members) == 0 {
			break
		}
		m := t.members[g.IntN(len(t.members))]
		for m.name == "" { // a member of it stands for it
			m = m.typ.members[g.IntN(len(m.typ.members))]
		}
		name += "." + m.name
		t = m.typ
	}
	return t, name
}

// initialiser is one for a part; without a designation it may meet a scalar, for which an empty list is no C11,
// and GCC takes a text behind a designated character for the array around that.
func (g *initialisers) initialiser(t *randomType, depth int, designated bool) string {
	switch {
	case designated && t.elem != nil && t.elem.scalar == "char" && g.IntN(2) == 0:
		return strconv.Quote("abcdef"[:g.IntN(t.length+1)])
	case t.elem == nil && t.members == nil:
		if g.IntN(8) == 0 {
			return "{ " + g.value() + " }"
		}
	case depth > 0 && g.IntN(4) > 0:
		if !designated {
			return g.list(t, depth-1, 1+g.IntN(4))
		}
		return g.list(t, depth-1, g.IntN(5))
	}
	return g.value()
}
