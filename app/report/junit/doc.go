// Package junit writes results in the XML form of JUnit, which the test runners
// of continuous integration read.
//
//	junit.Write(w, []junit.Suite{{Name: "lock.magus", Seconds: 0.2, Cases: []junit.Case{
//		{Name: "line 3: conforms", Class: "lock.magus"},
//		{Name: "line 7: violates", Class: "lock.magus", Failure: "expected violates, got conforms"},
//	}}})
//
// Left out: what the cases are. Scripts of the shell have one for each expectation.
package junit
