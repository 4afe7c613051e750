package page

// One drawing before and after something was done, for who shows it elsewhere.

import (
	"context"
	"strings"

	"magus/app/draw"
)

// Style is how pages look.
func Style() string { return pageCSS }

// Moving draws a picture so that what it has in common with the one before, if that is not nil,
// stands where it stood; what is new has the attribute data-phases="2", what is gone the class
// gone. The selection says how much is drawn. The notes say what was left out.
func Moving(ctx context.Context, title string, before, now *draw.Picture,
	s draw.Selection) (svg string, notes []string, err error) {
	var all []drawn
	for i, p := range []*draw.Picture{before, now} {
		if p == nil {
			continue
		}
		d, note, err := p.Drawing(ctx, s)
		if err != nil && p == before {
			continue // nothing of the selection was there
		}
		if err != nil {
			return "", nil, err
		}
		note, _, _ = strings.Cut(note, ";") // what follows is for a command line
		one := drawn{from: i + 1, to: i + 1, note: note}
		one.nodes, one.edges = d.Parts()
		all = append(all, one)
	}
	sheets, err := layOut(ctx, title, all)
	if err != nil || len(sheets) == 0 {
		return "", nil, err
	}
	last := sheets[len(sheets)-1]
	for _, n := range last.Notes {
		if n.To == 2 {
			notes = append(notes, n.Text)
		}
	}
	return string(last.SVG), notes, nil
}
