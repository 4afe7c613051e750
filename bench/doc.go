// Package bench measures magus: it holds benchmarks and no code.
//
// The benchmarks are, from the inside out: queries to the decision procedures,
// the abstract post, the elimination test of one path, trace containment, and
// the whole loop on the handshake example with one and two levels of
// abstraction.
//
//	go test -bench . ./bench
//	go test -bench Handshake/p10 -cpuprofile cpu.out ./bench
//
// The command in bench/tables prints the tables of the MAGIC paper for
// programs of ours. What it left out on purpose: benchmarks that belong to one
// package only stand beside that package.
package bench
