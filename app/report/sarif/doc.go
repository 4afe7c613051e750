// Package sarif writes the report of a check as SARIF 2.1.0, which code scanning
// services and editors read.
//
//	err := sarif.Write(w, doc, sarif.Settings{Version: "1.2.0", Dir: dir, ExitCode: 1})
//
// One run of the tool is one run of the log. A claim is one result: a violation is a
// failure at the forbidden step, with one code flow that has a thread flow for each
// component, and the order of all steps in executionOrder; a proof passes; what is
// unknown is open. Warnings, doubts, assumptions and reasons of unknown are
// notifications. Names of files are relative to %SRCROOT%, which is the folder of the
// check; no time, no path of the machine and no command line is written, so that the
// same input gives the same bytes. The place of a result is quoted with the lines around it (quote.go);
// each rule has the address of the page of the documents that explains it.
//
// Of a check of rules each rule is one of the log, and a finding is one result, from however many roots it
// was found: with the state that a baseline gives it, and suppressed where a comment in the source allows it.
//
// Source: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, OASIS
// Standard, 27 March 2020.
//
// Left out: fixes, graphs, taxonomies, and what is in a baseline and was not found.
package sarif
