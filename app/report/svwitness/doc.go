// Package svwitness represents witnesses in version 2.0 of the format of the competition on
// software verification (SV-COMP), which validators read: of a violation of unreach-call, waypoints that
// lead a validator along the run; of a proof, invariants of the program in C.
//
//   - entry_type: violation_sequence
//     content:
//   - segment:
//   - waypoint:
//     type: function_return        # the value that was chosen
//     action: follow
//     location: {file_name: "a.c", line: 6, column: 36}
//     constraint: {value: "\\result == 7", format: ext_c_expression}
//   - segment:
//   - waypoint: {type: target, action: follow, location: …}
//
// [Violation] and [Correctness] make the content from what a session knows at its end, [Write] writes
// it. A witness is a hint, not a certificate: what cannot be said in C, or has no place
// in the files that were given, is left out, and the others remain true. What shows a verdict
// completely is package evidence/certificate.
//
// Sources: the format's text, sosy-lab.gitlab.io/benchmarking/sv-witnesses; Ayaziová, Beyer,
// Lingsch-Rosenfeld, Spiessl, Strejček, Software Verification Witnesses 2.0, SPIN 2024.
//
// Left out: version 1.0 (GraphML), programs with threads, and properties other than unreach-call and, of
// proofs, no-overflow. Runs that go round for ever are said in version 2.1 of the format.
package svwitness
