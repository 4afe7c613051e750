package threaded

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/source/libc"
	"magus/internal/expr"
	"magus/internal/verdict"
	"magus/threads"
)

// replay executes a schedule. Without a run there is a reason why it is not believed. The error is ctx's,
// or says that the interpreter does otherwise, which is a fault.
func (s *Session) replay(ctx context.Context, plan *threads.Schedule) (*verdict.Run, verdict.Reason, error) {
	script := interp.ThreadScript{}
	for _, v := range s.auto.Vars {
		script.Init = append(script.Init, interp.Binding{Var: v.Expr, Value: plan.Initial(v.Expr)})
	}
	for _, m := range plan.Moves {
		step := interp.ThreadStep{Thread: m.Thread, Loc: m.Loc}
		if m.Open {
			step.Choices = []interp.Binding{{Var: s.auto.Locs[m.Loc].Stmt.(cfa.Assign).LHS, Value: m.Value}}
		}
		script.Steps = append(script.Steps, step)
	}
	run, err := interp.New(s.auto).ReplayThreads(ctx, script)
	switch {
	case err != nil:
		return nil, verdict.Reason{}, err
	case run.Tainted != nil:
		return nil, verdict.Reason{Kind: verdict.NotModelled, Text: "an error depends on " + run.Tainted.Reason, Place: run.Tainted.Pos}, nil
	case !slices.Contains(run.Trace, cfa.ErrorAction):
		return nil, verdict.Reason{}, errors.New("the run of threads that was found has no error")
	}
	return s.report(run), verdict.Reason{}, nil
}

// report writes a run for people, up to its error.
func (s *Session) report(run *interp.ThreadRun) *verdict.Run {
	r := &verdict.Run{Trace: []string{cfa.ErrorAction}, Full: run.Trace, Copied: true, Spec: []verdict.SpecState{{Name: "Safe"}}}
	number := make([]int, len(s.auto.Threads)) // from 1, of threads that run
	for i, st := range run.Steps {
		if number[st.Thread] == 0 {
			r.Components = append(r.Components, s.auto.Threads[st.Thread].Name)
			r.Inputs = append(r.Inputs, nil)
			number[st.Thread] = len(r.Components)
		}
		pos, frame := s.outside(st.Pos, st.Frame)
		step := verdict.RunStep{Component: number[st.Thread] - 1, Pos: pos, Proc: s.auto.Frames[frame].Proc, Text: st.Stmt}
		for _, b := range st.Changed {
			if frame == st.Frame || s.ofProgram(b.Var) {
				v := s.value(b, st.Chosen)
				v.Writer = s.writer(run, i)
				step.Values = append(step.Values, v)
			}
		}
		if a, ok := st.Event.(interp.Acted); ok {
			step.Action, step.Joins, step.Forbidden = a.Action, []int{step.Component}, a.Action == cfa.ErrorAction
		}
		r.Steps = append(r.Steps, step)
		if step.Forbidden {
			break
		}
	}
	return r
}

// outside is where the program calls the library, for what models of it do.
func (s *Session) outside(pos cfa.Pos, frame int) (cfa.Pos, int) {
	for (isModel(pos) || s.ofModel(frame)) && s.auto.Frames[frame].Parent >= 0 {
		pos, frame = s.auto.Frames[frame].Call, s.auto.Frames[frame].Parent
	}
	return pos, frame
}

// ofModel reports whether an instance is one of a model.
func (s *Session) ofModel(frame int) bool {
	return slices.ContainsFunc(s.auto.Locs, func(l cfa.Location) bool { return l.Frame == frame && isModel(l.Pos) })
}

func isModel(pos cfa.Pos) bool { return strings.HasPrefix(pos.File, libc.Dir+"/") }

// ofProgram reports whether a variable is one of the program's.
func (s *Session) ofProgram(v *expr.Expr) bool {
	i := slices.IndexFunc(s.auto.Vars, func(x cfa.Var) bool { return x.Expr == v })
	return i >= 0 && s.auto.Vars[i].Kind != cfa.Temp && !isModel(s.auto.Vars[i].Pos)
}

// writer is which other thread wrote what a step reads, and where; "" if none did, or if it reads
// from several steps.
func (s *Session) writer(run *interp.ThreadRun, i int) string {
	st := &run.Steps[i]
	if len(st.Reads) != 1 || st.Reads[0].Writer < 0 || run.Steps[st.Reads[0].Writer].Thread == st.Thread {
		return ""
	}
	by := &run.Steps[st.Reads[0].Writer]
	pos, _ := s.outside(by.Pos, by.Frame)
	return fmt.Sprintf("%s, line %d", s.auto.Threads[by.Thread].Name, pos.Line)
}

// value is a variable with what it got.
func (s *Session) value(b interp.Binding, chosen string) verdict.Value {
	v := verdict.Value{Name: b.Var.Name(), Chosen: chosen}
	if i := slices.IndexFunc(s.auto.Vars, func(x cfa.Var) bool { return x.Expr == b.Var }); i >= 0 {
		v.Name = s.auto.Vars[i].Name
	}
	t := b.Var.Type()
	switch name, ok := s.auto.AddressName(b.Value); {
	case t.Signed:
		v.Value = strconv.FormatInt(t.Sext(b.Value), 10)
	case ok:
		v.Value = name
	default:
		v.Value = strconv.FormatUint(b.Value, 10)
	}
	return v
}
