package actionref

import (
	"fmt"
	"strings"

	"magus/internal/graph"
	"magus/lts"
)

// String returns the blocks with the names of their members, one a line, and the quotient.
func (a *Abstraction) String() string {
	var b strings.Builder
	for block := range a.NumBlocks() {
		fmt.Fprintf(&b, "%d = {%s}\n", block, strings.Join(a.memberNames(block), ", "))
	}
	b.WriteString(a.quotient.String())
	return b.String()
}

func (a *Abstraction) memberNames(block int) []string {
	var names []string
	for _, s := range a.Members(block) {
		names = append(names, a.concrete.StateName(s))
	}
	return names
}

// shownMembers is how many members of a block a drawing names.
const shownMembers = 12

// Dot returns the quotient as DOT text; the blocks list their members.
func (a *Abstraction) Dot() string {
	d := graph.NewDrawing("")
	for block := range a.NumBlocks() {
		names := a.memberNames(block)
		if more := len(names) - shownMembers; more > 0 {
			names = append(names[:shownMembers], fmt.Sprintf("and %d more", more))
		}
		label := fmt.Sprintf("%d\n%s", block, strings.Join(names, "\n"))
		d.Node(graph.Node{Label: label, Start: lts.State(block) == a.quotient.Init()})
	}
	for from := range a.NumBlocks() {
		for _, e := range a.quotient.Out(lts.State(from)) {
			d.Edge(graph.Edge{From: from, To: int(e.To), Label: a.concrete.Actions().Name(e.Action)})
		}
	}
	return d.String()
}
