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
	"magus/component"
	"magus/engine/threads"
	"magus/evidence/verdict"
	"magus/smt/expr"
)

// replay executes a schedule. Without a run there is a reason why it is not believed, and where the value is assigned
// that it rests on. The error is ctx's, or says that the interpreter does otherwise, which is a fault.
func (s *Session) replay(ctx context.Context, plan *threads.Schedule) (*verdict.Run, verdict.Reason, cfa.Loc, error) {
	script := interp.ThreadScript{}
	for _, v := range s.auto.Vars {
		script.Init = append(script.Init, interp.Binding{Var: v.Expr, Value: plan.Initial(v.Expr)})
	}
	for _, m := range plan.Moves {
		step := interp.ThreadStep{Thread: m.Thread, Loc: m.Loc, Commit: m.Commit}
		if m.Open {
			step.Choices = []interp.Binding{{Var: s.auto.Locs[m.Loc].Stmt.(cfa.Assign).LHS, Value: m.Value}}
		}
		script.Steps = append(script.Steps, step)
	}
	run, err := interp.New(s.auto).Under(s.opt.MemoryModel).ReplayThreads(ctx, script)
	switch {
	case err != nil:
		return nil, verdict.Reason{}, 0, err
	case run.Tainted != nil:
		return nil, verdict.Reason{Kind: verdict.NotModelled, Text: "an error depends on " +
			run.Tainted.Reason, Place: run.Tainted.Pos}, run.Tainted.From, nil
	}
	switch s.claim.Question {
	case component.NoRace:
		err = s.races(run, plan)
	case component.NoDeadlock:
		err = s.stands(run, plan)
	default:
		if !slices.Contains(run.Trace, cfa.ErrorAction) {
			err = errors.New("the run of threads that was found has no error")
		}
	}
	if err != nil {
		return nil, verdict.Reason{}, 0, err
	}
	s.script, s.run, s.plan, s.last = script, run, plan, len(run.Steps)
	if s.claim.Question == component.NoRace {
		s.last = plan.Next
	}
	return s.report(run, plan), verdict.Reason{}, 0, nil
}

// races is an error if a replayed run does not end with two threads before conflicting accesses.
func (s *Session) races(run *interp.ThreadRun, plan *threads.Schedule) error {
	a, b := run.Steps[plan.Race[0]], run.Steps[plan.Race[1]]
	for i := plan.Next; i < len(run.Steps); i++ {
		if t := run.Steps[i].Thread; t != a.Thread && t != b.Thread || t == b.Thread && i < plan.Race[0] {
			return errors.New("the accesses that were found do not come next")
		}
	}
	reads, writes := s.auto.Accesses(a.Loc)
	reads2, writes2 := s.auto.Accesses(b.Loc)
	common := func(p, q []*expr.Expr) bool {
		return slices.ContainsFunc(p, func(v *expr.Expr) bool { return slices.Contains(q, v) })
	}
	if a.Thread == b.Thread || !common(writes, reads2) && !common(writes, writes2) && !common(reads, writes2) {
		return errors.New("the accesses that were found do not conflict")
	}
	return nil
}

// stands is an error if the threads do not stand for ever behind a replayed run.
func (s *Session) stands(run *interp.ThreadRun, plan *threads.Schedule) error {
	if len(plan.Stand) == 0 || !interp.New(s.auto).Deadlocked(run.End) {
		return errors.New("the threads that were found to wait for ever go on")
	}
	return nil
}

// together is the last step of a run: threads that access a variable, or wait for each other.
func (s *Session) together(number []int, action string, at []cfa.Loc, threads []int) verdict.RunStep {
	var step verdict.RunStep
	for i, t := range threads {
		loc := &s.auto.Locs[at[i]]
		pos, frame := s.outside(loc.Pos, loc.Frame)
		o := verdict.OtherStep{Component: number[t] - 1, Pos: pos, Proc: s.auto.Frames[frame].Proc, Text: loc.Stmt.String()}
		step.Joins = append(step.Joins, o.Component)
		if i == 0 {
			step.Component, step.Pos, step.Proc, step.Text, step.Action, step.Forbidden = o.Component, o.Pos, o.Proc, o.Text, action, true
			continue
		}
		step.Others = append(step.Others, o)
	}
	return step
}

// report writes a run for people, up to its error.
func (s *Session) report(run *interp.ThreadRun, plan *threads.Schedule) *verdict.Run {
	r := &verdict.Run{Trace: []string{cfa.ErrorAction}, Full: run.Trace, Copied: true,
		Spec: []verdict.SpecState{{Name: "Safe"}}}
	number := make([]int, len(s.auto.Threads)) // from 1, of threads that run
	end := len(run.Steps)
	if s.claim.Question == component.NoRace {
		end = plan.Next
	}
	begin := func(thread int) {
		if number[thread] == 0 {
			r.Components = append(r.Components, s.auto.Threads[thread].Name)
			r.Inputs = append(r.Inputs, nil)
			number[thread] = len(r.Components)
		}
	}
	commits := run.Commits
	for i, st := range run.Steps[:end] {
		for ; len(commits) > 0 && commits[0].Before <= i; commits = commits[1:] {
			c := commits[0]
			pos, frame := s.outside(run.Steps[c.By].Pos, run.Steps[c.By].Frame)
			v := s.value(c.Binding, "")
			v.Name = "others see " + v.Name
			r.Steps = append(r.Steps, verdict.RunStep{Component: number[c.Thread] - 1, Pos: pos,
				Proc: s.auto.Frames[frame].Proc, Text: v.Name, Values: []verdict.Value{v}})
		}
		begin(st.Thread)
		pos, frame := s.outside(st.Pos, st.Frame)
		if isModel(pos) { // a variable of a model begins
			continue
		}
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
	switch s.claim.Question {
	case component.NoRace:
		a, b := run.Steps[plan.Race[0]], run.Steps[plan.Race[1]]
		begin(a.Thread)
		begin(b.Thread)
		r.Trace = []string{"race"}
		r.Steps = append(r.Steps, s.together(number, r.Trace[0], []cfa.Loc{a.Loc, b.Loc}, []int{a.Thread, b.Thread}))
	case component.NoDeadlock:
		var at []cfa.Loc
		for _, t := range plan.Stand {
			begin(t)
			l, _ := run.End.At(t)
			at = append(at, l)
		}
		r.Trace = []string{"deadlock"}
		r.Steps = append(r.Steps, s.together(number, r.Trace[0], at, plan.Stand))
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

// ofModel reports whether an instance is one of a model. What a model calls is none: only its call is in the model.
// Nor is the first one, where variables of models have their values.
func (s *Session) ofModel(frame int) bool {
	call := s.auto.Frames[frame].Call
	return s.auto.Frames[frame].Parent >= 0 && slices.ContainsFunc(s.auto.Locs, func(l cfa.Location) bool {
		return l.Frame == frame && isModel(l.Pos) && l.Pos != call
	})
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
