package specs

import (
	"fmt"
	"strconv"
	"strings"
)

// Printing a File in the specification language, in one canonical layout:
// parsing the text gives the same File, up to places and comments.

// String is f in the specification language.
func (f *File) String() string {
	var b strings.Builder
	for i, it := range f.items {
		if i > 0 {
			b.WriteByte('\n')
		}
		it.print(&b)
	}
	return b.String()
}

func (p *process) print(b *strings.Builder) {
	for i, d := range p.defs {
		if i > 0 {
			b.WriteString(",\n")
		} else if p.composite {
			b.WriteString("||")
		}
		b.WriteString(d.name + " = ")
		d.body.print(b, "\n"+strings.Repeat(" ", len(d.name)+3))
		for _, o := range d.ops {
			o.print(b)
		}
	}
	b.WriteString(".\n")
}

// print writes the body; branches after the first begin behind newline.
func (body body) print(b *strings.Builder, newline string) {
	switch body.kind {
	case bodyStop:
		b.WriteString("STOP")
	case bodyError:
		b.WriteString("ERROR")
	case bodyName:
		b.WriteString(body.name)
	case bodyImport:
		b.WriteString("import " + body.name)
	case bodyParallel:
		for i, r := range body.operands {
			b.WriteString([]string{" || ", "( "}[b2i(i == 0)] + r.name)
		}
		b.WriteString(" )")
	case bodyChoice:
		for i, br := range body.branches {
			b.WriteString([]string{newline + "| ", "( "}[b2i(i == 0)])
			br.print(b, newline+"  ")
		}
		b.WriteString(" )")
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (br branch) print(b *strings.Builder, newline string) {
	for _, s := range br.steps {
		if s.set {
			printLabels(b, s.labels)
		} else {
			s.labels[0].print(b)
		}
		b.WriteString(" -> ")
	}
	br.to.print(b, newline)
}

func (l label) print(b *strings.Builder) {
	if l.ret == nil {
		b.WriteString(l.name)
		return
	}
	if l.ret.Component != "" {
		b.WriteString(l.ret.Component + ":")
	}
	b.WriteString("return {")
	if !l.ret.Void {
		b.WriteString(l.ret.Cond.String())
	}
	b.WriteByte('}')
}

func printLabels(b *strings.Builder, labels []label) {
	b.WriteByte('{')
	for i, l := range labels {
		if i > 0 {
			b.WriteString(", ")
		}
		l.print(b)
	}
	b.WriteByte('}')
}

func (o operator) print(b *strings.Builder) {
	b.WriteString(" " + string(o.sign) + " ")
	if o.sign != '/' {
		printLabels(b, o.labels)
		return
	}
	b.WriteByte('{')
	for i, p := range o.pairs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.new.name + "/" + p.old.name)
	}
	b.WriteByte('}')
}

func (p *Procedure) print(b *strings.Builder) {
	b.WriteString("procedure " + p.Name + " {\n")
	for _, a := range p.Abstracts {
		b.WriteString("\tabstract { ")
		if a.Name != "" {
			b.WriteString(a.Name + ", ")
		}
		b.WriteString("(" + a.Guard.String() + "), " + a.LTS + " };\n")
	}
	for i, e := range p.Predicates {
		b.WriteString([]string{", ", "\tpredicate "}[b2i(i == 0)] + "(" + e.String() + ")")
	}
	if len(p.Predicates) > 0 {
		b.WriteString(";\n")
	}
	if p.Framed {
		b.WriteString("\tassigns " + p.Frame() + ";\n")
	}
	if p.Skip {
		b.WriteString("\tskip;\n")
	}
	if p.Inline {
		b.WriteString("\tinline;\n")
	}
	p.Relation.print(b)
	printDemands(b, p.Demands)
	b.WriteString("}\n")
}

func (p *Program) print(b *strings.Builder) {
	b.WriteString("program " + p.Names() + " {\n")
	if len(p.Shared) > 0 {
		var names []string
		for _, s := range p.Shared {
			names = append(names, s.Name)
		}
		b.WriteString("\tshared " + strings.Join(names, ", ") + ";\n")
	}
	for i, f := range p.Buffers {
		b.WriteString([2]string{", ", "\tbuffer "}[max(0, 1-i)] + fmt.Sprintf("%s[%d]", f.Channel, f.Size))
	}
	if p.Buffers != nil {
		b.WriteString(";\n")
	}
	for _, s := range p.Specs {
		b.WriteString("\tspecification " + s.Name + ", {")
		for i, g := range s.Guards {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(g.String())
		}
		b.WriteString("}, " + s.LTS + ";\n")
	}
	p.Relation.print(b)
	printDemands(b, p.Demands)
	b.WriteString("}\n")
}

func printDemands(b *strings.Builder, demands []*Demand) {
	for _, d := range demands {
		b.WriteString("\t" + d.Word() + " " + d.Name + ";\n")
	}
}

// Names are the components as they are written: worker*, server.
func (p *Program) Names() string {
	names := make([]string, len(p.Components))
	for i, name := range p.Components {
		names[i] = name
		switch n := p.Copies[i]; {
		case n == AnyNumber:
			names[i] += "*"
		case n > 1:
			names[i] += "*" + strconv.Itoa(n)
		}
	}
	return strings.Join(names, ", ")
}
