package threaded

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/monitor"
	"magus/cfa/source/libc"
	"magus/component"
	"magus/engine/threads"
	"magus/evidence/verdict"
	"magus/smt/expr"
)

// replay executes a schedule. Without a run there is a reason why it is not believed, and where the value is assigned
// that it rests on. The error is ctx's, or says that the interpreter does otherwise, which is a fault.
func (q *question) replay(ctx context.Context, plan *threads.Schedule) (*violation, verdict.Reason, cfa.Loc, error) {
	script := interp.ThreadScript{}
	for _, v := range q.auto.Vars {
		script.Init = append(script.Init, interp.Binding{Var: v.Expr, Value: plan.Initial(v.Expr)})
	}
	for _, m := range plan.Moves {
		step := interp.ThreadStep{Thread: m.Thread, Loc: m.Loc, Commit: m.Commit}
		if m.Open {
			step.Choices = []interp.Binding{{Var: q.auto.Locs[m.Loc].Stmt.(cfa.Assign).LHS, Value: m.Value}}
		}
		script.Steps = append(script.Steps, step)
	}
	run, err := interp.New(q.auto).Under(q.opt.Threads.MemoryModel).ReplayThreads(ctx, script)
	switch {
	case err != nil:
		return nil, verdict.Reason{}, 0, err
	case run.Tainted != nil:
		why, at := doubted(run.Tainted)
		return nil, why, at, nil
	}
	switch q.claim.Question {
	case component.NoRace:
		err = q.checkRace(run, plan)
	case component.NoDeadlock:
		var rests *interp.Taint
		if rests, err = q.checkDeadlock(run, plan); rests != nil {
			why, at := doubted(rests)
			return nil, why, at, nil
		}
	default:
		if !slices.Contains(run.Trace, cfa.ErrorAction) {
			err = errors.New("the run of threads that was found has no error")
		}
	}
	if err != nil {
		return nil, verdict.Reason{}, 0, err
	}
	found := &violation{replayed{script, run, len(run.Steps), plan}, q.auto, q.limit, q.report(run, plan)}
	if q.claim.Question == component.NoRace {
		found.last = plan.Next
	}
	return found, verdict.Reason{}, 0, nil
}

// checkRace is an error if a replayed run does not end with two threads before conflicting accesses.
func (q *question) checkRace(run *interp.ThreadRun, plan *threads.Schedule) error {
	a, b := run.Steps[plan.Race[0]], run.Steps[plan.Race[1]]
	for i := plan.Next; i < len(run.Steps); i++ {
		if t := run.Steps[i].Thread; t != a.Thread && t != b.Thread || t == b.Thread && i < plan.Race[0] {
			return errors.New("the accesses that were found do not come next")
		}
	}
	reads, writes := q.auto.Accesses(a.Loc)
	reads2, writes2 := q.auto.Accesses(b.Loc)
	common := func(p, q []*expr.Expr) bool {
		return slices.ContainsFunc(p, func(v *expr.Expr) bool { return slices.Contains(q, v) })
	}
	if a.Thread == b.Thread || !common(writes, reads2) && !common(writes, writes2) && !common(reads, writes2) {
		return errors.New("the accesses that were found do not conflict")
	}
	return nil
}

// checkDeadlock is an error if the threads do not stand for ever behind a replayed run. That they do may rest
// on a value.
func (q *question) checkDeadlock(run *interp.ThreadRun, plan *threads.Schedule) (*interp.Taint, error) {
	deadlock, rests := interp.New(q.auto).Standing(run.End)
	if rests == nil && (len(plan.Blocked) == 0 || !deadlock) {
		return nil, errors.New("the threads that were found to wait for ever go on")
	}
	return rests, nil
}

// doubted is why a violation is not believed, and where the value is assigned that it rests on.
func doubted(t *interp.Taint) (verdict.Reason, cfa.Loc) {
	return verdict.Reason{Kind: verdict.NotModelled, Text: "an error depends on " + t.Reason, Place: t.Pos}, t.From
}

// together is the last step of a run: threads that access a variable, or wait for each other.
func (q *question) together(number []int, action string, at []cfa.Loc, threads []int) verdict.RunStep {
	var step verdict.RunStep
	for i, t := range threads {
		loc := &q.auto.Locs[at[i]]
		pos, frame := q.libraryCall(loc.Pos, loc.Frame)
		o := verdict.OtherStep{Component: number[t] - 1, Pos: pos, Proc: q.auto.Frames[frame].Proc, Text: loc.Stmt.String()}
		step.Joins = append(step.Joins, o.Component)
		if i == 0 {
			step.Component, step.Pos, step.Proc, step.Text = o.Component, o.Pos, o.Proc, o.Text
			step.Action, step.Forbidden = action, true
			continue
		}
		step.Others = append(step.Others, o)
	}
	return step
}

