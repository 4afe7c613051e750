// Command conformance compares verdicts with runs of compiled programs, for all C programs of a folder.
//
//	go run ./bench/conformance FOLDER...
//	CONFORMANCE_DIR=FOLDER go test ./bench/conformance -v
//
// A program is run as gcc compiles it. What the run shows is asked of magus in two questions: that abort is not called
// and main returns what it returned there (which conforms), and that it does not return that (which
// violates). A run that ends in abort is one question, which violates. The truth of a question is that of the
// run; so programs are passed over that gcc does not take, that do not end, that take input or are stopped by
// another signal, and those on whose result -O0 and -O2 or the sanitizer of undefined behaviour do not agree.
// Where the result is another one when output, files or new threads fail, only what the run shows to happen is asked;
// memory is taken to be there (--malloc never-fails).
//
// The answers are counted by class, and those that are not right are listed with their reasons, places left
// out. The exit status is 1 if a verdict is wrong. Each question is one run of the program magus, which is
// built first; a program that reads what nobody set has a truth that no verdict has to share, so wrong
// verdicts are to be looked at by hand.
package main
