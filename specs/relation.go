package specs

import (
	"slices"
	"strings"
)

// What the claims of a block say: relation failures;

// A Relation is what claims say of code and an LTS, by its name.
type Relation string

// Traces says that the code does nothing that the LTS does not allow.
const Traces Relation = "traces"

// relations are all of them.
var relations = []string{string(Traces), "failures", "failures-divergences", "simulation"}

const relationWord = "relation"

// relation parses relation Name { - Name } of a block that has said none so far, without its semicolon.
func (p *parser) relation(so Relation) Relation {
	p.next()
	pos := p.pos()
	if so != "" {
		p.fail(pos, "the relation of this block is said already: %s", so)
	}
	expected := "one of " + strings.Join(relations, ", ")
	first := p.name(expected)
	name := first.text
	for p.accept("-") {
		name += "-" + p.name("the rest of the relation's name after '-'").text
	}
	if !slices.Contains(relations, name) {
		p.fail(pos, "expected %s, found %s%s", expected, name, token{kind: tokIdent, text: name}.misspelt(relations...))
	}
	return Relation(name)
}

// print writes the statement, if there is one.
func (r Relation) print(b *strings.Builder) {
	if r != "" {
		b.WriteString("\t" + relationWord + " " + string(r) + ";\n")
	}
}
