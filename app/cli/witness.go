package cli

// Witnesses for validators of SV-COMP.

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"magus"
	"magus/app/job"
	"magus/app/report/svwitness"
	"magus/cfa/source"
	"magus/component"
)

// writeWitness writes the witness of the claim, or says why there is none.
func (e *evidence) writeWitness(ctx context.Context, q *job.Question) error {
	name := e.options.Witness
	if name == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.world.PageTime)
	defer cancel()
	w, why, err := e.witness(ctx, q)
	if err != nil {
		return err
	}
	if why != "" {
		fmt.Fprintf(e.world.Stderr, "magus: %s: %s\n", name, why)
	}
	if w == nil {
		return nil
	}
	return e.writeInTime(ctx, "--witness", name, func(out io.Writer) error { return svwitness.Write(out, w) })
}

// witness is the witness of the only claim; why says what it lacks, or, if it is nil, why there is none.
func (e *evidence) witness(ctx context.Context, q *job.Question) (w *svwitness.Witness, why string, err error) {
	if q == nil || len(e.covered) != 1 || e.covered[0].Verdict == magus.Unknown.String() {
		return nil, "not written: the verdict is unknown, of which there is no witness", nil
	}
	switch component.Question(e.options.Property) {
	case component.NoLivelock:
		return nil, "not written: the format has no witnesses for livelocks", nil
	case component.Terminates:
		if e.covered[0].Verdict == magus.Conforms.String() {
			return nil, "not written: this tool writes no witnesses of proofs that runs end", nil
		}
	}
	view := e.views[0]
	if view == nil || len(view.Components) != 1 || len(view.Components[0].CFA.Threads) > 0 {
		return nil, "not written: the format has no witnesses for programs with threads", nil
	}
	if view.Components[0].CFA.Joint != nil {
		return nil, "not written: the format has no witnesses for values that messages carry", nil
	}
	w = &svwitness.Witness{Version: version(), Created: e.created(),
		Task: svwitness.Task{DataModel: q.Program.Options.Model.String()}}
	for _, u := range q.Program.C {
		w.Files = append(w.Files, svwitness.File{Name: u.Name, Text: u.Text})
	}
	if e.asksOverflow() && view.Replayed != nil {
		return nil, "not written: where an operation overflows is not said in this format by this tool; " +
			"a proof has a witness", nil
	}
	called := "reach_error"
	c := view.Components[0]
	entry := "main"
	if e.options.Entry != "" {
		entry = e.options.Entry
	}
	if round := view.Endless; round != nil {
		w.Violation, w.Specification = true, fmt.Sprintf("CHECK( init(%s()), LTL(F end) )", entry)
		w.Waypoints = svwitness.Endless(c.CFA, view.Replayed.Runs[0], round.Stem, round.Round, round.Same, q.Program.C)
		if w.Waypoints == nil {
			return nil, "not written: what comes again and again has no place in the files", nil
		}
		return w, "", nil
	}
	switch {
	case view.Replayed != nil:
		w.Violation = true
		w.Waypoints, called = svwitness.Violation(c.CFA, view.Replayed.Runs[0], q.Program.C)
		if svwitness.Lacks(c.CFA, view.Replayed.Runs[0]) {
			why = "without the values in rounds of a loop that the run does not write out"
		}
		if called = e.violated(w, called, q.Program.C); called == "" {
			return nil,
				"not written: the error is no call of an error function in the files named, which is the format's property", nil
		}
	case view.Layers == nil && (c.MP == nil || c.Stale):
		why = "without invariants: the abstraction of the proof is not kept"
	default:
		proof := svwitness.Proof{CFA: c.CFA, Graph: c.Graph, Layers: view.Layers}
		if view.Layers == nil {
			proof.MP = c.MP
		}
		w.Invariants, err = svwitness.Correctness(ctx, proof, q.Claims[0].Program, q.Program.C)
	}
	never := fmt.Sprintf("call(%s())", called)
	if e.asksOverflow() {
		never = "overflow"
	}
	w.Specification = fmt.Sprintf("CHECK( init(%s()), LTL(G ! %s) )", entry, never)
	return w, why, err
}

// asksOverflow reports whether the property is that no signed operation overflows.
func (e *evidence) asksOverflow() bool { return e.options.Property == string(component.NoOverflow) }

// violated is the function of which the format's property says that nothing calls it, from what is
// called at the target; "" if it is none.
func (e *evidence) violated(w *svwitness.Witness, called string, units []source.Source) string {
	known := append([]string{"reach_error", "__VERIFIER_error", svwitness.AssertFailed}, e.options.ErrorFunctions...)
	if slices.Contains(known, called) {
		return called
	}
	o := e.options
	defines := slices.ContainsFunc(append(slices.Clone(o.Defines), o.Undefs...), func(s string) bool {
		return strings.HasPrefix(s, "assert")
	})
	if called != "assert" || defines || len(o.IncludeDirs) > 0 || o.CompileCommands != "" ||
		!svwitness.StandardAssert(units, w.Waypoints[len(w.Waypoints)-1].Location.File) {
		return ""
	}
	return svwitness.AssertFailed
}

// created is the time that the witness names: that of SOURCE_DATE_EPOCH, for files that are to be the
// same each time, or now.
func (e *evidence) created() string {
	at := e.world.Now()
	if e.world.Env != nil {
		if seconds, err := strconv.ParseInt(e.world.Env("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
			at = time.Unix(seconds, 0)
		}
	}
	return at.UTC().Format(time.RFC3339)
}
