// Package project reads and writes magus.toml, which says how magus looks at a project:
//
//	[rules]                          # of magus rules check, in this folder and those below
//	compile-commands = "build"
//	rule             = ["pthread-mutex", "file"]
//	baseline         = "magus-baseline.txt"
//	function-timeout = "1m"
//
// The keys are the names of options, with the values that they have on a command line; files are the files. Names of
// files are relative to the folder of magus.toml. [Parse] gives keys with their lines, [Find] the file that
// counts for a folder, and [Text] what a project begins with; [Workflow] is its check in every push.
//
// Left out: which options there are, and what they mean.
package project
