package web

// Pictures, of the present moment, with what the last command has changed.

import (
	"context"
	"fmt"
	"net/http"
	"slices"
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

// picture answers with a drawing: of object mp, ma or cfa of a component, of the product or the specification.
func (x *Server) picture(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if !x.shared.alone.TryLock() {
		answer(w, http.StatusConflict, Answer{Error: errBusy.Error()})
		return
	}
	defer x.shared.alone.Unlock()
	s := draw.Selection{Limit: mostBoxes, Unfold: q.Get("unfold") == "1"}
	if q.Get("more") == "1" {
		s.Limit = mostOfBoxes
	}
	if around := q.Get("around"); around != "" {
		var err error
		if s.Around, err = draw.ParseAround(around, "2"); err != nil {
			answer(w, http.StatusBadRequest, Answer{Error: err.Error()})
			return
		}
	}
	p, err := x.shared.drawing(r.Context(), q.Get("object"), q.Get("component"), s)
	if err != nil {
		answer(w, http.StatusNotFound, Answer{Error: err.Error()})
		return
	}
	answer(w, http.StatusOK, p)
}

// drawing draws an object. Who calls has the shell.
func (s *Shared) drawing(ctx context.Context, object, component string, sel draw.Selection) (*Picture, error) {
	words := []string{object}
	if !slices.Contains([]string{"cfa", "mp", "ma", "product", "spec"}, object) {
		return nil, fmt.Errorf("no object %s", object)
	}
	if component != "" {
		words = append(words, component)
	}
	now, err := s.shell.Pictured(ctx, words)
	if err != nil {
		return nil, err
	}
	title := strings.Join(words, " ")
	svg, notes, err := page.Moving(ctx, title, s.pictureBefore(object, component), now, sel)
	if err != nil {
		return nil, err
	}
	d, _, err := now.Drawing(ctx, sel)
	if err != nil {
		return nil, err
	}
	dot, err := d.DOT(ctx)
	if err != nil {
		return nil, err
	}
	return &Picture{Title: title, SVG: svg, Notes: notes, DOT: dot}, nil
}

// pictureBefore is the picture of an object before the last command that changed something; nil if there was none.
func (s *Shared) pictureBefore(object, component string) *draw.Picture {
	if s.before == nil {
		return nil
	}
	v := &s.before.View
	i := slices.IndexFunc(v.Components, func(c cegar.ComponentView) bool { return c.Name == component })
	if i < 0 && len(v.Components) == 1 {
		i = 0
	}
	switch {
	case object == "spec" && v.Spec != nil:
		return draw.LTS("specification", v.Spec, draw.Path(v.Spec, lts.Project(v.Counterexample(), v.Spec.Alphabet())))
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
