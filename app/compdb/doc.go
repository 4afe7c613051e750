// Package compdb reads compilation databases: compile_commands.json, the JSON
// array in which build tools write down how each file is compiled.
//
//	[{"directory": "/home/ann/pump/build",
//	  "command": "cc -I../include -DLIMIT='(4)' -c ../src/pump.c",
//	  "file": "../src/pump.c"}]
//
// [Parse] gives the entries, their commands taken apart into arguments as a
// POSIX shell would. [Command.Settings] gives what of a command matters to who
// reads the source: include directories, macros, files included first, the
// width of addresses, the standard. Names come as they are written; what they
// are relative to is Directory, and who reads files must join them.
//
// One file may be compiled several times, for several targets: [Command.Writes]
// tells the commands apart by what they write.
//
// [Command.Expand] reads response files, which the caller gives.
//
// Left out: everything that a compiler does after preprocessing. Options that change what the
// preprocessor reads and are not modelled (-imacros) are errors, all other unknown ones are passed
// over.
//
// Source of the format: "JSON Compilation Database Format Specification",
// clang.llvm.org/docs/JSONCompilationDatabase.html.
package compdb