// report writes a run for people, up to its error.
func (q *question) report(run *interp.ThreadRun, plan *threads.Schedule) *verdict.Run {
	r := &verdict.Run{Trace: []string{cfa.ErrorAction}, Full: run.Trace, Copied: true,
		Spec: []verdict.SpecState{{Name: "Safe"}}}
	number := make([]int, len(q.auto.Threads)) // from 1, of threads that run
	end := len(run.Steps)
	if q.claim.Question == component.NoRace {
		end = plan.Next
	}
	begin := func(thread int) {
		if number[thread] == 0 && !q.tests(thread) {
			r.Components = append(r.Components, q.auto.Threads[thread].Name)
			r.Threads = append(r.Threads, thread)
			r.Inputs = append(r.Inputs, nil)
			number[thread] = len(r.Components)
		}
	}
	commits := run.Commits
	for i, st := range run.Steps[:end] {
		for ; len(commits) > 0 && commits[0].Before <= i; commits = commits[1:] {
			c := commits[0]
			pos, frame := q.libraryCall(run.Steps[c.By].Pos, run.Steps[c.By].Frame)
			v := q.value(c.Binding, "")
			v.Name = "others see " + v.Name
			r.Steps = append(r.Steps, verdict.RunStep{Component: number[c.Thread] - 1, Pos: pos,
				Proc: q.auto.Frames[frame].Proc, Text: v.Name, Values: []verdict.Value{v}})
		}
		begin(st.Thread)
		pos, frame := q.libraryCall(st.Pos, st.Frame)
		if isModel(pos) { // a variable of a model begins
			continue
		}
		step := verdict.RunStep{Component: number[st.Thread] - 1, Pos: pos, Proc: q.auto.Frames[frame].Proc, Text: st.Stmt}
		for _, b := range st.Changed {
			if !monitor.Owns(b.Var) && st.Chosen != cfa.WakesUp && (frame == st.Frame || q.ofProgram(b.Var)) {
				v := q.value(b, st.Chosen)
				v.Writer = q.writer(run, i)
				step.Values = append(step.Values, v)
			}
		}
		if how := q.wokenAlone(run, i); how != "" {
			step.Values = append(step.Values, verdict.Value{Name: "woken up", State: how})
		}
		if a, ok := st.Event.(interp.Acted); ok {
			step.Action, step.Joins, step.Forbidden = a.Action, []int{step.Component}, a.Action == cfa.ErrorAction
		}
		r.Steps = append(r.Steps, step)
		if step.Forbidden {
			break
		}
	}
	switch q.claim.Question {
	case component.NoRace:
		a, b := run.Steps[plan.Race[0]], run.Steps[plan.Race[1]]
		begin(a.Thread)
		begin(b.Thread)
		r.Trace = []string{"race"}
		r.Steps = append(r.Steps, q.together(number, r.Trace[0], []cfa.Loc{a.Loc, b.Loc}, []int{a.Thread, b.Thread}))
	case component.NoDeadlock:
		var at []cfa.Loc
		blocked := slices.DeleteFunc(slices.Clone(plan.Blocked), q.tests)
		for _, t := range blocked {
			begin(t)
			l, _ := run.End.At(t)
			at = append(at, l)
		}
		r.Trace = []string{"deadlock"}
		if len(blocked) > 0 {
			r.Steps = append(r.Steps, q.together(number, r.Trace[0], at, blocked))
		}
		r.Standing = q.stands(run, number)
	}
	return r
}

// libraryCall is where the program calls the library, for what models of it do.
func (q *question) libraryCall(pos cfa.Pos, frame int) (cfa.Pos, int) {
	for (isModel(pos) || q.ofModel(frame)) && q.auto.Frames[frame].Parent >= 0 {
		pos, frame = q.auto.Frames[frame].Call, q.auto.Frames[frame].Parent
	}
	return pos, frame
}

// ofModel reports whether an instance is one of a model. What a model calls is none: only its call is in the model.
// Nor is the first one, where variables of models have their values. Of a model that does nothing only its parameters
// are left.
func (q *question) ofModel(frame int) bool {
	call := q.auto.Frames[frame].Call
	does := func(l cfa.Location) bool { return l.Frame == frame && isModel(l.Pos) && l.Pos != call }
	has := func(v cfa.Var) bool { return v.Frame == frame && isModel(v.Pos) }
	return q.auto.Frames[frame].Parent >= 0 &&
		(slices.ContainsFunc(q.auto.Locs, does) || slices.ContainsFunc(q.auto.Vars, has))
}

func isModel(pos cfa.Pos) bool { return strings.HasPrefix(pos.File, libc.Dir+"/") }

// ofProgram reports whether a variable is one of the program'q.
func (q *question) ofProgram(v *expr.Expr) bool {
	i := slices.IndexFunc(q.auto.Vars, func(x cfa.Var) bool { return x.Expr == v })
	return i >= 0 && q.auto.Vars[i].Kind != cfa.Temp && !isModel(q.auto.Vars[i].Pos)
}

// writer is which other thread wrote what a step reads, and where; "" if none did, or if it reads
// from several steps.
func (q *question) writer(run *interp.ThreadRun, i int) string {
	st := &run.Steps[i]
	if len(st.Reads) != 1 || st.Reads[0].Writer < 0 || run.Steps[st.Reads[0].Writer].Thread == st.Thread {
		return ""
	}
	by := &run.Steps[st.Reads[0].Writer]
	pos, _ := q.libraryCall(by.Pos, by.Frame)
	return fmt.Sprintf("%s, line %d", q.auto.Threads[by.Thread].Name, pos.Line)
}

// value is a variable with what it got.
func (q *question) value(b interp.Binding, chosen string) verdict.Value {
	v := verdict.Value{Name: b.Var.Name(), Chosen: chosen}
	if i := slices.IndexFunc(q.auto.Vars, func(x cfa.Var) bool { return x.Expr == b.Var }); i >= 0 {
		v.Name = q.auto.Vars[i].Name
		v.Shared = q.auto.Vars[i].Frame < 0 && !slices.ContainsFunc(q.auto.Vars, func(x cfa.Var) bool {
			return x.Name == v.Name && x.Expr != b.Var && x.Frame < 0 // one for each thread
		})
	}
	t := b.Var.Type()
	if name, ok := q.auto.AddressName(b.Value); ok && !t.Signed && !t.IsFloat() {
		v.Value = name
	} else {
		v.Value = t.Show(b.Value)
	}
	return v
}
