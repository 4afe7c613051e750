// Package options holds the options of a check as one table: name, kind, values,
// default, help, and where an option applies. Flags, completion, the shell's set,
// the help and the reference page (docs/options.md) are made from it, and so are the keys of suites and of
// the server, what certificates record of the question, and what the JSON form says was asked for.
// The table is a value: who reads it is given it, and a test gives one with a row more.
//
//	s := options.Standard().For(options.Check)
//	err := s.Set("minimize", "greedy")
//	s.Options.Minimize         // greedy
//	s.Options.Session()        // as package magus takes them
//	s.Options.Reading()        // as package input takes them
//
// Adding an option is a field of [Options] and a row of the table. Defaults that
// package magus has as zero values are the same here; a test compares them.
//
// Left out: flags themselves, which are the command line's, and options of other
// commands, which say how transition systems or drawings are written.
package options
