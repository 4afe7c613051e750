package cfatest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// PartsPrelude is what programs of [Parts] need in front.
const PartsPrelude = "#include <string.h>\nvoid out(long long);\n"

// Parts is a random program that writes and reads one object in parts that overlap: members of a union, bit-fields of
// odd widths, packed and not, bytes, and copies of some bytes from any place: types and an entry procedure p<id> of
// type int (void).
func Parts(id int, seed uint64) (text, entry string) {
	g := &parts{Rand: rand.New(rand.NewPCG(seed, 22)), id: id}
	entry = fmt.Sprintf("p%d", id)
	g.union()
	fmt.Fprintf(&g.text, "int %s(void)\n{\n\tunion pu%d u = { 0 };\n", entry, id)
	g.line("unsigned char s[8] = { 1, 2, 130, 255, 77, 200, 9, 128 }, *p = (unsigned char *)&u;")
	for range 4 + g.IntN(5) {
		g.step()
	}
	for i := range 8 {
		g.line("out(u.c[%d]);", i)
	}
	for _, m := range g.places {
		g.line("out(u.%s);", m)
	}
	g.line("return 0;\n}")
	return g.text.String(), entry
}

type parts struct {
	*rand.Rand
	id     int
	text   strings.Builder
	places []string // of the union, that are numbers
}

func (g *parts) line(format string, args ...any) { fmt.Fprintf(&g.text, "\t"+format+"\n", args...) }

// union writes the type of the object, 8 bytes that are read in several ways.
func (g *parts) union() {
	var fields strings.Builder
	for i, bits := 0, 0; ; i++ {
		w := 1 + g.IntN(24)
		if bits += w; bits > 56 {
			break
		}
		name := fmt.Sprintf("f%d", i)
		fmt.Fprintf(&fields, "%s %s : %d; ", []string{"unsigned", "int", "unsigned long long"}[g.IntN(3)], name, w)
		g.places = append(g.places, "b."+name)
	}
	packed := ""
	if g.IntN(2) == 0 {
		packed = "__attribute__((packed)) "
	}
	fmt.Fprintf(&g.text, "union pu%d {\n\tunsigned char c[8];\n\tstruct { %s} %sb;\n", g.id, fields.String(), packed)
	for _, m := range []struct {
		declaration string
		places      []string
	}{
		{"unsigned short h[4]", []string{"h[1]", "h[2]"}},
		{"int i[2]", []string{"i[0]", "i[1]"}},
		{"unsigned long long l", []string{"l"}},
		{"struct { char x; int y; short z; } __attribute__((packed)) k", []string{"k.y", "k.z"}},
	} {
		if g.IntN(2) == 0 {
			g.line("%s;", m.declaration)
			g.places = append(g.places, m.places...)
		}
	}
	g.text.WriteString("};\n")
}

// step writes a part of the object.
func (g *parts) step() {
	place := g.places[g.IntN(len(g.places))]
	switch g.IntN(6) {
	case 0:
		g.line("p[%d] = %d;", g.IntN(8), g.IntN(256))
	case 1:
		n := 1 + g.IntN(4)
		g.line("memcpy(p + %d, s + %d, %d);", g.IntN(9-n), g.IntN(9-n), n)
	case 2:
		n := 1 + g.IntN(4)
		g.line("memcpy(s + %d, p + %d, %d);", g.IntN(9-n), g.IntN(9-n), n)
	case 3:
		g.line("u.%s++;", place)
	case 4:
		g.line("u.%s ^= s[%d] * %du;", place, g.IntN(8), 1+g.IntN(1<<20))
	default:
		g.line("u.%s = %d;", place, g.IntN(1<<16))
	}
}
