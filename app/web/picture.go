package web

// Pictures, of the present moment, with what the last command has changed.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"magus/app/draw"
	"magus/app/page"
	"magus/engine/cegar"
	"magus/lts"
)

// mostBoxes is how many boxes a picture has, unless more are asked for; and at most.
const (
	mostBoxes   = 60
	mostOfBoxes = 600
)

// picture answers with a drawing: of object mp, ma or cfa of a component, of the product or the
// specification, of a run's threads, of who waits for whom at its end or of what it does for ever, or of a reason of
// a search; of those of a component also as they are at the end of a branch.
func (x *Server) picture(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	s := draw.Selection{Limit: mostBoxes, Unfold: q.Get("unfold") == "1"}
	if q.Get("more") == "1" {
		s.Limit = mostOfBoxes
	}
	if around := q.Get("around"); around != "" {
		var err error
		if s.Around, err = draw.ParseAround(around, "2"); err != nil {
			answer(w, http.StatusOK, Picture{Error: err.Error()})
			return
		}
	}
	var p *Picture
	err := x.shared.Look(r.Context(), func(ctx context.Context) error {
		if x.shared.other != nil {
			return errors.New("nothing is drawn of this search")
		}
		before, err := x.shared.since(ctx, q.Get("since"))
		switch object := q.Get("object"); {
		case err != nil:
		case object == "threads" || object == "waits" || object == "lasso":
			p, err = x.shared.runDrawing(ctx, object)
		case object == "eog":
			p, err = x.shared.reasonDrawing(ctx, q.Get("number"))
		case q.Get("branch") != "":
			p, err = x.shared.branchDrawing(ctx, object, q.Get("component"), q.Get("branch"), s)
		default:
			p, err = x.shared.drawing(ctx, object, q.Get("component"), s, before)
		}
		return err
	})
	if err != nil { // that there is none is no fault of a page, which cannot know
		p = &Picture{Error: err.Error(), Busy: errors.Is(err, errBusy)}
	}
	answer(w, http.StatusOK, p)
}

// reasonDrawing draws the events of a reason, and the cycle for which they have no order. Who calls
// has the shell.
func (s *Shared) reasonDrawing(ctx context.Context, number string) (*Picture, error) {
	if s.now == nil {
		return nil, errors.New("nothing is loaded")
	}
	d, err := s.shell.ReasonDrawn(ctx, number)
	if err != nil {
		return nil, err
	}
	title := "reason " + number
	svg, err := page.Still(ctx, title, d)
	if err != nil {
		return nil, err
	}
	dot, err := d.DOT(ctx)
	return &Picture{Title: title, SVG: string(svg), DOT: dot}, err
}

// since is what the session knew at a moment, or before the last command that changed something if
// none is named; nil if there is nothing before.
func (s *Shared) since(ctx context.Context, moment string) (*cegar.View, error) {
	if moment == "" {
		if s.before == nil {
			return nil, nil
		}
		return &s.before.View, nil
	}
	n, err := strconv.Atoi(moment)
	if err != nil {
		return nil, fmt.Errorf("no moment %s", moment)
	}
	v, err := s.shell.ViewAt(ctx, n)
	return &v, err
}

// drawing draws an object, and what is new of it since something was known. Who calls has the
// shell.
func (s *Shared) drawing(ctx context.Context, object, component string, sel draw.Selection,
	before *cegar.View) (*Picture, error) {
	words := []string{object}
	if !slices.Contains([]string{"cfa", "mp", "ma", "product", "spec"}, object) {
		return nil, fmt.Errorf("no object %s", object)
	}
	if component != "" {
		words = append(words, component)
	}
	now, err := s.pictured(ctx, words)
	if err != nil {
		return nil, err
	}
	p, err := s.drawn(ctx, strings.Join(words, " "), s.pictureBefore(before, object, component), now, sel)
	if err == nil && object == "ma" {
		p.Blocks = s.blocks(component)
	}
	return p, err
}

// drawn draws a picture, and what is new of it since there was another one.
func (s *Shared) drawn(ctx context.Context, title string, before, now *draw.Picture,
	sel draw.Selection) (*Picture, error) {
	svg, notes, err := page.Moving(ctx, title, before, now, sel)
	if err != nil {
		return nil, err
	}
	d, _, err := now.Drawing(ctx, sel)
	if err != nil {
		return nil, err
	}
	dot, err := d.DOT(ctx)
	return &Picture{Title: title, SVG: svg, Notes: notes, DOT: dot}, err
}

// mostBlocks is up to how many blocks of an abstraction the lines of each are told.
const mostBlocks = 2000

// blocks are those of a component with the lines of their states.
func (s *Shared) blocks(component string) (all []Block) {
	i := componentAt(&s.now.View, component)
	if i < 0 {
		return nil
	}
	c := s.now.View.Components[i]
	if c.MA == nil || c.MA.NumBlocks() > mostBlocks {
		return nil
	}
	for b := range c.MA.NumBlocks() {
		block := Block{Number: b}
		met := map[Place]bool{}
		for _, state := range c.MA.Members(b) {
			l, ok := c.Graph.Loc(c.MP.Node(state))
			if p := placeOf(c.CFA.Locs[max(0, l)].Pos); ok && p != nil && !met[*p] {
				met[*p] = true
				block.Places = append(block.Places, *p)
			}
		}
		all = append(all, block)
	}
	return all
}

// componentAt is the number of the component of that name, or of the only one; -1 if there is none.
func componentAt(v *cegar.View, name string) int {
	i := slices.IndexFunc(v.Components, func(c cegar.ComponentView) bool { return c.Name == name })
	if i < 0 && len(v.Components) == 1 {
		return 0
	}
	return i
}

// pictured is the picture of an object as it is now.
func (s *Shared) pictured(ctx context.Context, words []string) (*draw.Picture, error) {
	if words[0] == "spec" && len(words) == 1 && s.now != nil && s.now.View.Spec != nil {
		return specified(&s.now.View), nil
	}
	return s.shell.Pictured(ctx, words)
}

// specified is the picture of the specification; what it allows of the counterexample is red.
func specified(v *cegar.View) *draw.Picture {
	var path []lts.Edge
	if trace := v.Counterexample(); trace != nil && v.StatesAlong != nil {
		trace = lts.Project(trace, v.Spec.Alphabet())
		path = draw.Path(v.Spec, trace[:max(0, len(v.StatesAlong(trace))-1)])
	}
	return draw.LTS("specification", v.Spec, path)
}

// pictureBefore is the picture of an object when something was known; nil if there was none.
func (s *Shared) pictureBefore(v *cegar.View, object, component string) *draw.Picture {
	if v == nil {
		return nil
	}
	i := componentAt(v, component)
	switch {
	case object == "spec" && v.Spec != nil:
		return specified(v)
	case i < 0:
		return nil
	case object == "cfa":
		return draw.Automaton(v.Components[i], s.outer.Engine)
	case object == "mp" && v.Components[i].MP != nil:
		return draw.States(v.Components[i], v.Counterexample(), s.outer.Engine)
	case object == "ma" && v.Components[i].MA != nil:
		return draw.Blocks(v.Components[i], v.Counterexample(), s.outer.Engine)
	}
	return nil
}
