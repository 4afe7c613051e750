// Package input reads what was asked for: C files and specifications by their
// names, the files of a compilation database, and later, on their behalf, what
// they include and import.
//
//	p, err := input.Read("examples/lock", input.Settings{Defines: []string{"LIMIT=3"}},
//		[]string{"lock.c", "lock.spec"})
//	p.C, p.Specs   // the texts, as packages cfa and specs take them
//	p.Options      // how C is read; its ReadFile reads headers and imports
//	p.Sources      // source lines by place, for reports
//
// Names stay as they were given, for messages; a [Dir] says what they are
// relative to. What is read on behalf of a file lies in the working directory,
// beside the files that were named, or in the include directories, and nowhere
// else. Mistakes are an [Error], which says all that is wrong at once.
//
// Left out: what the texts mean, writing files, and the names of options.
package input
