// Package report holds what a run of magus leaves behind: the structure of a
// report, [Check], and its renderings as JSON and as text.
//
// A report is made from outcomes once, by [NewClaim]; every rendering shows
// the same report and computes nothing about it. The JSON form is described by
// docs/schema/check.schema.json, and a test holds the two together.
//
//	claim := report.NewClaim(outcome, timings, sources)
//	report.WriteClaim(w, claim, report.Text{Stats: true})
//
// Left out: measuring (whoever calls Step does it), reading files (source
// lines come through [Sources]), and deciding an exit status.
package report
