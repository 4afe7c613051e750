// Package layered places the boxes of a drawing in layers, one below the other, and
// leads edges between them so that none crosses a box.
//
//	d, err := layered.Layout(ctx, boxes, edges, page)
//	d.Corners[i]  // the upper left corner of box i
//	d.Routes[k]  // where edge k goes, and where its label stands
//
// The steps have a file each: layers (ranks.go), vertices in between for long edges
// (chains.go), the order within layers (order.go, sift.go), places from left to right (columns.go, relax.go), from
// the top down (compact.go), the lines (route.go), and columns of what is much higher than wide (fold.go).
// All of it takes time linear in boxes and edges, but for sorting.
//
// Left out: how boxes and lines look, which is internal/graph's. Boxes in boxes.
package layered
