package web

// The run that violates the claim, as the report has it: step by step, with values; and what is
// drawn of it: by threads, by who waits for whom, or as a stem and a loop.

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"strings"

	"magus/app/draw"
	"magus/app/page"
	"magus/app/report"
	"magus/evidence/verdict"
	"magus/internal/phrase"
)

// violation is the run of an outcome that violates its claim; nil if there is none.
func (s *Shared) violation(o *verdict.Outcome) *report.Counterexample {
	if o == nil || o.Verdict != verdict.Violates {
		return nil
	}
	return report.NewClaim(o, nil, 0, s.outer.Engine).Counterexample
}

// runOf is a run as pages show it; one without lanes if there is none.
func runOf(x *report.Counterexample) *Run {
	r := &Run{}
	if x == nil {
		return r
	}
	r.Wrong = x.Wrong()
	if len(x.Standing) > 0 && x.Must == nil {
		r.Wrong = "deadlock"
	}
	for _, stand := range x.Standing {
		r.Standing = append(r.Standing, Stand{stand.String(), placed(stand.Place)})
	}
	r.Waits = len(x.Standing) > 0
	r.Drawn, r.Lasso = page.HasThreads(x), x.Round != nil
	for _, name := range x.Running {
		r.Lanes.Number(name)
	}
	for i, s := range x.Steps {
		r.Steps = append(r.Steps, r.step(s, i+1, x.BeginsRound(i+1)))
	}
	if n := len(r.Steps) - mostRows; n > 0 {
		r.Steps = r.Steps[n:]
		r.Left = fmt.Sprintf("the first %s left out", phrase.Plural(n, "step"))
	}
	return r
}

// step is a step as pages show it.
func (r *Run) step(s report.Step, number int, round bool) RunStep {
	t := RunStep{Number: number, Lane: r.Lanes.Number(s.Component), Place: placed(s.Place),
		Text: phrase.Clip(cmp.Or(s.Source, s.Statement), 80), Action: s.Action, Branch: s.Branch,
		Refused: s.Forbidden, Round: round}
	for _, name := range s.With {
		t.With = append(t.With, r.Lanes.Number(name))
	}
	var states []string
	for _, st := range s.Specification {
		states = append(states, st.Name)
	}
	t.Specification = strings.Join(states, " or ")
	t.Faint = s.Action == "" && s.Branch == "" && s.Rounds == nil
	for _, v := range s.Values {
		text := cmp.Or(v.State, strings.TrimSpace(v.Name+" = "+v.Value+" "+v.Named))
		if v.Chosen != "" {
			text += " (chosen: " + v.Chosen + ")"
		}
		t.Values = append(t.Values, text)
		t.Faint = t.Faint && v.Idle
	}
	return t
}

// placed is a place of a report, nil if there is none.
func placed(p *report.Place) *Place {
	if p == nil {
		return nil
	}
	return &Place{p.File, p.Line}
}

// runDrawing draws what a run's threads do, who waits for whom at its end, or what it does for ever.
// Who calls has the shell.
func (s *Shared) runDrawing(ctx context.Context, object string) (*Picture, error) {
	if s.now == nil {
		return nil, fmt.Errorf("nothing is loaded")
	}
	x := s.violation(s.now.View.Outcome)
	if x == nil {
		return nil, fmt.Errorf("there is no violation so far")
	}
	var svg template.HTML
	var err error
	switch object {
	case "lasso":
		if x.Round == nil {
			return nil, fmt.Errorf("nothing is done for ever in this run")
		}
		return s.drawn(ctx, "stem and loop", nil, draw.Lasso(s.now.View.Outcome.Run),
			draw.Selection{Limit: mostOfBoxes, Unfold: true})
	case "threads":
		svg = page.Threads(x)
	default:
		svg, err = page.Waits(ctx, x)
	}
	if err == nil && svg == "" {
		err = fmt.Errorf("there is nothing to draw of the run")
	}
	return &Picture{Title: object, SVG: string(svg)}, err
}
