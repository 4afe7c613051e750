// Package page writes the report of a check as one HTML file, which needs nothing else:
// no network, no library, no server.
//
//	history := page.NewHistory()
//	past := history.Begin("program client, server, specification ok")
//	past.Add(event, session.View(), seconds) // after each phase
//	err := page.Write(ctx, w, doc, page.Settings{History: history, Sources: sources, Covered: covered})
//
// The page has, for each claim: the verdict and what it is about; the counterexample as a
// chart with a lane for each component and one for the specification; the phases of the
// loop, which keys, buttons and the address's fragment (#claim=1&phase=3) go through,
// with automaton, abstractions and specification side by side, predicates, and why a path
// was spurious; charts of states, predicates and time; and the sources, with the lines
// of the counterexample and what a proof reached. One selection, of a place in the
// source, is shown in all of them.
//
// [WriteRules] writes the page of a check of rules: a table of files and rules, findings with the code around and
// their runs, what is undecided, what is assumed. Its script and its styles are those of the page of a check.
//
// Everything is laid out when the file is written. The script shows and hides; without
// it the page shows all of its text. Names and sources may be hostile: all text goes
// through html/template, and the page's own policy allows its one script only.
//
// Large runs are cut, and the page says where: [maxPhases], [maxRows], [maxBoxes], [maxFindings].
//
// Left out: what cannot be said in a file, as stepping further or asking other claims,
// which are the shell's.
package page
