package page

// Folded parts that open: a drawing that is an overview has, besides its own sheet, one for what is
// in each of its folded parts, and so on, as long as the page does not become too large. A click
// on the part shows its sheet. They are those of the last version.

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"magus/app/draw"
	"magus/internal/graph"
)

const (
	mostParts    = 8     // sheets of the parts of a drawing
	mostPartText = 25000 // bytes of them
)

// opened is the sheet of what is in a folded part.
type opened struct {
	Key, Parent string // its number behind those of the parts around it; "" for the overview
	Title       string
	sheet
}

// keyOf is the key of a part in others.
func keyOf(within []int, part string) string {
	var words []string
	for _, n := range within {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(append(words, part), "-")
}

// open draws what is in the folded parts among the nodes, and in theirs: from the outside in.
func (s Settings) open(ctx context.Context, title string, p *draw.Picture,
	nodes []graph.Node) ([]opened, error) {
	type level struct {
		within []int
		nodes  []graph.Node
	}
	var sheets []opened
	text := 0
	for queue := []level{{nil, nodes}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, n := range at.nodes {
			number, err := strconv.Atoi(n.Name)
			if !n.Folded || err != nil {
				continue
			}
			if len(sheets) == mostParts || text > mostPartText {
				return sheets, nil
			}
			within := append(at.within[:len(at.within):len(at.within)], number)
			d, _, err := p.Drawing(ctx, draw.Selection{Limit: maxBoxes, Open: within})
			if err != nil {
				return nil, err
			}
			one := drawn{from: 1, to: 1, within: within}
			one.nodes, one.edges = d.Parts()
			drawing, err := layOut(ctx, title, []drawn{one})
			if err != nil {
				return nil, err
			}
			o := opened{Key: keyOf(at.within, n.Name), Title: fmt.Sprintf("part %d of %s", number, title),
				sheet: drawing[0]}
			if len(at.within) > 0 {
				last := len(at.within) - 1
				o.Parent = keyOf(at.within[:last], strconv.Itoa(at.within[last]))
			}
			text += len(o.SVG)
			sheets = append(sheets, o)
			queue = append(queue, level{within, one.nodes})
		}
	}
	return sheets, nil
}
