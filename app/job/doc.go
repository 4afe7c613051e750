// Package job runs a check without a command line: it reads what is asked,
// selects the claims, performs their sessions, several at a time, within budgets
// of time and memory, and collects the outcomes as one report.
//
//	h := job.System()
//	o := options.Defaults()
//	ctx, cancel := job.Budget(ctx, h, o.Timeout, o.MemoryLimit)
//	defer cancel()
//	r, err := job.Start(ctx, h, o, []string{"lock.c", "lock.spec"})
//	if err != nil {
//		return err // a mistake in the input
//	}
//	for i := range r.Claims() {
//		result := r.Check(ctx, i, nil) // result.Claim.Verdict
//	}
//	err = r.Close()
//	doc := r.Report() // doc.Verdict
//
// What a check touches outside itself, a clock, memory and files, comes as a
// [Host]; [System] is that of the process. Who wants to know what goes on gives a
// [Watcher]; [Progress] is the model of how far a claim is.
//
// Left out: printing, flags, exit statuses, and deciding anything about programs,
// which is package magus, behind [Engine].
package job
